package weekly

import (
	"context"
	"crypto/rand"
	"strings"
	"time"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
)

// Resend has a finished mail written again from today's numbers and sent by the next scheduled
// run. db.ErrNotFound if the mail is still being sent, or its subscription has ended.
func Resend(ctx context.Context, q *sqlc.Queries, delivery int64, now time.Time) error {
	n, err := q.ResendDelivery(ctx, sqlc.ResendDeliveryParams{ID: delivery, Now: now, Chance: strings.ToLower(rand.Text())})
	return db.Touched(n, err, "send mail %d again", delivery)
}
