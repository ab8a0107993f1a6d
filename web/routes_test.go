package web

import (
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/web/site"
)

// address fills a route's pattern in.
func address(r site.Route, slug string) string {
	path := strings.NewReplacer(":slug", slug, ":token", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", ":name", "overview", ":service", "upsell", ":pending", strings.Repeat("A", 26), "campaigns/:id", "campaigns/"+slug+"-campaign-1", ":id", slug+"-offer-1", "*", "app.css").Replace(r.Path)
	if strings.HasSuffix(path, "/replies") {
		path += "?pull=lifetime"
	}
	return path
}

// leaks reports what must never be in an answer about a store that is not the asker's.
func leaks(r response) string {
	for _, secret := range []string{canary, "birch.example.com", "123456.78"} {
		if strings.Contains(r.body, secret) {
			return secret
		}
	}
	return foreignCurrency.FindString(r.body)
}

// foreignCurrency stands by itself: three letters come by chance in a token.
var foreignCurrency = regexp.MustCompile(`(?:^|[^\w-])EUR(?:[^\w-]|$)`)

func TestWithoutSignInNothingAnswersButHealthFilesAndSignIn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.ownLink()
	open := map[string]bool{"/livez": true, "/readyz": true, "/static/*": true, "/brand/:file": true, "/.well-known/security.txt": true, "/robots.txt": true}
	maps.Copy(open, signInPaths)
	askers := map[string]*browser{"nobody": w.browser(), "a wrong token": w.apiClient("sg_x"), "a wrong cookie": w.browser()}
	askers["a wrong cookie"].header.Set("Cookie", "storeglass=abc")
	table := append(w.server.routes(),
		site.Route{Method: "GET", Path: "/nowhere"}, site.Route{Method: "GET", Path: "/api/v1/nowhere", Admits: site.AdmitToken},
		site.Route{Method: "DELETE", Path: "/stores/:slug"}, site.Route{Method: "POST", Path: "/api/v1/stores", Admits: site.AdmitToken})
	for who, b := range askers {
		for _, r := range table {
			if open[r.Path] {
				if r.Admits != site.AdmitAll && r.Admits != site.AdmitVisitor {
					t.Errorf("%s should be open", r.Path)
				}
				continue
			}
			if r.Admits == site.AdmitShare { // who has the link needs no sign-in; see TestTheSameGuard…
				if got := b.do(r.Method, strings.Replace(address(r, own), "AAAA", "EEEE", 1), nil, nil); got.status != http.StatusNotFound || strings.Contains(got.body, "Acme") {
					t.Errorf("%s: %s without the link gives %d", who, r.Path, got.status)
				}
				continue
			}
			if r.Admits == site.AdmitAll || r.Admits == site.AdmitVisitor { // a mail's link needs no sign-in; without its secret it is nothing
				if got := b.do(r.Method, address(r, own), nil, nil); !strings.Contains(r.Path, ":token") || got.status != http.StatusNotFound || strings.Contains(got.body, "Acme") {
					t.Errorf("%s: %s without its secret gives %d", who, r.Path, got.status)
				}
				continue
			}
			methods := []string{r.Method}
			if r.Method == "GET" {
				methods = append(methods, "HEAD")
			}
			for _, method := range methods {
				got := b.do(method, address(r, own), nil, nil)
				switch {
				case strings.HasPrefix(r.Path, site.APIPrefix):
					if got.status != http.StatusUnauthorized || got.header.Get("WWW-Authenticate") == "" {
						t.Errorf("%s: %s %s gives %d", who, method, r.Path, got.status)
					}
				case r.Path == site.WallPath: // a screen on a wall can't sign itself in: it says that it is signed out
					if got.status != http.StatusUnauthorized || got.header.Get("Cache-Control") != "no-store" {
						t.Errorf("%s: %s %s gives %d", who, method, r.Path, got.status)
					}
				case got.status != http.StatusSeeOther || !strings.HasPrefix(got.header.Get("Location"), "/sign-in"):
					t.Errorf("%s: %s %s gives %d", who, method, r.Path, got.status)
				}
				if strings.Contains(got.body, "Acme") || leaks(got) != "" {
					t.Errorf("%s: %s %s shows a store", who, method, r.Path)
				}
			}
		}
	}
}

