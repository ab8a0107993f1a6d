package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/storeglass/storeglass/web/site"
)

func TestSignInLinkSignsInOnceAndAScannersLookUsesNothingUp(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	secret := w.link()
	link := site.SignInLink(w.server.Base, secret)
	if !strings.HasPrefix(link, "http://localhost:8080/sign-in/") {
		t.Errorf("link %s", link)
	}
	u, err := url.Parse(link)
	w.must(err)
	for range 3 { // a mail scanner opens it, with GET and HEAD
		for _, method := range []string{"GET", "HEAD"} {
			if r := w.browser().do(method, u.Path, nil, nil); r.status != 200 || len(r.header["Set-Cookie"]) != 0 {
				t.Fatalf("%s: %d %v", method, r.status, r.header["Set-Cookie"])
			}
		}
	}
	b := w.browser()
	form := url.Values{"token": {secret}}
	if r := b.post("/sign-in", form); r.status != http.StatusSeeOther || r.header.Get("Location") != "/" {
		t.Fatalf("%d to %q", r.status, r.header.Get("Location"))
	}
	if r := b.get("/stores/" + own); r.status != 200 {
		t.Errorf("signed in, but %d", r.status)
	}
	second := w.browser()
	if r := second.post("/sign-in", form); r.status != http.StatusGone || len(r.header["Set-Cookie"]) != 0 {
		t.Errorf("second use: %d %v", r.status, r.header["Set-Cookie"])
	}
	if r := second.get(u.Path); r.status != http.StatusGone {
		t.Errorf("looking at a used link: %d", r.status)
	}
	if r := second.get("/stores/" + own); r.status != http.StatusSeeOther {
		t.Errorf("second use signed in: %d", r.status)
	}
	if strings.Contains(w.log.String(), secret) {
		t.Error("the log holds the link's secret")
	}
}

func TestSignInLinkTooOld(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	secret := w.link()
	w.clock.add(16 * time.Minute)
	if r := w.browser().post("/sign-in", url.Values{"token": {secret}}); r.status != http.StatusGone || w.sessions() != 0 {
		t.Errorf("%d, %d sessions", r.status, w.sessions())
	}
}

func TestSignInLeadsOnlyToPagesOfOurs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for next, want := range map[string]string{
		"/stores/acme?window=today":    "/stores/acme?window=today",
		"/":                            "/",
		"":                             "/",
		"https://evil.example/":        "/",
		"//evil.example/":              "/",
		"/\\evil.example":              "/",
		"\\\\evil.example":             "/",
		"/\t/evil.example":             "/",
		"/%2f/../..//evil.example":     "/",
		"javascript:alert(1)":          "/",
		"stores/acme":                  "/",
		"/sign-in/abc":                 "/",
		"/sign-out":                    "/",
		"/" + strings.Repeat("a", 3e3): "/",
	} {
		r := w.browser().post("/sign-in", url.Values{"token": {w.link()}, "next": {next}})
		if got := r.header.Get("Location"); r.status != http.StatusSeeOther || got != want {
			t.Errorf("next %q leads to %q (%d), want %q", next, got, r.status, want)
		}
	}
	b := w.signedIn()
	if got := b.get("/sign-in?next=//evil.example").header.Get("Location"); got != "/" {
		t.Errorf("signed in already: leads to %q", got)
	}
	if got := w.browser().get("/stores/acme?window=today").header.Get("Location"); got != "/sign-in?next=%2Fstores%2Facme%3Fwindow%3Dtoday" {
		t.Errorf("asked to sign in at %q", got)
	}
}

func TestSignInGivesANewSessionAndEndsTheOld(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.browser()
	u, err := url.Parse(w.http.URL)
	w.must(err)
	// An id that somebody planted before is not taken up.
	b.client.Jar.SetCookies(u, []*http.Cookie{{Name: "storeglass", Value: "planted", Path: "/"}})
	b.post("/sign-in", url.Values{"token": {w.link()}})
	first := b.session()
	b.post("/sign-in", url.Values{"token": {w.link()}})
	second := b.session()
	if first == "planted" || first == second || w.sessions() != 1 {
		t.Errorf("ids %q and %q, %d sessions", first, second, w.sessions())
	}
}

func TestDatabaseHoldsNoUsableSessionID(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.signedIn()
	var rows string
	w.must(w.db.Pool.QueryRow(t.Context(), `select string_agg(token || convert_from(data, 'UTF8'), ',') from sessions`).Scan(&rows))
	if id := b.session(); id == "" || strings.Contains(rows, id) {
		t.Error("the database holds what the cookie holds")
	}
}

func TestSignOutEndsTheSession(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.signedIn()
	if r := b.post("/sign-out", url.Values{"csrf": {w.csrf()}}); r.status != http.StatusSeeOther || r.header.Get("Location") != "/sign-in" {
		t.Fatalf("%d", r.status)
	}
	if r := b.get("/"); r.status != http.StatusSeeOther || w.sessions() != 0 {
		t.Errorf("%d, %d sessions", r.status, w.sessions())
	}
}

func TestSessionCookieOverHTTPSIsBoundToTheHost(t *testing.T) {
	t.Parallel()
	w := newWorldAt(t, "https://reports.example.com")
	r := w.browser().post("/sign-in", url.Values{"token": {w.link()}})
	names := map[string]bool{}
	for _, cookie := range r.header["Set-Cookie"] {
		name, _, _ := strings.Cut(cookie, "=")
		names[name] = true
		for _, part := range []string{"__Host-storeglass", "; Path=/", "; Secure", "; HttpOnly", "; SameSite=Lax"} {
			if !strings.Contains(cookie, part) {
				t.Errorf("cookie %q lacks %q", cookie, part)
			}
		}
		if strings.Contains(cookie, "Domain") {
			t.Errorf("cookie %q names a domain", cookie)
		}
	}
	if len(names) != 2 || !names["__Host-storeglass"] || !names["__Host-storeglass-device"] {
		t.Errorf("cookies %q", r.header["Set-Cookie"])
	}
	if r.header.Get("Strict-Transport-Security") == "" {
		t.Error("no HSTS")
	}
}

func TestReadingAPageSetsNoCookieAndWritesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.signedIn()
	var before, after string
	row := `select string_agg(s::text, ',') from sessions s`
	w.must(w.db.Pool.QueryRow(t.Context(), row).Scan(&before))
	for _, path := range []string{"/", "/stores/" + own, "/stores/" + foreign, "/stores/" + own + "/sync", "/nowhere"} {
		if r := b.get(path); len(r.header["Set-Cookie"]) != 0 {
			t.Errorf("%s (%d) sets %q", path, r.status, r.header["Set-Cookie"])
		}
	}
	w.must(w.db.Pool.QueryRow(t.Context(), row).Scan(&after))
	if before != after {
		t.Error("the session was written")
	}
}

func TestDisabledPersonIsOutAtTheNextRequest(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.signedIn()
	b.get("/stores/" + own)
	w.must(w.access.DisablePerson(t.Context(), w.person.ID))
	if r := b.get("/stores/" + own); r.status != http.StatusSeeOther || strings.Contains(r.body, "Acme") {
		t.Errorf("%d", r.status)
	}
}
