package weekly

import (
	"context"
	"time"

	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/jobs"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/mail"
)

// result is what one step of a mail's delivery leads to.
type result struct {
	state fact.MailState
	// next is when it is tried again; ignored in a final state.
	next time.Time
	// held is how long no job may start the mail; 0 releases it.
	held time.Duration
	// counts is true if the failure counts against the mail itself.
	counts bool
	// outcome is the try's; empty when nothing was tried.
	outcome fact.TryOutcome
	// reason is shown to people.
	reason locale.Message
	// suppress means that nothing is sent to its address any longer.
	suppress bool
}

// answer is the result for the mail server's answer.
func (p *Sender) answer(d sqlc.BeginDeliveryRow, a mail.Answer) result {
	switch a.Kind {
	case mail.Taken:
		return result{state: fact.MailSent, outcome: fact.TrySent}
	case mail.Unanswered:
		return result{state: fact.MailReady, held: mail.LeftAlone, reason: a.Reason}
	case mail.Away:
		p.Log.Error("a weekly mail waits for the mail server", "error", a.Err)
		return result{state: fact.MailReady, next: p.Now(), outcome: fact.TryLater, reason: a.Reason}
	case mail.Broken: // let others go first, in case this mail breaks the connection
		wait, _ := jobs.Backoff(1)
		return result{state: fact.MailReady, next: p.Now().Add(wait), outcome: fact.TryConnection, reason: a.Reason}
	case mail.Later:
		s := p.failed(d, a.Reason)
		s.outcome = fact.TryLater
		return s
	default:
		return result{state: fact.MailRefused, outcome: fact.TryRefused, reason: a.Reason, suppress: a.Kind == mail.NoAddress}
	}
}

// failed is the result of a failure: another try later, or giving up.
func (p *Sender) failed(d sqlc.BeginDeliveryRow, reason locale.Message) result {
	wait, again := jobs.Backoff(int(d.Failures) + 1)
	s := result{state: d.State, next: p.Now().Add(wait), counts: true, reason: reason}
	if !again {
		s.state = fact.MailGivenUp
	}
	return s
}

// record writes the result and releases the mail, if this job still has it. It does so even
// while the program stops, since the server won't repeat its answer.
func (p *Sender) record(ctx context.Context, d sqlc.BeginDeliveryRow, s result) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordingWithin)
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
	return p.DB.InTx(ctx, func(q *sqlc.Queries) error {
		if s.outcome != "" {
			err := q.EndTry(ctx, sqlc.EndTryParams{ID: d.ID, Claim: d.Claim, Now: now, Outcome: &s.outcome, Reason: s.reason})
			if err != nil {
				return err
			}
		}
		n, err := q.SettleDelivery(ctx, sqlc.SettleDeliveryParams{
			ID: d.ID, Claim: d.Claim, Now: now, State: s.state, NextAt: s.next, HeldUntil: until, Failed: counts, Reason: s.reason,
		})
		if err == nil && s.suppress {
			err = q.Suppress(ctx, sqlc.SuppressParams{Address: *d.Address, Cause: s.reason, Now: now})
		}
		if err != nil || n == 0 {
			return err
		}
		switch s.state {
		case fact.MailWaiting, fact.MailReady:
			return nil
		case fact.MailSent:
			return q.FinishCarried(ctx, d.ID)
		}
		return q.CarryAnew(ctx, sqlc.CarryAnewParams{Carrier: d.ID, Now: now})
	})
}

// recordingWithin bounds recording a result.
const recordingWithin = 10 * time.Second
