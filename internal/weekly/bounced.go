package weekly

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/mail"
)

// CameBack is what a mail server reported about one of our mails.
type CameBack struct {
	// Address is the one that we had sent it to.
	Address string
	Reason  locale.Message
	// Suppressed: nothing is sent there any longer.
	Suppressed bool
}

// Bounced takes a report from a caller who knows the bounce secret. One that isn't about
// our mails isn't an error, since nothing can be done about it.
func (m *SubscriptionService) Bounced(ctx context.Context, raw io.Reader) error {
	back, err := Bounced(ctx, m.DB, raw, m.now())
	switch {
	case errors.Is(err, mail.ErrNoBounce), errors.Is(err, db.ErrNotFound):
		m.Log.Info("a mail that was handed over as one that came back is left alone", "cause", err)
		return nil
	case err != nil:
		return err
	}
	for _, b := range back {
		m.Log.Info("a mail came back", "reason", b.Reason.In(locale.English), "suppressed", b.Suppressed)
	}
	return nil
}

// Bounced reads a mail server's report about a mail that it had accepted, and notes it with
// the mail. It suppresses the address if it doesn't exist or its reader reported spam. It
// trusts only reports that name one of our mails, whose ids can't be guessed: db.ErrNotFound
// for others, and [mail.ErrNoBounce] for mails that aren't reports.
func Bounced(ctx context.Context, d *db.DB, report io.Reader, now time.Time) ([]CameBack, error) {
	bounces, err := mail.ReadBounces(report)
	if err != nil {
		return nil, err
	}
	var back []CameBack
	err = d.InTx(ctx, func(q *sqlc.Queries) error {
		for _, b := range bounces {
			reason := locale.M("mails.sent.cause.came_back", "said", strings.TrimSpace(b.Action+" "+b.Status+" "+b.Said))
			switch b.Action {
			case mail.Complained:
				reason = locale.M("mails.sent.cause.complained")
			case "failed", "delayed":
			default:
				continue
			}
			address, err := q.NoteBounce(ctx, sqlc.NoteBounceParams{MessageID: b.MessageID, Reason: reason})
			if errors.Is(err, pgx.ErrNoRows) {
				return db.ErrNotFound
			}
			if err == nil && b.Ends() {
				err = q.Suppress(ctx, sqlc.SuppressParams{Address: address, Cause: reason, Now: now})
			}
			if err != nil {
				return fmt.Errorf("note that a mail came back: %w", err)
			}
			back = append(back, CameBack{address, reason, b.Ends()})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return back, nil
}
