package stores

import (
	"cmp"
	"strconv"
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	stored "github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report/goal"
)

// GoalSection is the store's goal on its Settings page, with its form.
type GoalSection struct {
	locale.Locale
	// Currency is the store's; empty if unknown.
	Currency string
	Location *time.Location
	// Now is the goal of this month; nil if there is none.
	Now *goal.Change
	// Changes are what was set, the newest first.
	Changes []goal.Change
	// Months are the months in which a goal can begin.
	Months []civil.Date
	Form   goal.Form
	Wrong  map[string]string
	// Action is empty for readers who may not change it.
	Action string
}

// kinds are what can be counted, with how a form names it.
func (g GoalSection) kinds() [][2]string {
	var out [][2]string
	if g.Currency != "" {
		out = append(out, [2]string{string(stored.GoalValue), g.T("goal.form.value", "currency", g.Currency)})
	}
	return append(out, [2]string{string(stored.GoalOrders), g.T("goal.form.orders")}, [2]string{string(stored.GoalNone), g.T("goal.form.none")})
}

// month is "November 2026".
func (g GoalSection) month(d civil.Date) string {
	return g.T("goal.form.month", "month", goal.MonthName(d.Month), "year", strconv.Itoa(d.Year))
}

// amount is "$54,000" or "1,300 upsold orders".
func (g GoalSection) amount(c goal.Change) string {
	switch c.Kind {
	case stored.GoalValue:
		return g.RoundMoney(c.Amount, c.Currency)
	case stored.GoalOrders:
		return g.Count(c.Amount.IntPart()) + " " + g.T("goal.unit.orders")
	}
	return g.T("goal.form.none")
}

// now says which goal applies.
func (g GoalSection) now() string {
	if g.Now == nil {
		return g.T("goal.form.no_goal")
	}
	return g.T("goal.form.for_month", "amount", g.amount(*g.Now), "month", g.month(g.Now.From))
}

func (g GoalSection) by(c goal.Change) string { return cmp.Or(c.By, g.T("goal.form.by_command")) }

func (g GoalSection) example() string {
	if g.Form.Kind == string(stored.GoalOrders) {
		return goal.Example(g.Locale, stored.GoalOrders)
	}
	return goal.Example(g.Locale, stored.GoalValue)
}

// hasGoals reports whether any store on the page has a goal. If one does, the table shows goals instead
// of gift revenue, which is still in the files. It looks at every store, so ask once per table.
func (l ListPage) hasGoals() bool {
	for _, s := range l.List.Sections {
		for _, r := range s.Rows {
			if r.Goal != nil {
				return true
			}
		}
	}
	return false
}

// wholePercent is a fraction as a whole percentage: "95%".
func wholePercent(l locale.Locale, fraction decimal.Decimal) string {
	return locale.Percent{Percent: fraction.Shift(2).Round(0).IntPart()}.In(l)
}

// goalWords are the goal of the current month: "of $54,000", "of 1,000 orders".
func goalWords(l locale.Locale, p *goal.Progress) string {
	amount := p.Write(l, p.Amount)
	if p.Kind == stored.GoalOrders {
		amount = l.T("common.orders", "n", p.Amount.IntPart())
	}
	return l.T("goal.of", "goal", amount)
}
