package weekly

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/access/seal"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/mail"
	"github.com/storeglass/storeglass/internal/report/stores"
	"github.com/storeglass/storeglass/internal/report/weekly"
)

const (
	// askedFor is how long an address has to confirm, and askAgain how long it isn't asked
	// again after that mail.
	askedFor = 7 * 24 * time.Hour
	askAgain = 24 * time.Hour
	// addressClass keeps locks on addresses apart from other advisory locks.
	addressClass = 0x53474d41
)

// Subscribe makes a subscription: at once for the person's own, or for another address after
// it confirms by mail. A *stores.Refusal is meant for the person.
func (m *SubscriptionService) Subscribe(ctx context.Context, person int64, form weekly.Form) (id int64, err error) {
	form.Address = access.FoldAddress(form.Address)
	right := access.See
	if form.Address != "" {
		right = access.Share
	}
	p, err := access.Allowed(ctx, m.DB, person, right)
	if err != nil {
		return 0, err
	}
	var storeID *int64
	var store db.ScopedStore
	if form.Slug != "" {
		s, row, err := access.HeldStore(ctx, m.DB, m.Pages, person, form.Slug)
		if err != nil {
			return 0, err
		}
		store, storeID = s, &row.ID
	}
	switch wrong := form.Wrong(locale.From(ctx)); {
	case len(wrong) > 0:
		return 0, &stores.Refusal{Reasons: wrong}
	case form.Address == "":
		return m.subscribePerson(ctx, p, storeID, form)
	case form.Address == strings.ToLower(p.Email):
		return 0, stores.Refuse("address", locale.T(ctx, "mails.wrong.own_address"))
	}
	return m.ask(ctx, p, store, *storeID, form)
}

func (m *SubscriptionService) subscribePerson(ctx context.Context, p sqlc.Person, storeID *int64, form weekly.Form) (id int64, err error) {
	var zone *string
	if storeID == nil {
		zone = &form.Zone
	}
	err = m.DB.InTx(ctx, func(q *sqlc.Queries) error {
		id, err = q.SubscribePerson(ctx, sqlc.SubscribePersonParams{
			StoreID: storeID, PersonID: &p.ID, Language: form.Language, Weekday: int32(form.Weekday), Hour: int32(form.Hour), WeekBegins: m.weekBegins(), Zone: zone, Pdf: form.PDF, Now: m.now(),
		})
		if err != nil {
			return db.Absent(err, stores.Refuse("", locale.T(ctx, "mails.wrong.already")), "subscribe person %d", p.ID)
		}
		return m.Audit.RecordIn(ctx, q, audit.Event{Action: audit.MailSubscribed, Store: form.Slug, Subject: p.Email})
	})
	return id, err
}

// ask stores the subscription and mails the address, which has to confirm. The secret for
// that is only in the mail.
func (m *SubscriptionService) ask(ctx context.Context, p sqlc.Person, store db.ScopedStore, storeID int64, form weekly.Form) (id int64, err error) {
	if m.Sender == nil {
		return 0, noServer(ctx)
	}
	if p.ID != 0 {
		if err := m.taking(ctx, p.ID); err != nil {
			return 0, err
		}
	}
	token := seal.NewSecret() // only the mail contains it
	now := m.now()
	until := now.Add(askedFor)
	err = m.DB.InTx(ctx, func(q *sqlc.Queries) error {
		if err := m.mayAsk(ctx, q, form.Address, until); err != nil {
			return err
		}
		id, err = q.AskAddress(ctx, sqlc.AskAddressParams{
			StoreID: storeID, Address: form.Address, Language: form.Language, Weekday: int32(form.Weekday), Hour: int32(form.Hour), WeekBegins: m.weekBegins(), Pdf: form.PDF,
			Now: now, MadeBy: db.Optional(p.ID), Hash: seal.HashSecret(token), Until: until,
		})
		if err != nil {
			return db.Absent(err, stores.Refuse("address", locale.T(ctx, "mails.wrong.address_already")), "ask an address")
		}
		return m.Audit.RecordIn(ctx, q, audit.Event{Action: audit.MailAsked, Store: store.Slug, Subject: form.Address})
	})
	if err != nil {
		return 0, err
	}
	kept, err := m.DB.Branding(ctx)
	if err != nil {
		return 0, err
	}
	if err := m.send(ctx, m.askingMail(kept.Name, p, store, form, token, until)); err != nil {
		unsaid := m.DB.Queries().NotAsked(context.WithoutCancel(ctx), sqlc.NotAskedParams{ID: id, Hash: seal.HashSecret(token)})
		return 0, errors.Join(err, unsaid)
	}
	return id, nil
}

