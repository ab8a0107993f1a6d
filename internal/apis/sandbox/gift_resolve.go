package sandbox

import (
	"fmt"
	"strings"
)

var (
	segments = []string{"Bought more than once", "Newsletter readers", "Abandoned a cart", "First order"}
	shops    = []string{"Main street", "Harbour", "Station", "Warehouse"}
	rates    = []string{"Pick-up", "Standard", "Express"}
)

// market is where a store sells to.
type market struct {
	name      string
	countries []string
}

var markets = []market{
	{"North America", []string{"US", "CA"}}, {"Europe", []string{"DE", "FR", "NL", "ES", "IT", "PL", "SE", "AT", "BE", "DK", "IE", "PT"}},
	{"Asia", []string{"JP", "KR", "SG"}}, {"Oceania", []string{"AU", "NZ"}},
}

// platform is what the ids of the commerce platform stand for in a store.
func (sh *shop) platform() map[string]string {
	out := map[string]string{}
	for _, it := range sh.stock {
		out[it.id] = it.title
	}
	for _, name := range sh.catalog.collections {
		out[sh.globalID("Collection", name)] = name
	}
	for _, name := range segments {
		out[sh.globalID("Segment", name)] = sh.word(name)
	}
	for _, m := range markets {
		out[sh.globalID("Market", m.name)] = sh.word(m.name)
	}
	return out
}

// finds tells whether a title answers a query: in any case, anywhere in it. No query finds everything.
func finds(query, title string) bool {
	return strings.Contains(strings.ToLower(title), strings.ToLower(strings.TrimSpace(query)))
}

// candidates answers a search with ten at most, under a name that a second shape does not use.
func candidates[T any](q *request, all []T) reply {
	if all == nil {
		all = []T{}
	}
	more := len(all) > candidatesMax
	all = all[:min(len(all), candidatesMax)]
	if q.shop.second {
		return giftSuccess(struct {
			Results []T  `json:"results"`
			More    bool `json:"hasMore"`
		}{all, more})
	}
	return giftSuccess(struct {
		Query      string `json:"query"`
		Total      int    `json:"total"`
		Candidates []T    `json:"candidates"`
	}{q.URL.Query().Get("query"), len(all), all})
}

// productCandidate reports stock and blockers. As platforms have it, what is not tracked has a totalInventory of 0 here, so only
// stockStatus can be judged by.
type productCandidate struct {
	resource
	Handle   string `json:"handle"`
	Stock    string `json:"stockStatus"`
	Total    int    `json:"totalInventory"`
	Blockers []any  `json:"blockers"`
}

// findProducts serves gift products and trigger products alike. Whether a search looks at handles is not shown: the second shape does.
func findProducts(q *request, b *book) reply {
	sh := q.shop
	var out []productCandidate
	for i := range sh.stock {
		it := &sh.stock[i]
		if query := q.URL.Query().Get("query"); !finds(query, it.title) && !(sh.second && finds(query, it.handle)) {
			continue
		}
		variants := sh.variants(it, b.now.day)
		c := productCandidate{
			resource: resource{ID: it.id, Title: it.title}, Handle: it.handle, Stock: sh.stockOf(variants), Blockers: sh.blockersOf(it),
		}
		if sum := total(variants); sum != nil {
			c.Total = *sum
		}
		out = append(out, c)
	}
	return candidates(q, out)
}

func findCollections(q *request, _ *book) reply {
	return candidates(q, q.shop.named(q, "Collection", q.shop.catalog.collections, func(s string) string { return s }))
}

func findSegments(q *request, _ *book) reply {
	return candidates(q, q.shop.named(q, "Segment", segments, q.shop.word))
}

func findPOSLocations(q *request, _ *book) reply {
	return candidates(q, q.shop.named(q, "Location", shops, q.shop.word))
}

// named finds resources by their shown title.
func (sh *shop) named(q *request, kind string, names []string, shown func(string) string) (out []resource) {
	for _, name := range names {
		if title := shown(name); finds(q.URL.Query().Get("query"), title) {
			out = append(out, resource{ID: sh.globalID(kind, name), Title: title})
		}
	}
	return out
}

// location is a market or a country.
type location struct {
	resource
	Kind string `json:"type"`
	Code string `json:"code,omitempty"`
}

func findLocations(q *request, _ *book) reply {
	sh, query := q.shop, q.URL.Query().Get("query")
	var out []location
	for _, m := range markets {
		if title := sh.word(m.name); finds(query, title) {
			out = append(out, location{resource{ID: sh.globalID("Market", m.name), Title: title}, "market", ""})
		}
		for _, code := range m.countries {
			if finds(query, code) {
				out = append(out, location{resource{ID: sh.globalID("Country", code), Title: code}, "country", code})
			}
		}
	}
	if sh.second {
		return locationsApart(out)
	}
	return candidates(q, out)
}

// locationsApart has markets and countries in a list each, and a country has no id beside its code.
func locationsApart(found []location) reply {
	type country struct {
		Code string `json:"code"`
		Name string `json:"name"`
	}
	markets, countries := []resource{}, []country{}
	for _, l := range found[:min(len(found), candidatesMax)] {
		if l.Kind == "market" {
			markets = append(markets, l.resource)
		} else {
			countries = append(countries, country{l.Code, l.Title})
		}
	}
	return giftSuccess(struct {
		Markets   []resource `json:"markets"`
		Countries []country  `json:"countries"`
	}{markets, countries})
}

// shippingRate stands in its zone.
type shippingRate struct {
	resource
	Zone  string `json:"zone,omitempty"`
	Price number `json:"price"`
}

func findShippingRates(q *request, _ *book) reply {
	sh, query := q.shop, q.URL.Query().Get("query")
	var out []shippingRate
	for _, m := range markets {
		for i, name := range rates {
			title, zone := sh.word(name), sh.word(m.name)
			if finds(query, title) || finds(query, zone) {
				out = append(out, shippingRate{
					resource{ID: sh.globalID("ShippingRate", fmt.Sprint(m.name, i)), Title: title}, zone, sh.number(sh.rounded(sh.basket * float64(i) / 12)),
				})
			}
		}
	}
	if sh.second {
		return ratesByZone(out)
	}
	return candidates(q, out)
}

// ratesByZone has the rates within their zones.
func ratesByZone(found []shippingRate) reply {
	type zone struct {
		Name  string         `json:"name"`
		Rates []shippingRate `json:"rates"`
	}
	zones := []zone{}
	for _, r := range found[:min(len(found), candidatesMax)] {
		if n := len(zones); n == 0 || zones[n-1].Name != r.Zone {
			zones = append(zones, zone{Name: r.Zone})
		}
		in := &zones[len(zones)-1].Rates
		r.Zone = ""
		*in = append(*in, r)
	}
	return giftSuccess(struct {
		Zones []zone `json:"zones"`
	}{zones})
}

// everyMarket is no search: it lists all there are.
func everyMarket(q *request, _ *book) reply {
	type row struct {
		resource
		Countries []string `json:"countries"`
	}
	rows := make([]row, len(markets))
	for i, m := range markets {
		rows[i] = row{resource{ID: q.shop.globalID("Market", m.name), Title: q.shop.word(m.name)}, m.countries}
	}
	return giftSuccess(struct {
		Markets []row `json:"markets"`
	}{rows})
}
