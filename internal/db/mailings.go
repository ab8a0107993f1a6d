package db

import (
	"context"

	"github.com/storeglass/storeglass/internal/db/sqlc"
)

// MostSubscriptions is how many a list shows.
const MostSubscriptions = 500

// Subscriptions are the person's own within the scope or, if own is false, everyone else's for the
// scope's stores; slug, if not empty, limits them to one store.
func (d *DB) Subscriptions(ctx context.Context, scope Scope, person int64, own bool, slug string) ([]sqlc.ListSubscriptionsRow, error) {
	rows, err := d.q.ListSubscriptions(ctx, sqlc.ListSubscriptionsParams{
		Every: scope.every, Stores: scope.stores, PersonID: person, Own: own, Slug: slug, Most: MostSubscriptions,
	})
	return rows, Tried(err, "list subscriptions")
}

// Subscription is one of the person's own or, if others is true, one of an address without an account,
// for a store in the scope. It returns ErrNotFound.
func (d *DB) Subscription(ctx context.Context, scope Scope, person int64, others bool, id int64) (sqlc.VisibleSubscriptionRow, error) {
	r, err := d.q.VisibleSubscription(ctx, sqlc.VisibleSubscriptionParams{ID: id, Every: scope.every, Stores: scope.stores, PersonID: person, Others: others})
	return r, Absent(err, ErrNotFound, "find subscription")
}

// Deliveries are the scope's mails, newest first, up to a limit.
func (d *DB) Deliveries(ctx context.Context, scope Scope, p sqlc.ListDeliveriesParams) ([]sqlc.ListDeliveriesRow, error) {
	p.Every, p.Stores = scope.every, scope.stores
	rows, err := d.q.ListDeliveries(ctx, p)
	return rows, Tried(err, "list deliveries")
}
