package weekly

import (
	"context"
	"crypto/sha256"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/dbtest"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/jobs"
	"github.com/storeglass/storeglass/internal/jobs/jobstest"
	"github.com/storeglass/storeglass/internal/mail/mailtest"
)

// What a process that is killed reads: the database whose mails it sends, and the mail server. With
// childComposer it writes real mails, and ends when none are left.
const childDatabase, childServer, childComposer = "SNAPSHOT_CHILD_DATABASE", "SNAPSHOT_CHILD_SERVER", "SNAPSHOT_CHILD_COMPOSER"

func TestMain(m *testing.M) { jobstest.Main(m, child) }

func child(ctx context.Context) error {
	pool, err := db.Open(ctx, os.Getenv(childDatabase), db.As(db.Worker), db.WithMaxConns(8))
	if err != nil {
		return err
	}
	defer pool.Close()
	p, err := sender(db.From(pool, 60), os.Getenv(childServer))
	if err != nil {
		return err
	}
	p.Now = time.Now
	every := "@every 1s"
	if os.Getenv(childComposer) != "" {
		p.Composer, every = &Editor{DB: p.DB, Base: p.Base}, "@every 30s"
	}
	schedule, err := jobs.ParseSchedule(every)
	if err != nil {
		return err
	}
	set := jobs.NewSet()
	p.Jobs(set, schedule)
	if _, err := jobs.Start(ctx, pool, p.Log, set, jobstest.TakingBack(3*time.Second)); err != nil {
		return err
	}
	for left := 1; left > 0 || os.Getenv(childComposer) == ""; time.Sleep(20 * time.Millisecond) { // without childComposer, until it is killed
		err := pool.QueryRow(ctx, `select count(*) from deliveries where state in ('waiting', 'ready') and folded_into is null and next_at <= now()`).Scan(&left)
		if err != nil {
			return err
		}
	}
	return nil
}

// Processes are killed at random moments around handing over a mail, and others take their
// place. No mail is skipped. One that arrives twice is the same mail, accepted by the server
// before we could record that. MAIL_KILLS=100 kills more.
func TestKilledProcessesSkipNoMailAndRepeatOnlyWhatWasTaken(t *testing.T) {
	t.Parallel()
	killing(t, 1)
}

func TestKilledProcessesSendOneMailOfABacklog(t *testing.T) {
	t.Parallel()
	killing(t, 22)
}

// killing kills processes while each reader is owed that many weeks.
func killing(t *testing.T, weeks int) {
	t.Helper()
	kills := setting(t, "MAIL_KILLS", 12)
	chance := rand.New(rand.NewPCG(uint64(setting(t, "CHAOS_SEED", 1)), 5))
	w := &world{t: t, server: mailtest.Start(t, mailtest.Plain), now: time.Now().AddDate(0, 0, -7*weeks)}
	url := dbtest.URL(t)
	w.Sender = newSender(t, db.From(dbtest.Open(t, url), 60), w.server.Addr)
	w.Now = func() time.Time { return w.now }
	s, err := w.DB.Queries().InsertStore(t.Context(), sqlc.InsertStoreParams{Slug: "acme", Name: "Acme", Timezone: "America/New_York", HistoryDays: 90})
	w.must(err)
	w.store = s.ID
	w.reader(readers(8 * kills)...)

	// Each step of the server is a moment to aim at.
	steps := make(chan struct{}, 1)
	step := func() {
		select {
		case steps <- struct{}{}:
		default:
		}
	}
	taken := make(chan mailtest.Mail, 100*kills)
	w.server.AtReader = func(string) error { step(); return nil }
	w.server.Got = taken
	w.server.AtMail = func(mailtest.Mail) error { step(); return nil }
	start := func() (kill func()) {
		return jobstest.Start(t, childDatabase+"="+url, childServer+"="+w.server.Addr)
	}
	w.now = time.Now()
	w.must(w.Sender.start(t.Context()))
	for range kills {
		select {
		case <-steps:
		default:
		}
		kill := start()
		for range 1 + chance.IntN(6) {
			select {
			case <-steps:
			case <-time.After(3 * time.Second): // killed processes still hold all mails
			}
		}
		<-time.After(time.Duration(chance.Int64N(int64(3 * time.Millisecond))))
		kill()
	}
	defer start()()
	for range 1200 {
		if left := w.rows(`select id::text from deliveries where state <> 'sent'`); len(left) == 0 {
			break
		}
		<-time.After(50 * time.Millisecond)
	}
	w.equal("how mails stand", w.rows(`select distinct state from deliveries where folded_into is null`), "sent")
	w.equal("how those stand that they stand for", w.rows(`select d.state from deliveries d join deliveries c on c.id = d.folded_into where d.state <> 'folded' or c.state <> 'sent'`))
	w.equal("weeks", w.rows(`select count(*)::text from deliveries`), strconv.Itoa(8*kills*weeks))
	copies, bodies := map[string]int{}, map[string][32]byte{}
	for range len(taken) {
		m := <-taken
		id := messageID(t, m)
		body := sha256.Sum256([]byte(m.To + m.Raw))
		if copies[id]++; copies[id] > 1 && body != bodies[id] {
			t.Errorf("%s came as another mail", id)
		}
		bodies[id] = body
	}
	again := 0
	r, err := w.DB.Pool.Query(t.Context(), `
		select d.message_id, (select count(*) from delivery_tries t where t.delivery_id = d.id and t.ended_at is null)
		from deliveries d where d.folded_into is null`)
	w.must(err)
	var id string
	var cutOff, rows int
	for r.Next() {
		w.must(r.Scan(&id, &cutOff))
		rows++
		again += copies[id] - 1
		if n := copies[id]; n == 0 {
			t.Errorf("%s never came", id)
		} else if n-1 > cutOff {
			t.Errorf("%s came %d times, and was cut off %d times", id, n, cutOff)
		}
	}
	w.must(r.Err())
	if again > kills*atOnce || rows != 8*kills || len(copies) != rows {
		t.Errorf("%d mails of %d rows and %d readers, %d repeated by %d kills", len(copies), rows, 8*kills, again, kills)
	}
	t.Logf("%d kills, %d mails, %d of them twice", kills, rows, again)
}
