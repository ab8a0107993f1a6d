package web_test

import (
	"context"
	"io"
	"log"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/access/accesstest"
	"github.com/storeglass/storeglass/internal/access/apitoken"
	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/access/limit"
	"github.com/storeglass/storeglass/internal/access/seal"
	"github.com/storeglass/storeglass/internal/access/sharing"
	"github.com/storeglass/storeglass/internal/access/signin"
	"github.com/storeglass/storeglass/internal/apis/sandbox"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/dbtest"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	reportgift "github.com/storeglass/storeglass/internal/report/gift"
	"github.com/storeglass/storeglass/internal/storeadmin"
	pulls "github.com/storeglass/storeglass/internal/sync"
	"github.com/storeglass/storeglass/web"
	"github.com/storeglass/storeglass/web/account"
	"github.com/storeglass/storeglass/web/site"
	"github.com/storeglass/storeglass/web/webtest"
)

// grim is the sandbox's store whose texts are all hostile.
const grim = "grim"

// evil is in the services' error messages.
const evil = `</pre></script><script>window.pwned=9</script><img src=x onerror=\"window.pwned=9\"> =1+1 \u202e ` + "WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW"

// hostileWorld is the server over the hostile store, pulled from the sandbox over HTTP as a
// worker does: in October, and again in November, when an offer was deleted and others had been
// renamed. Then the services begin to fail, with hostile messages. What is wrapped around the
// services changes their answers.
func hostileWorld(t *testing.T, wrap ...func(http.Handler) http.Handler) *webtest.World {
	t.Helper()
	w := &webtest.World{T: t, DB: db.From(dbtest.New(t), 2400), Log: &webtest.SafeBuffer{}, Clock: &accesstest.Clock{T: time.Date(2026, 10, 14, 15, 30, 20, 0, time.UTC)}}
	services := sandbox.New(sandbox.Config{Seed: 1, Hostile: true, Now: w.Clock.Now})
	var answering http.Handler = services
	for _, around := range wrap {
		answering = around(answering)
	}
	upstreams := httptest.NewServer(answering)
	t.Cleanup(upstreams.Close)
	allow, err := upstream.ParseAllow("127.0.0.1")
	w.Must(err)
	sealer, err := seal.NewSealer("a secret key of at least thirty-two bytes")
	w.Must(err)
	w.LetIn(sealer)
	w.Syncer = pulls.New(pulls.Config{
		DB: db.From(dbtest.As(t, w.DB.Pool, db.Worker), 2400), Transport: upstream.NewTransport(upstream.Options{Allow: allow, Clock: callers{w.Clock}}), Allow: allow, Sealer: sealer,
		Log: slog.New(slog.DiscardHandler), Now: w.Clock.Now,
	})
	for _, shop := range services.Stores() {
		if shop.Slug != grim {
			continue
		}
		store, err := w.DB.Queries().InsertStore(t.Context(), sqlc.InsertStoreParams{Slug: shop.Slug, Name: shop.Name, Timezone: shop.Timezone, HistoryDays: 1})
		w.Must(err)
		for service, at := range map[string][2]string{pulls.Upsell: {shop.UpsellPath, shop.UpsellToken}, pulls.Gift: {shop.GiftPath, shop.GiftKey}} {
			_, err := w.Syncer.Connect(t.Context(), store.ID, service, upstreams.URL+at[0], upstream.NewSecret(at[1]))
			w.Must(err)
		}
	}
	run := func(failing bool, days int) {
		r, err := w.Syncer.Run(t.Context(), grim, pulls.RunOptions{BackfillDays: days})
		w.Must(err)
		if failing != (r.Failed > 0) {
			t.Fatalf("%d of %d pulls failed: %.500v", r.Failed, r.Done+r.Failed, r.Failures)
		}
	}
	w.Services, w.Pull = services, run
	run(false, 1)
	w.Clock.Add(41 * 24 * time.Hour)
	run(false, 8)
	services.Break(sandbox.Upsell, grim, sandbox.Fault{Path: "/data/analytics/lifetime", Status: http.StatusTeapot, Body: `{"success":false,"error":{"code":"` + evil + `","message":"` + evil + `"}}`})
	services.Break(sandbox.Upsell, grim, sandbox.Fault{Path: "/data/offer/", Body: `{"success":true,"data":{"` + evil + `":1}}`})
	services.Break(sandbox.Upsell, grim, sandbox.Fault{Path: "/data/analytics/coverage", Body: `<html>` + evil})
	services.Break(sandbox.Gift, grim, sandbox.Fault{Status: http.StatusUnauthorized, Body: `{"success":false,"message":"` + evil + `","data":null,"error":{"code":"` + evil + `","message":"` + evil + `"}}`})
	w.Exec(`update ledger set due_at = '2026-01-01' where pull in ('lifetime', 'coverage', 'gift.plan') or pull like 'offer.%' and md5(subject) < '2'`)
	run(true, 8)
	w.Column(`select offer_id from offers where deleted`)
	w.Column(`select offer_id from offer_events where kind = 'renamed'`)
	w.Column(`select subject from ledger where outcome = 'quarantined'`)
	w.Exec(`update credentials set state = 'paused' where state = 'doubtful'`) // as when it has lasted: then pages quote it
	w.Column(`select service from credentials where state = 'paused'`)
	w.Exec(`insert into notes (store_id, first_day, last_day, text) select id, '2026-11-01', '2026-11-30', left($2, 280) from stores where slug = $1`, grim, evil)
	// Another store, so that there is a list of stores; it was never connected.
	_, err = w.DB.Queries().InsertStore(t.Context(), sqlc.InsertStoreParams{Slug: "grimmer", Name: strings.Repeat("<script>window.pwned=6</script>", 4), Timezone: "UTC", HistoryDays: 1})
	w.Must(err)

	w.HTTP = httptest.NewUnstartedServer(nil)
	base := "http://" + w.HTTP.Listener.Addr().String()
	baseURL, err := url.Parse(base)
	w.Must(err)
	pages := w.Pages()
	subscriptions := w.Subscriptions(pages, baseURL)
	w.StoreAdmin = storeadmin.New(storeadmin.Config{Sync: w.Syncer, DB: w.DB, Access: w.Access, Audit: w.AuditLog, Limits: limit.New(w.DB, w.Clock.Now), Pages: pages})
	w.Server, err = web.New(web.Config{Offboarder: &storeadmin.Offboarder{Access: w.Access, DB: w.DB, Pages: pages}, Stores: w.StoreAdmin, Alerts: w.Channels(pages, sealer, baseURL, upstream.Options{Allow: allow}), Subscriptions: subscriptions, DB: pages, BaseURL: baseURL, Now: w.Clock.Now, Version: "1.2.3", Gallery: true, Log: slog.New(slog.NewTextHandler(w.Log, nil))})
	w.Must(err)
	w.HTTP.Config.Handler = w.Server.Handler()
	w.HTTP.Config.ErrorLog = log.New(io.Discard, "", 0)
	w.HTTP.Start()
	t.Cleanup(w.HTTP.Close)
	w.Person, err = w.Access.CreatePerson(t.Context(), "ada@example.com", `<script>window.pwned=7</script> =1+1`, access.Admin)
	w.Must(err)
	w.Must(w.Access.GrantPerson(t.Context(), w.Person.ID, access.AllStores))
	hostilePeople(w)
	hostileShops(w, upstreams.URL)
	hostileMails(w)
	w.Exec(`insert into store_tags (store_id, tag) select id, '<img src=x onerror="window.pwned=11">' from stores where slug = $1`, grim)
	w.Exec(`with g as (insert into groups (name) select n || repeat(' "><script>window.pwned=12</script>', 4) from unnest(array['a', repeat('W', 90)]) n returning id)
		insert into group_stores (group_id, store_id) select g.id, s.id from g, stores s`)
	hostileAlerts(w)
	w.Exec(`insert into saved_views (id, person_id, name, query) overriding system value values
		(1, $1, '"><script>window.pwned=13</script>', 'tag=%3Cimg+src%3Dx&by=group'), (2, $1, repeat('W', 60), 'health="><script>window.pwned=14</script>&q=%00')`, w.Person.ID)
	return w
}

