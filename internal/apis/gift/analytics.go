package gift

import (
	"errors"
	"strings"
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/apis/upstream"
)

// Analytics is the gift results of a window (GET /analytics).
type Analytics struct {
	// Domain is the store that the data belongs to, "" if not given (N35).
	Domain string `json:"domain"`
	// Period is the period that the numbers cover, whatever was asked for (N43).
	Period   Period            `json:"period" required:"true"`
	Currency upstream.Currency `json:"currency" required:"true"`
	// Cached: unchanged numbers may be out of date (N49).
	Cached  bool    `json:"cached" required:"true"`
	Metrics Metrics `json:"metrics" required:"true"`
}

// Metrics are the five figures. The two averages have different bases and names; neither is the
// upsell service's average (N3).
type Metrics struct {
	Orders  Metric `json:"orders" required:"true"`
	Revenue Metric `json:"revenue" required:"true"`
	// ConversionRate carries a Unit; only a percentage is documented (N48).
	ConversionRate Metric `json:"conversionRate" required:"true"`
	// AOVByFG is the average order value that the service counts for free gifts.
	AOVByFG Metric `json:"aovByFG" required:"true"`
	// AOVStore is the average order value of the store.
	AOVStore Metric `json:"aovStore" required:"true"`
}

// Metric is one figure next to that of the previous window.
type Metric struct {
	// Value is nil if the service has none, which isn't 0 (N47).
	Value *decimal.Decimal `json:"value"`
	// Previous is the figure of the previous window of the same length, nil if not reported.
	Previous *decimal.Decimal `json:"previous"`
	// ChangePercent is nil when the previous window was zero: there is no baseline, which
	// differs from a change of 0 (rule 4, N46).
	ChangePercent *decimal.Decimal `json:"changePercent"`
	// Unit is as it came, "" if not given. Don't show a number with an unknown unit, and don't
	// multiply a percentage again (N48).
	Unit string `json:"unit"`
}

// Period is the window of the numbers, on the store's clock, both days included.
type Period struct {
	Start, End civil.Date
	Days       int
	// Timezone is the store's zone as the service names it.
	Timezone string
	// IncludesToday: the last day isn't over, so the numbers are partial (N45).
	IncludesToday bool
}

type wirePeriod struct {
	Start         string `json:"start" required:"true"`
	End           string `json:"end" required:"true"`
	Days          int64  `json:"days" required:"true"`
	Timezone      string `json:"timezone" required:"true"`
	IncludesToday bool   `json:"includesToday" required:"true"`
}

// DecodeRaw reads a period. The format of its ends isn't documented: it may be a plain date or
// a timestamp, which is read on the clock of the named zone.
func (p *Period) DecodeRaw(value []byte) error {
	wire, err := upstream.Decode[wirePeriod](value)
	if err != nil {
		return err
	}
	start, okStart := localDate(wire.Start, wire.Timezone)
	end, okEnd := localDate(wire.End, wire.Timezone)
	switch {
	case !okStart || !okEnd:
		return errors.New("the period has no readable start and end")
	case end.Before(start):
		return errors.New("the period ends before it starts")
	}
	*p = Period{Start: start, End: end, Days: int(wire.Days), Timezone: wire.Timezone, IncludesToday: wire.IncludesToday}
	return nil
}

// localDate takes the day of a date or timestamp; one without a zone is already on the store's clock.
func localDate(text, zone string) (civil.Date, bool) {
	if date, err := civil.ParseDate(text); err == nil {
		return date, true
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05Z0700", "2006-01-02T15:04:05"} {
		at, err := time.Parse(layout, strings.Replace(text, " ", "T", 1))
		if err != nil {
			continue
		}
		if location, err := time.LoadLocation(zone); err == nil && zone != "" && strings.Contains(layout, "Z") {
			at = at.In(location)
		}
		return civil.DateOf(at), true
	}
	return civil.Date{}, false
}

// meets reports whether the period is the one we asked for. It isn't documented whether days
// counts a running day, so both lengths are accepted with it.
func (p Period) meets(days int, includeToday bool) bool {
	span := p.End.DaysSince(p.Start) + 1
	if p.IncludesToday != includeToday {
		return false
	}
	if includeToday {
		return (p.Days == days || p.Days == days+1) && (span == days || span == days+1)
	}
	return p.Days == days && span == days
}
