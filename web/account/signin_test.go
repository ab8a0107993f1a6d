package account_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/storeglass/storeglass/web/site"
	"github.com/storeglass/storeglass/web/webtest"
)

func TestSignInLinkSignsInOnceAndAScannersLookUsesNothingUp(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	secret := w.Link()
	link := site.SignInLink(w.Server.Base, secret)
	if !strings.HasPrefix(link, "http://localhost:8080/sign-in/") {
		t.Errorf("link %s", link)
	}
	u, err := url.Parse(link)
	w.Must(err)
	for range 3 { // a mail scanner opens it, with GET and HEAD
		for _, method := range []string{"GET", "HEAD"} {
			if r := w.Browser().Do(method, u.Path, nil, nil); r.Status != 200 || len(r.Header["Set-Cookie"]) != 0 {
				t.Fatalf("%s: %d %v", method, r.Status, r.Header["Set-Cookie"])
			}
		}
	}
	b := w.Browser()
	form := url.Values{"token": {secret}}
	if r := b.Post("/sign-in", form); r.Status != http.StatusSeeOther || r.Header.Get("Location") != "/" {
		t.Fatalf("%d to %q", r.Status, r.Header.Get("Location"))
	}
	if r := b.Get("/stores/" + webtest.Own); r.Status != 200 {
		t.Errorf("signed in, but %d", r.Status)
	}
	second := w.Browser()
	if r := second.Post("/sign-in", form); r.Status != http.StatusGone || len(r.Header["Set-Cookie"]) != 0 {
		t.Errorf("second use: %d %v", r.Status, r.Header["Set-Cookie"])
	}
	if r := second.Get(u.Path); r.Status != http.StatusGone {
		t.Errorf("looking at a used link: %d", r.Status)
	}
	if r := second.Get("/stores/" + webtest.Own); r.Status != http.StatusSeeOther {
		t.Errorf("second use signed in: %d", r.Status)
	}
	if strings.Contains(w.Log.String(), secret) {
		t.Error("the log holds the link's secret")
	}
}

func TestSignInLinkTooOld(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	secret := w.Link()
	w.Clock.Add(16 * time.Minute)
	if r := w.Browser().Post("/sign-in", url.Values{"token": {secret}}); r.Status != http.StatusGone || w.Sessions() != 0 {
		t.Errorf("%d, %d sessions", r.Status, w.Sessions())
	}
}

func TestSignInLeadsOnlyToPagesOfOurs(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	for next, want := range map[string]string{
		"/stores/acme?window=today":    "/stores/acme?window=today",
		"/":                            "/",
		"":                             "/",
		"https://evil.example/":        "/",
		"//evil.example/":              "/",
		"/\\evil.example":              "/",
		"\\\\evil.example":             "/",
		"/\t/evil.example":             "/",
		"/stores/acme#\r\n":            "/",
		"/stores/acme#\x7f":            "/",
		"/%2f/../..//evil.example":     "/",
		"javascript:alert(1)":          "/",
		"stores/acme":                  "/",
		"/sign-in/abc":                 "/",
		"/sign-out":                    "/",
		"/" + strings.Repeat("a", 3e3): "/",
	} {
		r := w.Browser().Post("/sign-in", url.Values{"token": {w.Link()}, "next": {next}})
		if got := r.Header.Get("Location"); r.Status != http.StatusSeeOther || got != want {
			t.Errorf("next %q leads to %q (%d), want %q", next, got, r.Status, want)
		}
	}
	b := w.SignedIn()
	if got := b.Get("/sign-in?next=//evil.example").Header.Get("Location"); got != "/" {
		t.Errorf("signed in already: leads to %q", got)
	}
	if got := w.Browser().Get("/stores/acme?window=today").Header.Get("Location"); got != "/sign-in?next=%2Fstores%2Facme%3Fwindow%3Dtoday" {
		t.Errorf("asked to sign in at %q", got)
	}
	from := func(page string) string {
		r := w.Browser().Do(http.MethodPost, "/account/name", url.Values{"name": {"Ada"}}, http.Header{"Referer": {page}})
		return r.Header.Get("Location")
	}
	if got := from("https://evil.example/account"); got != "/sign-in?done=unsaved" {
		t.Errorf("a form of another site leads to %q", got)
	}
	ours := from("http://localhost:8080/account?done=name")
	if ours != "/sign-in?done=unsaved&next=%2Faccount" {
		t.Errorf("a form of someone who is signed out leads to %q", ours)
	}
	if page := w.Browser().Get(ours).Body; !strings.Contains(page, "You were signed out, so nothing was saved.") {
		t.Error("the page doesn't say that nothing was saved")
	}
}

