package db

import (
	"context"
	"fmt"
	"time"

	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/report"
)

// StoredQueue is what a store's queue is estimated from.
type StoredQueue struct {
	Credentials []sqlc.CredentialStatesRow
	Ledger      []sqlc.Ledger
	Offers      []string
	Counts      []sqlc.OfferCount
	// Open is the current walk over the offers, nil if there is none. Listed: one has finished.
	Open   *sqlc.OfferWalk
	Listed bool
	Orders []sqlc.PriorityWalk
	Slots  []sqlc.SlotsOfStoreRow
	// Sharers are per service, as are the milliseconds that a call takes.
	Sharers map[string]int
	Millis  map[string]float64
}

// StoredQueue reads the queue of a store in one round trip.
func (d *DB) StoredQueue(ctx context.Context, s ScopedStore) (StoredQueue, error) {
	out := StoredQueue{Sharers: map[string]int{}, Millis: map[string]float64{}}
	var last []sqlc.OfferWalk
	err := d.read(ctx, func(b *Batch) {
		ask(b, &out.Credentials, (*sqlc.Queries).CredentialStates, one(s))
		ask(b, &out.Ledger, (*sqlc.Queries).LedgerRows, s.id)
		ask(b, &out.Offers, (*sqlc.Queries).OffersFirst, s.id)
		ask(b, &out.Counts, (*sqlc.Queries).OfferCountRows, s.id)
		askFirst(b, &out.Open, (*sqlc.Queries).NewestWalk, sqlc.NewestWalkParams{StoreID: s.id, Open: true}, func(w sqlc.OfferWalk) sqlc.OfferWalk { return w })
		ask(b, &last, (*sqlc.Queries).NewestWalk, sqlc.NewestWalkParams{StoreID: s.id})
		ask(b, &out.Orders, (*sqlc.Queries).PriorityWalks, s.id)
		ask(b, &out.Slots, (*sqlc.Queries).SlotsOfStore, sqlc.SlotsOfStoreParams{StoreID: s.id, SlotLimit: int32(d.RateLimit)})
		askFor(b, (*sqlc.Queries).BudgetSharers, s.id, func(r sqlc.BudgetSharersRow) { out.Sharers[r.Service] = int(r.Others) })
		askFor(b, (*sqlc.Queries).CallTimes, s.id, func(r sqlc.CallTimesRow) { out.Millis[r.Service] = r.Ms })
	})
	if err != nil {
		return StoredQueue{}, fmt.Errorf("read the queue of %s: %w", s.Slug, err)
	}
	out.Listed = len(last) > 0
	return out, nil
}

// WantOffer moves an offer's pulls to the front because someone is looking at it and its details are
// missing or old. It does nothing if the details are fresh, and only a few of a store's pulls can be
// moved up at once.
func (d *DB) WantOffer(ctx context.Context, s ScopedStore, offerID string, at time.Time) (pulls int64, err error) {
	pulls, err = d.q.WantOffer(ctx, sqlc.WantOfferParams{StoreID: s.id, OfferID: offerID, Now: at, Cap: wantedCap})
	return pulls, Tried(err, "ask for an offer of %s", s.Slug)
}

// Want moves these pulls, named by kind and subject, to the front because someone is waiting for them.
// again includes those answered a moment ago. It runs as the worker: pages may not add to the ledger.
func Want(ctx context.Context, q *sqlc.Queries, s ScopedStore, pulls, subjects []string, again bool, at time.Time) (wanted int64, err error) {
	if err := q.LockStore(ctx, s.id); err != nil {
		return 0, fmt.Errorf("lock %s: %w", s.Slug, err)
	}
	p := sqlc.WantPullsParams{StoreID: s.id, Pulls: pulls, Subjects: subjects, Again: again, Now: at, Cap: wantedCap}
	if again {
		p.Cap += wantedCap
	}
	if wanted, err = q.WantPulls(ctx, p); err != nil {
		return 0, fmt.Errorf("ask for pulls of %s: %w", s.Slug, err)
	}
	if again && wanted > 0 { // so that open pages show that it's running
		err = q.TouchStore(ctx, sqlc.TouchStoreParams{ID: s.id})
	}
	return wanted, err
}

// Refreshing is the progress of these pulls that someone requested again.
func (d *DB) Refreshing(ctx context.Context, s ScopedStore, pulls, subjects []string, now time.Time) (report.Refresh, error) {
	var r sqlc.RefreshingRow
	err := d.read(ctx, func(b *Batch) {
		ask(b, &r, (*sqlc.Queries).Refreshing, sqlc.RefreshingParams{StoreID: s.id, Pulls: pulls, Subjects: subjects, Now: now, SlotLimit: int32(d.RateLimit)})
	})
	if err != nil {
		return report.Refresh{}, fmt.Errorf("read how far a refresh of %s is: %w", s.Slug, err)
	}
	out := report.Refresh{Answered: int(r.Answered), Total: int(r.Total)}
	out.Stalled = r.Answered == 0 && r.Wait <= 0 && now.Sub(r.Since) >= report.StalledAfter
	if r.Wait > 0 {
		out.RunsAt = now.Add(time.Duration(r.Wait * float64(time.Second)))
	}
	return out, nil
}

// wantedCap is how many of a store's pulls may be moved up at once: ten offers' worth. Refreshes have a
// separate limit of the same size.
const wantedCap = 30
