package pulls_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/riverqueue/river"

	"github.com/storeglass/storeglass/internal/apis/sandbox"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/jobs"
	pulls "github.com/storeglass/storeglass/internal/sync"
)

// id is a store's row id.
func (w *world) id(slug string) int64 {
	w.t.Helper()
	return get[int64](w, `select id from stores where slug = $1`, slug)
}

// shopOf is one of the sandbox's stores.
func (w *world) shopOf(slug string) sandbox.Store {
	w.t.Helper()
	for _, s := range w.sandbox.Stores() {
		if s.Slug == slug {
			return s
		}
	}
	w.t.Fatalf("the sandbox has no store %q", slug)
	return sandbox.Store{}
}

// Someone changes a store while a pull is under way: its answer, good or bad, must not be
// written, and nothing more may be sent.
func TestWhatIsUnderWayWhenAStoreChangesWritesNothing(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	changes := map[string]struct {
		change func(w *world) error
		// state is the credential's state afterwards: a refusal of the old token doesn't apply
		// to it.
		state string
	}{
		"removed": {func(w *world) error {
			return w.syncer.Remove(ctx, w.id(shop), pulls.RemovedBy{Name: "Ada"})
		}, "good"},
		"disconnected": {func(w *world) error { return w.syncer.Disconnect(ctx, w.id(shop), pulls.Upsell) }, ""},
		"rotated": {func(w *world) error {
			now := w.sandbox.Renew(sandbox.Upsell, shop)
			_, err := w.syncer.Connect(ctx, w.id(shop), pulls.Upsell, w.http.URL+now.UpsellPath, upstream.NewSecret(now.UpsellToken))
			return err
		}, "good"},
		"clock moved": {func(w *world) error {
			return w.syncer.ChangeStore(ctx, sqlc.UpdateStoreParams{ID: w.id(shop), Name: "X", Timezone: "Asia/Tokyo", HistoryDays: 1})
		}, "good"},
	}
	replies := map[string]sandbox.Fault{
		"a good reply":    {},
		"a broken reply":  {Body: "{}"},
		"a failure":       {Cause: sandbox.Internal},
		"a refused token": {Status: 401, Body: `{"success":false,"message":"Invalid token"}`},
	}
	for what, c := range changes {
		for how, fault := range replies {
			t.Run(what+"/"+how, func(t *testing.T) {
				t.Parallel()
				w := synced(t, options{rateLimit: 60, at: settledTime})
				w.exec(`update budget_slots set held_until = 'epoch'`)
				w.wake("lifetime", "coverage")
				numbers, before := w.dump(numberTables), w.one("lifetime")
				changed := false
				fault.Path = "/data/analytics/"
				fault.Edit = func(b []byte) []byte {
					if !changed {
						changed = true
						if err := c.change(w); err != nil {
							t.Error(err)
						}
					}
					return b
				}
				w.sandbox.Break(sandbox.Upsell, shop, fault)
				from := w.mark()
				_, err := w.syncer.Run(ctx, shop, pulls.RunOptions{})
				if err != nil && !errors.Is(err, pulls.ErrChanged) && !errors.Is(err, pulls.ErrRemoved) {
					t.Fatal(err)
				}
				same(t, w.dump(numberTables), numbers)
				after := w.one("lifetime")
				if after.Outcome != "good" || after.Text != before.Text || !after.LastGood.Equal(*before.LastGood) || after.Claimed != nil {
					t.Errorf("%+v was written, and held until %v", after, after.Claimed)
				}
				if what == "disconnected" {
					equal(t, "credentials", get[int](w, `select count(*) from credentials where service = 'upsell'`), 0)
				} else {
					equal(t, "credential", w.credential(shop, "upsell").State, c.state)
				}
				sent := slices.DeleteFunc(w.arrivals(sandbox.Upsell, from), func(path string) bool { return path == "/data/offers/count" })
				if how != "a failure" && how != "a refused token" { // those are retried before their pull ends
					equal(t, "calls", len(sent), 1)
				}
			})
		}
	}
}

