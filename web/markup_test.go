package web_test

import (
	"bytes"
	"context"
	"encoding/json"
	"hash/fnv"
	"html"
	"net/http"
	"net/http/httptest"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/storeglass/storeglass/internal/apis/gift"
	"github.com/storeglass/storeglass/internal/apis/sandbox"
	"github.com/storeglass/storeglass/internal/apis/upsell"
	"github.com/storeglass/storeglass/internal/browsertest"
	"github.com/storeglass/storeglass/internal/report/offers"
	"github.com/storeglass/storeglass/web/site"
)

// poisoned answers like the services, with a payload in every text. If a field has fixed
// values, other text would break the reply: it gets a payload only if breaks is set.
type poisoned struct {
	inner    http.Handler
	payloads []string

	mu     sync.Mutex
	breaks bool
	next   int
	fields map[string]bool // by the path of keys, without endpoint: whether it was poisoned
}

// closed are the fields that hold one of a few words, a day, a currency, a shop.
var closed = regexp.MustCompile(`(^|\.)(currency|shopDomain|domain|timezone|appliedWindow\..*|appliedFilter\..*|period\..*|unit|placement|resetAt|activeLanguages\[\]|offers\[\]\.type|byType\[\]\.type)$`)

// keys name things, including in the addresses of other requests: they keep their value before
// the payload.
var keys = regexp.MustCompile(`(^|\])\.?id$|offers\[\]\.id$|^data\.id$|types\[\]\.type$|^data\.type$`)

func (p *poisoned) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	inner := r.Clone(r.Context())
	inner.URL.Path, inner.URL.RawPath = unkeyed(r.URL.Path), ""
	query := inner.URL.Query()
	for name := range query {
		query.Set(name, unkeyed(query.Get(name)))
	}
	inner.URL.RawQuery = query.Encode()
	inner.RequestURI = inner.URL.RequestURI()
	reply := httptest.NewRecorder()
	p.inner.ServeHTTP(reply, inner)
	body := reply.Body.Bytes()
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	var v any
	if decoder.Decode(&v) == nil {
		p.mu.Lock()
		v = p.poison(v, "")
		p.mu.Unlock()
		var out bytes.Buffer
		encoder := json.NewEncoder(&out)
		encoder.SetEscapeHTML(false)
		if encoder.Encode(v) == nil {
			body = out.Bytes()
		}
	}
	for name, values := range reply.Header() {
		if name != "Content-Length" {
			w.Header()[name] = values
		}
	}
	w.WriteHeader(reply.Code)
	_, _ = w.Write(body)
}

// unkeyed takes payloads off the names in an address.
func unkeyed(s string) string { return keyed.ReplaceAllString(s, "") }

var keyed = regexp.MustCompile(`(?s) \x{1f511}.*?\x{1f512}`)

func (p *poisoned) poison(v any, at string) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = p.poison(v[i], at+"[]")
		}
	case map[string]any:
		names := make([]string, 0, len(v))
		for name := range v {
			names = append(names, name)
		}
		slices.Sort(names)
		free := strings.HasSuffix(at, "settings") || strings.HasPrefix(at, "data.widgets") || strings.HasPrefix(at, "data.campaigns.")
		for _, name := range names {
			v[name] = p.poison(v[name], strings.TrimPrefix(at+"."+name, "."))
		}
		if free { // whose keys are the service's too
			v[p.payload()] = p.payload()
		}
		for _, name := range []string{"issues", "errors"} { // a store in order has none to tell
			if _, has := v[name]; has && at == "data" {
				var told []any
				for _, payload := range p.payloads { // so that each is on a page
					told = append(told, map[string]any{"code": p.payload(), "message": payload})
				}
				v[name] = told
				p.fields["data."+name+"[].code"], p.fields["data."+name+"[].message"] = true, true
			}
		}
		if at == "data.plan" {
			v["trialEndsAt"] = p.payload()
			p.fields[at+".trialEndsAt"] = true
		}
	case json.Number:
		if strings.HasSuffix(at, "discountValue") { // which may be any text, such as "15%"
			p.fields[at] = true
			return p.payload()
		}
	case string:
		shut := closed.MatchString(at)
		p.fields[at] = p.fields[at] || !shut || p.breaks
		switch {
		case shut && !p.breaks:
		case keys.MatchString(at) && !p.breaks: // the same each time
			h := fnv.New32a()
			_, _ = h.Write([]byte(v))
			return v + " \U0001f511" + p.payloads[int(h.Sum32()%uint32(len(p.payloads)))] + "\U0001f512"
		default:
			return p.payload()
		}
	}
	return v
}

