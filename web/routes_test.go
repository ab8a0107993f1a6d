package web_test

import (
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/web/site"
	"github.com/storeglass/storeglass/web/webtest"
)

func TestWithoutSignInNothingAnswersButHealthFilesAndSignIn(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	w.OwnLink()
	open := map[string]bool{"/livez": true, "/readyz": true, "/static/*": true, "/brand/:file": true, "/.well-known/security.txt": true, "/robots.txt": true}
	maps.Copy(open, signInPaths)
	principals := map[string]*webtest.Browser{"nobody": w.Browser(), "a wrong token": w.APIClient("sg_x"), "a wrong cookie": w.Browser()}
	principals["a wrong cookie"].Header.Set("Cookie", "storeglass=abc")
	table := append(w.Server.Routes(),
		site.Route{Method: "GET", Path: "/nowhere"}, site.Route{Method: "GET", Path: "/api/v1/nowhere", Admits: site.AdmitToken},
		site.Route{Method: "DELETE", Path: "/stores/:slug"}, site.Route{Method: "POST", Path: "/api/v1/stores", Admits: site.AdmitToken})
	for who, b := range principals {
		for _, r := range table {
			if open[r.Path] {
				if r.Admits != site.AdmitAll && r.Admits != site.AdmitVisitor {
					t.Errorf("%s should be open", r.Path)
				}
				continue
			}
			if r.Admits == site.AdmitShare { // who has the link needs no sign-in; see TestTheSameGuard…
				if got := b.Do(r.Method, strings.Replace(webtest.Address(r, webtest.Own), "AAAA", "EEEE", 1), nil, nil); got.Status != http.StatusNotFound || strings.Contains(got.Body, "Acme") {
					t.Errorf("%s: %s without the link gives %d", who, r.Path, got.Status)
				}
				continue
			}
			if r.Admits == site.AdmitAll || r.Admits == site.AdmitVisitor { // a mail's link needs no sign-in; without its secret it is nothing
				if got := b.Do(r.Method, webtest.Address(r, webtest.Own), nil, nil); !strings.Contains(r.Path, ":token") || got.Status != http.StatusNotFound || strings.Contains(got.Body, "Acme") {
					t.Errorf("%s: %s without its secret gives %d", who, r.Path, got.Status)
				}
				continue
			}
			methods := []string{r.Method}
			if r.Method == "GET" {
				methods = append(methods, "HEAD")
			}
			for _, method := range methods {
				got := b.Do(method, webtest.Address(r, webtest.Own), nil, nil)
				switch {
				case strings.HasPrefix(r.Path, site.APIPrefix):
					if got.Status != http.StatusUnauthorized || got.Header.Get("WWW-Authenticate") == "" {
						t.Errorf("%s: %s %s gives %d", who, method, r.Path, got.Status)
					}
				case r.Path == site.WallPath: // a wallboard can't sign itself in: it says that it is signed out
					if got.Status != http.StatusUnauthorized || got.Header.Get("Cache-Control") != "no-store" {
						t.Errorf("%s: %s %s gives %d", who, method, r.Path, got.Status)
					}
				case got.Status != http.StatusSeeOther || !strings.HasPrefix(got.Header.Get("Location"), "/sign-in"):
					t.Errorf("%s: %s %s gives %d", who, method, r.Path, got.Status)
				}
				if strings.Contains(got.Body, "Acme") || webtest.Leaks(got) != "" {
					t.Errorf("%s: %s %s shows a store", who, method, r.Path)
				}
			}
		}
	}
}

func TestForeignUnknownAndMalformedStoresAreNotFoundEverywhere(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	page, api := w.SignedIn(), w.APIClient(w.Token(webtest.Own))
	csrf := w.CSRF()
	for _, r := range w.Server.Routes() {
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
		for _, slug := range []string{webtest.Foreign, "unknown", "BIRCH", "-", "acme%27--", "a%00b", "..", "%2e%2e", "acme%2f..%2fbirch", strings.Repeat("a", 70)} {
			got := b.Do(r.Method, webtest.Address(r, slug), form, nil)
			if got.Status != http.StatusNotFound || webtest.Leaks(got) != "" {
				t.Errorf("%s %s of %q gives %d, shows %q", r.Method, r.Path, slug, got.Status, webtest.Leaks(got))
			}
		}
		want := map[string]int{"GET": 200, "POST": 303}[r.Method]
		if status, ok := ownAnswers[r.Method+" "+r.Path]; ok {
			want = status
		}
		if r.Method == "POST" && r.Path == "/stores/:slug/settings/remove" {
			form.Del("slug") // otherwise the rest would be about a removed store
			want = http.StatusUnprocessableEntity
		}
		if r.Path == "/stores/:slug/shares/:id/revoke" || strings.HasPrefix(r.Path, "/stores/:slug/notes/:id") || strings.HasPrefix(r.Path, "/stores/:slug/alerts/thresholds/:id") { // there is none
			want = http.StatusNotFound
		}
		got := b.Do(r.Method, webtest.Address(r, webtest.Own), form, nil)
		if got.Status != want {
			t.Errorf("%s %s of the own store gives %d: %.300s", r.Method, r.Path, got.Status, got.Body)
		}
		if leak := webtest.Leaks(got); leak != "" && leak != "123456.78" { // the own store has that number too
			t.Errorf("%s %s of the own store shows %q", r.Method, r.Path, leak)
		}
	}
}

