package db

import (
	"context"
	"fmt"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/answers"
)

// Answer says what happened between the two windows of an overview, and why. Days are those
// that the overview was made from. More are read only where a start or an end may be the
// reason.
func (d *DB) Answer(ctx context.Context, s ScopedStore, o report.Overview, days []report.StoredSummary) (answers.Answer, error) {
	in := answers.Input{Choice: o.Choice, Summary: o.Summary, Placements: o.Placements, Top: &o.Top, TopBefore: o.TopBefore, Days: days, Events: o.Events}
	if len(in.Events) > 0 && in.Explainable() {
		if err := d.ReadAround(ctx, s, &in); err != nil {
			return answers.Answer{}, err
		}
	}
	return answers.New(in), nil
}

// ReadAround adds to an input what is stored of the days around its events: of the store,
// of its placements and of the offers that the events are of.
func (d *DB) ReadAround(ctx context.Context, s ScopedStore, in *answers.Input) error {
	w := in.Around()
	var ids []string
	for _, e := range in.Events {
		if e.OfferID != "" {
			ids = append(ids, e.OfferID)
		}
	}
	var summaries []SummaryDaysRow
	var placements []RevenueOfDaysRow
	var offers []DaysOfOffersRow
	var ranked []RankedDaysRow
	first, last, none := day(w.Start), day(w.End), day(compared(report.Choice{}).Start)
	err := d.read(ctx, func(b *Batch) {
		ask(b, &summaries, (*Queries).SummaryDays, SummaryDaysParams{s.id, first, last, none, none, last})
		ask(b, &placements, (*Queries).RevenueOfDays, RevenueOfDaysParams{s.id, first, last})
		ask(b, &offers, (*Queries).DaysOfOffers, DaysOfOffersParams{StoreID: s.id, OfferIds: ids, FirstDay: first, LastDay: last})
		ask(b, &ranked, (*Queries).RankedDays, RankedDaysParams{s.id, first, last})
	})
	if err != nil {
		return fmt.Errorf("read days around starts and ends of %s: %w", s.Slug, err)
	}
	in.Days, in.RankedDays = Each(summaries, summaryDay), Each(ranked, rankedDay)
	in.PlacementDays = Each(placements, func(r RevenueOfDaysRow) report.StoredStat {
		return report.StoredStat{Window: window(r.Day, r.Day), Placement: report.Placement(r.Placement), Revenue: r.Revenue, Currency: r.Currency}
	})
	in.OfferDays = Each(offers, func(r DaysOfOffersRow) answers.OfferDay {
		return answers.OfferDay{OfferID: r.OfferID, Day: civil.DateOf(r.Day), Revenue: r.Revenue}
	})
	return nil
}

// reason says in a few words why a store's upsold value changed; empty where nothing is clear.
func (d *DB) reason(ctx context.Context, s ScopedStore, in answers.Input) (string, error) {
	if !in.Explainable() {
		return "", nil
	}
	w := in.Choice.Window
	var events []StartsAndEndsRow
	var gifts []GiftCampaign
	err := d.read(ctx, func(b *Batch) {
		ask(b, &events, (*Queries).StartsAndEnds, StartsAndEndsParams{s.id, day(w.Start), day(w.End)})
		ask(b, &gifts, (*Queries).CampaignRows, s.id)
	})
	if err != nil {
		return "", fmt.Errorf("read starts and ends of %s: %w", s.Slug, err)
	}
	stored := report.Stored{Store: s.Store, Events: Each(events, event), Campaigns: campaigns(gifts, nil)}
	in.Events = report.Builder{In: stored, Choice: in.Choice}.Events()
	if err := d.ReadAround(ctx, s, &in); err != nil {
		return "", err
	}
	return answers.New(in).Verdict.Short.In(locale.From(ctx)), nil
}
