package api

import (
	"cmp"
	"slices"
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/goal"
	"github.com/storeglass/storeglass/internal/report/overview"
	"github.com/storeglass/storeglass/web/reports"
	"github.com/storeglass/storeglass/web/site"
)

func (s *Handlers) apiSummary(c *site.Call) error {
	o, err := s.answered(c)
	return panelOr(c, err, o.Summary.Panel, o.Summary)
}

func (s *Handlers) apiPlacements(c *site.Call) error {
	o, err := s.answered(c)
	return panelOr(c, err, o.Placements.Panel, reports.PlacementsAnswer(o.Placements))
}

func (s *Handlers) apiTop(c *site.Call) error {
	o, err := s.answered(c)
	if err != nil {
		return err
	}
	o.Top.Highest, o.Top.Lowest = site.List(o.Top.Highest), site.List(o.Top.Lowest)
	return panelOr(c, nil, o.Top.Panel, o.Top)
}

func (s *Handlers) apiCoverage(c *site.Call) error {
	o, err := s.windowless(c)
	if err != nil {
		return err
	}
	o.Coverage.Rows = site.List(o.Coverage.Rows)
	return panelOr(c, nil, o.Coverage.Panel, o.Coverage)
}

func (s *Handlers) apiLifetime(c *site.Call) error {
	o, err := s.windowless(c)
	return panelOr(c, err, o.Lifetime.Panel, o.Lifetime)
}

// goalAnswer is a store's progress toward this month's goal.
type goalAnswer struct {
	Provenance report.Provenance `json:"provenance"`
	Month      report.Window     `json:"month"`
	// Goal is null if none is set; then everything below is null, too.
	Goal        *goalSet         `json:"goal"`
	Sold        *decimal.Decimal `json:"sold"`
	CountedDays *int             `json:"counted_days"`
	DaysLeft    *int             `json:"days_left"`
	State       *goal.State      `json:"state"`
	Pace        *goal.Pace       `json:"pace"`
	// NoPace says why there is no estimate.
	NoPace *string `json:"no_pace"`
}

type goalSet struct {
	Kind   fact.GoalKind   `json:"kind"`
	Amount decimal.Decimal `json:"amount"`
	// Currency is null where orders are counted.
	Currency *string    `json:"currency"`
	From     civil.Date `json:"from"`
	SetAt    time.Time  `json:"set_at"`
}

func (s *Handlers) apiGoal(c *site.Call) error {
	if err := takes(c); err != nil {
		return err
	}
	now := s.Now()
	today := report.Today(now, c.Store.Location())
	stored, err := s.DB.GoalOn(c.Request().Context(), c.Store, today)
	if err != nil {
		return err
	}
	p := goal.New(c.Store.Store, stored, today, false)
	if p == nil {
		return c.Answer(goalAnswer{Provenance: ownProvenance("goal", now), Month: goal.MonthOf(today)})
	}
	out := goalAnswer{
		Provenance: p.Provenance, Month: p.Month, Sold: p.Sold, CountedDays: &p.Counted, DaysLeft: &p.Left, State: &p.State, Pace: p.Pace,
		Goal: &goalSet{Kind: p.Kind, Amount: p.Amount, Currency: db.Optional(p.Currency), From: p.From, SetAt: p.SetAt.UTC()},
	}
	if p.Reason.ID != "" {
		out.NoPace = new(p.Reason.In(locale.English))
	}
	return c.Answer(out)
}

// historyDay is one row of the history, a day unless weeks or months were asked for. If all of
// it is missing, the value is null and stored is false, which isn't zero.
type historyDay struct {
	Day civil.Date `json:"day"`
	// Until, DaysCounted, DaysOf and Missing are of a week or a month.
	Until       *civil.Date      `json:"until,omitempty"`
	DaysCounted *int             `json:"days_counted,omitempty"`
	DaysOf      int              `json:"days_of,omitempty"`
	Missing     []civil.Date     `json:"missing,omitempty"`
	Stored      bool             `json:"stored"`
	Value       *decimal.Decimal `json:"value"`
	Currency    string           `json:"currency,omitempty"`
	Partial     bool             `json:"partial"`
	Revised     bool             `json:"revised"`
	FetchedAt   *time.Time       `json:"fetched_at"`
}

// metric is one number a day, by its name everywhere else.
type metric struct {
	money bool
	value func(overview.DayPoint) *decimal.Decimal
}

var metrics = map[string]metric{
	"total_upsold_value":   {true, func(d overview.DayPoint) *decimal.Decimal { return d.Value }},
	"average_upsold_value": {true, func(d overview.DayPoint) *decimal.Decimal { return d.Average }},
	"total_upsold_orders":  {false, func(d overview.DayPoint) *decimal.Decimal { return whole(d.Orders) }},
	"total_orders":         {false, func(d overview.DayPoint) *decimal.Decimal { return whole(d.TotalOrders) }},
	"offer_views":          {false, func(d overview.DayPoint) *decimal.Decimal { return whole(d.Views) }},
	"upsell_success_rate":  {false, func(d overview.DayPoint) *decimal.Decimal { return d.SuccessRate }},
}

func whole(n *int64) *decimal.Decimal {
	if n == nil {
		return nil
	}
	return new(decimal.NewFromInt(*n))
}

// apiHistory answers one row a day, week or month of one metric.
func (s *Handlers) apiHistory(c *site.Call) error {
	name := cmp.Or(c.QueryParam("metric"), "total_upsold_value")
	m, ok := metrics[name]
	if !ok {
		return site.BadRequest("metric", "Use total_upsold_value, total_upsold_orders, total_orders, upsell_success_rate, average_upsold_value or offer_views.")
	}
	o, err := s.overview(c, slices.Concat(site.WindowParams, []string{"metric", "group"}))
	if err != nil {
		return err
	}
	group := c.RowGroup(o.Choice)
	trend := o.Trend.Grouped(group)
	days := trend.Rows()
	out := struct {
		report.Panel
		Metric   string       `json:"metric"`
		Group    report.Group `json:"group"`
		Currency *string      `json:"currency"`
		Days     []historyDay `json:"days"`
	}{Panel: trend.Panel, Metric: name, Group: group, Days: make([]historyDay, len(days))}
	if m.money {
		out.Currency = &trend.Currency
	}
	for i, d := range days {
		row := historyDay{Day: d.Day, Until: d.Until, DaysOf: d.DaysOf, Missing: d.Missing, Stored: d.Stored, Value: m.value(d), Partial: d.Partial, Revised: d.Revised}
		if d.Until != nil { // 0 is said, too: none of the week's days is stored
			row.DaysCounted = &d.DaysCounted
		}
		if m.money {
			row.Currency = d.Currency
		}
		if !d.FetchedAt.IsZero() {
			row.FetchedAt = new(d.FetchedAt.UTC())
		}
		out.Days[i] = row
	}
	return panelOr(c, nil, out.Panel, out)
}
