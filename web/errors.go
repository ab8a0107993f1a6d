package web

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

// problem is what an asker is told about an error: safe words, and what to do.
// The whole chain of the error is for the log.
type problem struct {
	status int
	// kind names the problem in the JSON API's description, under x-problems.
	kind, title, detail string
	// field is the parameter that is wrong, for the JSON API; may be empty.
	field string
	// action and href are the error page's link; both may be empty.
	action, href string
	// after is when to try again, where that is known.
	after time.Duration
}

func (p *problem) Error() string { return p.title + ": " + p.detail }

// The handful of problems that there are.
var (
	errNotFound = &problem{
		status: 404, kind: "not-found", title: "Not found",
		detail: "There is nothing at this address, or it is not among the stores that you may see.",
		action: "To your stores", href: "/",
	}
	errForeignSite = &problem{
		status: 403, kind: "forbidden", title: "Refused",
		detail: "This request came from another site. Open the page here anew and try again there.",
		action: "To your stores", href: "/",
	}
	errCSRF = &problem{
		status: 403, kind: "forbidden", title: "This form is too old",
		detail: "You signed in again since it was opened, so nothing was changed. Load the page again and repeat.",
		action: "To your stores", href: "/",
	}
	errNoRight = &problem{
		status: 403, kind: "forbidden", title: "Not yours to change",
		detail: "Your role may look, and not do this. Nothing was changed. Somebody who manages people here can give you another role.",
		action: "To your stores", href: "/",
	}
	errNoView = &problem{
		status: 403, kind: "forbidden", title: "You don’t have access",
		detail: "Your role doesn’t include this page. Somebody who manages people here can give you another role.",
		action: "To your stores", href: "/",
	}
	errNoBearer = &problem{
		status: 401, kind: "unauthorized", title: "A token is needed",
		detail: "Send the header \"Authorization: Bearer sg_…\" with a token made by \"dashboard token create\". A browser's session does not count here.",
	}
	errWrongBearer = &problem{
		status: 401, kind: "unauthorized", title: "The token is not valid",
		detail: "It was never made here, or it was revoked. Make a new one with \"dashboard token create\".",
	}
	errMethod = &problem{
		status: 405, kind: "method-not-allowed", title: "This method does not work here",
		detail: "The header Allow of this answer names those that do.",
		action: "To your stores", href: "/",
	}
	errTooLarge = &problem{
		status: 413, kind: "too-large", title: "Too much was sent",
		detail: "No form here sends that much. Nothing was changed.",
		action: "To your stores", href: "/",
	}
	errUnreadable = &problem{
		status: 400, kind: "bad-request", title: "The form can't be read",
		detail: "It did not arrive as our pages send it. Nothing was changed. Load its page anew and send it again.",
	}
	errPictureTooLarge = &problem{
		status: 413, kind: "too-large", title: "The picture is too large",
		detail: "At most 512 KiB are taken. Nothing was changed.",
		action: "Back to the branding", href: "/branding",
	}
	errUnavailable = &problem{
		status: 503, kind: "unavailable", title: "The database can't be reached",
		detail: "Nothing is lost: what was stored is stored. Try again in a minute.", after: time.Minute,
	}
	errFault = &problem{
		status: 500, kind: "fault", title: "Something went wrong here",
		detail: "The fault is ours and is in the log. What was stored is stored; trying again may help.",
	}
)

// notAnswered says why a service that is asked at once gave no answer.
func notAnswered(reason string) *problem {
	return &problem{status: 503, kind: "service", title: "The service gave no answer", detail: reason, after: time.Minute}
}

func badRequest(field, detail string) *problem {
	return &problem{status: 400, kind: "bad-request", title: "This can't be asked", detail: detail, field: field}
}

// tooMany says how long to wait, and not for what: whether there is such an
// account stays untold.
func tooMany(e *access.TooManyError) *problem {
	return &problem{
		status: 429, kind: "too-many", title: "Too many tries",
		detail: "Wait " + waitWords(e.After) + " and try again. Tries in between are not counted, and change nothing.",
		after:  e.After,
	}
}

// waitWords rounds up: who waits that long gets through.
func waitWords(d time.Duration) string {
	if d > time.Minute {
		return report.Plural(int64((d+time.Minute-1)/time.Minute), "minute", "minutes")
	}
	return report.Plural(int64((d+time.Second-1)/time.Second), "second", "seconds")
}

func retryAfter(d time.Duration) string {
	return strconv.Itoa(int((d + time.Second - 1) / time.Second))
}

// explain is the one place where an error becomes a status and words.
func explain(err error) *problem {
	var (
		p      *problem
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
		return errNotFound
	case errors.As(err, &choice):
		return &problem{status: 400, kind: "window", title: "This window can't be shown", detail: choice.Reason, field: choice.Field}
	case errors.As(err, &large):
		return errTooLarge
	case errors.As(err, &many):
		return tooMany(many)
	case errors.As(err, &dial), errors.Is(err, context.DeadlineExceeded):
		return errUnavailable
	case errors.As(err, &routed):
		switch routed.Code {
		case http.StatusNotFound:
			return errNotFound
		case http.StatusMethodNotAllowed:
			return errMethod
		}
	}
	return errFault
}

// errMailGone is the one answer to every link of a mail that leads nowhere, whyever.
var errMailGone = &problem{
	status: 404, kind: "not-found", title: "This link does not work",
	detail: "It is too old, its store is gone, or it never was one. Copy the whole address from the newest mail, or ask whoever sends it to you.",
}

// The problems of readers of a link. Nothing in them leads to pages for people who
// are signed in.
var (
	// errShareGone is the one answer to every link that does not work, whyever.
	errShareGone = &problem{
		status: 404, kind: "not-found", title: "This link does not work",
		detail: "It has ended, was taken back, or never was one. Whoever sent it to you can make a new one.",
	}
	errNotShared = &problem{
		status: 404, kind: "not-found", title: "Not part of this link",
		detail: "There is nothing at this address, or the link does not show it.",
	}
	errSharePassword = &problem{
		status: 403, kind: "forbidden", title: "A password is needed",
		detail: "Open the link in a browser and type the password that you were given with it.",
	}
	errShareWindow = &problem{
		status: 400, kind: "window", title: "This link shows its own days",
		detail: "Leave window, start, end and compare out of the address.",
	}
)
