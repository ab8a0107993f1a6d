package web_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/alert"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/web/site"
	"github.com/storeglass/storeglass/web/webtest"
)

// The matrix asks every route as every kind of principal, with ids that are their own,
// somebody else's, of nothing and of no form, and looks for one byte of what is not
// theirs. It is made from the route table, so a new route is in it at once:
//
//   - A part of a path that no line of parameters fills fails the test: add one.
//   - A POST needs a line in forms, with what its form sends; a value that begins
//     with ":" is a parameter, and is filled in like one in the path.
//   - A page that answers something else than others do has a line in ownAnswers.
//   - A table that nobody seeds, and a column that holds no canary, fail too:
//     see foreignWorld and vocabulary.
//
// `make test` runs the tests whose names end in NotThePrincipals a second time with the
// first wall taken away (the tag wallsoff, see internal/db/wallsoff.go): then they
// say that the second stands alone.

// idForms are what an id in an address can be. A value that is empty is left out:
// nothing of somebody else's exists.
type idForms struct {
	own, foreign, random string
	malformed            []string
}

// kinds of ids, in the order of idForms.
const (
	ownID = iota
	foreignID
	randomID
	malformedID
)

var kindNames = []string{"own", "foreign", "random", "malformed"}

var (
	badSlugs = []string{"BIRCH", "-", "acme%27--", "a%00b", "..", "%2e%2e", "acme%2f..%2fbirch", strings.Repeat("a", 70), "birch%20", "%c3%28"}
	badIDs   = []string{"%27", "a%00b", "..%2f..", "%2e%2e", strings.Repeat("9", 40), "-1", "1e3", "%c3%28", "birch-offer-1%20"}
)

