package snapshot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"sync"

	"github.com/golang-sql/civil"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/mail"
	"github.com/storeglass/storeglass/internal/report"
)

// senderClass sets the locks of processes that send apart from other advisory locks.
const senderClass = 0x53474d4c

// errServer ends a round: the mail server can't be used now, which is no mail's fault.
var errServer = errors.New("mail server")

// Deliver takes every mail that is due on its way, and returns when none is left. What
// a process that died had in hand is sent again, as the same mail. An error is about
// the database or the mail server: what goes wrong with one mail stands in its row and
// keeps nobody from theirs.
func (p *Post) Deliver(ctx context.Context) error {
	round := rand.Int32()
	session, err := p.appear(ctx, round)
	if err != nil {
		return err
	}
	// The lock goes with its session.
	defer func() { _ = session.Hijack().Close(context.WithoutCancel(ctx)) }()
	var lines sync.WaitGroup
	faults := make([]error, cmp.Or(p.Lines, 4))
	for i := range faults {
		lines.Go(func() {
			l := line{Post: p, id: round}
			defer l.hangUp()
			faults[i] = l.work(ctx)
		})
	}
	lines.Wait()
	return errors.Join(faults...)
}

// appear opens a session that shows that this round is under way, and frees what those
// had in hand that are not any more.
func (p *Post) appear(ctx context.Context, round int32) (*pgxpool.Conn, error) {
	session, err := p.DB.Pool.Acquire(ctx)
	if err != nil {
		return nil, fmt.Errorf("open a session: %w", err)
	}
	q := db.New(session)
	if err = q.LockSender(ctx, db.LockSenderParams{Class: senderClass, ID: round}); err == nil {
		var freed int64
		freed, err = q.FreeDeliveries(ctx, db.FreeDeliveriesParams{Own: round, Class: senderClass})
		if freed > 0 {
			p.Log.Info("freed mails that a process that ended had in hand", "mails", freed)
		}
	}
	if err != nil {
		_ = session.Hijack().Close(context.WithoutCancel(ctx))
		return nil, fmt.Errorf("show that this process sends mails: %w", err)
	}
	return session, nil
}

// line works on one mail after the other.
type line struct {
	*Post
	// id is that of the round.
	id         int32
	connection *mail.Connection
	// lost is how many conversations broke since the server last took or refused a mail.
	lost int
}

func (l *line) hangUp() {
	if l.connection != nil {
		l.connection.Close()
		l.connection = nil
	}
}

func (l *line) work(ctx context.Context) error {
	// A mail in hand is brought to its end where that takes a moment: cut off, it would
	// be sent twice.
	round := ctx
	ctx, cancel := outlive(round, ending)
	defer cancel()
	for {
		if round.Err() != nil {
			return nil
		}
		now := l.Now()
		d, err := l.DB.Queries().ClaimDelivery(ctx, db.ClaimDeliveryParams{Process: l.id, Now: now, Until: now.Add(claimed)})
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err == nil {
			err = l.handle(ctx, d)
		}
		if err != nil {
			return fmt.Errorf("deliver mails: %w", err)
		}
	}
}

// handle brings a claimed mail one step further and settles its row.
func (l *line) handle(ctx context.Context, d db.ClaimDeliveryRow) error {
	r, err := l.DB.Queries().DeliveryReader(ctx, d.SubscriptionID)
	switch {
	case err != nil:
		return err
	case r.Ended:
		return l.settle(ctx, d, settled{state: "ended", told: "The subscription has ended, or its reader may not see the store any more."})
	case r.Suppressed:
		return l.settle(ctx, d, settled{state: "suppressed", told: "Nothing is sent to this address any more: a mail to it came back or was reported as spam."})
	}
	if d.Outdated {
		// It is written once more, as the same mail, without the store that its reader lost.
		d.State = "waiting"
	}
	if d.State == "waiting" {
		written, err := l.write(ctx, &d, r)
		if err != nil {
			l.Log.Error("a weekly mail can't be written", "subscription", d.SubscriptionID, "week", civil.DateOf(d.Week), "error", err)
			return l.settle(ctx, d, l.failed(d, "The mail could not be written."))
		}
		if !written {
			return nil
		}
	}
	return l.send(ctx, d)
}

