package report

import (
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/storeglass/storeglass/internal/locale"

	"github.com/golang-sql/civil"
)

// StoresPerPage is how many stores one page of the list shows.
const StoresPerPage = 100

// PortfolioQuery is what a person asked of the list of stores: window, filters,
// order. It lives in the address bar, and a saved view is one of it.
type PortfolioQuery struct {
	// Preset is one of PortfolioPresets, or Custom with Start and End: days on each
	// store's own clock.
	Preset     Preset
	Start, End civil.Date
	Comparison Comparison
	// Currency, Tag, Group and Health narrow the list; empty or 0 do not.
	Currency string
	Tag      string
	Group    int64
	Health   HealthGroup
	// Search is a part of a store's name, slug or domain.
	Search  string
	By      string
	Sort    string
	Reverse bool
	// Page counts from 1; All shows every store on one.
	Page int
	All  bool
}

// PortfolioPresets are the windows that several stores can be looked at in: each
// has them on its own clock. A part of a day is left to the store's own page, and so
// are all stored days, which are other days in each store.
var PortfolioPresets = []Preset{Last7, Last30, Last90, LastMonth, MonthToDate, Yesterday}

// The groupings of the list, as `?by=` knows them.
const (
	ByHealth   = "health"
	ByGroup    = "group"
	ByTag      = "tag"
	ByCurrency = "currency"
	ByClock    = "clock"
	ByNothing  = "nothing"
)

// PortfolioGroupings lists the groupings with their labels.
var PortfolioGroupings = []struct{ By, Label string }{
	{ByHealth, "health"}, {ByGroup, "group"}, {ByTag, "tag"}, {ByCurrency, "currency"}, {ByClock, "clock"}, {ByNothing, "nothing"},
}

// The orders of the list, as `?sort=` knows them.
const (
	StoresByName      = "name"
	StoresByFreshness = "freshness"
	StoresByValue     = "value"
	StoresByOrders    = "orders"
	StoresByRate      = "rate"
	StoresByDelta     = "delta"
)

// PortfolioSorts lists the orders with their labels, as they are and reversed.
var PortfolioSorts = []struct{ Sort, Label, Reversed string }{
	{StoresByName, "name", "name, from the end"},
	{StoresByFreshness, "oldest numbers first", "newest numbers first"},
	{StoresByValue, "highest upsold value", "lowest upsold value"},
	{StoresByOrders, "most upsold orders", "fewest upsold orders"},
	{StoresByRate, "highest success rate", "lowest success rate"},
	{StoresByDelta, "grew most", "fell most"},
}

// PortfolioParams are the query parameters of the list.
var PortfolioParams = []string{"window", "start", "end", "compare", "currency", "tag", "group", "health", "q", "by", "sort", "reverse", "page", "show"}

// firstClock and lastClock are the first and the last clock on which a day begins.
var firstClock, lastClock = time.FixedZone("first", 14*3600), time.FixedZone("last", -12*3600)

