package db

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/alerts"
)

// MaxThresholds is how many thresholds a store may have.
const MaxThresholds = 10

// mostWatchable is how many offers a form lists.
const mostWatchable = 100

// Thresholds are those of a store, with the days for their previews and the offers that can be watched.
// The offer with the id asked is among them, and its days are read too.
func (d *DB) Thresholds(ctx context.Context, s ScopedStore, asked string, w report.Window) (out alerts.StoredThresholds, err error) {
	err = d.read(ctx, func(b *Batch) {
		askEach(b, &out.Thresholds, (*sqlc.Queries).Thresholds, s.id, threshold)
		askEach(b, &out.Offers, (*sqlc.Queries).WatchableOffers, watchable(s, asked), watchableOffer)
	})
	if err == nil {
		err = d.read(ctx, func(b *Batch) {
			askThresholdDays(b, &out.Days, s.id, append(alerts.WatchedIDs(out.Thresholds), asked), w)
		})
	}
	return out, Tried(err, "read thresholds of %s", s.Slug)
}

// WatchableOffers are the offers that a threshold can watch, starting with the one whose id is asked.
func (d *DB) WatchableOffers(ctx context.Context, s ScopedStore, asked string) ([]alerts.WatchedOffer, error) {
	rows, err := d.q.WatchableOffers(ctx, watchable(s, asked))
	return Each(rows, watchableOffer), err
}

func watchable(s ScopedStore, asked string) sqlc.WatchableOffersParams {
	return sqlc.WatchableOffersParams{StoreID: s.id, Coupon: report.Coupon, Asked: asked, Most: mostWatchable}
}

func watchableOffer(r sqlc.WatchableOffersRow) alerts.WatchedOffer {
	return watchedOffer(r.OfferID, r.Name, r.Placement)
}

func watchedOffer(id, name string, placement report.Placement) alerts.WatchedOffer {
	return alerts.WatchedOffer{ID: id, Name: cmp.Or(name, id), Placement: placement}
}

// askThresholdDays adds the whole days of a window, and those of each placement and offer.
func askThresholdDays(b *Batch, into *alerts.ThresholdDays, store int64, ids []string, w report.Window) {
	askFor(b, (*sqlc.Queries).SummaryDays, daysIn(store, w), func(r sqlc.SummaryDaysRow) {
		if !r.Partial {
			into.Sums = append(into.Sums, summaryDay(r))
		}
	})
	askEach(b, &into.Stats, (*sqlc.Queries).StatDays, sqlc.StatDaysParams(windowsOf(store, w, w)), statDay)
	if !slices.ContainsFunc(ids, func(id string) bool { return id != "" }) {
		return
	}
	askOfferDays(b, &into.Offers.StoredOfferDays, store, ids, w)
	into.Offers.First = map[string]civil.Date{}
	askFor(b, (*sqlc.Queries).FirstDaysOfOffers, sqlc.FirstDaysOfOffersParams{StoreID: store, OfferIds: ids}, func(f sqlc.FirstDaysOfOffersRow) {
		into.Offers.First[f.OfferID] = f.Day
	})
}

func threshold(r sqlc.ThresholdsRow) alerts.Threshold {
	t := alerts.Threshold{
		ID: r.ID, Metric: r.Metric, Placement: r.Placement, Kind: r.Kind, Amount: r.Amount, Currency: r.Currency,
		LeastOrders: int(r.LeastOrders), By: r.SetBy, SetAt: r.SetAt,
	}
	if r.OfferID != "" {
		t.Offer = watchedOffer(r.OfferID, r.OfferName, report.Placement(r.OfferPlacement))
	}
	return t
}

// SetThreshold saves a new threshold by that person. It returns ErrNotFound if the store already has the
// maximum number. If it has the same threshold, as after a form that was sent twice, nothing changes.
func (d *DB) SetThreshold(ctx context.Context, s ScopedStore, t alerts.Threshold, person int64, also ...Also) error {
	err := d.InTx(ctx, func(q *sqlc.Queries) error {
		id, err := setThreshold(ctx, q, s, t, person)
		if err != nil {
			return err
		}
		repeated, err := q.ThresholdIsRepeated(ctx, id)
		if repeated {
			return errRepeated
		}
		return err
	}, also...)
	if errors.Is(err, errRepeated) {
		return nil
	}
	return err
}

var errRepeated = errors.New("the store has this threshold")

// ChangeThreshold replaces the threshold with that id. Its alert, which was about something else, is
// marked as done by that person. The function gets the old threshold and runs in the same transaction.
// It returns ErrNotFound if there is no such threshold.
func (d *DB) ChangeThreshold(ctx context.Context, s ScopedStore, id int64, t alerts.Threshold, person int64, with func(context.Context, *sqlc.Queries, alerts.Threshold) error) error {
	return d.InTx(ctx, func(q *sqlc.Queries) error {
		was, err := deleteThreshold(ctx, q, s, id, person, t.SetAt)
		if err == nil {
			_, err = setThreshold(ctx, q, s, t, person)
		}
		if err != nil {
			return err
		}
		return with(ctx, q, was)
	})
}

// DeleteThreshold deletes a threshold and marks its alert as done by that person. The function runs in
// the same transaction. It returns ErrNotFound if there is no such threshold.
func (d *DB) DeleteThreshold(ctx context.Context, s ScopedStore, id, person int64, now time.Time, with func(context.Context, *sqlc.Queries, alerts.Threshold) error) error {
	return d.InTx(ctx, func(q *sqlc.Queries) error {
		was, err := deleteThreshold(ctx, q, s, id, person, now)
		if err != nil {
			return err
		}
		return with(ctx, q, was)
	})
}

func setThreshold(ctx context.Context, q *sqlc.Queries, s ScopedStore, t alerts.Threshold, person int64) (int64, error) {
	id, err := q.InsertThreshold(ctx, sqlc.InsertThresholdParams{
		StoreID: s.id, Most: MaxThresholds, Metric: t.Metric, Placement: t.Placement, OfferID: t.Offer.ID, Kind: t.Kind, Amount: t.Amount,
		Currency: t.Currency, LeastOrders: int32(t.LeastOrders), SetBy: person, SetAt: t.SetAt,
	})
	return id, Absent(err, ErrNotFound, "set threshold of %s", s.Slug)
}

func deleteThreshold(ctx context.Context, q *sqlc.Queries, s ScopedStore, id, person int64, now time.Time) (was alerts.Threshold, err error) {
	all, err := q.Thresholds(ctx, s.id)
	if err != nil {
		return was, err
	}
	rows, err := q.DeleteThreshold(ctx, sqlc.DeleteThresholdParams{StoreID: s.id, ID: id, Now: now, Person: person})
	i := slices.IndexFunc(all, func(r sqlc.ThresholdsRow) bool { return r.ID == id })
	if err = Touched(rows, err, "delete threshold"); err != nil || i < 0 {
		return was, cmp.Or(err, ErrNotFound)
	}
	return threshold(all[i]), nil
}
