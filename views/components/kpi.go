package components

import (
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report/overview"
)

// sparkDays is the most days that a KPI's sparkline shows.
const sparkDays = 30

// Compared is what a change is compared with: a window, or why there is none.
type Compared struct{ Window, Reason string }

// Follows is the text after a change: "than 21 Sep – 20 Oct" for more and less; for no change
// "same as", and with no baseline where the zero was.
func (c Compared) Follows(l locale.Locale, d locale.Delta) string {
	switch {
	case d.Direction == locale.NoNumber:
		return ""
	case c.Window == "":
		return c.Reason
	case d.Direction == locale.Level:
		return l.T("change.same_as", "window", c.Window)
	case d.Direction == locale.NoBaseline:
		return l.T("change.zero_in", "window", c.Window)
	}
	return l.T("change.than", "window", c.Window)
}

// DayValues takes the last days of the trend; a day that isn't stored is a gap.
func DayValues(l locale.Locale, days []overview.DayPoint, label string, of func(overview.DayPoint) *decimal.Decimal, word func(decimal.Decimal) string) ([]*decimal.Decimal, string) {
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
		return out, l.T("chart.spark_empty", "metric", label)
	}
	return out, l.T("chart.spark", "metric", label, "low", word(*low), "high", word(*high))
}
