package offers

import (
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/answers"
	reportoffers "github.com/storeglass/storeglass/internal/report/offers"
	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/components/chart"
	"github.com/storeglass/storeglass/views/components/form"
)

// Href is the page of an offer below home; its id may contain anything. It is empty without a
// home.
func Href(home, id string) string {
	if home == "" || id == "" {
		return ""
	}
	return home + "/offers/" + url.PathEscape(id)
}

// ListHref is the offer list below home with a filter. It is empty without a home.
func ListHref(home string, f report.OfferFilter) string {
	if home == "" {
		return ""
	}
	return components.WithQuery(home+"/offers", f.Values())
}

// sorts are the orders that can be asked for, and the one that was.
func (l ListPage) sorts() []string {
	var out []string
	for _, s := range report.OfferSorts {
		switch {
		case l.windowed() && (s == report.SortRevenue || s == report.SortRevenueLow), l.dated() && (s == report.SortPriority || s == report.SortStatus),
			l.Table.Compared == nil && s == report.SortChange, l.List.Filter.Placement == "" && s == report.SortPriority:
		default:
			out = append(out, s)
		}
	}
	if asked := l.List.Filter.Sort; strings.HasSuffix(asked, report.SortReversed) {
		out = append(out, asked)
	}
	return out
}

func sortWords(in locale.Locale, sort string) string {
	if sort, reversed := strings.CutSuffix(sort, report.SortReversed); reversed {
		return in.T("offers.sort_reversed", "sort", in.T("offers.sort."+sort))
	}
	return in.T("offers.sort." + sort)
}

// sorted reports whether the list is sorted by a column, and whether the other way around.
func (l ListPage) sorted(column string) (current, reversed bool) {
	sort, reversed := strings.CutSuffix(l.List.Filter.Sort, report.SortReversed)
	return sort == column, reversed
}

// falls reports whether a column begins with its largest or newest value.
func falls(sort string) bool {
	return sort != report.SortName && sort != report.SortPlacement && sort != report.SortStatus
}

func direction(sort string, reversed bool) string {
	if falls(sort) != reversed {
		return "descending"
	}
	return "ascending"
}

func arrow(sort string, current, reversed bool) string {
	switch {
	case !current:
		return "i-updown"
	case direction(sort, reversed) == "descending":
		return "i-down"
	}
	return "i-up"
}

func (l ListPage) sortHref(sort string) string {
	if current, reversed := l.sorted(sort); current && !reversed {
		sort += report.SortReversed
	}
	return l.href(l.with(func(f *report.OfferFilter) { f.Sort = sort }))
}

// with is the filter with a change, from its first page.
func (l ListPage) with(change func(*report.OfferFilter)) report.OfferFilter {
	f := l.List.Filter
	f.Page = 1
	change(&f)
	if f.Sort == report.SortPriority && f.Placement == "" {
		f.Sort = report.SortValue
	}
	return f
}

func (l ListPage) href(f report.OfferFilter) string { return components.WithQuery(l.Path, l.query(f)) }

// query is a filter in the window that is shown.
func (l ListPage) query(f report.OfferFilter) url.Values {
	q := f.Values()
	if !l.windowed() {
		maps.Copy(q, l.Table.Choice.Query())
	}
	return q
}

// kept are the search form's hidden fields: the filters and the window.
func (l ListPage) kept() []form.Kept {
	f := l.List.Filter
	f.Query, f.Sort, f.Page = "", report.SortValue, 1
	return form.KeptOf(l.query(f))
}

// toggle selects a choice, or clears it.
func toggle(chosen *string, value string) {
	if *chosen == value {
		value = ""
	}
	*chosen = value
}

// filterChip is a filter that a chip turns on or off.
type filterChip struct {
	to     report.OfferFilter
	chosen bool
	words  string
}

// kinds are the filters besides placement and status: those with their own chips, and rarer
// ones, which are in a menu until chosen.
func (l ListPage) kinds(in locale.Locale) (shown, more []filterChip) {
	f := l.List.Filter
	add := func(always, chosen bool, change func(*report.OfferFilter), words string) {
		chip := filterChip{l.with(change), chosen, words}
		if always || chosen {
			shown = append(shown, chip)
		} else {
			more = append(more, chip)
		}
	}
	if !l.dated() {
		add(true, f.ABTest, func(f *report.OfferFilter) { f.ABTest = !f.ABTest }, in.T("offers.filter.ab_test"))
	}
	if !l.windowed() {
		add(false, f.SoldNothing != nil, l.toggleSoldNothing, l.soldNothingWords(in))
		add(false, f.NeverEarned, func(f *report.OfferFilter) { f.NeverEarned = !f.NeverEarned }, in.T("offers.filter.never_earned"))
		add(false, f.TriggerDeleted, func(f *report.OfferFilter) { f.TriggerDeleted = !f.TriggerDeleted }, in.T("offers.filter.trigger_deleted"))
		add(false, f.Existing, func(f *report.OfferFilter) { f.Existing = !f.Existing }, in.T("offers.filter.existing"))
	}
	return shown, more
}