// hostilePeople gives names of people, groups, tags and tokens what a page might
// obey, and no place to break.
func hostilePeople(w *webtest.World) {
	w.T.Helper()
	ctx := audit.Acting(w.T.Context(), audit.Actor{Kind: audit.ActorToken, Name: evil, Address: evil, Request: evil})
	long := strings.Repeat("W", 60)
	for _, name := range []string{"\"><script>window.pwned=9</script>", "</select><img src=x onerror=window.pwned=9>", long} {
		g, err := w.Access.AddGroup(ctx, name)
		w.Must(err)
		w.Must(w.Access.AddStoreToGroup(ctx, g.ID, grim))
		w.Must(w.Access.GrantPersonGroup(ctx, w.Person.ID, g.ID))
		_, _, _, err = w.SignIn.InvitePerson(ctx, signin.Invite{Email: long[:50] + strconv.FormatInt(g.ID, 10) + "@example.com", Name: name, Groups: []int64{g.ID}})
		w.Must(err)
		_, err = w.Tokens.Create(ctx, name, []string{grim}, []int64{g.ID}, apitoken.Life)
		w.Must(err)
	}
	for _, label := range []string{"<script>window.pwned=9</script>", strings.Repeat("W", 60)} {
		_, err := w.Shares.Create(ctx, w.Scoped(grim), sharing.Draft{
			Message: evil, Plans: true,
			By: w.Person.ID, Label: label, Pages: sharing.Pages, Window: sharing.Window{Preset: "last_30_days"}, Until: w.Clock.Now().AddDate(0, 0, 30),
		})
		w.Must(err)
	}
	w.Must(w.Access.SetTags(ctx, grim, []string{"<script>window.pwned=9</script>", long[:40], "=1+1"}))
}

