package portfolio

import (
	"cmp"
	"slices"
	"strings"

	"github.com/shopspring/decimal"
)

// arrange sorts the stores, puts them under their headings, and picks those of the page.
func (d *Builder) arrange() {
	p := &d.portfolio
	order := slices.Clone(d.matched)
	p.Unsorted = d.query.Sort == StoresByValue && p.Currency == ""
	slices.SortStableFunc(order, d.before())
	var all []shownStore
	p.Sections = nil
	for _, h := range d.headings(order) {
		p.Sections = append(p.Sections, Section{Title: h.title, Count: len(h.stores)})
		for _, i := range h.stores {
			all = append(all, shownStore{h.title, i})
		}
	}
	d.shown = all
	if d.query.All {
		return
	}
	p.Pages = max(1, (len(all)+StoresPerPage-1)/StoresPerPage)
	p.Page = min(max(d.query.Page, 1), p.Pages)
	d.shown = all[(p.Page-1)*StoresPerPage : min(p.Page*StoresPerPage, len(all))]
}

// heading is a section title with its stores in order.
type heading struct {
	title  string
	rank   string
	stores []int
}

// headings groups the stores. A store in several groups appears in each of them.
func (d *Builder) headings(order []int) []heading {
	if d.query.By == ByNothing {
		return []heading{{stores: order}}
	}
	var out []heading
	at := map[string]int{}
	for _, i := range order {
		for _, h := range d.headingsOf(&d.stores[i]) {
			n, known := at[h.title]
			if !known {
				n = len(out)
				at[h.title] = n
				out = append(out, h)
			}
			out[n].stores = append(out[n].stores, i)
		}
	}
	slices.SortStableFunc(out, func(a, b heading) int { return strings.Compare(a.rank, b.rank) })
	return out
}

// headingsOf are those that a store appears under, without stores. The one for what has none comes last.
func (d *Builder) headingsOf(s *store) (out []heading) {
	put := func(title string) { out = append(out, heading{title: title, rank: strings.ToLower(title)}) }
	none := func(title string) []heading { return []heading{{title: title, rank: "\U0010ffff"}} }
	switch d.query.By {
	case ByHealth:
		g := s.health.Group
		return []heading{{title: g.Label(d.l), rank: string(rune('a' + g.Rank()))}}
	case ByGroup:
		for _, g := range s.Groups {
			if d.query.Group == 0 || d.query.Group == g.ID {
				put(g.Name)
			}
		}
		if len(s.Groups) == 0 {
			return none(d.l.T("stores.none.group"))
		}
	case ByTag:
		for _, t := range s.Tags {
			if d.query.Tag == "" || d.query.Tag == t {
				put(t)
			}
		}
		if len(s.Tags) == 0 {
			return none(d.l.T("stores.none.tag"))
		}
	case ByCurrency:
		if s.Store.Currency == "" {
			return none(d.l.T("stores.none.currency"))
		}
		put(s.Store.Currency)
	case ByClock:
		put(d.l.Clock(s.Store.Timezone))
	}
	return out
}

// before orders the stores; those without a number come last in both directions.
func (d *Builder) before() func(a, b int) int {
	names := make([]string, len(d.stores))
	for _, i := range d.matched {
		names[i] = strings.ToLower(d.stores[i].Store.Name)
	}
	byName := func(a, b int) int {
		return cmp.Or(strings.Compare(names[a], names[b]), strings.Compare(d.stores[a].Store.Slug, d.stores[b].Store.Slug))
	}
	sign := 1
	if d.query.Reverse {
		sign = -1
	}
	byNumbers := func(numbers []*decimal.Decimal) func(a, b int) int {
		return func(a, b int) int {
			x, y := numbers[a], numbers[b]
			switch {
			case x == nil && y == nil:
				return byName(a, b)
			case x == nil:
				return 1
			case y == nil:
				return -1
			}
			return cmp.Or(-sign*x.Cmp(*y), byName(a, b))
		}
	}
	numbers := make([]*decimal.Decimal, len(d.stores))
	byNumber := func(of func(Row) *decimal.Decimal) func(a, b int) int {
		for _, i := range d.matched {
			if row := d.stores[i].row; row.Summary.Empty == nil {
				numbers[i] = of(*row)
			}
		}
		return byNumbers(numbers)
	}
	switch currency := d.portfolio.Currency; {
	case d.query.Sort == StoresByAttention:
		return func(a, b int) int {
			return cmp.Or(sign*cmp.Compare(d.stores[a].health.Group.Rank(), d.stores[b].health.Group.Rank()), byName(a, b))
		}
	case d.query.Sort == StoresByFreshness:
		return func(a, b int) int {
			return cmp.Or(sign*d.stores[a].PulledAt().Compare(d.stores[b].PulledAt()), byName(a, b))
		}
	case d.query.Sort == StoresByValue && currency != "":
		return byNumber(func(r Row) *decimal.Decimal {
			if r.Summary.Currency != currency {
				return nil
			}
			return &r.Summary.TotalUpsoldValue
		})
	case d.query.Sort == StoresByOrders:
		return byNumber(func(r Row) *decimal.Decimal {
			return new(decimal.NewFromInt(r.Summary.TotalUpsoldOrders))
		})
	case d.query.Sort == StoresByRate:
		return byNumber(func(r Row) *decimal.Decimal { return r.Summary.UpsellSuccessRate })
	case d.query.Sort == StoresByDelta:
		return byNumber(Row.Growth)
	case d.query.Sort == StoresByGoal: // the one furthest behind its goal comes first
		for _, i := range d.matched {
			if g := d.stores[i].goal; g != nil && g.Heading() != nil {
				numbers[i] = new(g.Heading().Neg())
			}
		}
		return byNumbers(numbers)
	}
	return func(a, b int) int { return sign * byName(a, b) }
}

// Growth is the change in upsold value as a fraction; nil without a comparison.
func (r Row) Growth() *decimal.Decimal {
	if r.Uncompared != "" || r.Summary.Previous == nil || r.Summary.Previous.TotalUpsoldValue.IsZero() {
		return nil
	}
	before := r.Summary.Previous.TotalUpsoldValue
	return new(r.Summary.TotalUpsoldValue.Sub(before).DivRound(before.Abs(), 8))
}
