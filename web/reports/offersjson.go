package reports

import (
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/offers"
	"github.com/storeglass/storeglass/internal/report/overview"
)

// OffersJSON is the list of offers for programs; rows are its offers.
type OffersJSON struct {
	offers.List
	Offers any `json:"offers"`
	// Ranking is where the window's figures come from, Compared where the earlier ones do.
	Ranking        report.Panel       `json:"ranking"`
	Compared       *report.Provenance `json:"compared"`
	Currency       string             `json:"currency"`
	AcceptanceUnit overview.RateUnit  `json:"acceptance_unit"`
}

// NewOffersJSON puts the list and its table together. An empty list is an answer.
func NewOffersJSON(l offers.List, t offers.Table, rows any) OffersJSON {
	if l.Empty != nil && l.Empty.Cause == offers.CauseNoMatch {
		l.Empty = nil
	}
	return OffersJSON{List: l, Offers: rows, Ranking: t.Panel, Compared: t.Compared, Currency: t.Currency, AcceptanceUnit: t.Unit}
}

// OfferFigures are an offer's results in the window.
type OfferFigures struct {
	Revenue *decimal.Decimal `json:"revenue"`
	// Reported is false if the service reports no revenue; a null then doesn't mean "unknown".
	Reported bool             `json:"revenue_reported"`
	Before   *decimal.Decimal `json:"revenue_before"`
	Change   *decimal.Decimal `json:"change"`
	Claims   *int64           `json:"claims"`
	Rate     *decimal.Decimal `json:"acceptance_rate"`
	Event    *report.Event    `json:"event"`
}

// FiguresOf returns a row's figures.
func FiguresOf(r offers.TableRow) OfferFigures {
	return OfferFigures{r.Revenue, r.Reports(), r.Before, r.Change(), r.Claims, r.Rate, r.Event}
}
