package offers

import (
	"cmp"
	"slices"
	"strings"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/answers"
)

// sparkDays is how many days a row draws at most: the last of the window.
const sparkDays = 30

// Table is the offers with what they did in a window. Nothing is added up over them (N14).
type Table struct {
	// Panel is the ranking's of the window.
	report.Panel
	Choice   report.Choice
	Currency string
	// Asking: the app was asked about the window, and its answer is to come.
	Asking bool
	// Unit is that of every row's Rate.
	Unit report.RateUnit
	Rows []TableRow
	// Drawn are the days of the rows' sparklines.
	Drawn report.Window
	// Open is the offer whose row is open, Around what its events changed.
	Open   string
	Around []answers.BeforeAfter
}

// TableRow is one offer in the window.
type TableRow struct {
	Row
	// Revenue is zero only where a whole ranking leaves the offer out; nil where it is not
	// known, or not reported: see Reports.
	Revenue *decimal.Decimal
	// Before is the same of the comparison window; nil where it can't be compared.
	Before *decimal.Decimal
	// Claims and Rate are as reported for exactly this window; nil where they are not.
	Claims *int64
	Rate   *decimal.Decimal
	// Days are the value of each day of Drawn, of a coupon offer the claims; nil is a gap.
	Days []*decimal.Decimal
	// Event is the newest start or end within the window.
	Event *report.Event
}

// Reports reports whether the service reports the offer's revenue (N13).
func (r TableRow) Reports() bool { return r.Placement.ReportsRevenue() || r.Revenue != nil }

// Silent reports whether the offer is known to have sold nothing in either window.
func (r TableRow) Silent() bool {
	return r.Revenue != nil && r.Revenue.IsZero() && (r.Before == nil || r.Before.IsZero())
}

// Drawable reports whether any of its days is known.
func (r TableRow) Drawable() bool {
	return slices.ContainsFunc(r.Days, func(d *decimal.Decimal) bool { return d != nil })
}

// Change is the relative change of the revenue; nil where there is no baseline (N46).
func (r TableRow) Change() *decimal.Decimal {
	if r.Revenue == nil {
		return nil
	}
	return answers.Move{Before: r.Before, After: r.Revenue}.Share()
}

// StoredOfferDay is an offer's row in one day's ranking.
type StoredOfferDay struct {
	OfferID  string
	Day      civil.Date
	Revenue  *decimal.Decimal
	Claims   *int64
	Currency string
}

// StoredOfferDays are days of offers, with the rankings they are from.
type StoredOfferDays struct {
	Days   []StoredOfferDay
	Ranked []report.StoredRankedDay
}

// NewTable joins the listed offers with the rankings of the window and of the one it is
// compared with; before is nil where nothing is compared. Where the filter's order is of
// the window, all offers are in the list, and one page of them stays.
func NewTable(l *List, choice report.Choice, top report.TopOffers, before *report.TopOffers, events []report.Event) Table {
	t := Table{Panel: top.Panel, Choice: choice, Currency: top.Currency, Unit: top.AcceptanceUnit, Drawn: choice.Window}
	if first := choice.Window.End.AddDays(1 - sparkDays); first.After(t.Drawn.Start) {
		t.Drawn.Start = first
	}
	now, was := byID(top), map[string]report.TopRow(nil)
	if before != nil && comparable(top) && comparable(*before) && (before.Empty != nil || top.Empty != nil || before.Currency == top.Currency) {
		was = byID(*before)
	}
	if l.Filter.OfWindow() {
		addRanked(l, top)
	}
	for _, row := range l.Rows {
		r := TableRow{Row: row}
		sold, ranked := now[row.ID]
		switch {
		case ranked:
			r.Revenue, r.Claims, r.Rate = sold.Revenue, sold.Claims, sold.AcceptanceRate
		case row.Placement.ReportsRevenue() && top.Earned != nil:
			r.Revenue = zero()
		}
		if was != nil && row.Placement.ReportsRevenue() {
			r.Before = zero()
			if earlier, ok := was[row.ID]; ok {
				r.Before = earlier.Revenue
			}
		}
		for i, e := range events {
			if e.OfferID == row.ID && (r.Event == nil || e.Day.After(r.Event.Day)) {
				r.Event = &events[i]
			}
		}
		t.Rows = append(t.Rows, r)
	}
	if l.Filter.OfWindow() {
		slices.SortStableFunc(t.Rows, order(l.Filter.Sort))
		t.paged(l)
	}
	return t
}

// Find is the row of an offer; nil where the table has none.
func (t Table) Find(id string) *TableRow {
	i := slices.IndexFunc(t.Rows, func(r TableRow) bool { return r.ID == id && id != "" })
	if i < 0 {
		return nil
	}
	return &t.Rows[i]
}

// Compared reports whether the table has changes to show.
func (t Table) Compared() bool { return t.Choice.Against != nil }

// comparable reports whether a ranking holds every offer that earned, of whole days.
func comparable(t report.TopOffers) bool {
	return t.Earned != nil && len(t.Provenance.Missing) == 0 && !t.Provenance.Has(report.FlagPartial)
}

func zero() *decimal.Decimal { return new(decimal.Decimal) }

func byID(t report.TopOffers) map[string]report.TopRow {
	out := map[string]report.TopRow{}
	for _, r := range slices.Concat(t.Highest, t.Lowest) {
		out[r.OfferID] = r
	}
	return out
}

