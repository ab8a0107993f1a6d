package site

import (
	"net/url"
	"strconv"
	"strings"
	"time"
)

// ProvedFor is how long a sign-in is fresh enough for what changes who gets in.
const ProvedFor = time.Hour

// ConfirmFirst is the answer to someone who should show once more who they are:
// it leads to the page that asks for it, and from there back.
type ConfirmFirst struct{ back string }

func (e *ConfirmFirst) Error() string { return "asked to confirm who they are" }

func (e *ConfirmFirst) Address() string { return "/account/confirm?next=" + url.QueryEscape(e.back) }

// Recently lets through who proved within the last hour who they are. For
// everyone else it is an error that leads to the page which asks for it; back is
// where they go on from there. Handlers of what changes who gets in begin with it,
// those that show such a form too: what was typed does not survive the way.
func (c *Call) Recently(back string) error {
	at, err := strconv.ParseInt(c.Site.Sessions.GetString(c.Request().Context(), SessionProved), 10, 64)
	if err == nil && c.Now.Sub(time.Unix(at, 0)) < ProvedFor {
		return nil
	}
	return &ConfirmFirst{back}
}

// Proved has a handler begin with [Call.Recently]. In back, the page with the form, are the
// route's names for the store, the service and the id.
func Proved(back string, handle func(*Call) error) func(*Call) error {
	return func(c *Call) error {
		if err := c.Recently(strings.NewReplacer(":slug", c.Slug(), ":service", c.Param("service"), ":id", c.Param("id")).Replace(back)); err != nil {
			return err
		}
		return handle(c)
	}
}