// changeOfOffer is the change of an offer's value between two windows; one that began in the
// later of them is new.
func changeOfOffer(in locale.Locale, id string, now, before *decimal.Decimal, events []report.Event) locale.Delta {
	d := changeOf(in, now, before)
	if d.Direction == locale.NoBaseline && slices.ContainsFunc(events, func(e report.Event) bool { return e.Start && e.OfferID == id }) {
		d.Word = in.T("offers.new")
	}
	return d
}

// changeOf is the change of an amount; if it fell to zero, it says so.
func changeOf(in locale.Locale, now, before *decimal.Decimal) locale.Delta {
	if now != nil && now.IsZero() && before != nil && before.IsPositive() {
		return locale.Delta{Direction: locale.Down, Word: in.T("offers.none_sold")}
	}
	return in.Change(now, before)
}

func (l ListPage) toggleSoldNothing(f *report.OfferFilter) {
	if f.SoldNothing != nil {
		f.SoldNothing = nil
		return
	}
	f.SoldNothing = &l.Table.Choice.Window
}

// soldNothingWords name the days if they differ from the page's.
func (l ListPage) soldNothingWords(in locale.Locale) string {
	if w := l.List.Filter.SoldNothing; w != nil && *w != l.Table.Choice.Window {
		return in.T("offers.filter.sold_nothing_on", "dates", in.Dates(w.Start, w.End))
	}
	return in.T("offers.filter.sold_nothing")
}

// openHref opens a row, or closes the open one.
func (l ListPage) openHref(id string) string {
	q := l.query(l.List.Filter)
	if l.Table.Open != id {
		q.Set("open", id)
	}
	return components.WithQuery(l.Path, q)
}

// leads reports whether an offer has a page: one that was never listed has none.
func (l ListPage) leads(r reportoffers.TableRow) bool {
	return l.StoreHome() != "" && !(r.Deleted && r.Unlisted && r.LastListed.IsZero())
}

func rowID(i int) string { return "offer-" + strconv.Itoa(i+1) }

func expanded(open bool) string { return strconv.FormatBool(open) }

// columns spans all columns; on a phone the value has its own cell.
func (l ListPage) columns() string {
	n := 9
	if l.dated() {
		n--
	}
	if l.Table.Compared == nil {
		n--
	}
	return strconv.Itoa(n)
}

func (l ListPage) dates(in locale.Locale) string {
	w := l.Table.Choice.Window
	return in.Dates(w.Start, w.End)
}

// drawn are the days of the sparklines.
func drawn(in locale.Locale, w report.Window) string {
	return in.DatesNear(w.Start, w.End, w.End)
}

func drawnOf(in locale.Locale, r reportoffers.TableRow, w report.Window) string {
	if !r.Reports() {
		return in.T("offers.row.claims_by_day", "offer", locale.Name(r.Name), "dates", drawn(in, w))
	}
	return in.T("offers.row.value_by_day", "offer", locale.Name(r.Name), "dates", drawn(in, w))
}

func sparkTone(r reportoffers.TableRow) chart.SparkTone {
	if !r.Reports() || r.Silent() {
		return chart.SparkPlain
	}
	return chart.SparkMain
}

func markOf(e report.Event) string {
	if e.Start {
		return "m-start"
	}
	return "m-end"
}

func eventWord(in locale.Locale, e report.Event) string {
	if e.Start {
		return in.T("offers.row.started")
	}
	return in.T("offers.row.ended")
}

func aroundTitle(in locale.Locale, e report.Event) string {
	if e.Start {
		return in.T("offers.around.started", "day", in.Day(e.Day))
	}
	return in.T("offers.around.ended", "day", in.Day(e.Day))
}

// aroundNote says which days are compared, and whether there are fewer than usual so far.
func aroundNote(in locale.Locale, b answers.BeforeAfter) string {
	note := in.T("offers.around.note", "n", b.Days, "day", in.Day(b.Event.Day))
	if b.Days < answers.SideDays {
		note += " " + in.T("offers.around.fewer", "n", b.Days)
	}
	return note
}

// days are those of the open row.
func (l ListPage) days(r reportoffers.TableRow) DaysPanel {
	p := DaysPanel{History: l.Table.History, Placement: r.Placement, Said: true}
	for _, b := range l.Table.Around {
		p.Events = append(p.Events, b.Event)
	}
	return p
}

