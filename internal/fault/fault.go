// Package fault sorts what goes wrong into a handful of kinds, and one table says what
// each means. A person reads a message of the catalogs; operators read the whole chain.
// An error that carries data for a decision, such as a service's failure, keeps its type.
package fault

import (
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/storeglass/storeglass/internal/locale"
)

// Kind is what sort of thing went wrong. A kind is an error too, for refusals that
// need no words of their own.
type Kind int

const (
	// Internal is our own mistake, and the kind of every error that has no other.
	Internal Kind = iota
	NotFound
	// Denied: the person may not do this, or did not prove who they are.
	Denied
	Invalid
	// Conflict: it was fine when the page was shown, and no longer is.
	Conflict
	TooMany
	// Unavailable: a service, the database or a part of this server does not answer.
	Unavailable
)

// kinds is what each kind means: its words for operators, the name of the problem in the
// JSON API, and the status of a page, which the log's level and the page's words follow.
var kinds = [...]struct {
	words, name string
	status      int
}{
	Internal:    {"internal error", "fault", http.StatusInternalServerError},
	NotFound:    {"not found", "not-found", http.StatusNotFound},
	Denied:      {"not allowed", "forbidden", http.StatusForbidden},
	Invalid:     {"not valid", "bad-request", http.StatusBadRequest},
	Conflict:    {"changed meanwhile", "conflict", http.StatusConflict},
	TooMany:     {"too many attempts", "too-many", http.StatusTooManyRequests},
	Unavailable: {"unavailable", "unavailable", http.StatusServiceUnavailable},
}

func (k Kind) Error() string { return kinds[k].words }

// Name is the name in the JSON API's description, under x-problems.
func (k Kind) Name() string { return kinds[k].name }

// Status is the status of HTTP. From 500 on, the log calls it an error.
func (k Kind) Status() int { return kinds[k].status }

// Error is a refusal that a person can do something about.
type Error struct {
	Kind
	// Field is the field of a form, the parameter or the thing that it is about.
	Field string
	// Reason is what the person reads.
	Reason locale.Message
	// After is when to try again, of TooMany.
	After time.Duration
}

// New is a refusal with the message id.
func New(kind Kind, field, id string, args ...any) *Error {
	return &Error{Kind: kind, Field: field, Reason: locale.M(id, args...)}
}

// Missing is the refusal of what names something that is not there, or no longer.
func Missing(what string) *Error {
	return &Error{Kind: NotFound, Field: what, Reason: locale.M("fault.gone_" + what)}
}

func (e *Error) Error() string {
	switch {
	case e.Kind == NotFound:
		return "no such " + e.Field
	case e.Kind == TooMany:
		return fmt.Sprintf("%s: next in %s", e.Kind.Error(), e.After.Round(time.Second))
	}
	return e.Reason.In(locale.English)
}

// Is makes refusals with the same message equal.
func (e *Error) Is(target error) bool {
	if k, ok := target.(Kind); ok {
		return k == e.Kind
	}
	other, ok := target.(*Error)
	return ok && other.Reason.ID == e.Reason.ID
}

// As is the refusal in the chain of err, if there is one.
func As(err error) (*Error, bool) { return errors.AsType[*Error](err) }
