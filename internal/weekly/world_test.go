package weekly

import (
	"context"
	"fmt"
	netmail "net/mail"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/dbtest"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/mail"
	"github.com/storeglass/storeglass/internal/mail/mailtest"
)

// monday is a Monday, 8:00 on the shop's clock.
var monday = time.Date(2026, 11, 16, 13, 0, 0, 0, time.UTC)

// world is a shop with subscriptions, a mail server, and a clock that tests set.
type world struct {
	*Sender
	t      *testing.T
	server *mailtest.Server
	store  int64

	mu  sync.Mutex
	now time.Time
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, server: mailtest.Start(t, mailtest.Plain), now: monday.Add(-time.Hour)}
	owner := dbtest.New(t)
	w.Sender = newSender(t, db.From(dbtest.As(t, owner, db.Worker), 60), w.server.Addr)
	w.Now = func() time.Time {
		w.mu.Lock()
		defer w.mu.Unlock()
		return w.now
	}
	s, err := w.DB.Queries().InsertStore(t.Context(), sqlc.InsertStoreParams{Slug: "acme", Name: "Acme", Timezone: "America/New_York", HistoryDays: 90})
	w.must(err)
	w.store = s.ID
	return w
}

func newSender(t testing.TB, d *db.DB, server string) *Sender {
	t.Helper()
	p, err := sender(d, server)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func sender(d *db.DB, server string) (*Sender, error) {
	u := &url.URL{Scheme: "smtp", Host: server}
	sender, err := mail.New(u, netmail.Address{Name: "Storeglass", Address: "reports@example.com"})
	return &Sender{
		DB: d, Composer: plain{}, Courier: mail.NewCourier(sender), Host: "example.com", Log: quiet,
		Base: &url.URL{Scheme: "https", Host: "shop.example"},
	}, err
}

// plain composes a small, complete mail.
type plain struct{}

func (plain) Compose(_ context.Context, o Order) (Content, error) {
	week := o.Week.First.String()
	return Content{Mail{Subject: "Week of " + week, Text: week + "\n" + o.Unsubscribe + "\n", HTML: "<p>" + week + "</p>"}, true, false, []int64{*o.StoreID}, nil}, nil
}

// composer makes a Composer of a function.
type composer func(Order) (Content, error)

func (c composer) Compose(_ context.Context, o Order) (Content, error) { return c(o) }

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) exec(sql string, args ...any) {
	w.t.Helper()
	_, err := w.DB.Pool.Exec(w.t.Context(), sql, args...)
	w.must(err)
}

// rows are a query's results, as text.
func (w *world) rows(sql string, args ...any) []string {
	w.t.Helper()
	r, err := w.DB.Pool.Query(w.t.Context(), sql, args...)
	w.must(err)
	out, err := pgx.CollectRows(r, pgx.RowTo[string])
	w.must(err)
	return out
}

func (w *world) equal(what string, got []string, want ...string) {
	w.t.Helper()
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		w.t.Errorf("%s:\n%s\nwant:\n%s", what, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// reader subscribes people without an account, as of the world's clock.
func (w *world) reader(names ...string) {
	w.t.Helper()
	for _, name := range names {
		w.exec(`insert into subscriptions (store_id, address, confirmed_at) values ($1, $2, $3)`, w.store, name+"@example.com", w.Now())
	}
}

func readers(n int) (names []string) {
	for i := range n {
		names = append(names, fmt.Sprintf("reader%02d", i))
	}
	return names
}

func (w *world) at(now time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now = now
}

// later moves the clock forward.
func (w *world) later(d time.Duration) { w.at(w.Now().Add(d)) }

// round is one tick of the schedule.
func (w *world) round() {
	w.t.Helper()
	_, err := w.Schedule(w.t.Context())
	w.must(err)
	w.must(w.Deliver(w.t.Context()))
}

// states are the states of the mails, by reader.
func (w *world) states() []string {
	w.t.Helper()
	return w.rows(`select split_part(coalesce(s.address, p.email), '@', 1) || ' ' || d.week || ' ' || d.state || ' ' || d.failures
		from deliveries d join subscriptions s on s.id = d.subscription_id left join people p on p.id = s.person_id order by 1`)
}

// arrived takes the mails that arrived since the last call.
func (w *world) arrived() (mails []mailtest.Mail) {
	for {
		select {
		case m := <-w.server.Got:
			mails = append(mails, m)
		default:
			return mails
		}
	}
}

// to are the names of the mails' readers, in order.
func to(mails []mailtest.Mail) (names []string) {
	for _, m := range mails {
		name, _, _ := strings.Cut(m.To, "@")
		names = append(names, name)
	}
	return sorted(names)
}
