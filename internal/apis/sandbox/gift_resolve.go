package sandbox

import (
	"fmt"
	"strings"

	"github.com/storeglass/storeglass/internal/apis/sandbox/world"
)

// finds reports whether a title matches a query: anywhere in it, ignoring case. An empty query finds
// everything.
func finds(query, title string) bool {
	return strings.Contains(strings.ToLower(title), strings.ToLower(strings.TrimSpace(query)))
}

// candidates answers a search with at most ten results, under a key that the second shape
// doesn't use.
func candidates[T any](q *request, all []T) reply {
	if all == nil {
		all = []T{}
	}
	more := len(all) > candidatesMax
	all = all[:min(len(all), candidatesMax)]
	if q.shop.Second {
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

// productCandidate reports stock and blockers. As on real platforms, untracked products have a totalInventory of 0
// here, so only stockStatus is reliable.
type productCandidate struct {
	world.Resource
	Handle   string `json:"handle"`
	Stock    string `json:"stockStatus"`
	Total    int    `json:"totalInventory"`
	Blockers []any  `json:"blockers"`
}

// findProducts serves gift products and trigger products alike. Whether a search looks at handles isn't documented: the second shape does.
func findProducts(q *request, b *world.Book) reply {
	sh := q.shop
	var out []productCandidate
	for i := range sh.Stock {
		it := &sh.Stock[i]
		if query := q.URL.Query().Get("query"); !finds(query, it.Title) && !(sh.Second && finds(query, it.Handle)) {
			continue
		}
		variants := sh.Variants(it, b.Now.Day)
		c := productCandidate{
			Resource: world.Resource{ID: it.Id, Title: it.Title}, Handle: it.Handle, Stock: sh.StockOf(variants), Blockers: blockersOf(sh, it),
		}
		if sum := world.Total(variants); sum != nil {
			c.Total = *sum
		}
		out = append(out, c)
	}
	return candidates(q, out)
}

func findCollections(q *request, _ *world.Book) reply {
	return candidates(q, namedOf(q.shop, q, "Collection", q.shop.Catalog.Collections, func(s string) string { return s }))
}

func findSegments(q *request, _ *world.Book) reply {
	return candidates(q, namedOf(q.shop, q, "Segment", world.Segments, q.shop.Word))
}

func findPOSLocations(q *request, _ *world.Book) reply {
	return candidates(q, namedOf(q.shop, q, "Location", world.Shops, q.shop.Word))
}

// namedOf finds resources by their shown title.
func namedOf(sh *world.Shop, q *request, kind string, names []string, shown func(string) string) (out []world.Resource) {
	for _, name := range names {
		if title := shown(name); finds(q.URL.Query().Get("query"), title) {
			out = append(out, world.Resource{ID: sh.GlobalID(kind, name), Title: title})
		}
	}
	return out
}

// location is a market or a country.
type location struct {
	world.Resource
	Kind string `json:"type"`
	Code string `json:"code,omitempty"`
}

func findLocations(q *request, _ *world.Book) reply {
	sh, query := q.shop, q.URL.Query().Get("query")
	var out []location
	for _, m := range world.Markets {
		if title := sh.Word(m.Name); finds(query, title) {
			out = append(out, location{world.Resource{ID: sh.GlobalID("Market", m.Name), Title: title}, "market", ""})
		}
		for _, code := range m.Countries {
			if finds(query, code) {
				out = append(out, location{world.Resource{ID: sh.GlobalID("Country", code), Title: code}, "country", code})
			}
		}
	}
	if sh.Second {
		return locationsApart(out)
	}
	return candidates(q, out)
}

// locationsApart puts markets and countries in separate lists, and a country has no id besides its
// code.
func locationsApart(found []location) reply {
	type country struct {
		Code string `json:"code"`
		Name string `json:"name"`
	}
	markets, countries := []world.Resource{}, []country{}
	for _, l := range found[:min(len(found), candidatesMax)] {
		if l.Kind == "market" {
			markets = append(markets, l.Resource)
		} else {
			countries = append(countries, country{l.Code, l.Title})
		}
	}
	return giftSuccess(struct {
		Markets   []world.Resource `json:"markets"`
		Countries []country        `json:"countries"`
	}{markets, countries})
}

// shippingRate is a rate with its zone.
type shippingRate struct {
	world.Resource
	Zone  string       `json:"zone,omitempty"`
	Price world.Number `json:"price"`
}

func findShippingRates(q *request, _ *world.Book) reply {
	sh, query := q.shop, q.URL.Query().Get("query")
	var out []shippingRate
	for _, m := range world.Markets {
		for i, name := range world.Rates {
			title, zone := sh.Word(name), sh.Word(m.Name)
			if finds(query, title) || finds(query, zone) {
				out = append(out, shippingRate{
					world.Resource{ID: sh.GlobalID("ShippingRate", fmt.Sprint(m.Name, i)), Title: title}, zone, sh.Number(sh.Rounded(sh.Basket * float64(i) / 12)),
				})
			}
		}
	}
	if sh.Second {
		return ratesByZone(out)
	}
	return candidates(q, out)
}

// ratesByZone puts the rates into their zones.
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

// everyMarket isn't a search: it lists all markets.
func everyMarket(q *request, _ *world.Book) reply {
	type row struct {
		world.Resource
		Countries []string `json:"countries"`
	}
	rows := make([]row, len(world.Markets))
	for i, m := range world.Markets {
		rows[i] = row{world.Resource{ID: q.shop.GlobalID("Market", m.Name), Title: q.shop.Word(m.Name)}, m.Countries}
	}
	return giftSuccess(struct {
		Markets []row `json:"markets"`
	}{rows})
}
