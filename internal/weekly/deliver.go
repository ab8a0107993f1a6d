package weekly

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/storeglass/storeglass/internal/access/seal"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/jobs"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/mail"
	"github.com/storeglass/storeglass/internal/report"
)

// deliver takes a mail one step further and records the result. Failures of the mail itself
// are recorded in its row; an error means that the database failed.
func (p *Sender) deliver(ctx context.Context, id int64) error {
	if ctx.Err() != nil {
		return nil
	}
	// A mail already being sent may finish if that takes only a moment: if it were cut off, it
	// would be sent twice.
	stopped, ctx := ctx, context.WithoutCancel(ctx)
	now := p.Now()
	d, err := p.DB.Queries().BeginDelivery(ctx, sqlc.BeginDeliveryParams{ID: id, Now: now, Until: now.Add(lease(stopped))})
	if errors.Is(err, pgx.ErrNoRows) {
		return nil // it is no longer due, or another job has it
	}
	if err == nil {
		err = p.handle(ctx, stopped, d)
	}
	if err != nil {
		return fmt.Errorf("deliver mail %d: %w", id, err)
	}
	return nil
}

// lease is how long no other job may start a mail: until this job's deadline, after which
// what it is doing is cut off.
func lease(ctx context.Context) time.Duration {
	if end, ends := ctx.Deadline(); ends {
		return time.Until(end) + 2*time.Second
	}
	return jobs.TakenBack
}

// handle takes a claimed mail one step further and records the result.
func (p *Sender) handle(ctx, stopped context.Context, d sqlc.BeginDeliveryRow) error {
	r, err := p.DB.Queries().DeliveryReader(ctx, d.SubscriptionID)
	switch {
	case err != nil:
		return err
	case r.Ended:
		return p.record(ctx, d, result{state: fact.MailEnded, reason: locale.M("mails.sent.cause.ended")})
	case r.Suppressed:
		return p.record(ctx, d, result{state: fact.MailSuppressed, reason: locale.M("mails.sent.cause.suppressed")})
	}
	if d.Outdated {
		// Write it again, as the same mail, without the store that its reader can no longer see.
		d.State = fact.MailWaiting
	}
	if d.State == fact.MailWaiting {
		written, err := p.write(ctx, &d, r)
		if err != nil {
			p.Log.Error("a weekly mail can't be written", "subscription", d.SubscriptionID, "week", d.Week, "error", err)
			return p.record(ctx, d, p.failed(d, locale.M("mails.sent.cause.unwritten")))
		}
		if !written {
			return nil
		}
	}
	return p.send(ctx, stopped, d)
}

// write composes a mail and stores it before any of it is sent. It returns false if the
// mail waits for its data, or another job has it by now.
func (p *Sender) write(ctx context.Context, d *sqlc.BeginDeliveryRow, r sqlc.DeliveryReaderRow) (bool, error) {
	loc, err := report.Zone(r.Zone)
	if err != nil {
		return false, err
	}
	token := seal.NewSecret() // only the mail contains it
	now, until, stop := p.Now(), d.DueAt.Add(patience), p.Base.JoinPath("unsubscribe", token).String()
	carried, err := p.DB.Queries().CarriedWeeks(ctx, d.ID)
	if err != nil {
		return false, err
	}
	var earlier []Week
	named := []int64{}
	for _, c := range carried {
		if c.Numbers {
			earlier, named = append(earlier, Week{c.Week}), append(named, c.ID)
		}
	}
	content, err := p.compose(ctx, Order{
		StoreID: r.StoreID, PersonID: r.PersonID, Subscription: &d.SubscriptionID, Week: Week{d.Week}, Location: loc,
		Language: r.Language, Now: now, Until: until, To: r.Address, Slot: slotOf(r.Weekday, r.Hour),
		View: p.Base.JoinPath("mail", token).String(), Unsubscribe: stop, PDF: r.Pdf, Earlier: earlier,
	})
	if err != nil {
		return false, err
	}
	if !content.Complete && now.Before(until) {
		next := now.Add(lookAgain)
		if content.Asked {
			next = now.Add(askedAgain)
		}
		if next.After(until) {
			next = until
		}
		return false, p.record(ctx, *d, result{state: fact.MailWaiting, next: next, reason: locale.M("mails.sent.cause.waiting")})
	}
	message := content.Message(r.Address)
	message.ID, message.Date = d.MessageID, now
	if p.Base.Scheme == "https" { // RFC 8058 requires https; the link in the footer is always there
		message.Unsubscribe = stop
	}
	raw, err := p.Courier.Write(message)
	if err != nil {
		return false, err
	}
	var kept int64
	err = p.DB.InTx(ctx, func(q *sqlc.Queries) (err error) {
		kept, err = q.KeepMail(ctx, sqlc.KeepMailParams{
			LinkHash: seal.HashSecret(token), Body: raw, Address: &r.Address, Subject: content.Subject, Stores: content.Stores, Now: now, ID: d.ID, Claim: d.Claim,
		})
		if err != nil || kept == 0 || len(carried) == 0 {
			return err
		}
		return q.ExplainCarried(ctx, sqlc.ExplainCarriedParams{Carrier: d.ID, Named: named, LeftOut: locale.M("mails.sent.cause.no_numbers")})
	})
	d.State, d.Body, d.Address = fact.MailReady, raw, &r.Address
	return kept > 0, err
}

// compose calls the composer; if it panics, that is an error of this mail.
func (p *Sender) compose(ctx context.Context, o Order) (c Content, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("compose a mail: %v\n%s", fault, debug.Stack())
		}
	}()
	return p.Composer.Compose(ctx, o)
}

// send hands over a stored mail, and records the result.
func (p *Sender) send(ctx, stopped context.Context, d sqlc.BeginDeliveryRow) error {
	began, err := p.DB.Queries().BeginTry(ctx, sqlc.BeginTryParams{ID: d.ID, Claim: d.Claim, Now: p.Now()})
	if err != nil {
		return err
	}
	if began == 0 { // the subscription or the access just ended, or another process has the mail
		return p.record(ctx, d, result{state: fact.MailReady, next: p.Now()})
	}
	a := p.Courier.Hand(stopped, *d.Address, d.Body, func(late mail.Answer) {
		if err := p.record(context.Background(), d, p.answer(d, late)); err != nil {
			p.Log.Error("what became of a weekly mail could not be noted", "mail", d.ID, "error", err)
		}
	})
	return p.record(ctx, d, p.answer(d, a))
}
