package alert_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	netmail "net/mail"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/storeglass/storeglass/internal/access/seal"
	"github.com/storeglass/storeglass/internal/alert"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/jobs"
	"github.com/storeglass/storeglass/internal/mail"
	"github.com/storeglass/storeglass/internal/mail/mailtest"
)

// world is a shop that people have access to, a mail server, a webhook receiver, and a
// clock that tests set.
type world struct {
	*alert.Alerts
	t      *testing.T
	server *mailtest.Server
	store  int64
	log    *logs
	// url is the database's.
	url string

	mu  sync.Mutex
	now time.Time
	got []string // what the receivers got, as "path id body"
	// answer decides the receivers' status; nil means 200.
	answer func(path string) int
	hook   *httptest.Server
}

// logs collects log output.
type logs struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *logs) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *logs) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, server: mailtest.Start(t, mailtest.Plain), now: noon, log: &logs{}}
	w.hook = httptest.NewServer(http.HandlerFunc(w.receive))
	t.Cleanup(w.hook.Close)
	house, at := worldURL(t)
	w.Alerts, w.url = w.another(house), at
	s, err := w.DB.Queries().InsertStore(t.Context(), sqlc.InsertStoreParams{Slug: "acme", Name: "Acme", Timezone: "UTC", HistoryDays: 90})
	w.must(err)
	w.store = s.ID
	for _, service := range []string{"upsell", "gift"} {
		w.exec(`insert into credentials (store_id, service, base_url, token_sealed, key_id, budget, state) values ($1, $2, 'https://x.example', '', '', '', 'good')`, w.store, service)
	}
	w.pulled()
	return w
}

// another is a second process on the same database.
func (w *world) another(d *db.DB) *alert.Alerts {
	w.t.Helper()
	sealer, err := seal.NewSealer(strings.Repeat("k", 32))
	w.must(err)
	sender, err := mail.New(&url.URL{Scheme: "smtp", Host: w.server.Addr}, netmail.Address{Name: "Storeglass", Address: "reports@example.com"})
	w.must(err)
	return &alert.Alerts{
		DB: d, Courier: mail.NewCourier(sender), Hooks: alert.NewHooks(allowLocal(w.t)), Sealer: sealer, Base: &url.URL{Scheme: "https", Host: "shop.example"}, Host: "example.com",
		Now: w.clock, Log: slog.New(slog.NewTextHandler(w.log, nil)),
	}
}

func (w *world) clock() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.now
}

func (w *world) at(now time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now = now
}

func (w *world) receive(rw http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	w.mu.Lock()
	defer w.mu.Unlock()
	status := 200
	if w.answer != nil {
		status = w.answer(r.URL.Path)
	}
	w.got = append(w.got, fmt.Sprintf("%s %d %s %s", r.URL.Path, status, r.Header.Get("webhook-id"), body))
	rw.WriteHeader(status)
}

// received takes what the receivers got since the last call.
func (w *world) received() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	got := w.got
	w.got = nil
	return got
}

// events are the receivers' messages as "path event".
func (w *world) events() []string {
	w.t.Helper()
	var out []string
	for _, g := range w.received() {
		parts := strings.SplitN(g, " ", 4)
		var body struct{ Event, Text string }
		w.must(json.Unmarshal([]byte(parts[3]), &body))
		out = append(out, parts[0]+" "+body.Event)
	}
	slices.Sort(out)
	return out
}

// mails takes the mails that arrived since the last call, as "to: subject".
func (w *world) mails() []string {
	w.t.Helper()
	var out []string
	for {
		select {
		case m := <-w.server.Got:
			out = append(out, m.To+": "+w.subject(m.Raw))
		default:
			slices.Sort(out)
			return out
		}
	}
}

func (w *world) subject(raw string) string {
	w.t.Helper()
	return decoded(w.header(raw).Get("Subject"))
}

