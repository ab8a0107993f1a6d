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

var (
	badSlugs = []string{"BIRCH", "-", "acme%27--", "a%00b", "..", "%2e%2e", "acme%2f..%2fbirch", strings.Repeat("a", 70), "birch%20", "%c3%28"}
	badIDs   = []string{"%27", "a%00b", "..%2f..", "%2e%2e", strings.Repeat("9", 40), "-1", "1e3", "%c3%28", "birch-offer-1%20"}
)

// parameters fill the parts of paths that begin with ":", by the part before them;
// a part that is the same everywhere is on its own. A value that is a statement is
// what that finds in the matrix's world: ids that the database gave.
var parameters = map[string]idForms{
	":slug":         {webtest.Own, webtest.Foreign, "nowhere", badSlugs},
	"offers/:id":    {"acme-offer-1", "birch-offer-1", "nothing", badIDs},
	"campaigns/:id": {"acme-campaign-1", "birch-campaign-1", "nothing", badIDs},
	// a share link is for anyone who has it: of someone else's one may have those that work no more
	"share/:token": {own: webtest.OwnLinkSecret, random: strings.Repeat("E", 43), malformed: append([]string{revokedLinkSecret, expiredLinkSecret}, badIDs...)},
	"shares/:id": {
		own: "select id::text from shares where label = 'For everyone'", foreign: "select id::text from shares where token_hash = 'stranger'", random: "987654321", malformed: badIDs,
	},
	"gallery/:name": {own: "overview", random: "nowhere", malformed: badIDs},
	// links sign in anyone who has them: nobody has one that is someone else's
	"sign-in/:token":    {random: strings.Repeat("A", 43), malformed: badIDs},
	"reset/:token":      {random: strings.Repeat("A", 43), malformed: badIDs},
	"invitation/:token": {random: strings.Repeat("A", 43), malformed: badIDs},
	"set-up/:token":     {random: strings.Repeat("A", 43), malformed: badIDs},
	"sessions/:id": {
		own:     "select id::text from sessions where person_id = (select id from people where name = 'viewer')",
		foreign: "select id::text from sessions where token = 'stranger'", random: "987654321", malformed: []string{"x", "-1", "1e3", strings.Repeat("9", 40), "1 or 1=1"},
	},
	// for anyone who manages people, and so for none of the principals
	"people/:id": {
		own: "select id::text from people where name = 'viewer'", foreign: "select person_id::text from sessions where token = 'stranger'", random: "987654321", malformed: badIDs,
	},
	"brand/:file": {random: "0e6259-0000000000000000.css", malformed: badIDs},
	"views/:id": {
		own:     "select id::text from saved_views where person_id = (select id from people where name = 'viewer')",
		foreign: "select v.id::text from saved_views v join sessions s using (person_id) where s.token = 'stranger'", random: "987654321", malformed: badIDs,
	},
	"notes/:id": {
		own:     "select n.id::text from notes n join stores s on s.id = n.store_id where s.slug = 'acme' limit 1",
		foreign: "select n.id::text from notes n join stores s on s.id = n.store_id where s.slug = 'birch' limit 1", random: "987654321", malformed: badIDs,
	},
	"thresholds/:id": {
		own:     "select t.id::text from thresholds t join stores s on s.id = t.store_id where s.slug = 'acme' limit 1",
		foreign: "select t.id::text from thresholds t join stores s on s.id = t.store_id where s.slug = 'birch' limit 1", random: "987654321", malformed: badIDs,
	},
	"alerts/:id": {
		own:     "select id::text from alerts where subject = 'own'",
		foreign: "select a.id::text from alerts a join stores s on s.id = a.store_id where s.slug = 'birch'", random: "987654321", malformed: badIDs,
	},
	"snoozes/:id": {
		own:     "select id::text from alert_snoozes where person_id = (select id from people where name = 'viewer')",
		foreign: "select m.id::text from alert_snoozes m join sessions s using (person_id) where s.token = 'stranger' limit 1", random: "987654321", malformed: badIDs,
	},
	"channels/:id": {
		own:     "select id::text from alert_channels where person_id = (select id from people where name = 'merchant')",
		foreign: "select c.id::text from alert_channels c join sessions s using (person_id) where s.token = 'stranger' limit 1", random: "987654321", malformed: badIDs,
	},
	"groups/:id": {own: "select id::text from groups where name = 'Own group'", foreign: "select id::text from groups where name <> 'Own group'", random: "987654321", malformed: badIDs},
	"tokens/:id": {own: "select id::text from api_tokens where name = 'token'", foreign: "select id::text from api_tokens where token_hash = 'stranger'", random: "987654321", malformed: badIDs},
	// only the viewer's: see ofOne
	"snapshots/:id": {
		own:     "select id::text from subscriptions where person_id = (select id from people where name = 'viewer')",
		foreign: "select s.id::text from subscriptions s join stores t on t.id = s.store_id where t.slug = 'birch'", random: "987654321", malformed: badIDs,
	},
	"sent/:id": {
		own:     "select d.id::text from deliveries d join stores t on t.id = d.store_id where t.slug = 'acme'",
		foreign: "select d.id::text from deliveries d join stores t on t.id = d.store_id where t.slug = 'birch'", random: "987654321", malformed: badIDs,
	},
	// links in mails are for anyone who has them
	"confirm/:token":     {random: strings.Repeat("A", 43), malformed: badIDs},
	"unsubscribe/:token": {random: strings.Repeat("A", 43), malformed: badIDs},
	"bounces/:token":     {random: strings.Repeat("A", 43), malformed: badIDs},
	"mail/:token":        {random: strings.Repeat("A", 43), malformed: badIDs},
	":token/:file":       {own: "days.png", random: "nothing.png", malformed: badIDs},
	"weeks/:week":        {own: "2026-11-02", random: "1999-01-01", malformed: badIDs},
	":week/:file":        {own: "days.png", random: "nothing.png", malformed: badIDs},
	// a connection that wasn't saved yet is found only by its own id
	"new/:pending":      {random: strings.Repeat("A", 26), malformed: badIDs},
	"settings/:service": {own: "upsell", random: "nothing", malformed: badIDs},
	"static/*":          {own: "app.css", random: "nothing.css", malformed: []string{"..%2f..%2fgo.mod", "%2e%2e/go.mod"}},
}