func (p *poisoned) payload() string {
	p.next++
	return p.payloads[p.next%len(p.payloads)]
}

// texts are the names of all fields of a service's replies that hold text.
func texts(client any) map[string]bool {
	found := map[string]bool{}
	seen := map[reflect.Type]bool{}
	var walk func(t reflect.Type, name string)
	walk = func(t reflect.Type, name string) {
		switch t.Kind() {
		case reflect.String:
			found[name] = true
		case reflect.Pointer, reflect.Slice, reflect.Map:
			walk(t.Elem(), name)
		case reflect.Struct:
			if seen[t] {
				return
			}
			seen[t] = true
			for f := range t.Fields() {
				if tag, _, _ := strings.Cut(f.Tag.Get("json"), ","); tag != "" && tag != "-" {
					walk(f.Type, tag)
				}
			}
		}
	}
	for m := range reflect.TypeOf(client).Methods() {
		for out := range m.Type.Outs() {
			if out.Kind() == reflect.Struct {
				if data, ok := out.FieldByName("Data"); ok {
					walk(data.Type, "")
				}
			}
		}
	}
	return found
}

// poisonedCheck is a product check whose every text is a payload.
type poisonedCheck struct{ payloads []string }

func (p poisonedCheck) CheckProducts(_ context.Context, _ string, handles []string) (offers.ProductCheck, error) {
	next, yes, many := 0, true, int64(7)
	one := func() string {
		next++
		return p.payloads[next%len(p.payloads)]
	}
	check := offers.ProductCheck{Requested: handles, NotFound: []string{one()}}
	for range 20 {
		check.Products = append(check.Products, offers.CheckedProduct{
			Handle: one(), Title: one(), Status: one(), CanBeGifted: &yes, TracksInventory: &yes, TotalInventory: &many, VariantCount: &many, Issues: []string{one(), one()},
			Variants: []offers.CheckedVariant{{Title: one(), Giftable: &yes, StockStatus: one(), Quantity: &many, Policy: one()}},
		})
	}
	return check, nil
}

func (p poisonedCheck) Recommend(_ context.Context, _ string, of offers.ProductQuery) (offers.ProductRecommendations, error) {
	next, many := 0, int64(7)
	one := func() offers.RecommendedProduct {
		next++
		text := p.payloads[next%len(p.payloads)]
		return offers.RecommendedProduct{ID: text, Title: text, CoPurchased: &many}
	}
	r := offers.ProductRecommendations{Of: of}
	r.Shape, r.Omitted, r.Deleted, r.Currency = offers.ShapeBoughtTogether, one().Title, one().Title, "EUR"
	for range 20 {
		r.Triggers = append(r.Triggers, offers.RecommendationTrigger{Title: one().Title, Evidence: []offers.RecommendedProduct{one(), one()}, Padding: []offers.RecommendedProduct{one()}})
	}
	return r, nil
}

// trap records what runs, requests or navigates, before a page begins.
const trap = watch + `
	window.pwned = (n) => { window.ran = (window.ran ?? []).concat(n); };
	for (const name of ["open", "print"]) window[name] = () => window.pwned(name);
	addEventListener("error", (e) => { if (e.target === window) window.pwned("error: " + e.message); }, true);`

