package weekly

import (
	"context"
	"crypto/rand"
	"fmt"
	"strings"
	"time"

	"github.com/storeglass/storeglass/internal/db"
)

// Resend has a mail that came to an end written anew, from the numbers of today, and
// sent once more in the next round. db.ErrNotFound where there is none such: it is on its
// way still, or nobody is subscribed to it any more.
func Resend(ctx context.Context, q *db.Queries, delivery int64, now time.Time) error {
	n, err := q.ResendDelivery(ctx, db.ResendDeliveryParams{ID: delivery, Now: now, Chance: strings.ToLower(rand.Text())})
	if err != nil {
		return fmt.Errorf("send mail %d again: %w", delivery, err)
	}
	if n == 0 {
		return db.ErrNotFound
	}
	return nil
}