// ParsePortfolio reads what was asked of the list of stores. Empty parameters, as a
// form sends them, count as absent. Errors are *ChoiceError. With an error the query
// still holds everything that could be read.
func ParsePortfolio(q url.Values, now time.Time) (PortfolioQuery, error) {
	p := PortfolioQuery{Group: 0, Page: 1}
	var wrong []*ChoiceError
	refuse := func(field, reason string) { wrong = append(wrong, &ChoiceError{field, reason}) }
	if err := p.parseWindow(q, now); err != nil {
		wrong = append(wrong, err)
	}
	if p.Currency = strings.ToUpper(q.Get("currency")); !currencyForm(p.Currency) {
		p.Currency = ""
		refuse("currency", "write a currency as its three letters, such as EUR")
	}
	if p.Tag = q.Get("tag"); !line(p.Tag, 40) {
		p.Tag = ""
		refuse("tag", "there is no such tag")
	}
	if group := q.Get("group"); group != "" {
		n, err := strconv.ParseInt(group, 10, 64)
		if err != nil || n < 1 {
			n = 0
			refuse("group", "there is no such group")
		}
		p.Group = n
	}
	if p.Health = HealthGroup(q.Get("health")); p.Health != "" && p.Health.Label() == "" {
		p.Health = ""
		refuse("health", "use person, late, filling, working or paused")
	}
	if p.Search = strings.TrimSpace(q.Get("q")); !line(p.Search, maxQuery) {
		p.Search = ""
		refuse("q", "search for a part of a name, at most "+strconv.Itoa(maxQuery)+" characters")
	}
	if p.By = q.Get("by"); p.By == "" {
		p.By = ByHealth
	} else if !slices.ContainsFunc(PortfolioGroupings, func(g struct{ By, Label string }) bool { return g.By == p.By }) {
		p.By = ByHealth
		refuse("by", "use health, group, tag, currency, clock or nothing")
	}
	if p.Sort = q.Get("sort"); p.Sort == "" {
		p.Sort = StoresByName
	} else if !slices.ContainsFunc(PortfolioSorts, func(s struct{ Sort, Label, Reversed string }) bool { return s.Sort == p.Sort }) {
		p.Sort = StoresByName
		refuse("sort", "use name, freshness, value, orders, rate or delta")
	}
	switch q.Get("reverse") {
	case "", "false":
	case "true":
		p.Reverse = true
	default:
		refuse("reverse", "use true, or leave it out")
	}
	switch q.Get("show") {
	case "":
	case "all":
		p.All = true
	default:
		refuse("show", "use all, or leave it out")
	}
	if page := q.Get("page"); page != "" {
		n, err := strconv.Atoi(page)
		if err != nil || n < 1 || n > maxPage {
			n = 1
			refuse("page", "pages are numbered from 1")
		}
		p.Page = n
	}
	if len(wrong) > 0 {
		return p, wrong[0]
	}
	return p, nil
}

// parseWindow reads the window as a store's page would on the clock where the day
// began first: what has come nowhere yet can't be asked for.
func (p *PortfolioQuery) parseWindow(q url.Values, now time.Time) *ChoiceError {
	p.Preset, p.Comparison = Last30, ComparePrevious
	window := url.Values{}
	for _, name := range []string{"window", "start", "end", "compare"} {
		window.Set(name, q.Get(name))
	}
	c, err := ParseChoice(window, now, firstClock, civil.Date{})
	if wrong := (*ChoiceError)(nil); errors.As(err, &wrong) { // there is no other
		return wrong
	}
	if c.Preset != Custom && !slices.Contains(PortfolioPresets, c.Preset) {
		return &ChoiceError{"window", "several stores are shown for last_7_days, last_30_days, last_90_days, last_month, month_to_date, yesterday, or from start to end"}
	}
	p.Preset = c.Preset
	if p.Preset == Custom {
		p.Start, _ = civil.ParseDate(q.Get("start"))
		p.End, _ = civil.ParseDate(q.Get("end"))
	}
	if compare := Comparison(q.Get("compare")); compare != "" {
		p.Comparison = compare
	}
	return nil
}

// line reports whether text is one line of at most that many characters.
func line(text string, most int) bool {
	return utf8.ValidString(text) && utf8.RuneCountInString(text) <= most && !strings.ContainsFunc(text, unicode.IsControl)
}

