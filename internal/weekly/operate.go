package weekly

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report/stores"
	"github.com/storeglass/storeglass/internal/report/weekly"
)

// SubscribeReader is Subscribe for the command line, which has all rights. It subscribes the
// person with the form's address, if they hold the store; any other address has to confirm
// (asked). db.ErrNotFound when there is no such store, or the person doesn't hold it.
func (m *SubscriptionService) SubscribeReader(ctx context.Context, form weekly.Form) (asked bool, err error) {
	form.Address = access.FoldAddress(form.Address)
	p, err := m.DB.Queries().PersonByEmail(ctx, form.Address)
	unknown := errors.Is(err, pgx.ErrNoRows)
	if err != nil && !unknown {
		return false, fmt.Errorf("find %s: %w", form.Address, err)
	}
	if !unknown {
		if p.DisabledAt != nil {
			return false, stores.Refuse("address", locale.T(ctx, "mails.wrong.disabled"))
		}
		form.Address = ""
	}
	if wrong := form.Wrong(locale.From(ctx)); len(wrong) > 0 {
		return false, &stores.Refusal{Reasons: wrong}
	}
	if form.Slug == "" {
		_, err = m.subscribePerson(ctx, p, nil, form)
		return false, err
	}
	found, err := m.DB.Queries().StoreBySlug(ctx, form.Slug)
	if err != nil {
		return false, none(err, "find store "+form.Slug)
	}
	if unknown {
		store, err := m.DB.StoreUnasked(ctx, form.Slug)
		if err != nil {
			return false, err
		}
		_, err = m.ask(ctx, sqlc.Person{}, store, found.ID, form)
		return true, err
	}
	scope, err := m.DB.ScopeOfPerson(ctx, p.ID)
	if err != nil {
		return false, err
	}
	if _, err := m.DB.Store(ctx, scope, form.Slug); err != nil {
		return false, err
	}
	_, err = m.subscribePerson(ctx, p, &found.ID, form)
	return false, err
}

// UnsubscribeReader ends the subscription of an address or account to a store, or with an
// empty slug the one to all stores. db.ErrNotFound when there is none.
func (m *SubscriptionService) UnsubscribeReader(ctx context.Context, address, slug string) error {
	address = access.FoldAddress(address)
	id, err := m.DB.Queries().SubscriptionOf(ctx, sqlc.SubscriptionOfParams{Address: address, Slug: slug})
	if err != nil {
		return none(err, "find a subscription")
	}
	return m.DB.InTx(ctx, func(q *sqlc.Queries) error {
		n, err := q.EndSubscription(ctx, sqlc.EndSubscriptionParams{ID: id, Now: m.now(), Cause: "removed"})
		return db.Touched(n, err, "end subscription %d", id)
	}, m.Audit.Recording(audit.Event{Action: audit.MailEnded, Store: slug, Subject: address}))
}
