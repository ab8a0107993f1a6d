// Package words is what several commands say alike: errors of services, times, counts.
package words

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/storeglass/storeglass/internal/apis/gift"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/locale"
	pulls "github.com/storeglass/storeglass/internal/sync"
)

// Interrupted replaces what a cancelled context makes of an error.
func Interrupted(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return errors.New("interrupted")
	}
	return err
}

// Count is "1 step", "2 steps".
func Count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// ServiceError says what came of asking a service with a token, and what to do.
func ServiceError(service, address string, err error) error {
	if private, ok := errors.AsType[*upstream.NotPublic](err); ok {
		return private
	}
	if _, other := errors.AsType[*pulls.OtherShop](err); other {
		return fmt.Errorf("%w: use a token of that shop, or add the other shop as its own store", err)
	}
	f, ok := errors.AsType[*upstream.Failure](err)
	if !ok {
		return err
	}
	who := fmt.Sprintf("the %s service at %s", service, address)
	if advice := pulls.Advice(service, err); advice != nil {
		return fmt.Errorf("%s: %s", who, advice.In(locale.English))
	}
	switch {
	case f.Kind == upstream.Wait:
		return fmt.Errorf("%s got too many calls with this token: try again after %s", who, Clock(f.Until))
	case f.Status == http.StatusNotFound:
		return fmt.Errorf("%s does not answer (%s): check that the address is complete, up to the version", who, f.Said())
	case f.Unsuccessful(), f.Kind == upstream.Retry && f.Status != 0:
		return fmt.Errorf("%s returned an error (%s): try again later", who, f.Said())
	case f.InData():
		return fmt.Errorf("%s gave an answer that doesn't match its documentation (%s): the address is right; try again later, or ask the app's support", who, f.Said())
	case f.Kind == upstream.Quarantine:
		return fmt.Errorf("%s gave an answer that isn't from this service (%s): check the address", who, f.Said())
	case f.Kind == upstream.OurFault && f.Status != 0:
		return fmt.Errorf("%s refuses the call (%s): check that the address is complete, with every part that the service names, and up to the version", who, f.Said())
	case f.Kind == upstream.Retry:
		return fmt.Errorf("%s can't be reached (%s): check the address, or try again later", who, f.Said())
	}
	return fmt.Errorf("%s: %s", who, f.Said())
}

func UnknownStore(slug string) error {
	return fmt.Errorf("there is no store %q: `dashboard store list` lists them", slug)
}

// Moment writes a time of the operator's records; none is a dash.
func Moment(t *time.Time) string {
	if t == nil || t.IsZero() {
		return "-"
	}
	return t.UTC().Format("2006-01-02 15:04 UTC")
}

// Clock writes a time that is at most hours away.
func Clock(t time.Time) string { return t.UTC().Format("15:04:05 UTC") }

// Found names what a service told of its store.
func Found(f pulls.Found) string {
	var words []string
	for _, w := range []string{f.Domain, f.Currency, f.Timezone} {
		if w != "" {
			words = append(words, w)
		}
	}
	if f.Plan != "" {
		words = append(words, "plan "+f.Plan)
	}
	if f.Service == pulls.Upsell {
		words = append(words, Count(int(f.Offers), "offer"))
	}
	return strings.Join(words, ", ")
}

func TokenVariable(service string) string { return "STORE_" + strings.ToUpper(service) + "_TOKEN" }

// GiftError says what came of a call, and what to do.
func GiftError(store string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, pulls.ErrUnknownStore):
		return UnknownStore(store)
	case errors.Is(err, pulls.ErrNoGift):
		return fmt.Errorf("%w: connect it with `dashboard store set %s --gift-url U`", err, store)
	case errors.Is(err, pulls.ErrPaused):
		return fmt.Errorf("%w Once that is fixed, run `dashboard store resume %s`", err, store)
	case errors.Is(err, pulls.ErrTrialLapsed):
		return fmt.Errorf("%w: a call now would revoke every key of the store, so none is made. Choose a plan in the gift app first", err)
	}
	f, ok := errors.AsType[*upstream.Failure](err)
	switch {
	case !ok:
		return err
	case f.Code == gift.InsufficientScope:
		return fmt.Errorf("the gift key may not do this (%s): raise its access level in the app's settings, Store API; the key stays the same. "+
			"Or set %s to a key that has the level: write to change campaigns and widgets, delete to delete campaigns", f.Said(), TokenVariable(pulls.Gift))
	case f.Code == gift.WriteRateLimit:
		return fmt.Errorf("the gift service takes 20 writes a minute with one key, and each change is two: try again after %s", Clock(f.Until))
	case f.Code == gift.InvalidInput:
		return fmt.Errorf("the gift service refuses this: %s. Nothing was changed", f.Message)
	}
	return ServiceError(pulls.Gift, store, err)
}
