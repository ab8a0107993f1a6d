package pulls_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/apis/sandbox"
	pulls "github.com/storeglass/storeglass/internal/sync"
)

// A person who runs a sync wants failed pulls to be retried, and reported as long as they fail,
// whatever their backoff.
func TestN66ASyncFailsAsLongAsAnyPullFails(t *testing.T) {
	t.Parallel()
	l := newLateShop(t, 12)
	l.sync("fernhollow")
	run := func(full bool) pulls.Result {
		r, err := l.syncer.Run(context.Background(), "fernhollow", pulls.RunOptions{Full: full})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	l.sandbox.Clear(sandbox.Gift, "fernhollow")
	l.sandbox.Break(sandbox.Gift, "fernhollow", sandbox.Fault{Path: "/analytics", Cause: sandbox.Internal})
	r := run(true)
	spans := 0
	for _, text := range r.Failures {
		if strings.HasPrefix(text, "gift.span ") {
			spans++
		}
	}
	if spans < 6 || r.Failed != len(r.Failures) {
		t.Errorf("%d failed, of them %d spans: %v", r.Failed, spans, r.Failures)
	}
	l.clock.set(l.clock.Now().Add(time.Second))
	if again := run(false); again.Failed == 0 {
		t.Errorf("a second sync tries what failed and says so: %+v", again)
	}
	l.sandbox.Clear(sandbox.Gift, "fernhollow")
	l.sandbox.Break(sandbox.Gift, "fernhollow", sandbox.Fault{Path: "/analytics", Edit: l.answer})
	if good := run(false); good.Failed > 0 || good.Done == 0 {
		t.Errorf("all is well again: %+v", good)
	}
	l.checkAll("after the fault", 12)
}

// A service that gives no answer isn't asked for everything that is due, each three times. What
// wasn't tried stays due, and the worker comes back in five minutes. A proxy's page refuses nothing,
// whatever its status.
func TestASilentServiceIsNotAskedForEverything(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fault sandbox.Fault
		tries int
	}{
		"the line drops":                  {sandbox.Fault{Drop: true}, 3},
		"the proxy fails":                 {sandbox.Fault{Status: http.StatusServiceUnavailable, Body: "<html>Maintenance</html>"}, 3},
		"the proxy misses it":             {sandbox.Fault{Status: http.StatusNotFound, Body: "404 page not found"}, 1},
		"the proxy redirects to its page": {sandbox.Fault{Status: http.StatusFound, Body: "<html>Maintenance</html>"}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := synced(t, options{})
			w.wakeAll()
			due := get[int](w, `select count(*) from ledger where due_at = '2020-01-01' and pull not like 'gift.%'`)
			w.sandbox.Break(sandbox.Upsell, shop, c.fault)
			start, from := w.syncer.Now(), w.mark()
			r := w.run()
			tried := due - get[int](w, `select count(*) from ledger where due_at = '2020-01-01' and claimed_until is null`)
			if asked := len(w.arrivals(sandbox.Upsell, from)); tried < 3 || tried > 6 || tried >= due || asked != c.tries*tried+1 { // and the call that decides
				t.Errorf("%d of %d pulls were tried with %d requests", tried, due, asked)
			}
			if said := fmt.Sprintf("the upsell app doesn't answer: only %d of %d pulls were tried", tried, due); !slices.Contains(r.Failures, said) {
				t.Errorf("the run says %q, want %q in it", r.Failures, said)
			}
			equal(t, "pulls of the other service that are left", get[int](w, `select count(*) from ledger where due_at = '2020-01-01' and pull like 'gift.%'`), 0)
			next := get[time.Time](w, `select next_due_at from credentials where service = 'upsell'`)
			if wait := next.Sub(start); wait < 5*time.Minute || wait > 6*time.Minute {
				t.Errorf("the worker comes back after %s, want 5 minutes", wait)
			}
			w.sandbox.Clear(sandbox.Upsell, shop)
			w.sync(shop)
			equal(t, "pulls that are left once it answers", get[int](w, `select count(*) from ledger where due_at = '2020-01-01' or outcome <> 'good'`), 0)
		})
	}
}

// A service that gives no answer to some calls is asked for everything else.
func TestCallsWithoutAnAnswerHoldUpNoOthers(t *testing.T) {
	t.Parallel()
	w := synced(t, options{})
	w.wakeAll()
	for path, f := range map[string]sandbox.Fault{"/data/analytics/summary": {Drop: true}, "/data/analytics/stats": {Status: http.StatusGatewayTimeout}, "/data/analytics/top": {Status: http.StatusNotFound, Body: "404 page not found"}} {
		f.Path = path
		w.sandbox.Break(sandbox.Upsell, shop, f)
	}
	w.run()
	equal(t, "pulls that weren't tried", get[int](w, `select count(*) from ledger where due_at = '2020-01-01'`), 0)
	equal(t, "good ones", get[string](w, `select string_agg(distinct pull, ' ' order by pull) from ledger where pull not like 'gift.%' and outcome = 'good'`), "coverage lifetime offer_count offers offers.priority")
}

// A pull that the service told to wait was due and isn't done.
func TestASyncSaysWhatTheServiceToldToWait(t *testing.T) {
	t.Parallel()
	w := synced(t, options{})
	w.wake("lifetime")
	w.sandbox.Break(sandbox.Upsell, shop, sandbox.Fault{Path: "/data/analytics/lifetime", Status: http.StatusTooManyRequests, Body: `{"success":false,"message":"Rate limit exceeded"}`})
	r := w.run()
	equal(t, "what isn't done", r.Failures, []string{"lifetime: Waiting for a slot (429)"})
	equal(t, "failed", r.Failed, 1)
}
