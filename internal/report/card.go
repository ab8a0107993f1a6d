package report

import (
	"fmt"
	"slices"
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"
)

// NewStoreCard makes a row of the store list: the last 30 days on the store's
// own clock. Amounts of different stores are never added up.
func NewStoreCard(in StoredCard, now time.Time) StoreCard {
	today := Today(now, in.Location)
	w := WindowEnding(today.AddDays(-1), 30)
	against := w.Previous()
	in30 := Stored{Store: in.Store, Paused: in.Paused, Credentials: in.Credentials, Windows: in.Windows, Days: in.Days, PulledAt: in.PulledAt}
	for _, d := range in.Days {
		if !d.Partial {
			in30.DaysKept = append(in30.DaysKept, d.Window.Start)
			in30.LastDay = d.Window.Start
		}
	}
	if len(in30.DaysKept) > 0 {
		in30.FirstDay = in30.DaysKept[0]
	}
	b := builder{in: in30, choice: Choice{Preset: Last30, Window: w, Against: &against, Today: today}, now: now}
	card := StoreCard{Store: in.Store, Freshness: freshness(in.PulledAt, in30.LastDay, now, today), Summary: b.summary()}
	card.Spark = b.spark(w)
	card.Health, card.HealthState = cardHealth(in, in30.LastDay)
	if card.Summary.Empty == nil && noOffers(in.Coverage) && card.Summary.TotalUpsoldValue.IsZero() {
		card.Summary.Empty = &Empty{Cause: CauseNoOffers, Title: "No offers yet in this store", Text: "The service answered: 0 offers, in any status. These zeros are real."}
	}
	if card.HealthState == "person" {
		card.Freshness.State = "failed"
	}
	return card
}

// spark is the upsold value by day; nothing when the days are in two currencies,
// which have no common shape (N34).
func (b builder) spark(w Window) []*decimal.Decimal {
	values, currency := make([]*decimal.Decimal, 0, w.Days()), ""
	for _, r := range b.wholeDays(w) {
		var v *decimal.Decimal
		if r != nil {
			if currency != "" && r.Currency != currency {
				return nil
			}
			v, currency = &r.TotalUpsoldValue, r.Currency
		}
		values = append(values, v)
	}
	return values
}

// noOffers reports that the service counted no offer in any placement and status.
func noOffers(rows []StoredCover) bool {
	for _, c := range rows {
		if c.TotalCount > 0 {
			return false
		}
	}
	return len(rows) > 0
}

func cardHealth(in StoredCard, last civil.Date) (words, state string) {
	for _, c := range in.Credentials {
		if c.State == "paused" {
			what := "Upsell token"
			if c.Service == "gift" {
				what = "Gift key"
			}
			return what + " needs a person", "person"
		}
	}
	switch {
	case len(in.Credentials) == 0:
		return "Not connected", "none"
	case in.Paused:
		return "Paused", "none"
	case !slices.ContainsFunc(in.Credentials, func(c StoredCredential) bool { return c.Service == "upsell" }):
		return "Free gifts only", "none"
	case len(in.Coverage) == 0 || !last.IsValid():
		return "Filling in", "filling"
	}
	off, never, total := 0, []string{}, int64(0)
	for _, c := range in.Coverage {
		total += c.TotalCount
		switch {
		case c.ActiveCount > 0:
		case c.TotalCount > 0:
			off++
		default:
			never = append(never, string(c.Placement))
		}
	}
	switch {
	case total == 0:
		return "No offers yet", "none"
	case off == 1:
		return "1 placement switched off", "off"
	case off > 1:
		return fmt.Sprintf("%d placements switched off", off), "off"
	case len(never) == 1:
		return never[0] + " never created", "none"
	case len(never) > 1:
		return fmt.Sprintf("%d placements never created", len(never)), "none"
	}
	return "All placements live", "active"
}
