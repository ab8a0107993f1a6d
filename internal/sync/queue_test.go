package pulls_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/riverqueue/river/rivertype"

	"github.com/storeglass/storeglass/internal/apis/sandbox"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/dbtest"
	"github.com/storeglass/storeglass/internal/jobs/jobstest"
	pulls "github.com/storeglass/storeglass/internal/sync"
)

// unread is a store whose offers are listed but have no details yet: they all wait because the
// budget only has the slots for people left.
func unread(t *testing.T) (w *world, store db.ScopedStore) {
	t.Helper()
	return unreadBehind(t, nil)
}

// unreadBehind is unread with something in front of the services.
func unreadBehind(t *testing.T, front func(http.Handler) http.Handler) (w *world, store db.ScopedStore) {
	t.Helper()
	w = newWorld(t, options{rateLimit: 60, limit: 60, details: true, front: front})
	w.add(shop, 1)
	w.exec(`insert into offers (store_id, offer_id, name, status, placement, ab_test, deleted, first_seen_at, last_listed_at, last_walk)
		select id, 'offer-' || n, 'Offer', 'active', 'Coupon offer', false, false, now(), now(), 0 from stores, generate_series(1, 40) n`)
	w.exec(`insert into ledger (store_id, pull, subject, service, due_at)
		select store_id, p, offer_id, 'upsell', now() from offers, unnest(array['offer.setup', 'offer.stages', 'offer.recommendations']) p`)
	return w, w.seen(shop)
}

func (w *world) want(store db.ScopedStore, id string) int64 {
	w.t.Helper()
	n, err := pulls.Queue{DB: w.db, Jobs: w.db}.Want(context.Background(), store, id, w.clock.Now())
	if err != nil {
		w.t.Fatal(err)
	}
	return n
}

func TestOpeningPagesCantSpendABudget(t *testing.T) {
	t.Parallel()
	w, store := unread(t)
	equal(t, "pulls of an offer", w.want(store, "offer-1"), 3)
	equal(t, "opened again", w.want(store, "offer-1"), 0)
	equal(t, "of no offer", w.want(store, "nothing"), 0)
	for i := range 40 {
		w.want(store, fmt.Sprint("offer-", i+1))
	}
	equal(t, "wanted at once", get[int](w, `select count(*) from ledger where wanted_at is not null`), 30)
	w.exec(`update ledger set tried_at = now(), last_good_at = now(), wanted_at = wanted_at - interval '1 second' where wanted_at is not null`)
	equal(t, "one that is fresh", w.want(store, "offer-1"), 0)
	equal(t, "the next, once those were made", w.want(store, "offer-39"), 3)
	w.exec(`update ledger set tried_at = now() - interval '25 hours', last_good_at = now() - interval '25 hours', wanted_at = null where subject = 'offer-1'`)
	equal(t, "one that is a day old", w.want(store, "offer-1"), 3)
}

func TestAPageMayWantAnOfferAndNotChangeItsNumbers(t *testing.T) {
	t.Parallel()
	w, _ := unread(t)
	pages := dbtest.As(t, w.db.Pool, db.Pages)
	for sql, allowed := range map[string]bool{
		`update ledger set wanted_at = now(), due_at = now() where false`: true,
		`update ledger set outcome = 'good' where false`:                  false,
		`insert into ledger (store_id, pull) values (1, 'x')`:             false,
	} {
		if _, err := pages.Exec(context.Background(), sql); (err == nil) != allowed {
			t.Errorf("%s: %v", sql, err)
		}
	}
}

// The credential's own job waits for a slot; the slots for people are free.
func TestAnOpenedOfferIsPulledWhileTheScheduleWaits(t *testing.T) {
	t.Parallel()
	w, store := unread(t)
	w.exec(`update ledger set due_at = null where pull not like 'offer.%'`)
	w.exec(`update credentials set next_due_at = null`)
	w.exec(`update budget_slots set held_until = now() + interval '10 minutes' where n > 10`)
	jobstest.DeleteAll(t, w.syncer.DB.Pool)
	came := w.listen(`create function came() returns trigger language plpgsql as 'begin notify came; return null; end';
		create trigger came after update on ledger for each row when (new.pull = 'offer.recommendations' and new.tried_at is not null) execute function came(); listen came`)
	w.work("@every 1h")
	from := w.mark()
	w.want(store, "offer-7")
	came()
	for _, path := range w.arrivals(sandbox.Upsell, from) {
		if strings.Contains(path, "offer-") && !strings.Contains(path, "offer-7") {
			t.Errorf("asked for %s too, which nobody opened", path)
		}
	}
	equal(t, "others tried", get[int](w, `select count(*) from ledger where pull like 'offer.%' and tried_at is not null and subject <> 'offer-7'`), 0)
}

// The job of the offer that was opened first may hang, or have looked for its work for the last time.
func TestAnOfferOpenedDuringAnotherJobIsPulledAtOnce(t *testing.T) {
	t.Parallel()
	arrived, release := make(chan struct{}, 20), make(chan struct{})
	w, store := unreadBehind(t, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "/data/offer/offer-7") {
				arrived <- struct{}{}
				<-release
			}
			next.ServeHTTP(rw, r)
		})
	})
	w.exec(`update ledger set due_at = null`)
	w.exec(`update credentials set next_due_at = null`)
	jobstest.DeleteAll(t, w.syncer.DB.Pool)
	came := w.listen(`create function came() returns trigger language plpgsql as 'begin notify came; return null; end';
		create trigger came after update on ledger for each row when (new.subject = 'offer-8' and new.pull = 'offer.recommendations' and new.tried_at is not null) execute function came(); listen came`)
	w.work("@every 1h")
	for !slices.ContainsFunc(jobstest.Of(t, w.syncer.DB.Pool, "tick"), func(j *rivertype.JobRow) bool { return j.FinalizedAt != nil }) {
		time.Sleep(20 * time.Millisecond) // the tick of the start would find what is wanted
	}
	w.want(store, "offer-7")
	<-arrived
	w.want(store, "offer-8")
	came()
	equal(t, "what hangs was tried", get[bool](w, `select tried_at is not null from ledger where subject = 'offer-7' and pull = 'offer.setup'`), false)
	if due := get[*time.Time](w, `select next_due_at from credentials where service = 'upsell'`); due == nil {
		t.Error("the tick wouldn't look for what people wait for")
	}
	close(release)
}

// One service may have more recent replies than we look at; the other service's call time is
// known all the same.
func TestN69AnEstimateKnowsTheCallTimesOfBothServices(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{at: frozen()})
	w.add(shop, 31)
	w.sync(shop)
	w.exec(`update replies set took_ms = case when pull like 'gift.%' then 70 else 30 end`)
	for _, newest := range []string{"like", "not like"} {
		w.exec(`update replies set fetched_at = fetched_at + interval '1 day' where pull ` + newest + ` 'gift.%'`)
		w.exec(`insert into replies (store_id, pull, subject, good, endpoint, query, status, body, fetched_at, took_ms)
			select store_id, pull, 'copy ' || n, good, endpoint, query, status, body, fetched_at + interval '1 hour', took_ms
			from generate_series(1, 50) n, (select * from replies where pull ` + newest + ` 'gift.%' order by fetched_at desc limit 1) r`)
		q, err := w.db.StoredQueue(context.Background(), w.seen(shop))
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "milliseconds", q.Millis, map[string]float64{"upsell": 30, "gift": 70})
	}
}