// hostileAlerts are outages, open and resolved, snoozes and channels, all in hostile words.
func hostileAlerts(w *webtest.World) {
	w.T.Helper()
	at := w.Clock.Now().Add(-time.Hour)
	texts := []string{`"><script>window.pwned=15</script>`, strings.Repeat("W", 300), "=1+1", "<img src=x onerror=window.pwned=16> \u202e"}
	w.Exec(`with a as (
			insert into alerts (store_id, rule, subject, since, opened_at, title, text, href, evidence, closed_at, end_cause)
			select s.id, 'rate-fell', n || t || ended, $2, $2, to_jsonb(t), jsonb_build_array(t), case n when 1 then 'javascript:window.pwned=17' else '//evil.example/' end, jsonb_build_object('figure', t, 'day', t), case when ended then $2::timestamptz end, case when ended then 'recovered' end
			from stores s, unnest($3::text[]) with ordinality as x (t, n), unnest(array[false, true]) ended where s.slug = $1 returning id, store_id, title
		), c as (
			insert into alert_channels (person_id, kind, name, host, sealed, key_id, rules, reason, failing_since) select $4, 'webhook', t, t, '', '', array[t], to_jsonb(t), $2 from unnest($3::text[]) t returning id, name
		), m as (
			insert into alert_snoozes (store_id, rule, subject, person_id, created_by) select s.id, 'rate-fell', t, $4, $4 from stores s, unnest($3::text[]) t where s.slug = $1
		)
		insert into alert_notices (alert_id, store_id, kind, channel_id, created_at, at, state, reason) select a.id, a.store_id, 'opened', c.id, $2, $2, 'failed', a.title from a, c`, grim, at, texts, w.Person.ID)
}

