package db

import (
	"context"
	"fmt"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/answers"
	reportoffers "github.com/storeglass/storeglass/internal/report/offers"
)

// StartsAndEnds reads the starts and ends of offers within a window.
func (d *DB) StartsAndEnds(ctx context.Context, s ScopedStore, w report.Window) ([]answers.Event, error) {
	rows, err := d.q.StartsAndEnds(ctx, StartsAndEndsParams{s.id, day(w.Start), day(w.End)})
	if err != nil {
		return nil, fmt.Errorf("read starts and ends of offers of %s: %w", s.Slug, err)
	}
	return Each(rows, func(r StartsAndEndsRow) answers.Event {
		return answers.Event{Day: civil.DateOf(r.Day), Start: r.IsStart, Name: r.Name, OfferID: r.OfferID, Placement: report.Placement(r.Placement)}
	}), nil
}

// OfferDays reads what the offers earned on each day of a window, and which days are ranked.
func (d *DB) OfferDays(ctx context.Context, s ScopedStore, ids []string, w report.Window) (out reportoffers.StoredOfferDays, err error) {
	var days []DaysOfOffersRow
	var ranked []RankedDaysRow
	err = d.read(ctx, func(b *Batch) {
		ask(b, &days, (*Queries).DaysOfOffers, DaysOfOffersParams{StoreID: s.id, OfferIds: ids, FirstDay: day(w.Start), LastDay: day(w.End)})
		ask(b, &ranked, (*Queries).RankedDays, RankedDaysParams{s.id, day(w.Start), day(w.End)})
	})
	if err != nil {
		return out, fmt.Errorf("read days of offers of %s: %w", s.Slug, err)
	}
	out.Ranked = Each(ranked, rankedDay)
	out.Days = Each(days, func(r DaysOfOffersRow) reportoffers.StoredOfferDay {
		return reportoffers.StoredOfferDay{OfferID: r.OfferID, Day: civil.DateOf(r.Day), Revenue: r.Revenue, Claims: r.Claims, Currency: r.Currency}
	})
	return out, nil
}

// WholeDays reads the days of the store and of its placements that are over. today is the
// store's day.
func (d *DB) WholeDays(ctx context.Context, s ScopedStore, w report.Window, today civil.Date) (days []report.StoredSummary, placements []report.StoredStat, err error) {
	var summaries []SummaryDaysRow
	var stats []StatDaysRow
	first, last, none := day(w.Start), day(w.End), day(compared(report.Choice{}).Start)
	err = d.read(ctx, func(b *Batch) {
		ask(b, &summaries, (*Queries).SummaryDays, SummaryDaysParams{s.id, first, last, none, none, day(today.AddDays(-1))})
		ask(b, &stats, (*Queries).StatDays, StatDaysParams{s.id, first, last, none, none})
	})
	if err != nil {
		return nil, nil, fmt.Errorf("read whole days of %s: %w", s.Slug, err)
	}
	return Each(summaries, summaryDay), Each(stats, statDay), nil
}
