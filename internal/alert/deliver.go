package alert

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/mail"
)

const (
	// senderClass sets the locks of processes that send alerts apart from others.
	senderClass = 0x53474c41
	// claimed is how long a claim lasts whose process lives and doesn't come back: longer
	// than a mail server is waited for.
	claimed = mail.Taking + 5*time.Minute
	// mailLines and hookLines work at once: no mail waits for a channel.
	mailLines, hookLines = 2, 6
	// mostFailures is after how many a message is given up: about a day and a half.
	mostFailures = 12
	leastBackoff = time.Minute
	mostBackoff  = 6 * time.Hour
	// broken is how long a channel may fail before it is switched off.
	broken = 3 * 24 * time.Hour
	// settling bounds the writing of an outcome.
	settling = 10 * time.Second
)

// errServer ends a line: the mail server can't be used now, which is no mail's fault.
var errServer = errors.New("mail server")

// Deliver takes every message that is due on its way. What a process that died had in
// hand is sent again, as the same message. An error is about the database or the mail
// server: what goes wrong with one message stands in its row and keeps nobody from theirs.
func (a *Alerts) Deliver(ctx context.Context) error {
	round := mathrand.Int32()
	session, err := a.appear(ctx, round)
	if err != nil {
		return err
	}
	// The lock goes with its session.
	defer func() { _ = session.Hijack().Close(context.WithoutCancel(ctx)) }()
	var lines sync.WaitGroup
	faults := make([]error, mailLines+hookLines)
	for i := range faults {
		l := &line{Alerts: a, id: round, mails: i < mailLines}
		if l.mails && a.Sender == nil {
			continue
		}
		lines.Go(func() {
			defer l.hangUp()
			faults[i] = l.work(ctx)
		})
	}
	lines.Wait()
	return errors.Join(faults...)
}

// appear opens a session that shows that this round is under way, and frees what those
// had in hand that are not any more.
func (a *Alerts) appear(ctx context.Context, round int32) (*pgxpool.Conn, error) {
	session, err := a.DB.Pool.Acquire(ctx)
	if err != nil {
		return nil, fmt.Errorf("open a session: %w", err)
	}
	q := db.New(session)
	if err = q.LockSender(ctx, db.LockSenderParams{Class: senderClass, ID: round}); err == nil {
		_, err = q.FreeLetters(ctx, db.FreeLettersParams{Own: round, Class: senderClass})
	}
	if err != nil {
		_ = session.Hijack().Close(context.WithoutCancel(ctx))
		return nil, fmt.Errorf("show that this process sends alerts: %w", err)
	}
	return session, nil
}

// line works on one message after the other.
type line struct {
	*Alerts
	// id is that of the round.
	id         int32
	mails      bool
	connection *mail.Connection
}

func (l *line) hangUp() {
	if l.connection != nil {
		l.connection.Close()
		l.connection = nil
	}
}

func (l *line) work(ctx context.Context) error {
	for ctx.Err() == nil {
		now := l.Now()
		d, err := l.DB.Queries().ClaimLetter(ctx, db.ClaimLetterParams{Process: l.id, Now: now, Until: now.Add(claimed), Mails: l.mails})
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err == nil {
			err = l.handle(ctx, d)
		}
		if err != nil {
			return fmt.Errorf("deliver alerts: %w", err)
		}
	}
	return nil
}

// outcome is what became of a message that was in hand.
type outcome struct {
	state string
	// after is when it is tried again; it means nothing in an end.
	after time.Duration
	// counts: a failure of this message's own.
	counts bool
	told   string
	// suppress: nothing is sent to the address any more.
	suppress bool
}

func (l *line) handle(ctx context.Context, d db.ClaimLetterRow) error {
	meant, err := l.DB.Queries().LetterMeant(ctx, db.LetterMeantParams{ID: d.ID, DefaultRules: usualRules})
	if err != nil {
		return err
	}
	switch {
	case !meant.Meant:
		return l.settle(ctx, d, outcome{state: "dropped", told: "It may not be sent there any more."})
	case meant.Outdated:
		return l.repack(ctx, d)
	}
	if l.mails {
		return l.mail(ctx, d)
	}
	return l.message(ctx, d)
}

