package goal_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/goal"
)

var store = report.Store{Slug: "acme", Timezone: "America/New_York"}

// november is the day on which the store is examined: a Sunday with 21 days behind it.
var november = civil.Date{Year: 2026, Month: time.November, Day: 22}

// world is the truth about a generated store.
type world struct {
	weekdays    [7]float64
	level       float64
	trend       float64 // per day
	walk, noise float64 // of a week's level, of a day
}

// days are a store's days, starting with first.
func (w world) days(r *rand.Rand, first civil.Date, n int) []report.StoredSummary {
	out := make([]report.StoredSummary, n)
	level := w.level
	for i := range out {
		d := first.AddDays(i)
		weekday := d.In(time.UTC).Weekday()
		if weekday == time.Sunday && w.walk > 0 {
			level *= math.Exp(w.walk * r.NormFloat64())
		}
		x := level * (1 + w.trend*float64(i)) * w.weekdays[weekday]
		if w.noise > 0 {
			x *= math.Exp(w.noise * r.NormFloat64())
		}
		out[i] = report.StoredSummary{Window: report.OneDay(d), TotalUpsoldValue: decimal.NewFromFloat(x).Round(2), TotalUpsoldOrders: int64(math.Round(x / 40)), Currency: "USD"}
	}
	return out
}

// calm sells 1,000 every weekday and 1,500 every weekend day.
var calm = world{weekdays: [7]float64{1.5, 1, 1, 1, 1, 1, 1.5}, level: 1000}

// calmDays are twelve weeks up to 21 November.
func calmDays() []report.StoredSummary {
	return calm.days(nil, november.AddDays(-goal.HistoryDays), goal.HistoryDays)
}

func value(amount int64, days []report.StoredSummary) *report.StoredGoal {
	return &report.StoredGoal{Kind: fact.GoalValue, Amount: decimal.NewFromInt(amount), Currency: "USD", Days: days}
}

func TestAMonthWithoutChanceIsEstimatedExactly(t *testing.T) {
	t.Parallel()
	whole := append(calmDays(), calm.days(nil, november, 9)...)
	truth := decimal.Zero
	for _, d := range whole {
		if d.Window.Start.Month == time.November {
			truth = truth.Add(d.TotalUpsoldValue)
		}
	}
	for first := range goal.MonthOf(november).All() {
		days := calm.days(nil, first.AddDays(-goal.HistoryDays), goal.HistoryDays)
		p := goal.New(store, value(30000, days), first, false)
		if p.Pace == nil || !p.Pace.Low.Equal(truth) || !p.Pace.High.Equal(truth) || !p.Pace.Expected.Equal(truth) {
			t.Errorf("on %s: %+v, want exactly %s", first, p.Pace, truth)
		}
	}
}

// The expected shares are those in docs/developers/goals.md.
func TestFourOfFiveMonthsEndInTheirRange(t *testing.T) {
	t.Parallel()
	const months = 1000
	held, wide := 0, 0.0
	for i := range months {
		r := rand.New(rand.NewPCG(16, uint64(i)))
		w := world{level: 1000, trend: 0.25 * (2*r.Float64() - 1) / goal.HistoryDays, walk: 0.05 * r.Float64(), noise: 0.1 + 0.4*r.Float64()}
		for d := range w.weekdays {
			w.weekdays[d] = 0.6 + 0.8*r.Float64()
		}
		day := november.AddDays(r.IntN(29) - 21)
		history := 7 * (5 + r.IntN(8))
		all := w.days(r, day.AddDays(-history), history+30)
		p := goal.New(store, value(30000, all[:history]), day, false)
		truth := decimal.Zero
		for _, d := range all {
			if p.Month.Contains(d.Window.Start) {
				truth = truth.Add(d.TotalUpsoldValue)
			}
		}
		if !p.Pace.Low.GreaterThan(truth) && !p.Pace.High.LessThan(truth) {
			held++
		}
		wide += p.Pace.High.Sub(p.Pace.Low).Div(truth).InexactFloat64()
	}
	share := float64(held) / months
	t.Logf("%.1f%% of %d months ended in their range, which was %.1f%% of the month wide on average", 100*share, months, 100*wide/months)
	if share < 0.75 || share > 0.85 {
		t.Errorf("%.1f%% of the months ended in their range", 100*share)
	}
}

