package reports

import (
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/answers"
	"github.com/storeglass/storeglass/internal/report/overview"
	"github.com/storeglass/storeglass/web/site"
)

// answerJSON is what happened in a window and why, for programs. Sentences are in English, and
// empty if nothing is known.
type answerJSON struct {
	report.Panel
	// Compared is the provenance of the compared window; nil if nothing is compared.
	Compared *report.Provenance `json:"compared"`
	Verdict  verdictJSON        `json:"verdict"`
	Drivers  driversJSON        `json:"drivers"`
	Movers   moversJSON         `json:"movers"`
	// Explains is the start or end that explains the change; nil if none does.
	Explains *report.Event  `json:"explains"`
	Events   []report.Event `json:"events"`
}

type verdictJSON struct {
	What     string `json:"what"`
	PerDay   string `json:"per_day"`
	Why      string `json:"why"`
	Evidence string `json:"evidence"`
}

// driversJSON are parts that add up to the change; if there are none, Undivided says why.
type driversJSON struct {
	Currency  string          `json:"currency,omitempty"`
	Undivided answers.Reason  `json:"undivided,omitempty"`
	Before    decimal.Decimal `json:"before"`
	After     decimal.Decimal `json:"after"`
	Change    decimal.Decimal `json:"change"`
	Parts     []driverJSON    `json:"parts"`
}

type driverJSON struct {
	Name   string          `json:"name"`
	Before decimal.Decimal `json:"before"`
	After  decimal.Decimal `json:"after"`
	Part   decimal.Decimal `json:"part"`
}

// moversJSON are the same sales seen two ways. Neither list adds up to anything.
type moversJSON struct {
	Currency    string          `json:"currency,omitempty"`
	OffersKnown bool            `json:"offers_known"`
	Offers      []offerMoveJSON `json:"offers"`
	Placements  []moveJSON      `json:"placements"`
}

type moveJSON struct {
	Placement report.Placement `json:"placement"`
	Before    *decimal.Decimal `json:"before"`
	After     *decimal.Decimal `json:"after"`
	Change    *decimal.Decimal `json:"change"`
	Event     *report.Event    `json:"event"`
}

type offerMoveJSON struct {
	OfferID string `json:"offer_id"`
	Name    string `json:"name"`
	Deleted bool   `json:"deleted"`
	moveJSON
}

func moveOf(p report.Placement, m answers.Move) moveJSON {
	return moveJSON{p, m.Before, m.After, m.Change(), m.Event}
}

// AnswerJSON is the answer to what happened in an overview's window, and why.
func AnswerJSON(o overview.Overview, a answers.Answer) any {
	v, d, l := a.Verdict, a.Drivers, locale.English
	out := answerJSON{
		Panel:   report.Panel{Provenance: o.Summary.Provenance, Trouble: o.Summary.Trouble},
		Verdict: verdictJSON{v.What.In(l), v.PerDay.In(l), v.Why.In(l), v.Evidence.In(l)},
		Drivers: driversJSON{Currency: d.Currency, Undivided: d.Reason, Before: d.Before, After: d.After, Change: d.Change, Parts: []driverJSON{}},
		Movers:  moversJSON{Currency: a.Movers.Currency, OffersKnown: a.Movers.OffersKnown, Offers: []offerMoveJSON{}, Placements: []moveJSON{}},
		Events:  site.List(o.Events),
	}
	if p := o.Summary.Comparable(); p != nil {
		out.Compared = &p.Provenance
	}
	if d.Reason == answers.Divided {
		out.Drivers.Parts = []driverJSON{
			{"total_orders", d.Orders.Before, d.Orders.After, d.Orders.Part},
			{"upsell_success_rate", d.Rate.Before, d.Rate.After, d.Rate.Part},
			{"average_upsold_value", d.Value.Before, d.Value.After, d.Value.Part},
		}
	}
	for _, m := range a.Movers.Offers {
		out.Movers.Offers = append(out.Movers.Offers, offerMoveJSON{m.OfferID, m.Name, m.Deleted, moveOf(m.Placement, m.Move)})
	}
	for _, m := range a.Movers.Placements {
		out.Movers.Placements = append(out.Movers.Placements, moveOf(m.Placement, m.Move))
	}
	if a.Explains != nil {
		out.Explains = &a.Explains.Event
	}
	return out
}
