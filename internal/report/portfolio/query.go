package portfolio

import (
	"cmp"
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/goal"
	"github.com/storeglass/storeglass/internal/report/stores"
)

// StoresPerPage is how many stores one page of the list shows. With 300 stores a page is 20 kB compressed.
const StoresPerPage = 50

// Query is what someone requested of the list of stores: window, filters, order. It lives in the URL,
// and a saved view stores one.
type Query struct {
	// Preset is one of PortfolioPresets, or Custom with Start and End. The days are on each store's own clock.
	Preset     report.Preset
	Start, End civil.Date
	Comparison report.Comparison
	// Currency, Tag, Group and Health narrow the list, unless empty or 0.
	Currency string
	Tag      string
	Group    int64
	Health   stores.HealthGroup
	// GoalAtRisk narrows it to stores whose goal for the current month is above the estimated range.
	GoalAtRisk bool
	// Search is part of a store's name, slug or domain.
	Search  string
	By      string
	Sort    string
	Reverse bool
	// Page counts from 1; All shows every store on one page.
	Page int
	All  bool
	// Mailed is how many of the first rows a mail lists, with their reasons and notes. Goals are then
	// for the month that the window ends in. It's 0 for a page, and never in a URL.
	Mailed int
}

// PortfolioPresets are the windows that the list offers, each on every store's own clock. Today and all
// time are left to the store's own page: today is partial, and all time is different days in each
// store.
var PortfolioPresets = []report.Preset{report.Last7, report.Last30, report.Last90, report.LastMonth, report.MonthToDate, report.Yesterday}

// The groupings of the list, as in `?by=`.
const (
	ByHealth   = "health"
	ByGroup    = "group"
	ByTag      = "tag"
	ByCurrency = "currency"
	ByClock    = "clock"
	ByNothing  = "nothing"
)

// PortfolioGroupings lists the groupings in menu order.
var PortfolioGroupings = []string{ByNothing, ByHealth, ByGroup, ByTag, ByCurrency, ByClock}

// The sort orders of the list, as in `?sort=`.
const (
	StoresByAttention = "attention"
	StoresByName      = "name"
	StoresByFreshness = "freshness"
	StoresByValue     = "value"
	StoresByOrders    = "orders"
	StoresByRate      = "rate"
	StoresByDelta     = "delta"
	StoresByGoal      = "goal"
)

// PortfolioSorts lists the sort orders in menu order.
var PortfolioSorts = []string{StoresByAttention, StoresByName, StoresByFreshness, StoresByValue, StoresByOrders, StoresByRate, StoresByDelta, StoresByGoal}

// SortWords names a sort order, normal or reversed.
func SortWords(l locale.Locale, sort string, reversed bool) string {
	if reversed {
		return l.T("stores.reversed." + sort)
	}
	return l.T("stores.sort." + sort)
}

// PortfolioParams are the query parameters of the list.
var PortfolioParams = []string{"window", "start", "end", "compare", "currency", "tag", "group", "health", "goal", "q", "by", "sort", "reverse", "page", "show"}

// firstClock is the first time zone in which a day begins.
var firstClock = time.FixedZone("first", 14*3600)

