package pulls_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/apis/sandbox"
	pulls "github.com/storeglass/storeglass/internal/sync"
)

// tick moves the clock to so many minutes after from and does a worker's job at that time.
func (w *world) tick(from time.Time, minute int) {
	w.t.Helper()
	w.clock.set(from.Add(time.Duration(minute) * time.Minute))
	if err := pulls.Tick(context.Background(), w.syncer); err != nil {
		w.t.Fatalf("minute %d: %v", minute, err)
	}
}

// doubts is a front that now and then refuses good tokens: 3% of the requests, and each time
// also the next one, which is the retry.
func doubts(services http.Handler) http.Handler {
	var mu sync.Mutex
	dice, again := rand.New(rand.NewPCG(7, 7)), false
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		refuse := again || dice.Float64() < 0.03
		again = refuse && !again
		mu.Unlock()
		if !refuse {
			services.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = w.Write([]byte(`{"success":false,"data":null,"message":"Unauthorized","error":{"code":"INVALID_KEY","message":"Unauthorized"}}`))
	})
}

func TestN70RefusalsInPassingDontStopAFirstSync(t *testing.T) {
	t.Parallel()
	on := make(chan struct{})
	w := newWorld(t, options{at: settledTime, front: func(services http.Handler) http.Handler {
		doubtful := doubts(services)
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			select {
			case <-on:
				doubtful.ServeHTTP(w, r)
			default:
				services.ServeHTTP(w, r)
			}
		})
	}})
	w.add(shop, 100)
	w.exec(`update credentials set next_due_at = '2020-01-01'`) // only the test's clock counts
	close(on)
	refusals, minute := 0, 0
	for ; minute < 120; minute++ {
		w.tick(settledTime, minute)
		refusals += get[int](w, `select count(*) from credentials where paused_at = $1`, w.clock.Now())
		if n := get[int](w, `select count(*) from credentials where state = 'paused'`); n > 0 {
			t.Fatalf("minute %d: a credential is paused", minute)
		}
		if get[int](w, `select count(*) from summaries where window_start = window_end and not partial`) == 100 &&
			get[int](w, `select count(*) from ledger where due_at <= $1 and service = 'upsell' or failing_since is not null`, w.clock.Now()) == 0 {
			break
		}
	}
	if refusals < 3 {
		t.Errorf("%d refusals came in passing: too few to show anything", refusals)
	}
	t.Logf("100 days after %d minutes and %d refusals", minute, refusals)
	equal(t, "days", get[int](w, `select count(*) from summaries where window_start = window_end and not partial`), 100)
	equal(t, "pulls that count as failing", get[int](w, `select count(*) from ledger where failing_since is not null`), 0)
}

// probes ticks every minute and returns the minutes in which the service was called, once each.
func (w *world) probes(service sandbox.Service, from time.Time, first, last int) []int {
	w.t.Helper()
	var out []int
	for minute := first; minute <= last; minute++ {
		mark := w.mark()
		w.tick(from, minute)
		if n := len(w.arrivals(service, mark)); n > 0 {
			out = append(out, minute)
			equal(w.t, fmt.Sprintf("requests in minute %d", minute), n, 1)
		}
	}
	return out
}

