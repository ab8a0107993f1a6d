package alert

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/jobs"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/mail"
	"github.com/storeglass/storeglass/internal/report/alerts"
)

const (
	// broken is how long a channel may fail before it is switched off.
	broken = 3 * 24 * time.Hour
	// settling bounds the recording of an outcome.
	settling = 10 * time.Second
)

// outcome is the result of one attempt to deliver a message.
type outcome struct {
	state fact.MailState
	// after is the wait before the next try; ignored in a final state.
	after time.Duration
	// held is how long no job may start the message; 0 releases it.
	held time.Duration
	// counts is true if the failure counts against the message itself.
	counts bool
	reason locale.Message
	// suppress means that nothing is sent to the address any longer.
	suppress bool
}

// deliver takes a claimed message one step further. again means that it was written again.
func (a *Alerts) deliver(ctx context.Context, d sqlc.BeginLetterRow) (again bool, err error) {
	meant, err := a.DB.Queries().LetterMeant(ctx, sqlc.LetterMeantParams{ID: d.ID, DefaultRules: alerts.UsualRules()})
	switch {
	case err != nil:
		return false, err
	case !meant.Meant:
		return false, a.settle(ctx, d, outcome{state: fact.MailDropped, reason: locale.M("alert.unsent.unwanted")})
	case meant.Outdated:
		return true, a.repack(ctx, d)
	case d.ChannelID == nil:
		return false, a.mail(ctx, d)
	}
	return false, a.message(ctx, d)
}

// repack replaces a message with a new one, without the stores that its reader may no
// longer see.
func (a *Alerts) repack(ctx context.Context, d sqlc.BeginLetterRow) error {
	return a.DB.InTx(ctx, func(q *sqlc.Queries) error {
		n, err := q.DropLetter(ctx, sqlc.DropLetterParams{ID: d.ID, Claim: d.Claim, Reason: locale.M("alert.unsent.rewritten")})
		if err != nil || n == 0 {
			return err
		}
		if err := q.UnpackNotices(ctx, sqlc.UnpackNoticesParams{LetterID: &d.ID, Now: a.Now()}); err != nil {
			return err
		}
		return a.pack(ctx, q, recipient{d.PersonID, d.ChannelID})
	})
}

// mail hands a mail to the server.
func (a *Alerts) mail(ctx context.Context, d sqlc.BeginLetterRow) error {
	answer := a.Courier.Hand(ctx, *d.Address, d.Body, func(late mail.Answer) {
		if err := a.settle(context.Background(), d, a.mailed(d, late)); err != nil {
			a.Log.Error("what became of an alert could not be noted", "letter", d.ID, "error", err)
		}
	})
	return a.settle(ctx, d, a.mailed(d, answer))
}

// mailed is the outcome for the server's answer to a mail.
func (a *Alerts) mailed(d sqlc.BeginLetterRow, answer mail.Answer) outcome {
	reason := answer.Reason
	switch answer.Kind {
	case mail.Taken:
		return outcome{state: fact.MailSent}
	case mail.Unanswered:
		return outcome{state: fact.MailReady, held: mail.LeftAlone, reason: reason}
	case mail.Away:
		a.Log.Error("an alert waits for the mail server", "error", answer.Err)
		return outcome{state: fact.MailReady, after: time.Minute, reason: reason}
	case mail.Broken, mail.Later: // a repeat has the same message id
		return failed(d, reason)
	default:
		return outcome{state: fact.MailRefused, reason: reason, suppress: answer.Kind == mail.NoAddress}
	}
}

// message sends a message to a channel.
func (a *Alerts) message(ctx context.Context, d sqlc.BeginLetterRow) error {
	c, err := a.DB.Queries().ChannelToTell(ctx, *d.ChannelID)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil // the channel was deleted, and the message with it
	}
	if err != nil {
		return err
	}
	ch := c.AlertChannel
	where, err := Open(a.Sealer, ch.Sealed, ch.KeyID, ch.ID)
	if err == nil {
		err = a.Hooks.Send(ctx, where, d.MessageID, d.Body, a.Now())
	} else {
		err = &HookError{Said: locale.M("alert.hook.sealed")}
	}
	if err == nil {
		return a.settle(ctx, d, outcome{state: fact.MailSent})
	}
	if ctx.Err() != nil { // we are stopping; the message may have arrived
		return a.settle(ctx, d, outcome{state: fact.MailReady, reason: locale.M("alert.unsent.cut_off")})
	}
	said, _ := errors.AsType[*HookError](err)
	o := failed(d, said.Said)
	switch {
	case said.Final():
		o.state = fact.MailRefused
	case said.After > o.after:
		o.after = said.After
	}
	if o.counts && o.state != fact.MailGivenUp && o.state != fact.MailRefused {
		a.Log.Warn("a channel did not take an alert", "channel", ch.ID, "host", ch.Host, "failures", d.Failures+1, "error", cmp.Or(said.Cause, said.Error()))
	}
	return a.settle(ctx, d, o)
}

