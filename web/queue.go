package web

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

// parts are those of the store in the address. Share links are told of none.
func (s *Site) parts(c *call) ([]report.Part, error) {
	if s.queue == nil || c.link != nil {
		return nil, nil
	}
	return s.queue.Parts(c.Request().Context(), c.store, c.now)
}

// coming is parts for a page, unless the page has failed already. Such a page is not
// kept: its minutes pass while nothing is written.
func (c *call) coming(failed error) ([]report.Part, error) {
	if failed != nil {
		return nil, failed
	}
	parts, err := c.site.parts(c)
	c.passing = len(parts) > 0
	return parts, err
}

// syncFilters are the ledger's filters; anything else shows all.
var syncFilters = map[string]bool{"all": true, "due": true, "waiting": true}
