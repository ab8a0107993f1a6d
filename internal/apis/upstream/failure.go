package upstream

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"time"
	"unicode"
)

// Kind says what to do about a failed pull. Only this package and each service's Classify
// decide on kinds.
type Kind int

const (
	// Retry: the service or the network failed. The tries of this call are used
	// up; a later call may succeed.
	Retry Kind = iota + 1
	// Wait: come back at Until. It isn't an error and costs no attempt.
	Wait
	// Pause: credentials, plan, installation or store are wrong. A person must act, and until
	// then no call may be made with this token.
	Pause
	// OurFault: the request itself is wrong. It is never repeated unchanged.
	OurFault
	// Quarantine: the reply breaks the contract. Keep Raw, keep the last good
	// numbers, mark them stale.
	Quarantine
)

// String names the kind in lower-case words.
func (k Kind) String() string {
	switch k {
	case Retry:
		return "retry"
	case Wait:
		return "wait"
	case Pause:
		return "pause"
	case OurFault:
		return "our fault"
	case Quarantine:
		return "quarantine"
	}
	return fmt.Sprintf("kind %d", int(k))
}

// Failure is the error of every call: what was attempted, what came back, what to do.
type Failure struct {
	Kind Kind
	// Op is what was attempted, such as "pull summary 2026-11-19 to 2026-11-19".
	Op string
	// Status is the HTTP status of the last reply, 0 if none came.
	Status int
	// Code is the gift service's error.code; the upsell service has none.
	Code string
	// Message is safe to show as text: the service's own words or ours, at most
	// 300 characters, no control characters, never the token.
	Message string
	// RetryAfter is how long a Wait lasts, counted from the reply.
	RetryAfter time.Duration
	// Until is when a Wait ends.
	Until time.Time
	// Raw is the reply's body, at most 8 MiB, nil if none came.
	Raw []byte
	// Attempts counts the requests sent; 0 means that nothing was sent.
	Attempts int
	// Err is the underlying cause, if any.
	Err error
}

func (f *Failure) Error() string {
	var b strings.Builder
	if f.Op != "" {
		b.WriteString(f.Op + ": ")
	}
	if f.Status != 0 {
		fmt.Fprintf(&b, "answered %d", f.Status)
		if f.Code != "" {
			b.WriteString(" " + f.Code)
		}
		if f.Message != "" || f.Err != nil {
			b.WriteString(": ")
		}
	}
	switch {
	case f.Message != "":
		b.WriteString(f.Message)
	case f.Err != nil:
		b.WriteString(f.Err.Error())
	case f.Status == 0:
		b.WriteString(f.Kind.String())
	}
	if f.Attempts > 1 {
		fmt.Fprintf(&b, " (%d attempts)", f.Attempts)
	}
	return clean(b.String(), 2*messageCap)
}

// Unwrap gives the cause.
func (f *Failure) Unwrap() error { return f.Err }

// NoAnswer reports that the service gave no answer of its own: nothing came back, or a gateway
// said so in its place. Another call would most likely get none either.
func (f *Failure) NoAnswer() bool {
	switch f.Status {
	case 0, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return f.Kind == Retry && f.Attempts > 0
	}
	return f.Status >= 300 && f.Kind == Quarantine
}

// Said tells people what came back: the status, if any, and the words, without the operation
// and the network's own prefixes.
func (f *Failure) Said() string {
	var words []string
	if f.Status != 0 {
		words = append(words, strings.TrimSpace(fmt.Sprint(f.Status, " ", f.Code)))
	}
	switch {
	case f.Message != "":
		words = append(words, f.Message)
	case f.Err != nil:
		words = append(words, clean(Cause(f.Err).Error(), messageCap))
	}
	return strings.Join(words, ": ")
}

// Cause drops the words that packages os and net put before what happened, and the resolver's
// address.
func Cause(err error) error {
	if file, ok := errors.AsType[*os.PathError](err); ok {
		return file.Err
	}
	if call, ok := errors.AsType[*os.SyscallError](err); ok {
		return call.Err
	}
	// A name that isn't found: the resolver's address in it is nobody's business.
	if name, ok := errors.AsType[*net.DNSError](err); ok {
		return errors.New(name.Err)
	}
	if op, ok := errors.AsType[*net.OpError](err); ok {
		return op.Err
	}
	return err
}

// Refuse returns the failure of a request that isn't worth sending.
func Refuse(op, format string, args ...any) *Failure {
	return &Failure{Kind: OurFault, Op: op, Message: clean(fmt.Sprintf(format, args...), messageCap)}
}

// messageCap limits the length of a message from outside, in characters.
const messageCap = 300

// clean makes text from outside safe to print on one line: it drops control, format and invalid
// characters, collapses white space and caps the length.
func clean(text string, limit int) string {
	var b strings.Builder
	blank, count := false, 0
	for _, r := range text {
		switch {
		case unicode.IsSpace(r):
			blank = b.Len() > 0
			continue
		case r == unicode.ReplacementChar, unicode.Is(unicode.C, r):
			continue
		}
		if count >= limit {
			b.WriteString("…")
			break
		}
		if blank {
			b.WriteByte(' ')
			blank = false
			count++
		}
		b.WriteRune(r)
		count++
	}
	return b.String()
}

// notSuccess is what a 2xx with success: false breaks.
var notSuccess = Contract{Where: "/success", What: "it is false beside a status of success"}

// Unsuccessful reports whether the service said success: false with a 2xx: it is the right one, and failed.
func (f *Failure) Unsuccessful() bool {
	contract, ok := errors.AsType[*Contract](f.Err)
	return ok && *contract == notSuccess
}

// InData reports whether the reply was a success whose data breaks the contract: it is from the right service.
func (f *Failure) InData() bool {
	contract, ok := errors.AsType[*Contract](f.Err)
	return ok && (contract.Where == "/data" || strings.HasPrefix(contract.Where, "/data/"))
}
