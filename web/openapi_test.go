package web_test

import (
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/storeglass/storeglass/web/api"
	"github.com/storeglass/storeglass/web/site"
	"github.com/storeglass/storeglass/web/webtest"
)

// description is the API's own, as it is served.
func description(t *testing.T, b *webtest.Browser) (map[string]any, *jsonschema.Compiler) {
	t.Helper()
	r := b.Get("/api/v1/openapi.json")
	if r.Status != 200 {
		t.Fatal(r.Status)
	}
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(r.Body))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("api.json", v); err != nil {
		t.Fatal(err)
	}
	return v.(map[string]any), c
}

var parameter = regexp.MustCompile(`\{(\w+)\}`)

func TestDescriptionAndRouteTableNameTheSameAddresses(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	doc, _ := description(t, w.APIClient(w.Token(webtest.Own)))
	described := map[string]bool{}
	for path, item := range doc["paths"].(map[string]any) {
		path = parameter.ReplaceAllString(path, ":$1")
		described[path] = true
		if _, ok := item.(map[string]any)["get"]; !ok {
			t.Errorf("%s describes no GET", path)
		}
	}
	for _, r := range w.Server.Routes() {
		if !strings.HasPrefix(r.Path, site.APIPrefix) {
			continue
		}
		if r.Method != "GET" {
			t.Errorf("%s %s: the API is read only", r.Method, r.Path)
		}
		if !described[r.Path] {
			t.Errorf("%s is not described", r.Path)
		}
		delete(described, r.Path)
	}
	for path := range described {
		t.Errorf("%s is described and not there", path)
	}
	if at(doc, "info", "version") != "1.2.3" || at(doc["servers"].([]any)[0], "url") != "http://localhost:8080" {
		t.Errorf("version %v, server %v", at(doc, "info", "version"), doc["servers"])
	}
}

func TestAnswersKeepToTheirDescription(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	w.Exec(`insert into stores (slug, name, timezone) values ('bare', 'Bare', 'Asia/Tokyo')`)
	w.Exec(`insert into goals (store_id, from_month, kind, amount, currency, set_at) select id, '2026-11-01', 'value', 4000, 'USD', now() from stores where slug = $1`, webtest.Own)
	w.Server.Parts.Reports.Products = &checker{}
	b := w.APIClient(w.Token(webtest.Own, "bare"))
	doc, compiler := description(t, b)
	schema := func(path, status, media string) *jsonschema.Schema {
		t.Helper()
		escape := strings.NewReplacer("~", "~0", "/", "~1")
		at := "api.json#/paths/" + escape.Replace(path) + "/get/responses/" + status + "/content/" + escape.Replace(media) + "/schema"
		s, err := compiler.Compile(at)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	for path := range doc["paths"].(map[string]any) {
		long := strings.NewReplacer("{slug}", webtest.Own, "{id}", "x").Replace(path) + "?x=" + strings.Repeat("x", site.MaxText+1)
		if r := b.Get(long); r.Status != http.StatusRequestEntityTooLarge || at(doc, "paths", path, "get", "responses", "413") == nil {
			t.Errorf("%s with an overlong value: %d, or not described", path, r.Status)
		}
		s := schema(path, "200", "application/json")
		var addresses []string
		for _, slug := range []string{webtest.Own, "bare"} {
			if address := strings.ReplaceAll(path, "{slug}", slug); !strings.Contains(path, "{id}") {
				addresses = append(addresses, address)
			} else if strings.Contains(path, "/gift/") {
				if slug == webtest.Own { // with a configuration, with none, and not pulled
					for _, id := range []string{"1", "2", "3"} {
						addresses = append(addresses, strings.ReplaceAll(address, "{id}", webtest.Own+"-campaign-"+id))
					}
				}
			} else if slug == webtest.Own { // with everything, without details, and a coupon offer
				for _, id := range []string{"1", "2", "3"} {
					addresses = append(addresses, strings.ReplaceAll(address, "{id}", webtest.Own+"-offer-"+id))
				}
			}
		}
		if strings.HasSuffix(path, "/gift/products") {
			for i := range addresses {
				addresses[i] += "?handles=mug,sock,nothing"
			}
		}
		if strings.HasSuffix(path, "{slug}/recommendations") {
			addresses = append(addresses, addresses[0]+"?product_name=Socks", addresses[0]+"?product_id=gid://shop/Product/1")
		}
		if strings.HasSuffix(path, "/offers") {
			for _, query := range []string{"?query=zzz", "?page=9", "?placement=post_purchase&sort=priority", "?status=active&ab_test=true&never_earned=true&trigger_deleted=true&sort=revenue_low"} {
				addresses = append(addresses, addresses[0]+query)
			}
		}
		if strings.HasSuffix(path, "/history") || strings.HasSuffix(path, "/summary") || strings.HasSuffix(path, "/placements") || strings.HasSuffix(path, "/top") || strings.HasSuffix(path, "/analytics") {
			for _, query := range []string{"?window=today", "?window=all", "?window=last_90_days&compare=year", "?start=2026-11-02&end=2026-11-04&compare=none", "?window=month_to_date&compare=weekday"} {
				addresses = append(addresses, addresses[0]+query)
			}
		}
		for _, address := range addresses {
			r := b.Get(address)
			v, err := jsonschema.UnmarshalJSON(strings.NewReader(r.Body))
			if err != nil || r.Status != 200 {
				t.Errorf("%s: %d %v", address, r.Status, err)
				continue
			}
			if err := s.Validate(v); err != nil {
				t.Errorf("%s: %v\n%s", address, err, r.Body)
			}
		}
	}
	problem, err := compiler.Compile("api.json#/components/schemas/Problem")
	w.Must(err)
	for _, address := range []string{"/api/v1/stores/nowhere", "/api/v1/stores/acme/summary?window=x", "/api/v1/x"} {
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(b.Get(address).Body))
		w.Must(err)
		if err := problem.Validate(v); err != nil {
			t.Errorf("%s: %v", address, err)
		}
		kind := at(v, "type").(string)
		if at(doc, "x-problems", kind[strings.LastIndexByte(kind, '/')+1:]) == nil {
			t.Errorf("%s leads nowhere", kind)
		}
	}
}

// Every problem's type leads somewhere, and every amount of money is text.
func TestDescriptionIsWhole(t *testing.T) {
	t.Parallel()
	var doc map[string]any
	if err := json.Unmarshal(api.Description, &doc); err != nil {
		t.Fatal(err)
	}
	for _, p := range []*site.Problem{
		site.ErrNotFound, site.ErrForeignSite, site.ErrCSRF, site.ErrNoRight, site.ErrNoView, site.ErrNoBearer, site.ErrWrongBearer, site.ErrMethod, site.ErrTooLarge, site.ErrUnavailable, site.ErrFault, site.BadRequest("", ""), site.NotAnswered(""),
		{Kind: "window"},
	} {
		if at(doc, "x-problems", p.Kind) == nil {
			t.Errorf("%s is not described", p.Kind)
		}
	}
	if strings.Contains(string(api.Description), `"type": "number"`) {
		t.Error("a float is described: amounts and rates travel as text")
	}
}
