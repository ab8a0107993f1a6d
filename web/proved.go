package web

import (
	"net/url"
	"strconv"
	"strings"
	"time"
)

// provedFor is how long a sign-in is fresh enough for what changes who gets in.
const provedFor = time.Hour

// confirmFirst is the answer to somebody who should show once more who they are:
// it leads to the page that asks for it, and from there back.
type confirmFirst struct{ back string }

func (e *confirmFirst) Error() string { return "asked to confirm who they are" }

func (e *confirmFirst) address() string { return "/account/confirm?next=" + url.QueryEscape(e.back) }

// recently lets through who proved within the last hour who they are. For
// everybody else it is an error that leads to the page which asks for it; back is
// where they go on from there. Handlers of what changes who gets in begin with it,
// those that show such a form too: what was typed does not survive the way.
func (c *call) recently(back string) error {
	at, err := strconv.ParseInt(c.site.sessions.GetString(c.Request().Context(), sessionProved), 10, 64)
	if err == nil && c.now.Sub(time.Unix(at, 0)) < provedFor {
		return nil
	}
	return &confirmFirst{back}
}

// proved has a handler begin with [call.recently]. In back, the page with the form, stand the
// route's names for the store, the service and the id.
func proved(back string, handle func(*call) error) func(*call) error {
	return func(c *call) error {
		if err := c.recently(strings.NewReplacer(":slug", c.slug(), ":service", c.Param("service"), ":id", c.Param("id")).Replace(back)); err != nil {
			return err
		}
		return handle(c)
	}
}
