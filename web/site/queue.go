package site

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/fault"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/overview"
)

// Queue says what a filling store still waits for, and has what people wait for pulled first.
type Queue interface {
	// Parts are the parts of a store's initial history that are still to come, in order.
	Parts(ctx context.Context, s db.ScopedStore, now time.Time) ([]report.Part, error)
	// Want pulls the details of an offer that a person looks at. pulls is how many that takes;
	// 0 if they are fresh.
	Want(ctx context.Context, s db.ScopedStore, offerID string, now time.Time) (pulls int64, err error)
	// WantWindow has the services asked about a window that a person looks at. asked is false
	// if enough is pending already, or they were asked within the hour.
	WantWindow(ctx context.Context, s db.ScopedStore, q report.Question, now time.Time) (asked bool, err error)
	// Refresh has the services asked again for today and a window, even about what they just
	// answered. asked is false if that is under way, or no token works.
	Refresh(ctx context.Context, s db.ScopedStore, q report.Question, now time.Time) (asked bool, err error)
	// Refreshing is the progress of a refresh.
	Refreshing(ctx context.Context, s db.ScopedStore, q report.Question, now time.Time) (report.Refresh, error)
}

// Parts are the store's parts that are still to come. Share links show none.
func (s *Site) Parts(c *Call) ([]report.Part, error) {
	if s.Queue == nil || c.Link != nil {
		return nil, nil
	}
	return s.Queue.Parts(c.Request().Context(), c.Store, c.Now)
}

// Coming is parts for a page, unless the page has failed already. Such a page isn't cached,
// because its minutes count down while nothing is written.
func (c *Call) Coming(failed error) ([]report.Part, error) {
	if failed != nil {
		return nil, failed
	}
	parts, err := c.Site.Parts(c)
	c.passing = c.passing || len(parts) > 0
	return parts, err
}

// tooManyWindows is when a program tries again if its window isn't asked for now: enough is pending already, or a
// part of its own answers is just being stored.
const tooManyWindows = 10 * time.Second

// Ask asks those of the services that can answer the chosen window, or the one it is compared
// with, and haven't. asking means that an answer is pending: the page isn't cached then, and a
// program gets status 202. A principal who asks for too many windows sees what the stored days
// give; this isn't cached either, and a program gets 202 as well: the service can still answer.
func (c *Call) Ask(in report.Stored, choice report.Choice, services ...string) (asking bool, err error) {
	if len(services) == 0 {
		return false, nil
	}
	asking = report.Asking(in, choice, c.Now)
	for _, q := range overview.Unanswered(in, choice, c.Now, services...) {
		if c.Site.Queue == nil {
			break
		}
		ctx := c.Request().Context()
		if err := c.Site.Limits.TakeWindow(ctx, c.Asker()); errors.Is(err, fault.TooMany) {
			over, _ := fault.As(err)
			c.passing, c.again = true, over.After
			break
		} else if err != nil {
			return false, err
		}
		asked, err := c.Site.Queue.WantWindow(ctx, c.Store, q, c.Now)
		if err != nil {
			return false, err
		}
		if !asked {
			c.passing, c.again = true, tooManyWindows
		}
		asking = asking || asked
	}
	c.passing = c.passing || asking
	return asking, nil
}

// LookAgain forgets that an answer was pending when the caller looked before.
func (c *Call) LookAgain() { c.passing, c.again = false, 0 }

// Asker identifies the reader, for limits.
func (c *Call) Asker() string {
	switch {
	case c.Link != nil:
		return fmt.Sprint("share ", c.Link.ID)
	case c.Visit.Token.ID != 0:
		return fmt.Sprint("token ", c.Visit.Token.ID)
	}
	return fmt.Sprint("person ", c.Visit.Person.ID)
}

// SyncFilters are the ledger's filters; anything else shows all.
var SyncFilters = map[string]bool{"all": true, "due": true, "waiting": true}
