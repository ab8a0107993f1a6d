package portfolio

import (
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/reporttest"
	"github.com/storeglass/storeglass/internal/report/stores"
)

// kept is everything stored for one store in a list.
type kept struct {
	stores.Stored
	days, windows []report.StoredSummary
	gifts         []report.StoredGift
	checks        []report.StoredCheck
	ledger        []report.StoredPull
}

// keptStore is a connected store with 60 whole days up to its yesterday; each has an upsold value of
// 100 and ten of a hundred orders upsold.
func keptStore(t *testing.T, slug, zone, currency string, at time.Time) kept {
	t.Helper()
	loc, err := report.Zone(zone)
	if err != nil {
		t.Fatal(err)
	}
	yesterday := report.Today(at, loc).AddDays(-1)
	k := kept{Stored: stores.Stored{
		Store: report.Store{Slug: slug, Name: strings.ToUpper(slug[:1]) + slug[1:], Timezone: zone, Currency: currency, Domain: slug + ".example"}, Location: loc,
		Credentials: []report.StoredCredential{{Service: "upsell", State: "good"}, {Service: "gift", State: "good"}},
		UpsellAt:    at.Add(-12 * time.Minute), GiftAt: at.Add(-time.Minute), LastDay: yesterday, DaysStored: 60, DaysPlanned: 60,
	}}
	for _, p := range report.Placements {
		k.Coverage = append(k.Coverage, report.StoredCover{Placement: p, ActiveCount: 1, TotalCount: 2})
	}
	for d := range report.WindowEnding(yesterday, 60).All() {
		k.days = append(k.days, k.day(d.String(), "100", 10, 100))
	}
	return k
}

func (k kept) day(day, value string, upsold, orders int64) report.StoredSummary {
	s := reporttest.DaySummary(day, value, upsold, orders)
	s.Currency = k.Store.Currency
	return s
}

// answered adds the service's answer for a window.
func (k *kept) answered(w report.Window, value string, upsold, orders int64) {
	s := reporttest.WindowSummary(w, value, upsold, orders)
	s.Currency = k.Store.Currency
	k.windows = append(k.windows, s)
}

// without removes a day.
func (k *kept) without(day string) {
	k.days = slices.DeleteFunc(slices.Clone(k.days), func(s report.StoredSummary) bool { return s.Window.Start == reporttest.On(day) })
}

// until removes all later days.
func (k *kept) until(day string) {
	k.days = slices.DeleteFunc(slices.Clone(k.days), func(s report.StoredSummary) bool { return s.Window.Start.After(reporttest.On(day)) })
	k.LastDay = reporttest.On(day)
}

// list builds the list as the database would: it provides exactly what the builder requests.
func list(t *testing.T, query string, at time.Time, all ...kept) Portfolio {
	t.Helper()
	values, err := url.ParseQuery(query)
	if err != nil {
		t.Fatal(err)
	}
	q, err := ParseQuery(values, at)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	in := make([]stores.Stored, len(all))
	for i, s := range all {
		in[i] = s.Stored
	}
	d := New(locale.English, q, in, at)
	numbers := func() {
		for _, w := range d.Windows() {
			for _, r := range all[w.Store].windows {
				if r.Window == w.Window {
					d.Answered(w.Store, r)
				}
			}
		}
		for _, w := range d.Open() {
			var sum report.StoredSum
			for _, r := range all[w.Store].days {
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
	for _, w := range d.Lines() {
		k := all[w.Store]
		line := StoredLine{Ledger: k.ledger, Checks: k.checks}
		for _, r := range k.days {
			if w.Window.Contains(r.Window.Start) && !r.Partial {
				line.Days = append(line.Days, r)
			}
		}
		for _, g := range k.gifts {
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

// row is a store's row.
func (p Portfolio) row(t *testing.T, slug string) Row {
	t.Helper()
	for _, s := range p.Sections {
		for _, r := range s.Rows {
			if r.Store.Slug == slug {
				return r
			}
		}
	}
	t.Fatalf("no row of %s", slug)
	return Row{}
}

// outline shows the list as "heading: store store; heading: store".
func (p Portfolio) outline() string {
	var out []string
	for _, s := range p.Sections {
		var slugs []string
		for _, r := range s.Rows {
			slugs = append(slugs, r.Store.Slug)
		}
		out = append(out, strings.TrimPrefix(s.Title+": ", ": ")+strings.Join(slugs, " "))
	}
	return strings.Join(out, "; ")
}
