package overview

import (
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/report"
)

// Grouped is the trend with a point for each week or month. It leaves out today and the daily goals,
// since neither can be compared with whole weeks.
func (t Trend) Grouped(g report.Group) Trend {
	if g == report.ByDay || g == "" {
		return t
	}
	days := points(g, t.Days)
	t.Days, t.Against, t.Today, t.Goals = days, pointsBeside(g, days, t.Against), nil, nil
	return t
}

// pointsBeside groups the comparison's days into points of the same lengths as those next to them. If both
// series begin with a week or month, both use whole ones.
func pointsBeside(g report.Group, now, against []DayPoint) (out []DayPoint) {
	begins := func(days []DayPoint) bool { return len(days) > 0 && g.Around(days[0].Day).Start == days[0].Day }
	if begins(now) && begins(against) {
		return points(g, against)
	}
	for _, p := range now {
		n := p.Last().DaysSince(p.Day) + 1
		if len(against) == 0 {
			break
		}
		some := against[:min(n, len(against))]
		out = append(out, pointOf(some, report.Window{Start: some[0].Day, End: some[0].Day.AddDays(n - 1)}))
		against = against[len(some):]
	}
	return out
}

// points groups the days of one series by week or month.
func points(g report.Group, days []DayPoint) (out []DayPoint) {
	for len(days) > 0 {
		whole, n := g.Around(days[0].Day), 0
		for n < len(days) && whole.Contains(days[n].Day) {
			n++
		}
		out = append(out, pointOf(days[:n], whole))
		days = days[n:]
	}
	return out
}

// pointOf adds up the days of one week or month. Rates are recomputed from their parts (N2), and a
// missing day is listed, never counted as zero (N1).
func pointOf(days []DayPoint, whole report.Window) DayPoint {
	p := DayPoint{Day: days[0].Day, Until: &days[len(days)-1].Day, DaysOf: whole.Days()}
	value, orders, total, views := decimal.Zero, int64(0), int64(0), int64(0)
	withValue, withOrders, withTotal, withViews := 0, 0, 0, 0
	for _, d := range days {
		if !d.Stored {
			p.Missing = append(p.Missing, d.Day)
			continue
		}
		p.Stored, p.Currency = true, d.Currency
		p.DaysCounted++
		if d.Value != nil {
			value, withValue = value.Add(*d.Value), withValue+1
		}
		orders, withOrders = counted(orders, withOrders, d.Orders)
		total, withTotal = counted(total, withTotal, d.TotalOrders)
		views, withViews = counted(views, withViews, d.Views)
		p.Revised, p.Repaired = p.Revised || d.Revised, p.Repaired || d.Repaired
		if p.FetchedAt.IsZero() || d.FetchedAt.Before(p.FetchedAt) {
			p.FetchedAt = d.FetchedAt
		}
	}
	if !p.Stored {
		return p
	}
	if withValue == p.DaysCounted { // a sum that lacks a day's figure would be too low
		p.Value = &value
	}
	if withOrders == p.DaysCounted {
		p.Orders = &orders
	}
	if withTotal == p.DaysCounted {
		p.TotalOrders = &total
	}
	if withViews == p.DaysCounted {
		p.Views = &views
	}
	if p.Value != nil && p.Orders != nil {
		p.Average = ratio(value, orders)
	}
	if p.Orders != nil && p.TotalOrders != nil {
		p.SuccessRate = ratio(decimal.NewFromInt(orders), total)
	}
	return p
}

// counted adds a count that may be nil, and counts how many aren't.
func counted(sum int64, with int, n *int64) (int64, int) {
	if n == nil {
		return sum, with
	}
	return sum + *n, with + 1
}