func currencyForm(code string) bool {
	return code == "" || len(code) == 3 && strings.Trim(code, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

// Values are the query as parameters, the defaults left out.
func (p PortfolioQuery) Values() url.Values {
	q := url.Values{}
	set := func(name, value, usual string) {
		if value != "" && value != usual {
			q.Set(name, value)
		}
	}
	if p.Preset == Custom {
		q.Set("start", p.Start.String())
		q.Set("end", p.End.String())
	} else {
		set("window", string(p.Preset), string(Last30))
	}
	set("compare", string(p.Comparison), string(ComparePrevious))
	set("currency", p.Currency, "")
	set("tag", p.Tag, "")
	if p.Group > 0 {
		q.Set("group", strconv.FormatInt(p.Group, 10))
	}
	set("health", string(p.Health), "")
	set("q", p.Search, "")
	set("by", p.By, ByHealth)
	set("sort", p.Sort, StoresByName)
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

// Narrowed reports whether the query leaves stores out.
func (p PortfolioQuery) Narrowed() bool {
	return p.Currency != "" || p.Tag != "" || p.Group != 0 || p.Health != "" || p.Search != ""
}

// Window is the choice as the picker shows it; its days are those of the clock that
// ends the day last, where they are over everywhere.
func (p PortfolioQuery) Window(now time.Time) Choice {
	c, ok := p.choice(now, lastClock)
	if !ok {
		c.Window = Window{p.Start, p.End}
	}
	return c
}

// choice is the window on one store's clock. A day that is not over there is left
// out; ok is false when none is over.
func (p PortfolioQuery) choice(now time.Time, loc *time.Location) (c Choice, ok bool) {
	if p.Preset != Custom {
		c, err := ParseChoice(url.Values{"window": {string(p.Preset)}, "compare": {string(p.Comparison)}}, now, loc, civil.Date{})
		return c, err == nil
	}
	c = Choice{Preset: Custom, Window: Window{p.Start, p.End}, Comparison: p.Comparison, Today: Today(now, loc)}
	if !p.End.Before(c.Today) {
		c.Window.End = c.Today.AddDays(-1)
		c.LeftOut = &c.Today
	}
	if c.Window.End.Before(c.Window.Start) {
		return c, false
	}
	c, err := c.compared()
	return c, err == nil
}

// rolls reports whether the window is the last n days, whichever they are.
func (p PortfolioQuery) rolls() bool {
	return p.Preset == Last7 || p.Preset == Last30 || p.Preset == Last90 || p.Preset == Yesterday
}

// endingOn is the choice for as many days that end on another.
func (c Choice) endingOn(last civil.Date) Choice {
	c.Window = WindowEnding(last, c.Window.Days())
	c.LeftOut = nil
	c, _ = c.compared() // the comparison was read before
	return c
}

// Words say what is asked, in one line: "last 30 days against the previous, in EUR,
// grouped by group".
func (p PortfolioQuery) Words() string {
	var out []string
	if p.Preset == Custom {
		out = append(out, Window{p.Start, p.End}.Label())
	}
	if p.Preset != Custom && p.Preset != "" {
		out = append(out, lowerFirst(locale.English.T("window.preset."+string(p.Preset))))
	}
	if p.Comparison != "" && p.Comparison != ComparePrevious {
		out = append(out, "compared with "+locale.English.T("window.comparison."+string(p.Comparison)))
	}
	add := func(asked bool, words string) {
		if asked {
			out = append(out, words)
		}
	}
	add(p.Currency != "", "in "+p.Currency)
	add(p.Group != 0, "one group")
	add(p.Tag != "", "tagged “"+p.Tag+"”")
	add(p.Health != "", "health: "+strings.ToLower(p.Health.Label()))
	add(p.Search != "", "with “"+p.Search+"” in the name")
	for _, g := range PortfolioGroupings {
		add(g.By == p.By && p.By == ByNothing, "not grouped")
		add(g.By == p.By && p.By != ByHealth && p.By != ByNothing, "grouped by "+g.Label)
	}
	for _, s := range PortfolioSorts {
		switch {
		case s.Sort != p.Sort || s.Sort == StoresByName && !p.Reverse:
		case p.Reverse:
			out = append(out, "ordered by "+s.Reversed)
		default:
			out = append(out, "ordered by "+s.Label)
		}
	}
	return strings.Join(out, ", ")
}
