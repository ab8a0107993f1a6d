// Package webtest is a server over real HTTP with its own database, for tests of the site and
// of its parts.
package webtest

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

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/access/accesstest"
	"github.com/storeglass/storeglass/internal/access/apitoken"
	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/access/limit"
	"github.com/storeglass/storeglass/internal/access/password"
	"github.com/storeglass/storeglass/internal/access/seal"
	"github.com/storeglass/storeglass/internal/access/session"
	"github.com/storeglass/storeglass/internal/access/sharing"
	"github.com/storeglass/storeglass/internal/access/signin"
	"github.com/storeglass/storeglass/internal/alert"
	"github.com/storeglass/storeglass/internal/apis/sandbox"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/dbtest"
	"github.com/storeglass/storeglass/internal/storeadmin"
	pulls "github.com/storeglass/storeglass/internal/sync"
	"github.com/storeglass/storeglass/internal/weekly"
	"github.com/storeglass/storeglass/web"
)

// The stores of a test's world: the person and the token see own; foreign exists, has numbers,
// and must never show.
const (
	Own     = "acme"
	Foreign = "birch"
	Canary  = "Canaria"
)

// World is a server over real HTTP with its own database. The server runs with the pages'
// database role, as in production; db and access use the owner's, to fill the database and to
// look into it.
type World struct {
	T      testing.TB
	DB     *db.DB
	Access *access.Access
	// AuditLog is that of the worker's database.
	AuditLog     *audit.Log
	SignIn       *signin.Service
	SessionStore *session.Store
	Shares       *sharing.Links
	Tokens       *apitoken.Tokens
	Server       *web.Server
	HTTP         *httptest.Server
	Clock        *accesstest.Clock
	Log          *SafeBuffer
	Person       access.Person
	// audited is the last record that a test has read.
	audited int64
	// countedBefore are the counts when a test last read them.
	countedBefore map[audit.Count]int64
	// Of the hostile store: its services, and a pull of what is due.
	Services *sandbox.Server
	Pull     func(failing bool, days int)
	// What connects stores, and what it works with.
	StoreAdmin *storeadmin.Admin
	Syncer     *pulls.Syncer
	// Of the hostile world: what waits to be saved.
	Pending string
}

type SafeBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *SafeBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *SafeBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

func NewWorld(t testing.TB) *World { return NewWorldAt(t, "http://localhost:8080") }

func NewWorldAt(t testing.TB, base string) *World { return NewWorldThatMayCall(t, base, "") }

// NewWorldThatMayCall is a world whose Admin reaches only the allowed addresses.
func NewWorldThatMayCall(t testing.TB, base, allowed string) *World {
	t.Helper()
	return newWorld(t, base, allowed, beginning.New(t, Begin))
}

// NewWorldOn is NewWorld on a database that Begin has filled.
func NewWorldOn(t testing.TB, pool *pgxpool.Pool) *World {
	t.Helper()
	return newWorld(t, "http://localhost:8080", "", pool)
}

func newWorld(t testing.TB, base, allowed string, pool *pgxpool.Pool) *World {
	t.Helper()
	w := &World{
		T: t, DB: db.From(pool, 60), Log: &SafeBuffer{}, countedBefore: map[audit.Count]int64{}, Clock: &accesstest.Clock{T: start},
	}
	sealer, err := seal.NewSealer(strings.Repeat("k", seal.MinSecretKey))
	w.Must(err)
	w.LetIn(sealer)
	baseURL, err := url.Parse(base)
	w.Must(err)
	pages := w.Pages()
	allow, err := upstream.ParseAllow(allowed)
	w.Must(err)
	transport := upstream.NewTransport(upstream.Options{Allow: allow, Resolver: &net.Resolver{PreferGo: true, Dial: nowhere}}).Once()
	t.Cleanup(transport.Close)
	w.Syncer = pulls.New(pulls.Config{DB: w.DB, Transport: transport, Allow: allow, Sealer: sealer, Now: w.Clock.Now})
	w.StoreAdmin = storeadmin.New(storeadmin.Config{Sync: w.Syncer, DB: w.DB, Access: w.Access, Audit: w.AuditLog, Limits: limit.New(w.DB, w.Clock.Now), Pages: pages})
	w.Server, err = web.New(web.Config{
		Offboarder: &storeadmin.Offboarder{Access: w.Access, DB: w.DB, Pages: pages},
		Stores:     w.StoreAdmin, Subscriptions: w.Subscriptions(pages, baseURL), BounceSecret: BounceSecret, Alerts: w.Channels(pages, sealer, baseURL, upstream.Options{Allow: allow, Resolver: &net.Resolver{PreferGo: true, Dial: nowhere}}),
		DB: pages, Sealer: sealer, BaseURL: baseURL, Now: w.Clock.Now, Version: "1.2.3", Gallery: true, SecurityContact: "mailto:security@example.com",
		Log: slog.New(slog.NewTextHandler(w.Log, nil)),
	})
	w.Must(err)
	w.HTTP = httptest.NewServer(w.Server.Handler())
	t.Cleanup(w.HTTP.Close)
	t.Cleanup(w.Server.Parts.Live.Close)
	w.Person, err = w.Access.PersonByEmail(t.Context(), "ada@example.com")
	w.Must(err)
	return w
}