// hostileShops are one that waits to be saved, and one that was removed.
func hostileShops(w *webtest.World, at string) {
	w.T.Helper()
	paid, active := true, int64(1)
	found := func(service string) pulls.Checked {
		return pulls.Checked{Service: service, BaseURL: at + "/" + evil, Token: upstream.NewSecret("a token that ends in <b>"), Found: pulls.Found{
			Service: service, Domain: evil, Currency: evil, Timezone: evil, Plan: evil, Paid: &paid, ActiveCampaigns: &active, Untold: []string{evil},
			Issues: []reportgift.HealthIssue{{Code: evil, Message: evil}},
		}}
	}
	var err error
	w.Pending, err = w.Syncer.KeepPending(w.T.Context(), w.Person.ID, []pulls.Checked{found(pulls.Upsell), found(pulls.Gift)})
	w.Must(err)
	w.Exec(`insert into stores (slug, name, timezone, history_days, domain, removed_at, removed_by) values ('grimmest', $1, 'UTC', 1, $1, $2, $1)`, evil, w.Clock.Now())
}

// hostileMails are weekly mails whose readers, subjects and answers are hostile.
func hostileMails(w *webtest.World) {
	w.T.Helper()
	now := w.Clock.Now()
	w.Exec(`insert into subscriptions (store_id, person_id, confirmed_at) select id, $2, $3 from stores where slug = $1`, grim, w.Person.ID, now)
	w.Exec(`insert into subscriptions (person_id, zone, confirmed_at) values ($1, 'UTC', $2)`, w.Person.ID, now)
	w.Exec(`insert into subscriptions (store_id, address, created_by, confirm_hash, confirm_until)
		select s.id, a.address, $3, sha256(convert_to(a.address, 'UTF8')), $2 from stores s, unnest(array['"><script>window.pwned=15</script>@example.com', repeat('w', 200) || '@example.com']) as a (address) where s.slug = $1`, grim, now, w.Person.ID)
	w.Exec(`insert into deliveries (subscription_id, store_id, week, due_at, next_at, message_id, state, sent_at, subject, reason, address)
		select s.id, s.store_id, '2026-11-09', $1::timestamptz, $1::timestamptz, '', d.state, case when d.state = 'sent' then $1::timestamptz end, $2, to_jsonb($2::text), $2
		from subscriptions s, unnest(array['sent', 'refused']) with ordinality as d (state, n) where d.n = 1 + s.id % 2`, now, evil)
	w.Exec(`insert into suppressions (address, cause) values (lower($1), to_jsonb($1::text))`, evil)
}

// callers is the world's clock as the calls of the services see it: no time passes between two
// tries.
type callers struct{ *accesstest.Clock }

func (c callers) Now() time.Time { return c.Clock.Now() }

func (c callers) Wait(ctx context.Context, _ time.Duration) error { return ctx.Err() }

// some are at most six of a route's addresses, spread over all; all with MARKUP_PAGES=all.
func some(addresses []string) []string {
	if len(addresses) <= 6 || os.Getenv("MARKUP_PAGES") == "all" {
		return addresses
	}
	few := make([]string, 6)
	for i := range few {
		few[i] = addresses[i*len(addresses)/len(few)]
	}
	return few
}

