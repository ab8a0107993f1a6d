package report

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
	"github.com/storeglass/storeglass/internal/report/reporttest/values"
)

// The test store is in New York, where it's noon on Friday, 20 November 2026.
var (
	noon = time.Date(2026, time.November, 20, 17, 0, 0, 0, time.UTC)
	acme = Store{Slug: "acme", Name: "Acme", Timezone: "America/New_York", Currency: "USD", Domain: "acme.example"}
)

func on(text string) civil.Date {
	d, err := civil.ParseDate(text)
	if err != nil {
		panic(err)
	}
	return d
}

func span(first, last string) Window { return Window{on(first), on(last)} }

func n64(n int64) *int64 { return &n }

func ptr[T any](v T) *T { return &v }

// pulled is when a night's pulls of a day came back: 00:21 of the next day in New York.
func pulled(d civil.Date) time.Time {
	return time.Date(d.Year, d.Month, d.Day+1, 5, 21, 0, 0, time.UTC)
}

// choose parses a choice as it is in the URL, on the store's clock.
func choose(t *testing.T, query string) Choice {
	t.Helper()
	q, err := url.ParseQuery(query)
	if err != nil {
		t.Fatal(err)
	}
	loc, err := Zone(acme.Timezone)
	if err != nil {
		t.Fatal(err)
	}
	c, err := ParseChoice(q, noon, loc, civil.Date{})
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return c
}

// threeDays are 17, 18 and 19 November, without a comparison.
const threeDays = "start=2026-11-17&end=2026-11-19&compare=none"

// connected is a store with both services and no stored data.
func connected() Stored {
	return Stored{
		Store:       acme,
		Credentials: []StoredCredential{{Service: "upsell", State: "good"}, {Service: "gift", State: "good"}},
		HistoryDays: 3, PulledAt: noon.Add(-12 * time.Minute),
	}
}

// keep adds whole days to the stored data.
func keep(s *Stored, days ...StoredSummary) {
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

// daySummary is a whole day as reported, in dollars.
func daySummary(day, value string, upsold, orders int64) StoredSummary {
	d := on(day)
	return StoredSummary{
		Window: OneDay(d), TotalUpsoldValue: decimal.RequireFromString(value),
		TotalUpsoldOrders: upsold, TotalOrders: orders, OfferViews: n64(10 * orders), Currency: "USD", Source: "merchant", FetchedAt: pulled(d),
	}
}

// windowSummary is an answer for a whole window.
func windowSummary(w Window, value string, upsold, orders int64) StoredSummary {
	s := daySummary(w.End.String(), value, upsold, orders)
	s.Window = w
	return s
}

// three is a store with the three days stored: 10 of 100, 20 of 50 and nothing.
func three() Stored {
	s := connected()
	keep(&s, daySummary("2026-11-17", "100.10", 10, 100), daySummary("2026-11-18", "200.20", 20, 50), daySummary("2026-11-19", "0", 0, 0))
	return s
}

func overview(t *testing.T, in Stored, query string) Overview {
	t.Helper()
	return NewOverview(locale.English, in, choose(t, query), noon)
}

var (
	equal   = values.Equal
	nowhere = values.Nowhere
)

func dec(s string) *decimal.Decimal {
	if s == "" {
		return nil
	}
	d := decimal.RequireFromString(s)
	return &d
}

func giftDay(day, orders, revenue string, basis fact.GiftBasis) StoredGift {
	return StoredGift{
		Window: OneDay(on(day)), AskedDays: 1, Timezone: "America/New_York", Currency: "USD", Basis: basis, FetchedAt: noon.Add(-time.Hour),
		Orders: GiftMetric{Value: dec(orders)}, Revenue: GiftMetric{Value: dec(revenue)}, ConversionRate: GiftMetric{Value: dec("4.1"), Unit: Percentage},
	}
}

// giftAnswer is the gift service's answer for that many days, with numbers that no sum produces.
func giftAnswer(w Window, days int) StoredGift {
	return StoredGift{
		Window: w, AskedDays: days, Timezone: "America/New_York", Currency: "USD", FetchedAt: noon.Add(-time.Hour),
		Orders:         GiftMetric{Value: dec("7001"), Previous: dec("61"), ChangePercent: dec("16.39")},
		Revenue:        GiftMetric{Value: dec("4321.09"), Previous: dec("3999.01"), ChangePercent: dec("8.05")},
		ConversionRate: GiftMetric{Value: dec("4.3"), Previous: dec("4.0"), ChangePercent: dec("7.5"), Unit: Percentage},
		AOVByFG:        GiftMetric{Value: dec("60.86"), Previous: dec("65.56"), ChangePercent: dec("-7.17")},
		AOVStore:       GiftMetric{Value: dec("81.22"), Previous: nil, ChangePercent: nil},
	}
}

// unisolated is the text as people read it.
func unisolated(s string) string { return strings.NewReplacer("\u2068", "", "\u2069", "").Replace(s) }

// badPull is a pull that failed three hours ago.
func badPull(pull, subject string, outcome fact.Outcome, text string) StoredPull {
	return StoredPull{
		Service: "upsell", Pull: pull, Subject: subject, Outcome: outcome, Text: text, Attempts: 2,
		TriedAt: noon.Add(-time.Hour), FailingSince: noon.Add(-3 * time.Hour), DueAt: noon.Add(time.Hour),
	}
}
