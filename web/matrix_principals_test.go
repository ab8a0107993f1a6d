package web_test

import (
	"cmp"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/access/apitoken"
	"github.com/storeglass/storeglass/internal/access/seal"
	"github.com/storeglass/storeglass/internal/alert"
	"github.com/storeglass/storeglass/internal/db/dbtest"
	"github.com/storeglass/storeglass/web/site"
	"github.com/storeglass/storeglass/web/webtest"
)

// matrix is the world of the tests, with all principals.
type matrix struct {
	*webtest.World
	principals []*principal
	admin      *principal
	all        *principal // a token for every store
	foreign    *spread
	forms      map[string]idForms // parameters, with what their statements find
	// secondAlone: the first wall was removed.
	secondAlone bool
}

// behindEachWall runs a test behind both walls, and behind the second alone.
func behindEachWall(t *testing.T, test func(t *testing.T, secondAlone bool)) {
	t.Parallel()
	t.Run("both walls", func(t *testing.T) { test(t, false) })
	t.Run("the second alone", func(t *testing.T) { test(t, true) })
}

// principal is someone with a way to ask.
type principal struct {
	name string
	*webtest.Browser
	kind   askedBy
	role   access.Role
	person access.Person
	// dead principals had access that was revoked.
	dead bool
}

type askedBy int

const (
	byNobody askedBy = iota
	bySession
	byBearer
)

// matrices is the database that every matrix starts from, and firstMatrix the one that filled it.
var (
	matrices    dbtest.Filled
	firstMatrix atomic.Pointer[matrix]
)

// newMatrix makes the world, behind both walls or behind the second alone.
func newMatrix(t *testing.T, secondAlone bool) *matrix {
	t.Helper()
	var filled *matrix
	pool := matrices.New(t, func(t testing.TB, pool *pgxpool.Pool) {
		webtest.Begin(t, pool)
		filled = fillMatrix(webtest.NewWorldOn(t, pool))
		firstMatrix.Store(filled)
	})
	if filled == nil {
		filled = firstMatrix.Load()
	}
	m := &matrix{World: webtest.NewWorldOn(t, pool), secondAlone: secondAlone, forms: filled.forms}
	if secondAlone {
		m.Server.DB.TakeFirstWall(t, m.World.DB.Pool)
		// Cached pages were read behind both walls, so the cache is off here.
		m.Server.Cache = site.NewPageCache(0)
	}
	here := func(p *principal) *principal {
		out := *p
		out.Browser = p.Browser.With(m.World)
		return &out
	}
	for _, p := range filled.principals {
		m.principals = append(m.principals, here(p))
	}
	m.admin, m.all = here(filled.admin), here(filled.all)
	m.foreign = &spread{w: m.World, rows: filled.foreign.rows, next: filled.foreign.next, from: filled.foreign.from, stored: filled.foreign.stored}
	return m
}

