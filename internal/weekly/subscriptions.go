package weekly

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"time"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/access/limit"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/fault"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/mail"
	"github.com/storeglass/storeglass/internal/pdf"
	"github.com/storeglass/storeglass/internal/report/stores"
)

// SubscriptionService does for people what pages can't do with weekly mails: it makes and ends
// subscriptions, asks addresses to confirm, shows and sends mails. It uses the worker's
// database, which sees every store, so each method first checks what the person may do. It
// implements mails.SubscriptionService.
type SubscriptionService struct {
	// DB is the worker's database; Audit uses it.
	DB    *db.DB
	Audit *audit.Log
	// Pages is the web server's database. What a person holds is checked there too, with the
	// session in the context.
	Pages *db.DB
	// Composer writes mails; without it, previews and tests are refused.
	Composer Composer
	// Printer is nil if PDFs can't be made.
	Printer *pdf.Printer
	// Sender is nil if no mail server is set.
	Sender *mail.Sender
	// Base is the address of our pages.
	Base *url.URL
	// WeekBegins is the first weekday of the week for new subscriptions, up to 7 for Sunday; 0
	// means Monday.
	WeekBegins int32
	// Now is the clock; nil means the machine's.
	Now func() time.Time
	Log *slog.Logger
}

// Prints implements mails.SubscriptionService.
func (m *SubscriptionService) Prints() bool { return m.Printer != nil }

func (m *SubscriptionService) now() time.Time {
	if m.Now == nil {
		return time.Now()
	}
	return m.Now()
}

func (m *SubscriptionService) weekBegins() int32 { return cmp.Or(m.WeekBegins, 1) }

// subscription returns one that the person may change: their own, or, if they may share, one
// of an address to a store of theirs.
func (m *SubscriptionService) subscription(ctx context.Context, person, id int64) (sqlc.VisibleSubscriptionRow, error) {
	s, err := m.DB.Queries().VisibleSubscription(ctx, sqlc.VisibleSubscriptionParams{ID: id, Every: true, PersonID: person, Others: true})
	if err != nil {
		return s, db.Absent(err, db.ErrNotFound, "find subscription %d", id)
	}
	return s, m.mayChange(ctx, person, s.PersonID, s.Slug)
}

// mayChange returns db.ErrNotFound unless the person may change a subscription of that person
// (nil for an address without an account) to that store.
func (m *SubscriptionService) mayChange(ctx context.Context, person int64, of *int64, slug string) error {
	right := access.See
	if of == nil {
		right = access.Share
	} else if *of != person {
		return db.ErrNotFound
	}
	if _, err := access.Allowed(ctx, m.DB, person, right); err != nil {
		return err
	}
	if slug == "" {
		return nil
	}
	_, _, err := access.HeldStore(ctx, m.DB, m.Pages, person, slug)
	return err
}

// taking limits how often one person has mails sent right away.
func (m *SubscriptionService) taking(ctx context.Context, person int64) error {
	err := limit.New(m.DB, m.now).TakeMail(ctx, person)
	if many, ok := fault.As(err); ok {
		return stores.Refuse("", locale.T(ctx, "mails.wrong.many", "n", int((many.After+time.Minute-1)/time.Minute)))
	}
	return err
}

// noServer is the refusal where no mail server is set.
func noServer(ctx context.Context) error {
	return stores.Refuse("", locale.T(ctx, "mails.wrong.no_server"))
}

// send hands a mail over right away, and tells the person why if the server rejects it.
func (m *SubscriptionService) send(ctx context.Context, msg mail.Message) error {
	a := mail.AnswerOf(m.Sender.Send(ctx, msg))
	if a.Kind == mail.Taken {
		return nil
	}
	m.Log.Error("a mail that someone asked for did not go out", "error", a.Err)
	switch {
	case a.Kind == mail.NoAddress:
		if err := m.DB.Queries().Suppress(ctx, sqlc.SuppressParams{Address: msg.To, Cause: a.Reason, Now: m.now()}); err != nil {
			return fmt.Errorf("suppress an address: %w", err)
		}
		return stores.Refuse("address", locale.T(ctx, "mails.wrong.nobody"))
	case a.Reason.ID == "": // the server's own words
		return stores.Refuse("", locale.T(ctx, "mails.wrong.refused", "reason", a.Reason.In(locale.From(ctx))))
	case a.Kind == mail.Broken: // the mail may have arrived
		return stores.Refuse("", a.Reason.In(locale.From(ctx)))
	default:
		return stores.Refuse("", locale.T(ctx, "mails.wrong.unreachable"))
	}
}

// Resend has a mail written again from today's numbers and sent, for someone who may share its
// store, or for its reader if it is about all their stores. db.ErrNotFound for anyone else; a
// *stores.Refusal if the address is suppressed or the mail is still on its way.
func (m *SubscriptionService) Resend(ctx context.Context, person, delivery int64) error {
	d, err := m.DB.Queries().DeliveryToResend(ctx, delivery)
	if err != nil {
		return none(err, "find a mail")
	}
	of := d.PersonID
	if d.Slug != "" {
		of = nil
	}
	if err := m.mayChange(ctx, person, of, d.Slug); err != nil {
		return err
	}
	if err := unsuppressed(ctx, m.DB.Queries(), d.Address, ""); err != nil {
		return err
	}
	return m.DB.InTx(ctx, func(q *sqlc.Queries) error {
		if err := Resend(ctx, q, delivery, m.now()); errors.Is(err, db.ErrNotFound) {
			return stores.Refuse("", locale.T(ctx, "mails.wrong.on_its_way"))
		} else if err != nil {
			return err
		}
		return m.Audit.RecordIn(ctx, q, audit.Event{Action: audit.MailResent, Store: d.Slug, Subject: d.Address, Details: locale.Sentences{locale.M("audit.detail.week", "day", locale.Day{Date: d.Week, Year: true})}})
	})
}