func TestWhatIsMissingIsNamedAndEstimatedAndNotZero_N1(t *testing.T) {
	t.Parallel()
	days := calmDays()
	gone := days[len(days)-3].Window.Start // Thursday, 19 November
	days = append(days[:len(days)-3:len(days)-3], days[len(days)-2:]...)
	p := goal.New(store, value(30000, days), november, false)
	if len(p.Provenance.Missing) != 1 || p.Provenance.Missing[0] != gone || p.Counted != 20 {
		t.Errorf("%d days counted, missing %v", p.Counted, p.Provenance.Missing)
	}
	if got := p.Sold.String(); got != "23000" {
		t.Errorf("sold %s, want the stored days only", got)
	}
	if p.Pace == nil || p.Pace.Expected.String() != "34500" || !p.Pace.Low.Equal(p.Pace.High) {
		t.Errorf("%+v, want the missing day estimated, and no chance where none was", p.Pace)
	}
}

func TestWithoutEnoughToGoByThereIsNoPaceAndAReason(t *testing.T) {
	t.Parallel()
	days := calmDays()
	yen := calmDays()
	yen[len(yen)-1].Currency = "JPY"
	before := calmDays()
	for i := range before[:goal.HistoryDays-27] {
		before[i].Currency = "EUR"
	}
	nothing, weekdays, sundays := calmDays(), calmDays(), calmDays()
	for i := range nothing {
		nothing[i].TotalUpsoldValue = decimal.Zero
		if sunday := nothing[i].Window.Start.In(time.UTC).Weekday() == time.Sunday; sunday {
			weekdays[i].TotalUpsoldValue = decimal.Zero
		} else {
			sundays[i].TotalUpsoldValue = decimal.Zero
		}
	}
	sundays = slices.DeleteFunc(sundays, func(d report.StoredSummary) bool {
		return d.TotalUpsoldValue.IsPositive() && november.DaysSince(d.Window.Start) <= 28
	})
	for name, c := range map[string]struct {
		days  []report.StoredSummary
		want  string
		known bool
	}{
		"27 days":                                {days[len(days)-27:], "goal.no_pace.history", true},
		"none of the last two weeks":             {days[:len(days)-14], "goal.no_pace.history", true},
		"a day of the month in another currency": {yen, "goal.no_pace.currency", false},
		"a history in another currency, N34":     {before, "goal.no_pace.history", true},
		"three of the last four weeks":           {days[:len(days)-7], "", true},
		"a day less":                             {days[:len(days)-8], "goal.no_pace.history", true},
		"closed on Sundays":                      {weekdays, "", true},
		"sold on Sundays alone, none lately":     {sundays, "goal.no_pace.nothing_sold", true},
		"nothing sold":                           {nothing, "goal.no_pace.nothing_sold", true},
		"nothing stored":                         {nil, "goal.no_pace.history", true},
		"28 days are enough":                     {days[len(days)-28:], "", true},
	} {
		p := goal.New(store, value(30000, c.days), november, false)
		if p.Reason.ID != c.want || (p.Pace == nil) != (c.want != "") || (p.Sold != nil) != c.known || c.want != "" && p.Says().ID != c.want {
			t.Errorf("%s: %+v because of %q, sold %v", name, p.Pace, p.Reason.ID, p.Sold)
		}
	}
}

func TestAGoalOfOrdersMeetsEveryCurrency(t *testing.T) {
	t.Parallel()
	days := calmDays()
	days[len(days)-1].Currency = "JPY"
	p := goal.New(store, &report.StoredGoal{Kind: fact.GoalOrders, Amount: decimal.NewFromInt(900), Days: days}, november, false)
	if p.State != goal.AtRisk || p.Pace == nil || !p.Pace.Expected.Equal(p.Pace.Expected.Round(0)) {
		t.Errorf("%s, %+v", p.State, p.Pace)
	}
}

