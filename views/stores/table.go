package stores

import (
	"net/url"
	"strings"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report/portfolio"
	"github.com/storeglass/storeglass/internal/report/stores"
	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/components/form"
)

// SavedView is a reader's own way to look at the list.
type SavedView struct {
	ID   int64
	Name string
	// Href is the list with the view's query.
	Href string
	// Opens: the list opens with it. Current: it is what is shown.
	Opens, Current bool
	// Asks is the query in words; Broken says that part of it is no longer valid.
	Asks   string
	Broken bool
}

// href is the list for a query.
func (l ListPage) href(q portfolio.Query) string {
	v := q.Values()
	if len(v) == 0 {
		return l.Plain
	}
	return components.WithQuery(l.Path, v)
}

// first is the query for the first page of the list, for changing.
func (l ListPage) first() portfolio.Query {
	q := l.List.Query
	q.Page, q.All = 1, false
	return q
}

func (l ListPage) currencyHref(code string) string {
	q := l.first()
	q.Currency = code
	if code == "" && q.Sort == portfolio.StoresByValue { // amounts of several currencies have no order
		q.Sort, q.Reverse = portfolio.StoresByAttention, false
	}
	return l.href(q)
}

func (l ListPage) byHref(by string) string {
	q := l.first()
	q.By = by
	return l.href(q)
}

func (l ListPage) sortHref(sort string, reverse bool) string {
	q := l.first()
	q.Sort, q.Reverse = sort, reverse
	return l.href(q)
}

func (l ListPage) pageHref(page int) string {
	q := l.first()
	q.Page = page
	return l.href(q)
}

func (l ListPage) allHref() string {
	q := l.first()
	q.All = true
	return l.href(q)
}

// clearHref is the list without filters: window and order stay.
func (l ListPage) clearHref() string {
	q := l.first()
	q.Currency, q.Tag, q.Group, q.Health, q.GoalAtRisk, q.Search = "", "", 0, "", false, ""
	return l.href(q)
}

// exports are the files of the whole list.
func (l ListPage) exports() components.Exports {
	return components.Exports{Path: "/stores", Query: l.first().Values().Encode()}
}

// kept are the fields that a form of the list hides, except those that it asks for itself.
func (l ListPage) kept(but ...string) []form.Kept { return form.KeptOf(l.first().Values(), but...) }

// picker chooses the window.
func (l ListPage) picker() components.Picker {
	keep := l.first().Values()
	for _, name := range []string{"window", "start", "end", "compare"} {
		keep.Del(name)
	}
	if len(keep) == 0 {
		if plain, err := url.Parse(l.Plain); err == nil {
			keep = plain.Query()
		}
	}
	return components.Picker{Path: l.Path, Choice: l.List.Choice(), Keep: keep, Only: portfolio.PortfolioPresets}
}

// byWords names the grouping.
func (l ListPage) byWords() string { return l.T("stores.by." + l.List.Query.By) }

// sortWords names the order that is shown.
func (l ListPage) sortWords() string {
	q := l.List.Query
	if l.List.Unsorted {
		q.Sort, q.Reverse = portfolio.StoresByName, false
	}
	return portfolio.SortWords(l.Locale, q.Sort, q.Reverse)
}

// storeOrder is one line of the menu of orders; without an address it can't be chosen now.
type storeOrder struct {
	Label, Href string
	Current     bool
}

func (l ListPage) orders() []storeOrder {
	var out []storeOrder
	q := l.List.Query
	for _, s := range portfolio.PortfolioSorts {
		for _, reverse := range []bool{false, true} {
			o := storeOrder{Label: portfolio.SortWords(l.Locale, s, reverse), Href: l.sortHref(s, reverse), Current: q.Sort == s && q.Reverse == reverse && !l.List.Unsorted}
			if s == portfolio.StoresByValue && l.List.Currency == "" {
				o.Href = ""
			}
			out = append(out, o)
		}
	}
	return out
}

// filterWords says which of group, tag, health and goal are chosen.
func (l ListPage) filterWords() string {
	var words []string
	for _, facets := range [][]portfolio.Facet{l.List.Groups, l.List.Tags, l.List.Healths} {
		for _, f := range facets {
			if f.Chosen {
				words = append(words, f.Label)
			}
		}
	}
	if l.List.Query.GoalAtRisk {
		words = append(words, l.T("stores.filter.goal_at_risk"))
	}
	return strings.Join(words, ", ")
}

