package db

import (
	"context"
	"fmt"
	"slices"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/answers"
	"github.com/storeglass/storeglass/internal/report/portfolio"
)

// Answer says what happened between the two windows of an overview, and why. Days are those
// that the overview was made from. More are read only where a start or an end may be the
// reason, and none outside of within, where that is set.
func (d *DB) Answer(ctx context.Context, s ScopedStore, o report.Overview, days []report.StoredSummary, within *report.Window) (answers.Answer, error) {
	in := answers.Input{
		Choice: o.Choice, Summary: o.Summary, Placements: o.Placements, Top: &o.Top, TopBefore: o.TopBefore, Days: days, Events: o.Events, Within: within,
	}
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
	if err := d.read(ctx, func(b *Batch) { askAround(b, s, in) }); err != nil {
		return fmt.Errorf("read days around starts and ends of %s: %w", s.Slug, err)
	}
	return nil
}

// askAround adds what ReadAround reads.
func askAround(b *Batch, s ScopedStore, in *answers.Input) {
	w := in.Around()
	var ids []string
	for _, e := range in.Events {
		if e.OfferID != "" {
			ids = append(ids, e.OfferID)
		}
	}
	first, last := day(w.Start), day(w.End)
	askEach(b, &in.Days, (*Queries).SummaryDays, SummaryDaysParams{s.id, first, last, first, last, last}, summaryDay)
	askEach(b, &in.PlacementDays, (*Queries).RevenueOfDays, RevenueOfDaysParams{s.id, first, last}, revenueDay)
	askEach(b, &in.OfferDays, (*Queries).DaysOfOffers, DaysOfOffersParams{StoreID: s.id, OfferIds: ids, FirstDay: first, LastDay: last}, offerDay)
	askEach(b, &in.RankedDays, (*Queries).RankedDays, RankedDaysParams{s.id, first, last, first, last}, rankedDay)
}

func revenueDay(r RevenueOfDaysRow) report.StoredStat {
	return report.StoredStat{Window: window(r.Day, r.Day), Placement: report.Placement(r.Placement), Revenue: r.Revenue, Currency: r.Currency}
}

func offerDay(r DaysOfOffersRow) answers.OfferDay {
	return answers.OfferDay{OfferID: r.OfferID, Day: civil.DateOf(r.Day), Revenue: r.Revenue}
}

// reasons says in a few words why the upsold value of each store changed; empty where
// nothing is clear. All stores are read together: each transaction looks up what its
// principal holds.
func (d *DB) reasons(ctx context.Context, stores []ScopedStore, movers []*portfolio.Mover) error {
	movers = slices.DeleteFunc(movers, func(m *portfolio.Mover) bool { return !m.Input.Explainable() })
	if len(movers) == 0 {
		return nil
	}
	events, gifts := make([][]report.Event, len(movers)), make([][]GiftCampaign, len(movers))
	err := d.read(ctx, func(b *Batch) {
		for i, m := range movers {
			s, w := stores[m.Index], m.Input.Choice.Window
			askEach(b, &events[i], (*Queries).StartsAndEnds, StartsAndEndsParams{s.id, day(w.Start), day(w.End)}, event)
			ask(b, &gifts[i], (*Queries).CampaignRows, s.id)
		}
	})
	if err != nil {
		return fmt.Errorf("read starts and ends: %w", err)
	}
	err = d.read(ctx, func(b *Batch) {
		for i, m := range movers {
			stored := report.Stored{Store: stores[m.Index].Store, Events: events[i], Campaigns: campaigns(gifts[i], nil)}
			m.Input.Events = report.Builder{In: stored, Choice: m.Input.Choice}.Events()
			askAround(b, stores[m.Index], &m.Input)
		}
	})
	if err != nil {
		return fmt.Errorf("read days around starts and ends: %w", err)
	}
	for _, m := range movers {
		m.Why = answers.New(m.Input).Verdict.Short.In(locale.From(ctx))
	}
	return nil
}

// Planned are the starts and ends of the store's offers and gift campaigns in a window that
// may be ahead, as they are set now, and the notes on days that begin in it, each by day.
func (d *DB) Planned(ctx context.Context, s ScopedStore, w report.Window) ([]report.Event, []report.DayNote, error) {
	var (
		events []StartsAndEndsRow
		gifts  []GiftCampaign
		notes  []report.DayNote
	)
	err := d.read(ctx, func(b *Batch) {
		ask(b, &events, (*Queries).StartsAndEnds, StartsAndEndsParams{s.id, day(w.Start), day(w.End)})
		ask(b, &gifts, (*Queries).CampaignRows, s.id)
		askEach(b, &notes, (*Queries).NotesOfStore, notesOf(s, w), note)
	})
	if err != nil {
		return nil, nil, fmt.Errorf("read what is planned in %s: %w", s.Slug, err)
	}
	stored := report.Stored{Store: s.Store, Events: Each(events, event), Campaigns: campaigns(gifts, nil)}
	planned := report.Builder{In: stored, Choice: report.Choice{Window: w}}.Events()
	slices.SortStableFunc(planned, func(a, b report.Event) int { return a.Day.DaysSince(b.Day) })
	return planned, slices.DeleteFunc(notes, func(n report.DayNote) bool { return n.Start.Before(w.Start) }), nil
}