// addresses are those under which a browser opens a route's pages of the hostile store; nil for
// routes without a page.
func addresses(w *webtest.World, r site.Route) []string {
	if r.Method != "GET" {
		return nil
	}
	home := "/stores/" + grim
	query := func(pairs ...string) string {
		q := url.Values{}
		for i := 0; i < len(pairs); i += 2 {
			q.Set(pairs[i], pairs[i+1])
		}
		return "?" + q.Encode()
	}
	bad := `"><script>window.pwned=8</script>`
	switch r.Path {
	case "/":
		return []string{
			"/", "/?by=group", "/?by=tag&sort=delta", "/?view=1", "/" + query("q", bad), "/" + query("q", strings.Repeat("W", 80)), "/" + query("tag", bad, "group", bad, "health", bad),
			"/" + query("tag", `<img src=x onerror="window.pwned=11">`), "/?window=last_7_days&compare=none&by=clock", "/?view=" + url.QueryEscape(bad),
		}
	case "/wall":
		return []string{"/wall", "/wall?view=1&theme=light", "/wall" + query("theme", bad, "q", "grim"), "/wall" + query("q", bad)}
	case "/find":
		return []string{"/find", "/find" + query("q", bad, "in", bad, "at", bad), "/find?q=grim"}
	case "/stores/:slug/find":
		return []string{home + "/find", home + "/find" + query("q", bad), home + "/find?q=script", home + "/find?q=img"}
	case "/views":
		return []string{"/views", "/views" + query("done", bad)}
	case "/sign-in", "/sign-in/code", account.SSOStart, account.CallbackPath, "/account/confirm/sso", "/sign-in/forgotten", "/set-up", "/gallery", "/account/password", "/account/app":
		return []string{r.Path}
	case "/account":
		return []string{"/account", "/account" + query("done", bad)}
	case "/account/confirm":
		return []string{"/account/confirm" + query("next", bad)}
	case "/sign-in/:token", "/sign-in/reset/:token", "/invitation/:token", "/set-up/:token":
		return []string{strings.TrimSuffix(r.Path, ":token") + url.PathEscape(bad)}
	case "/gallery/:name":
		return []string{"/gallery/" + url.PathEscape(bad)}
	case "/alerts":
		return []string{"/alerts", "/alerts?state=open&store=grim", "/alerts" + query("store", bad, "group", bad, "state", bad, "q", bad), "/alerts" + query("done", bad)}
	case "/alerts/settings":
		return []string{r.Path, r.Path + query("done", bad)}
	case "/alerts/channels/new":
		return []string{r.Path}
	case "/alerts/channels/:id":
		all := []string{"/alerts/channels/" + url.PathEscape(bad)}
		for _, id := range w.Column(`select id::text from alert_channels`) {
			all = append(all, "/alerts/channels/"+id)
		}
		return all
	case "/stores/:slug/alerts":
		return []string{home + "/alerts", home + "/alerts" + query("rule", bad)}
	case "/people":
		return []string{"/people", "/people" + query("done", bad)}
	case "/people/new":
		return []string{"/people/new"}
	case "/people/:id/reach":
		return []string{site.PersonPath(w.Person.ID) + "/reach" + query("done", bad), "/people/" + url.PathEscape(bad) + "/reach"}
	case "/people/:id":
		return []string{site.PersonPath(w.Person.ID), site.PersonPath(w.Person.ID+1) + query("done", bad), "/people/" + url.PathEscape(bad)}
	case "/groups":
		return []string{"/groups", "/groups" + query("query", bad), "/groups" + query("page", bad, "done", bad)}
	case "/groups/:id":
		all := []string{"/groups/" + url.PathEscape(bad)}
		for _, id := range w.Column(`select id::text from groups`) {
			all = append(all, "/groups/"+id)
		}
		return all
	case "/branding":
		return []string{"/branding", "/branding" + query("done", bad)}
	case "/tokens", "/tokens/new", "/branding/logo.png":
		return []string{r.Path}
	case "/audit":
		return []string{"/audit", "/audit" + query("who", bad, "what", bad), "/audit" + query("text", bad)}
	case "/stores/new", "/snapshots/new":
		return []string{r.Path}
	case "/snapshots":
		return []string{"/snapshots", "/snapshots" + query("done", bad, "store", bad)}
	case "/snapshots/:id":
		all := []string{"/snapshots/" + url.PathEscape(bad)}
		for _, id := range w.Column(`select id::text from subscriptions where person_id is null or person_id = (select id from people where email = 'ada@example.com')`) {
			all = append(all, "/snapshots/"+id)
		}
		return all
	case "/snapshots/sent":
		return []string{"/snapshots/sent", "/snapshots/sent" + query("store", bad, "state", bad), "/snapshots/sent?state=refused&before=1-1"}
	case "/snapshots/suppressed":
		return []string{"/snapshots/suppressed", "/snapshots/suppressed" + query("done", bad)}
	case "/stores/removed":
		return []string{r.Path, r.Path + query("done", bad)}
	case "/stores/new/:pending":
		return []string{"/stores/new/" + w.Pending, "/stores/new/" + url.PathEscape(bad)}
	case "/stores/:slug/settings":
		return []string{home + "/settings", home + "/settings" + query("done", bad), "/stores/grimmer/settings"}
	case "/stores/:slug/snapshot":
		return []string{home + "/snapshot", home + "/snapshot" + query("week", bad, "language", bad), home + "/snapshot?week=2026-11-18&language=de", "/stores/grimmer/snapshot"}
	case "/stores/:slug/shares":
		return []string{home + "/shares", home + "/shares" + query("done", bad)}
	case "/stores/:slug/shares/new":
		return []string{home + "/shares/new"}
	case "/stores/:slug/settings/remove":
		return []string{home + "/settings/remove"}
	case "/stores/:slug/settings/:service":
		return []string{home + "/settings/upsell", home + "/settings/gift", home + "/settings/" + url.PathEscape(bad)}
	case "/stores/:slug/settings/:service/disconnect":
		return []string{home + "/settings/upsell/disconnect"}
	case "/stores/:slug":
		return []string{home, home + "?window=last_7_days&compare=none", home + query("start", bad, "end", bad), "/stores/grimmer"}
	case "/stores/:slug/placements":
		return []string{home + "/placements", home + "/placements" + query("window", bad)}
	case "/alerts/thresholds":
		return []string{r.Path, r.Path + query("store", bad)}
	case "/stores/:slug/alerts/thresholds":
		return []string{home + "/alerts/thresholds", home + "/alerts/thresholds" + query("done", bad, "offer", bad), home + "/alerts/thresholds" + query("edit", bad), "/stores/grimmer/alerts/thresholds"}
	case "/stores/:slug/notes":
		return []string{home + "/notes", home + "/notes" + query("saved", bad), "/stores/grimmer/notes"}
	case "/stores/:slug/notes/:id":
		all := []string{home + "/notes/" + url.PathEscape(bad)}
		for _, id := range w.Column(`select n.id::text from notes n join stores s on s.id = n.store_id where s.slug = 'grim'`) {
			all = append(all, home+"/notes/"+id)
		}
		return all
	case "/stores/:slug/offers":
		return []string{
			home + "/offers", home + "/offers?page=2", home + "/offers" + query("q", "<script>"), home + "/offers" + query("q", bad), home + "/offers" + query("sort", bad),
			home + "/offers" + query("placement", "Coupon offer", "sort", "priority"), home + "/offers?never=true", home + "/offers" + query("placement", strings.Repeat("W", 80)),
		}
	case "/stores/:slug/offers/:id":
		all := []string{home + "/offers/" + url.PathEscape(bad)}
		for _, id := range w.Column(`select distinct on (name, deleted) offer_id from offers where deleted or name ~ '[^ -~]|WWWW|long words|^[<"]' or offer_id like '%<%'`) {
			all = append(all, home+"/offers/"+url.PathEscape(id))
		}
		return all
	case "/stores/:slug/gift":
		return []string{home + "/gift", home + "/gift?window=last_7_days", home + "/gift" + query("window", bad), "/stores/grimmer/gift"}
	case "/stores/:slug/gift/campaigns/:id":
		all := []string{home + "/gift/campaigns/" + url.PathEscape(bad)}
		for _, id := range w.Column(`select campaign_id from gift_campaigns order by length(name) desc limit 12`) {
			all = append(all, home+"/gift/campaigns/"+url.PathEscape(id))
		}
		return all
	case "/stores/:slug/gift/products":
		return []string{home + "/gift/products", home + "/gift/products" + query("handles", bad)}
	case "/stores/:slug/recommendations":
		return []string{home + "/recommendations", home + "/recommendations" + query("product", bad)}
	case "/stores/:slug/sync":
		return []string{home + "/sync", home + "/sync?filter=waiting&done=" + url.QueryEscape(bad), "/stores/grimmer/sync"}
	case "/stores/:slug/replies":
		var all []string
		for _, q := range w.Column(`select distinct on (pull, good) '?pull=' || pull || '&subject=' || replace(replace(replace(replace(replace(replace(subject, '%', '%25'), '#', '%23'), '&', '%26'), ' ', '%20'), '+', '%2B'), ';', '%3B') || '&good=' || good from replies order by pull, good, subject`) {
			all = append(all, home+"/replies"+q)
		}
		return all
	}
	return nil
}
