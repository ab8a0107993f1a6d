package web_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/web/site"
	"github.com/storeglass/storeglass/web/webtest"
)

// The matrix asks every route as every kind of principal, with ids that are their own,
// someone else's, of nothing and of no form, and looks for one byte of what is not
// theirs. It is made from the route table, so a new route is in it at once:
//
//   - A part of a path that no line of parameters fills fails the test: add one.
//   - A POST needs a line in forms, with what its form sends; a value that begins
//     with ":" is a parameter, and is filled in like one in the path.
//   - A page that answers something else than others do has a line in ownAnswers.
//   - A table that nobody seeds, and a column that holds no canary, fail too:
//     see foreignWorld and vocabulary.
//
// The tests whose names end in NotThePrincipals run a second time with the first wall
// taken away (see db.TakeFirstWall): then they say that the second is enough.

// check judges an answer: its status, and that it contains nothing foreign.
func (m *matrix) check(a *principal, to target, r webtest.Response) {
	m.T.Helper()
	if leaked := m.leaked(to, r); leaked != "" {
		m.T.Errorf("%s as %s: %d, with %s", to, a.name, r.Status, leaked)
	}
	if r.Status >= 500 && r.Status != http.StatusServiceUnavailable {
		m.T.Errorf("%s as %s: %d", to, a.name, r.Status)
	}
	if want := expected(a, to); !m.secondAlone && want != 0 && r.Status != want {
		m.T.Errorf("%s as %s: %d, want %d", to, a.name, r.Status, want)
	}
}

// leaked names what of the foreign rows is in an answer; empty if nothing is.
func (m *matrix) leaked(to target, r webtest.Response) string {
	var words []string
	for _, found := range canariesIn(r) {
		words = append(words, found+" of "+m.foreign.where(found))
	}
	// The person who put foreign ids in the address already knows them.
	if !slices.Contains(to.kinds, foreignID) && !slices.Contains(to.kinds, malformedID) && strings.Contains(webtest.WholeText(r), webtest.Foreign+"-") {
		words = append(words, "an id of the foreign store")
	}
	return strings.Join(words, ", ")
}

func TestNoAnswerHoldsAByteOfWhatIsNotThePrincipals(t *testing.T) {
	behindEachWall(t, func(t *testing.T, secondAlone bool) {
		t.Parallel()
		m := newMatrix(t, secondAlone)
		asked := 0
		for _, r := range m.Server.Routes() {
			for _, to := range m.targets(r) {
				if r.Method != http.MethodGet && to.own() && r.Admits == site.AdmitPerson {
					continue // it changes something: see below
				}
				for _, a := range m.principals {
					if a.dead && slices.ContainsFunc(to.kinds, func(k int) bool { return k > foreignID }) {
						continue // they are refused before that
					}
					m.check(a, to, m.send(a, to))
					asked++
					if r.Method == http.MethodGet || r.Admits != site.AdmitPerson || a.kind != bySession || a.dead {
						continue
					}
					if got := a.Do(r.Method, to.path, to.form, nil); got.Status != http.StatusForbidden {
						m.T.Errorf("%s as %s, without the form's token: %d", to, a.name, got.Status)
					}
				}
			}
		}
		m.unchanged()
		t.Logf("%d requests", asked)
	})
}

func (m *matrix) unchanged() {
	m.T.Helper()
	after := m.foreign.state()
	for table, rows := range m.foreign.stored {
		if after[table] != rows {
			m.T.Errorf("rows of %s were changed that are not the principal's: %s, %s before", table, after[table], rows)
		}
	}
}

// Principals can make the changes allowed to them, each action in its own world, and nothing
// else changes.
func TestNoActionTouchesWhatIsNotThePrincipals(t *testing.T) {
	behindEachWall(t, func(t *testing.T, secondAlone bool) {
		for _, r := range webtest.NewWorld(t).Server.Routes() {
			if r.Method == http.MethodGet || r.Admits != site.AdmitPerson {
				continue
			}
			t.Run(r.Method+" "+r.Path, func(t *testing.T) {
				t.Parallel()
				m := newMatrix(t, secondAlone)
				first := true
				for _, to := range m.targets(r) {
					if !to.own() {
						continue
					}
					for _, a := range m.principals {
						got := m.send(a, to)
						switch {
						case first && a.kind == bySession && !a.dead && a.role.May(r.Needs):
							m.check(a, to, got)
							first = false
						case m.leaked(to, got) != "":
							t.Errorf("%s as %s: %d, with %s", to, a.name, got.Status, m.leaked(to, got))
						}
					}
				}
				m.unchanged()
			})
		}
	})
}

// The answers about a store are the same to the byte, whether or not another store exists: so
// no sum, rank or count includes anything from it.
func TestAStoreMakesNoDifferenceToAnother(t *testing.T) {
	t.Parallel()
	m := newMatrix(t, false)
	collect := func() map[string]string {
		m.Server.Cache = site.NewPageCache(0)
		m.Exec(`update shares set hits = 0, last_hit_at = null`) // otherwise the first round would change the second
		out := map[string]string{}
		for _, r := range m.Server.Routes() {
			if r.Method != http.MethodGet || r.Admits == site.AdmitAll || r.Path == "/stores/:slug/sync" || r.Path == site.APIPrefix+"v1/stores/:slug/sync" {
				continue
			}
			for _, to := range m.targets(r) {
				if !to.own() {
					continue
				}
				for _, a := range m.principals {
					got := a.Get(to.path)
					id := got.Header.Get("X-Request-Id")
					out[a.name+" "+to.path] = fmt.Sprint(got.Status, " ", strings.NewReplacer(id, "", strings.ToLower(id), "").Replace(webtest.WholeText(got)))
				}
			}
		}
		return out
	}
	with := collect()
	m.Exec(`delete from stores where slug = $1`, webtest.Foreign)
	m.Exec(`delete from people where name like 'cnry%'`)
	m.Exec(`delete from groups where name like 'cnry%'`)
	m.Exec(`delete from api_tokens where name like 'cnry%'`)
	without := collect()
	for address, answer := range with {
		if without[address] != answer {
			t.Errorf("%s: the answer is another one when the foreign store is gone", address)
		}
	}
}