// parameters fill the parts of paths that begin with ":", by the part before them;
// a part that is the same everywhere stands alone. A value that is a statement is
// what that finds in the matrix's world: ids that the database gave.
var parameters = map[string]idForms{
	":slug":         {webtest.Own, webtest.Foreign, "nowhere", badSlugs},
	"offers/:id":    {"acme-offer-1", "birch-offer-1", "nothing", badIDs},
	"campaigns/:id": {"acme-campaign-1", "birch-campaign-1", "nothing", badIDs},
	// a share link is for whoever has it: of somebody else's one may have those that work no more
	"share/:token": {own: webtest.OwnLinkSecret, random: strings.Repeat("E", 43), malformed: append([]string{revokedLinkSecret, expiredLinkSecret}, badIDs...)},
	"shares/:id": {
		own: "select id::text from shares where label = 'For everybody'", foreign: "select id::text from shares where token_hash = 'stranger'", random: "987654321", malformed: badIDs,
	},
	"gallery/:name": {own: "overview", random: "nowhere", malformed: badIDs},
	// links sign in whoever has them: nobody has one that is somebody else's
	"sign-in/:token":    {random: strings.Repeat("A", 43), malformed: badIDs},
	"reset/:token":      {random: strings.Repeat("A", 43), malformed: badIDs},
	"invitation/:token": {random: strings.Repeat("A", 43), malformed: badIDs},
	"set-up/:token":     {random: strings.Repeat("A", 43), malformed: badIDs},
	"sessions/:id": {
		own:     "select id::text from sessions where person_id = (select id from people where name = 'viewer')",
		foreign: "select id::text from sessions where token = 'stranger'", random: "987654321", malformed: []string{"x", "-1", "1e3", strings.Repeat("9", 40), "1 or 1=1"},
	},
	// for who manages people, and so for none of the principals
	"people/:id": {
		own: "select id::text from people where name = 'viewer'", foreign: "select person_id::text from sessions where token = 'stranger'", random: "987654321", malformed: badIDs,
	},
	"brand/:file": {random: "0e6259-0000000000000000.css", malformed: badIDs},
	"views/:id": {
		own:     "select id::text from saved_views where person_id = (select id from people where name = 'viewer')",
		foreign: "select v.id::text from saved_views v join sessions s using (person_id) where s.token = 'stranger'", random: "987654321", malformed: badIDs,
	},
	"alerts/:id": {
		own:     "select id::text from alerts where subject = 'own'",
		foreign: "select a.id::text from alerts a join stores s on s.id = a.store_id where s.slug = 'birch'", random: "987654321", malformed: badIDs,
	},
	"mutes/:id": {
		own:     "select id::text from alert_mutes where person_id = (select id from people where name = 'viewer')",
		foreign: "select m.id::text from alert_mutes m join sessions s using (person_id) where s.token = 'stranger' limit 1", random: "987654321", malformed: badIDs,
	},
	"channels/:id": {
		own:     "select id::text from alert_channels where person_id = (select id from people where name = 'merchant')",
		foreign: "select c.id::text from alert_channels c join sessions s using (person_id) where s.token = 'stranger' limit 1", random: "987654321", malformed: badIDs,
	},
	"groups/:id": {own: "select id::text from groups where name = 'Own group'", foreign: "select id::text from groups where name <> 'Own group'", random: "987654321", malformed: badIDs},
	"tokens/:id": {own: "select id::text from api_tokens where name = 'token'", foreign: "select id::text from api_tokens where token_hash = 'stranger'", random: "987654321", malformed: badIDs},
	// of the viewer, and of nobody else: see ofOne
	"snapshots/:id": {
		own:     "select id::text from subscriptions where person_id = (select id from people where name = 'viewer')",
		foreign: "select s.id::text from subscriptions s join stores t on t.id = s.store_id where t.slug = 'birch'", random: "987654321", malformed: badIDs,
	},
	"sent/:id": {
		own:     "select d.id::text from deliveries d join stores t on t.id = d.store_id where t.slug = 'acme'",
		foreign: "select d.id::text from deliveries d join stores t on t.id = d.store_id where t.slug = 'birch'", random: "987654321", malformed: badIDs,
	},
	// links in mails are for whoever has them
	"confirm/:token":     {random: strings.Repeat("A", 43), malformed: badIDs},
	"unsubscribe/:token": {random: strings.Repeat("A", 43), malformed: badIDs},
	"bounces/:token":     {random: strings.Repeat("A", 43), malformed: badIDs},
	"mail/:token":        {random: strings.Repeat("A", 43), malformed: badIDs},
	":token/:file":       {own: "days.png", random: "nothing.png", malformed: badIDs},
	"weeks/:week":        {own: "2026-11-02", random: "1999-01-01", malformed: badIDs},
	":week/:file":        {own: "days.png", random: "nothing.png", malformed: badIDs},
	// what somebody pasted and did not save yet is found by its own name alone
	"new/:pending":      {random: strings.Repeat("A", 26), malformed: badIDs},
	"settings/:service": {own: "upsell", random: "nothing", malformed: badIDs},
	"static/*":          {own: "app.css", random: "nothing.css", malformed: []string{"..%2f..%2fgo.mod", "%2e%2e/go.mod"}},
}

// Links to the foreign store that were taken back, and whose time is over.
var revokedLinkSecret, expiredLinkSecret = strings.Repeat("I", 43), strings.Repeat("M", 43)

// queries are what a path is asked with beside its parameters.
var queries = map[string]string{
	"/stores/:slug/replies": "pull=lifetime",
}

