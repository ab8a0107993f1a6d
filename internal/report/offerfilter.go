package report

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/locale"
)

// OfferFilter is the state of the offer list's filters; it lives in the URL.
type OfferFilter struct {
	// Query is part of the name, in any case.
	Query string `json:"query,omitempty"`
	// Status is active, scheduled or expired; empty for all.
	Status string `json:"status,omitempty"`
	// Placement is one label; empty for all.
	Placement Placement `json:"placement,omitempty"`
	// ABTest keeps only offers in an A/B test.
	ABTest bool `json:"ab_test,omitempty"`
	// Existing keeps offers that the service still has, in any status: the ones coverage counts.
	Existing bool `json:"existing,omitempty"`
	// NeverEarned keeps offers whose all-time revenue is zero. Coupon offers report no revenue, so
	// they're excluded.
	NeverEarned bool `json:"never_earned,omitempty"`
	// TriggerDeleted keeps active or scheduled offers whose trigger points to something deleted.
	TriggerDeleted bool `json:"trigger_deleted,omitempty"`
	// SoldNothing keeps offers that were active on every day of the window and earned
	// nothing in it; nil for all.
	SoldNothing *Window `json:"sold_nothing,omitempty"`
	// Sort is one of sortValues, by value if empty; priority needs a placement.
	Sort string `json:"sort,omitempty"`
	// Page counts from 1; 0 puts all offers on one page.
	Page int `json:"page,omitempty"`
	// IDs are the offers that SoldNothing keeps, once known.
	IDs []string `json:"-"`
}

// OffersPerPage is how many offers one page of the list shows.
const OffersPerPage = 50

// The sort orders of the offer list, as in `?sort=`. Those of the table's headers may be followed by
// SortReversed; SortRevenue is by all-time revenue.
const (
	SortValue      = "value"
	SortChange     = "change"
	SortClaims     = "claims"
	SortAcceptance = "acceptance"
	SortName       = "name"
	SortStatus     = "status"
	SortPlacement  = "placement"
	SortEvent      = "event"
	SortNewest     = "newest"
	SortOldest     = "oldest"
	SortRevenue    = "revenue"
	SortRevenueLow = "revenue_low"
	SortPriority   = "priority"
	SortReversed   = "_reversed"
)

// OfferSorts lists the sort orders, the headers' first.
var OfferSorts = []string{
	SortValue, SortChange, SortClaims, SortAcceptance, SortName, SortStatus, SortPlacement, SortEvent,
	SortNewest, SortOldest, SortRevenue, SortRevenueLow, SortPriority,
}

const headerSorts = 8

// sortValues are the valid values of `?sort=`.
var sortValues = func() (all []string) {
	for i, s := range OfferSorts {
		all = append(all, s)
		if i < headerSorts {
			all = append(all, s+SortReversed)
		}
	}
	return all
}()

// OfferStatuses lists the documented states.
var OfferStatuses = []string{"active", "scheduled", "expired"}

// OfferParams are the query parameters of the offer list.
var OfferParams = []string{"query", "status", "placement", "ab_test", "existing", "never_earned", "trigger_deleted", "sold_nothing", "sort", "page"}

const (
	MaxQuery = 200
	MaxPage  = 100_000
)