// Canaries only prove something if they can be found: a person who may see everything gets them
// on every page, file and answer about the foreign store.
func TestWhoSeesEverythingMeetsTheCanaries(t *testing.T) {
	t.Parallel()
	m := newMatrix(t, false)
	met, silent := map[string]bool{}, []string{}
	for _, r := range m.Server.Routes() {
		if r.Method != http.MethodGet || !strings.Contains(r.Path, ":slug") {
			continue
		}
		a := m.admin
		if r.Admits == site.AdmitToken {
			a = m.all
		}
		for _, to := range m.targets(r) {
			if slices.ContainsFunc(to.kinds, func(k int) bool { return k != foreignID }) {
				continue
			}
			got := a.Get(to.path)
			if own, ok := ownAnswers["GET "+r.Path]; ok && got.Status == own {
				continue
			}
			if got.Status != http.StatusOK {
				t.Errorf("%s as %s: %d", to, a.name, got.Status)
			}
			found := canariesIn(got)
			for _, c := range found {
				met[m.foreign.where(c)] = true
			}
			if len(found) == 0 {
				silent = append(silent, r.Path)
			}
		}
	}
	t.Logf("%d columns were met", len(met))
	for _, path := range silent {
		t.Errorf("%s shows nothing of the store", path)
	}
	for _, column := range []string{
		"summaries.total_upsold_value", "summaries.total_orders", "placement_stats.impressions", "placement_stats.revenue", "lifetimes.total_revenue",
		"coverage.active_count", "top_offers.name", "top_offers.revenue", "offers.name", "offers.revenue", "offer_setups.body",
		"offer_stages.body", "offer_recommendations.body", "gift_windows.revenue", "gift_windows.orders", "gift_campaigns.name",
		"gift_campaign_configs.body", "gift_widgets.title", "gift_health.body", "replies.body", "ledger.outcome_text", "credentials.token_tail", "stores.name",
	} {
		if !met[column] {
			t.Errorf("nobody meets a canary of %s", column)
		}
	}
}

// A careless handler is caught: with the owner's role the matrix sees the leak, and with the
// web server's role the rows are never visible.
func TestTheMatrixCatchesAHandlerThatLeaks(t *testing.T) {
	t.Parallel()
	m := newMatrix(t, false)
	careless := func(d *db.DB) func(*site.Call) error {
		return func(c *site.Call) error {
			stores, err := d.Queries().AllStores(c.Request().Context())
			if err != nil {
				return err
			}
			return c.String(http.StatusOK, fmt.Sprint(stores))
		}
	}
	table := []site.Route{
		site.Get("/careless/bare", site.AdmitPerson, access.See, careless(m.DB)),
		site.Get("/careless/walled", site.AdmitPerson, access.See, careless(m.Server.DB)),
	}
	m.Must(m.Server.Mount(table))
	for _, a := range m.principals {
		if a.name != "viewer" {
			continue
		}
		for i, r := range table {
			to := m.targets(r)[0]
			got := m.send(a, to)
			if leaked := m.leaked(to, got); (leaked != "") != (i == 0) || got.Status != http.StatusOK || !strings.Contains(got.Body, "Acme") {
				t.Errorf("%s: %d, leaked %q: %.300s", to, got.Status, leaked, got.Body)
			}
		}
	}
}

func TestARouteThatTheMatrixCanNotAskFails(t *testing.T) {
	t.Parallel()
	for name, r := range map[string]site.Route{
		"an unknown part": {Method: "GET", Path: "/stores/:slug/things/:thing"},
		"an unknown form": {Method: "POST", Path: "/stores/:slug/things"},
	} {
		if _, err := targets(r, parameters); err == nil {
			t.Errorf("%s is not noticed", name)
		}
	}
}

// Without the first wall the handlers run on the foreign store, and find no rows of it;
// otherwise the second wouldn't be tested.
func TestWithoutTheFirstWallHandlersRunOnWhatIsNotThePrincipals(t *testing.T) {
	t.Parallel()
	m := newMatrix(t, true)
	for _, r := range m.Server.Routes() {
		if r.Method != http.MethodGet || !strings.Contains(r.Path, ":slug") {
			continue
		}
		want := http.StatusOK
		if strings.Count(r.Path, ":") > 1 || r.Path == "/stores/:slug/replies" { // it is about one thing, which is not there
			want = http.StatusNotFound
		}
		if strings.HasPrefix(r.Path, "/stores/:slug/snapshot") { // the subscriptions asks both walls again
			want = http.StatusNotFound
		}
		if own, ok := ownAnswers["GET "+r.Path]; ok {
			want = own
		}
		for _, to := range m.targets(r) {
			if slices.ContainsFunc(to.kinds, func(k int) bool { return k != foreignID }) {
				continue
			}
			for _, a := range m.principals {
				by := bySession
				if r.Admits == site.AdmitToken {
					by = byBearer
				}
				if a.dead || a.kind != by || by == bySession && !a.role.May(r.Needs) {
					continue
				}
				got := m.send(a, to)
				m.check(a, to, got)
				if got.Status != want {
					t.Errorf("%s as %s: %d, want %d", to, a.name, got.Status, want)
				}
			}
		}
	}
}
