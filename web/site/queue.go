package site

import (
	"context"
	"time"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/report"
)

// Queue says what is still ahead of a store that fills in, and has what people wait for
// pulled first.
type Queue interface {
	// Parts are the parts of what a store begins with that are still to come, in order.
	Parts(ctx context.Context, s db.ScopedStore, now time.Time) ([]report.Part, error)
	// Want has the details of an offer pulled that somebody looks at. pulls is how many
	// that are; 0 where they are fresh.
	Want(ctx context.Context, s db.ScopedStore, offerID string, now time.Time) (pulls int64, err error)
}

// Parts are those of the store in the address. Share links are told of none.
func (s *Site) Parts(c *Call) ([]report.Part, error) {
	if s.Queue == nil || c.Link != nil {
		return nil, nil
	}
	return s.Queue.Parts(c.Request().Context(), c.Store, c.Now)
}

// Coming is parts for a page, unless the page has failed already. Such a page is not
// kept: its minutes pass while nothing is written.
func (c *Call) Coming(failed error) ([]report.Part, error) {
	if failed != nil {
		return nil, failed
	}
	parts, err := c.Site.Parts(c)
	c.passing = len(parts) > 0
	return parts, err
}

// SyncFilters are the ledger's filters; anything else shows all.
var SyncFilters = map[string]bool{"all": true, "due": true, "waiting": true}