// ParseOfferFilter parses the offer list's query. Empty parameters, as a form sends them, count as
// absent. Errors are *ChoiceError; the filter then still holds everything that could be parsed, so the
// form can show it again.
func ParseOfferFilter(q url.Values) (OfferFilter, error) {
	f := OfferFilter{Query: strings.TrimSpace(q.Get("query")), Status: q.Get("status"), Sort: q.Get("sort"), Page: 1}
	var wrong []*ChoiceError
	refuse := func(field string, reason locale.Message) {
		wrong = append(wrong, &ChoiceError{Field: field, Reason: reason})
	}
	if !utf8.ValidString(f.Query) || strings.ContainsRune(f.Query, 0) || utf8.RuneCountInString(f.Query) > MaxQuery {
		f.Query = ""
		refuse("query", locale.M("offers.wrong.query", "most", MaxQuery))
	}
	if f.Status != "" && !slices.Contains(OfferStatuses, f.Status) {
		f.Status = ""
		refuse("status", locale.M("offers.wrong.status", "statuses", strings.Join(OfferStatuses, ", ")))
	}
	placement, ok := ParsePlacement(q.Get("placement"))
	if f.Placement = placement; !ok {
		refuse("placement", locale.M("offers.wrong.placement", "placements", "post_purchase, thank_you, coupon, order_status"))
	}
	flag := func(name string) bool {
		switch q.Get(name) {
		case "", "false":
			return false
		case "true":
			return true
		}
		refuse(name, locale.M("offers.wrong.flag", "value", "true"))
		return false
	}
	f.ABTest, f.Existing, f.NeverEarned, f.TriggerDeleted = flag("ab_test"), flag("existing"), flag("never_earned"), flag("trigger_deleted")
	if days := q.Get("sold_nothing"); days != "" {
		if f.SoldNothing = parseDays(days); f.SoldNothing == nil {
			refuse("sold_nothing", locale.M("offers.wrong.days", "form", "YYYY-MM-DD..YYYY-MM-DD"))
		}
	}
	switch {
	case f.Sort == "":
		f.Sort = SortValue
	case !slices.Contains(sortValues, f.Sort):
		f.Sort = SortValue
		refuse("sort", locale.M("offers.wrong.sort", "sorts", strings.Join(sortValues, ", ")))
	case f.Sort == SortPriority && f.Placement == "":
		f.Sort = SortValue
		refuse("sort", locale.M("offers.wrong.priority"))
	}
	if page := q.Get("page"); page != "" {
		n, err := strconv.Atoi(page)
		if err != nil || n < 1 || n > MaxPage {
			n = 1
			refuse("page", locale.M("offers.wrong.page"))
		}
		f.Page = n
	}
	if len(wrong) > 0 {
		return f, wrong[0]
	}
	return f, nil
}

// parseDays parses a window like "2026-10-23..2026-11-21"; nil if it isn't one.
func parseDays(s string) *Window {
	first, last, _ := strings.Cut(s, "..")
	start, err := civil.ParseDate(first)
	end, wrong := civil.ParseDate(last)
	w := Window{start, end}
	if err != nil || wrong != nil || !start.IsValid() || !end.IsValid() || end.Before(start) || w.Days() > MaxWindowDays {
		return nil
	}
	return &w
}

// Param is the placement as `?placement=` writes it.
func (p Placement) Param() string {
	if p.Known() {
		return p.Key()
	}
	return string(p)
}

// Values is the filter as query parameters, without defaults.
func (f OfferFilter) Values() url.Values {
	q := url.Values{}
	set := func(name, value string) {
		if value != "" {
			q.Set(name, value)
		}
	}
	set("query", f.Query)
	set("status", f.Status)
	set("placement", f.Placement.Param())
	if f.ABTest {
		q.Set("ab_test", "true")
	}
	if f.Existing {
		q.Set("existing", "true")
	}
	if f.NeverEarned {
		q.Set("never_earned", "true")
	}
	if f.TriggerDeleted {
		q.Set("trigger_deleted", "true")
	}
	if w := f.SoldNothing; w != nil {
		q.Set("sold_nothing", w.Start.String()+".."+w.End.String())
	}
	if f.Sort != SortValue {
		set("sort", f.Sort)
	}
	if f.Page > 1 {
		q.Set("page", strconv.Itoa(f.Page))
	}
	return q
}

// Narrowed reports whether the filter leaves out any offers.
func (f OfferFilter) Narrowed() bool {
	return f.Query != "" || f.Status != "" || f.Placement != "" || f.ABTest || f.Existing || f.NeverEarned || f.TriggerDeleted || f.SoldNothing != nil
}
