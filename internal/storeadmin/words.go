package storeadmin

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strings"
	"time"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/report"
	pulls "github.com/storeglass/storeglass/internal/sync"
)

// words say to a person on a page why a service was not connected, and what to do: the
// documents' causes and actions. ok is false for what is no answer of a service, nor a
// rule of ours: a fault.
func (a *Admin) words(service, address string, err error) (words string, ok bool) {
	f, failed := errors.AsType[*upstream.Failure](err)
	var private *upstream.NotPublic
	switch {
	case errors.As(err, &private):
		// The address that the name leads to stays untold: it may be of the inside of somebody's network.
		return "This address is not public, so it is not called. Copy the base address from the app’s settings.", true
	case errors.Is(err, pulls.ErrOtherShop):
		return upper(err.Error()) + ". Give a token of that shop, or add the other one as a store of its own.", true
	case errors.Is(err, pulls.ErrNotConnected):
		return "The " + service + " service is not connected.", true
	case errors.Is(err, pulls.ErrTrialLapsed) && !failed:
		return upper(err.Error()) + ". A call now would let the service revoke every key of the store, so none is made. Choose a plan in the gift app, then resume this store.", true
	case errors.Is(err, access.ErrSealed):
		return "The stored " + tokenName(service) + " can’t be opened any more: this server’s secret key was changed. Paste it again, with “Replace”.", true
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Sprintf("The %s service did not answer within %s. Nothing was changed. Check the address, or try again in a moment.", service, waitWords(a.Patience)), true
	case !failed:
		return badAddress(address, a.Sync.Allow)
	}
	if f.Kind == upstream.Pause && f.Status == 0 && f.Code == "" {
		return "It was not sent: " + f.Message + ".", true
	}
	var none *upstream.NoSlot
	if advice := pulls.Advice(service, err); advice != "" {
		return advice + otherToken(service, f), true
	}
	switch {
	case errors.As(err, &none):
		return "This minute’s calls with this token are spent. Try again in " + waitWords(time.Until(none.Until)) + ".", true
	case f.Kind == upstream.Wait:
		return "The " + service + " service asks to wait: too many calls were made with this token. Try again in " + waitWords(cmp.Or(f.RetryAfter, time.Minute)) + ".", true
	case f.Kind == upstream.Pause:
		return upper(f.Message) + ".", true
	case f.Status == http.StatusNotFound:
		return "Nothing is at this address (" + f.Said() + "). Check that it is complete, up to the version, and that it is the " + service + " service’s.", true
	case f.Kind == upstream.Quarantine:
		return "What answers at this address is not the " + service + " service (" + f.Said() + "). Check the address.", true
	case f.Kind == upstream.Retry && f.Status != 0:
		return "The " + service + " service fails (" + f.Said() + "). Nothing was changed. Try again later.", true
	case f.Kind == upstream.Retry:
		return "The " + service + " service can’t be reached (" + f.Said() + "). Check the address, or try again later.", true
	}
	return "The " + service + " service refuses this: " + f.Said() + ".", true
}

func tokenName(service string) string {
	if service == pulls.Gift {
		return "gift key"
	}
	return "upsell token"
}

// otherToken points at the mistake that a refused token most often is.
func otherToken(service string, f *upstream.Failure) string {
	if f.Status != http.StatusUnauthorized {
		return ""
	}
	if service == pulls.Upsell {
		return " Make sure that this is the token of the upsell service, and not the gift key."
	}
	return " Make sure that this is the Store API key of the gift service, and not the upsell token."
}

// badAddress is what is wrong with an address before anybody is asked there.
func badAddress(address string, allow upstream.AllowList) (words string, ok bool) {
	_, err := upstream.CheckBase(address, allow)
	if err == nil {
		return "", false
	}
	words, _, _ = strings.Cut(err.Error(), ", or allow it with ") // that is for whoever runs the program
	return upper(words) + ".", true
}

func upper(s string) string {
	if s == "" {
		return s
	}
	first := []rune(s)[0]
	return strings.ToUpper(string(first)) + s[len(string(first)):]
}

// waitWords are whole seconds or minutes, never none.
func waitWords(d time.Duration) string {
	seconds := int64(math.Ceil(max(d, time.Second).Seconds()))
	if seconds > 90 {
		return report.Plural((seconds+59)/60, "minute", "minutes")
	}
	return report.Plural(seconds, "second", "seconds")
}
