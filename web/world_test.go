package web

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/alert"
	"github.com/storeglass/storeglass/internal/apis/sandbox"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/dbtest"
	"github.com/storeglass/storeglass/internal/storeadmin"
	pulls "github.com/storeglass/storeglass/internal/sync"
	"github.com/storeglass/storeglass/internal/weekly"
)

// The stores of a test's world: the person and the token see own; foreign
// exists, is full of numbers, and must never show.
const (
	own     = "acme"
	foreign = "birch"
	canary  = "Canaria"
)

// world is a server over real HTTP and a database of its own. The server runs
// behind the wall, as in production; db and access are the owner's, to fill the
// database and to look into it.
type world struct {
	t      testing.TB
	db     *db.DB
	access *access.Access
	server *Server
	http   *httptest.Server
	clock  *clock
	log    *safeBuffer
	person access.Person
	// audited is the last record that a test has looked at.
	audited int64
	// countedBefore is how often each count was there when a test last looked.
	countedBefore map[access.Count]int64
	// Of the hostile store: its services, and a pull of what is due.
	services *sandbox.Server
	pull     func(failing bool, days int)
	// What connects stores, and what it works with.
	keeper *storeadmin.Admin
	syncer *pulls.Syncer
	// Of the hostile world: what waits to be saved.
	pending string
}

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

type safeBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *safeBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *safeBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

func newWorld(t testing.TB) *world { return newWorldAt(t, "http://localhost:8080") }

func newWorldAt(t testing.TB, base string) *world { return newWorldThatMayCall(t, base, "") }

// newWorldThatMayCall is a world whose keeper reaches the addresses allowed, and no other.
func newWorldThatMayCall(t testing.TB, base, allowed string) *world {
	t.Helper()
	w := &world{
		t: t, db: db.From(dbtest.New(t), 60), log: &safeBuffer{}, countedBefore: map[access.Count]int64{},
		clock: &clock{t: time.Date(2026, 11, 20, 15, 30, 20, 0, time.UTC)},
	}
	sealer, err := access.NewSealer(strings.Repeat("k", access.MinSecretKey))
	w.must(err)
	w.access = access.New(w.db, w.clock.now, access.WithSealer(sealer))
	baseURL, err := url.Parse(base)
	w.must(err)
	pages := w.pages()
	allow, err := upstream.ParseAllow(allowed)
	w.must(err)
	transport := upstream.NewTransport(upstream.Options{Allow: allow, Resolver: &net.Resolver{PreferGo: true, Dial: nowhere}, Tries: 1})
	t.Cleanup(transport.Close)
	w.syncer = pulls.New(pulls.Config{DB: w.db, Transport: transport, Allow: allow, Sealer: sealer, Now: w.clock.now})
	w.keeper = storeadmin.New(storeadmin.Config{Sync: w.syncer, DB: w.db, Access: w.access, Pages: pages})
	w.server, err = New(Config{
		Offboarder: &storeadmin.Offboarder{Access: w.access, DB: w.db, Pages: pages},
		Stores:     w.keeper, Mailroom: w.mailroom(pages, baseURL), BounceSecret: bounceSecret, Alerts: w.desk(pages, sealer, baseURL, upstream.Options{Allow: allow, Resolver: &net.Resolver{PreferGo: true, Dial: nowhere}}),
		DB: pages, Access: access.New(pages, w.clock.now, access.WithSealer(sealer)), BaseURL: baseURL, Now: w.clock.now, Version: "1.2.3", Gallery: true, SecurityContact: "mailto:security@example.com",
		Log: slog.New(slog.NewTextHandler(w.log, nil)),
	})
	w.must(err)
	w.http = httptest.NewServer(w.server.Handler())
	t.Cleanup(w.http.Close)
	w.store(own, "Acme Foods", "USD")
	w.store(foreign, canary+" Goods", "EUR")
	w.person, err = w.access.CreatePerson(t.Context(), "ada@example.com", "Ada Byron King", access.Merchant)
	w.must(err)
	w.must(w.access.GrantPerson(t.Context(), w.person.ID, own))
	return w
}

// mailroom is one that reaches no mail server.
func (w *world) mailroom(pages *db.DB, base *url.URL) *weekly.SubscriptionService {
	return &weekly.SubscriptionService{
		DB: w.db, Access: access.New(w.db, w.clock.now), Pages: pages, Composer: &weekly.Editor{DB: w.db, Base: base},
		Base: base, Now: w.clock.now, Log: slog.New(slog.DiscardHandler),
	}
}

// desk changes the channels of alerts, as in the program.
func (w *world) desk(pages *db.DB, sealer *access.Sealer, base *url.URL, reach upstream.Options) *alert.ChannelService {
	return &alert.ChannelService{DB: w.db, Access: w.access, Pages: pages, Sealer: sealer, Hooks: alert.NewHooks(reach), Base: base, Now: w.clock.now}
}

// nowhere answers no name.
func nowhere(context.Context, string, string) (net.Conn, error) {
	return nil, errors.New("no names here")
}