// addRanked adds offers that sold and that the inventory never listed: they were deleted
// before. What is not known of them does not match a filter that asks for it.
func addRanked(l *List, top report.TopOffers) {
	f := l.Filter
	if f.Status != "" || f.Existing || f.NeverEarned || f.TriggerDeleted || f.SoldNothing != nil {
		return
	}
	listed := map[string]bool{}
	for _, r := range l.Rows {
		listed[r.ID] = true
	}
	for _, r := range slices.Concat(top.Highest, top.Lowest) {
		if listed[r.OfferID] || !r.Deleted || f.Placement != "" && f.Placement != r.Placement || f.ABTest && !r.ABTest ||
			!strings.Contains(strings.ToLower(r.Name), strings.ToLower(f.Query)) {
			continue
		}
		l.Rows = append(l.Rows, Row{ID: r.OfferID, Name: r.Name, Placement: r.Placement, ABTest: r.ABTest, Currency: top.Currency, Deleted: true, Unlisted: true})
		l.Matched, l.Total, l.Empty = l.Matched+1, l.Total+1, nil
	}
}

// paged keeps the page that was asked for, in the table and in the list.
func (t *Table) paged(l *List) {
	l.Pages = max(1, (len(t.Rows)+report.OffersPerPage-1)/report.OffersPerPage)
	l.Filter.Page = min(max(l.Filter.Page, 1), l.Pages)
	first := report.OffersPerPage * (l.Filter.Page - 1)
	t.Rows = t.Rows[first:min(first+report.OffersPerPage, len(t.Rows))]
	l.Rows = l.Rows[:0:0]
	for _, r := range t.Rows {
		l.Rows = append(l.Rows, r.Row)
	}
}

// order compares two rows. What is not known is last either way.
func order(sort string) func(a, b TableRow) int {
	sort, reversed := strings.CutSuffix(sort, report.SortReversed)
	by, known := orderBy(sort)
	return func(a, b TableRow) int {
		c := by(a, b)
		if reversed {
			c = -c
		}
		return cmp.Or(cmp.Compare(rank(!known(a)), rank(!known(b))), c, strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)), strings.Compare(a.ID, b.ID))
	}
}

func orderBy(sort string) (by func(a, b TableRow) int, known func(TableRow) bool) {
	switch sort {
	case report.SortChange:
		return func(a, b TableRow) int { return larger(a.Change(), b.Change()) }, func(r TableRow) bool { return r.Change() != nil }
	case report.SortClaims:
		return moreClaims, func(r TableRow) bool { return r.Claims != nil }
	case report.SortAcceptance:
		return func(a, b TableRow) int { return larger(a.Rate, b.Rate) }, func(r TableRow) bool { return r.Rate != nil }
	case report.SortStatus:
		return func(a, b TableRow) int { return cmp.Compare(statusPlace(a), statusPlace(b)) }, func(r TableRow) bool { return r.Status != "" && !r.Deleted }
	case report.SortPlacement:
		return func(a, b TableRow) int { return cmp.Compare(placementPlace(a), placementPlace(b)) }, func(TableRow) bool { return true }
	case report.SortName:
		return func(a, b TableRow) int { return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)) }, func(TableRow) bool { return true }
	case report.SortEvent:
		return func(a, b TableRow) int {
			if a.Event == nil || b.Event == nil {
				return 0
			}
			return b.Event.Day.DaysSince(a.Event.Day)
		}, func(r TableRow) bool { return r.Event != nil }
	}
	return byValue, func(r TableRow) bool { return r.Revenue != nil || !r.Reports() }
}

// byValue puts what sold first, then what reports no revenue with its claims, then zeros.
func byValue(a, b TableRow) int {
	return cmp.Or(cmp.Compare(valuePlace(a), valuePlace(b)), larger(a.Revenue, b.Revenue), moreClaims(a, b))
}

func valuePlace(r TableRow) int {
	switch {
	case !r.Reports():
		return 1
	case r.Revenue != nil && r.Revenue.IsZero():
		return 2
	}
	return 0
}

func larger(a, b *decimal.Decimal) int {
	if a == nil || b == nil {
		return 0
	}
	return b.Cmp(*a)
}

func moreClaims(a, b TableRow) int {
	if a.Claims == nil || b.Claims == nil {
		return cmp.Compare(rank(a.Claims == nil), rank(b.Claims == nil))
	}
	return cmp.Compare(*b.Claims, *a.Claims)
}

func rank(last bool) int {
	if last {
		return 1
	}
	return 0
}

// statusPlace follows the documented states; others come behind them.
func statusPlace(r TableRow) int {
	if i := slices.Index(report.OfferStatuses, r.Status); i >= 0 {
		return i
	}
	return len(report.OfferStatuses)
}

func placementPlace(r TableRow) int {
	if i := slices.Index(report.Placements, r.Placement); i >= 0 {
		return i
	}
	return len(report.Placements)
}

// Draw gives the rows their days. A whole ranking that leaves an offer out says that it
// earned nothing that day; otherwise the day is a gap (N1, N16).
func (t *Table) Draw(in StoredOfferDays) {
	whole := map[civil.Date]bool{}
	for _, d := range in.Ranked {
		whole[d.Day] = d.Whole && d.Currency == t.Currency
	}
	type key struct {
		id  string
		day civil.Date
	}
	days := map[key]StoredOfferDay{}
	for _, d := range in.Days {
		days[key{d.OfferID, d.Day}] = d
	}
	for i := range t.Rows {
		r := &t.Rows[i]
		for day := range t.Drawn.All() {
			var v *decimal.Decimal
			d, ranked := days[key{r.ID, day}]
			switch {
			case ranked && !r.Reports() && d.Claims != nil:
				n := decimal.NewFromInt(*d.Claims)
				v = &n
			case ranked && d.Currency == t.Currency:
				v = d.Revenue
			case whole[day] && r.Placement.ReportsRevenue():
				v = zero()
			}
			r.Days = append(r.Days, v)
		}
	}
}