// Links to the foreign store that were revoked, and that have expired.
var revokedLinkSecret, expiredLinkSecret = strings.Repeat("I", 43), strings.Repeat("M", 43)

// queries are the queries of a path besides its parameters.
var queries = map[string]string{
	"/stores/:slug/replies":    "pull=lifetime",
	"/stores/:slug":            "charts=",
	"/stores/:slug/placements": "charts=",
	"/stores/:slug/offers/:id": "charts=",
}

// forms are what POSTs send, with ids in them as in paths.
var forms = map[string]map[string]string{
	"/sign-in":                                   {"token": ":sign-in/:token"},
	"/sign-out":                                  {},
	"/account/name":                              {"name": "Someone"},
	"/account/language":                          {"language": "de"},
	"/account/password":                          {"password": "a long and winding road"},
	"/account/confirm":                           {"code": "000000"},
	"/account/sessions/end":                      {"id": ":sessions/:id"},
	"/account/sessions/end-others":               {},
	"/people":                                    {"email": "new@example.com", "role": "viewer", "life": "30m", "store": ":slug"},
	"/people/:id/role":                           {"role": "admin"},
	"/people/:id/grants":                         {"store": ":slug"},
	"/people/:id/grants/take":                    {"store": ":slug"},
	"/people/:id/disable":                        {},
	"/people/:id/enable":                         {},
	"/people/:id/offboard":                       {},
	"/people/:id/sessions/end":                   {},
	"/people/:id/second-step/remove":             {},
	"/people/:id/link":                           {"life": "1h"},
	"/people/:id/invitation":                     {"life": "1h"},
	"/people/:id/invitation/withdraw":            {},
	"/groups":                                    {"name": "West"},
	"/groups/tags":                               {"store": ":slug"},
	"/groups/:id/name":                           {"name": "West"},
	"/groups/:id/stores":                         {"store": ":slug"},
	"/groups/:id/stores/take":                    {"store": ":slug"},
	"/groups/:id/delete":                         {},
	"/tokens":                                    {"name": "script", "store": ":slug"},
	"/tokens/:id/revoke":                         {},
	"/stores/:slug/gift/products":                {"handles": "sock"},
	"/stores/:slug/recommendations":              {"product": "sock"},
	"/stores/new":                                {"upsell_url": "http://127.0.0.1/v1", "upsell_token": "token"},
	"/stores/new/:pending":                       {"slug": "new-shop", "name": "New shop", "timezone": "UTC", "history_days": "90"},
	"/stores/removed":                            {"slug": ":slug"},
	"/stores/check":                              {},
	"/stores/made-up":                            {},
	"/stores/made-up/remove":                     {},
	"/stores/:slug/settings":                     {"name": "Acme Foods", "timezone": "UTC", "history_days": "90"},
	"/stores/:slug/settings/remove":              {"slug": webtest.Own},
	"/stores/:slug/settings/goal":                {"kind": "value", "amount": "4000", "from": "2026-11-01"},
	"/stores/:slug/settings/:service":            {"upsell_url": "http://127.0.0.1/v1", "upsell_token": "token"},
	"/stores/:slug/settings/:service/check":      {},
	"/stores/:slug/settings/:service/disconnect": {},
	"/stores/:slug/shares":                       {"label": "For nobody", "page": "overview", "preset": "last_30_days", "until": "2026-12-01"},
	"/stores/:slug/shares/:id/revoke":            {},
	"/stores/:slug/notes":                        {"first": "2026-11-03", "text": "A sale"},
	"/stores/:slug/notes/:id":                    {"first": "2026-11-03", "text": "A sale"},
	"/stores/:slug/notes/:id/delete":             {},
	"/stores/:slug/alerts/thresholds":            {"what": "value", "kind": "fall", "amount": "30", "least_orders": "50"},
	"/stores/:slug/alerts/thresholds/:id":        {"what": "orders", "kind": "fall", "amount": "35", "least_orders": "50"},
	"/stores/:slug/alerts/thresholds/:id/delete": {},
	"/stores/:slug/snapshot/test":                {"week": "2026-11-09"},
	"/stores/:slug/refresh":                      {},
	"/stores/:slug/sync/pause":                   {},
	"/stores/:slug/sync/resume":                  {},
	"/sign-in/forgotten":                         {"email": "nobody@example.com"},
	"/sign-in/reset":                             {"token": ":reset/:token", "password": "a long and winding road"},
	"/invitation":                                {"token": ":invitation/:token", "name": "Someone", "password": "a long and winding road"},
	"/set-up":                                    {"code": "x", "email": "someone@example.com", "name": "Someone", "password": "a long and winding road"},
	"/share/:token":                              {"password": "x"},
	"/views":                                     {"name": "All late", "query": "health=late"},
	"/views/:id/rename":                          {"name": "Another"},
	"/views/:id/opens":                           {"opens": "yes"},
	"/views/:id/delete":                          {},
	"/snapshots":                                 {"store": ":slug"},
	"/snapshots/:id":                             {"weekday": "2", "hour": "9", "language": "en", "zone": "UTC"},
	"/snapshots/:id/end":                         {},
	"/snapshots/:id/ask":                         {},
	"/snapshots/sent/:id/resend":                 {},
	"/snapshots/suppressed":                      {"address": "x"},
	"/snapshots/confirm/:token":                  {},
	"/unsubscribe/:token":                        {"List-Unsubscribe": "One-Click"},
	"/bounces/:token":                            {},
	"/alerts/snoozes":                            {"alert": ":alerts/:id", "reach": "this-mine", "life": "day"},
	"/alerts/snoozes/:id/end":                    {},
	"/alerts/:id/assign":                         {"person": ""},
	"/alerts/:id/done":                           {},
	"/alerts/:id/open":                           {},
	"/alerts/settings":                           {"mail": "true", "zone": "Europe/Berlin", "campaign_days": "5"},
	"/alerts/channels":                           {"kind": "slack", "name": "Shop", "address": "https://hooks.example.com/services/T1", "store": ":slug", "rules": "usual"},
	"/alerts/channels/:id":                       {"revision": "0", "name": "Shop", "address": "https://hooks.example.com/services/T2", "store": ":slug", "rules": "usual"},
	"/alerts/channels/:id/secret":                {},
	"/alerts/channels/:id/test":                  {},
	"/alerts/channels/:id/on":                    {},
	"/alerts/channels/:id/off":                   {},
	"/alerts/channels/:id/remove":                {},
	"/branding":                                  {},
	site.BrandingForm:                            {"name": "Acme", "accent": "#7a1fa2"},
	"/branding/own":                              {},
	"/branding/discard":                          {},
}