func TestN70ARevokedTokenIsProbedBySchedule(t *testing.T) {
	t.Parallel()
	soon := []int{1, 3, 8, 18, 48, 108, 228, 468}
	slow := []int{60, 180, 420}
	gone := sandbox.Fault{Status: 403, Body: `{"success":false,"data":null,"error":{"code":"INSUFFICIENT_SCOPE","message":"Too low."}}`}
	for name, c := range map[string]struct {
		service sandbox.Service
		fault   sandbox.Fault
		want    []int
		state   string // in minute 17
	}{
		"upsell token": {sandbox.Upsell, sandbox.Fault{Cause: sandbox.Revoked}, soon, "doubtful"},
		"wrong shop":   {sandbox.Upsell, sandbox.Fault{Status: 403, Body: `{"success":false,"message":"Not this shop"}`}, slow, "paused"},
		"gift key":     {sandbox.Gift, sandbox.Fault{Cause: sandbox.Revoked}, soon, "doubtful"},
		"gift scope":   {sandbox.Gift, gone, slow, "paused"},
		"gift plan":    {sandbox.Gift, sandbox.Fault{Cause: sandbox.NoPlan}, nil, "paused"},
		"gift app":     {sandbox.Gift, sandbox.Fault{Cause: sandbox.Uninstalled}, nil, "paused"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := synced(t, options{at: settledTime})
			w.exec(`delete from credentials where service <> $1`, string(c.service))
			w.sandbox.Break(c.service, shop, c.fault)
			w.wakeAll()
			w.exec(`update credentials set next_due_at = '2020-01-01'`)
			w.tick(settledTime, 0)
			attempts := get[int](w, `select sum(attempts) from ledger`)
			asked := w.probes(c.service, settledTime, 1, 17)
			equal(t, "state", w.credential(shop, string(c.service)).State, c.state)
			equal(t, "probes", append(asked, w.probes(c.service, settledTime, 18, 480)...), c.want)
			equal(t, "state when it has lasted", w.credential(shop, string(c.service)).State, "paused")
			equal(t, "attempts of pulls", get[int](w, `select sum(attempts) from ledger`), attempts)
			if c.want == nil {
				return
			}
			w.sandbox.Clear(c.service, shop)
			w.tick(settledTime, 480+6*60)
			equal(t, "by itself", w.credential(shop, string(c.service)), credential{State: "good"})
			equal(t, "pulls go on", get[bool](w, `select count(*) > 5 from ledger where last_good_at = $1`, w.clock.Now()), true)
		})
	}
}

// A service that refuses one endpoint but accepts the cheapest call doesn't get the two in
// turns forever, and everything else is pulled.
func TestN70OneRefusedEndpointStopsNothingElse(t *testing.T) {
	t.Parallel()
	w := synced(t, options{at: settledTime})
	w.exec(`delete from credentials where service = 'gift'`)
	w.sandbox.Break(sandbox.Upsell, shop, sandbox.Fault{Path: "/data/analytics/lifetime", Cause: sandbox.Unchecked})
	w.wakeAll()
	from := w.mark()
	result := w.run()
	equal(t, "by hand", result.Failed, 1)
	w.exec(`update ledger set attempts = 0, due_at = '2020-01-01' where service = 'upsell'`)
	w.exec(`update credentials set next_due_at = '2020-01-01'`)
	for minute := range 60 {
		w.tick(settledTime, minute)
	}
	lifetime := 0
	for _, path := range w.arrivals(sandbox.Upsell, from) {
		if strings.HasPrefix(path, "/data/analytics/lifetime") {
			lifetime++
		}
	}
	if lifetime > 16 { // two tries each: twice by hand, then at first, again, and with growing waits
		t.Errorf("the refused endpoint was asked %d times in an hour", lifetime)
	}
	equal(t, "pulls that still wait", get[int](w, `select count(*) from ledger where service = 'upsell' and pull <> 'lifetime' and due_at < '2021-01-01'`), 0)
	equal(t, "a person", get[int](w, `select count(*) from credentials where state = 'paused'`), 0)
}

func TestN70AKeyIsNotProbedOnceTheTrialHasLapsed(t *testing.T) {
	t.Parallel()
	w := synced(t, options{at: settledTime})
	w.exec(`delete from credentials where service = 'upsell'`)
	w.sandbox.Break(sandbox.Gift, shop, sandbox.Fault{Cause: sandbox.Revoked})
	w.wakeAll()
	w.exec(`update credentials set next_due_at = '2020-01-01'`)
	w.tick(settledTime, 0)
	equal(t, "refused", w.credential(shop, "gift").Cause, "INVALID_KEY")
	w.exec(`update gift_plans set body = body || '{"is_paid": false, "trial_ends_at": "2020-01-31T00:00:00"}'`)
	equal(t, "probes", len(w.probes(sandbox.Gift, settledTime, 1, 60)), 0)
	got := w.credential(shop, "gift")
	equal(t, "credential", got.State+" "+got.Cause, "paused trial_lapsed")
}

