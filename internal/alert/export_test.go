package alert

import (
	"context"
	"errors"

	"github.com/riverqueue/river"

	"github.com/storeglass/storeglass/internal/db/sqlc"
)

// Pack packs the notices of all recipients.
func (a *Alerts) Pack(ctx context.Context) error {
	return a.each(ctx, func(r recipient) error {
		return a.DB.InTx(ctx, func(q *sqlc.Queries) error { return a.pack(ctx, q, r) })
	})
}

// Deliver does the work of the jobs that a check starts, one after the other.
func (a *Alerts) Deliver(ctx context.Context) error {
	return a.each(ctx, func(r recipient) error {
		err := a.tell(ctx, r)
		if later := (*river.JobSnoozeError)(nil); errors.As(err, &later) {
			return nil
		}
		return err
	})
}

func (a *Alerts) each(ctx context.Context, f func(recipient) error) error {
	due, err := a.DB.Queries().DueRecipients(ctx, sqlc.DueRecipientsParams{Now: a.Now(), Mails: a.Courier != nil})
	for _, r := range due {
		err = errors.Join(err, f(recipient{r.PersonID, r.ChannelID}))
	}
	return err
}

// Subject is the subject of a mail about these alerts.
var Subject = subject
