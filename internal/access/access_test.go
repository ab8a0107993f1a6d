package access_test

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/dbtest"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/fault"
)

// clock is a clock that the test sets.
type clock struct {
	mu sync.Mutex
	t  time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.t
}

func (c *clock) add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.t = c.t.Add(d)
}

type world struct {
	*access.Access
	db    *db.DB
	clock *clock
}

// newWorld has the stores acme and birch, and no people.
func newWorld(t *testing.T) world {
	t.Helper()
	d := db.From(dbtest.New(t), 60)
	for _, slug := range []string{"acme", "birch"} {
		_, err := sqlc.New(d.Pool).InsertStore(t.Context(), sqlc.InsertStoreParams{Slug: slug, Name: slug, Timezone: "UTC", HistoryDays: 90})
		if err != nil {
			t.Fatal(err)
		}
	}
	c := &clock{t: time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)}
	return world{access.New(d, c.now), d, c}
}

func (w world) person(t *testing.T, email string) access.Person {
	t.Helper()
	p, err := w.CreatePerson(t.Context(), email, "", "")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func (w world) link(t *testing.T, p access.Person) string {
	t.Helper()
	secret, _, err := w.CreateLink(t.Context(), p, 0)
	if err != nil {
		t.Fatal(err)
	}
	return secret
}

// refusal is a fault.Conflict with that message id.
func refusal(id string) error { return fault.New(fault.Conflict, "", id) }

func wants(t *testing.T, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Fatalf("got error %v, want %v", err, want)
	}
}

func TestPersonIsKnownByAddressInAnySpelling(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.person(t, "Ada@Example.com")
	if p.Role != access.Viewer || p.Name != "Ada" {
		t.Errorf("defaults: %+v", p)
	}
	found, err := w.PersonByEmail(t.Context(), " ada@example.COM ")
	if err != nil || found.ID != p.ID {
		t.Errorf("found %+v, %v", found, err)
	}
	_, err = w.CreatePerson(t.Context(), "ADA@example.com", "", "")
	wants(t, err, fault.Conflict)
	_, err = w.PersonByEmail(t.Context(), "eve@example.com")
	wants(t, err, fault.Missing("person"))
	for _, bad := range []string{"", "ada", "Ada <ada@example.com>", "ada@example.com, eve@example.com"} {
		if _, err := w.CreatePerson(t.Context(), bad, "", ""); err == nil {
			t.Errorf("address %q was taken", bad)
		}
	}
	if _, err := w.CreatePerson(t.Context(), "bo@example.com", "", "owner"); err == nil {
		t.Error("an unknown role was taken")
	}
}

func TestGrantsDecideWhatAScopeHolds(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	p := w.person(t, "ada@example.com")
	sees := func() []string {
		t.Helper()
		scope, err := w.db.ScopeOfPerson(ctx, p.ID)
		if err != nil {
			t.Fatal(err)
		}
		stores, err := w.db.Stores(ctx, scope)
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, s := range stores {
			out = append(out, s.Slug)
		}
		return out
	}
	expect := func(what string, want ...string) {
		t.Helper()
		if got := sees(); !slices.Equal(got, want) {
			t.Errorf("%s: sees %v, want %v", what, got, want)
		}
	}
	expect("without a grant")
	for range 2 { // twice changes nothing
		if err := w.GrantPerson(ctx, p.ID, "acme"); err != nil {
			t.Fatal(err)
		}
	}
	expect("one grant", "acme")
	wants(t, w.GrantPerson(ctx, p.ID, "nowhere"), fault.Missing("store"))
	if err := w.GrantPerson(ctx, p.ID, access.AllStores); err != nil {
		t.Fatal(err)
	}
	expect("all stores", "acme", "birch")
	people, err := w.Roster(ctx)
	if err != nil || len(people) != 1 || !people[0].AllStores || !slices.Equal(people[0].Stores, []string{"acme"}) {
		t.Errorf("listed %+v, %v", people, err)
	}
	if had, err := w.RevokePerson(ctx, p.ID, access.AllStores); err != nil || !had {
		t.Error(had, err)
	}
	expect("all stores revoked", "acme")
	if had, err := w.RevokePerson(ctx, p.ID, "acme"); err != nil || !had {
		t.Error(had, err)
	}
	if had, err := w.RevokePerson(ctx, p.ID, "acme"); err != nil || had {
		t.Error("a grant was revoked twice", err)
	}
	expect("everything revoked")
}

func TestSignInLinkWorksOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	p := w.person(t, "ada@example.com")
	secret := w.link(t, p)
	for range 3 { // checking doesn't use the link up
		if err := w.CheckLink(ctx, secret); err != nil {
			t.Fatal(err)
		}
	}
	const tries = 8
	errs := make(chan error, tries)
	for range tries {
		go func() {
			_, err := w.UseLink(ctx, secret)
			errs <- err
		}()
	}
	won := 0
	for range tries {
		if err := <-errs; err == nil {
			won++
		} else if !errors.Is(err, fault.NotFound) {
			t.Error(err)
		}
	}
	if won != 1 {
		t.Errorf("the link signed in %d times", won)
	}
	wants(t, w.CheckLink(ctx, secret), fault.NotFound)
}

func TestSignInLinkExpires(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	secret := w.link(t, w.person(t, "ada@example.com"))
	w.clock.add(access.LinkLife)
	wants(t, w.CheckLink(t.Context(), secret), fault.NotFound)
	_, err := w.UseLink(t.Context(), secret)
	wants(t, err, fault.NotFound)
}

func TestSignInLinkThatNeverWas(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, secret := range []string{"", "x", "' or true --", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"} {
		_, err := w.UseLink(t.Context(), secret)
		wants(t, err, fault.NotFound)
	}
}

func TestDisabledPersonLosesEverythingAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	p := w.person(t, "ada@example.com")
	if err := w.GrantPerson(ctx, p.ID, access.AllStores); err != nil {
		t.Fatal(err)
	}
	secret := w.link(t, p)
	other := w.person(t, "bo@example.com")
	s := w.Sessions()
	saveSession(t, w, "ada-session", p)
	saveSession(t, w, "bo-session", other)
	if err := w.DisablePerson(ctx, p.ID); err != nil {
		t.Fatal(err)
	}
	_, err := w.UseLink(ctx, secret)
	wants(t, err, fault.NotFound)
	if _, found, err := s.FindCtx(ctx, "ada-session"); err != nil || found {
		t.Error("the session lives on", err)
	}
	if _, found, err := s.FindCtx(ctx, "bo-session"); err != nil || !found {
		t.Error("another person's session went too", err)
	}
	if scope, err := w.db.ScopeOfPerson(ctx, p.ID); err != nil || scope.Every() {
		t.Error("the grants still allow", err)
	}
	p, err = w.PersonByEmail(ctx, p.Email)
	if err != nil || !p.Disabled {
		t.Errorf("%+v, %v", p, err)
	}
	_, _, err = w.CreateLink(ctx, p, 0)
	wants(t, err, refusal("person.problem.disabled"))
	wants(t, w.DisablePerson(ctx, 999), fault.Missing("person"))
}

func TestSecretsAreStoredAsHashes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	link := w.link(t, w.person(t, "ada@example.com"))
	token, err := w.CreateToken(ctx, "ci", []string{"acme"}, nil, access.TokenLife)
	if err != nil {
		t.Fatal(err)
	}
	var rows string
	err = w.db.Pool.QueryRow(ctx, `select
		(select string_agg(l::text || encode(token_hash, 'escape'), '') from sign_in_links l) ||
		(select string_agg(t::text || encode(token_hash, 'escape'), '') from api_tokens t)`).Scan(&rows)
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{link, token, token[len(access.TokenPrefix):]} {
		if len(secret) < 43 {
			t.Errorf("secret %q has less than 256 bits", secret)
		}
		if strings.Contains(rows, secret) {
			t.Errorf("the database holds %q", secret)
		}
	}
}

func saveSession(t *testing.T, w world, token string, p access.Person) {
	t.Helper()
	saveSessionFor(t, w, token, p, time.Hour)
}

func saveSessionFor(t *testing.T, w world, token string, p access.Person, life time.Duration) {
	t.Helper()
	saveSessionUntil(t, w, token, p, w.clock.now().Add(life), map[string]any{})
}

func saveSessionWith(t *testing.T, w world, token string, p access.Person, values map[string]any) {
	t.Helper()
	saveSessionUntil(t, w, token, p, w.clock.now().Add(time.Hour), values)
}

func saveSessionUntil(t *testing.T, w world, token string, p access.Person, deadline time.Time, values map[string]any) {
	t.Helper()
	values[access.SessionPerson] = strconv.FormatInt(p.ID, 10)
	data, err := access.SessionCodec{}.Encode(deadline, values)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Sessions().CommitCtx(context.Background(), token, data, deadline); err != nil {
		t.Fatal(err)
	}
}
