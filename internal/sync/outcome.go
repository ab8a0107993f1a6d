package pulls

import (
	"errors"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/sync/plan"
)

// ending is what is written about a failed pull.
type ending struct {
	outcome fact.Outcome
	// text tells people what happened, in the ledger and on panels.
	text     locale.Message
	due      *time.Time
	attempts int
	// raw is kept when the reply broke the contract.
	raw    []byte
	status int
	// cause and said pause the credential if cause is set.
	cause, said string
}

// end decides what follows from a failed pull.
func end(p plan.Pull, err error, now time.Time, loc *time.Location) ending {
	var f *upstream.Failure
	if !errors.As(err, &f) {
		f = &upstream.Failure{Kind: upstream.Retry, Err: err}
	}
	e := ending{attempts: p.Attempts + 1, status: f.Status, text: words(f)}
	later := now.Add(plan.Backoff(e.attempts))
	var private *upstream.NotPublic
	switch {
	case errors.As(err, &private):
		e.outcome, e.cause, e.said = fact.PullPaused, addressCause, private.Entry()
		e.due, e.text = &now, locale.M("state.wrong_address", "address", e.said)
	case f.Kind == upstream.Wait:
		until := f.Until
		if until.Before(now) {
			until = now.Add(max(f.RetryAfter, time.Second))
		}
		e.outcome, e.due, e.attempts = fact.PullWaiting, &until, p.Attempts
		e.text = locale.M("sync.said.slot")
	case f.Kind == upstream.Pause:
		e.outcome, e.due = fact.PullPaused, &now
		e.cause, e.said = causeOf(p.Service, f), saidBy(f)
		e.refusedAgain(p, later)
	case f.Kind == upstream.OurFault:
		e.outcome = fact.PullRefused
		if p.Service == Upsell && p.Window != nil && !p.Kind.OfDay() && !p.Kind.OfRange() { // tomorrow asks for other dates
			e.due = new(plan.MidnightAfter(report.Today(now, loc), loc).Add(plan.AfterMidnight))
		}
	case f.Kind == upstream.Quarantine:
		e.outcome, e.due, e.raw = fact.PullQuarantined, &later, f.Raw
	default:
		e.outcome, e.due = fact.PullFailed, &later
	}
	return e
}

// refusedAgain decides what a refused token means for the pull. The first refusal says nothing
// about the pull, which continues where it was (N70). A pull refused again after it was tried
// before waits as after a failure: otherwise a service that refuses one endpoint but accepts
// the cheapest call would get the two in turns forever.
func (e *ending) refusedAgain(p plan.Pull, later time.Time) {
	mild := patienceOf(e.cause) == mayPass
	switch {
	case patienceOf(e.cause) == silence:
	case p.Attempts > 0:
		e.due = &later
		if mild {
			e.outcome = fact.PullFailed
		}
	case mild:
		e.outcome, e.text = fact.PullWaiting, locale.M("sync.said.token_refused")
	}
}

// words says what happened, short enough for a table cell.
func words(f *upstream.Failure) locale.Message {
	switch {
	case f.Kind == upstream.Quarantine && !f.NoAnswer():
		return brokenWords(f)
	case f.Status >= 500:
		return locale.M("sync.said.server_error", "status", f.Status)
	case f.Status >= 200 && f.Status <= 299 && f.Err != nil:
		return locale.M("sync.said.cut_off", "why", upstream.Cause(f.Err).Error())
	case f.Status != 0 && f.Code != "":
		return locale.M("sync.said.refused_code", "status", f.Status, "code", f.Code)
	case f.Status != 0 && f.Message != "":
		return locale.M("sync.said.refused_text", "status", f.Status, "text", f.Message)
	case f.Status != 0:
		return locale.M("sync.said.refused", "status", f.Status)
	case f.Message != "":
		return locale.Text(sentence(f.Message))
	case errors.Is(f.Err, errNoSlotLeft):
		return locale.M("sync.said.no_slot_left")
	case errors.Is(f.Err, errTooSlow):
		return locale.M("sync.said.too_slow")
	case f.Err != nil:
		return locale.M("sync.said.no_answer_why", "why", upstream.Cause(f.Err).Error())
	}
	return locale.M("sync.said.no_answer")
}

// brokenWords says where and how a reply breaks the contract; the details are for those who write
// clients, in English.
func brokenWords(f *upstream.Failure) locale.Message {
	contract, ok := errors.AsType[*upstream.Contract](f.Err)
	if !ok {
		return locale.M("sync.said.broken", "what", f.Message)
	}
	what := contract.What
	if f.Message != "" {
		what += " (“" + f.Message + "”)"
	}
	if contract.Where == "" {
		return locale.M("sync.said.broken", "what", what)
	}
	return locale.M("sync.said.broken_at", "where", contract.At(), "what", what)
}

// sentence capitalizes the first letter.
func sentence(s string) string {
	_, first := utf8.DecodeRuneInString(s)
	return strings.ToUpper(s[:first]) + s[first:]
}

// causeOf is the word for a paused credential's cause.
func causeOf(service string, f *upstream.Failure) string {
	switch {
	case f.Code != "":
		return f.Code
	case service == Upsell && f.Status == http.StatusForbidden && len(f.Raw) > 0 && jsontext.Value(f.Raw).Kind() != '{': // the app answers with an object
		return blockedCause
	case service == Upsell && f.Status == http.StatusForbidden:
		return wrongShopCause
	}
	return tokenCause
}

// saidBy is what the service said when it refused; empty where nobody asked it.
func saidBy(f *upstream.Failure) string {
	if f.Code == trialLapsed {
		return ""
	}
	return f.Message
}

// refusalBy is a refusal as a stored one, for its advice.
func refusalBy(service string, f *upstream.Failure) report.StoredCredential {
	return report.StoredCredential{Service: service, Cause: causeOf(service, f), Said: saidBy(f)}
}

func asFailure(err error) (*upstream.Failure, bool) {
	var f *upstream.Failure
	ok := errors.As(err, &f)
	return f, ok
}