func TestFiveHundredPayloadsInEveryUpstreamTextRunNowhere(t *testing.T) {
	t.Parallel()
	all := payloads(500)
	p := &poisoned{payloads: all, fields: map[string]bool{}}
	w := hostileWorld(t, func(services http.Handler) http.Handler { p.inner = services; return p })
	// Then every field is poisoned, and almost nothing is a valid answer.
	p.breaks = true
	for _, service := range []sandbox.Service{sandbox.Upsell, sandbox.Gift} {
		w.Services.Clear(service, grim)
	}
	w.Exec(`update credentials set state = 'good'`)
	w.Exec(`update ledger set due_at = '2026-01-01' where subject not like '2026%'`)
	w.Pull(true, 8)
	for _, client := range []any{&upsell.Client{}, &gift.Client{}} {
		for name := range texts(client) {
			found := slices.Contains([]string{
				"abTest",                                               // of the filter that a reply repeats
				"handle", "notFound", "stockStatus", "inventoryPolicy", // of a product check, which is below
			}, name)
			for at, was := range p.fields {
				found = found || was && strings.HasSuffix(strings.TrimSuffix(at, "[]"), name)
			}
			if !found {
				t.Errorf("%T: no reply had the text %q", client, name)
			}
		}
	}
	w.Server.Parts.Reports.Products = poisonedCheck{all}

	tab := browsertest.Open(t)
	tab.Before(t, trap)
	list, err := json.Marshal(all)
	w.Must(err)
	shown, pages := map[int]bool{}, 0
	check := func(about string) {
		t.Helper()
		pages++
		if found := browsertest.Eval[string](t, tab, strings.Replace(obeyed, "window.pwned !== undefined", "window.ran !== undefined", 1)); found != "" {
			t.Errorf("%s: %s", about, found)
		}
		for _, n := range browsertest.Eval[[]int](t, tab, strings.Replace(standing, "LIST", string(list), 1)) {
			shown[n] = true
		}
		for _, said := range tab.Said() {
			if !failedLoad.MatchString(said) {
				t.Errorf("%s: the console says %q", about, said)
			}
		}
	}
	signIn := sync.OnceFunc(func() {
		tab.Show(t, w.HTTP.URL+"/sign-in/"+w.Link(), 1440, "light")
		tab.Press(t, "main form button")
	})
	for _, r := range w.Server.Routes() { // those that are open to anyone come first
		if isFile.MatchString(r.Path) || strings.HasPrefix(r.Path, "/gallery") {
			continue
		}
		if r.Admits == site.AdmitPerson {
			signIn()
		}
		for _, address := range some(addresses(w, r)) {
			tab.Said()
			tab.Show(t, w.HTTP.URL+address, 1440, "light")
			if !browsertest.Eval[bool](t, tab, "location.href === new URL("+strconv.Quote(address)+", location.origin).href") {
				t.Errorf("%s: the browser stands elsewhere", address)
			}
			check(address)
		}
	}
	tab.Show(t, w.HTTP.URL+"/stores/"+grim+"/gift/products", 1440, "light")
	browsertest.Eval[bool](t, tab, `(document.querySelector("#handles").value = "a-handle", true)`)
	tab.Press(t, "main form button")
	check("the answer to a product check")
	for n, payload := range all {
		if !shown[n] {
			t.Errorf("payload %q stood on no page", payload)
		}
	}
	// Whatever asked for something asked us: the policy allows no other server.
	if log := w.Log.String(); strings.Contains(log, "evil") || strings.Contains(log, "route=(none)") {
		t.Error("something was asked for that no page of ours asks for")
	}
	t.Logf("%d payloads, %d fields, %d pages, 0 executions", len(all), len(p.fields), pages)
}

// TestThePayloadsRunWhereNothingStopsThem: the test above would be worthless if the payloads
// never ran, or if the trap didn't notice.
func TestThePayloadsRunWhereNothingStopsThem(t *testing.T) {
	t.Parallel()
	all := payloads(500)
	var page strings.Builder
	page.WriteString("<!doctype html><title>x</title>")
	for i := 0; i < len(all); i += 3 { // a frame each takes its time
		payload := all[i]
		inner := "<script>pwned = (n) => parent.pwned(n)</script><p>" + payload
		page.WriteString(`<iframe srcdoc="` + html.EscapeString(inner) + `"></iframe>`)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(page.String()))
	}))
	t.Cleanup(server.Close)
	tab := browsertest.Open(t)
	tab.Before(t, "window.pwned = (n) => { window.ran = (window.ran ?? []).concat(n); }")
	tab.Show(t, server.URL+"/", 1440, "light")
	ran := browsertest.Eval[int](t, tab, "new Set(window.ran).size")
	if ran < 30 {
		t.Errorf("only %d of the payloads run as markup", ran)
	}
	t.Logf("%d of a third of %d payloads run as markup of a page without a policy; the others are for other places", ran, len(all))
}

// standing are the numbers of the payloads that are on the page as text: in words,
// in what an attribute says, in the values of a chart.
const standing = `(() => {
	const plain = (s) => s.replace(/\s+/g, " ");
	const texts = [plain(document.body.textContent)];
	for (const e of document.querySelectorAll("*")) for (const a of e.attributes) texts.push(plain(a.value));
	const values = (v) => { if (typeof v === "string") texts.push(plain(v)); else if (v && typeof v === "object") for (const [k, x] of Object.entries(v)) { texts.push(plain(k)); values(x); } };
	for (const e of document.querySelectorAll('script[type="application/json"]')) values(JSON.parse(e.textContent));
	const all = texts.join("\n");
	return LIST.flatMap((p, n) => all.includes(plain(p).trim()) ? [n] : []);
})()`