// ParseQuery parses the query of the list of stores. Empty parameters, as a form sends them, count as
// absent. Errors are *ChoiceError; the query then still holds everything that could be parsed.
func ParseQuery(q url.Values, now time.Time) (Query, error) {
	p := Query{Group: 0, Page: 1}
	var wrong []*report.ChoiceError
	refuse := func(field string, why locale.Message) {
		wrong = append(wrong, &report.ChoiceError{Field: field, Reason: why})
	}
	if err := p.parseWindow(q, now); err != nil {
		wrong = append(wrong, err)
	}
	if p.Currency = strings.ToUpper(q.Get("currency")); !currencyForm(p.Currency) {
		p.Currency = ""
		refuse("currency", locale.M("stores.ask.currency"))
	}
	if p.Tag = q.Get("tag"); !line(p.Tag, 40) {
		p.Tag = ""
		refuse("tag", locale.M("stores.ask.tag"))
	}
	if group := q.Get("group"); group != "" {
		n, err := strconv.ParseInt(group, 10, 64)
		if err != nil || n < 1 {
			n = 0
			refuse("group", locale.M("stores.ask.group"))
		}
		p.Group = n
	}
	if p.Health = stores.HealthGroup(q.Get("health")); p.Health != "" && !slices.Contains(stores.HealthGroups, p.Health) {
		p.Health = ""
		refuse("health", locale.M("stores.ask.health"))
	}
	switch q.Get("goal") {
	case "":
	case string(goal.AtRisk):
		p.GoalAtRisk = true
	default:
		refuse("goal", locale.M("stores.ask.goal"))
	}
	if p.Search = strings.TrimSpace(q.Get("q")); !line(p.Search, report.MaxQuery) {
		p.Search = ""
		refuse("q", locale.M("stores.ask.search", "n", report.MaxQuery))
	}
	if p.By = q.Get("by"); p.By == "" {
		p.By = ByNothing
	} else if !slices.Contains(PortfolioGroupings, p.By) {
		p.By = ByNothing
		refuse("by", locale.M("stores.ask.by"))
	}
	if p.Sort = q.Get("sort"); p.Sort == "" {
		p.Sort = StoresByAttention
	} else if !slices.Contains(PortfolioSorts, p.Sort) {
		p.Sort = StoresByAttention
		refuse("sort", locale.M("stores.ask.sort"))
	}
	switch q.Get("reverse") {
	case "", "false":
	case "true":
		p.Reverse = true
	default:
		refuse("reverse", locale.M("stores.ask.reverse"))
	}
	switch q.Get("show") {
	case "":
	case "all":
		p.All = true
	default:
		refuse("show", locale.M("stores.ask.show"))
	}
	if page := q.Get("page"); page != "" {
		n, err := strconv.Atoi(page)
		if err != nil || n < 1 || n > report.MaxPage {
			n = 1
			refuse("page", locale.M("stores.ask.page"))
		}
		p.Page = n
	}
	if len(wrong) > 0 {
		return p, wrong[0]
	}
	return p, nil
}

// parseWindow parses the window as a store's page would in the first time zone: a day that hasn't begun
// anywhere can't be requested.
func (p *Query) parseWindow(q url.Values, now time.Time) *report.ChoiceError {
	p.Preset, p.Comparison = report.Last30, report.ComparePrevious
	window := url.Values{}
	for _, name := range []string{"window", "start", "end", "compare"} {
		window.Set(name, q.Get(name))
	}
	c, err := report.ParseChoice(window, now, firstClock, civil.Date{})
	if wrong := (*report.ChoiceError)(nil); errors.As(err, &wrong) { // it returns no other kind
		return wrong
	}
	if c.Preset != report.Custom && !slices.Contains(PortfolioPresets, c.Preset) {
		return &report.ChoiceError{Field: "window", Reason: locale.M("stores.ask.window")}
	}
	p.Preset = c.Preset
	if p.Preset == report.Custom {
		p.Start, _ = civil.ParseDate(q.Get("start"))
		p.End, _ = civil.ParseDate(q.Get("end"))
	}
	if compare := report.Comparison(q.Get("compare")); compare != "" {
		p.Comparison = compare
	}
	return nil
}

// line reports whether text is a single line of at most that many characters.
func line(text string, most int) bool {
	return utf8.ValidString(text) && utf8.RuneCountInString(text) <= most && !strings.ContainsFunc(text, unicode.IsControl)
}

