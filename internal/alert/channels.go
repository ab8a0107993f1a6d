package alert

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/access/limit"
	"github.com/storeglass/storeglass/internal/access/seal"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/fault"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report/alerts"
	"github.com/storeglass/storeglass/internal/report/stores"
)

// maxChannels is how many channels one person may have.
const maxChannels = 20

// ChannelService changes people's channels. It uses the worker's database, which sees every
// store, so each method first checks what the person may do. It implements
// alerts.ChannelService.
type ChannelService struct {
	// DB is the worker's database; Audit uses it.
	DB    *db.DB
	Audit *audit.Log
	// Pages is the web server's database. What a person holds is checked there too, with the
	// session in the context.
	Pages  *db.DB
	Sealer *seal.Sealer
	// Hooks sends test messages.
	Hooks *Hooks
	// Base is the address of the pages, for links in test messages.
	Base *url.URL
	Now  func() time.Time
}

// may refuses people who may not have channels, including disabled people.
func (d *ChannelService) may(ctx context.Context, person int64) error {
	_, err := access.Allowed(ctx, d.DB, person, access.Share)
	return err
}

// store returns the id of the store with that slug, if the person holds it.
func (d *ChannelService) store(ctx context.Context, person int64, slug string) (*int64, error) {
	_, store, err := access.HeldStore(ctx, d.DB, d.Pages, person, slug)
	return &store.ID, err
}

// AddChannel implements alerts.ChannelService.
func (d *ChannelService) AddChannel(ctx context.Context, person int64, form alerts.ChannelForm) (string, error) {
	if err := d.may(ctx, person); err != nil {
		return "", err
	}
	host, store, err := d.read(ctx, person, form)
	if err != nil {
		return "", err
	}
	to := Where{Address: form.Address}
	if form.Kind == fact.Webhook {
		to.Secret = NewSecret()
	}
	err = d.DB.InTx(ctx, func(q *sqlc.Queries) error {
		n, err := q.CountChannels(ctx, person)
		if err != nil {
			return fmt.Errorf("count channels: %w", err)
		}
		if n >= maxChannels {
			return stores.Refuse("", locale.T(ctx, "alerts.channel_form.too_many", "n", maxChannels))
		}
		id, err := q.InsertChannel(ctx, sqlc.InsertChannelParams{
			StoreID: store, PersonID: person, Kind: form.Kind, Name: form.Name, Host: host, Rules: form.Rules, CreatedAt: d.Now(),
		})
		if err != nil {
			return fmt.Errorf("add channel: %w", err)
		}
		if err := d.seal(ctx, q, id, to); err != nil {
			return err
		}
		return d.Audit.RecordIn(ctx, q, audit.Event{Action: audit.ChannelAdded, Store: form.Store, Subject: form.Name, Details: locale.Sentences{at(host)}})
	})
	return to.Secret, err
}

// read checks the form. host is that of its address, or empty to keep the current one; store
// is nil for all stores. A *stores.Refusal says what is wrong with the form.
func (d *ChannelService) read(ctx context.Context, person int64, form alerts.ChannelForm) (host string, store *int64, err error) {
	l := locale.From(ctx)
	wrong := form.Wrong(l)
	if form.Address != "" {
		if host, err = d.Hooks.Check(form.Address); err != nil {
			wrong["address"] = unaddressed(err).In(l)
		}
	}
	if form.Store != "" {
		if store, err = d.store(ctx, person, form.Store); err != nil {
			return "", nil, err
		}
	}
	if len(wrong) > 0 {
		return "", nil, &stores.Refusal{Reasons: wrong}
	}
	return host, store, nil
}

// ChangeChannel implements alerts.ChannelService. Messages already waiting go to the new
// address; those the channel no longer covers are dropped when they would be sent.
func (d *ChannelService) ChangeChannel(ctx context.Context, person, id int64, form alerts.ChannelForm) (moved bool, err error) {
	if err := d.may(ctx, person); err != nil {
		return false, err
	}
	form.Stored = true // waiting messages are already in the format of the channel's kind
	host, store, err := d.read(ctx, person, form)
	if err != nil {
		return false, err
	}
	err = d.hold(ctx, person, id, func(q *sqlc.Queries, ch sqlc.AlertChannel) error {
		if form.Revision != ch.Revision {
			return stores.Refuse(alerts.ChannelChanged, locale.T(ctx, "alerts.channel_form.wrong.revision"))
		}
		changed := changes(ch, form, store, host)
		if len(changed) == 0 {
			return nil
		}
		if moved = form.Address != ""; moved {
			if err := d.move(ctx, q, ch, form.Address); err != nil {
				return err
			}
		} else {
			host = ch.Host
		}
		err = q.EditChannel(ctx, sqlc.EditChannelParams{ID: id, Name: form.Name, Host: host, StoreID: store, Rules: form.Rules, Moved: moved})
		if err != nil {
			return fmt.Errorf("change channel %d: %w", id, err)
		}
		return d.Audit.RecordIn(ctx, q, audit.Event{Action: audit.ChannelChanged, Store: form.Store, Subject: ch.Name, Details: append(locale.Sentences{at(ch.Host)}, changed...)})
	})
	return moved, err
}

