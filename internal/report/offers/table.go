package offers

import (
	"slices"
	"strings"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/answers"
	"github.com/storeglass/storeglass/internal/report/overview"
)

// sparkDays is the most days that a row's sparkline draws: the last ones of the window.
const sparkDays = 30

// Table is the offers with their results in a window. Nothing is added up across them (N14).
type Table struct {
	// Panel is that of the window's ranking.
	report.Panel
	Choice   report.Choice
	Currency string
	// Asking: the app was asked about the window and hasn't answered yet.
	Asking bool
	// Unit is the unit of every row's Rate.
	Unit overview.RateUnit
	Rows []TableRow
	// Headline sums up the rows in a sentence or two; may be empty.
	Headline []string
	// Drawn are the days that the rows' sparklines show.
	Drawn report.Window
	// Compared is the provenance of the rows' Before; nil without a comparison.
	Compared *report.Provenance
	// Events are the starts and ends within the window.
	Events []report.Event
	// Open is the id of the expanded offer, Around what its starts and ends changed, History its days.
	Open    string
	Around  []answers.BeforeAfter
	History History

	all         []Row
	soldNothing []string
}

// TableRow is one offer in the window.
type TableRow struct {
	Row
	// Revenue is zero only if a complete ranking doesn't have the offer; nil if unknown or not
	// reported: see Reports.
	Revenue *decimal.Decimal
	// Before is the revenue in the comparison window; nil if it can't be compared.
	Before *decimal.Decimal
	// Claims and Rate are as reported for exactly this window; otherwise nil.
	Claims *int64
	Rate   *decimal.Decimal
	// Days are the value of each day in Drawn (claims for a coupon offer); nil is a gap.
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

// Drawable reports whether at least one of its days is known.
func (r TableRow) Drawable() bool {
	return slices.ContainsFunc(r.Days, func(d *decimal.Decimal) bool { return d != nil })
}

// Change is the relative change in revenue; nil without a baseline (N46).
func (r TableRow) Change() *decimal.Decimal {
	if r.Revenue == nil {
		return nil
	}
	return answers.Move{Before: r.Before, After: r.Revenue}.Share()
}

// Values maps the days to what an offer earned, as far as known, starting with first.
func Values(in report.StoredOfferDays, id string, p report.Placement, currency string, first civil.Date) map[civil.Date]decimal.Decimal {
	stored, row, out := Table{Currency: currency}.read(in), TableRow{Row: Row{ID: id, Placement: p}}, map[civil.Date]decimal.Decimal{}
	for _, r := range in.Ranked {
		if d := stored.of(row, r.Day); d.Revenue != nil && d.Currency == currency && !r.Day.Before(first) {
			out[r.Day] = *d.Revenue
		}
	}
	return out
}

// NewTable combines the offers with the rankings of the window and of its comparison, and keeps the
// page that the list's filter selects. before is nil without a comparison. in is the reader's language.
func NewTable(in locale.Locale, l *List, choice report.Choice, top overview.TopOffers, before *overview.TopOffers, events []report.Event) Table {
	t := Table{
		Panel: top.Panel, Choice: choice, Currency: top.Currency, Unit: top.AcceptanceUnit, Drawn: Drawn(choice.Window), Events: events,
		all: withRanked(l.Rows, top), soldNothing: top.SoldNothing,
	}
	if before != nil {
		t.Compared = &before.Provenance
	}
	now, was := byID(top), top.Earlier(before)
	for _, row := range t.all {
		if !row.matches(l.Filter) {
			continue
		}
		r := TableRow{Row: row}
		sold, ranked := now[row.ID]
		switch {
		case ranked:
			r.Revenue, r.Claims, r.Rate = sold.Revenue, sold.Claims, sold.AcceptanceRate
		case row.Placement.ReportsRevenue() && top.Earned != nil:
			r.Revenue = zero()
		}
		r.Before = was.Of(row.ID, row.Placement)
		for i, e := range events {
			if e.OfferID == row.ID && (r.Event == nil || e.Day.After(r.Event.Day)) {
				r.Event = &events[i]
			}
		}
		t.Rows = append(t.Rows, r)
	}
	slices.SortStableFunc(t.Rows, order(l.Filter.Sort, t.Currency))
	if l.Empty == nil && len(t.Rows) == 0 {
		l.Total = len(t.all)
		l.Empty = noMatch(in, *l)
	}
	t.Headline = t.headline(in)
	t.paged(l)
	return t
}

// Count is how many offers a filter of this table keeps; known is false if that can't be told.
func (t Table) Count(f report.OfferFilter) (n int, known bool) {
	if w := f.SoldNothing; w != nil && *w == t.Choice.Window {
		f.IDs = t.soldNothing
	}
	for _, r := range t.all {
		if r.matches(f) {
			n++
		}
	}
	return n, f.SoldNothing == nil || f.IDs != nil
}

// matches reports whether a filter keeps the offer.
func (r Row) matches(f report.OfferFilter) bool {
	switch {
	case f.Status != "" && (r.Status != f.Status || r.Deleted),
		f.Placement != "" && r.Placement != f.Placement,
		f.ABTest && !r.ABTest,
		f.Existing && (r.Deleted || r.Unlisted),
		f.NeverEarned && (r.Deleted || r.RevenueAllTime == nil || !r.RevenueAllTime.IsZero()),
		f.TriggerDeleted && !r.TriggerDeleted,
		f.SoldNothing != nil && !slices.Contains(f.IDs, r.ID):
		return false
	}
	return f.Query == "" || strings.Contains(strings.ToLower(r.Name), strings.ToLower(f.Query))
}

// Find returns the row of an offer; nil if the table doesn't have it.
func (t Table) Find(id string) *TableRow {
	i := slices.IndexFunc(t.Rows, func(r TableRow) bool { return r.ID == id && id != "" })
	if i < 0 {
		return nil
	}
	return &t.Rows[i]
}

func zero() *decimal.Decimal { return new(decimal.Decimal) }

func byID(t overview.TopOffers) map[string]report.TopRow {
	out := map[string]report.TopRow{}
	for _, r := range slices.Concat(t.Highest, t.Lowest) {
		out[r.OfferID] = r
	}
	return out
}

// withRanked adds offers that sold but never appeared in the inventory, because they were deleted first.
func withRanked(rows []Row, top overview.TopOffers) []Row {
	listed := make(map[string]bool, len(rows))
	for _, r := range rows {
		listed[r.ID] = true
	}
	out := slices.Clone(rows)
	for _, r := range slices.Concat(top.Highest, top.Lowest) {
		if r.Deleted && !listed[r.OfferID] {
			out = append(out, Row{ID: r.OfferID, Name: r.Name, Placement: r.Placement, ABTest: r.ABTest, Currency: top.Currency, Deleted: true, Unlisted: true})
		}
	}
	return out
}

// paged keeps the requested page, in the table and in the list.
func (t *Table) paged(l *List) {
	l.Total, l.Matched, l.Pages = len(t.all), len(t.Rows), 1
	if l.Filter.Page > 0 {
		l.Pages = max(1, (l.Matched+report.OffersPerPage-1)/report.OffersPerPage)
		l.Filter.Page = min(l.Filter.Page, l.Pages)
		first := report.OffersPerPage * (l.Filter.Page - 1)
		t.Rows = t.Rows[first:min(first+report.OffersPerPage, l.Matched)]
	}
	l.Rows = make([]Row, len(t.Rows))
	for i, r := range t.Rows {
		l.Rows[i] = r.Row
	}
}

// offerDays indexes stored days by offer and day.
type offerDays struct {
	currency string
	whole    map[civil.Date]string // the currency of each complete ranking
	rows     map[offerDay]report.StoredOfferDay
}

type offerDay struct {
	id  string
	day civil.Date
}

func (t Table) read(in report.StoredOfferDays) offerDays {
	d := offerDays{t.Currency, map[civil.Date]string{}, map[offerDay]report.StoredOfferDay{}}
	var newest civil.Date
	for _, r := range in.Ranked {
		if r.Whole {
			d.whole[r.Day] = r.Currency
		}
		if t.Currency == "" && !r.Day.Before(newest) { // the window itself has no ranking
			newest, d.currency = r.Day, r.Currency
		}
	}
	for _, r := range in.Days {
		d.rows[offerDay{r.OfferID, r.Day}] = r
	}
	return d
}

// of is one day of a row. If a complete ranking doesn't have the offer, it earned nothing that day;
// otherwise the day is a gap (N1, N16).
func (d offerDays) of(r TableRow, day civil.Date) Day {
	row, ranked := d.rows[offerDay{r.ID, day}]
	currency, whole := d.whole[day]
	switch {
	case ranked:
		return Day{Day: day, Stored: true, Revenue: row.Revenue, Currency: row.Currency, Claims: row.Claims}
	case whole && r.Placement.ReportsRevenue():
		return Day{Day: day, Stored: true, Revenue: zero(), Currency: currency}
	}
	return Day{Day: day}
}

// Draw fills in the rows' days.
func (t *Table) Draw(in report.StoredOfferDays) {
	stored := t.read(in)
	for i := range t.Rows {
		t.Rows[i].Days = stored.drawn(t.Rows[i], t.Drawn)
	}
}

// drawn are the days of a row's sparkline.
func (d offerDays) drawn(r TableRow, w report.Window) (out []*decimal.Decimal) {
	for day := range w.All() {
		of := d.of(r, day)
		if of.Currency != d.currency { // one line can't show both (N34)
			of.Revenue = nil
		}
		if of.Claims != nil && !r.Reports() {
			of.Revenue = new(decimal.NewFromInt(*of.Claims))
		}
		out = append(out, of.Revenue)
	}
	return out
}

// Drawn are the last days of a window, the ones a sparkline shows.
func Drawn(w report.Window) report.Window {
	if first := w.End.AddDays(1 - sparkDays); first.After(w.Start) {
		w.Start = first
	}
	return w
}

// RankedRows makes rows of ranked offers with their days.
func RankedRows(rows []report.TopRow, currency string, w report.Window, in report.StoredOfferDays) map[string]TableRow {
	stored, out := Table{Currency: currency}.read(in), make(map[string]TableRow, len(rows))
	for _, r := range rows {
		row := TableRow{Row: Row{ID: r.OfferID, Name: r.Name, Placement: r.Placement}, Revenue: r.Revenue}
		row.Days = stored.drawn(row, w)
		out[r.OfferID] = row
	}
	return out
}

// OpenDays are the days that the expanded row draws: those around its starts and ends that are over,
// otherwise those of its sparkline.
func (t Table) OpenDays(events []report.Event) report.Window {
	if len(events) == 0 {
		return t.Drawn
	}
	w := report.Window{Start: events[0].Day.AddDays(-answers.SideDays), End: events[len(events)-1].Day.AddDays(answers.SideDays)}
	if yesterday := t.Choice.Today.AddDays(-1); w.End.After(yesterday) {
		w.End = yesterday
	}
	return w
}

// DrawOpen fills in the expanded row's days.
func (t *Table) DrawOpen(in report.StoredOfferDays, w report.Window) {
	stored, row := t.read(in), t.Find(t.Open)
	t.History = History{Currency: stored.currency, Panel: report.Panel{Provenance: report.Provenance{
		Endpoint: overview.EndpointTop, Window: &w, Basis: report.Stitched, Timezone: t.Provenance.Timezone,
	}}}
	for day := range w.All() {
		d := stored.of(*row, day)
		if !d.Stored {
			t.History.Provenance.Missed(day)
		}
		t.History.Days = append(t.History.Days, d)
	}
}