func currencyForm(code string) bool {
	return code == "" || len(code) == 3 && strings.Trim(code, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

// Values is the query as parameters, without defaults.
func (p Query) Values() url.Values {
	q := url.Values{}
	set := func(name, value, usual string) {
		if value != "" && value != usual {
			q.Set(name, value)
		}
	}
	if p.Preset == report.Custom {
		q.Set("start", p.Start.String())
		q.Set("end", p.End.String())
	} else {
		set("window", string(p.Preset), string(report.Last30))
	}
	set("compare", string(p.Comparison), string(report.ComparePrevious))
	set("currency", p.Currency, "")
	set("tag", p.Tag, "")
	if p.Group > 0 {
		q.Set("group", strconv.FormatInt(p.Group, 10))
	}
	set("health", string(p.Health), "")
	if p.GoalAtRisk {
		q.Set("goal", string(goal.AtRisk))
	}
	set("q", p.Search, "")
	set("by", p.By, ByNothing)
	set("sort", p.Sort, StoresByAttention)
	if p.Reverse {
		q.Set("reverse", "true")
	}
	if p.All {
		q.Set("show", "all")
	} else if p.Page > 1 {
		q.Set("page", strconv.Itoa(p.Page))
	}
	return q
}

// Narrowed reports whether the query leaves out any stores.
func (p Query) Narrowed() bool {
	return p.Currency != "" || p.Tag != "" || p.Group != 0 || p.Health != "" || p.GoalAtRisk || p.Search != ""
}

// OfGoals reports whether finding the page's stores requires the goals of all stores.
func (p Query) OfGoals() bool { return p.GoalAtRisk || p.Sort == StoresByGoal }

// choice is the window on one store's clock. A day that isn't over there is left out; ok is false if
// none is over.
func (p Query) choice(now time.Time, loc *time.Location) (c report.Choice, ok bool) {
	if p.Preset != report.Custom {
		c, err := report.ParseChoice(url.Values{"window": {string(p.Preset)}, "compare": {string(p.Comparison)}}, now, loc, civil.Date{})
		return c, err == nil
	}
	c = report.Choice{Preset: report.Custom, Window: report.Window{Start: p.Start, End: p.End}, Comparison: p.Comparison, Today: report.Today(now, loc)}
	if !p.End.Before(c.Today) {
		c.Window.End = c.Today.AddDays(-1)
		c.LeftOut = &c.Today
	}
	if c.Window.End.Before(c.Window.Start) {
		return c, false
	}
	c, err := c.Compared()
	return c, err == nil
}

// rolls reports whether the window is a rolling "last n days".
func (p Query) rolls() bool {
	return p.Preset == report.Last7 || p.Preset == report.Last30 || p.Preset == report.Last90 || p.Preset == report.Yesterday
}

// Words describes the query in one line: "last 30 days, in EUR, grouped by group".
func (p Query) Words(l locale.Locale) string {
	var out []string
	add := func(asked bool, words string) {
		if asked {
			out = append(out, words)
		}
	}
	if p.Preset == report.Custom {
		out = append(out, l.Dates(p.Start, p.End))
	} else {
		add(p.Preset != "", l.T("window.preset."+string(p.Preset)))
	}
	if p.Comparison != "" && p.Comparison != report.ComparePrevious {
		out = append(out, l.T("stores.asks.compared", "comparison", l.T("window.comparison."+string(p.Comparison))))
	}
	add(p.Currency != "", l.T("stores.asks.currency", "currency", p.Currency))
	add(p.Group != 0, l.T("stores.asks.group"))
	add(p.Tag != "", l.T("stores.asks.tag", "tag", locale.Name(p.Tag)))
	add(p.Health != "", l.T("stores.asks.health", "health", p.Health.Label(l)))
	add(p.GoalAtRisk, l.T("stores.asks.goal_at_risk"))
	add(p.Search != "", l.T("stores.asks.search", "text", locale.Name(p.Search)))
	add(p.By != "" && p.By != ByNothing, l.T("stores.asks.grouped", "by", l.T("stores.by."+cmp.Or(p.By, ByNothing))))
	if p.Sort != "" && (p.Sort != StoresByAttention || p.Reverse) {
		out = append(out, l.T("stores.asks.sorted", "sort", SortWords(l, p.Sort, p.Reverse)))
	}
	return strings.Join(out, ", ")
}