// ownAnswers are the statuses of routes that answer something other than 200 or 303 for the
// principal's own things.
var ownAnswers = map[string]int{
	"POST /stores/:slug/shares":                  http.StatusOK,                  // the link, shown once
	"POST /alerts/channels/:id/secret":           http.StatusOK,                  // the secret, shown once
	"POST /alerts/channels/:id/test":             http.StatusUnprocessableEntity, // nothing is reached
	"POST /account/confirm":                      http.StatusUnprocessableEntity, // a person who signed in by link has nothing to confirm with
	"POST /stores/new":                           http.StatusUnprocessableEntity, // the address is not public
	"POST /stores/:slug/settings/:service":       http.StatusUnprocessableEntity,
	"POST /stores/:slug/settings/:service/check": http.StatusUnprocessableEntity,
	"POST /stores/:slug/snapshot/test":           http.StatusUnprocessableEntity, // no mail server
	"POST /stores/removed":                       http.StatusNotFound,            // nothing of theirs was removed
	"POST /stores/:slug/gift/products":           http.StatusServiceUnavailable,  // the server of the test reaches no service
	"POST /stores/:slug/recommendations":         http.StatusServiceUnavailable,
	"GET /alerts/thresholds":                     http.StatusNotFound,  // no store is chosen
	"GET /live":                                  http.StatusNoContent, // none of them takes a stream
	"GET /stores/:slug/live":                     http.StatusNoContent,
	"GET /share/:token/live":                     http.StatusNoContent,
	"GET /api/v1/stores/:slug/recommendations":   http.StatusServiceUnavailable,
	"GET /api/v1/stores/:slug/gift/products":     http.StatusBadRequest, // no handle is named
}

// ofOne are routes whose own thing is one principal's: for everyone else it doesn't exist.
var ofOne = map[string]string{
	"GET /snapshots/:id":       "viewer",
	"POST /snapshots/:id/ask":  "viewer",
	"GET /alerts/channels/:id": "merchant",
}

// indifferent routes end something that may already have ended: an unknown id gets the same
// answer as one's own.
var indifferent = map[string]bool{
	"POST /account/sessions/end": true,
}

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
		before := m.foreign.foreignState()
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
		m.unchanged(before)
		t.Logf("%d requests", asked)
	})
}

func (m *matrix) unchanged(before map[string]string) {
	m.T.Helper()
	after := m.foreign.foreignState()
	for table, rows := range before {
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
				before := m.foreign.foreignState()
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
				m.unchanged(before)
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