// forms are what POSTs send, with ids in them as in paths.
var forms = map[string]map[string]string{
	"/sign-in":                                   {"token": ":sign-in/:token"},
	"/sign-out":                                  {},
	"/account/name":                              {"name": "Somebody"},
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
	"/stores/:slug/settings":                     {"name": "Acme Foods", "timezone": "UTC", "history_days": "90"},
	"/stores/:slug/settings/remove":              {"slug": webtest.Own},
	"/stores/:slug/settings/:service":            {"upsell_url": "http://127.0.0.1/v1", "upsell_token": "token"},
	"/stores/:slug/settings/:service/check":      {},
	"/stores/:slug/settings/:service/disconnect": {},
	"/stores/:slug/shares":                       {"label": "For nobody", "page": "overview", "preset": "last_30_days", "until": "2026-12-01"},
	"/stores/:slug/shares/:id/revoke":            {},
	"/stores/:slug/snapshot/test":                {"week": "2026-11-09"},
	"/stores/:slug/sync/pull":                    {},
	"/stores/:slug/sync/pause":                   {},
	"/stores/:slug/sync/resume":                  {},
	"/sign-in/forgotten":                         {"email": "nobody@example.com"},
	"/sign-in/reset":                             {"token": ":reset/:token", "password": "a long and winding road"},
	"/invitation":                                {"token": ":invitation/:token", "name": "Somebody", "password": "a long and winding road"},
	"/set-up":                                    {"token": "x", "email": "somebody@example.com", "name": "Somebody", "password": "a long and winding road"},
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
	"/alerts/mutes":                              {"alert": ":alerts/:id", "reach": "this-mine", "life": "day"},
	"/alerts/mutes/:id/end":                      {},
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

// ownAnswers are the statuses of routes whose own things are answered by something
// else than 200 or 303.
var ownAnswers = map[string]int{
	"POST /stores/:slug/shares":                  http.StatusOK,                  // the link, shown once
	"POST /alerts/channels/:id/secret":           http.StatusOK,                  // the secret, shown once
	"POST /alerts/channels/:id/test":             http.StatusUnprocessableEntity, // nothing is reached
	"POST /account/confirm":                      http.StatusUnprocessableEntity, // who signed in by link has nothing to confirm with
	"POST /stores/new":                           http.StatusUnprocessableEntity, // the address is not public
	"POST /stores/:slug/settings/:service":       http.StatusUnprocessableEntity,
	"POST /stores/:slug/settings/:service/check": http.StatusUnprocessableEntity,
	"POST /stores/:slug/snapshot/test":           http.StatusUnprocessableEntity, // no mail server
	"POST /stores/removed":                       http.StatusNotFound,            // nothing of theirs was removed
	"POST /stores/:slug/gift/products":           http.StatusServiceUnavailable,  // the server of the test reaches no service
	"POST /stores/:slug/recommendations":         http.StatusServiceUnavailable,
	"GET /api/v1/stores/:slug/recommendations":   http.StatusServiceUnavailable,
	"GET /api/v1/stores/:slug/gift/products":     http.StatusBadRequest, // no handle is named
}

// ofOne are routes whose own thing is one principal's: for everybody else it is not there.
var ofOne = map[string]string{
	"GET /snapshots/:id":       "viewer",
	"POST /snapshots/:id/ask":  "viewer",
	"GET /alerts/channels/:id": "merchant",
}

// indifferent routes end what may be over already: an id of nothing is as good as one's own.
var indifferent = map[string]bool{
	"POST /account/sessions/end": true,
}

// matrix is the world of the tests, with everybody who asks.
type matrix struct {
	*webtest.World
	principals []*principal
	admin      *principal
	all        *principal // a token for every store
	foreign    *spread
	forms      map[string]idForms // parameters, with what their statements find
}

// principal is somebody with a way to ask.
type principal struct {
	name string
	*webtest.Browser
	kind   askedBy
	role   access.Role
	person access.Person
	// dead principals had a way in that was taken back.
	dead bool
}

type askedBy int

const (
	byNobody askedBy = iota
	bySession
	byBearer
)

func newMatrix(t *testing.T) *matrix {
	t.Helper()
	m := &matrix{World: webtest.NewWorld(t)}
	if wallsOff {
		// What is kept was read behind both walls, and is found behind the first.
		m.Server.Cache = site.NewPageCache(0)
	}
	w := m.World
	person := func(name string, role access.Role, stores ...string) *principal {
		p, err := w.Access.CreatePerson(t.Context(), name+"@example.com", name, role)
		w.Must(err)
		for _, slug := range stores {
			w.Must(w.Access.GrantPerson(t.Context(), p.ID, slug))
		}
		a := &principal{name: name, Browser: w.SignedInAs(p), kind: bySession, role: role, person: p}
		m.principals = append(m.principals, a)
		return a
	}
	dead := func(a *principal) *principal {
		a.dead = true
		return a
	}
	token := func(name string, slugs ...string) *principal {
		secret, err := w.Access.CreateToken(t.Context(), name, slugs...)
		w.Must(err)
		a := &principal{name: name, Browser: w.APIClient(secret), kind: byBearer}
		m.principals = append(m.principals, a)
		return a
	}
	w.OwnLink()
	// A reader shows their link wherever a session or a token could be shown.
	reader := &principal{name: "reader of a link", Browser: w.APIClient(webtest.OwnLinkSecret)}
	reader.Header.Set("Cookie", "storeglass="+webtest.OwnLinkSecret+"; "+w.Server.Parts.Share.CookieName()+"="+webtest.OwnLinkSecret)
	m.principals = append(m.principals, &principal{name: "nobody", Browser: w.Browser()}, reader)
	viewer := person("viewer", access.Viewer, webtest.Own)
	w.Exec(`insert into saved_views (person_id, name, query) values ($1, 'Late', 'health=late')`, viewer.person.ID)
	w.Exec(`insert into subscriptions (person_id, zone, confirmed_at) values ($1, 'UTC', $2)`, viewer.person.ID, w.Clock.Now())
	w.Exec(`with s as (insert into subscriptions (store_id, address, confirmed_at) select id, 'reader@example.com', $2 from stores where slug = $1 returning id, store_id)
		insert into deliveries (subscription_id, store_id, week, due_at, next_at, message_id, state, sent_at) select id, store_id, '2026-11-09', $2, $2, 'own', 'sent', $2 from s`, webtest.Own, w.Clock.Now())
	merchant := person("merchant", access.Merchant, webtest.Own)
	ownAlerts(w, viewer.person, merchant.person)
	agency := person("agency", access.Agency)
	group, err := w.Access.AddGroup(t.Context(), "Own group")
	w.Must(err)
	w.Must(w.Access.AddStoreToGroup(t.Context(), group.ID, webtest.Own))
	w.Must(w.Access.GrantPersonGroup(t.Context(), agency.person.ID, group.ID))
	token("token", webtest.Own)

	disabled := dead(person("disabled", access.Merchant, webtest.Own, webtest.Foreign))
	w.Exec(`update people set disabled_at = now() where id = $1`, disabled.person.ID)
	expired := dead(person("expired", access.Merchant, webtest.Own, webtest.Foreign))
	w.Exec(`update sessions set expiry = $2 where person_id = $1`, expired.person.ID, w.Clock.Now())
	dead(token("revoked", webtest.Own, webtest.Foreign))
	w.Must(w.Access.RevokeToken(t.Context(), "revoked"))
	ungranted := person("ungranted", access.Merchant, webtest.Own, webtest.Foreign)
	for _, slug := range []string{webtest.Own, webtest.Foreign} {
		_, err := w.Access.RevokePerson(t.Context(), ungranted.person.ID, slug)
		w.Must(err)
	}
	ungranted.dead = true

	m.admin = person("admin", access.Admin)
	m.all = token("every store", access.AllStores)
	m.principals = m.principals[:len(m.principals)-2]
	w.Exec(`update gift_settings set found = true, body = '{"found": true, "settings": {"note": "Wrap it"}}' where store_id = (select id from stores where slug = $1)`, webtest.Foreign)
	m.foreign = m.foreignWorld()
	m.forms = map[string]idForms{}
	for name, p := range parameters {
		for _, v := range []*string{&p.own, &p.foreign, &p.random} {
			if strings.HasPrefix(*v, "select ") {
				*v = m.StoredTexts(*v)[0]
			}
		}
		m.forms[name] = p
	}
	return m
}

// ownAlerts gives the own store an outage, the viewer a mute and the merchant a channel.
func ownAlerts(w *webtest.World, viewer, merchant access.Person) {
	w.T.Helper()
	at := w.Clock.Now().Add(-time.Hour)
	w.Exec(`insert into alerts (store_id, rule, subject, since, opened_at, title, text, href) select id, 'sync-stale', 'own', $2, $2, '"No new numbers"', '[]', '/stores/acme/sync' from stores where slug = $1`, webtest.Own, at)
	w.Exec(`insert into alert_checks (store_id, next_at) select id, $2 from stores where slug = $1`, webtest.Own, w.Clock.Now())
	w.Exec(`insert into alert_mutes (rule, person_id, created_by, created_at) values ('drift', $1, $1, $2)`, viewer.ID, at)
	var id int64
	w.Must(w.DB.Pool.QueryRow(w.T.Context(), `insert into alert_channels (person_id, kind, name, host, sealed, key_id, created_at) values ($1, 'webhook', 'Own', 'hooks.example.com', '', '', $2) returning id`, merchant.ID, at).Scan(&id))
	sealer, err := access.NewSealer(strings.Repeat("k", access.MinSecretKey))
	w.Must(err)
	sealed, key, err := alert.Where{Address: "https://hooks.example.com/in", Secret: alert.NewSecret()}.Seal(sealer, id)
	w.Must(err)
	w.Exec(`update alert_channels set sealed = $2, key_id = $3 where id = $1`, id, sealed, key)
}

// foreignWorld gives the foreign store, and people who are strangers to the
// principals, a row in every table, and spreads canaries over them.
func (m *matrix) foreignWorld() *spread {
	m.T.Helper()
	id := func(sql string, args ...any) (n int64) {
		m.T.Helper()
		m.Must(m.DB.Pool.QueryRow(m.T.Context(), sql, args...).Scan(&n))
		return n
	}
	store := id(`select id from stores where slug = $1`, webtest.Foreign)
	at := m.Clock.Now().Add(-time.Hour)
	stranger := id(`insert into people (email, name, role, joined_at) values ('stranger@example.com', 'Stranger', 'merchant', $1) returning id`, at)
	m.Exec(`insert into grants (person_id, store_id) values ($1, $2)`, stranger, store)
	m.Exec(`insert into sessions (token, data, expiry, person_id) values ('stranger', '{}', $1::timestamptz + interval '1 day', $2)`, at, stranger)
	m.Exec(`insert into sign_in_links (token_hash, person_id, expires_at) values ('stranger', $1, $2::timestamptz + interval '1 day')`, stranger, at)
	m.Exec(`insert into passwords (person_id, hash) values ($1, '')`, stranger)
	m.Exec(`insert into totps (person_id, secret_sealed, key_id, confirmed_at) values ($1, '', '', $2)`, stranger, at)
	m.Exec(`insert into recovery_codes (person_id, code_hash) values ($1, '')`, stranger)
	m.Exec(`insert into passkeys (person_id, name, credential_id, credential) values ($1, '', '', '{"key": "x"}')`, stranger)
	m.Exec(`insert into identities (person_id, issuer, subject, email) values ($1, '', '', '')`, stranger)
	m.Exec(`insert into branding_drafts (person_id, name, logo) values ($1, '', '')`, stranger)
	m.Exec(`insert into saved_views (person_id, name, query) values ($1, 'x', '')`, stranger)
	token := id(`insert into api_tokens (name, token_hash) values ('stranger', 'stranger') returning id`)
	m.Exec(`insert into grants (api_token_id, store_id) values ($1, $2)`, token, store)
	group := id(`insert into groups (name) values ('Strangers') returning id`)
	m.Exec(`insert into group_stores (group_id, store_id) values ($1, $2)`, group, store)
	m.Exec(`insert into store_tags (store_id, tag) values ($1, 'x')`, store)
	m.Exec(`insert into shares (store_id, token_hash, label, pages, preset, expires_at, created_by) values ($1, 'stranger', '', '{overview}', 'last_30_days', $2::timestamptz + interval '1 day', $3)`, store, at, stranger)
	m.Exec(`insert into shares (store_id, token_hash, label, pages, preset, created_by, expires_at, revoked_at)
		select $1, sha256(convert_to(l.secret, 'UTF8')), '', '{overview,placements,offers,gift}', 'last_30_days', $2, $3::timestamptz + l.life, $3::timestamptz + l.revoked
		from (values ($4, interval '1 day', interval '1 minute'), ($5, interval '1 minute', null)) as l (secret, life, revoked)`, store, stranger, at, revokedLinkSecret, expiredLinkSecret)
	m.Exec(`with s as (insert into subscriptions (store_id, address, created_by, confirm_hash, confirm_until) values ($1, 'x', $3, '', $2) returning id, store_id),
		d as (insert into deliveries (subscription_id, store_id, week, due_at, next_at, message_id, body, subject) select id, store_id, '2026-11-09', $2, $2, '', '', '' from s returning id, subscription_id, store_id),
		l as (insert into mail_links (hash, subscription_id, delivery_id, store_id) select 'x', subscription_id, id, store_id from d)
		insert into delivery_tries (delivery_id, n, store_id, began_at) select id, 1, store_id, $2 from d`, store, at, stranger)
	m.Exec(`insert into alert_checks (store_id) values ($1)`, store)
	m.Exec(`insert into alert_settings (person_id) values ($1)`, stranger)
	m.Exec(`insert into alert_preferences (person_id, rule, mail) values ($1, 'sync-stale', false)`, stranger)
	m.Exec(`insert into alert_mutes (store_id, person_id, created_by) values ($1, $2, $2), (null, $2, $2)`, store, stranger)
	m.Exec(`with a as (insert into alerts (store_id, rule, since, opened_at, title, text, href, evidence) values ($1, 'sync-stale', $2, $2, '"x"', '["x"]', 'x', '{"days": "x"}') returning id),
		c as (insert into alert_channels (store_id, person_id, kind, name, host, sealed, key_id) values ($1, $3, 'webhook', 'x', 'x', '', ''), (null, $3, 'slack', 'x', 'x', '', '') returning id, store_id),
		l as (insert into alert_letters (channel_id, store_id, message_id, address, body, created_at, next_at) select id, store_id, id::text, 'x', '', $2, $2 from c returning id, channel_id)
		insert into alert_notices (alert_id, store_id, kind, channel_id, created_at, at, letter_id) select a.id, $1, 'opened', l.channel_id, $2, $2, l.id from a, l`, store, at, stranger)
	m.Exec(`insert into audit (actor, actor_id, action, store_id, store_slug) values ('person', $1, 'store.paused', $2, 'birch')`, stranger, store)
	m.Exec(`insert into audit_counts (day, action, network, person_id, times) values ('2026-11-20', 'sign-in.failed', 'x', $1, 1)`, stranger)
	m.Exec(`insert into pending_connections (id_hash, person_id, found, sealed, key_id, expires_at, store_id) values ('', $1, '{"domain": "x"}', '', '', $2::timestamptz + interval '1 day', $3)`, stranger, at, store)
	m.Exec(`insert into budget_slots (budget, n) select budget, 1 from credentials where store_id = $1`, store)
	m.Exec(`insert into offer_slices (walk_id, n, sort) select id, 0, 'oldest' from offer_walks where store_id = $1`, store)
	m.Exec(`insert into priority_walks (store_id, placement) values ($1, 'Post-purchase upsell')`, store)
	m.Exec(`insert into revisions (store_id, pull, window_start, window_end, earlier, seen_at, replaced_at) values ($1, 'summary', '2026-11-01', '2026-11-01', '{"total_orders": 1}', $2, $2)`, store, at)
	m.Exec(`update summaries set revised_at = $2 where store_id = $1 and window_start = '2026-11-01'`, store, at)
	m.Exec(`insert into window_checks (store_id, window_start, window_end, reported_orders, stitched_orders, reported_value, stitched_value, days_stored, days_missing, agrees, checked_at)
		values ($1, '2026-10-21', '2026-11-19', 1, 2, 3, 4, 5, 6, false, $2)`, store, at)
	m.Exec(`insert into suspect_days (store_id, service, first_day, last_day, noticed_by, noticed_at, difference) values ($1, 'upsell', '2026-11-01', '2026-11-02', 'stats', $2, '{"x": 1}')`, store, at)
	m.Exec(`insert into gift_window_checks (store_id, window_start, window_end, reported_orders, stitched_orders, reported_revenue, stitched_revenue, days_stored, days_missing, days_derived, agrees, checked_at)
		values ($1, '2026-10-21', '2026-11-19', 1, 2, 3, 4, 5, 6, 0, false, $2)`, store, at)
	m.Exec(`update gift_health set body = '[{"code": "x", "message": "x"}]' where store_id = $1 and section = 'issues'`, store)
	m.Exec(`update gift_health set body = '["x"]' where store_id = $1 and section = 'errors'`, store)
	return spreadCanaries(m.World, foreignRows(m.World, store, stranger, group, token))
}

// target is one address of a route, with the kinds of the ids in it.
type target struct {
	route site.Route
	path  string
	form  url.Values
	kinds []int
	// slug is the kind of the store in the path, or own where there is none.
	slug int
}

// own reports whether every id is the principal's own.
func (t target) own() bool {
	return !slices.ContainsFunc(t.kinds, func(k int) bool { return k != ownID })
}

func (t target) String() string {
	words := make([]string, len(t.kinds))
	for i, k := range t.kinds {
		words[i] = kindNames[k]
	}
	return fmt.Sprintf("%s %s (%s) %s", t.route.Method, t.route.Path, strings.Join(words, ", "), t.path)
}

// targets are the addresses of a route: every combination of kinds, and every
// malformed value at least once.
func targets(r site.Route, parameters map[string]idForms) ([]target, error) {
	done := []target{{route: r, form: url.Values{}}}
	add := func(where string, p idForms, put func(target, string) target) {
		values := [][]string{{p.own}, {p.foreign}, {p.random}, p.malformed}
		var next []target
		for _, base := range done {
			for kind, these := range values {
				if !base.own() && len(these) > 1 {
					these = these[:1]
				}
				for _, v := range these {
					if v == "" {
						continue
					}
					b := put(base, v)
					b.kinds = append(slices.Clone(base.kinds), kind)
					if where == ":slug" {
						b.slug = kind
					}
					next = append(next, b)
				}
			}
		}
		done = next
	}
	path := func(b target, v string) target {
		b.path += "/" + v
		return b
	}
	parts := strings.Split(strings.TrimPrefix(r.Path, "/"), "/")
	for i, part := range parts {
		name, ending, _ := strings.Cut(part, ".")
		if ending != "" {
			ending = "." + ending
		}
		if !strings.HasPrefix(name, ":") && name != "*" {
			add("", idForms{own: part}, path)
			for j := range done { // a part that is the same for all has no kind
				done[j].kinds = done[j].kinds[:len(done[j].kinds)-1]
			}
			continue
		}
		p, ok := parameters[name]
		if !ok && i > 0 {
			p, ok = parameters[parts[i-1]+"/"+name]
		}
		if !ok {
			return nil, fmt.Errorf("%s %s: no line of parameters says what %s can be", r.Method, r.Path, part)
		}
		add(name, p, func(b target, v string) target { return path(b, v+ending) })
	}
	if r.Method != http.MethodGet {
		form, ok := forms[r.Path]
		if !ok {
			return nil, fmt.Errorf("%s %s: no line of forms says what it sends", r.Method, r.Path)
		}
		for field, value := range form {
			name, isParameter := strings.CutPrefix(value, ":")
			if !isParameter {
				name = value
			}
			p, ok := parameters[name]
			if isParameter && !ok {
				p, ok = parameters[value]
			}
			if !ok {
				p = idForms{own: value}
			}
			add("", p, func(b target, v string) target {
				form := url.Values{field: {v}}
				for k, old := range b.form {
					form[k] = old
				}
				b.form = form
				return b
			})
		}
	}
	for i := range done {
		if done[i].path == "" {
			done[i].path = "/"
		}
		if q := queries[r.Path]; q != "" {
			done[i].path += "?" + q
		}
	}
	return done, nil
}

func (m *matrix) targets(r site.Route) []target {
	m.T.Helper()
	out, err := targets(r, m.forms)
	m.Must(err)
	return out
}

// send asks as the principal, with the form's token where there is one.
func (m *matrix) send(a *principal, to target) webtest.Response {
	m.T.Helper()
	if to.route.Method == http.MethodGet {
		return a.Get(to.path)
	}
	form := url.Values{}
	for k, v := range to.form {
		form[k] = v
	}
	if a.kind == bySession {
		form.Set("csrf", m.csrfOf(a))
	}
	return a.Do(to.route.Method, to.path, form, nil)
}

// csrfOf reads the form token of the principal's newest session.
func (m *matrix) csrfOf(a *principal) string {
	m.T.Helper()
	return strings.Join(m.StoredTexts(`select convert_from(data, 'UTF8')::jsonb #>> '{values,csrf}' from sessions where person_id = $1 order by expiry desc limit 1`, a.person.ID), "")
}

// expected is the status that a principal gets; 0 is any but a fault.
func expected(a *principal, to target) int {
	r := to.route
	switch r.Admits {
	case site.AdmitAll, site.AdmitVisitor:
		return 0
	case site.AdmitShare:
		switch {
		case !to.own():
			return http.StatusNotFound
		case r.Method == http.MethodPost:
			return http.StatusSeeOther
		}
		return http.StatusOK
	case site.AdmitToken:
		if a.kind != byBearer || a.dead {
			return http.StatusUnauthorized
		}
	case site.AdmitPerson:
		if a.kind != bySession || a.dead && a.name != "ungranted" {
			if r.Path == site.WallPath {
				return http.StatusUnauthorized // a screen says so in its place
			}
			return http.StatusSeeOther
		}
	}
	if to.slug != ownID || a.name == "ungranted" && strings.Contains(r.Path, ":slug") {
		return http.StatusNotFound
	}
	if r.Admits == site.AdmitPerson && !a.role.May(r.Needs) {
		return http.StatusForbidden
	}
	if !to.own() {
		if indifferent[r.Method+" "+r.Path] {
			return 0
		}
		return http.StatusNotFound
	}
	if name, ok := ofOne[r.Method+" "+r.Path]; ok && a.name != name {
		return http.StatusNotFound
	}
	if status, ok := ownAnswers[r.Method+" "+r.Path]; ok {
		return status
	}
	if r.Path == "/" || r.Method == http.MethodPost {
		return http.StatusSeeOther
	}
	return http.StatusOK
}

// check judges an answer: its status, and that nothing foreign is in it.
func (m *matrix) check(a *principal, to target, r webtest.Response) {
	m.T.Helper()
	if leaked := m.leaked(to, r); leaked != "" {
		m.T.Errorf("%s as %s: %d, with %s", to, a.name, r.Status, leaked)
	}
	if r.Status >= 500 && r.Status != http.StatusServiceUnavailable {
		m.T.Errorf("%s as %s: %d", to, a.name, r.Status)
	}
	if want := expected(a, to); !wallsOff && want != 0 && r.Status != want {
		m.T.Errorf("%s as %s: %d, want %d", to, a.name, r.Status, want)
	}
}

// leaked names what of the foreign rows is in an answer; empty when nothing is.
func (m *matrix) leaked(to target, r webtest.Response) string {
	var words []string
	for _, found := range canariesIn(r) {
		words = append(words, found+" of "+m.foreign.where(found))
	}
	// Foreign ids are no secret to who wrote them into the address.
	if !slices.Contains(to.kinds, foreignID) && !slices.Contains(to.kinds, malformedID) && strings.Contains(webtest.WholeText(r), webtest.Foreign+"-") {
		words = append(words, "an id of the foreign store")
	}
	return strings.Join(words, ", ")
}

func TestNoAnswerHoldsAByteOfWhatIsNotThePrincipals(t *testing.T) {
	t.Parallel()
	m := newMatrix(t)
	before := m.foreign.foreignState()
	asked := 0
	for _, r := range m.Server.Routes() {
		for _, to := range m.targets(r) {
			if r.Method != http.MethodGet && to.own() && r.Admits == site.AdmitPerson {
				continue // it changes something: see below
			}
			for _, a := range m.principals {
				if a.dead && slices.ContainsFunc(to.kinds, func(k int) bool { return k > foreignID }) {
					continue // they get no further than the door
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

// What the principals may change of their own they change, each action in a world of
// its own, and nothing else changes with it.
func TestNoActionTouchesWhatIsNotThePrincipals(t *testing.T) {
	t.Parallel()
	for _, r := range webtest.NewWorld(t).Server.Routes() {
		if r.Method == http.MethodGet || r.Admits != site.AdmitPerson {
			continue
		}
		t.Run(r.Method+" "+r.Path, func(t *testing.T) {
			t.Parallel()
			m := newMatrix(t)
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
}

// The answers about a store are the same to the byte, whether or not another one
// is there: so no sum, no rank and no count has anything of it.
func TestAStoreMakesNoDifferenceToAnother(t *testing.T) {
	t.Parallel()
	m := newMatrix(t)
	collect := func() map[string]string {
		m.Server.Cache = site.NewPageCache(0)
		m.Exec(`update shares set hits = 0, last_hit_at = null`) // or the first time around would be told the second
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

// Canaries are worth something only if they sing: who may see everything meets
// them on every page, file and answer about the foreign store.
func TestWhoSeesEverythingMeetsTheCanaries(t *testing.T) {
	t.Parallel()
	m := newMatrix(t)
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
		if !met[column] && !wallsOff {
			t.Errorf("nobody meets a canary of %s", column)
		}
	}
}

// A careless handler is caught: with the owner's eyes by the matrix, and with those
// of the web server it never sees the rows at all.
func TestTheMatrixCatchesAHandlerThatLeaks(t *testing.T) {
	t.Parallel()
	m := newMatrix(t)
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
