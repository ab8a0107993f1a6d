package truth

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/access/apitoken"
	"github.com/storeglass/storeglass/internal/access/seal"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/dbtest"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	pulls "github.com/storeglass/storeglass/internal/sync"
	"github.com/storeglass/storeglass/web"
)

// rateLimit is high enough that these tests never wait; the budget has its own tests.
const rateLimit = 12_000

// patience is how long a call waits for its reply: hanging calls must end soon.
const patience = 400 * time.Millisecond

// house is the whole program on its own database, with the services it calls.
type house struct {
	t        *testing.T
	clock    *clock
	services *server
	base     string // of the services
	db       *db.DB
	syncer   *pulls.Syncer
	api      *httptest.Server
	token    string
	access   *access.Access
	stores   map[string]*lodged
	// said are the page server's warnings.
	said lines
}

// lines is a log that several goroutines write.
type lines struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// lodged is a store of the house.
type lodged struct {
	*hosted
	id      int64
	history int
	// nightly is when the last nightly run of the store began.
	nightly time.Time
}

// start is a Sunday: the clocks of New York went back on the Sunday before.
var start = time.Date(2026, 11, 8, 15, 20, 0, 0, time.UTC)

// newHouse starts the program at a moment, without stores.
func newHouse(t *testing.T, at time.Time) *house {
	t.Helper()
	h := &house{t: t, clock: &clock{at: at}, stores: map[string]*lodged{}}
	h.db = db.From(dbtest.New(t), rateLimit)
	h.services = newServer(h.clock, rateLimit)
	services := httptest.NewServer(h.services)
	services.Config.ErrorLog = log.New(io.Discard, "", 0)
	t.Cleanup(services.Close)
	h.base = services.URL
	allow, err := upstream.ParseAllow("127.0.0.1")
	h.must(err)
	sealer, err := seal.NewSealer(strings.Repeat("truth ", 8))
	h.must(err)
	transport := upstream.NewTransport(upstream.Options{Allow: allow, Clock: h.clock, Timeout: patience})
	t.Cleanup(transport.Close)
	h.syncer = pulls.New(pulls.Config{
		DB: db.From(dbtest.As(t, h.db.Pool, db.Worker), rateLimit), Transport: transport, Allow: allow, Sealer: sealer, Log: logger(), Now: h.clock.Now,
	})
	pages := db.From(dbtest.As(t, h.db.Pool, db.Pages), rateLimit)
	h.access = access.New(h.db, h.clock.Now)
	site, err := web.New(web.Config{
		DB: pages, Sealer: sealer, BaseURL: &url.URL{Scheme: "http", Host: "localhost"}, Now: h.clock.Now, Log: slog.New(slog.NewTextHandler(&h.said, &slog.HandlerOptions{Level: slog.LevelWarn})),
	})
	h.must(err)
	h.api = httptest.NewServer(site.Handler())
	t.Cleanup(h.api.Close)
	return h
}

// logger writes what sync says if TRUTH_LOG is set.
func logger() *slog.Logger {
	if os.Getenv("TRUTH_LOG") == "" {
		return slog.New(slog.DiscardHandler)
	}
	return slog.New(slog.NewTextHandler(os.Stderr, nil))
}

func (h *house) must(err error) {
	h.t.Helper()
	if err != nil {
		h.t.Fatal(err)
	}
}

// withoutDetails leaves out each offer's details, which is most calls of a large store.
func (h *house) withoutDetails() {
	h.t.Helper()
	for _, sql := range []string{
		`create function no_details() returns trigger language plpgsql as 'begin return null; end'`,
		`create trigger no_details before insert on ledger for each row when (new.pull like 'offer.%') execute function no_details()`,
	} {
		_, err := h.db.Pool.Exec(h.t.Context(), sql)
		h.must(err)
	}
}

// lodge opens a shop and connects it as a store that keeps that many days.
func (h *house) lodge(k kind, history int, r reading) *lodged {
	h.t.Helper()
	hosted := h.services.add(k.build(h.clock, max(history*2, history+100)), r)
	row, err := h.db.Queries().InsertStore(h.t.Context(), sqlc.InsertStoreParams{Slug: k.slug, Name: k.name, Timezone: k.zone, HistoryDays: int32(history)})
	h.must(err)
	l := &lodged{hosted: hosted, id: row.ID, history: history, nightly: h.clock.Now()}
	for service, token := range hosted.tokens {
		h.connect(l, service, token)
	}
	h.stores[k.slug] = l
	h.token, err = apitoken.New(h.db, h.clock.Now).Create(h.t.Context(), "truth up to "+k.slug, h.slugs(), nil, apitoken.Life)
	h.must(err)
	return l
}

func (h *house) slugs() []string {
	var out []string
	for slug := range h.stores {
		out = append(out, slug)
	}
	return out
}

func (h *house) connect(l *lodged, service, token string) {
	h.t.Helper()
	address := h.base + "/" + l.slug + "/" + service + "/v1"
	if _, err := h.syncer.Connect(h.t.Context(), l.id, service, address, upstream.NewSecret(token)); err != nil {
		h.t.Fatalf("connect %s of %s: %v", service, l.slug, err)
	}
}

// sync pulls what is due of a store.
func (h *house) sync(l *lodged) pulls.Result {
	h.t.Helper()
	r, err := h.syncer.Run(context.Background(), l.slug, pulls.RunOptions{})
	if err != nil {
		h.t.Fatalf("sync %s: %v", l.slug, err)
	}
	return r
}

// night moves the clock past the store's next midnight and pulls what is due then.
func (h *house) night(l *lodged) pulls.Result {
	h.t.Helper()
	h.clock.to(dayStart(l.today().AddDays(1), l.loc).Add(25 * time.Minute))
	l.nightly = h.clock.Now()
	return h.sync(l)
}

// get asks the JSON API and returns the status and the decoded answer.
func (h *house) get(path string) (int, map[string]any) {
	h.t.Helper()
	req, err := http.NewRequestWithContext(h.t.Context(), http.MethodGet, h.api.URL+"/api/v1"+path, nil)
	h.must(err)
	req.Header.Set("Authorization", "Bearer "+h.token)
	res, err := http.DefaultClient.Do(req)
	h.must(err)
	defer func() { _ = res.Body.Close() }()
	dec := json.NewDecoder(res.Body)
	dec.UseNumber()
	var out map[string]any
	if err := dec.Decode(&out); err != nil {
		h.t.Fatalf("%s: %d: %v", path, res.StatusCode, err)
	}
	if res.StatusCode >= 500 {
		h.t.Log(h.said.String())
	}
	return res.StatusCode, out
}