func (w *world) header(raw string) netmail.Header {
	w.t.Helper()
	m, err := netmail.ReadMessage(strings.NewReader(raw))
	w.must(err)
	return m.Header
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) exec(sql string, args ...any) {
	w.t.Helper()
	_, err := w.DB.Pool.Exec(context.Background(), sql, args...)
	w.must(err)
}

func (w *world) rows(sql string, args ...any) []string {
	w.t.Helper()
	r, err := w.DB.Pool.Query(context.Background(), sql, args...)
	w.must(err)
	out, err := pgx.CollectRows(r, pgx.RowTo[string])
	w.must(err)
	return out
}

func (w *world) equal(what string, got []string, want ...string) {
	w.t.Helper()
	if !slices.Equal(got, want) {
		w.t.Errorf("%s: %q, want %q", what, got, want)
	}
}

// person adds someone who holds the store.
func (w *world) person(name string) int64 {
	w.t.Helper()
	var id int64
	w.must(w.DB.Pool.QueryRow(context.Background(), `insert into people (email, name, role, joined_at) values ($1, $2, 'merchant', now()) returning id`, name+"@example.com", name).Scan(&id))
	w.exec(`insert into grants (person_id, store_id) values ($1, $2)`, id, w.store)
	return id
}

// channel adds a channel of the person's for the store, at a path of the receiver.
func (w *world) channel(person int64, kind fact.ChannelKind, path string) int64 {
	w.t.Helper()
	var id int64
	w.must(w.DB.Pool.QueryRow(context.Background(), `insert into alert_channels (store_id, person_id, kind, name, host, sealed, key_id) values ($1, $2, $3, $4, '127.0.0.1', '', '') returning id`,
		w.store, person, kind, string(kind)+" of the shop").Scan(&id))
	where := alert.Where{Address: w.hook.URL + path}
	if kind == fact.Webhook {
		where.Secret = alert.NewSecret()
	}
	sealed, key, err := where.Seal(w.Sealer, id)
	w.must(err)
	w.exec(`update alert_channels set sealed = $2, key_id = $3 where id = $1`, id, sealed, key)
	return id
}

// refuse pauses the upsell credential as sync does, and resume resumes it.
func (w *world) refuse() {
	w.t.Helper()
	w.exec(`update credentials set state = 'paused', paused_cause = 'token', paused_said = 'Invalid token', paused_at = $1 where service = 'upsell'`, w.clock())
	w.exec(`update stores set revision = revision + 1`)
}

func (w *world) resume() {
	w.t.Helper()
	w.exec(`update credentials set state = 'good', paused_cause = null, paused_said = null, paused_at = null where service = 'upsell'`)
	w.pulled()
}

// pulled records a fresh answer from both services.
func (w *world) pulled() {
	w.t.Helper()
	w.exec(`update stores set upsell_pulled_at = $1, gift_pulled_at = $1, revision = revision + 1`, w.clock())
}

// round is one tick of the schedule, and fails the test on errors.
func (w *world) round() {
	w.t.Helper()
	w.must(w.Check(context.Background()))
	w.must(w.Deliver(context.Background()))
}

// later moves the clock forward, pulls and runs a round.
func (w *world) later(d time.Duration) {
	w.t.Helper()
	w.at(w.clock().Add(d))
	w.pulled()
	w.round()
}

// engine runs another process's jobs until the test ends.
func (w *world) engine(a *alert.Alerts) {
	w.t.Helper()
	set := jobs.NewSet()
	schedule, err := jobs.ParseSchedule("@every 1s")
	w.must(err)
	a.Jobs(set, schedule)
	e, err := jobs.Start(w.t.Context(), a.DB.Pool, a.Log, set)
	w.must(err)
	w.t.Cleanup(func() { w.must(e.Stop(context.Background())) })
}

// until waits for the query to return these rows.
func (w *world) until(what, query string, want ...string) {
	w.t.Helper()
	var got []string
	for range 600 {
		if got = w.rows(query); slices.Equal(got, want) {
			return
		}
		<-time.After(50 * time.Millisecond)
	}
	w.t.Fatalf("%s: %q, want %q", what, got, want)
}
