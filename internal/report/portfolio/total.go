package portfolio

import (
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
)

// total adds up what may be added up: the value and orders of one currency (N34), each store once and
// on its own days, complete windows only (N1). It adds no rates, placements or gifts.
func (d *Builder) total() *Total {
	currency := d.portfolio.Currency
	if currency == "" {
		return nil
	}
	t := &Total{Currency: currency}
	var now, before decimal.Decimal
	for _, i := range d.matched {
		r := d.stores[i].row
		if why := r.leftOut(d.l, currency); why != "" {
			t.Left = append(t.Left, LeftOut{r.Store.Name, why})
			continue
		}
		t.Stores++
		t.Value = t.Value.Add(r.Summary.TotalUpsoldValue)
		t.Orders += r.Summary.TotalUpsoldOrders
		if r.Uncompared == "" {
			t.Compared++
			now, before = now.Add(r.Summary.TotalUpsoldValue), before.Add(r.Summary.Previous.TotalUpsoldValue)
		}
	}
	if t.Change = (locale.Delta{Direction: locale.NotCompared, Word: d.l.T("change.not_compared")}); t.Compared > 0 {
		t.Change = d.l.Change(&now, &before)
	}
	return t
}

// leftOut says why a row isn't in the total; empty if it is.
func (r Row) leftOut(l locale.Locale, currency string) string {
	s := r.Summary
	switch {
	case s.Empty != nil && s.Empty.Cause == report.CauseNoOffers:
		return l.T("stores.left_out.no_offers")
	case s.Empty != nil:
		return l.T("stores.left_out.no_numbers")
	case s.Currency != currency:
		return l.T("stores.left_out.currency", "currency", s.Currency)
	case r.Stale:
		return l.T("stores.left_out.last_good")
	case !s.Provenance.Comparable():
		return missingWords(l, s.Provenance)
	}
	return ""
}
