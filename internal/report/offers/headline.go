package offers

import (
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/locale"
)

// An offer fell if it lost more than a third of its sales and had at least a tenth of the best seller's
// sales before: small offers go up and down all the time.
var fallen, noticed = decimal.New(-1, 0).Div(decimal.New(3, 0)), decimal.New(1, -1)

// headline says which offer that started in the window earned the most, and which fell; empty if
// neither is known. It adds up no amounts (N14).
func (t Table) headline(in locale.Locale) []string {
	var started, fell *TableRow
	var most decimal.Decimal
	for _, r := range t.Rows {
		if r.Before != nil && r.Before.GreaterThan(most) {
			most = *r.Before
		}
	}
	others := -1
	for i, r := range t.Rows {
		if r.Event != nil && r.Event.Start && r.Revenue != nil && r.Revenue.IsPositive() && (started == nil || r.Revenue.GreaterThan(*started.Revenue)) {
			started = &t.Rows[i]
		}
		if change := r.Change(); change == nil || !change.LessThan(fallen) || r.Before.LessThan(most.Mul(noticed)) {
			continue
		}
		others++
		if fell == nil || r.Before.Sub(*r.Revenue).GreaterThan(fell.Before.Sub(*fell.Revenue)) {
			fell = &t.Rows[i]
		}
	}
	var out []string
	if started != nil {
		out = append(out, in.T("offers.headline.started", "n", t.Choice.Window.End.DaysSince(started.Event.Day)+1,
			"name", locale.Name(started.Name), "value", in.WholeMoney(*started.Revenue, t.Currency)))
	}
	switch {
	case others == 0:
		out = append(out, in.T("offers.headline.fell", "name", locale.Name(fell.Name)))
	case others > 0:
		out = append(out, in.T("offers.headline.fell_too", "n", others, "name", locale.Name(fell.Name)))
	}
	return out
}
