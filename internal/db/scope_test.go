package db_test

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/portfolio"
)

// person creates a person with a grant for each store named; "*" means every store.
func (h *house) person(stores ...string) int64 {
	h.t.Helper()
	id := get[int64](h, `insert into people (email, name) values (gen_random_uuid()::text, 'Ina') returning id`)
	for _, slug := range stores {
		if slug == "*" {
			h.exec(`insert into grants (person_id) values ($1)`, id)
			continue
		}
		h.exec(`insert into grants (person_id, store_id) select $1, id from stores where slug = $2`, id, slug)
	}
	return id
}

func (h *house) token(stores ...string) int64 {
	h.t.Helper()
	id := get[int64](h, `insert into api_tokens (name, token_hash) values (gen_random_uuid()::text, decode(md5(random()::text), 'hex')) returning id`)
	for _, slug := range stores {
		h.exec(`insert into grants (api_token_id, store_id) select $1, id from stores where slug = $2`, id, slug)
	}
	return id
}

// sees lists what a scope includes: according to the list, and by each store's name.
func (h *house) sees(scope db.Scope) string {
	h.t.Helper()
	ctx := context.Background()
	var listed, found []string
	stores, err := h.Stores(ctx, scope)
	h.must(err)
	for _, s := range stores {
		listed = append(listed, s.Slug)
	}
	for _, slug := range []string{"acme", "birch", "nobody"} {
		switch s, err := h.Store(ctx, scope, slug); {
		case err == nil:
			found = append(found, s.Slug)
		case !errors.Is(err, db.ErrNotFound):
			h.t.Fatal(err)
		}
	}
	if l, f := strings.Join(listed, " "), strings.Join(found, " "); l != f {
		h.t.Errorf("the list holds %q, by name there are %q", l, f)
	}
	return strings.Join(found, " ")
}

func TestAScopeHoldsWhatItsGrantsSay(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 60)
	ctx := context.Background()
	of := func(id int64) db.Scope {
		s, err := h.ScopeOfPerson(ctx, id)
		h.must(err)
		return s
	}
	ofToken := func(id int64) db.Scope {
		hash := get[[]byte](h, `select coalesce((select token_hash from api_tokens where id = $1), '')`, id)
		v, err := h.VisitByToken(ctx, hash, "", time.Now())
		if !errors.Is(err, db.ErrNotFound) {
			h.must(err)
		}
		return v.Scope
	}
	disabled, revoked := h.person("acme", "*"), h.token("acme")
	east, empty, west := h.person(), h.person(), h.token()
	for group, c := range map[string]struct {
		stores        []string
		person, token *int64
	}{
		"East": {[]string{"acme"}, &east, nil}, "West": {[]string{"birch"}, nil, &west}, "Empty": {nil, &empty, nil},
	} {
		h.exec(`with g as (insert into groups (name) values ($1) returning id), m as (insert into group_stores (group_id, store_id) select g.id, s.id from g, stores s where s.slug = any($2))
			insert into grants (person_id, api_token_id, group_id) select $3, $4, g.id from g`, group, c.stores, c.person, c.token)
	}
	h.exec(`update people set disabled_at = now() where id = $1`, disabled)
	h.exec(`update api_tokens set revoked_at = now() where id = $1`, revoked)
	for name, c := range map[string]struct {
		scope db.Scope
		sees  string
		every bool
	}{
		"the zero scope":     {db.Scope{}, "", false},
		"nobody":             {of(-1), "", false},
		"without a grant":    {of(h.person()), "", false},
		"one store":          {of(h.person("acme")), "acme", false},
		"the other":          {of(h.person("birch")), "birch", false},
		"both":               {of(h.person("birch", "acme")), "acme birch", false},
		"every store":        {of(h.person("*")), "acme birch", true},
		"a group":            {of(east), "acme", false},
		"an empty group":     {of(empty), "", false},
		"a token's group":    {ofToken(west), "birch", false},
		"a disabled person":  {of(disabled), "", false},
		"a token":            {ofToken(h.token("birch")), "birch", false},
		"a revoked token":    {ofToken(revoked), "", false},
		"an unknown token":   {ofToken(-1), "", false},
		"a person's id used": {ofToken(h.person("acme")), "", false},
	} {
		equal(t, name+" sees", h.sees(c.scope), c.sees)
		equal(t, name+" sees every store", c.scope.Every(), c.every)
	}

	// Every store includes stores added later; deleting a store deletes its grants.
	all, one := h.person("*"), h.person("birch")
	h.store("cedar", "UTC")
	if _, err := h.Store(ctx, of(all), "cedar"); err != nil {
		t.Errorf("a store added later: %v", err)
	}
	h.exec(`delete from stores where slug = 'birch'`)
	equal(t, "after its store is gone", h.sees(of(one)), "")
}

