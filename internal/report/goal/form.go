package goal

import (
	"slices"
	"strings"
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
)

// Change is a goal that was set.
type Change struct {
	report.StoredGoal
	// By is who set it; empty if a command did.
	By string
}

// InForce is the newest goal for the month of a day among all changes (newest first); nil if there is none.
func InForce(changes []Change, day civil.Date) *Change {
	var found *Change
	for i, c := range changes {
		if !c.From.After(day) && (found == nil || c.From.After(found.From)) {
			found = &changes[i]
		}
	}
	if found == nil || found.Kind == fact.GoalNone {
		return nil
	}
	return found
}

// monthsAhead is how many months can be chosen as a goal's first.
const monthsAhead = 12

// most is the limit that a goal must stay below.
var most = decimal.New(1, 12)

// Months are those that a goal can begin in: this one and the next eleven.
func Months(today civil.Date) []civil.Date {
	out := make([]civil.Date, monthsAhead)
	for i := range out {
		out[i] = civil.DateOf(time.Date(today.Year, today.Month+time.Month(i), 1, 0, 0, 0, 0, time.UTC))
	}
	return out
}

// Form is a goal as typed into the form.
type Form struct{ Kind, Amount, From string }

// Read parses the goal, or says in the reader's language what is wrong with each field. currency is the
// store's; empty if unknown.
func (f Form) Read(l locale.Locale, currency string, today civil.Date) (report.StoredGoal, map[string]string) {
	g, wrong := report.StoredGoal{Kind: fact.GoalKind(f.Kind)}, map[string]string{}
	from, err := civil.ParseDate(f.From)
	if g.From = from; err != nil || !slices.Contains(Months(today), from) {
		wrong["from"] = l.T("goal.wrong.from")
	}
	switch g.Kind {
	case fact.GoalNone:
		return g, wrong
	case fact.GoalOrders:
	case fact.GoalValue:
		if g.Currency = currency; currency == "" {
			wrong["kind"] = l.T("goal.wrong.currency")
		}
	default:
		wrong["kind"] = l.T("goal.wrong.kind")
		return g, wrong
	}
	var why string
	if g.Amount, why = f.amount(l, g.Kind, currency); why != "" {
		wrong["amount"] = why
	}
	return g, wrong
}

func (f Form) amount(l locale.Locale, kind fact.GoalKind, currency string) (decimal.Decimal, string) {
	amount, ok := l.ParseNumber(strings.TrimSpace(f.Amount))
	digits := locale.Digits(currency)
	switch whole := amount.Equal(amount.Truncate(0)); {
	case kind == fact.GoalOrders && (!ok || !whole):
		return amount, l.T("goal.wrong.whole", "example", Example(l, kind))
	case !ok:
		return amount, l.T("goal.wrong.amount", "example", Example(l, kind))
	case !amount.IsPositive():
		return amount, l.T("goal.wrong.too_low")
	case amount.GreaterThanOrEqual(most):
		return amount, l.T("goal.wrong.large", "most", l.Decimal(most))
	case digits == 0 && !whole:
		return amount, l.T("goal.wrong.no_digits", "currency", currency)
	case !amount.Equal(amount.Truncate(digits)):
		return amount, l.T("goal.wrong.digits", "n", digits)
	}
	return amount, ""
}

// Example is an amount as people write it in the reader's language.
func Example(l locale.Locale, kind fact.GoalKind) string {
	if kind == fact.GoalOrders {
		return l.Count(1200)
	}
	return l.Count(25000)
}

// Record describes for the audit log what was set: "54000 USD from 2026-11".
func Record(g report.StoredGoal) string {
	from := g.From.In(time.UTC).Format("2006-01")
	switch g.Kind {
	case fact.GoalValue:
		return g.Amount.String() + " " + g.Currency + " from " + from
	case fact.GoalOrders:
		return g.Amount.String() + " orders from " + from
	}
	return "none from " + from
}
