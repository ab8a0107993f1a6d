package site

import (
	"net/url"
	"strconv"
	"strings"
	"time"
)

// ProvedFor is how long a sign-in counts as recent for changes to how people sign in.
const ProvedFor = time.Hour

// fillIn is how long people have to fill in a form that was opened at the last moment: otherwise
// what they typed would be lost on the way to confirming who they are.
const fillIn = 15 * time.Minute

// ConfirmFirst is the error when a person must first confirm their identity: it leads to the
// page that asks for it, and from there back.
type ConfirmFirst struct{ back string }

func (e *ConfirmFirst) Error() string { return "asked to confirm who they are" }

func (e *ConfirmFirst) Address() string { return "/account/confirm?next=" + url.QueryEscape(e.back) }

// Recently lets a person through who has confirmed their identity within the last hour. For
// others it is an error that leads to the page that asks for it; back is where they continue
// from there. Handlers that change how people sign in begin with it, and so do handlers that
// show such a form, which ask earlier by [fillIn].
func (c *Call) Recently(back string) error {
	at, err := strconv.ParseInt(c.Site.Sessions.GetString(c.Request().Context(), SessionProved), 10, 64)
	lasts := ProvedFor
	if SafeMethod(c.Request().Method) {
		lasts -= fillIn
	}
	if err == nil && c.Now.Sub(time.Unix(at, 0)) < lasts {
		return nil
	}
	return &ConfirmFirst{back}
}

// Proved makes a handler begin with [Call.Recently]. back is the page with the form and may
// contain the route's names for the store, the service and the id.
func Proved(back string, handle func(*Call) error) func(*Call) error {
	return func(c *Call) error {
		if err := c.Recently(strings.NewReplacer(":slug", c.Slug(), ":service", c.Param("service"), ":id", c.Param("id")).Replace(back)); err != nil {
			return err
		}
		return handle(c)
	}
}