// failed schedules another try, or gives the message up.
func failed(d sqlc.BeginLetterRow, reason locale.Message) outcome {
	wait, again := jobs.Backoff(int(d.Failures) + 1)
	if !again {
		return outcome{state: fact.MailGivenUp, counts: true, reason: reason}
	}
	return outcome{state: fact.MailReady, after: wait, counts: true, reason: reason}
}

// settle records the outcome if this job still has the message. It does so even while the
// program stops, since the server won't repeat its answer.
func (a *Alerts) settle(ctx context.Context, d sqlc.BeginLetterRow, o outcome) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), settling)
	defer cancel()
	now := a.Now()
	var counts int32
	if o.counts {
		counts = 1
	}
	var until *time.Time
	if o.held > 0 {
		until = new(now.Add(o.held))
	}
	return a.DB.Tx(ctx, func(tx pgx.Tx, q *sqlc.Queries) error {
		if d.ChannelID != nil {
			if err := q.LockChannel(ctx, *d.ChannelID); err != nil {
				return err
			}
		}
		n, err := q.SettleLetter(ctx, sqlc.SettleLetterParams{
			ID: d.ID, Claim: d.Claim, Now: now, State: o.state, NextAt: now.Add(o.after), HeldUntil: until, Failed: counts, Reason: o.reason,
		})
		if err != nil || n == 0 {
			return err
		}
		if o.suppress {
			if err := q.Suppress(ctx, sqlc.SuppressParams{Address: *d.Address, Cause: o.reason, Now: now}); err != nil {
				return err
			}
		}
		notices := map[fact.MailState]fact.NoticeState{fact.MailSent: fact.NoticeSent, fact.MailRefused: fact.NoticeFailed, fact.MailGivenUp: fact.NoticeFailed, fact.MailDropped: fact.NoticeDropped}[o.state]
		if notices != "" {
			if err := q.SettlePacked(ctx, sqlc.SettlePackedParams{LetterID: &d.ID, State: notices, Now: now, Reason: o.reason}); err != nil {
				return err
			}
		}
		if d.ChannelID == nil {
			return nil
		}
		switch {
		case o.state == fact.MailSent:
			return q.ChannelTook(ctx, sqlc.ChannelTookParams{ID: *d.ChannelID, Now: now})
		case o.counts:
			return a.channelFailed(ctx, tx, q, *d.ChannelID, o.reason, now)
		}
		return nil
	})
}

// channelFailed notes a failure, and switches off a channel that has failed for days. Its
// owner is notified by mail.
func (a *Alerts) channelFailed(ctx context.Context, tx pgx.Tx, q *sqlc.Queries, channel int64, reason locale.Message, now time.Time) error {
	since, err := q.ChannelFailed(ctx, sqlc.ChannelFailedParams{ID: channel, Now: now, Reason: reason})
	if err != nil || now.Sub(since) < broken {
		return err
	}
	c, err := q.SwitchOffChannel(ctx, sqlc.SwitchOffChannelParams{ID: channel, Now: now})
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	a.Log.Warn("a channel was switched off", "channel", channel, "host", c.Host, "failing since", since)
	off := locale.M("alert.unsent.channel_off")
	if err := q.DropLetters(ctx, sqlc.DropLettersParams{ChannelID: &channel, Reason: off}); err != nil {
		return err
	}
	if err := q.DropNotices(ctx, sqlc.DropNoticesParams{ChannelID: &channel, Now: now, Reason: off}); err != nil {
		return err
	}
	if a.Courier == nil || !c.Active {
		return nil
	}
	id := fmt.Sprintf("channel.%s@%s", strings.ToLower(rand.Text()), a.Host)
	b, err := a.DB.Branding(ctx)
	if err != nil {
		return err
	}
	l, _ := locale.Of(c.Language)
	raw, err := a.Courier.Write(mail.Message{
		To: c.Address, FromName: b.Name, List: mailList, Manage: a.link("/alerts/settings"), ID: id, Date: now,
		Language: l.Code(), Subject: l.T("alert.off.subject", "name", oneLine(c.Name)),
		Text: l.T("alert.off.text", "name", oneLine(c.Name), "host", c.Host, "at", locale.Moment{At: since, Zone: "UTC"}, "answer", oneLine(reason.In(l))) +
			"\n\n" + l.T("alert.off.do") + l.T("unit.colon") + a.link("/alerts/settings") + "\n",
	})
	if err != nil {
		return err
	}
	if _, err = q.InsertLetter(ctx, sqlc.InsertLetterParams{PersonID: &c.PersonID, MessageID: id, Address: &c.Address, Body: raw, Now: now}); err != nil {
		return err
	}
	return jobs.Insert(ctx, tx, river.InsertManyParams{Args: tellArgs{Person: &c.PersonID}})
}
