package pulls_test

import (
	"context"
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