func TestForeignUnknownAndMalformedStoresAreNotFoundEverywhere(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	page, api := w.signedIn(), w.apiClient(w.token(own))
	csrf := w.csrf()
	for _, r := range w.server.routes() {
		if !strings.Contains(r.Path, ":slug") {
			continue
		}
		b := page
		if r.Admits == site.AdmitToken {
			b = api
		}
		var form url.Values
		if r.Method == "POST" {
			form = url.Values{"csrf": {csrf}}
			for field, value := range forms[r.Path] {
				form.Set(field, value)
			}
		}
		for _, slug := range []string{foreign, "unknown", "BIRCH", "-", "acme%27--", "a%00b", "..", "%2e%2e", "acme%2f..%2fbirch", strings.Repeat("a", 70)} {
			got := b.do(r.Method, address(r, slug), form, nil)
			if got.status != http.StatusNotFound || leaks(got) != "" {
				t.Errorf("%s %s of %q gives %d, shows %q", r.Method, r.Path, slug, got.status, leaks(got))
			}
		}
		want := map[string]int{"GET": 200, "POST": 303}[r.Method]
		if status, ok := ownAnswers[r.Method+" "+r.Path]; ok {
			want = status
		}
		if r.Method == "POST" && r.Path == "/stores/:slug/settings/remove" {
			form.Del("slug") // or the rest would be about a store that is gone
			want = http.StatusUnprocessableEntity
		}
		if r.Path == "/stores/:slug/shares/:id/revoke" { // there is no such link
			want = http.StatusNotFound
		}
		got := b.do(r.Method, address(r, own), form, nil)
		if got.status != want {
			t.Errorf("%s %s of the own store gives %d: %.300s", r.Method, r.Path, got.status, got.body)
		}
		if leak := leaks(got); leak != "" && leak != "123456.78" { // the own store has that number too
			t.Errorf("%s %s of the own store shows %q", r.Method, r.Path, leak)
		}
	}
}

func TestForeignAndUnknownStoresCantBeToldApart(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	api := w.apiClient(w.token(own))
	strip := func(r response) string { return r.body[:strings.Index(r.body, `"instance"`)] }
	if a, b := api.get("/api/v1/stores/"+foreign), api.get("/api/v1/stores/unknown"); strip(a) != strip(b) {
		t.Errorf("%s\n%s", a.body, b.body)
	}
}

func TestListsHoldOnlyGrantedStores(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.store("cedar", "Cedar Works", "USD")
	w.must(w.access.GrantPerson(t.Context(), w.person.ID, "cedar"))
	r := w.signedIn().get("/")
	if r.status != 200 || leaks(r) != "" {
		t.Errorf("%d, shows %q", r.status, leaks(r))
	}
	r = w.apiClient(w.token(own, "cedar")).get("/api/v1/stores")
	if r.status != 200 || leaks(r) != "" || !strings.Contains(r.body, `"cedar"`) || !strings.Contains(r.body, `"acme"`) {
		t.Errorf("%d, shows %q: %s", r.status, leaks(r), r.body)
	}
}

func TestOneStoreIsOpenedAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if r := w.signedIn().get("/"); r.status != http.StatusSeeOther || r.header.Get("Location") != "/stores/acme" {
		t.Errorf("%d %q", r.status, r.header.Get("Location"))
	}
}

func TestRevokedGrantClosesTheStoreAtTheNextRequest(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.signedIn()
	if r := b.get("/stores/" + own); r.status != 200 {
		t.Fatal(r.status)
	}
	_, err := w.access.RevokePerson(t.Context(), w.person.ID, own)
	w.must(err)
	if r := b.get("/stores/" + own); r.status != 404 || strings.Contains(r.body, "Acme") {
		t.Errorf("%d: the kept page was shown", r.status)
	}
}

func TestGETRoutesAnswerHEADWithoutABody(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.ownLink()
	page, api := w.signedIn(), w.apiClient(w.token(own))
	for _, r := range w.server.routes() {
		if r.Method != "GET" || r.Path == "/static/*" || r.Path == "/sign-in" {
			continue
		}
		b := page
		if r.Admits == site.AdmitToken {
			b = api
		}
		get, head := b.do("GET", address(r, own), nil, nil), b.do("HEAD", address(r, own), nil, nil)
		if head.status != get.status || head.body != "" {
			t.Errorf("%s: GET %d, HEAD %d with %d bytes", r.Path, get.status, head.status, len(head.body))
		}
	}
}

func TestWrongMethodNamesTheRightOnes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	api := w.apiClient(w.token(own))
	r := api.do("DELETE", "/api/v1/stores/acme/summary", nil, nil)
	if r.status != http.StatusMethodNotAllowed || !strings.Contains(r.header.Get("Allow"), "GET") {
		t.Errorf("%d, Allow %q", r.status, r.header.Get("Allow"))
	}
}

func TestRouteTableAdmitsOneKindOfAskerAPath(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	err := w.server.mount([]site.Route{site.Post("/livez", site.AdmitPerson, access.See, w.server.livez)})
	if err == nil {
		t.Error("a path took two kinds of askers")
	}
	for _, r := range w.server.routes() {
		if strings.Contains(r.Path, ":slug") && r.Admits != site.AdmitPerson && r.Admits != site.AdmitToken {
			t.Errorf("%s is about a store and open", r.Path)
		}
		if strings.HasPrefix(r.Path, site.APIPrefix) != (r.Admits == site.AdmitToken) {
			t.Errorf("%s: tokens are for the JSON API, and the JSON API for tokens", r.Path)
		}
	}
}
