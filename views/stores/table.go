package stores

import (
	"net/url"
	"strings"
	"time"

	"github.com/a-h/templ"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/portfolio"
	"github.com/storeglass/storeglass/internal/report/stores"
	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/components/form"
)

// Listing is the list of stores with its search, filters, order and pages: links
// and GET forms, so that all of it is in the address bar.
type Listing struct {
	List portfolio.Portfolio
	// Path is the list's address; Plain that of the list with nothing asked, which
	// differs where a view of the reader's own opens instead.
	Path, Plain string
	Views       []SavedView
	// ViewsHref is where views are renamed and deleted; SaveHref where a form saves one.
	// Both may be empty.
	ViewsHref, SaveHref string
	// WallHref is the list for a screen on a wall; may be empty.
	WallHref string
	CSRF     string
	Exports  components.Exports
	// ReplyHref is the address of the raw reply behind a number of a store; nil shows none.
	ReplyHref func(slug string, p report.Provenance) string
	Now       time.Time
}

// SavedView is a reader's own way to look at the list.
type SavedView struct {
	ID   int64
	Name string
	// Href is the list with the view's query.
	Href string
	// Opens: the list opens with it. Current: it is what is shown.
	Opens, Current bool
	// Asks is the query in words; Broken says that part of it can't be asked any more.
	Asks   string
	Broken bool
}

// href is the list for a query.
func (l Listing) href(q portfolio.Query) string {
	v := q.Values()
	if len(v) == 0 {
		return l.Plain
	}
	return components.WithQuery(l.Path, v)
}

// first is the query for the first page of what is shown, to be changed.
func (l Listing) first() portfolio.Query {
	q := l.List.Query
	q.Page, q.All = 1, false
	return q
}

func (l Listing) currencyHref(code string) string {
	q := l.first()
	q.Currency = code
	if code == "" && q.Sort == portfolio.StoresByValue { // amounts of several currencies have no order
		q.Sort, q.Reverse = portfolio.StoresByName, false
	}
	return l.href(q)
}

func (l Listing) byHref(by string) string {
	q := l.first()
	q.By = by
	return l.href(q)
}

func (l Listing) sortHref(sort string, reverse bool) string {
	q := l.first()
	q.Sort, q.Reverse = sort, reverse
	return l.href(q)
}

func (l Listing) pageHref(page int) string {
	q := l.first()
	q.Page = page
	return l.href(q)
}

func (l Listing) allHref() string {
	q := l.first()
	q.All = true
	return l.href(q)
}

// clearHref is the list without filters: window and order stay.
func (l Listing) clearHref() string {
	q := l.first()
	q.Currency, q.Tag, q.Group, q.Health, q.Search = "", "", 0, "", ""
	return l.href(q)
}

// kept are the fields that a form of the list hands on, but those that it asks itself.
func (l Listing) kept(but ...string) []form.Kept { return form.KeptOf(l.first().Values(), but...) }

// Picker chooses the window.
func (l Listing) Picker() components.Picker {
	keep := l.first().Values()
	for _, name := range []string{"window", "start", "end", "compare"} {
		keep.Del(name)
	}
	if len(keep) == 0 {
		if plain, err := url.Parse(l.Plain); err == nil {
			keep = plain.Query()
		}
	}
	return components.Picker{Path: l.Path, Choice: l.List.Query.Window(l.Now), Keep: keep, Only: portfolio.PortfolioPresets}
}

// byWords names the grouping.
func (l Listing) byWords() string {
	for _, g := range portfolio.PortfolioGroupings {
		if g.By == l.List.Query.By {
			return g.Label
		}
	}
	return "health"
}

// sortWords names the order that is shown.
func (l Listing) sortWords() string {
	q := l.List.Query
	if l.List.Unsorted {
		q.Sort, q.Reverse = portfolio.StoresByName, false
	}
	for _, s := range portfolio.PortfolioSorts {
		if s.Sort == q.Sort {
			if q.Reverse {
				return s.Reversed
			}
			return s.Label
		}
	}
	return "name"
}

// storeOrder is one line of the menu of orders; without an address it can't be chosen now.
type storeOrder struct {
	Label, Href string
	Current     bool
}

func (l Listing) orders() []storeOrder {
	var out []storeOrder
	q := l.List.Query
	for _, s := range portfolio.PortfolioSorts {
		for _, reverse := range []bool{false, true} {
			o := storeOrder{Label: s.Label, Href: l.sortHref(s.Sort, reverse), Current: q.Sort == s.Sort && q.Reverse == reverse && !l.List.Unsorted}
			if reverse {
				o.Label = s.Reversed
			}
			if s.Sort == portfolio.StoresByValue && l.List.Currency == "" {
				o.Href = ""
			}
			out = append(out, o)
		}
	}
	return out
}

// filterWords say which of group, tag and health are chosen.
func (l Listing) filterWords() string {
	var words []string
	for _, facets := range [][]portfolio.Facet{l.List.Groups, l.List.Tags, l.List.Healths} {
		for _, f := range facets {
			if f.Chosen {
				words = append(words, f.Label)
			}
		}
	}
	return strings.Join(words, ", ")
}

func (l Listing) viewWords() string {
	for _, v := range l.Views {
		if v.Current {
			return v.Name
		}
	}
	return ""
}

