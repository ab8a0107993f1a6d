package find_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/storeglass/storeglass/web/webtest"
)

// found are the results of a page, as "name (of) address".
func found(t *testing.T, b *webtest.Browser, path string, pairs ...string) []string {
	t.Helper()
	q := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		q.Set(pairs[i], pairs[i+1])
	}
	r := b.Get(path + "?" + q.Encode())
	if r.Status != 200 {
		t.Fatalf("%s: %d %s", path, r.Status, r.Body)
	}
	root, err := html.Parse(strings.NewReader(r.Body))
	b.W.Must(err)
	var out []string
	for n := range root.Descendants() {
		if n.Data != "div" || !has(n, "data-found") {
			continue
		}
		for a := range n.ChildNodes() {
			if a.Data == "a" {
				out = append(out, text(a.FirstChild)+" ("+text(a.LastChild)+") "+a.Attr[len(a.Attr)-1].Val)
			}
		}
	}
	return out
}

func has(n *html.Node, key string) bool {
	for _, a := range n.Attr {
		if a.Key == key {
			return true
		}
	}
	return false
}

func text(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}

func TestEverythingWithANameIsFoundAndLeadsThereInTheSameWindow(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.Agency()
	w.Exec(`update stores set name = 'Bríd Wool' where slug = 'cedar'`)
	w.Exec(`update offers set name = 'Trail socks, second pair' where offer_id = 'acme-offer-3'`)
	for name, c := range map[string]struct {
		path string
		ask  []string
		want []string
	}{
		"a store by the beginning of a word":     {"/find", []string{"q", "tea"}, []string{"Dogwood Tea (EUR) /stores/dogwood"}},
		"without accents and case":               {"/find", []string{"q", "BRID"}, []string{"Bríd Wool (USD) /stores/cedar"}},
		"not by the middle of a word":            {"/find", []string{"q", "rid"}, nil},
		"a page of the store that is open":       {"/stores/acme/find", []string{"q", "gif"}, []string{"Gifts (Acme Foods) /stores/acme/gift"}},
		"a page by its own and its store's name": {"/stores/acme/find", []string{"q", "acme gif"}, []string{"Gifts (Acme Foods) /stores/acme/gift"}},
		"a page of another store":                {"/find", []string{"q", "elm offers"}, []string{"Offers (Elm Street) /stores/elm/offers"}},
		"a page of another store, beside a page": {"/stores/acme/find", []string{"q", "sync elm"}, []string{"Sync (Elm Street) /stores/elm/sync"}},
		"an offer of the store that is open":     {"/stores/acme/find", []string{"q", "socks", "window", "last_7_days"}, []string{"Trail socks, second pair (offer) /stores/acme/offers/acme-offer-3?window=last_7_days"}},
		"the switcher keeps page and window":     {"/stores/acme/find", []string{"q", "dog", "in", "stores", "at", "/offers", "window", "last_7_days"}, []string{"Dogwood Tea (EUR) /stores/dogwood/offers?window=last_7_days"}},
		"an address that is none of ours":        {"/stores/acme/find", []string{"q", "dog", "in", "stores", "at", "//evil.example"}, []string{"Dogwood Tea (EUR) /stores/dogwood"}},
		"another's store":                        {"/find", []string{"q", webtest.Canary}, nil},
	} {
		if got := found(t, b, c.path, c.ask...); fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	w.Has(b.Get("/find?q=rid"), "Check the spelling, or try fewer words.")
}

func TestOfAThousandStoresTenAreFound(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	_, b := w.Admin("root@example.com")
	w.Exec(`insert into stores (slug, name, timezone) select 'shop-' || n, 'Shop number ' || n, 'UTC' from generate_series(1, 1000) n`)
	w.Exec(`insert into grants (person_id, store_id) select id, null from people where email = 'root@example.com'`)
	if got := found(t, b, "/find", "q", "shop"); len(got) != 10 {
		t.Errorf("%d results", len(got))
	}
	if got := found(t, b, "/find", "q", "number 977"); len(got) != 1 || got[0] != "Shop number 977 () /stores/shop-977" {
		t.Errorf("found %q", got)
	}
}
