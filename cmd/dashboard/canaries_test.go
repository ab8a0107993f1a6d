package main

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/storeglass/storeglass/cmd/dashboard/words"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/jobs"
	pulls "github.com/storeglass/storeglass/internal/sync"
)

// visitor is someone at a browser.
type visitor struct {
	*http.Client
	a *aviary
}

func (a *aviary) visitor() *visitor {
	jar, err := cookiejar.New(nil)
	a.must(err)
	return &visitor{&http.Client{Jar: jar, Timeout: time.Minute, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}, a}
}

// ask sends a request and keeps the answer for searching, headers included, except for
// Set-Cookie, where a session's secret belongs.
func (v *visitor) ask(method, address string, form url.Values, header http.Header) (status int, body string) {
	v.a.t.Helper()
	var sent io.Reader
	if form != nil {
		sent = strings.NewReader(form.Encode())
	}
	r, err := http.NewRequestWithContext(v.a.t.Context(), method, v.a.pages+address, sent)
	v.a.must(err)
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for name, values := range header {
		r.Header[name] = values
	}
	got, err := v.Do(r)
	v.a.must(err)
	defer got.Body.Close()
	raw, err := io.ReadAll(got.Body)
	v.a.must(err)
	text := string(raw)
	if strings.HasSuffix(address, ".xlsx") && got.StatusCode == 200 {
		text = unzipped(v.a.t, raw)
	}
	for name, values := range got.Header {
		if name != "Set-Cookie" {
			fmt.Fprintf(&v.a.shown, "%s: %q\n", name, values)
		}
	}
	v.a.shown.WriteString(text + "\n" + html.UnescapeString(text) + "\n")
	return got.StatusCode, text
}

