package site

import (
	"errors"
	"net/url"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/fault"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/views/components"
)

// RefreshFirst is after how many seconds a page that waits for answers reloads.
const RefreshFirst = 2

// refreshed are the pages with a refresh button, by their address below the store's, and what
// they ask for.
var refreshed = map[string]report.Question{
	"":            {Services: []string{"upsell", "gift"}},
	"/placements": {Services: []string{"upsell"}},
	"/offers":     {Services: []string{"upsell"}, Lists: true},
	"/gift":       {Services: []string{"gift"}, Lists: true},
	"/sync":       {Services: []string{"upsell", "gift"}, Lists: true},
}

// Refreshing adds a store page's refresh button and its progress. asked is the page's
// normalized query. A page that waits isn't cached.
func (c *Call) Refreshing(b *components.Base, page string, asked url.Values, choice report.Choice) error {
	if c.Site.Queue == nil || c.Store.Paused || !c.May(access.Pull) {
		return nil
	}
	q := refreshed[page]
	q.Window = choice.Window
	r, err := c.Site.Queue.Refreshing(c.Request().Context(), c.Store, q, c.Now)
	if err != nil {
		return err
	}
	b.Refreshing = &components.Refreshing{Action: RefreshPath(c.Store.Slug), Page: page, At: asked.Encode(), Refresh: r}
	if r.Running() {
		c.passing, b.Refresh = true, RefreshFirst
	}
	return nil
}

// Refresh asks the services again for what a page of the store shows, and redirects back to it.
// It doesn't ask twice for what is under way, and a person who has asked too often just waits
// for that.
func (s *Site) Refresh(c *Call) error {
	page := c.Form().Get("page")
	q, known := refreshed[page]
	asked, err := url.ParseQuery(c.Form().Get("at"))
	if !known || err != nil {
		return ErrUnreadable
	}
	choice, err := report.ParseChoice(asked, c.Now, c.Store.Location(), c.Store.FirstDay)
	if err != nil {
		return ErrUnreadable
	}
	q.Window = choice.Window
	pending, err := c.refresh(q)
	if err != nil {
		return err
	}
	if !pending {
		return s.SeeOther(c, StorePath(c.Store.Slug)+"/sync?done=unasked")
	}
	return s.SeeOther(c, components.WithQuery(StorePath(c.Store.Slug)+page, asked))
}

// refresh reports whether answers are pending.
func (c *Call) refresh(q report.Question) (pending bool, err error) {
	queue, ctx := c.Site.Queue, c.Request().Context()
	if queue == nil {
		return false, nil
	}
	before, err := queue.Refreshing(ctx, c.Store, q, c.Now)
	if err != nil {
		return false, err
	}
	if err := c.Site.Limits.TakeWindow(ctx, c.Asker()); errors.Is(err, fault.TooMany) && before.Running() {
		return true, nil
	} else if err != nil {
		return false, err
	}
	asked, err := queue.Refresh(ctx, c.Store, q, c.Now)
	return asked || before.Running(), err
}