func TestAForeignStoreIsLikeOneThatDoesNotExist(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 60)
	scope, err := h.ScopeOfPerson(context.Background(), h.person("acme"))
	h.must(err)
	_, foreign := h.Store(context.Background(), scope, "birch")
	_, unknown := h.Store(context.Background(), scope, "nobody")
	if !errors.Is(foreign, db.ErrNotFound) || foreign.Error() != unknown.Error() {
		t.Errorf("a foreign store says %v, an unknown one %v", foreign, unknown)
	}
}

// Reading through a store's scope returns only that store's rows.
func TestRowsOfAnotherStoreAreNeverRead(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 60)
	ctx := context.Background()
	for _, id := range []int64{h.acme, h.birch} {
		h.write(func(b *db.Batch) { seed(b, id, first) })
	}
	h.exec(`update summaries set total_upsold_value = 666 where store_id = $1`, h.birch)
	h.exec(`update lifetimes set total_revenue = 666 where store_id = $1`, h.birch)
	h.exec(`insert into credentials (store_id, service, base_url, token_sealed, key_id, budget, token_tail) values ($1, 'upsell', 'https://x', '', '', 'birch', 'bbbb'), ($2, 'upsell', 'https://x', '', '', 'acme', 'aaaa')`, h.birch, h.acme)
	scope, err := h.ScopeOfPerson(ctx, h.person("acme"))
	h.must(err)
	store, err := h.Store(ctx, scope, "acme")
	h.must(err)
	now := later
	choice, err := report.ParseChoice(url.Values{"window": {"yesterday"}}, now, store.Location(), store.FirstDay)
	h.must(err)
	stored, err := h.Stored(ctx, store, choice, nil)
	h.must(err)
	equal(t, "days read", len(stored.Days), 1)
	for _, d := range stored.Days {
		equal(t, "a day's value", d.TotalUpsoldValue.String(), "12.34")
	}
	equal(t, "all-time revenue", stored.Lifetime.TotalRevenue.String(), "99.5")
	list, err := h.Portfolio(ctx, db.AlertPrincipal{Scope: scope, Now: now}, portfolio.Query{Preset: report.Yesterday, By: portfolio.ByNothing, All: true}, now)
	h.must(err)
	equal(t, "stores of the list", list.Known, 1)
	equal(t, "its value", list.Sections[0].Rows[0].Summary.TotalUpsoldValue.String(), "12.34")
	page, err := h.StoredSync(ctx, store)
	h.must(err)
	equal(t, "budgets", len(page.Budgets), 1)
	equal(t, "token tail", page.Budgets[0].Tail, "aaaa")
	if _, err := h.Reply(ctx, store, "lifetime", "", true); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("a reply that only the other store has: %v", err)
	}

	empty, err := h.Portfolio(ctx, db.AlertPrincipal{}, portfolio.Query{Preset: report.Yesterday}, now)
	if err != nil || empty.Known != 0 || len(empty.Sections) != 0 {
		t.Errorf("the zero scope lists %d stores (%v)", empty.Known, err)
	}
}

// A grant that names nothing, such as one that a bug left empty, must not open every store.
func TestAGrantOfNothingIsNoGrantOfEverything(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 60)
	person := h.person()
	for _, c := range []struct {
		store *int64
		every bool
		rows  int64
	}{{nil, false, 0}, {&h.acme, true, 0}, {&h.acme, false, 1}, {nil, true, 1}} {
		h.must(h.InTx(t.Context(), func(q *sqlc.Queries) error {
			n, err := q.GiveGrant(t.Context(), sqlc.GiveGrantParams{PersonID: &person, StoreID: c.store, EveryStore: c.every})
			equal(t, "grants", n, c.rows)
			return err
		}))
	}
}
