package db

import (
	"context"
	"fmt"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/report"
	reportoffers "github.com/storeglass/storeglass/internal/report/offers"
)

// OfferDays reads what the offers earned on each day of a window, and which days are ranked.
func (d *DB) OfferDays(ctx context.Context, s ScopedStore, ids []string, w report.Window) (out reportoffers.StoredOfferDays, err error) {
	err = d.read(ctx, func(b *Batch) {
		askEach(b, &out.Days, (*Queries).DaysOfOffers, DaysOfOffersParams{StoreID: s.id, OfferIds: ids, FirstDay: day(w.Start), LastDay: day(w.End)}, storedOfferDay)
		askEach(b, &out.Ranked, (*Queries).RankedDays, RankedDaysParams{s.id, day(w.Start), day(w.End), day(w.Start), day(w.End)}, rankedDay)
	})
	if err != nil {
		return out, fmt.Errorf("read days of offers of %s: %w", s.Slug, err)
	}
	return out, nil
}

// offerDays is the same for the worker.
func (q *Queries) offerDays(ctx context.Context, store int64, ids []string, w report.Window) (out reportoffers.StoredOfferDays, err error) {
	days, err := q.DaysOfOffers(ctx, DaysOfOffersParams{StoreID: store, OfferIds: ids, FirstDay: day(w.Start), LastDay: day(w.End)})
	if err != nil {
		return out, err
	}
	ranked, err := q.RankedDays(ctx, RankedDaysParams{store, day(w.Start), day(w.End), day(w.Start), day(w.End)})
	return reportoffers.StoredOfferDays{Days: Each(days, storedOfferDay), Ranked: Each(ranked, rankedDay)}, err
}

func storedOfferDay(r DaysOfOffersRow) reportoffers.StoredOfferDay {
	return reportoffers.StoredOfferDay{OfferID: r.OfferID, Day: civil.DateOf(r.Day), Revenue: r.Revenue, Claims: r.Claims, Currency: r.Currency}
}
