package storeadmin

import (
	"cmp"
	"context"
	"errors"
	"math"
	"net/http"
	"slices"
	"time"

	"github.com/storeglass/storeglass/internal/access/seal"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/locale"
	pulls "github.com/storeglass/storeglass/internal/sync"
)

// words tell a person on a page why a service wasn't connected and what to do, with the
// causes and remedies from the API documents. ok is false if err is neither a service's
// answer nor one of our rules, but a failure.
func (a *Admin) words(ctx context.Context, service, address string, err error) (words string, ok bool) {
	l := locale.From(ctx)
	f, failed := errors.AsType[*upstream.Failure](err)
	var private *upstream.NotPublic
	var other *pulls.OtherShop
	switch {
	case errors.As(err, &private):
		// Don't name the address it resolves to, which may be inside someone's network.
		return l.T("connect.refused.not_public"), true
	case errors.As(err, &other):
		return l.T("connect.refused.other_shop", "found", other.Found, "bound", other.Bound), true
	case errors.Is(err, pulls.ErrNotConnected):
		return l.T("call.not_connected." + service), true
	case errors.Is(err, pulls.ErrTrialLapsed) && !failed:
		return l.T("state.advice.gift.trial_lapsed"), true
	case errors.Is(err, seal.ErrSealed):
		return l.T("connect.refused.sealed." + service), true
	case errors.Is(err, context.DeadlineExceeded):
		return l.T("connect.refused.slow."+service, "wait", waitWords(ctx, a.Patience)), true
	case !failed:
		_, err := upstream.CheckBase(address, a.Sync.Allow)
		return l.T("connect.refused.address"), err != nil
	case f.Kind == upstream.Pause && f.Status == 0 && f.Code == "":
		return l.T("connect.refused.not_sent"), true
	}
	if advice := pulls.Advice(service, err); advice != nil {
		if f.Status == http.StatusUnauthorized { // the most common mistake
			advice = slices.Insert(advice, 1, locale.M("connect.refused.which."+service))
		}
		return advice.In(l), true
	}
	var none *upstream.NoSlot
	cause := "refuses"
	switch {
	case errors.As(err, &none):
		return l.T("call.none_left", "n", seconds(time.Until(none.Until))), true
	case f.Kind == upstream.Wait:
		return l.T("call.wait."+service, "n", seconds(cmp.Or(f.RetryAfter, time.Minute))), true
	case f.Status == http.StatusNotFound:
		cause = "not_there"
	case f.Unsuccessful(), f.Kind == upstream.Retry && f.Status != 0:
		cause = "fails"
	case f.InData():
		cause = "differs"
	case f.Kind == upstream.Quarantine:
		cause = "not_it"
	case f.Kind == upstream.Retry:
		cause = "unreachable"
	}
	return l.T("connect.refused.reply."+cause+"."+service, "said", f.Said()), true
}

// waitWords is a wait in whole seconds or minutes, at least one.
func waitWords(ctx context.Context, d time.Duration) string {
	n := seconds(d)
	if n > 90 {
		return locale.T(ctx, "problem.wait.minutes", "n", (n+59)/60)
	}
	return locale.T(ctx, "problem.wait.seconds", "n", n)
}

func seconds(d time.Duration) int64 { return int64(math.Ceil(max(d, time.Second).Seconds())) }