// mayAsk refuses an address that was recently asked about any subscription, and one that is
// suppressed.
func (m *SubscriptionService) mayAsk(ctx context.Context, q *sqlc.Queries, address string, until time.Time) error {
	if err := q.LockAddress(ctx, sqlc.LockAddressParams{Class: addressClass, Address: address}); err != nil {
		return fmt.Errorf("lock an address: %w", err)
	}
	asked, err := q.AskedSince(ctx, sqlc.AskedSinceParams{Address: address, Until: until.Add(-askAgain)})
	if err != nil {
		return fmt.Errorf("look when an address was asked: %w", err)
	}
	if asked {
		return stores.Refuse("address", locale.T(ctx, "mails.wrong.asked"))
	}
	return unsuppressed(ctx, q, address, "address")
}

// unsuppressed refuses an address that nothing is sent to; about is the form's field.
func unsuppressed(ctx context.Context, q *sqlc.Queries, address, about string) error {
	suppressed, err := q.Suppressed(ctx, address)
	if suppressed {
		return stores.Refuse(about, locale.T(ctx, "mails.wrong.suppressed"))
	}
	return db.Tried(err, "look whether an address is suppressed")
}

// askingMail is plain text, since its reader has never heard of us.
func (m *SubscriptionService) askingMail(called string, p sqlc.Person, store db.ScopedStore, form weekly.Form, token string, until time.Time) mail.Message {
	from := called
	called = cmp.Or(called, ownName)
	by := p.Name + " (" + p.Email + ")"
	if p.ID == 0 {
		by = called + " at " + m.Base.Host
	}
	l, _ := locale.Of(form.Language)
	when := l.T("mails.when", "when", weekly.When(l, form.Weekday, form.Hour), "clock", l.Clock(store.Timezone))
	return mail.Message{
		To: form.Address, FromName: from, Language: l.Code(), Subject: l.T("mails.asking.subject", "store", store.Name), Date: m.now(),
		Text: strings.Join([]string{
			l.T("mails.asking.hello"),
			l.T("mails.asking.text", "name", locale.Name(by), "store", locale.Name(store.Name), "called", called, "when", when),
			l.T("mails.asking.yes"), m.Base.JoinPath("snapshots", "confirm", token).String(),
			l.T("mails.asking.until", "day", l.DayYear(civil.DateOf(until.UTC())), "time", l.Time(until.UTC())),
		}, "\n\n") + "\n",
	}
}

// AskAgain asks the address of an unconfirmed subscription again.
func (m *SubscriptionService) AskAgain(ctx context.Context, person, id int64) error {
	s, err := m.subscription(ctx, person, id)
	if err != nil {
		return err
	}
	if s.ConfirmedAt != nil {
		return stores.Refuse("", locale.T(ctx, "mails.wrong.confirmed"))
	}
	_, err = m.Subscribe(ctx, person, weekly.Form{
		Slug: s.Slug, Address: s.Address, Language: s.Language, Weekday: int(s.Weekday), Hour: int(s.Hour), PDF: s.Pdf,
	})
	return err
}