// LetIn gives the world everything that decides who gets in.
func (w *World) LetIn(sealer *seal.Sealer) {
	w.Access, w.AuditLog = access.New(w.DB, w.Clock.Now), audit.New(w.DB, w.Clock.Now)
	hasher := password.NewHasher()
	w.SignIn, w.SessionStore = signin.New(w.DB, w.Clock.Now, sealer, hasher), session.New(w.DB, w.Clock.Now)
	w.Shares, w.Tokens = sharing.New(w.DB, w.Clock.Now, hasher), apitoken.New(w.DB, w.Clock.Now)
}

// start is the initial time of every world.
var start = time.Date(2026, 11, 20, 15, 30, 20, 0, time.UTC)

// beginning is the initial database of every world.
var beginning dbtest.Filled

// Begin adds what every world begins with to an empty database.
func Begin(t testing.TB, pool *pgxpool.Pool) {
	w := &World{T: t, DB: db.From(pool, 60), Clock: &accesstest.Clock{T: start}}
	w.Store(Own, "Acme Foods", "USD")
	w.Store(Foreign, Canary+" Goods", "EUR")
	people := access.New(w.DB, w.Clock.Now)
	p, err := people.CreatePerson(t.Context(), "ada@example.com", "Ada Byron King", access.Merchant)
	w.Must(err)
	w.Must(people.GrantPerson(t.Context(), p.ID, Own))
}

// NewWorldForBrowsers is NewWorldThatMayCall at the address that its base says, so that a
// browser can sign in.
func NewWorldForBrowsers(t testing.TB, allowed string) *World {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(l.Addr().String())
	base := "http://localhost:" + port
	w := NewWorldThatMayCall(t, base, allowed)
	w.HTTP = httptest.NewUnstartedServer(w.Server.Handler())
	w.HTTP.Listener.Close()
	w.HTTP.Listener = l
	w.HTTP.Start()
	t.Cleanup(w.HTTP.Close)
	t.Cleanup(w.Server.Parts.Live.Close)
	w.HTTP.URL = base
	return w
}

// Subscriptions is a service without a mail server.
func (w *World) Subscriptions(pages *db.DB, base *url.URL) *weekly.SubscriptionService {
	return &weekly.SubscriptionService{
		DB: w.DB, Audit: w.AuditLog, Pages: pages, Composer: &weekly.Editor{DB: w.DB, Base: base},
		Base: base, Now: w.Clock.Now, Log: slog.New(slog.DiscardHandler),
	}
}

// Channels changes the channels of alerts, as in the program.
func (w *World) Channels(pages *db.DB, sealer *seal.Sealer, base *url.URL, reach upstream.Options) *alert.ChannelService {
	return &alert.ChannelService{DB: w.DB, Audit: w.AuditLog, Pages: pages, Sealer: sealer, Hooks: alert.NewHooks(reach), Base: base, Now: w.Clock.Now}
}

// nowhere answers no name.
func nowhere(context.Context, string, string) (net.Conn, error) {
	return nil, errors.New("no names here")
}

// Pages is the database as the web server uses it.
func (w *World) Pages() *db.DB {
	w.T.Helper()
	return db.From(dbtest.As(w.T, w.DB.Pool, db.Pages), w.DB.RateLimit)
}

func (w *World) Must(err error) {
	w.T.Helper()
	if err != nil {
		w.T.Fatal(err)
	}
}

func (w *World) Exec(sql string, args ...any) {
	w.T.Helper()
	if _, err := w.DB.Pool.Exec(w.T.Context(), sql, args...); err != nil {
		w.T.Fatalf("%s: %v", sql, err)
	}
}

// Link makes a one-time link's secret for the world's person.
func (w *World) Link() string {
	w.T.Helper()
	secret, _, err := w.SignIn.CreateLink(w.T.Context(), w.Person, 0)
	w.Must(err)
	return secret
}

// Token makes an API token for the stores.
func (w *World) Token(slugs ...string) string {
	w.T.Helper()
	token, err := w.Tokens.Create(w.T.Context(), fmt.Sprint("test ", strings.Join(slugs, " ")), slugs, nil, apitoken.Life)
	w.Must(err)
	return token
}

// Browser is a client with cookies that doesn't follow redirects.
type Browser struct {
	W      *World
	Client *http.Client
	// Header is sent with every request.
	Header http.Header
}

