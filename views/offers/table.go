package offers

import (
	"net/url"
	"strconv"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	reportoffers "github.com/storeglass/storeglass/internal/report/offers"
	"github.com/storeglass/storeglass/views/components"
)

// Href is the page of an offer below home; its id may hold anything. Without
// a home there is none.
func Href(home, id string) string {
	if home == "" || id == "" {
		return ""
	}
	return home + "/offers/" + url.PathEscape(id)
}

// ListHref is the offer list below home with a filter. Without a home there is none.
func ListHref(home string, f report.OfferFilter) string {
	if home == "" {
		return ""
	}
	return components.WithQuery(home+"/offers", f.Values())
}

// Listing is the inventory as a table, with its search, filters and pages:
// links and one GET form, so that all of it is in the address bar.
type Listing struct {
	List reportoffers.List
	// Home is where the store's pages stand below; Path the address of the list.
	Home, Path string
	// Error is why the asked filter is not one; nil when it is.
	Error   *report.ChoiceError
	Exports components.Exports
	// Windowed leaves out what is of all time, Dated also what is of now.
	Windowed, Dated bool
}

// sorts are the orders that can be asked for.
func (l Listing) sorts() []string {
	var out []string
	for _, s := range report.OfferSorts {
		switch {
		case l.Windowed && (s == report.SortRevenue || s == report.SortRevenueLow), l.Dated && s == report.SortPriority:
		default:
			out = append(out, s)
		}
	}
	return out
}

// orderHref is the display order of a placement.
func (l Listing) orderHref(p report.Placement) string {
	f := l.List.Filter
	f.Placement, f.Sort, f.Page = p, report.SortPriority, 1
	return components.WithQuery(l.Path, f.Values())
}

func (l Listing) pageHref(page int) string {
	f := l.List.Filter
	f.Page = page
	return components.WithQuery(l.Path, f.Values())
}

// placements are the documented ones, and the one that was asked for.
func (l Listing) placements() []report.Placement {
	p := l.List.Filter.Placement
	if p == "" || p.Known() {
		return report.Placements
	}
	return append(report.Placements[:len(report.Placements):len(report.Placements)], p)
}

// Matched says how many offers are shown of how many.
func (l Listing) Matched(in locale.Locale) string {
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

// under says what the list leaves out or can't say.
func (l Listing) under(in locale.Locale) string {
	switch n := l.List.Coupons; {
	case n == 0:
		return ""
	case l.List.Filter.NeverEarned:
		return in.T("offers.coupons.left_out", "n", n)
	case l.List.Filter.Sort == report.SortRevenue || l.List.Filter.Sort == report.SortRevenueLow:
		return in.T("offers.coupons.sorted_last", "n", n)
	}
	return ""
}

func orderWords(p *int) string {
	if p == nil {
		return "–"
	}
	return strconv.Itoa(*p)
}