// fillMatrix adds to a world all principals, what they own, and the foreign store's rows.
func fillMatrix(w *webtest.World) *matrix {
	w.T.Helper()
	m := &matrix{World: w}
	person := func(name string, role access.Role, stores ...string) *principal {
		p, err := w.Access.CreatePerson(w.T.Context(), name+"@example.com", name, role)
		w.Must(err)
		for _, slug := range stores {
			w.Must(w.Access.GrantPerson(w.T.Context(), p.ID, slug))
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
		secret, err := w.Tokens.Create(w.T.Context(), name, slugs, nil, apitoken.Life)
		w.Must(err)
		a := &principal{name: name, Browser: w.APIClient(secret), kind: byBearer}
		m.principals = append(m.principals, a)
		return a
	}
	w.OwnLink()
	// A reader shows their link in place of a session or a token.
	reader := &principal{name: "reader of a link", Browser: w.APIClient(webtest.OwnLinkSecret)}
	reader.Header.Set("Cookie", "storeglass="+webtest.OwnLinkSecret+"; "+w.Server.Parts.Share.CookieName()+"="+webtest.OwnLinkSecret)
	m.principals = append(m.principals, &principal{name: "nobody", Browser: w.Browser()}, reader)
	viewer := person("viewer", access.Viewer, webtest.Own)
	w.Exec(`insert into saved_views (person_id, name, query) values ($1, 'Late', 'health=late')`, viewer.person.ID)
	w.Exec(`insert into subscriptions (person_id, zone, confirmed_at) values ($1, 'UTC', $2)`, viewer.person.ID, w.Clock.Now())
	w.Exec(`with s as (insert into subscriptions (store_id, address, confirmed_at) select id, 'reader@example.com', $2 from stores where slug = $1 returning id, store_id)
		insert into deliveries (subscription_id, store_id, week, due_at, next_at, message_id, state, sent_at) select id, store_id, '2026-11-09', $2, $2, 'own', 'sent', $2 from s`, webtest.Own, w.Clock.Now())
	merchant := person("merchant", access.Merchant, webtest.Own)
	w.Exec(`insert into notes (store_id, first_day, last_day, text, written_by) select id, '2026-11-03', '2026-11-03', 'A sale', $2 from stores, generate_series(1, 20) where slug = $1`, webtest.Own, merchant.person.ID)
	w.Exec(`insert into thresholds (store_id, metric, kind, amount, currency, least_orders, set_by, set_at) select id, 'orders', 'fall', 30, '', 50, $2, $3 from stores, generate_series(1, 9) where slug = $1`, webtest.Own, merchant.person.ID, w.Clock.Now())
	ownAlerts(w, viewer.person, merchant.person)
	agency := person("agency", access.Agency)
	group, err := w.Access.AddGroup(w.T.Context(), "Own group")
	w.Must(err)
	w.Must(w.Access.AddStoreToGroup(w.T.Context(), group.ID, webtest.Own))
	w.Must(w.Access.GrantPersonGroup(w.T.Context(), agency.person.ID, group.ID))
	token("token", webtest.Own)

	disabled := dead(person("disabled", access.Merchant, webtest.Own, webtest.Foreign))
	w.Exec(`update people set disabled_at = now() where id = $1`, disabled.person.ID)
	expired := dead(person("expired", access.Merchant, webtest.Own, webtest.Foreign))
	w.Exec(`update sessions set expiry = $2 where person_id = $1`, expired.person.ID, w.Clock.Now())
	dead(token("revoked", webtest.Own, webtest.Foreign))
	w.Must(w.Tokens.Revoke(w.T.Context(), "revoked"))
	ungranted := person("ungranted", access.Merchant, webtest.Own, webtest.Foreign)
	for _, slug := range []string{webtest.Own, webtest.Foreign} {
		_, err := w.Access.RevokePerson(w.T.Context(), ungranted.person.ID, slug)
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
	m.foreign.stored = m.foreign.state()
	return m
}

// ownAlerts gives the own store an outage, the viewer a snooze and the merchant a channel.
func ownAlerts(w *webtest.World, viewer, merchant access.Person) {
	w.T.Helper()
	at := w.Clock.Now().Add(-time.Hour)
	w.Exec(`insert into alerts (store_id, rule, subject, since, opened_at, title, text, href) select id, 'sync-stale', 'own', $2, $2, '"No new numbers"', '[]', '/stores/acme/sync' from stores where slug = $1`, webtest.Own, at)
	w.Exec(`insert into alert_checks (store_id, next_at) select id, $2 from stores where slug = $1`, webtest.Own, w.Clock.Now())
	w.Exec(`insert into alert_snoozes (rule, person_id, created_by, created_at) values ('drift', $1, $1, $2)`, viewer.ID, at)
	var id int64
	w.Must(w.DB.Pool.QueryRow(w.T.Context(), `insert into alert_channels (person_id, kind, name, host, sealed, key_id, created_at) values ($1, 'webhook', 'Own', 'hooks.example.com', '', '', $2) returning id`, merchant.ID, at).Scan(&id))
	sealer, err := seal.NewSealer(strings.Repeat("k", seal.MinSecretKey))
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
	m.Exec(`insert into goals (store_id, from_month, kind, amount, currency, set_by, set_at) values ($1, '2026-11-01', 'value', 77, 'USD', $2, $3)`, store, stranger, at)
	m.Exec(`insert into thresholds (store_id, metric, kind, amount, currency, least_orders, set_by, set_at) values ($1, 'value', 'day', 77, 'USD', 50, $2, $3)`, store, stranger, at)
	m.Exec(`insert into alert_checks (store_id) values ($1)`, store)
	m.Exec(`insert into notes (store_id, first_day, last_day, text, for_clients, written_by) values ($1, '2026-11-03', '2026-11-03', 'x', true, $2), ($1, '2026-11-03', '2026-11-05', 'x', false, $2)`, store, stranger)
	m.Exec(`insert into alert_settings (person_id) values ($1)`, stranger)
	m.Exec(`insert into alert_preferences (person_id, rule, mail) values ($1, 'sync-stale', false)`, stranger)
	m.Exec(`insert into alert_snoozes (store_id, person_id, created_by) values ($1, $2, $2), (null, $2, $2)`, store, stranger)
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
	for _, said := range []string{"ledger set outcome_text", "people set mail_problem", "deliveries set reason", "delivery_tries set reason"} {
		m.Exec(`update ` + said + ` = '"said"'`) // an empty message holds no canary
	}
	return spreadCanaries(m.World, foreignRows(m.World, store, stranger, group, token))
}

// send asks as the principal, with the form's token if there is one.
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

// expected is the status that a principal gets; 0 means any but a server error.
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
		return cmp.Or(ownAnswers[r.Method+" "+r.Path], http.StatusOK)
	case site.AdmitToken:
		if a.kind != byBearer || a.dead {
			return http.StatusUnauthorized
		}
	case site.AdmitPerson:
		if a.kind != bySession || a.dead && a.name != "ungranted" {
			if r.Path == site.WallPath {
				return http.StatusUnauthorized // the wallboard says so itself
			}
			path, err := url.PathUnescape(to.path)
			readable := err == nil && utf8.ValidString(path) && !strings.Contains(path, "\x00")
			if readable && to.form.Get("text")+to.form.Get("message")+to.form.Get("handles") != "" {
				return http.StatusForbidden // the page shows the text, to copy
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