func at(host string) locale.Message { return locale.M("audit.detail.at", "host", host) }

// changes lists what the form changes; host is the channel's new host.
func changes(ch sqlc.AlertChannel, form alerts.ChannelForm, store *int64, host string) (out locale.Sentences) {
	if form.Name != ch.Name {
		out = append(out, locale.M("audit.detail.renamed", "name", form.Name))
	}
	if form.Address != "" {
		out = append(out, locale.M("audit.detail.moved", "host", host))
	}
	if db.OrZero(store) != db.OrZero(ch.StoreID) {
		out = append(out, locale.M("audit.detail.other_stores"))
	}
	if (form.Rules == nil) != (ch.Rules == nil) || !slices.Equal(form.Rules, ch.Rules) {
		out = append(out, locale.M("audit.detail.other_alerts"))
	}
	return out
}

// move stores another address, keeps the channel's signing secret, and redirects waiting
// messages there.
func (d *ChannelService) move(ctx context.Context, q *sqlc.Queries, ch sqlc.AlertChannel, address string) error {
	to := Where{Address: address}
	if ch.Kind == fact.Webhook {
		before, err := d.where(ctx, ch)
		if err != nil {
			return err
		}
		to.Secret = before.Secret
	}
	if err := d.seal(ctx, q, ch.ID, to); err != nil {
		return err
	}
	return db.Tried(q.RedirectLetters(ctx, sqlc.RedirectLettersParams{ChannelID: &ch.ID, Now: d.Now()}), "redirect what waits for channel %d", ch.ID)
}

func (d *ChannelService) seal(ctx context.Context, q *sqlc.Queries, id int64, to Where) error {
	sealed, keyID, err := to.Seal(d.Sealer, id)
	if err != nil {
		return fmt.Errorf("seal channel %d: %w", id, err)
	}
	return db.Tried(q.SealChannel(ctx, sqlc.SealChannelParams{ID: id, Sealed: sealed, KeyID: keyID}), "keep channel %d", id)
}

// change runs f on one of the person's channels in a transaction, and records it as what.
func (d *ChannelService) change(ctx context.Context, person, id int64, what audit.Action, f func(q *sqlc.Queries, ch sqlc.AlertChannel) error) error {
	if err := d.may(ctx, person); err != nil {
		return err
	}
	return d.hold(ctx, person, id, func(q *sqlc.Queries, ch sqlc.AlertChannel) error {
		if err := f(q, ch); err != nil {
			return err
		}
		return d.Audit.RecordIn(ctx, q, audit.Event{Action: what, Subject: ch.Name, Details: locale.Sentences{at(ch.Host)}})
	})
}

// hold runs f in a transaction on one of the person's channels, with its row locked.
func (d *ChannelService) hold(ctx context.Context, person, id int64, f func(q *sqlc.Queries, ch sqlc.AlertChannel) error) error {
	return d.DB.InTx(ctx, func(q *sqlc.Queries) error {
		ch, err := q.ChannelForChange(ctx, sqlc.ChannelForChangeParams{ID: id, PersonID: person})
		if err != nil {
			return db.Absent(err, db.ErrNotFound, "find channel %d", id)
		}
		return f(q, ch)
	})
}

// RenewSecret implements alerts.ChannelService.
func (d *ChannelService) RenewSecret(ctx context.Context, person, id int64) (secret string, err error) {
	err = d.change(ctx, person, id, audit.ChannelRotated, func(q *sqlc.Queries, ch sqlc.AlertChannel) error {
		if ch.Kind != fact.Webhook {
			return stores.Refuse("", locale.T(ctx, "alerts.channel_form.unsigned"))
		}
		to, err := d.where(ctx, ch)
		if err != nil {
			return err
		}
		to.Secret = NewSecret()
		secret = to.Secret
		return d.seal(ctx, q, id, to)
	})
	return secret, err
}

func (d *ChannelService) where(ctx context.Context, ch sqlc.AlertChannel) (Where, error) {
	to, err := Open(d.Sealer, ch.Sealed, ch.KeyID, ch.ID)
	if errors.Is(err, seal.ErrSealed) {
		return to, stores.Refuse("", locale.T(ctx, "alerts.channel_form.sealed"))
	}
	return to, err
}

