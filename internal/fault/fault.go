// Package fault sorts errors into a handful of kinds, and one table says what each means. Users read a
// message from the catalogs; operators see the whole chain. An error that carries data for a decision,
// such as a service's failure, keeps its own type.
package fault

import (
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/storeglass/storeglass/internal/locale"
)

// Kind is what sort of thing went wrong. A kind is itself an error, for refusals that need no message
// of their own.
type Kind int

const (
	// Internal is our own bug, and the kind of every error without another kind.
	Internal Kind = iota
	NotFound
	// Denied: the person may not do this, or didn't prove who they are.
	Denied
	Invalid
	// Conflict: it was fine when the page was shown, but no longer is.
	Conflict
	TooMany
	// Unavailable: a service, the database or a part of this server doesn't answer.
	Unavailable
)

// kinds says what each kind means: its text for operators, its name in the JSON API, and its HTTP
// status, which determines the log level and the page's text.
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

// Name is its name in the JSON API's description, under x-problems.
func (k Kind) Name() string { return kinds[k].name }

// Status is the HTTP status. From 500 on, it's logged as an error.
func (k Kind) Status() int { return kinds[k].status }

// Error is a refusal that the user can do something about.
type Error struct {
	Kind
	// Field is the form field, parameter or thing concerned.
	Field string
	// Reason is the message for the user.
	Reason locale.Message
	// After is when to try again, for TooMany.
	After time.Duration
}

// New makes a refusal with the message id.
func New(kind Kind, field, id string, args ...any) *Error {
	return &Error{Kind: kind, Field: field, Reason: locale.M(id, args...)}
}

// Missing is the refusal for something that doesn't exist, or no longer does.
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

// Is treats refusals with the same message as equal.
func (e *Error) Is(target error) bool {
	if k, ok := target.(Kind); ok {
		return k == e.Kind
	}
	other, ok := target.(*Error)
	return ok && other.Reason.ID == e.Reason.ID
}

// As finds the refusal in the chain of err, if there is one.
func As(err error) (*Error, bool) { return errors.AsType[*Error](err) }
