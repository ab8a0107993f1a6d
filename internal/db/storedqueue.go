package db

import (
	"context"
	"fmt"
	"time"
)

// StoredQueue is what an estimate of a store's queue is made of.
type StoredQueue struct {
	Credentials []CredentialStatesRow
	Ledger      []Ledger
	Offers      []string
	Counts      []OfferCount
	// Open is the walk over the offers that is under way, nil when none is. Listed: one
	// has ended.
	Open   *OfferWalk
	Listed bool
	Orders []PriorityWalk
	Slots  []SlotsOfStoreRow
	// Sharers are by service, as are the milliseconds that a call takes.
	Sharers map[string]int
	Millis  map[string]float64
}

// StoredQueue reads the queue of a store in one round trip.
func (d *DB) StoredQueue(ctx context.Context, s ScopedStore) (StoredQueue, error) {
	out := StoredQueue{Sharers: map[string]int{}, Millis: map[string]float64{}}
	var (
		open, last []OfferWalk
		sharers    []BudgetSharersRow
		times      []CallTimesRow
	)
	err := d.read(ctx, func(b *Batch) {
		ask(b, &out.Credentials, (*Queries).CredentialStates, s.id)
		ask(b, &out.Ledger, (*Queries).LedgerRows, s.id)
		ask(b, &out.Offers, (*Queries).OffersFirst, s.id)
		ask(b, &out.Counts, (*Queries).OfferCountRows, s.id)
		ask(b, &open, (*Queries).OpenWalks, s.id)
		ask(b, &last, (*Queries).LastWalk, s.id)
		ask(b, &out.Orders, (*Queries).PriorityWalks, s.id)
		ask(b, &out.Slots, (*Queries).SlotsOfStore, SlotsOfStoreParams{StoreID: s.id, SlotLimit: int32(d.RateLimit)})
		ask(b, &sharers, (*Queries).BudgetSharers, s.id)
		ask(b, &times, (*Queries).CallTimes, s.id)
	})
	if err != nil {
		return StoredQueue{}, fmt.Errorf("read the queue of %s: %w", s.Slug, err)
	}
	if len(open) > 0 {
		out.Open = &open[0]
	}
	out.Listed = len(last) > 0
	for _, r := range sharers {
		out.Sharers[r.Service] = int(r.Others)
	}
	for _, r := range times {
		out.Millis[r.Service] = r.Ms
	}
	return out, nil
}

// WantOffer says that a person looks at an offer whose details are missing or old: its
// pulls go first. Nothing happens to details that are fresh, and only a few pulls of a
// store can be wanted at once.
func (d *DB) WantOffer(ctx context.Context, s ScopedStore, offerID string, at time.Time) (pulls int64, err error) {
	pulls, err = d.q.WantOffer(ctx, WantOfferParams{StoreID: s.id, OfferID: offerID, Now: at, Cap: wantedCap})
	if err != nil {
		return 0, fmt.Errorf("ask for an offer of %s: %w", s.Slug, err)
	}
	return pulls, nil
}

// WantWindowOf says that a person looks at a window that pulls of these kinds would answer:
// they go first. It is written as the worker: pages may not add to the ledger.
func (q *Queries) WantWindowOf(ctx context.Context, s ScopedStore, subject string, pulls []string, at time.Time) (wanted int64, err error) {
	wanted, err = q.WantWindow(ctx, WantWindowParams{StoreID: s.id, Subject: subject, Pulls: pulls, Now: at, Cap: wantedCap})
	if err != nil {
		return 0, fmt.Errorf("ask for a window of %s: %w", s.Slug, err)
	}
	return wanted, nil
}

// wantedCap is how many pulls of a store may be wanted at once: ten offers'.
const wantedCap = 30