func TestForeignAndUnknownStoresCantBeToldApart(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	api := w.APIClient(w.Token(webtest.Own))
	strip := func(r webtest.Response) string { return r.Body[:strings.Index(r.Body, `"instance"`)] }
	if a, b := api.Get("/api/v1/stores/"+webtest.Foreign), api.Get("/api/v1/stores/unknown"); strip(a) != strip(b) {
		t.Errorf("%s\n%s", a.Body, b.Body)
	}
}

func TestListsHoldOnlyGrantedStores(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	w.Store("cedar", "Cedar Works", "USD")
	w.Must(w.Access.GrantPerson(t.Context(), w.Person.ID, "cedar"))
	r := w.SignedIn().Get("/")
	if r.Status != 200 || webtest.Leaks(r) != "" {
		t.Errorf("%d, shows %q", r.Status, webtest.Leaks(r))
	}
	r = w.APIClient(w.Token(webtest.Own, "cedar")).Get("/api/v1/stores")
	if r.Status != 200 || webtest.Leaks(r) != "" || !strings.Contains(r.Body, `"cedar"`) || !strings.Contains(r.Body, `"acme"`) {
		t.Errorf("%d, shows %q: %s", r.Status, webtest.Leaks(r), r.Body)
	}
}

func TestOneStoreIsOpenedAtOnce(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	if r := w.SignedIn().Get("/"); r.Status != http.StatusSeeOther || r.Header.Get("Location") != "/stores/acme" {
		t.Errorf("%d %q", r.Status, r.Header.Get("Location"))
	}
}

func TestRevokedGrantClosesTheStoreAtTheNextRequest(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.SignedIn()
	if r := b.Get("/stores/" + webtest.Own); r.Status != 200 {
		t.Fatal(r.Status)
	}
	_, err := w.Access.RevokePerson(t.Context(), w.Person.ID, webtest.Own)
	w.Must(err)
	if r := b.Get("/stores/" + webtest.Own); r.Status != 404 || strings.Contains(r.Body, "Acme") {
		t.Errorf("%d: the kept page was shown", r.Status)
	}
}

func TestGETRoutesAnswerHEADWithoutABody(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	w.OwnLink()
	page, api := w.SignedIn(), w.APIClient(w.Token(webtest.Own))
	for _, r := range w.Server.Routes() {
		if r.Method != "GET" || r.Path == "/static/*" || r.Path == "/sign-in" {
			continue
		}
		b := page
		if r.Admits == site.AdmitToken {
			b = api
		}
		get, head := b.Do("GET", webtest.Address(r, webtest.Own), nil, nil), b.Do("HEAD", webtest.Address(r, webtest.Own), nil, nil)
		if head.Status != get.Status || head.Body != "" {
			t.Errorf("%s: GET %d, HEAD %d with %d bytes", r.Path, get.Status, head.Status, len(head.Body))
		}
	}
}

func TestWrongMethodNamesTheRightOnes(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	api := w.APIClient(w.Token(webtest.Own))
	r := api.Do("DELETE", "/api/v1/stores/acme/summary", nil, nil)
	if r.Status != http.StatusMethodNotAllowed || !strings.Contains(r.Header.Get("Allow"), "GET") {
		t.Errorf("%d, Allow %q", r.Status, r.Header.Get("Allow"))
	}
	form := w.SignedIn().Get("/alerts/snoozes")
	w.Has(form, "this address only takes what a form sends")
	if form.Status != http.StatusMethodNotAllowed || form.Header.Get("Allow") == "" {
		t.Errorf("a form's address: %d, Allow %q", form.Status, form.Header.Get("Allow"))
	}
}

func TestRouteTableAdmitsOneKindOfPrincipalAPath(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	err := w.Server.Mount([]site.Route{site.Post("/livez", site.AdmitPerson, access.See, w.Server.Livez)})
	if err == nil {
		t.Error("a path took two kinds of principals")
	}
	for _, r := range w.Server.Routes() {
		if strings.Contains(r.Path, ":slug") && r.Admits != site.AdmitPerson && r.Admits != site.AdmitToken {
			t.Errorf("%s is about a store and open", r.Path)
		}
		if strings.HasPrefix(r.Path, site.APIPrefix) != (r.Admits == site.AdmitToken) {
			t.Errorf("%s: tokens are for the JSON API, and the JSON API for tokens", r.Path)
		}
	}
}