// A pause doesn't replace the credential: an answer already under way is still valid, and is
// the last one.
func TestAPauseEndsWhatIsUnderWayAfterTheCallThatWasMade(t *testing.T) {
	t.Parallel()
	w := synced(t, options{rateLimit: 60, at: settledTime})
	w.exec(`update budget_slots set held_until = 'epoch'`)
	w.wake("lifetime", "coverage", "offer_count")
	w.sandbox.Break(sandbox.Upsell, shop, sandbox.Fault{Edit: func(b []byte) []byte {
		w.exec(`update stores set paused_at = now() where paused_at is null`)
		return b
	}})
	from := w.mark()
	if err := pulls.Jobs(w.syncer)(context.Background(), get[int64](w, `select id from credentials where service = 'upsell'`)); err != nil && !errors.Is(err, &river.JobSnoozeError{}) {
		t.Error(err)
	}
	equal(t, "calls", w.arrivals(sandbox.Upsell, from), []string{"/data/offers/count"})
	equal(t, "pulls that wait for the store to be resumed", get[int](w, `select count(*) from ledger where due_at = '2020-01-01' and claimed_until is null`), 2)
}

// A store whose numbers are fresh has no call due for up to 15 minutes, and would say "not checked yet".
func TestAResumedStoreIsCheckedAtOnce(t *testing.T) {
	t.Parallel()
	w := synced(t, options{rateLimit: 60})
	w.exec(`update stores set paused_at = now()`)
	w.exec(`update credentials set state = 'paused', paused_cause = 'token', paused_at = now()`)
	if err := w.db.Resume(context.Background(), w.seen(shop)); err != nil {
		t.Fatal(err)
	}
	from := w.mark()
	w.sync(shop)
	equal(t, "upsell", w.arrivals(sandbox.Upsell, from), []string{"/data/offers/count"})
	equal(t, "gift", w.arrivals(sandbox.Gift, from), []string{"/plan"})
	equal(t, "state", w.credential(shop, "upsell").State+" "+w.credential(shop, "gift").State, "good good")
}

// The new token has its own budget, and what it can read is pulled with it.
func TestAReplacedTokenIsForgottenAndItsBudgetIsAnother(t *testing.T) {
	t.Parallel()
	w := synced(t, options{rateLimit: 60, at: settledTime})
	ctx := context.Background()
	before := get[[]byte](w, `select budget from credentials where service = 'upsell'`)
	w.exec(`update budget_slots set held_until = now() + interval '1 hour' where budget = $1`, before) // the old one is spent
	now := w.sandbox.Renew(sandbox.Upsell, shop)
	if _, err := w.syncer.Connect(ctx, w.id(shop), pulls.Upsell, w.http.URL+now.UpsellPath, upstream.NewSecret(now.UpsellToken)); err != nil {
		t.Fatal(err)
	}
	equal(t, "version", get[int](w, `select version from credentials where service = 'upsell'`), 2)
	equal(t, "tail", get[string](w, `select token_tail from credentials where service = 'upsell'`), now.UpsellToken[len(now.UpsellToken)-4:])
	w.wake("lifetime")
	from := w.mark()
	w.sync(shop)
	last := w.sandbox.Arrivals()[from:]
	if len(last) != 1 || last[0].Token != now.UpsellToken || last[0].Status != 200 {
		t.Errorf("%+v", last)
	}
	equal(t, "slots of the new budget in use", get[int](w, `select count(*) from budget_slots where budget <> $1 and held_until > now() and budget in (select budget from credentials where service = 'upsell')`, before) >= 2, true)
}

