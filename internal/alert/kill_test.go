package alert_test

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	netmail "net/mail"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/access/seal"
	"github.com/storeglass/storeglass/internal/alert"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/dbtest"
	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/jobs"
	"github.com/storeglass/storeglass/internal/jobs/jobstest"
	"github.com/storeglass/storeglass/internal/mail"
)

// What a process that is killed reads: the database whose jobs it works on, and the mail server.
const childDatabase, childServer = "ALERT_CHILD_DATABASE", "ALERT_CHILD_SERVER"

func TestMain(m *testing.M) { jobstest.Main(m, child) }

func child(ctx context.Context) error {
	pool, err := db.Open(ctx, os.Getenv(childDatabase), db.As(db.Worker), db.WithMaxConns(6))
	if err != nil {
		return err
	}
	defer pool.Close()
	sender, err := mail.New(&url.URL{Scheme: "smtp", Host: os.Getenv(childServer)}, netmail.Address{Address: "reports@example.com"})
	if err != nil {
		return err
	}
	sealer, err := seal.NewSealer(strings.Repeat("k", 32))
	if err != nil {
		return err
	}
	allow, err := upstream.ParseAllow("127.0.0.1")
	if err != nil {
		return err
	}
	a := &alert.Alerts{
		DB: db.From(pool, 60), Courier: mail.NewCourier(sender), Hooks: alert.NewHooks(upstream.Options{Allow: allow}), Sealer: sealer, Base: &url.URL{Scheme: "https", Host: "shop.example"}, Host: "example.com",
		Now: time.Now, Log: slog.New(slog.DiscardHandler),
	}
	set := jobs.NewSet()
	schedule, err := jobs.ParseSchedule("@every 1s")
	if err != nil {
		return err
	}
	a.Jobs(set, schedule)
	if _, err := jobs.Start(ctx, a.DB.Pool, a.Log, set, jobstest.TakingBack(3*time.Second)); err != nil {
		return err
	}
	select {} // until it is killed
}

// Processes are killed at random moments of their round, and others take their place.
// Everyone is notified, and what arrives twice is the same message.
func TestKilledProcessesLeaveNobodyUntoldAndRepeatTheSameMessage(t *testing.T) {
	t.Parallel()
	const kills, readers = 10, 40
	chance := rand.New(rand.NewPCG(1, 9))
	w := newWorld(t)
	w.at(time.Now())
	w.pulled()
	for n := range readers {
		person := w.person(fmt.Sprintf("reader%02d", n))
		if n < 10 {
			w.channel(person, fact.Webhook, fmt.Sprintf("/hook%02d", n))
		}
	}
	w.refuse()
	start := func() (kill func()) {
		return jobstest.Start(t, childDatabase+"="+w.url, childServer+"="+w.server.Addr)
	}
	killFirst := start() // it keeps the schedule alone
	for range kills {
		kill := start()
		// A random moment: while it opens, packs or sends.
		<-time.After(time.Duration(chance.Int64N(int64(200 * time.Millisecond))))
		kill()
	}
	killFirst()
	defer start()()
	w.until("everyone is notified", `select state || ' ' || count(*) from alert_notices group by state`, fmt.Sprintf("sent %d", readers+10))
	w.until("what came of it is noted", `select count(*)::text from alert_letters where state = 'ready'`, "0")
	w.equal("outages", w.rows(`select rule from alerts`), "credential")
	ids, copies := w.rows(`select message_id from alert_letters order by 1`), map[string]int{}
	for range len(w.server.Got) {
		copies[strings.Trim(w.header((<-w.server.Got).Raw).Get("Message-ID"), "<>")]++
	}
	bodies := map[string]string{}
	for _, got := range w.received() {
		id := strings.Fields(got)[2]
		copies[id]++
		if bodies[id] != "" && bodies[id] != got {
			t.Errorf("%s came as another message", id)
		}
		bodies[id] = got
	}
	again := 0
	for id, n := range copies {
		again += n - 1
		if !slices.Contains(ids, id) {
			t.Errorf("%s is nobody's", id)
		}
	}
	for _, id := range ids {
		if copies[id] == 0 {
			t.Errorf("%s never came", id)
		}
	}
	t.Logf("%d messages after %d kills, %d of them again", len(ids), kills, again)
	if again > kills*8 { // for each kill, what one process may have in progress
		t.Errorf("%d came again", again)
	}
}

// worldURL is a database that other processes can open too.
func worldURL(t *testing.T) (*db.DB, string) {
	t.Helper()
	at := dbtest.URL(t)
	return db.From(dbtest.As(t, dbtest.Open(t, at), db.Worker), 60), at
}
