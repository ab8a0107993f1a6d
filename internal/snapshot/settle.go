package snapshot

import (
	"context"
	"time"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/mail"
)

// settled is what became of a mail that was in hand.
type settled struct {
	state string
	// next is when it is tried again; it means nothing in an end.
	next time.Time
	// counts: a failure of this mail's own.
	counts bool
	// outcome is that of the try; empty when there was none.
	outcome string
	// told is for people.
	told string
	// suppress: nothing is sent to its address any more.
	suppress bool
}

// answer sorts what the server said of a mail; nil is that it took it.
func (l *line) answer(d db.ClaimDeliveryRow, said *mail.Refusal) settled {
	switch {
	case said == nil:
		return settled{state: "sent", outcome: "sent"}
	case said.OfAddress():
		return settled{state: "refused", outcome: "refused", told: said.Error(), suppress: true}
	case said.Passing() || said.Step == mail.OfReader: // its rules may be set right
		s := l.failed(d, said.Error())
		s.outcome = "later"
		return s
	}
	return settled{state: "refused", outcome: "refused", told: said.Error()}
}

// failed tries a mail again later, or gives it up.
func (l *line) failed(d db.ClaimDeliveryRow, told string) settled {
	failures := int(d.Failures) + 1
	s := settled{state: d.State, next: l.Now().Add(backoff(failures)), counts: true, told: told}
	if failures >= mostFailures {
		s.state = "given up"
	}
	return s
}

// settle writes it down, if the mail is still in our hand, and lets go of it. It does
// so even while the program ends: what was said was said.
func (l *line) settle(ctx context.Context, d db.ClaimDeliveryRow, s settled) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), settling)
	defer cancel()
	now := l.Now()
	if s.next.IsZero() {
		s.next = now
	}
	var counts int32
	if s.counts {
		counts = 1
	}
	return l.DB.InTx(ctx, func(q *db.Queries) error {
		if s.outcome != "" {
			err := q.EndTry(ctx, db.EndTryParams{ID: d.ID, Process: l.id, Claim: d.Claim, Now: now, Outcome: s.outcome, Told: s.told})
			if err != nil {
				return err
			}
		}
		n, err := q.SettleDelivery(ctx, db.SettleDeliveryParams{
			ID: d.ID, Process: l.id, Claim: d.Claim, Now: now, State: s.state, NextAt: s.next, Failed: counts, Told: s.told,
		})
		if err == nil && s.suppress {
			err = q.Suppress(ctx, db.SuppressParams{Address: *d.Address, Cause: s.told, Now: now})
		}
		if err != nil || n == 0 {
			return err
		}
		switch s.state {
		case "waiting", "ready":
			return nil
		case "sent":
			return q.FinishCarried(ctx, d.ID)
		}
		return q.CarryAnew(ctx, db.CarryAnewParams{Carrier: d.ID, Now: now})
	})
}

// settling bounds the writing of an outcome.
const settling = 10 * time.Second