// pages is the database as the web server has it.
func (w *world) pages() *db.DB {
	w.t.Helper()
	return db.From(dbtest.As(w.t, w.db.Pool, db.Pages), w.db.RateLimit)
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) exec(sql string, args ...any) {
	w.t.Helper()
	if _, err := w.db.Pool.Exec(w.t.Context(), sql, args...); err != nil {
		w.t.Fatalf("%s: %v", sql, err)
	}
}

// link makes a one-time link's secret for the world's person.
func (w *world) link() string {
	w.t.Helper()
	secret, _, err := w.access.CreateLink(w.t.Context(), w.person, 0)
	w.must(err)
	return secret
}

// token makes an API token for the stores.
func (w *world) token(slugs ...string) string {
	w.t.Helper()
	token, err := w.access.CreateToken(w.t.Context(), fmt.Sprint("test ", strings.Join(slugs, " ")), slugs...)
	w.must(err)
	return token
}

// browser is a client with cookies that follows no redirect.
type browser struct {
	w      *world
	client *http.Client
	// header is sent with every request.
	header http.Header
}

func (w *world) browser() *browser {
	jar, err := cookiejar.New(nil)
	w.must(err)
	return &browser{w: w, header: http.Header{}, client: &http.Client{
		Jar:           jar,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// signedIn is a browser in which the world's person has signed in.
func (w *world) signedIn() *browser { return w.signedInAs(w.person) }

func (w *world) signedInAs(p access.Person) *browser {
	w.t.Helper()
	secret, _, err := w.access.CreateLink(w.t.Context(), p, 0)
	w.must(err)
	b := w.browser()
	if r := b.post("/sign-in", url.Values{"token": {secret}}); r.status != http.StatusSeeOther {
		w.t.Fatalf("sign-in: %d %s", r.status, r.body)
	}
	return b
}

// apiClient sends the token with every request.
func (w *world) apiClient(token string) *browser {
	b := w.browser()
	b.header.Set("Authorization", "Bearer "+token)
	return b
}

type response struct {
	status int
	header http.Header
	body   string
}

func (b *browser) do(method, path string, form url.Values, header http.Header) response {
	b.w.t.Helper()
	var body io.Reader
	if form != nil {
		body = strings.NewReader(form.Encode())
	}
	r, err := http.NewRequestWithContext(b.w.t.Context(), method, b.w.http.URL+path, body)
	b.w.must(err)
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for _, h := range []http.Header{b.header, header} {
		for name, values := range h {
			r.Header[name] = values
		}
		if h.Get("Host") != "" {
			r.Host = h.Get("Host")
		}
	}
	return b.answer(r)
}

// answer sends a request and reads what comes back.
func (b *browser) answer(r *http.Request) response {
	b.w.t.Helper()
	resp, err := b.client.Do(r)
	b.w.must(err)
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	b.w.must(err)
	if resp.Header.Get("Content-Encoding") == "gzip" && len(raw) > 0 {
		z, err := gzip.NewReader(bytes.NewReader(raw))
		b.w.must(err)
		raw, err = io.ReadAll(z)
		b.w.must(err)
	}
	return response{resp.StatusCode, resp.Header, string(raw)}
}

// cookie is the value of a cookie of the server's; empty when there is none.
func (b *browser) cookie(name string) string {
	b.w.t.Helper()
	u, err := url.Parse(b.w.http.URL)
	b.w.must(err)
	for _, c := range b.client.Jar.Cookies(u) {
		if c.Name == name {
			return c.Value
		}
	}
	return ""
}

// session is the id that the browser's session has.
func (b *browser) session() string {
	b.w.t.Helper()
	return b.cookie(b.w.server.CookieName())
}

// csrf reads the form token of the browser's own session.
func (b *browser) csrf() string {
	b.w.t.Helper()
	sum := sha256.Sum256([]byte(b.session()))
	var token string
	b.w.must(b.w.db.Pool.QueryRow(b.w.t.Context(),
		`select convert_from(data, 'UTF8')::jsonb #>> '{values,csrf}' from sessions where token = $1`,
		base64.RawURLEncoding.EncodeToString(sum[:])).Scan(&token))
	return token
}

// send posts a form with the session's token.
func (b *browser) send(path string, pairs ...string) response {
	b.w.t.Helper()
	form := url.Values{"csrf": {b.csrf()}}
	for i := 0; i < len(pairs); i += 2 {
		form.Set(pairs[i], pairs[i+1])
	}
	return b.post(path, form)
}

func (b *browser) get(path string) response {
	b.w.t.Helper()
	return b.do("GET", path, nil, nil)
}

func (b *browser) post(path string, form url.Values) response {
	b.w.t.Helper()
	return b.do("POST", path, form, nil)
}

// csrf reads the form token of the person's newest session.
func (w *world) csrf() string {
	w.t.Helper()
	var token string
	w.must(w.db.Pool.QueryRow(w.t.Context(),
		`select convert_from(data, 'UTF8')::jsonb #>> '{values,csrf}' from sessions order by expiry desc limit 1`).Scan(&token))
	return token
}

func (w *world) sessions() int {
	w.t.Helper()
	var n int
	w.must(w.db.Pool.QueryRow(w.t.Context(), "select count(*) from sessions").Scan(&n))
	return n
}