func TestSignInGivesANewSessionAndEndsTheOld(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.Browser()
	u, err := url.Parse(w.HTTP.URL)
	w.Must(err)
	// A session id that someone planted earlier isn't used.
	b.Client.Jar.SetCookies(u, []*http.Cookie{{Name: "storeglass", Value: "planted", Path: "/"}})
	b.Post("/sign-in", url.Values{"token": {w.Link()}})
	first := b.Session()
	b.Post("/sign-in", url.Values{"token": {w.Link()}})
	second := b.Session()
	if first == "planted" || first == second || w.Sessions() != 1 {
		t.Errorf("ids %q and %q, %d sessions", first, second, w.Sessions())
	}
}

func TestDatabaseHoldsNoUsableSessionID(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.SignedIn()
	var rows string
	w.Must(w.DB.Pool.QueryRow(t.Context(), `select string_agg(token || convert_from(data, 'UTF8'), ',') from sessions`).Scan(&rows))
	if id := b.Session(); id == "" || strings.Contains(rows, id) {
		t.Error("the database holds what the cookie holds")
	}
}

func TestASignInThatIsNotStoredLeadsNowhere(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	form := url.Values{"token": {w.Link()}}
	w.Exec(`alter table sessions add check (person_id is null) not valid`)
	r := w.Browser().Post("/sign-in", form)
	if r.Status != http.StatusInternalServerError || r.Header.Get("Location") != "" || !strings.Contains(w.Log.String(), "error=\"save session") {
		t.Errorf("%d to %q\n%s", r.Status, r.Header.Get("Location"), w.Log)
	}
}

func TestSignOutEndsTheSession(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.SignedIn()
	if r := b.Post("/sign-out", url.Values{"csrf": {w.CSRF()}}); r.Status != http.StatusSeeOther || r.Header.Get("Location") != "/sign-in" || !strings.HasPrefix(r.Header.Get("Set-Cookie"), "storeglass=;") {
		t.Fatalf("%d %v", r.Status, r.Header)
	}
	if r := b.Get("/"); r.Status != http.StatusSeeOther || w.Sessions() != 0 {
		t.Errorf("%d, %d sessions", r.Status, w.Sessions())
	}
}

func TestSessionCookieOverHTTPSIsBoundToTheHost(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorldAt(t, "https://reports.example.com")
	r := w.Browser().Post("/sign-in", url.Values{"token": {w.Link()}})
	names := map[string]bool{}
	for _, cookie := range r.Header["Set-Cookie"] {
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
		t.Errorf("cookies %q", r.Header["Set-Cookie"])
	}
	if r.Header.Get("Strict-Transport-Security") == "" {
		t.Error("no HSTS")
	}
}

func TestReadingAPageSetsNoCookieAndWritesNothing(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.SignedIn()
	var before, after string
	row := `select string_agg(s::text, ',') from sessions s`
	w.Must(w.DB.Pool.QueryRow(t.Context(), row).Scan(&before))
	for _, path := range []string{"/", "/stores/" + webtest.Own, "/stores/" + webtest.Foreign, "/stores/" + webtest.Own + "/sync", "/nowhere"} {
		if r := b.Get(path); len(r.Header["Set-Cookie"]) != 0 {
			t.Errorf("%s (%d) sets %q", path, r.Status, r.Header["Set-Cookie"])
		}
	}
	w.Must(w.DB.Pool.QueryRow(t.Context(), row).Scan(&after))
	if before != after {
		t.Error("the session was written")
	}
}

func TestDisabledPersonIsOutAtTheNextRequest(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.SignedIn()
	b.Get("/stores/" + webtest.Own)
	w.Must(w.Access.DisablePerson(t.Context(), w.Person.ID))
	if r := b.Get("/stores/" + webtest.Own); r.Status != http.StatusSeeOther || strings.Contains(r.Body, "Acme") {
		t.Errorf("%d", r.Status)
	}
}

func TestTheCookieLastsAsLongAsItsSession(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	for range 2 {
		r := w.Browser().Post("/sign-in", url.Values{"token": {w.Link()}})
		var cookie http.Cookie
		for _, line := range r.Header.Values("Set-Cookie") {
			if c, err := http.ParseSetCookie(line); err == nil && c.Name == w.Server.Sessions.Cookie.Name {
				cookie = *c
			}
		}
		if lasts := time.Duration(cookie.MaxAge) * time.Second; lasts > site.SessionLife+time.Minute || lasts < site.SessionLife-time.Hour {
			t.Errorf("the cookie lasts %s, the session %s", lasts, site.SessionLife)
		}
		w.Clock.Add(100 * 24 * time.Hour) // a server's clock may be far from the browser's
	}
}