func TestAnEstimateIsRoundedLikeAmountsAndNeverLosesWhatIsSold(t *testing.T) {
	t.Parallel()
	w := calm
	w.noise = 0.2
	for currency, digits := range map[string]int32{"JPY": 0, "USD": 2, "KWD": 3} {
		days := w.days(rand.New(rand.NewPCG(1, 2)), november.AddDays(-goal.HistoryDays), goal.HistoryDays)
		for i := range days {
			days[i].Currency, days[i].TotalUpsoldValue = currency, days[i].TotalUpsoldValue.Round(digits)
		}
		g := value(30000, days)
		g.Currency = currency
		p := goal.New(store, g, november, false)
		if x := p.Pace.Expected; !x.Equal(x.Round(digits)) || digits > 0 && x.Equal(x.Round(digits-1)) {
			t.Errorf("%s: %s expected", currency, x)
		}
	}
	orders := w.days(rand.New(rand.NewPCG(1, 2)), november.AddDays(-goal.HistoryDays), goal.HistoryDays)
	p := goal.New(store, &report.StoredGoal{Kind: fact.GoalOrders, Amount: decimal.NewFromInt(900), Days: orders}, november, false)
	if !p.Pace.Expected.IsInteger() || !p.Pace.Low.IsInteger() || !p.Pace.High.IsInteger() {
		t.Errorf("parts of an order: %+v", p.Pace)
	}
	once := calmDays()
	for i := range once {
		once[i].TotalUpsoldValue = decimal.Zero
	}
	once[len(once)-7].TotalUpsoldValue = decimal.NewFromInt(70000)
	if p := goal.New(store, value(90000, once), november, false); p.Pace.Low.String() != "70000" || !p.Pace.Expected.GreaterThan(p.Pace.Low) {
		t.Errorf("after a single sale: %+v", p.Pace)
	}
}

func TestAGoalIsHeldAgainstItsRange(t *testing.T) {
	t.Parallel()
	w := calm
	w.noise = 0.2
	first := november.AddDays(-goal.HistoryDays)
	days := w.days(rand.New(rand.NewPCG(1, 2)), first, goal.HistoryDays)
	sold := goal.New(store, value(1, days), november, false).Sold.IntPart()
	done := civil.Date{Year: 2026, Month: time.November, Day: 30}
	whole := append(days[:len(days):len(days)], calm.days(nil, november, 9)...)
	orders := func(amount int64, days []report.StoredSummary) *report.StoredGoal {
		return &report.StoredGoal{Kind: fact.GoalOrders, Amount: decimal.NewFromInt(amount), Days: days}
	}
	for name, c := range map[string]struct {
		goal *report.StoredGoal
		day  civil.Date
		over bool
		want goal.State
		says string
	}{
		"sold already":                {value(sold-1, days), november, false, goal.Reached, "Goal reached, on pace for $35.8k–$37.7k."},
		"far below":                   {value(sold+2000, days), november, false, goal.Ahead, "On pace for $35.8k–$37.7k, more than the goal."},
		"within":                      {value(sold+11000, days), november, false, goal.OnPace, "On pace for $35.8k–$37.7k, with the goal within reach."},
		"far above":                   {value(sold+20000, days), november, false, goal.AtRisk, "On pace for $35.8k–$37.7k, $8k–$9.9k short."},
		"without chance":              {value(40000, calmDays()), november, false, goal.AtRisk, "On pace for about $34.5k, about $5.5k short."},
		"orders":                      {orders(1000, days), november, false, goal.AtRisk, "On pace for 900–940, 60–110 short."},
		"orders without chance":       {orders(900, calmDays()), november, false, goal.AtRisk, "On pace for about 867, about 33 short."},
		"orders, a month over":        {orders(1000, whole), done, true, goal.Missed, "93 short of the goal."},
		"a month that is over":        {value(sold+20000, whole), done, true, goal.Missed, "$9,499.23 short of the goal."},
		"over, with a day missing":    {value(sold+20000, slices.Concat(whole[:len(whole)-3], whole[len(whole)-2:])), done, true, goal.AtRisk, "On pace for $36k–$36.6k, $9k–$9.7k short."},
		"a month that is over, sold":  {value(sold+9000, whole), done, true, goal.Reached, "Goal reached."},
		"the first day, nothing over": {value(34000, days[:63]), civil.Date{Year: 2026, Month: time.November, Day: 1}, false, goal.OnPace, "On pace for $32k–$37k, with the goal within reach."},
	} {
		p := goal.New(store, c.goal, c.day, c.over)
		if p.State != c.want {
			t.Errorf("%s: %s, want %s: sold %s, %+v", name, p.State, c.want, p.Sold, p.Pace)
		}
		for _, l := range locale.All() {
			if text, ok := p.Says().Said(l); !ok || l == locale.English && text != c.says {
				t.Errorf("%s in %s: %q", name, l.Code(), text)
			}
		}
	}
	if p := goal.New(store, nil, november, false); p != nil {
		t.Error("a goal that nobody set")
	}
}