// windowWords are the label of the list: dates, and what follows them.
func (l Listing) windowWords() (dates, rest string) {
	w := l.List.Shown
	if w == nil {
		return "", ""
	}
	rest = " · " + locale.English.Days(w.Window.Days()) + " · each store’s own clock · "
	switch {
	case w.Stitched == 0:
		rest += "as reported"
	case w.Reported == 0:
		rest += "added up from daily data"
	default:
		rest += "as reported, " + locale.English.Count(int64(w.Stitched)) + " added up from daily data"
	}
	switch {
	case w.Differ == 1:
		rest += " · 1 store differs"
	case w.Differ > 1:
		rest += " · " + locale.English.Count(int64(w.Differ)) + " stores differ"
	}
	return w.Window.Label(), rest
}

// totalWords say what is added up, of whom, and who is left out.
func totalWords(t portfolio.Total) (amount, of, left string) {
	amount = locale.English.Amount(t.Value, t.Currency).String() + " " + t.Currency
	of = " upsold in " + report.Plural(t.Orders, "order", "orders") + ", by " + report.Plural(int64(t.Stores), "store", "stores") + " on " + ownDays(t.Stores) + "."
	if t.Compared > 0 {
		of += " " + capital(changeWords(t.Change)) + " before"
		if t.Compared < t.Stores {
			of += ", in the " + locale.English.Count(int64(t.Compared)) + " of them that can be compared"
		}
		of += "."
	}
	if len(t.Left) > 0 {
		left = "Left out: " + leftOutWords(t.Left) + "."
	}
	return amount, of, left
}

func ownDays(stores int) string {
	if stores == 1 {
		return "its own days"
	}
	return "each store’s own days"
}

// changeWords say a change within a sentence.
func changeWords(d locale.Delta) string {
	switch d.Direction {
	case locale.Up, locale.Down:
		return d.Amount + " " + d.Word + " than in the window"
	case locale.Level:
		return "as much as in the window"
	}
	return "nothing was upsold in the window"
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// leftOutWords name a few, and count the rest by their reason.
func leftOutWords(left []portfolio.LeftOut) string {
	const named = 3
	var out []string
	for i, l := range left {
		if i == named {
			out = append(out, report.Plural(int64(len(left)-named), "more store", "more stores"))
			break
		}
		out = append(out, l.Name+" ("+l.Why+")")
	}
	return strings.Join(out, ", ")
}

// StoreCounts say how many stores are listed and how they stand.
func StoreCounts(p portfolio.Portfolio) templ.Component {
	say := func(g stores.HealthGroup, one, many string) string {
		switch n := p.Health[g]; n {
		case 0:
			return ""
		case 1:
			return "1 " + one
		default:
			return locale.English.Count(int64(n)) + " " + many
		}
	}
	var words []string
	for _, w := range []string{
		say(stores.HealthPerson, "needs attention", "need attention"), say(stores.HealthLate, "is late", "are late"),
		say(stores.HealthFilling, "is filling in", "are filling in"), say(stores.HealthWorking, "works", "work"),
		say(stores.HealthPaused, "is paused", "are paused"),
	} {
		if w != "" {
			words = append(words, w)
		}
	}
	m := make(components.Markup, 0, 128)
	m.Raw(`<span>`)
	if p.Matched < p.Known {
		m.Text(locale.English.Count(int64(p.Matched)) + " of ")
	}
	m.Text(report.Plural(int64(p.Known), "store", "stores"))
	for i, w := range words {
		if i == 0 {
			m.Raw(": ")
		} else {
			m.Raw(", ")
		}
		if i == 0 && p.Health[stores.HealthPerson] > 0 {
			m.Raw(`<b class="font-semibold">`)
			m.Text(w)
			m.Raw(`</b>`)
		} else {
			m.Text(w)
		}
	}
	m.Raw(`</span>`)
	return m.Component()
}

// storeSection is a section with its rows' places on the page.
type storeSection struct {
	portfolio.Section
	rows []row
}

func (l Listing) sections() []storeSection {
	var out []storeSection
	n := 0
	for _, s := range l.List.Sections {
		section := storeSection{Section: s, rows: make([]row, len(s.Rows))}
		for i, r := range s.Rows {
			section.rows[i] = row{r, n, l}
			n++
		}
		out = append(out, section)
	}
	return out
}

// all counts the stores of every currency, also those of which none is known.
func (l Listing) all() int { return l.List.AnyCurrency }

// againstWords head the column of changes.
func (l Listing) againstWords() string {
	switch l.List.Query.Comparison {
	case report.CompareWeekday:
		return "Against weekdays before"
	case report.CompareYear:
		return "Against a year earlier"
	case report.CompareNone:
		return "Against nothing"
	}
	return "Against previous"
}

func (l Listing) neverWords() string {
	text := "Amounts stay in each store’s currency: they are never added up, converted or ranked across currencies."
	switch {
	case l.List.Unsorted:
		return text + " Sorted by name: choose one currency to sort by value."
	case l.List.Currency == "":
		return text + " Choose one currency to sort by value and to see its total."
	}
	return "Upsold value and orders of one currency are added up, and nothing else: rates and placements have no sum, and gift revenue can be of the same orders."
}
