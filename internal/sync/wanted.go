package pulls

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/jobs"
)

// wantedFor is how long a person is taken to look at a page that they opened. It is the
// statements' ten minutes too.
const wantedFor = 10 * time.Minute

// wanted reports whether somebody opened a page that this pull fills and it was not
// tried since.
func wanted(row db.Ledger, now time.Time) bool {
	return row.WantedAt != nil && now.Sub(*row.WantedAt) < wantedFor && (row.TriedAt == nil || row.TriedAt.Before(*row.WantedAt))
}

// Want implements site.Queue. What is wanted stands in the rows: should the start of its
// job be lost, the next tick finds it.
func (q Queue) Want(ctx context.Context, s db.ScopedStore, offerID string, now time.Time) (wanted int64, err error) {
	wanted, err = q.DB.WantOffer(ctx, s, offerID, now)
	if err != nil || wanted == 0 {
		return 0, err
	}
	return wanted, q.Jobs.Tx(ctx, func(tx pgx.Tx, worker *db.Queries) error {
		ids, err := worker.WantedCredentials(ctx, now)
		if err != nil {
			return fmt.Errorf("look for what people wait for: %w", err)
		}
		list := make([]river.InsertManyParams, len(ids))
		for i, id := range ids {
			list[i] = river.InsertManyParams{Args: wantedArgs{id}}
		}
		return jobs.Insert(ctx, tx, list...)
	})
}