// repack puts what a letter says into another, without the stores that its reader may not
// see any more.
func (l *line) repack(ctx context.Context, d db.ClaimLetterRow) error {
	return l.DB.InTx(ctx, func(q *db.Queries) error {
		n, err := q.DropLetter(ctx, db.DropLetterParams{ID: d.ID, Process: l.id, Claim: d.Claim, Told: "Written again without a store that may not be seen any more."})
		if err != nil || n == 0 {
			return err
		}
		if err := q.UnpackNotices(ctx, db.UnpackNoticesParams{LetterID: &d.ID, Now: l.Now()}); err != nil {
			return err
		}
		return l.pack(ctx, q, d.PersonID, d.ChannelID)
	})
}

// mail hands a mail to the server.
func (l *line) mail(ctx context.Context, d db.ClaimLetterRow) error {
	if l.connection == nil {
		var err error
		if l.connection, err = l.Sender.Connect(ctx); err != nil {
			l.connection = nil
			settling := l.settle(ctx, d, outcome{state: "ready", after: leastBackoff, told: "The mail server could not be reached."})
			return errors.Join(fmt.Errorf("%w: %w", errServer, err), settling)
		}
	}
	err := l.connection.Send(ctx, *d.Address, d.Body, mail.LinkSecrets(d.Body)...)
	said, answered := errors.AsType[*mail.Refusal](err)
	switch {
	case err == nil:
		return l.settle(ctx, d, outcome{state: "sent"})
	case !answered: // it may have arrived; a repeat has the same id
		l.hangUp()
		o := l.failed(d, "The connection to the mail server broke.")
		return l.settle(ctx, d, o)
	case said.Step == mail.OfSender: // it takes nothing from us, whoever it is for
		settling := l.settle(ctx, d, outcome{state: "ready", after: leastBackoff, told: said.Error()})
		return errors.Join(fmt.Errorf("%w: %w", errServer, err), settling)
	case said.OfAddress():
		return l.settle(ctx, d, outcome{state: "refused", told: said.Error(), suppress: true})
	case said.Passing() || said.Step == mail.OfReader:
		return l.settle(ctx, d, l.failed(d, said.Error()))
	}
	return l.settle(ctx, d, outcome{state: "refused", told: said.Error()})
}

// message sends a message to a channel.
func (l *line) message(ctx context.Context, d db.ClaimLetterRow) error {
	c, err := l.DB.Queries().ChannelToTell(ctx, *d.ChannelID)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil // it went, and the message with it
	}
	if err != nil {
		return err
	}
	where, err := Open(l.Sealer, c.Sealed, c.KeyID, c.ID)
	if err == nil {
		err = l.Hooks.Send(ctx, where, d.MessageID, d.Body, l.Now())
	} else {
		err = &HookError{said: "The channel was sealed with another secret key."}
	}
	if err == nil {
		return l.settle(ctx, d, outcome{state: "sent"})
	}
	if ctx.Err() != nil { // we are told to stop; it may have arrived
		return l.settle(ctx, d, outcome{state: "ready", told: "Cut off while it was sent."})
	}
	said, _ := errors.AsType[*HookError](err)
	o := l.failed(d, said.Error())
	switch {
	case said.Final():
		o.state = "refused"
	case said.After > o.after:
		o.after = said.After
	}
	if o.counts && o.state != "given up" && o.state != "refused" {
		l.Log.Warn("a channel did not take an alert", "channel", c.ID, "host", c.Host, "failures", d.Failures+1, "error", cmp.Or(said.Cause, said.Error()))
	}
	return l.settle(ctx, d, o)
}

