package site

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/labstack/echo/v4"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
)

// Problem is what a principal is told about an error: safe words, and what to do.
// The whole chain of the error is for the log.
type Problem struct {
	Status int
	// Kind names the problem in the JSON API's description, under x-problems.
	Kind          string
	Title, Detail locale.Message
	// Field is the parameter that is wrong, for the JSON API; may be empty.
	Field string
	// Action and Href are the error page's link; both may be empty.
	Action locale.Message
	Href   string
	// After is when to try again, where that is known.
	After time.Duration
}

func (p *Problem) Error() string {
	return p.Title.In(locale.English) + ": " + p.Detail.In(locale.English)
}

// NewProblem is one whose words are the messages problem.id.title and problem.id.text.
func NewProblem(status int, kind, id string, args ...any) *Problem {
	return &Problem{Status: status, Kind: kind, Title: locale.M("problem." + id + ".title"), Detail: locale.M("problem."+id+".text", args...)}
}

// Leading has the problem's page lead somewhere, with the words problem.action.to.
func (p *Problem) Leading(to, href string) *Problem {
	p.Action, p.Href = locale.M("problem.action."+to), href
	return p
}

// Again says when to try again.
func (p *Problem) Again(after time.Duration) *Problem {
	p.After = after
	return p
}

// The handful of problems that there are.
var (
	ErrNotFound    = NewProblem(404, "not-found", "not_found").Leading("stores", "/")
	ErrForeignSite = NewProblem(403, "forbidden", "foreign_site").Leading("stores", "/")
	ErrCSRF        = NewProblem(403, "forbidden", "csrf").Leading("stores", "/")
	ErrNoRight     = NewProblem(403, "forbidden", "no_right").Leading("stores", "/")
	ErrNoView      = NewProblem(403, "forbidden", "no_view").Leading("stores", "/")
	// Programs are answered in English.
	ErrNoBearer = &Problem{
		Status: 401, Kind: "unauthorized", Title: locale.Text("A token is needed"),
		Detail: locale.Text("Send the header \"Authorization: Bearer sg_…\" with a token made by \"dashboard token create\". A browser's session does not count here."),
	}
	ErrWrongBearer = &Problem{
		Status: 401, Kind: "unauthorized", Title: locale.Text("The token is not valid"),
		Detail: locale.Text("It was never made here, or it was revoked. Make a new one with \"dashboard token create\"."),
	}
	ErrMethod          = NewProblem(405, "method-not-allowed", "method").Leading("stores", "/")
	ErrTooLarge        = NewProblem(413, "too-large", "too_large").Leading("stores", "/")
	ErrUnreadable      = NewProblem(400, "bad-request", "unreadable")
	errUnnamedValue    = NewProblem(400, "bad-request", "unnamed_value")
	errPictureTooLarge = NewProblem(413, "too-large", "picture_too_large").Leading("branding", "/branding")
	ErrUnavailable     = NewProblem(503, "unavailable", "unavailable").Again(time.Minute)
	ErrFault           = NewProblem(500, "fault", "fault")
	// ErrMailGone is the one answer to every link of a mail that leads nowhere, whyever.
	ErrMailGone = NewProblem(404, "not-found", "mail_gone")
)

// The problems of readers of a link. Nothing in them leads to pages for people who
// are signed in.
var (
	// ErrShareGone is the one answer to every link that does not work, whyever.
	ErrShareGone     = NewProblem(404, "not-found", "share_gone")
	ErrNotShared     = NewProblem(404, "not-found", "not_shared")
	ErrSharePassword = NewProblem(403, "forbidden", "share_password")
	ErrShareWindow   = NewProblem(400, "window", "share_window")
)

// NotAnswered says why a service that is asked at once gave no answer.
func NotAnswered(reason string) *Problem {
	return NewProblem(503, "service", "no_answer", "reason", reason).Again(time.Minute)
}

// BadRequest is about a parameter or a field that can't be read.
func BadRequest(field, detail string) *Problem {
	return &Problem{Status: 400, Kind: "bad-request", Title: locale.M("problem.unreadable.title"), Detail: locale.Text(detail), Field: field}
}

// TooMany says how long to wait, and not for what: whether there is such an
// account stays untold.
func TooMany(e *access.TooManyError) *Problem {
	wait := locale.M("problem.wait.seconds", "n", int64((e.After+time.Second-1)/time.Second))
	if e.After > time.Minute { // rounded up: who waits that long gets through
		wait = locale.M("problem.wait.minutes", "n", int64((e.After+time.Minute-1)/time.Minute))
	}
	return NewProblem(429, "too-many", "too_many", "wait", wait).Again(e.After)
}

func RetryAfter(d time.Duration) string {
	return strconv.Itoa(int((d + time.Second - 1) / time.Second))
}

// Explain is the one place where an error becomes a status and words.
func Explain(err error) *Problem {
	var (
		p      *Problem
		choice *report.ChoiceError
		large  *http.MaxBytesError
		routed *echo.HTTPError
		dial   *pgconn.ConnectError
		many   *access.TooManyError
	)
	switch {
	case errors.As(err, &p):
		return p
	case errors.Is(err, db.ErrNotFound):
		return ErrNotFound
	case errors.As(err, &choice):
		p := NewProblem(400, "window", "window", "reason", choice.Reason)
		p.Field = choice.Field
		return p
	case errors.As(err, &large):
		return ErrTooLarge
	case errors.As(err, &many):
		return TooMany(many)
	case errors.As(err, &dial), errors.Is(err, context.DeadlineExceeded):
		return ErrUnavailable
	case errors.As(err, &routed):
		switch routed.Code {
		case http.StatusNotFound:
			return ErrNotFound
		case http.StatusMethodNotAllowed:
			return ErrMethod
		}
	}
	return ErrFault
}