func (l ListPage) viewWords() string {
	for _, v := range l.Views {
		if v.Current {
			return v.Name
		}
	}
	return ""
}

// windowWords are the label of the list: dates, and what follows them.
func (l ListPage) windowWords() (dates, rest string) {
	w := l.List.Shown
	if w == nil {
		return "", ""
	}
	rest = " · " + l.Locale.Days(w.Window.Days()) + " · " + l.T("stores.own_time_zones") + " · "
	switch {
	case w.Stitched == 0:
		rest += l.T("stores.reported")
	case w.Reported == 0:
		rest += l.T("stores.added_up")
	default:
		rest += l.T("stores.some_added_up", "n", w.Stitched)
	}
	if w.Differ > 0 {
		rest += " · " + l.T("stores.differ", "n", w.Differ)
	}
	return l.Locale.Dates(w.Window.Start, w.Window.End), rest
}

// totalWords say what is added up, from which stores, and which are left out.
func totalWords(l locale.Locale, t portfolio.Total) (amount, of, left string) {
	amount = l.Amount(t.Value, t.Currency).String() + " " + t.Currency
	of = " " + l.T("stores.total.of", "orders", l.T("common.orders", "n", t.Orders), "n", t.Stores)
	switch {
	case t.Compared > 0 && t.Compared < t.Stores:
		of += " " + l.T("stores.total.moved_some", "change", changed(t.Change), "n", t.Compared)
	case t.Compared > 0:
		of += " " + l.T("stores.total.moved", "change", changed(t.Change))
	}
	if len(t.Left) > 0 {
		left = l.T("stores.total.left", "stores", leftOutWords(l, t.Left))
	}
	return amount, of, left
}

// leftOutWords name a few, and count the rest by their reason.
func leftOutWords(l locale.Locale, left []portfolio.LeftOut) string {
	const named = 3
	var out []string
	for i, s := range left {
		if i == named {
			out = append(out, l.T("stores.more", "n", len(left)-named))
			break
		}
		out = append(out, l.T("stores.total.left_why", "store", locale.Name(s.Name), "why", s.Why))
	}
	return strings.Join(out, ", ")
}

// countWords say how many stores are listed, their health, and how they changed. In the slot are
// those that need attention.
func countWords(l locale.Locale, p portfolio.Portfolio) string {
	words := l.T("stores.counts.all", "n", p.Known)
	if p.Matched < p.Known {
		words = l.T("stores.counts.some", "matched", p.Matched, "n", p.Known)
	}
	var health, moved []string
	for _, g := range countedGroups {
		switch n := p.Health[g]; {
		case n > 0 && g == stores.HealthPerson:
			health = append(health, components.Slot(0))
		case n > 0:
			health = append(health, l.T("stores.count."+string(g), "n", n))
		}
	}
	if len(health) > 0 {
		words += l.T("unit.colon") + strings.Join(health, ", ")
	}
	if p.Moved[locale.NotCompared] == p.Matched {
		return words
	}
	for _, way := range []locale.Direction{locale.Up, locale.Down, locale.Level, locale.NotCompared} {
		if n := p.Moved[way]; n > 0 {
			moved = append(moved, strings.ReplaceAll(l.T("stores.moved."+string(way), "n", n), " ", "\u00a0"))
		}
	}
	return words + " · " + l.T("figure.upsold_value") + l.T("unit.colon") + strings.Join(moved, ", ")
}

// countedGroups are the groups in the order in which they are counted.
var countedGroups = []stores.HealthGroup{stores.HealthPerson, stores.HealthLate, stores.HealthFilling, stores.HealthWorking, stores.HealthPaused}

// storeSection is a section with its rows' places on the page.
type storeSection struct {
	portfolio.Section
	rows []row
}

func (l ListPage) sections() []storeSection {
	var out []storeSection
	n := 0
	for _, s := range l.List.Sections {
		section := storeSection{Section: s, rows: make([]row, len(s.Rows))}
		for i, r := range s.Rows {
			section.rows[i] = row{r, n, &l}
			n++
		}
		out = append(out, section)
	}
	return out
}

func (l ListPage) neverWords() string {
	switch {
	case l.List.Unsorted:
		return l.T("stores.never.unsorted")
	case l.List.Currency == "":
		return l.T("stores.never.choose")
	}
	return l.T("stores.never.total")
}