// failed tries a message again later, twice as long each time and half of that by
// chance, or gives it up.
func (l *line) failed(d db.ClaimLetterRow, told string) outcome {
	failures := int(d.Failures) + 1
	if failures >= mostFailures {
		return outcome{state: "given up", counts: true, told: told}
	}
	wait := mostBackoff
	if failures < 10 {
		wait = min(mostBackoff, leastBackoff<<(failures-1))
	}
	return outcome{state: "ready", after: wait/2 + mathrand.N(wait/2), counts: true, told: told}
}

// settle writes down what became of a message, if it is still in our hand. It does so
// even while the program ends: what was said was said.
func (l *line) settle(ctx context.Context, d db.ClaimLetterRow, o outcome) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), settling)
	defer cancel()
	now := l.Now()
	var counts int32
	if o.counts {
		counts = 1
	}
	return l.DB.InTx(ctx, func(q *db.Queries) error {
		if d.ChannelID != nil {
			if err := q.LockChannel(ctx, *d.ChannelID); err != nil {
				return err
			}
		}
		n, err := q.SettleLetter(ctx, db.SettleLetterParams{
			ID: d.ID, Process: l.id, Claim: d.Claim, Now: now, State: o.state, NextAt: now.Add(o.after), Failed: counts, Told: o.told,
		})
		if err != nil || n == 0 {
			return err
		}
		if o.suppress {
			if err := q.Suppress(ctx, db.SuppressParams{Address: *d.Address, Cause: o.told, Now: now}); err != nil {
				return err
			}
		}
		notices := map[string]string{"sent": "sent", "refused": "failed", "given up": "failed", "dropped": "dropped"}[o.state]
		if notices != "" {
			if err := q.SettlePacked(ctx, db.SettlePackedParams{LetterID: &d.ID, State: notices, Now: now, Told: o.told}); err != nil {
				return err
			}
		}
		if d.ChannelID == nil {
			return nil
		}
		switch {
		case o.state == "sent":
			return q.ChannelTook(ctx, db.ChannelTookParams{ID: *d.ChannelID, Now: now})
		case o.counts:
			return l.channelFailed(ctx, q, *d.ChannelID, o.told, now)
		}
		return nil
	})
}

// channelFailed notes it, and switches a channel off that has failed for days. Its owner
// is told by mail.
func (l *line) channelFailed(ctx context.Context, q *db.Queries, channel int64, told string, now time.Time) error {
	since, err := q.ChannelFailed(ctx, db.ChannelFailedParams{ID: channel, Now: now, Told: told})
	if err != nil || now.Sub(since) < broken {
		return err
	}
	c, err := q.SwitchOffChannel(ctx, db.SwitchOffChannelParams{ID: channel, Now: now})
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	l.Log.Warn("a channel was switched off", "channel", channel, "host", c.Host, "failing since", since)
	const off = "The channel was switched off."
	if err := q.DropLetters(ctx, db.DropLettersParams{ChannelID: &channel, Told: off}); err != nil {
		return err
	}
	if err := q.DropNotices(ctx, db.DropNoticesParams{ChannelID: &channel, Now: now, Told: off}); err != nil {
		return err
	}
	if l.Sender == nil || !c.Active {
		return nil
	}
	id := fmt.Sprintf("channel.%s@%s", strings.ToLower(rand.Text()), l.Host)
	b, err := l.DB.Branding(ctx)
	if err != nil {
		return err
	}
	raw, err := l.Sender.Write(mail.Message{
		To: c.Address, FromName: b.Name, List: mailList, Manage: l.link("/alerts/settings"), ID: id, Date: now,
		Subject: "Alerts go to " + oneLine(c.Name) + " no more",
		Text: fmt.Sprintf("The channel “%s” (%s) has taken no message since %s, so it was switched off. The last answer was: %s\n\nSwitch it on again when it works: %s\n",
			oneLine(c.Name), c.Host, since.UTC().Format("2 Jan 15:04 MST"), oneLine(told), l.link("/alerts/settings")),
	})
	if err != nil {
		return err
	}
	_, err = q.InsertLetter(ctx, db.InsertLetterParams{PersonID: &c.PersonID, MessageID: id, Address: &c.Address, Body: raw, Now: now})
	return err
}
