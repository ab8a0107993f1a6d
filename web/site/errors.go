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
	"github.com/storeglass/storeglass/internal/report"
)

// Problem is what an asker is told about an error: safe words, and what to do.
// The whole chain of the error is for the log.
type Problem struct {
	Status int
	// Kind names the problem in the JSON API's description, under x-problems.
	Kind, Title, Detail string
	// Field is the parameter that is wrong, for the JSON API; may be empty.
	Field string
	// Action and href are the error page's link; both may be empty.
	Action, Href string
	// After is when to try again, where that is known.
	After time.Duration
}

func (p *Problem) Error() string { return p.Title + ": " + p.Detail }

// The handful of problems that there are.
var (
	ErrNotFound = &Problem{
		Status: 404, Kind: "not-found", Title: "Not found",
		Detail: "There is nothing at this address, or it is not among the stores that you may see.",
		Action: "To your stores", Href: "/",
	}
	ErrForeignSite = &Problem{
		Status: 403, Kind: "forbidden", Title: "Refused",
		Detail: "This request came from another site. Open the page here anew and try again there.",
		Action: "To your stores", Href: "/",
	}
	ErrCSRF = &Problem{
		Status: 403, Kind: "forbidden", Title: "This form is too old",
		Detail: "You signed in again since it was opened, so nothing was changed. Load the page again and repeat.",
		Action: "To your stores", Href: "/",
	}
	ErrNoRight = &Problem{
		Status: 403, Kind: "forbidden", Title: "Not yours to change",
		Detail: "Your role may look, and not do this. Nothing was changed. Somebody who manages people here can give you another role.",
		Action: "To your stores", Href: "/",
	}
	ErrNoView = &Problem{
		Status: 403, Kind: "forbidden", Title: "You don’t have access",
		Detail: "Your role doesn’t include this page. Somebody who manages people here can give you another role.",
		Action: "To your stores", Href: "/",
	}
	ErrNoBearer = &Problem{
		Status: 401, Kind: "unauthorized", Title: "A token is needed",
		Detail: "Send the header \"Authorization: Bearer sg_…\" with a token made by \"dashboard token create\". A browser's session does not count here.",
	}
	ErrWrongBearer = &Problem{
		Status: 401, Kind: "unauthorized", Title: "The token is not valid",
		Detail: "It was never made here, or it was revoked. Make a new one with \"dashboard token create\".",
	}
	ErrMethod = &Problem{
		Status: 405, Kind: "method-not-allowed", Title: "This method does not work here",
		Detail: "The header Allow of this answer names those that do.",
		Action: "To your stores", Href: "/",
	}
	ErrTooLarge = &Problem{
		Status: 413, Kind: "too-large", Title: "Too much was sent",
		Detail: "No form here sends that much. Nothing was changed.",
		Action: "To your stores", Href: "/",
	}
	ErrUnreadable = &Problem{
		Status: 400, Kind: "bad-request", Title: "The form can't be read",
		Detail: "It did not arrive as our pages send it. Nothing was changed. Load its page anew and send it again.",
	}
	errPictureTooLarge = &Problem{
		Status: 413, Kind: "too-large", Title: "The picture is too large",
		Detail: "At most 512 KiB are taken. Nothing was changed.",
		Action: "Back to the branding", Href: "/branding",
	}
	ErrUnavailable = &Problem{
		Status: 503, Kind: "unavailable", Title: "The database can't be reached",
		Detail: "Nothing is lost: what was stored is stored. Try again in a minute.", After: time.Minute,
	}
	ErrFault = &Problem{
		Status: 500, Kind: "fault", Title: "Something went wrong here",
		Detail: "The fault is ours and is in the log. What was stored is stored; trying again may help.",
	}
)

// NotAnswered says why a service that is asked at once gave no answer.
func NotAnswered(reason string) *Problem {
	return &Problem{Status: 503, Kind: "service", Title: "The service gave no answer", Detail: reason, After: time.Minute}
}

func BadRequest(field, detail string) *Problem {
	return &Problem{Status: 400, Kind: "bad-request", Title: "This can't be asked", Detail: detail, Field: field}
}

// TooMany says how long to wait, and not for what: whether there is such an
// account stays untold.
func TooMany(e *access.TooManyError) *Problem {
	return &Problem{
		Status: 429, Kind: "too-many", Title: "Too many tries",
		Detail: "Wait " + waitWords(e.After) + " and try again. Tries in between are not counted, and change nothing.",
		After:  e.After,
	}
}

// waitWords rounds up: who waits that long gets through.
func waitWords(d time.Duration) string {
	if d > time.Minute {
		return report.Plural(int64((d+time.Minute-1)/time.Minute), "minute", "minutes")
	}
	return report.Plural(int64((d+time.Second-1)/time.Second), "second", "seconds")
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
		return &Problem{Status: 400, Kind: "window", Title: "This window can't be shown", Detail: choice.Reason, Field: choice.Field}
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

// ErrMailGone is the one answer to every link of a mail that leads nowhere, whyever.
var ErrMailGone = &Problem{
	Status: 404, Kind: "not-found", Title: "This link does not work",
	Detail: "It is too old, its store is gone, or it never was one. Copy the whole address from the newest mail, or ask whoever sends it to you.",
}

// The problems of readers of a link. Nothing in them leads to pages for people who
// are signed in.
var (
	// ErrShareGone is the one answer to every link that does not work, whyever.
	ErrShareGone = &Problem{
		Status: 404, Kind: "not-found", Title: "This link does not work",
		Detail: "It has ended, was taken back, or never was one. Whoever sent it to you can make a new one.",
	}
	ErrNotShared = &Problem{
		Status: 404, Kind: "not-found", Title: "Not part of this link",
		Detail: "There is nothing at this address, or the link does not show it.",
	}
	ErrSharePassword = &Problem{
		Status: 403, Kind: "forbidden", Title: "A password is needed",
		Detail: "Open the link in a browser and type the password that you were given with it.",
	}
	ErrShareWindow = &Problem{
		Status: 400, Kind: "window", Title: "This link shows its own days",
		Detail: "Leave window, start, end and compare out of the address.",
	}
)
