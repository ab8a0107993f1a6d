package site

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/fault"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
)

// Problem is what a principal is told about an error: safe words, and what to do. The log gets
// the error's whole chain.
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
	// After is when to try again, if known.
	After time.Duration
}

func (p *Problem) Error() string {
	return p.Title.In(locale.English) + ": " + p.Detail.In(locale.English)
}

// NewProblem makes a problem with the messages problem.id.title and problem.id.text.
func NewProblem(kind fault.Kind, id string, args ...any) *Problem {
	return &Problem{Status: kind.Status(), Kind: kind.Name(), Title: locale.M("problem." + id + ".title"), Detail: locale.M("problem."+id+".text", args...)}
}

// as gives an HTTP problem a status and a name that no kind of error has.
func (p *Problem) as(status int, kind string) *Problem {
	p.Status, p.Kind = status, kind
	return p
}

// Leading adds a link to the problem's page, with the words problem.action.to.
func (p *Problem) Leading(to, href string) *Problem {
	p.Action, p.Href = locale.M("problem.action."+to), href
	return p
}

// Again says when to try again.
func (p *Problem) Again(after time.Duration) *Problem {
	p.After = after
	return p
}

var (
	ErrNotFound    = NewProblem(fault.NotFound, "not_found").Leading("stores", "/")
	ErrForeignSite = NewProblem(fault.Denied, "foreign_site").Leading("stores", "/")
	ErrCSRF        = NewProblem(fault.Denied, "csrf").Leading("stores", "/")
	ErrNoRight     = NewProblem(fault.Denied, "no_right").Leading("stores", "/")
	ErrNoView      = NewProblem(fault.Denied, "no_view").Leading("stores", "/")
	// Programs get English.
	ErrNoBearer = &Problem{
		Status: 401, Kind: "unauthorized", Title: locale.Text("A token is needed"),
		Detail: locale.Text("Send the header \"Authorization: Bearer sg_…\" with a token made by \"dashboard token create\". A browser's session does not count here."),
	}
	ErrWrongBearer = &Problem{
		Status: 401, Kind: "unauthorized", Title: locale.Text("The token is not valid"),
		Detail: locale.Text("It has expired, was revoked, or was never made here. Make a new one with \"dashboard token create\"."),
	}
	ErrMethod = NewProblem(fault.Invalid, "method").as(405, "method-not-allowed").Leading("stores", "/")
	// ErrFormAddress is ErrMethod for people, as when a browser reopens the page that answered a form.
	ErrFormAddress     = NewProblem(fault.Invalid, "form_address").as(405, "method-not-allowed").Leading("stores", "/")
	ErrTooLarge        = NewProblem(fault.Invalid, "too_large").as(413, "too-large").Leading("stores", "/")
	ErrUnreadable      = NewProblem(fault.Invalid, "unreadable")
	errUnnamedValue    = NewProblem(fault.Invalid, "unnamed_value")
	errPictureTooLarge = NewProblem(fault.Invalid, "picture_too_large").as(413, "too-large").Leading("branding", "/branding")
	ErrUnavailable     = NewProblem(fault.Unavailable, "unavailable").Again(time.Minute)
	ErrFault           = NewProblem(fault.Internal, "fault")
	// ErrMailGone is the one answer for every dead link in a mail, whatever the reason.
	ErrMailGone = NewProblem(fault.NotFound, "mail_gone")
)

// The problems of readers of a link. They never lead to pages for signed-in people.
var (
	// ErrShareGone is the one answer for every share link that doesn't work, whatever the
	// reason.
	ErrShareGone     = NewProblem(fault.NotFound, "share_gone")
	ErrNotShared     = NewProblem(fault.NotFound, "not_shared")
	ErrSharePassword = NewProblem(fault.Denied, "share_password")
	ErrShareWindow   = NewProblem(fault.Invalid, "share_window").as(400, "window")
)

// ErrSignedOut is the answer to a text that someone sent after their session ended.
func ErrSignedOut(signIn string) *Problem {
	return NewProblem(fault.Denied, "signed_out").Leading("sign_in", signIn)
}

// ErrConfirmFirst is the answer to a text that came too long after its writer signed in; confirm
// is where they confirm their identity.
func ErrConfirmFirst(confirm string) *Problem {
	return NewProblem(fault.Denied, "confirm_first").Leading("confirm", confirm)
}

// ErrPlainHTTP leads to the https address, since nobody can sign in over http if there is one.
func ErrPlainHTTP(base *url.URL) *Problem {
	return NewProblem(fault.Denied, "plain_http", "address", base.String()).Leading("sign_in", base.String())
}

// NotAnswered says why a service that is asked at once gave no answer.
func NotAnswered(reason string) *Problem {
	return NewProblem(fault.Unavailable, "no_answer", "reason", reason).as(503, "service").Again(time.Minute)
}

// BadRequest is about a parameter that can't be read, or asks for too much.
func BadRequest(field, detail string) *Problem {
	return &Problem{Status: 400, Kind: "bad-request", Title: locale.M("problem.request.title"), Detail: locale.Text(detail), Field: field}
}

// tooMany says how long to wait, but not for what, so as not to reveal whether an account
// exists.
func tooMany(f *fault.Error) *Problem {
	wait := locale.M("problem.wait.seconds", "n", int64((f.After+time.Second-1)/time.Second))
	if f.After > time.Minute { // rounded up, so that waiting that long is enough
		wait = locale.M("problem.wait.minutes", "n", int64((f.After+time.Minute-1)/time.Minute))
	}
	return NewProblem(fault.TooMany, "too_many", "wait", wait).Again(f.After)
}

// TooMany is what a form says about an exceeded limit, and the status of its page.
func (c *Call) TooMany(err error) (words string, status int) {
	p := Explain(err)
	c.Response().Header().Set("Retry-After", RetryAfter(p.After))
	return p.Detail.In(c.Locale()), p.Status
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
	)
	f, refused := fault.As(err)
	switch {
	case errors.As(err, &p):
		return p
	case errors.Is(err, db.ErrNotFound), errors.Is(err, fault.NotFound):
		return ErrNotFound
	case errors.As(err, &choice):
		p := NewProblem(fault.Invalid, "window", "reason", choice.Reason).as(400, "window")
		p.Field = choice.Field
		return p
	case errors.As(err, &large):
		return ErrTooLarge
	case refused && f.Kind == fault.TooMany:
		return tooMany(f)
	case db.Away(err), errors.Is(err, context.DeadlineExceeded):
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
