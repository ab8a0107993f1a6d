// Package reporttest is the store that report tests share: its stored data, and the checks that every
// report package uses.
package reporttest

import (
	"net/url"
	"strings"
	"testing"
	"time"
	_ "time/tzdata" // the stores' zones, whatever machine this runs on

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/reporttest/values"
)

// The test store is in New York, where it's noon on Friday, 20 November 2026.
var (
	Noon = time.Date(2026, time.November, 20, 17, 0, 0, 0, time.UTC)
	Acme = report.Store{Slug: "acme", Name: "Acme", Timezone: "America/New_York", Currency: "USD", Domain: "acme.example"}
)

// On parses a day.
func On(text string) civil.Date {
	d, err := civil.ParseDate(text)
	if err != nil {
		panic(err)
	}
	return d
}

// Span is the window from first to last.
func Span(first, last string) report.Window { return report.Window{Start: On(first), End: On(last)} }

// N64 returns a pointer to n, for fields that may be nil.
func N64(n int64) *int64 { return &n }

// Ptr returns a pointer to v.
func Ptr[T any](v T) *T { return &v }

// Pulled is when a night's pulls of a day came back: 00:21 of the next day in New York.
func Pulled(d civil.Date) time.Time {
	return time.Date(d.Year, d.Month, d.Day+1, 5, 21, 0, 0, time.UTC)
}

// ThreeDays are 17, 18 and 19 November, without a comparison.
const ThreeDays = "start=2026-11-17&end=2026-11-19&compare=none"

// Connected is a store with both services and no stored data.
func Connected() report.Stored {
	return report.Stored{
		Store:       Acme,
		Credentials: []report.StoredCredential{{Service: "upsell", State: fact.CredentialGood}, {Service: "gift", State: fact.CredentialGood}},
		HistoryDays: 3, PulledAt: Noon.Add(-12 * time.Minute),
	}
}

// Keep adds whole days to the stored data.
func Keep(s *report.Stored, days ...report.StoredSummary) {
	for _, d := range days {
		s.Days = append(s.Days, d)
		if d.Partial {
			continue
		}
		if len(s.DaysKept) == 0 {
			s.FirstDay = d.Window.Start
		}
		s.DaysKept, s.LastDay = append(s.DaysKept, d.Window.Start), d.Window.Start
	}
}

// DaySummary is a whole day as reported, in dollars.
func DaySummary(day, value string, upsold, orders int64) report.StoredSummary {
	d := On(day)
	return report.StoredSummary{
		Window: report.OneDay(d), TotalUpsoldValue: decimal.RequireFromString(value),
		TotalUpsoldOrders: upsold, TotalOrders: orders, OfferViews: N64(10 * orders), Currency: "USD", Source: "merchant", FetchedAt: Pulled(d),
	}
}

// WindowSummary is an answer for a whole window.
func WindowSummary(w report.Window, value string, upsold, orders int64) report.StoredSummary {
	s := DaySummary(w.End.String(), value, upsold, orders)
	s.Window = w
	return s
}

// Three is a store with the three days stored: 10 of 100, 20 of 50 and nothing.
func Three() report.Stored {
	s := Connected()
	Keep(&s, DaySummary("2026-11-17", "100.10", 10, 100), DaySummary("2026-11-18", "200.20", 20, 50), DaySummary("2026-11-19", "0", 0, 0))
	return s
}

// BadPull is a pull that failed three hours ago.
func BadPull(pull, subject string, outcome fact.Outcome, text string) report.StoredPull {
	return report.StoredPull{
		Service: "upsell", Pull: pull, Subject: subject, Outcome: outcome, Text: locale.Text(text), Attempts: 2,
		TriedAt: Noon.Add(-time.Hour), FailingSince: Noon.Add(-3 * time.Hour), DueAt: Noon.Add(time.Hour),
	}
}

// Equal and Nowhere are those of package values.
var (
	Equal   = values.Equal
	Nowhere = values.Nowhere
)

// Dec parses a number; nil if the text is empty.
func Dec(text string) *decimal.Decimal {
	if text == "" {
		return nil
	}
	return new(decimal.RequireFromString(text))
}

// GiftDay is a stored gift day; an empty text means no value.
func GiftDay(day, orders, revenue string, basis fact.GiftBasis) report.StoredGift {
	return report.StoredGift{
		Window: report.OneDay(On(day)), AskedDays: 1, Timezone: "America/New_York", Currency: "USD", Basis: basis, FetchedAt: Noon.Add(-time.Hour),
		Orders: report.GiftMetric{Value: Dec(orders)}, Revenue: report.GiftMetric{Value: Dec(revenue)}, ConversionRate: report.GiftMetric{Value: Dec("4.1"), Unit: report.Percentage},
	}
}

// GiftAnswer is the gift service's answer for that many days, with numbers that no sum produces.
func GiftAnswer(w report.Window, days int) report.StoredGift {
	return report.StoredGift{
		Window: w, AskedDays: days, Timezone: "America/New_York", Currency: "USD", FetchedAt: Noon.Add(-time.Hour),
		Orders:         report.GiftMetric{Value: Dec("7001"), Previous: Dec("61"), ChangePercent: Dec("16.39")},
		Revenue:        report.GiftMetric{Value: Dec("4321.09"), Previous: Dec("3999.01"), ChangePercent: Dec("8.05")},
		ConversionRate: report.GiftMetric{Value: Dec("4.3"), Previous: Dec("4.0"), ChangePercent: Dec("7.5"), Unit: report.Percentage},
		AOVByFG:        report.GiftMetric{Value: Dec("60.86"), Previous: Dec("65.56"), ChangePercent: Dec("-7.17")},
		AOVStore:       report.GiftMetric{Value: Dec("81.22"), Previous: nil, ChangePercent: nil},
	}
}

// Unisolated is the text as people read it.
func Unisolated(s string) string { return strings.NewReplacer("\u2068", "", "\u2069", "").Replace(s) }

// Choose parses a choice as it is in the URL, on the store's clock.
func Choose(t *testing.T, query string) report.Choice {
	t.Helper()
	q, err := url.ParseQuery(query)
	if err != nil {
		t.Fatal(err)
	}
	loc, err := report.Zone(Acme.Timezone)
	if err != nil {
		t.Fatal(err)
	}
	c, err := report.ParseChoice(q, Noon, loc, civil.Date{})
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return c
}