func TestN70AnOutageIsOneProbeForAllAndEndsForAllAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{at: settledTime})
	var slugs []string
	for _, s := range w.sandbox.Stores()[:4] {
		slugs = append(slugs, s.Slug)
		w.add(s.Slug, 1)
		w.sync(s.Slug)
	}
	w.exec(`delete from credentials where service = 'gift'`)
	for _, slug := range slugs {
		w.sandbox.Break(sandbox.Upsell, slug, sandbox.Fault{Cause: sandbox.Revoked})
	}
	w.wakeAll()
	w.exec(`update credentials set next_due_at = '2020-01-01'`)
	w.tick(settledTime, 1)
	equal(t, "probes for four stores", w.probes(sandbox.Upsell, settledTime, 2, 300), []int{2, 4, 9, 19, 49, 109, 229})
	equal(t, "doubtful in an outage", get[int](w, `select count(*) from credentials where state = 'doubtful' and outage_since = $1`, settledTime.Add(time.Minute)), 4)

	for _, slug := range slugs {
		w.sandbox.Clear(sandbox.Upsell, slug)
	}
	w.tick(settledTime, 469)
	equal(t, "one answers", get[int](w, `select count(*) from credentials where state = 'good'`), 1)
	equal(t, "nobody is in an outage", get[int](w, `select count(*) from credentials where outage_since is not null`), 0)
	w.tick(settledTime, 470)
	equal(t, "all answer", get[int](w, `select count(*) from credentials where state = 'good'`), 4)
}

func TestN70OneTokenStaysRefusedWhenAnOutageIsOver(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{at: settledTime})
	stores := w.sandbox.Stores()[:3]
	for _, s := range stores {
		w.add(s.Slug, 1)
		w.sync(s.Slug)
		w.sandbox.Break(sandbox.Upsell, s.Slug, sandbox.Fault{Cause: sandbox.Revoked})
	}
	w.exec(`delete from credentials where service = 'gift'`)
	w.wakeAll()
	w.exec(`update credentials set next_due_at = '2020-01-01'`)
	for minute := range 60 {
		w.tick(settledTime, minute)
	}
	for _, s := range stores[1:] {
		w.sandbox.Clear(sandbox.Upsell, s.Slug)
	}
	var states []string
	for minute := 60; minute < 460; minute++ {
		w.tick(settledTime, minute)
		if s := w.credential(stores[0].Slug, "upsell").State; len(states) == 0 || states[len(states)-1] != s {
			states = append(states, s)
		}
	}
	equal(t, "its states", states, []string{"doubtful", "paused"})
	equal(t, "the others", get[int](w, `select count(*) from credentials where state = 'good'`), 2)
}

func TestN70APersonsCheckMovesNoSchedule(t *testing.T) {
	t.Parallel()
	w := synced(t, options{at: settledTime})
	w.exec(`delete from credentials where service = 'gift'`)
	w.sandbox.Break(sandbox.Upsell, shop, sandbox.Fault{Cause: sandbox.Revoked})
	w.wakeAll()
	w.exec(`update credentials set next_due_at = '2020-01-01'`)
	w.tick(settledTime, 0)
	id := get[int64](w, `select id from credentials`)
	for range 5 {
		got, err := w.syncer.Recheck(context.Background(), id)
		if err != nil || got.Answers {
			t.Fatalf("%+v, %v", got, err)
		}
		equal(t, "words", got.Words, "The upsell token was refused. Check that the app is installed and, in its settings under Developer Tools, that the token wasn’t revoked. Then connect the store again. The app said: “Invalid token.” Storeglass checks again at 12:01 UTC and continues as soon as it is accepted.")
	}
	equal(t, "state", w.credential(shop, "upsell").State, "doubtful")
	equal(t, "probes", w.probes(sandbox.Upsell, settledTime, 1, 17), []int{1, 3, 8})
	w.sandbox.Clear(sandbox.Upsell, shop)
	got, err := w.syncer.Recheck(context.Background(), id)
	if err != nil || !got.Answers {
		t.Fatalf("%+v, %v", got, err)
	}
	equal(t, "credential", w.credential(shop, "upsell"), credential{State: "good"})
	w.tick(settledTime, 17)
	equal(t, "what still waits", get[int](w, `select count(*) from ledger where due_at < $1 and service = 'upsell'`, settledTime), 0)
}
