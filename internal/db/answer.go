package db

import (
	"context"
	"fmt"
	"slices"

	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/answers"
	"github.com/storeglass/storeglass/internal/report/overview"
	"github.com/storeglass/storeglass/internal/report/portfolio"
)

// Beside is what a page shows in addition to its overview.
type Beside struct {
	// Offers are the ids of those whose Days in the window Drawn are drawn.
	Offers []string
	Drawn  report.Window
	Days   report.StoredOfferDays
	// Ahead is a window that may lie in the future; nil for none. Planned are the starts and ends of
	// offers and gift campaigns in it as currently set, Notes those on days that begin in it, each by
	// day.
	Ahead   *report.Window
	Planned []report.Event
	Notes   []report.DayNote
}

// Answer works out what happened between the two windows of an overview, and why, and reads what else
// the page shows (beside may be nil). It reads the days of offers only if their start or end may be the
// reason, and takes none outside of within, if that is set.
func (d *DB) Answer(ctx context.Context, s ScopedStore, o overview.Overview, stored report.Stored, within *report.Window, beside *Beside) (answers.Answer, error) {
	in := answers.Input{
		Choice: o.Choice, Summary: o.Summary, Placements: o.Placements, Top: &o.Top, TopBefore: o.TopBefore, Days: stored.Days,
		Events: o.Events, EventsBefore: o.EventsBefore, Within: within,
	}
	err := d.read(ctx, func(b *Batch) {
		if len(in.Events) > 0 && in.Explainable() {
			in.PlacementDays = stored.StatDays
			askEvents(b, s, &in)
		}
		if beside != nil {
			beside.ask(b, s)
		}
	})
	if err != nil {
		return answers.Answer{}, fmt.Errorf("read the days behind an overview of %s: %w", s.Slug, err)
	}
	if beside != nil && beside.Ahead != nil {
		beside.plan(stored)
	}
	return answers.New(in), nil
}

func (p *Beside) ask(b *Batch, s ScopedStore) {
	if len(p.Offers) > 0 {
		askOfferDays(b, &p.Days, s.id, p.Offers, p.Drawn)
	}
	if w := p.Ahead; w != nil {
		askEach(b, &p.Planned, (*sqlc.Queries).StartsAndEnds, sqlc.StartsAndEndsParams{StoreID: s.id, FirstDay: w.Start, LastDay: w.End}, event)
		askEach(b, &p.Notes, (*sqlc.Queries).NotesOfStore, notesOf(s, *w), note)
	}
}

// plan adds the campaigns of the window ahead to its offers, and leaves out notes that began before it.
func (p *Beside) plan(stored report.Stored) {
	stored.Events = p.Planned
	p.Planned = report.Builder{In: stored, Choice: report.Choice{Window: *p.Ahead}}.Events()
	slices.SortStableFunc(p.Planned, func(a, b report.Event) int { return a.Day.DaysSince(b.Day) })
	p.Notes = slices.DeleteFunc(p.Notes, func(n report.DayNote) bool { return n.Start.Before(p.Ahead.Start) })
}

// ReadAround adds to an input what is stored about the days around its events: for the store, its
// placements and the events' offers.
func (d *DB) ReadAround(ctx context.Context, s ScopedStore, in *answers.Input) error {
	return Tried(d.read(ctx, func(b *Batch) { askAround(b, s, in) }), "read days around starts and ends of %s", s.Slug)
}

// askAround adds what ReadAround reads.
func askAround(b *Batch, s ScopedStore, in *answers.Input) {
	w := in.Around()
	askEach(b, &in.Days, (*sqlc.Queries).SummaryDays, daysIn(s.id, w), summaryDay)
	askEach(b, &in.PlacementDays, (*sqlc.Queries).StatDays, sqlc.StatDaysParams(windowsOf(s.id, w, w)), statDay)
	askEvents(b, s, in)
}

// askEvents adds the days of the events' offers.
func askEvents(b *Batch, s ScopedStore, in *answers.Input) {
	var ids []string
	for _, e := range in.Events {
		if e.OfferID != "" {
			ids = append(ids, e.OfferID)
		}
	}
	askOfferDays(b, &in.Offers, s.id, ids, in.Around())
}

func daysIn(store int64, w report.Window) sqlc.SummaryDaysParams {
	return sqlc.SummaryDaysParams{StoreID: store, Start: w.Start, Finish: w.End, AgainstStart: w.Start, AgainstFinish: w.End, Today: w.End}
}

// reasons says in a few words why each store's upsold value changed; empty if nothing is clear. All
// stores are read together, because each transaction has to look up its principal's grants.
func (d *DB) reasons(ctx context.Context, stores []ScopedStore, movers []*portfolio.Mover) error {
	movers = slices.DeleteFunc(movers, func(m *portfolio.Mover) bool { return !m.Input.Explainable() })
	if len(movers) == 0 {
		return nil
	}
	events, gifts := make([][]report.Event, len(movers)), make([][]sqlc.GiftCampaign, len(movers))
	err := d.read(ctx, func(b *Batch) {
		for i, m := range movers {
			s, w := stores[m.Index], m.Input.Choice.Window
			askEach(b, &events[i], (*sqlc.Queries).StartsAndEnds, sqlc.StartsAndEndsParams{StoreID: s.id, FirstDay: w.Start, LastDay: w.End}, event)
			ask(b, &gifts[i], (*sqlc.Queries).CampaignRows, sqlc.CampaignRowsParams{StoreID: s.id})
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
