package components

import (
	"strings"

	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
)

// sparkDays is how many days a KPI's sparkline shows at most.
const sparkDays = 30

// Follows is what stands after a change: "than 21 Sep – 20 Oct" suits more and
// less; no change is "against", no baseline says where the zero was, and no
// number is compared with nothing.
func Follows(d locale.Delta, than string) string {
	window, isWindow := strings.CutPrefix(than, "than ")
	switch {
	case d.Direction == locale.NoNumber:
		return ""
	case d.Direction == locale.Level && isWindow:
		return "against " + window
	case d.Direction == locale.NoBaseline && isWindow:
		return "zero in " + window
	}
	return than
}

// DayValues takes the last days of the trend; a day that is not stored is a gap.
func DayValues(days []report.DayPoint, label string, of func(report.DayPoint) *decimal.Decimal, word func(decimal.Decimal) string) ([]*decimal.Decimal, string) {
	if len(days) > sparkDays {
		days = days[len(days)-sparkDays:]
	}
	if len(days) < 2 {
		return nil, ""
	}
	out := make([]*decimal.Decimal, len(days))
	var low, high *decimal.Decimal
	for i, d := range days {
		if !d.Stored {
			continue
		}
		v := of(d)
		if out[i] = v; v == nil {
			continue
		}
		if low == nil || v.LessThan(*low) {
			low = v
		}
		if high == nil || v.GreaterThan(*high) {
			high = v
		}
	}
	if low == nil {
		return out, label + " by day: nothing stored"
	}
	return out, label + " by day: between " + word(*low) + " and " + word(*high)
}