// TestChannel implements alerts.ChannelService. No row is locked while it waits for the receiver.
func (d *ChannelService) TestChannel(ctx context.Context, person, id int64) (string, error) {
	var of sqlc.AlertChannel
	var to Where
	err := d.change(ctx, person, id, audit.ChannelTested, func(_ *sqlc.Queries, ch sqlc.AlertChannel) (err error) {
		of = ch
		to, err = d.where(ctx, ch)
		return err
	})
	if err != nil {
		return "", err
	}
	err = limit.New(d.DB, d.Now).TakeProbe(ctx, person)
	if many, ok := fault.As(err); ok {
		return "", stores.Refuse("", locale.T(ctx, "alerts.channel_form.many_tests", "n", int(many.After.Minutes())+1))
	}
	if err != nil {
		return "", err
	}
	messageID := "test_" + rand.Text()
	body, err := d.test(locale.From(ctx), of, messageID)
	if err != nil {
		return "", fmt.Errorf("write test of channel %d: %w", id, err)
	}
	err = d.Hooks.Send(ctx, to, messageID, body, d.Now())
	if failed, ok := errors.AsType[*HookError](err); ok {
		return "", stores.Refuse("", locale.T(ctx, "alerts.channel_form.not_arrived", "reason", strings.TrimSuffix(failed.Said.In(locale.From(ctx)), ".")+"."))
	}
	if err != nil {
		return "", err
	}
	return locale.T(ctx, "alerts.channel_form.arrived", "host", of.Host, "name", locale.Name(of.Name)), nil
}

// test is the message that tests a channel. Programs get it in English, as with alerts.
func (d *ChannelService) test(l locale.Locale, of sqlc.AlertChannel, messageID string) ([]byte, error) {
	now := d.Now()
	if of.Kind != fact.Slack {
		l = locale.English
	}
	item := Item{
		Event: Tried, Store: "Storeglass", RuleTitle: "Test", Title: l.T("alert.test.title", "name", of.Name), Since: now, OpenedAt: now,
		Text: l.T("alert.test.text"), AlertLink: d.Base.JoinPath("alerts").String(),
	}
	if of.Kind == fact.Slack {
		return SlackBody(l, []Item{item})
	}
	return HookBody(messageID, item)
}

// SwitchChannel implements alerts.ChannelService.
func (d *ChannelService) SwitchChannel(ctx context.Context, person, id int64, on bool) error {
	what := audit.ChannelOff
	p := sqlc.SwitchChannelParams{ID: id, OffAt: new(d.Now()), OffCause: new("person")}
	if on {
		what = audit.ChannelOn
		p.OffAt, p.OffCause = nil, nil
	}
	return d.change(ctx, person, id, what, func(q *sqlc.Queries, ch sqlc.AlertChannel) error {
		if (ch.OffAt == nil) == on {
			return nil // already done by the same person
		}
		return q.SwitchChannel(ctx, p)
	})
}

// RemoveChannel implements alerts.ChannelService.
func (d *ChannelService) RemoveChannel(ctx context.Context, person, id int64) error {
	return d.change(ctx, person, id, audit.ChannelRemoved, func(q *sqlc.Queries, _ sqlc.AlertChannel) error {
		return q.RemoveChannel(ctx, id)
	})
}

// ResealChannels seals every channel again that is sealed with an older key. With dry it
// only looks.
func ResealChannels(ctx context.Context, house *db.DB, s *seal.Sealer, dry bool) (r db.Resealed, err error) {
	list, err := house.Queries().SealedChannels(ctx)
	if err != nil {
		return r, fmt.Errorf("list channels: %w", err)
	}
	return db.Reseal(list, func(ch sqlc.AlertChannel) (string, bool, error) {
		changed, err := resealChannel(ctx, house, s, ch, dry)
		return ch.Name, changed, err
	})
}

func resealChannel(ctx context.Context, house *db.DB, s *seal.Sealer, listed sqlc.AlertChannel, dry bool) (changed bool, err error) {
	err = house.InTx(ctx, func(q *sqlc.Queries) error {
		ch, err := q.ChannelForChange(ctx, sqlc.ChannelForChangeParams{ID: listed.ID, PersonID: listed.PersonID})
		if errors.Is(err, pgx.ErrNoRows) {
			return nil // it has just been removed
		}
		if err != nil {
			return err
		}
		to, err := Open(s, ch.Sealed, ch.KeyID, ch.ID)
		if err != nil {
			return db.ErrLost
		}
		changed = s.Stale(ch.KeyID)
		if dry || !changed {
			return nil
		}
		sealed, keyID, err := to.Seal(s, ch.ID)
		if err != nil {
			return err
		}
		return q.SealChannel(ctx, sqlc.SealChannelParams{ID: ch.ID, Sealed: sealed, KeyID: keyID})
	})
	return changed, err
}
