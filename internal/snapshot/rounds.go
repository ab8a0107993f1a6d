package snapshot

import (
	"context"
	"time"
)

// Schedule says when the next round begins.
type Schedule interface {
	Next(time.Time) time.Time
}

// Run owes and delivers what is due, now and whenever the schedule says, until ctx ends.
// Rounds follow each other: one that takes long is not doubled, and what its hour has
// brought meanwhile is the next one's.
func (p *Post) Run(ctx context.Context, s Schedule) {
	for {
		p.Round(ctx)
		wait := time.NewTimer(time.Until(s.Next(time.Now())))
		select {
		case <-ctx.Done():
			wait.Stop()
			return
		case <-wait.C:
		}
	}
}

// Round owes and delivers what is due at this moment. What goes wrong is logged: it is
// tried again in the next one.
func (p *Post) Round(ctx context.Context) {
	made, err := p.Owe(ctx)
	if err != nil && ctx.Err() == nil {
		p.Log.Error("not every weekly mail that is due could be noted", "error", err)
	}
	if made > 0 {
		p.Log.Info("weekly mails are due", "mails", made)
	}
	if err := p.Deliver(ctx); err != nil && ctx.Err() == nil {
		p.Log.Error("weekly mails wait for the next round", "error", err)
	}
}

// outlive is a context that ends a while after ctx: what is under way gets the chance to
// come to its end.
func outlive(ctx context.Context, by time.Duration) (context.Context, context.CancelFunc) {
	longer, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(by, cancel) })
	return longer, func() { stop(); cancel() }
}