func unzipped(t *testing.T, raw []byte) string {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(&b, r); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

// session makes the visitor's cookies canaries.
func (v *visitor) session(name string) {
	at, err := url.Parse(v.a.pages)
	v.a.must(err)
	for i, c := range v.Jar.Cookies(at) {
		v.a.knows(fmt.Sprintf("%s's cookie %d", name, i), c.Value)
	}
}

// signedIn is a visitor who has opened a one-time link.
func (a *aviary) signedIn(email string) *visitor {
	a.t.Helper()
	link := good(a.t, a.env, "user", "link", email) // where the link belongs
	secret := regexp.MustCompile(`/sign-in/([A-Za-z0-9_-]{20,})`).FindStringSubmatch(link)
	if secret == nil {
		a.t.Fatalf("no link in %q", link)
	}
	a.knows("sign-in link of "+email+" "+secret[1][:4], secret[1])
	v := a.visitor()
	if status, _ := v.quietly("GET", "/sign-in/"+secret[1], nil); status != 200 { // the confirmation page has it in its form
		a.t.Fatalf("the link answers %d", status)
	}
	if status, body := v.ask("POST", "/sign-in", url.Values{"token": {secret[1]}}, nil); status != http.StatusSeeOther {
		a.t.Fatalf("sign-in: %d %s", status, body)
	}
	v.session(email)
	return v
}

// quietly requests a page that may contain a secret, because it is where people get it.
func (v *visitor) quietly(method, address string, form url.Values) (int, string) {
	v.a.t.Helper()
	before := v.a.shown.String()
	status, body := v.ask(method, address, form, nil)
	v.a.shown.Reset()
	v.a.shown.WriteString(before)
	return status, body
}

var (
	csrfField = regexp.MustCompile(`name="csrf" value="([^"]*)"`)
	hrefs     = regexp.MustCompile(`(?:href|src)="(/[^"#]*)`)
)

// crawl opens every page and file that links lead to, at most n of them.
func (v *visitor) crawl(n int) (pages int) {
	v.a.t.Helper()
	seen, next := map[string]bool{"/": true}, []string{"/"}
	for len(next) > 0 && pages < n {
		address := next[0]
		next = next[1:]
		pages++
		status, body := v.ask("GET", address, nil, nil)
		if status == http.StatusSeeOther && address == "/" { // there is only one store
			body = `href="/stores/acme"`
		}
		for _, m := range hrefs.FindAllStringSubmatch(body, -1) {
			to := html.UnescapeString(m[1])
			if path, _, _ := strings.Cut(to, "?"); seen[to] || strings.HasPrefix(to, "/static/") || strings.HasPrefix(path, "/sign-in/") {
				continue
			}
			seen[to] = true
			next = append(next, to)
		}
	}
	return pages
}

// act submits a page's form to the address, with our values.
func (v *visitor) act(page, action string, values url.Values) int {
	v.a.t.Helper()
	status, _ := v.ask("POST", action, v.filled(page, values), nil)
	return status
}

// filled is the page's form with our values.
func (v *visitor) filled(page string, values url.Values) url.Values {
	v.a.t.Helper()
	_, body := v.ask("GET", page, nil, nil)
	form := url.Values{}
	if m := csrfField.FindStringSubmatch(body); m != nil {
		form.Set("csrf", html.UnescapeString(m[1]))
	}
	for name, value := range values {
		form[name] = value
	}
	return form
}

// broken makes a table reject every write, with the row in the error.
func (a *aviary) broken(table string, during func()) {
	a.t.Helper()
	a.exec(`create or replace function refuse_row() returns trigger language plpgsql as $$ begin raise exception 'row % is refused', new using detail = new::text, hint = new::text; end $$`)
	a.exec(`create trigger refused before insert or update on ` + table + ` for each row execute function refuse_row()`)
	a.faulty.note("a table that refuses", 1)
	during()
	a.exec(`drop trigger refused on ` + table)
}

// repeats is the fault of a mail server that rejects a mail and quotes what it was sent.
const repeats = "a mail server that repeats"

// mailing invites someone and requests password resets until the mail server has rejected
// some mails and accepted others, and opens the accepted links.
func (a *aviary) mailing(ada *visitor) {
	a.t.Helper()
	stranger := a.visitor()
	for i := range len(stages) {
		a.exec(`delete from attempts`)
		reached := a.post.served()
		if i == 0 {
			// if the mail isn't sent, the page shows the link to pass on
			ada.quietly("POST", "/people", ada.filled("/people/new", url.Values{"email": {strings.ToLower(rand.Text()) + "@example.com"}, "name": {"Bo"}, "role": {"viewer"}, "every": {"true"}, "life": {"72h"}}))
		} else {
			stranger.ask("POST", "/sign-in/forgotten", url.Values{"email": {"ada@example.com"}}, nil)
		}
		select {
		case <-reached:
		case <-time.After(patience):
			a.t.Fatal("no mail came to the mail server")
		}
	}
	links := a.post.links()
	if len(links) == 0 {
		a.t.Fatal("the mail server took no mail")
	}
	for _, secret := range links {
		stranger.quietly("GET", "/sign-in/reset/"+secret, nil)
		stranger.quietly("POST", "/sign-in/reset", url.Values{"token": {secret}, "password": {"password"}}) // too weak a password, so the form is shown again
	}
}

func TestNoSecretLeavesThroughThousandsOfFaults(t *testing.T) {
	t.Parallel()
	wanted := 1000
	if n, err := strconv.Atoi(os.Getenv("CANARY_FAULTS")); err == nil {
		wanted = n
	}
	a := newAviary(t)
	good(t, a.env, "user", "add", "ada@example.com", "--name", "Ada", "--role", "admin")
	ada := a.signedIn("ada@example.com")
	token := strings.TrimSpace(good(t, a.env, "token", "create", "--name", "me", "--all-stores")) // printed once, here
	a.knows("API token", token)
	bearer := http.Header{"Authorization": {"Bearer " + token}}
	api := a.visitor()
	wake := func() {
		a.exec(`update credentials set state = 'good', paused_said = null where true`)
		a.exec(`update ledger set due_at = '2026-01-01', claimed_until = null`)
		a.exec(`update budget_slots set held_until = 'epoch' where held_until > 'epoch'`)
	}
	pull := func() {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		result, err := a.sync.Run(ctx, "acme", pulls.RunOptions{})
		fmt.Fprintln(&a.said, result, err) // as `dashboard sync` prints it
	}
	a.courier()
	pull() // once without faults, so that there is something to show
	searched := a.look("in peace")

	for round := 0; a.faulty.total() < wanted; round++ {
		a.faulty.breaking(0.7, told, brief, long)
		for range 3 {
			wake()
			pull()
		}
		if round%3 == 1 { // a refusal ends the run at once
			wake()
			a.faulty.breaking(0.3, final)
			pull()
		}
		wake()
		a.faulty.breaking(0.9, told, brief)
		for _, table := range []string{"ledger", "replies", "credentials", "summaries", "offers"} {
			a.broken(table, pull)
		}
		a.faulty.breaking(1, told, brief, final)
		for range 4 {
			for _, service := range []string{pulls.Upsell, pulls.Gift} {
				path, secret := a.shop.UpsellPath, a.shop.UpsellToken
				if service == pulls.Gift {
					path, secret = a.shop.GiftPath, a.shop.GiftKey
				}
				ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
				found, err := a.sync.Check(ctx, service, a.base+path, upstream.NewSecret(secret))
				fmt.Fprintln(&a.said, found, err, pulls.Advice(service, err), words.ServiceError(service, a.base+path, err))
				cancel()
			}
			ada.act("/stores/acme/gift/products", "/stores/acme/gift/products", url.Values{"handles": {"red-socks\nmug"}})
		}
		a.faulty.breaking(0.8, told, final)
		if round%4 == 0 {
			a.commands()
		}
		if round%8 == 0 {
			a.jobs(wake)
		}
		a.visits(ada, api, bearer, round)
		searched += a.look(fmt.Sprintf("round %d, %d faults", round, a.faulty.total()))
	}
	a.faulty.mu.Lock()
	defer a.faulty.mu.Unlock()
	for _, kind := range slices.Concat(told, brief, long, final, []string{repeats}) {
		if a.faulty.kinds[kind] == 0 {
			t.Errorf("there was no fault of the kind %q", kind)
		}
	}
	t.Logf("%d faults, %d secrets, %d MB searched: %v", a.faulty.faults, len(a.secrets), searched>>20, a.faulty.kinds)
}

// commands lets the command line run into faults: adding, rotating, pulling, reading.
func (a *aviary) commands() {
	urls := []string{"--upsell-url", a.base + a.shop.UpsellPath, "--gift-url", a.base + a.shop.GiftPath}
	a.command(a.with(), append([]string{"store", "add", "--again", "--slug", "other", "--name", "Other"}, urls...)...)
	a.command(a.with(), "store", "set", "acme", "--upsell-token", "--gift-token")
	a.command(a.with(), "store", "set", "acme", "--upsell-url", strings.Replace(a.base, "http:", "https:", 1)+a.shop.UpsellPath) // TLS to a server without TLS
	a.command(a.with(), "store", "set", "acme", "--upsell-url", "http://127.0.0.1:1/api/v1")
	a.command(append(a.env, "STORE_UPSELL_TOKEN="+a.shop.UpsellToken+" with a blank"), "store", "set", "acme", "--upsell-token")
	a.command(a.with(), "store", "show", "acme")
	a.command(a.with(), "store", "list")
	a.command(a.with(), "gift", "campaigns", "list", "--store", "acme")
	a.command(a.with(), "doctor")
	a.command(a.env, "user", "list")
	a.command(a.env, "token", "list")
	a.command(append(a.env, "DASHBOARD_RATE_LIMIT=none", "DASHBOARD_LISTEN=nowhere"), "store", "list") // all invalid settings are reported
	for _, broken := range a.env {
		name, value, _ := strings.Cut(broken, "=")
		a.command(append(slices.Clone(a.env), name+"=:"+value+"%zz\x01"), "doctor", "--offline")
	}
	for _, table := range []string{"credentials", "api_tokens", "sign_in_links", "audit"} {
		a.broken(table, func() {
			a.faulty.breaking(0)
			a.command(a.with(), "store", "set", "acme", "--upsell-token")
			a.command(a.env, "token", "create", "--name", "never made", "--all-stores")
			a.command(a.env, "user", "link", "ada@example.com")
		})
	}
}

// courier sends mails about accounts until the test ends.
func (a *aviary) courier() {
	a.t.Helper()
	out, err := a.house.Outbox()
	a.must(err)
	set := jobs.NewSet()
	out.Jobs(set)
	engine, err := jobs.Start(a.t.Context(), a.house.DB.Pool, a.house.Log, set)
	a.must(err)
	a.t.Cleanup(func() { _ = engine.Stop(context.Background()) })
}

// jobs lets the worker run into faults, so that the queue's own rows are searched too.
func (a *aviary) jobs(wake func()) {
	a.t.Helper()
	wake()
	a.faulty.breaking(0.9, told, brief)
	schedule, err := jobs.ParseSchedule("@every 1s")
	a.must(err)
	set := jobs.NewSet()
	a.sync.Jobs(set, schedule)
	reached := a.faulty.until(100)
	engine, err := jobs.Start(a.t.Context(), a.house.DB.Pool, a.house.Log, set)
	a.must(err)
	a.broken("replies", func() {
		late := time.After(patience)
		for {
			select {
			case <-reached:
				return
			case <-time.After(time.Second):
				wake() // failed pulls would wait for minutes
			case <-late:
				a.t.Error("the worker met no hundred faults")
				return
			}
		}
	})
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	a.must(engine.Stop(ctx))
}

// visits opens every page and file, signs in with wrong and right secrets, and calls the JSON
// API, while the database sometimes fails.
func (a *aviary) visits(ada, api *visitor, bearer http.Header, round int) {
	a.t.Helper()
	if n := ada.crawl(120); n < 30 {
		a.t.Errorf("only %d pages", n)
	}
	for _, path := range []string{"", "/acme", "/acme/summary", "/acme/sync", "/acme/offers", "/acme/gift/plan", "/nowhere"} {
		api.ask("GET", "/api/v1/stores"+path, nil, bearer)
	}
	wrong := a.canary("wrong-token")
	api.ask("GET", "/api/v1/stores?token="+url.QueryEscape(wrong), nil, http.Header{"Authorization": {"Bearer " + wrong}, "X-Request-Id": {wrong}, "User-Agent": {wrong}, "Referer": {"https://x/" + url.PathEscape(wrong)}, "Cookie": {"storeglass=" + url.QueryEscape(wrong)}})
	stranger := a.visitor()
	stranger.quietly("GET", "/sign-in/"+url.PathEscape(a.canary("wrong-link")), nil)
	stranger.ask("POST", "/sign-in", url.Values{"email": {"ada@example.com"}, "password": {a.canary("wrong-password")}}, nil)
	stranger.ask("POST", "/sign-in", url.Values{"email": {"nobody@example.com"}, "password": {a.canary("password-of-nobody")}}, nil)
	stranger.ask("POST", "/sign-in", url.Values{"token": {a.canary("wrong-form-link")}}, nil)
	for _, table := range []string{"sessions", "audit", "attempts", "sign_in_links"} {
		a.broken(table, func() {
			stranger.ask("POST", "/sign-in", url.Values{"email": {"ada@example.com"}, "password": {a.canary("password-to-a-broken-table")}}, nil)
			ada.act("/stores/acme/sync", "/stores/acme/sync/pause", nil)
		})
	}
	if round%4 == 0 {
		again := a.signedIn("ada@example.com")
		a.broken("api_tokens", func() { api.ask("GET", "/api/v1/stores", nil, bearer) })
		again.act("/account", "/sign-out", nil)
		a.mailing(ada) // not in every round: after a refusal, the mail server gets no mail for 20 seconds
	}
	// Every connection is cut while it is in use.
	a.exec(`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`)
	a.faulty.note("a connection that is cut", 1)
	ada.ask("GET", "/stores/acme", nil, nil)
	ada.ask("GET", "/account", nil, nil)
}