// drawable reports whether the open row has a day to draw.
func (l ListPage) drawable() bool {
	return slices.ContainsFunc(l.Table.History.Days, func(d reportoffers.Day) bool { return d.Stored })
}

// clearness says how certain the step of the placement is; empty if there is none.
func clearness(in locale.Locale, b answers.BeforeAfter) string {
	placement, money := b.Event.Placement.Name(), func(v decimal.Decimal) string { return in.Money(v.Abs(), b.Currency).String() }
	switch {
	case b.PerDay == nil:
		return ""
	case !b.Clear:
		return in.T("offers.around.unclear", "placement", placement)
	case b.PerDay.IsPositive():
		return in.T("offers.around.clear_more", "placement", placement, "least", money(b.Least), "most", money(b.Most))
	}
	return in.T("offers.around.clear_less", "placement", placement, "least", money(b.Least), "most", money(b.Most))
}

// aroundLine is one line of the days around an event.
type aroundLine struct {
	label         string
	placement     report.Placement
	before, after string
	change        locale.Delta
}

// aroundLines are the offer, every placement and the store's success rate.
func aroundLines(in locale.Locale, b answers.BeforeAfter) []aroundLine {
	line := func(label string, p report.Placement, of answers.Pair) aroundLine {
		return aroundLine{label, p, in.MoneyOrDash(of.Before, b.Currency).String(), in.MoneyOrDash(of.After, b.Currency).String(), changeOf(in, of.After, of.Before)}
	}
	own := line(in.T("offers.around.this_offer", "offer", locale.Name(components.Named(in, b.Event.Name))), b.Event.Placement, b.Offer)
	if !b.Event.Placement.ReportsRevenue() {
		own.before, own.after, own.change = in.T("offers.not_reported"), in.T("offers.not_reported"), in.Change(nil, nil)
	}
	out := []aroundLine{own}
	for _, p := range b.Placements {
		out = append(out, line(p.Placement.Name().In(in), p.Placement, p.Pair))
	}
	if b.Rate.Before != nil || b.Rate.After != nil {
		after, before, change := in.CompareShares(b.Rate.After, b.Rate.Before)
		out = append(out, aroundLine{label: in.T("offers.around.rate"), before: before.String(), after: after.String(), change: change})
	}
	return out
}

func (l ListPage) pageHref(page int) string {
	f := l.List.Filter
	f.Page = page
	return l.href(f)
}

// placements are the documented ones, and the one that was asked for.
func (l ListPage) placements() []report.Placement {
	p := l.List.Filter.Placement
	if p == "" || p.Known() {
		return report.Placements
	}
	return append(report.Placements[:len(report.Placements):len(report.Placements)], p)
}

// matched says how many offers are shown of how many.
func (l ListPage) matched(in locale.Locale) string {
	f, n := l.List.Filter, len(l.List.Rows)
	if n == 0 {
		return ""
	}
	matched := in.T("offers.matched.all", "n", l.List.Matched)
	if f.Narrowed() {
		matched = in.T("offers.matched.of", "n", l.List.Matched, "total", l.List.Total)
	}
	if l.List.Pages < 2 {
		return matched
	}
	first := (f.Page-1)*report.OffersPerPage + 1
	return in.T("offers.matched.range", "first", first, "last", first+n-1, "offers", matched)
}

// under says what the list leaves out or doesn't know, and what acceptance is.
func (l ListPage) under(in locale.Locale) string {
	var out []string
	count := func(f report.OfferFilter) int {
		n, _ := l.Table.Count(f)
		return n
	}
	if n := count(report.OfferFilter{}) - count(report.OfferFilter{Existing: true}); n > 0 && !l.List.Filter.Existing {
		out = append(out, in.T("offers.matched.gone", "n", n))
	}
	switch n := count(report.OfferFilter{Placement: report.Coupon}); {
	case n == 0:
	case l.List.Filter.NeverEarned:
		out = append(out, in.T("offers.coupons.left_out", "n", n))
	case l.List.Filter.Sort == report.SortRevenue || l.List.Filter.Sort == report.SortRevenueLow:
		out = append(out, in.T("offers.coupons.sorted_last", "n", n))
	default:
		out = append(out, in.T("offers.coupons.unreported", "n", n))
	}
	switch rated := slices.ContainsFunc(l.Table.Rows, func(r reportoffers.TableRow) bool { return r.Rate != nil }); {
	case rated && l.Table.Unit.Proven():
		out = append(out, in.T("offers.acceptance_means"))
	case rated:
		out = append(out, in.T("offers.acceptance_unproven"))
	case l.Table.Provenance.Basis == report.Stitched:
		out = append(out, in.T("offers.acceptance_not_from_days"))
	}
	return strings.Join(out, " ")
}

func orderWords(p *int) string {
	if p == nil {
		return "–"
	}
	return strconv.Itoa(*p)
}