// Change changes when and how a mail comes, not its reader or store.
func (m *SubscriptionService) Change(ctx context.Context, person, id int64, form weekly.Form) error {
	s, err := m.subscription(ctx, person, id)
	if err != nil {
		return err
	}
	form.Slug, form.Address = s.Slug, ""
	if wrong := form.Wrong(locale.From(ctx)); len(wrong) > 0 {
		return &stores.Refusal{Reasons: wrong}
	}
	return m.DB.InTx(ctx, func(q *sqlc.Queries) error {
		n, err := q.ChangeSubscription(ctx, sqlc.ChangeSubscriptionParams{
			ID: id, Language: form.Language, Weekday: int32(form.Weekday), Hour: int32(form.Hour), Pdf: form.PDF, Zone: &form.Zone,
		})
		return m.recorded(ctx, q, n, err, audit.MailChanged, s)
	})
}

// End ends a subscription at once.
func (m *SubscriptionService) End(ctx context.Context, person, id int64) error {
	s, err := m.subscription(ctx, person, id)
	if err != nil {
		return err
	}
	cause := "removed"
	if s.PersonID != nil {
		cause = "reader"
	}
	return m.DB.InTx(ctx, func(q *sqlc.Queries) error {
		n, err := q.EndSubscription(ctx, sqlc.EndSubscriptionParams{ID: id, Now: m.now(), Cause: cause})
		return m.recorded(ctx, q, n, err, audit.MailEnded, s)
	})
}

// recorded records the action; db.ErrNotFound if the subscription had already ended.
func (m *SubscriptionService) recorded(ctx context.Context, q *sqlc.Queries, rows int64, err error, action audit.Action, s sqlc.VisibleSubscriptionRow) error {
	if err := db.Touched(rows, err, "%s %d", action, s.ID); err != nil {
		return err
	}
	return m.Audit.RecordIn(ctx, q, audit.Event{Action: action, Store: s.Slug, Subject: s.Address})
}

// Asked is what the link's holder is asked to confirm. db.ErrNotFound if the link never
// worked or no longer does.
func (m *SubscriptionService) Asked(ctx context.Context, token string) (weekly.Offer, error) {
	r, err := m.asked(ctx, token)
	if err != nil {
		return weekly.Offer{}, err
	}
	return weekly.Offer{
		Store: r.StoreName, Timezone: r.Timezone, Address: *r.Address, Language: r.Language, By: r.MadeBy, Weekday: int(r.Weekday), Hour: int(r.Hour),
		Confirmed: r.ConfirmedAt != nil, Until: *r.ConfirmUntil,
	}, nil
}

func (m *SubscriptionService) asked(ctx context.Context, token string) (sqlc.AskedSubscriptionRow, error) {
	hash, err := hashOf(token)
	if err != nil {
		return sqlc.AskedSubscriptionRow{}, err
	}
	r, err := m.DB.Queries().AskedSubscription(ctx, sqlc.AskedSubscriptionParams{Hash: hash, Now: m.now()})
	return r, none(err, "find what an address was asked")
}

// Confirm starts the subscription that the token's mail asked about. Confirming twice changes
// nothing. db.ErrNotFound as for Asked.
func (m *SubscriptionService) Confirm(ctx context.Context, token string) error {
	r, err := m.asked(ctx, token)
	if err != nil || r.ConfirmedAt != nil {
		return err
	}
	hash, err := hashOf(token)
	if err != nil {
		return err
	}
	return m.DB.InTx(ctx, func(q *sqlc.Queries) error {
		n, err := q.ConfirmSubscription(ctx, sqlc.ConfirmSubscriptionParams{ID: r.ID, Hash: hash, Now: m.now()})
		if err != nil {
			return fmt.Errorf("confirm subscription %d: %w", r.ID, err)
		}
		if n == 0 { // just confirmed by another request
			return nil
		}
		return m.Audit.RecordIn(ctx, q, audit.Event{Action: audit.MailConfirmed, Store: r.Slug, Subject: *r.Address})
	})
}
