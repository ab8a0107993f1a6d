package weekly

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/report"
)

// Schedule makes a row for each mail that is due and has none, and folds each reader's backlog
// into their newest mail. It may be called at any time, any number of times. If one
// subscription fails, the others still get their rows; the errors are joined.
func (p *Sender) Schedule(ctx context.Context) (made int, err error) {
	subscriptions, err := p.DB.Queries().LiveSubscriptions(ctx)
	if err != nil {
		return 0, fmt.Errorf("list subscriptions: %w", err)
	}
	var faults []error
	for _, s := range subscriptions {
		n, err := p.scheduleFor(ctx, s)
		made += n
		if err != nil {
			faults = append(faults, fmt.Errorf("what is owed to subscription %d: %w", s.ID, err))
		}
	}
	return made, errors.Join(faults...)
}

func (p *Sender) scheduleFor(ctx context.Context, s sqlc.LiveSubscriptionsRow) (made int, err error) {
	loc, err := report.Zone(s.Zone)
	if err != nil {
		return 0, err
	}
	c := Calendar{
		Slot: *slotOf(s.Weekday, s.Hour), Begins: time.Weekday(s.WeekBegins % 7),
		Location: loc, Since: *s.ConfirmedAt,
	}
	now := p.Now()
	if len(c.Owed(weekOf(s.LastWeek), now)) == 0 && !s.Backlog {
		return 0, nil
	}
	err = p.DB.InTx(ctx, func(q *sqlc.Queries) error {
		if err := q.LockSubscription(ctx, s.ID); err != nil {
			return err
		}
		last, err := q.LastWeekOwed(ctx, s.ID)
		if err != nil {
			return err
		}
		for _, w := range c.Owed(weekOf(last), now) {
			n, err := q.OweDelivery(ctx, sqlc.OweDeliveryParams{
				SubscriptionID: s.ID, Week: w.First, DueAt: c.Due(w, loc),
				MessageID: fmt.Sprintf("%s.%d.%s@%s", w.First, s.ID, strings.ToLower(rand.Text()), p.Host),
			})
			if err != nil {
				return err
			}
			made += int(n)
		}
		return q.FoldBacklog(ctx, sqlc.FoldBacklogParams{SubscriptionID: s.ID, Now: now})
	})
	if err != nil {
		return 0, err
	}
	return made, nil
}

// slotOf reads a stored hour of the week, with weekdays from 1 for Monday to 7 for Sunday.
func slotOf(weekday, hour int32) *Slot { return &Slot{time.Weekday(weekday % 7), int(hour)} }

// weekOf reads a stored week; nil for none.
func weekOf(first civil.Date) *Week {
	if first.Year <= 1 {
		return nil
	}
	return &Week{first}
}
