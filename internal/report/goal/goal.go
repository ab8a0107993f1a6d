// Package goal says how close a store is to its goal for a month, and where the month is heading: what
// was sold, plus an estimate for the remaining days with a range, based on how the store recently sold
// on the same weekdays. The package does no I/O.
package goal

import (
	"math"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/overview"
)

// State is how a goal is doing.
type State string

const (
	Reached State = "reached"
	// Missed: the month is over, and less was sold.
	Missed State = "missed"
	// Ahead: the goal is below the range.
	Ahead  State = "ahead"
	OnPace State = "on_pace"
	// AtRisk: the goal is above the range.
	AtRisk State = "at_risk"
	// Unknown: there is no estimate; Reason says why.
	Unknown State = "unknown"
)

// Pace is an estimate of where a month is heading. Four out of five months end between Low and High.
type Pace struct {
	Expected decimal.Decimal `json:"expected"`
	Low      decimal.Decimal `json:"low"`
	High     decimal.Decimal `json:"high"`
}

// Progress is how close a store is to its goal for a month.
type Progress struct {
	report.StoredGoal
	// Month is the whole month.
	Month report.Window
	// Provenance is that of Sold: its window is the days of the month that are over. It has no window
	// if none is.
	Provenance report.Provenance
	// Sold is what the Counted days sold, only part of the month's sales if days are missing. It's nil
	// if they have a different currency than the goal.
	Sold    *decimal.Decimal
	Counted int
	// Left is how many days aren't over.
	Left int
	// Pace is nil without an estimate; Reason says why.
	Pace   *Pace
	Reason locale.Message
	State  State
}

// MonthOf is the month that contains the day.
func MonthOf(d civil.Date) report.Window { return report.ByMonth.Around(d) }

// New works out the progress toward the goal for the month of a day; the day itself only counts if it's
// over. It returns nil if no goal is set.
func New(store report.Store, g *report.StoredGoal, day civil.Date, over bool) *Progress {
	if g == nil {
		return nil
	}
	last := day
	if !over {
		last = day.AddDays(-1)
	}
	p := &Progress{StoredGoal: *g, Month: MonthOf(day)}
	p.Left = p.Month.End.DaysSince(last)
	rest, other := p.count(store, last)
	switch {
	case other != "":
		p.Sold, p.Reason = nil, locale.M("goal.no_pace.currency", "goal", g.Currency, "currency", other)
	case p.Left == 0 && len(rest) == 0: // nothing is left to estimate
	default:
		p.estimate(rest, last)
	}
	p.State = p.state()
	return p
}

// count adds up the days of the month and finds those that need an estimate: days that are missing or
// not over. other is a currency different from the goal's (N34).
func (p *Progress) count(store report.Store, last civil.Date) (rest []civil.Date, other string) {
	b := report.Builder{In: report.Stored{Store: store}}
	from := b.Stitched("GET /data/analytics/summary", report.Window{Start: p.Month.Start, End: last})
	if last.Before(p.Month.Start) {
		from.Window = nil
	}
	sold, stored := decimal.Zero, map[civil.Date]report.StoredSummary{}
	for _, d := range p.Days {
		stored[d.Window.Start] = d
	}
	for d := range p.Month.All() {
		day, known := stored[d]
		switch {
		case d.After(last):
			rest = append(rest, d)
		case !known:
			from.Missed(d)
			rest = append(rest, d)
		default:
			if !p.meets(day) {
				other = day.Currency
			}
			from.Seen(day.FetchedAt, day.Revised)
			p.Counted++
			sold = sold.Add(p.of(day))
		}
	}
	p.Provenance, p.Sold = from, &sold
	return rest, other
}

// meets reports whether a day is in the goal's currency.
func (p *Progress) meets(d report.StoredSummary) bool {
	return p.Kind == fact.GoalOrders || d.Currency == p.Currency
}

// of is what a day contributes to the goal.
func (p *Progress) of(d report.StoredSummary) decimal.Decimal {
	if p.Kind == fact.GoalOrders {
		return decimal.NewFromInt(d.TotalUpsoldOrders)
	}
	return d.TotalUpsoldValue
}

func (p *Progress) estimate(rest []civil.Date, last civil.Date) {
	days := series{}
	for _, d := range p.Days {
		if p.meets(d) {
			days[d.Window.Start] = p.of(d).InexactFloat64()
		}
	}
	h, enough := habitOf(days, last)
	switch {
	case !enough:
		p.Reason = locale.M("goal.no_pace.history")
		return
	case h.level <= 0:
		p.Reason = locale.M("goal.no_pace.nothing_sold")
		return
	}
	digits := int32(0)
	if p.Kind == fact.GoalValue {
		digits = locale.Digits(p.Currency)
	}
	money := func(x float64) decimal.Decimal { return decimal.NewFromFloat(x).Round(digits) }
	expected, variance := h.ahead(rest)
	miss := within * math.Sqrt(variance)
	p.Pace = &Pace{
		Expected: p.Sold.Add(money(expected)),
		Low:      p.Sold.Add(money(max(0, expected-miss))),
		High:     p.Sold.Add(money(expected + miss)),
	}
}

func (p *Progress) state() State {
	switch {
	case p.Sold == nil:
		return Unknown
	case p.Sold.GreaterThanOrEqual(p.Amount):
		return Reached
	case p.Left == 0 && len(p.Provenance.Missing) == 0:
		return Missed
	case p.Pace == nil:
		return Unknown
	case p.Amount.GreaterThan(p.Pace.High):
		return AtRisk
	case p.Amount.LessThan(p.Pace.Low):
		return Ahead
	}
	return OnPace
}

// Heading is the expected result as a fraction of the goal; for a month that is over, the actual one.
// It's nil without an estimate.
func (p *Progress) Heading() *decimal.Decimal {
	switch {
	case p.Pace != nil:
		return new(p.Pace.Expected.DivRound(p.Amount, 4))
	case p.Left == 0 && p.Sold != nil:
		return new(p.Sold.DivRound(p.Amount, 4))
	}
	return nil
}

// Daily are the goals of the months that share a day with the window, out of all goals set, newest
// first. Charts spread each goal evenly over its month, and can't show one in another currency.
func Daily(set []report.StoredGoal, w report.Window, currency string) (daily []overview.DailyGoal) {
	changes := make([]Change, len(set))
	for i, g := range set {
		changes[i].StoredGoal = g
	}
	for month := MonthOf(w.Start); !month.Start.After(w.End); month = MonthOf(month.End.AddDays(1)) {
		g := InForce(changes, month.Start)
		if g == nil || g.Kind == fact.GoalValue && g.Currency != currency {
			continue
		}
		daily = append(daily, overview.DailyGoal{
			Start: month.Start, End: month.End, Orders: g.Kind == fact.GoalOrders,
			PerDay: g.Amount.DivRound(decimal.NewFromInt(int64(month.Days())), 4),
		})
	}
	return daily
}

// low is the fraction of the goal below which a month's expected result needs attention.
var low = decimal.New(9, -1)

// Behind reports whether the month is expected to reach less than 90% of the goal.
func (p *Progress) Behind() bool {
	h := p.Heading()
	return h != nil && h.LessThan(low)
}