func TestARemovedStoreIsLeftAloneComesBackWholeAndIsDeletedAfterThirtyDays(t *testing.T) {
	t.Parallel()
	w := synced(t, options{at: settledTime})
	ctx := context.Background()
	id := w.id(shop)
	everything := append([]string{"credentials", "ledger", "replies"}, numberTables...)
	before := w.dump(everything, "next_due_at")
	due := func() int {
		w.exec(`update credentials set next_due_at = '2020-01-01'`)
		rows, err := w.db.Queries().DueCredentials(ctx, new(w.clock.Now()))
		if err != nil {
			t.Fatal(err)
		}
		return len(rows)
	}
	remove := func() {
		if err := w.syncer.Remove(ctx, id, pulls.RemovedBy{Name: "Ada"}); err != nil {
			t.Fatal(err)
		}
	}
	remove()
	equal(t, "removed twice", errors.Is(w.syncer.Remove(ctx, id, pulls.RemovedBy{}), pulls.ErrRemoved), true)
	equal(t, "due while removed", due(), 0)
	_, err := w.syncer.Run(ctx, shop, pulls.RunOptions{})
	equal(t, "pulls by hand", errors.Is(err, pulls.ErrRemoved), true)
	_, err = w.syncer.CheckProducts(ctx, shop, []string{"mug"})
	equal(t, "product checks", errors.Is(err, pulls.ErrUnknownStore), true)
	_, err = w.syncer.Connect(ctx, id, pulls.Upsell, w.http.URL+w.shopOf(shop).UpsellPath, upstream.NewSecret(w.shopOf(shop).UpsellToken))
	equal(t, "connecting", errors.Is(err, pulls.ErrRemoved), true)

	w.clock.set(settledTime.Add(pulls.RemovedFor - time.Second))
	if err := w.syncer.Purge(ctx, id); err != nil {
		t.Fatal(err)
	}
	if err := w.syncer.Restore(ctx, id); err != nil {
		t.Fatal(err)
	}
	same(t, w.dump(everything, "next_due_at"), before)
	equal(t, "due again", due(), 2)
	equal(t, "restored twice", errors.Is(w.syncer.Restore(ctx, id), pulls.ErrUnknownStore), true)

	remove()
	removed, err := w.syncer.Removed(ctx)
	if err != nil || len(removed) != 1 || *removed[0].RemovedBy != "Ada" {
		t.Errorf("%+v, %v", removed, err)
	}
	w.clock.set(w.clock.Now().Add(pulls.RemovedFor))
	equal(t, "too late", errors.Is(w.syncer.Restore(ctx, id), pulls.ErrUnknownStore), true)
	if removed, err = w.syncer.Removed(ctx); err != nil || len(removed) != 0 {
		t.Errorf("%+v, %v", removed, err)
	}
	if err := w.syncer.Purge(ctx, id); err != nil {
		t.Fatal(err)
	}
	for _, table := range append(everything, "stores") {
		equal(t, "rows of "+table, get[int](w, `select count(*) from `+table), 0)
	}
}

// The tick finds the stores to delete, and a separate job deletes them.
func TestTheWorkerDeletesWhatWasRemovedLongAgo(t *testing.T) {
	t.Parallel()
	w := synced(t, options{})
	w.exec(`update stores set removed_at = now() - interval '31 days'`)
	gone := w.listen(`create function told() returns trigger language plpgsql as 'begin notify gone; return null; end';
		create trigger told after delete on stores for each row execute function told(); listen gone`)
	w.work("@every 1s")
	gone()
}

// listen waits for a notification of the database, up to a time limit.
func (w *world) listen(sql string) (wait func()) {
	w.t.Helper()
	conn, err := w.db.Pool.Acquire(context.Background())
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(conn.Release)
	if _, err := conn.Exec(context.Background(), sql); err != nil {
		w.t.Fatal(err)
	}
	return func() {
		w.t.Helper()
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
		defer cancel()
		if _, err := conn.Conn().WaitForNotification(ctx); err != nil {
			w.t.Fatal(err)
		}
	}
}

// work runs a worker until the test ends.
func (w *world) work(schedule string) {
	w.t.Helper()
	stop := w.start(schedule)
	w.t.Cleanup(stop)
}

// start runs a worker until stop.
func (w *world) start(schedule string) (stop func()) {
	w.t.Helper()
	ticks, err := jobs.ParseSchedule(schedule)
	if err != nil {
		w.t.Fatal(err)
	}
	set := jobs.NewSet()
	w.syncer.Jobs(set, ticks)
	engine, err := jobs.Start(context.Background(), w.syncer.DB.Pool, w.syncer.Log, set)
	if err != nil {
		w.t.Fatal(err)
	}
	return func() {
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
		defer cancel()
		if err := engine.Stop(ctx); err != nil {
			w.t.Error(err)
		}
	}
}

// person adds a person to whom a connection can belong.
func (w *world) person(name string) int64 {
	w.t.Helper()
	return get[int64](w, `insert into people (email, name, role) values ($1 || '@example.com', $1, 'merchant') returning id`, name)
}

// look checks both services of a shop, as the first step of adding it does.
func (w *world) look(slug string) []pulls.Checked {
	w.t.Helper()
	s := w.shopOf(slug)
	var out []pulls.Checked
	for service, at := range map[string][2]string{pulls.Upsell: {s.UpsellPath, s.UpsellToken}, pulls.Gift: {s.GiftPath, s.GiftKey}} {
		token := upstream.NewSecret(at[1])
		found, err := w.syncer.Discover(context.Background(), service, w.http.URL+at[0], token)
		if err != nil {
			w.t.Fatal(err)
		}
		out = append(out, pulls.Checked{Service: service, BaseURL: w.http.URL + at[0], Token: token, Found: found})
	}
	slices.SortFunc(out, func(a, b pulls.Checked) int { return strings.Compare(b.Service, a.Service) })
	return out
}
