// Package portfoliotest makes lists of stores for tests from what would be stored.
package portfoliotest

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/answers"
	"github.com/storeglass/storeglass/internal/report/portfolio"
	"github.com/storeglass/storeglass/internal/report/reporttest"
	"github.com/storeglass/storeglass/internal/report/stores"
)

// Store is everything stored for one store in a list.
type Store struct {
	stores.Stored
	Days, Windows []report.StoredSummary
	Gifts         []report.StoredGift
	Checks        []report.StoredCheck
	Ledger        []report.StoredPull
	Notes         []report.DayNote
}

// New is a connected store with 60 whole days up to its yesterday; each has an upsold value of
// 100 and ten of a hundred orders upsold.
func New(t *testing.T, slug, zone, currency string, at time.Time) Store {
	t.Helper()
	loc, err := report.Zone(zone)
	if err != nil {
		t.Fatal(err)
	}
	yesterday := report.Today(at, loc).AddDays(-1)
	store := Store{Stored: stores.Stored{
		Store: report.Store{Slug: slug, Name: strings.ToUpper(slug[:1]) + slug[1:], Timezone: zone, Currency: currency, Domain: slug + ".example"}, Location: loc,
		Credentials: []report.StoredCredential{{Service: "upsell", State: "good"}, {Service: "gift", State: "good"}},
		UpsellAt:    at.Add(-12 * time.Minute), GiftAt: at.Add(-time.Minute), LastDay: yesterday, DaysStored: 60, DaysPlanned: 60,
	}}
	for _, p := range report.Placements {
		store.Coverage = append(store.Coverage, report.StoredCover{Placement: p, ActiveCount: 1, TotalCount: 2})
	}
	for d := range report.WindowEnding(yesterday, 60).All() {
		store.Days = append(store.Days, store.Day(d.String(), "100", 10, 100))
	}
	return store
}

// Day is a day in the store's currency.
func (store Store) Day(day, value string, upsold, orders int64) report.StoredSummary {
	s := reporttest.DaySummary(day, value, upsold, orders)
	s.Currency = store.Store.Currency
	return s
}

// Answered adds the service's answer for a window.
func (store *Store) Answered(w report.Window, value string, upsold, orders int64) {
	s := reporttest.WindowSummary(w, value, upsold, orders)
	s.Currency = store.Store.Currency
	store.Windows = append(store.Windows, s)
}

// Sold sets what was sold on every day of a window.
func (store *Store) Sold(w report.Window, value string, upsold, orders int64) {
	for i, s := range store.Days {
		if w.Contains(s.Window.Start) {
			store.Days[i] = store.Day(s.Window.Start.String(), value, upsold, orders)
		}
	}
}

// Without removes a day.
func (store *Store) Without(day string) {
	store.Days = slices.DeleteFunc(slices.Clone(store.Days), func(s report.StoredSummary) bool { return s.Window.Start == reporttest.On(day) })
}

// Until removes all later days.
func (store *Store) Until(day string) {
	store.Days = slices.DeleteFunc(slices.Clone(store.Days), func(s report.StoredSummary) bool { return s.Window.Start.After(reporttest.On(day)) })
	store.LastDay = reporttest.On(day)
}

// List builds the list in its reader's language as the database would: it provides exactly what the
// builder requests.
func List(t *testing.T, l locale.Locale, q portfolio.Query, at time.Time, all ...Store) portfolio.Portfolio {
	t.Helper()
	in := make([]stores.Stored, len(all))
	for i, s := range all {
		in[i] = s.Stored
	}
	d := portfolio.New(l, q, in, at)
	numbers := func() {
		for _, w := range d.Windows() {
			for _, r := range all[w.Store].Windows {
				if r.Window == w.Window {
					d.Answered(w.Store, r)
				}
			}
		}
		for _, w := range d.Open() {
			var sum report.StoredSum
			for _, r := range all[w.Store].Days {
				if !w.Window.Contains(r.Window.Start) || r.Partial {
					continue
				}
				first := sum.Currency
				sum.Add(r.Window.Start, r)
				if first != "" && first != r.Currency {
					sum.Currency, sum.OtherCurrency = first, r.Currency
				}
			}
			if sum.Days > 0 {
				d.Summed(w, sum)
			}
		}
	}
	numbers()
	d.Arrange()
	for _, m := range d.Movers() {
		m.Input.Days = all[m.Index].Days
		m.Why = answers.New(m.Input).Verdict.Short.In(l)
	}
	numbers()
	for _, w := range d.Lines() {
		store := all[w.Store]
		line := portfolio.StoredLine{Ledger: store.Ledger, Checks: store.Checks, Goal: store.Goal, Notes: store.Notes}
		for _, r := range store.Days {
			if w.Window.Contains(r.Window.Start) && !r.Partial {
				line.Days = append(line.Days, r)
			}
		}
		for _, g := range store.Gifts {
			if g.Window.Days() == 1 && w.Window.Days() > 1 {
				line.GiftDays = append(line.GiftDays, g)
			} else {
				line.Gift = append(line.Gift, g)
			}
		}
		d.Detailed(w.Store, line)
	}
	return d.Portfolio()
}

// Row is a store's row of a list.
func Row(t *testing.T, p portfolio.Portfolio, slug string) portfolio.Row {
	t.Helper()
	for _, s := range p.Sections {
		for _, r := range s.Rows {
			if r.Store.Slug == slug {
				return r
			}
		}
	}
	t.Fatalf("no row of %s", slug)
	return portfolio.Row{}
}
