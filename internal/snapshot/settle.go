package snapshot

import (
	"context"
	"errors"
	"time"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/mail"
)

// settled is what became of a mail that was in hand.
type settled struct {
	state string
	// next is when it is tried again; it means nothing in an end.
	next time.Time
	// held is how long nobody touches it; 0 for a mail that is in nobody's hand.
	held time.Duration
	// counts: a failure of this mail's own.
	counts bool
	// outcome is that of the try; empty when there was none.
	outcome string
	// told is for people.
	told string
	// suppress: nothing is sent to its address any more.
	suppress bool
}

// answer sorts what the server said of a mail.
func (p *Post) answer(d db.BeginDeliveryRow, err error) settled {
	said, answered := errors.AsType[*mail.Refusal](err)
	away, unreachable := errors.AsType[*mail.Unreachable](err)
	switch {
	case err == nil:
		return settled{state: "sent", outcome: "sent"}
	case errors.Is(err, mail.ErrUnanswered):
		return settled{state: "ready", held: held, told: "The mail server has not answered yet."}
	case unreachable: // it takes nothing from us, whoever it is for
		p.Log.Error("a weekly mail waits for the mail server", "error", away)
		s := settled{state: "ready", next: p.Now(), outcome: "later", told: "The mail server could not be reached."}
		if answered {
			s.told = said.Error()
		}
		return s
	case !answered: // it may have arrived; others go first, in case that it is this mail that the server can't bear
		return settled{state: "ready", next: p.Now().Add(backoff(1)), outcome: "connection", told: "The connection to the mail server broke."}
	case said.OfAddress():
		return settled{state: "refused", outcome: "refused", told: said.Error(), suppress: true}
	case said.Passing() || said.Step == mail.OfReader: // its rules may be set right
		s := p.failed(d, said.Error())
		s.outcome = "later"
		return s
	}
	return settled{state: "refused", outcome: "refused", told: said.Error()}
}

// failed tries a mail again later, or gives it up.
func (p *Post) failed(d db.BeginDeliveryRow, told string) settled {
	failures := int(d.Failures) + 1
	s := settled{state: d.State, next: p.Now().Add(backoff(failures)), counts: true, told: told}
	if failures >= mostFailures {
		s.state = "given up"
	}
	return s
}

// settle writes it down, if the mail is still in our hand, and lets go of it. It does
// so even while the program ends: what was said was said.
func (p *Post) settle(ctx context.Context, d db.BeginDeliveryRow, s settled) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), settling)
	defer cancel()
	now := p.Now()
	if s.next.IsZero() {
		s.next = now
	}
	var until *time.Time
	if s.held > 0 {
		until = new(now.Add(s.held))
	}
	var counts int32
	if s.counts {
		counts = 1
	}
	return p.DB.InTx(ctx, func(q *db.Queries) error {
		if s.outcome != "" {
			err := q.EndTry(ctx, db.EndTryParams{ID: d.ID, Claim: d.Claim, Now: now, Outcome: s.outcome, Told: s.told})
			if err != nil {
				return err
			}
		}
		n, err := q.SettleDelivery(ctx, db.SettleDeliveryParams{
			ID: d.ID, Claim: d.Claim, Now: now, State: s.state, NextAt: s.next, HeldUntil: until, Failed: counts, Told: s.told,
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
