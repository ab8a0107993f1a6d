package web_test

import (
	"net/http"
	"strings"

	"github.com/storeglass/storeglass/web/site"
	"github.com/storeglass/storeglass/web/webtest"
)

// What the matrix (matrix_test.go) asks with, and which answers it expects to differ.

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
