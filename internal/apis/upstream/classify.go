package upstream

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

const (
	// DefaultWait is how long "too many requests" lasts if the reply doesn't say: a little over
	// a minute (N42).
	DefaultWait = 61 * time.Second
	// maxWait limits how long a Retry-After may make us wait.
	maxWait = time.Hour
)

// ClassifyStatus is the meaning of a status alone, for when the service's Classify has no
// opinion. 401 is about credentials; 408 is a timeout that the other side noticed first; 501
// and 505 are answers to our request, not accidents.
func ClassifyStatus(status int) Kind {
	switch {
	case status == http.StatusUnauthorized:
		return Pause
	case status == http.StatusTooManyRequests:
		return Wait
	case status == http.StatusRequestTimeout:
		return Retry
	case status == http.StatusNotImplemented, status == http.StatusHTTPVersionNotSupported:
		return OurFault
	case status >= 500 && status <= 599:
		return Retry
	case status >= 300 && status <= 499:
		return OurFault
	}
	return Quarantine
}

// RetryAfter reads a Retry-After header: whole seconds, or a date, counted from the reply's own
// Date, so that different clocks do no harm. ok is false if there is none or it is unreadable.
// The wait is 1 s to 1 h.
func RetryAfter(h http.Header, now time.Time) (wait time.Duration, ok bool) {
	text := strings.TrimSpace(h.Get("Retry-After"))
	if seconds, err := strconv.ParseUint(text, 10, 64); err == nil {
		return max(time.Duration(min(seconds, uint64(maxWait/time.Second)))*time.Second, time.Second), true
	}
	until, err := http.ParseTime(text)
	if err != nil {
		return 0, false
	}
	if date, err := http.ParseTime(h.Get("Date")); err == nil {
		now = date
	}
	return min(max(until.Sub(now), time.Second), maxWait), true
}

// judge turns a refusal into a failure: first by the service's Classify, otherwise by the
// status.
func (c *Client) judge(op string, got exchange) (failure *Failure, verdict Verdict) {
	if c.Classify != nil {
		verdict = c.Classify(got.Reply)
	}
	if verdict.Kind == 0 {
		verdict.Kind = ClassifyStatus(got.Status)
	}
	if verdict.Kind == OurFault && jsontext.Value(got.Body).Kind() != '{' {
		// The services refuse a request with an object. A page or an empty body comes from a proxy
		// while the service is away, and says nothing about the request.
		verdict.Kind = Quarantine
	}
	failure = &Failure{
		Kind: verdict.Kind, Op: op, Status: got.Status, Raw: got.Body,
		Code: clean(verdict.Code, 60), Message: clean(verdict.Message, messageCap),
	}
	if failure.Kind == Wait {
		wait, ok := RetryAfter(got.Header, got.replied)
		if !ok {
			wait = DefaultWait
		}
		wait = max(wait, verdict.AtLeast)
		failure.RetryAfter, failure.Until = wait, got.replied.Add(wait)
	}
	return failure, verdict
}