func TestTodayIsLeftAndNotCounted(t *testing.T) {
	t.Parallel()
	days := append(calmDays(), calm.days(nil, november, 1)...)
	month := goal.MonthOf(november)
	days[len(days)-2].Revised = true
	p := goal.New(store, value(30000, days), november, false)
	if p.Left != 9 || p.Counted != 21 || *p.Provenance.Window != (report.Window{Start: month.Start, End: november.AddDays(-1)}) || p.Provenance.Revised != 1 {
		t.Errorf("%d days left, %d counted, %+v", p.Left, p.Counted, p.Provenance)
	}
	if p := goal.New(store, value(30000, days), month.Start, false); p.Provenance.Window != nil {
		t.Errorf("on the month's first day the window is %v", p.Provenance.Window)
	}
}

func TestAChartDrawsTheGoalOfEachMonthAsItWasSet(t *testing.T) {
	t.Parallel()
	month := func(m time.Month) civil.Date { return civil.Date{Year: 2026, Month: m, Day: 1} }
	set := []report.StoredGoal{ // the newest first
		{Kind: fact.GoalOrders, Amount: decimal.NewFromInt(280), From: month(2)}, // and later ones stay
		{Kind: fact.GoalNone, From: month(11)},
		{Kind: fact.GoalValue, Amount: decimal.NewFromInt(3100), Currency: "EUR", From: month(10)},
		{Kind: fact.GoalOrders, Amount: decimal.NewFromInt(310), From: month(8)},
		{Kind: fact.GoalValue, Amount: decimal.NewFromInt(1), Currency: "USD", From: month(8)}, // corrected since
	}
	daily := func(from, to time.Month, currency string) string {
		var out []string
		for _, g := range goal.Daily(set, report.Window{Start: month(from), End: goal.MonthOf(month(to)).End}, currency) {
			out = append(out, fmt.Sprintf("%s/%d %s %v", g.Start, g.End.Day, g.PerDay, g.Orders))
		}
		return strings.Join(out, ", ")
	}
	for name, c := range map[string]struct{ got, want string }{
		"a month":               {daily(8, 8, "EUR"), "2026-08-01/31 10 true"},
		"a goal goes on":        {daily(9, 9, "EUR"), "2026-09-01/30 10.3333 true"},
		"several months":        {daily(8, 11, "EUR"), "2026-08-01/31 10 true, 2026-09-01/30 10.3333 true, 2026-10-01/31 100 false"},
		"one set since":         {daily(1, 2, "EUR"), "2026-02-01/28 10 true"},
		"another currency, N34": {daily(10, 10, "USD"), ""},
		"none any more":         {daily(11, 12, "EUR"), ""},
	} {
		if c.got != c.want {
			t.Errorf("%s: %s, want %s", name, c.got, c.want)
		}
	}
}