// write composes a mail and keeps it, before anything of it leaves. It reports false
// where the mail waits for its data, or is somebody else's by now.
func (l *line) write(ctx context.Context, d *db.ClaimDeliveryRow, r db.DeliveryReaderRow) (bool, error) {
	loc, err := report.Zone(r.Zone)
	if err != nil {
		return false, err
	}
	token, hash := mail.NewLink()
	now, until, stop := l.Now(), d.DueAt.Add(patience), l.Base.JoinPath("unsubscribe", token).String()
	carried, err := l.DB.Queries().CarriedWeeks(ctx, d.ID)
	if err != nil {
		return false, err
	}
	var earlier []Week
	named := []int64{}
	for _, c := range carried {
		if c.Numbers {
			earlier, named = append(earlier, Week{civil.DateOf(c.Week)}), append(named, c.ID)
		}
	}
	content, err := l.compose(ctx, Order{
		StoreID: r.StoreID, PersonID: r.PersonID, Subscription: &d.SubscriptionID, Week: Week{civil.DateOf(d.Week)}, Location: loc,
		Language: r.Language, Now: now, Until: until, To: r.Address, Slot: slotOf(r.Weekday, r.Hour),
		View: l.Base.JoinPath("mail", token).String(), Unsubscribe: stop, PDF: r.Pdf, Earlier: earlier,
	})
	if err != nil {
		return false, err
	}
	if !content.Complete && now.Before(until) {
		next := now.Add(lookAgain)
		if next.After(until) {
			next = until
		}
		return false, l.settle(ctx, *d, settled{state: "waiting", next: next, told: "Waiting for the week's data."})
	}
	message := content.Message(r.Address)
	message.ID, message.Date = d.MessageID, now
	if l.Base.Scheme == "https" { // RFC 8058 knows no other; the link in the foot is there always
		message.Unsubscribe = stop
	}
	raw, err := l.Sender.Write(message)
	if err != nil {
		return false, err
	}
	var kept int64
	err = l.DB.InTx(ctx, func(q *db.Queries) (err error) {
		kept, err = q.KeepMail(ctx, db.KeepMailParams{
			LinkHash: hash, Body: raw, Address: &r.Address, Subject: content.Subject, Stores: content.Stores, Now: now, ID: d.ID, Process: l.id, Claim: d.Claim,
		})
		if err != nil || kept == 0 || len(carried) == 0 {
			return err
		}
		return q.ExplainCarried(ctx, db.ExplainCarriedParams{Carrier: d.ID, Named: named})
	})
	d.State, d.Body, d.Address = "ready", raw, &r.Address
	return kept > 0, err
}

// compose asks the composer; a fault of its own is an error of this mail.
func (l *line) compose(ctx context.Context, o Order) (c Content, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("compose a mail: %v\n%s", fault, debug.Stack())
		}
	}()
	return l.Composer.Compose(ctx, o)
}

// send hands a mail over that is kept, and writes down what came of it.
func (l *line) send(ctx context.Context, d db.ClaimDeliveryRow) error {
	if l.connection == nil {
		var err error
		if l.connection, err = l.Sender.Connect(ctx); err != nil {
			settling := l.settle(ctx, d, settled{state: "ready", next: l.Now(), told: "The mail server could not be reached."})
			return errors.Join(fmt.Errorf("%w: %w", errServer, err), settling)
		}
	}
	began, err := l.DB.Queries().BeginTry(ctx, db.BeginTryParams{ID: d.ID, Process: l.id, Claim: d.Claim, Now: l.Now()})
	if err != nil {
		return err
	}
	if began == 0 { // the subscription or a right ended this moment, or another process has the mail
		return l.settle(ctx, d, settled{state: "ready", next: l.Now()})
	}
	err = l.connection.Send(ctx, *d.Address, d.Body, mail.LinkSecrets(d.Body)...)
	said, answered := errors.AsType[*mail.Refusal](err)
	if answered && said.Step == mail.OfSender {
		// It takes nothing from us, whoever it is for.
		settling := l.settle(ctx, d, settled{state: "ready", next: l.Now(), outcome: "later", told: said.Error()})
		return errors.Join(fmt.Errorf("%w: %w", errServer, err), settling)
	}
	if answered || err == nil {
		l.lost = 0
		return l.settle(ctx, d, l.answer(d, said))
	}
	l.hangUp()
	// Others go first, in case that it is this mail that the server can't bear.
	broke := settled{state: "ready", next: l.Now().Add(backoff(1)), outcome: "connection", told: "The connection to the mail server broke."}
	if settling := l.settle(ctx, d, broke); settling != nil {
		return settling
	}
	if l.lost++; l.lost >= mostLost {
		return fmt.Errorf("%w: %w", errServer, err)
	}
	return nil
}
