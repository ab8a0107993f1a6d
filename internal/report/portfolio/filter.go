package portfolio

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/storeglass/storeglass/internal/report/goal"
	"github.com/storeglass/storeglass/internal/report/stores"
)

// filter finds the matching stores and counts the filters' options.
func (d *Builder) filter() {
	search := strings.ToLower(d.query.Search)
	currencies, tags, groups, healths := facets{}, facets{}, facets{}, facets{}
	for i := range d.stores {
		s := &d.stores[i]
		found := (search == "" || strings.Contains(strings.ToLower(s.Store.Name), search) ||
			strings.Contains(s.Store.Slug, search) || strings.Contains(strings.ToLower(s.Store.Domain), search)) &&
			(!d.query.GoalAtRisk || s.goal != nil && s.goal.State == goal.AtRisk)
		tagged := d.query.Tag == "" || slices.Contains(s.Tags, d.query.Tag)
		grouped := d.query.Group == 0 || s.In(d.query.Group)
		like := d.query.Health == "" || s.health.Group == d.query.Health
		priced := d.query.Currency == "" || s.Store.Currency == d.query.Currency
		for _, t := range s.Tags {
			tags.count(t, t, found && grouped && like && priced)
		}
		for _, g := range s.Groups {
			groups.count(strconv.FormatInt(g.ID, 10), g.Name, found && tagged && like && priced)
		}
		healths.count(string(s.health.Group), s.health.Group.Label(d.l), found && tagged && grouped && priced)
		if s.Store.Currency != "" {
			currencies.count(s.Store.Currency, s.Store.Currency, found && tagged && grouped && like)
		}
		if found && tagged && grouped && like {
			d.portfolio.AnyCurrency++
		}
		if found && tagged && grouped && like && priced {
			d.matched = append(d.matched, i)
			d.portfolio.Health[s.health.Group]++
			if s.Refused() {
				d.portfolio.Refused++
			}
			d.portfolio.heard(s.Stored)
		}
	}
	p := &d.portfolio
	p.Matched = len(d.matched)
	p.Currencies = currencies.list(d.query.Currency, func(a, b Facet) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), strings.Compare(a.Value, b.Value))
	})
	byLabel := func(a, b Facet) int {
		return cmp.Or(strings.Compare(strings.ToLower(a.Label), strings.ToLower(b.Label)), strings.Compare(a.Value, b.Value))
	}
	p.Tags, p.Groups = tags.list(d.query.Tag, byLabel), groups.list(strconv.FormatInt(d.query.Group, 10), byLabel)
	p.Healths = healths.list(string(d.query.Health), func(a, b Facet) int {
		return slices.Index(stores.HealthGroups, stores.HealthGroup(a.Value)) - slices.Index(stores.HealthGroups, stores.HealthGroup(b.Value))
	})
}

// heard takes note of a store's last pull, unless the store isn't pulled.
func (p *Portfolio) heard(s stores.Stored) {
	at := s.PulledAt()
	if at.IsZero() || s.Stopped() || len(s.Credentials) == 0 {
		return
	}
	if p.Newest == nil || at.After(p.Newest.At) {
		p.Newest = &LastPull{s.Store.Name, at}
	}
	if p.Oldest == nil || at.Before(p.Oldest.At) {
		p.Oldest = &LastPull{s.Store.Name, at}
	}
}

// facets count stores by the values of a filter.
type facets map[string]*Facet

func (f facets) count(value, label string, counts bool) {
	if f[value] == nil {
		f[value] = &Facet{Value: value, Label: label}
	}
	if counts {
		f[value].Count++
	}
}

func (f facets) list(chosen string, order func(a, b Facet) int) []Facet {
	out := make([]Facet, 0, len(f))
	for _, facet := range f {
		facet.Chosen = facet.Value == chosen
		out = append(out, *facet)
	}
	slices.SortFunc(out, order)
	return out
}