func (w *World) Browser() *Browser {
	jar, err := cookiejar.New(nil)
	w.Must(err)
	return &Browser{W: w, Header: http.Header{}, Client: &http.Client{
		Jar:           jar,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// With is a browser of another world with the cookies and headers of b.
func (b *Browser) With(w *World) *Browser {
	out := w.Browser()
	out.Header = b.Header.Clone()
	from, err := url.Parse(b.W.HTTP.URL)
	w.Must(err)
	to, err := url.Parse(w.HTTP.URL)
	w.Must(err)
	out.Client.Jar.SetCookies(to, b.Client.Jar.Cookies(from))
	return out
}

// SignedIn is a browser in which the world's person has signed in.
func (w *World) SignedIn() *Browser { return w.SignedInAs(w.Person) }

func (w *World) SignedInAs(p access.Person) *Browser {
	w.T.Helper()
	secret, _, err := w.SignIn.CreateLink(w.T.Context(), p, 0)
	w.Must(err)
	b := w.Browser()
	if r := b.Post("/sign-in", url.Values{"token": {secret}}); r.Status != http.StatusSeeOther {
		w.T.Fatalf("sign-in: %d %s", r.Status, r.Body)
	}
	return b
}

// APIClient sends the token with every request.
func (w *World) APIClient(token string) *Browser {
	b := w.Browser()
	b.Header.Set("Authorization", "Bearer "+token)
	return b
}

type Response struct {
	Status int
	Header http.Header
	Body   string
}

func (b *Browser) Do(method, path string, form url.Values, header http.Header) Response {
	b.W.T.Helper()
	var body io.Reader
	if form != nil {
		body = strings.NewReader(form.Encode())
	}
	r, err := http.NewRequestWithContext(b.W.T.Context(), method, b.W.HTTP.URL+path, body)
	b.W.Must(err)
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for _, h := range []http.Header{b.Header, header} {
		for name, values := range h {
			r.Header[name] = values
		}
		if h.Get("Host") != "" {
			r.Host = h.Get("Host")
		}
	}
	return b.Answer(r)
}

// Answer sends a request and reads what comes back.
func (b *Browser) Answer(r *http.Request) Response {
	b.W.T.Helper()
	resp, err := b.Client.Do(r)
	b.W.Must(err)
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	b.W.Must(err)
	if resp.Header.Get("Content-Encoding") == "gzip" && len(raw) > 0 {
		z, err := gzip.NewReader(bytes.NewReader(raw))
		b.W.Must(err)
		raw, err = io.ReadAll(z)
		b.W.Must(err)
	}
	return Response{resp.StatusCode, resp.Header, string(raw)}
}

// Cookie is the value of a cookie of the server's; empty if there is none.
func (b *Browser) Cookie(name string) string {
	b.W.T.Helper()
	u, err := url.Parse(b.W.HTTP.URL)
	b.W.Must(err)
	for _, c := range b.Client.Jar.Cookies(u) {
		if c.Name == name {
			return c.Value
		}
	}
	return ""
}

// Session is the id that the browser's session has.
func (b *Browser) Session() string {
	b.W.T.Helper()
	return b.Cookie(b.W.Server.CookieName())
}

// CSRF reads the form token of the browser's own session.
func (b *Browser) CSRF() string {
	b.W.T.Helper()
	sum := sha256.Sum256([]byte(b.Session()))
	var token string
	b.W.Must(b.W.DB.Pool.QueryRow(b.W.T.Context(),
		`select convert_from(data, 'UTF8')::jsonb #>> '{values,csrf}' from sessions where token = $1`,
		base64.RawURLEncoding.EncodeToString(sum[:])).Scan(&token))
	return token
}

// Send posts a form with the session's token.
func (b *Browser) Send(path string, pairs ...string) Response {
	b.W.T.Helper()
	form := url.Values{"csrf": {b.CSRF()}}
	for i := 0; i < len(pairs); i += 2 {
		form.Set(pairs[i], pairs[i+1])
	}
	return b.Post(path, form)
}

func (b *Browser) Get(path string) Response {
	b.W.T.Helper()
	return b.Do("GET", path, nil, nil)
}

func (b *Browser) Post(path string, form url.Values) Response {
	b.W.T.Helper()
	return b.Do("POST", path, form, nil)
}

// CSRF reads the form token of the person's newest session.
func (w *World) CSRF() string {
	w.T.Helper()
	var token string
	w.Must(w.DB.Pool.QueryRow(w.T.Context(),
		`select convert_from(data, 'UTF8')::jsonb #>> '{values,csrf}' from sessions order by expiry desc limit 1`).Scan(&token))
	return token
}

func (w *World) Sessions() int {
	w.T.Helper()
	var n int
	w.Must(w.DB.Pool.QueryRow(w.T.Context(), "select count(*) from sessions").Scan(&n))
	return n
}
