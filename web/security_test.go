package web_test

import (
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/web/site"
	"github.com/storeglass/storeglass/web/webtest"
)

func TestEveryAnswerCarriesStrictHeaders(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.SignedIn()
	for _, path := range []string{"/", "/stores/acme", "/stores/acme/sync", "/nowhere", "/livez", "/sign-in/x", "/static/none", "/api/v1/stores", "/stores/acme/history.csv"} {
		r := b.Get(path)
		for name, want := range map[string]string{
			"Content-Security-Policy":    site.Policy,
			"X-Content-Type-Options":     "nosniff",
			"Referrer-Policy":            "same-origin",
			"Cross-Origin-Opener-Policy": "same-origin",
			"X-Robots-Tag":               "noindex, nofollow",
			"X-Frame-Options":            "DENY",
		} {
			if got := r.Header.Values(name); len(got) != 1 || got[0] != want {
				t.Errorf("%s: %s is %q", path, name, got)
			}
		}
		if r.Header.Get("Permissions-Policy") == "" || r.Header.Get("X-Request-Id") == "" {
			t.Errorf("%s lacks Permissions-Policy or X-Request-Id", path)
		}
		if r.Header.Get("Strict-Transport-Security") != "" {
			t.Errorf("%s: HSTS over plain http", path)
		}
	}
	if strings.Contains(site.Policy, "unsafe") {
		t.Error("the policy allows inline code")
	}
}

func TestPagesAreNeverKeptByOthers(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	w.OwnLink()
	page, api := w.SignedIn(), w.APIClient(w.Token(webtest.Own))
	for _, r := range w.Server.Routes() {
		if r.Method != "GET" || r.Path == "/static/*" {
			continue
		}
		b := page
		if r.Admits == site.AdmitToken {
			b = api
		}
		got := b.Get(webtest.Address(r, webtest.Own))
		if cc := got.Header.Get("Cache-Control"); cc != "private, no-cache" && cc != "no-store" {
			t.Errorf("%s: Cache-Control %q", r.Path, cc)
		}
	}
}

func TestPostsOfOtherSitesAreRefused(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.SignedIn()
	form := url.Values{"csrf": {w.CSRF()}}
	for name, header := range map[string]http.Header{
		"another site":   {"Sec-Fetch-Site": {"cross-site"}},
		"another host":   {"Sec-Fetch-Site": {"same-site"}},
		"an old browser": {"Origin": {"https://evil.example"}},
	} {
		if r := b.Do("POST", "/stores/acme/sync/pause", form, header); r.Status != http.StatusForbidden {
			t.Errorf("%s: %d", name, r.Status)
		}
		if r := b.Do("POST", "/sign-in", url.Values{"token": {w.Link()}}, header); r.Status != http.StatusForbidden {
			t.Errorf("%s, sign-in: %d", name, r.Status)
		}
	}
	if r := b.Do("POST", "/stores/acme/sync/pause", form, http.Header{"Sec-Fetch-Site": {"same-origin"}}); r.Status != http.StatusSeeOther {
		t.Errorf("our own form: %d", r.Status)
	}
}

// Browsers keep no cookie for https that came over http: without a word, the reader would sign in again
// and again.
func TestWhoSignsInOverHTTPIsSentToTheSecureAddress(t *testing.T) {
	t.Parallel()
	const base = "https://reports.example.com"
	w := webtest.NewWorldAt(t, base)
	for origin, refused := range map[string]bool{
		"http://reports.example.com": true, "http://10.0.0.5:8080": true,
		base: false, "http://localhost:8080": false, "http://127.0.0.1:8080": false, "http://[::1]:8080": false, "null": false,
	} {
		r := w.Browser().Do("POST", "/sign-in", url.Values{"token": {w.Link()}}, http.Header{"Origin": {origin}, "Sec-Fetch-Site": {"same-origin"}})
		if (r.Status == http.StatusForbidden) != refused || strings.Contains(r.Body, `href="`+base+`"`) != refused {
			t.Errorf("%s: %d %s", origin, r.Status, r.Body)
		}
	}
	if r := webtest.NewWorld(t).Browser().Do("POST", "/sign-in", url.Values{"email": {"a@example.com"}}, http.Header{"Origin": {"http://10.0.0.5:8080"}, "Sec-Fetch-Site": {"same-origin"}}); r.Status == http.StatusForbidden {
		t.Errorf("a server without https: %d", r.Status)
	}
}

func TestPostsWithoutTheFormTokenAreRefused(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.SignedIn()
	csrf := w.CSRF()
	for _, r := range w.Server.Routes() {
		if r.Method != "POST" || r.Admits != site.AdmitPerson {
			continue
		}
		for name, form := range map[string]url.Values{"none": {}, "empty": {"csrf": {""}}, "wrong": {"csrf": {csrf + "x"}}} {
			if got := b.Post(webtest.Address(r, webtest.Own), form); got.Status != http.StatusForbidden {
				t.Errorf("%s with token %s: %d", r.Path, name, got.Status)
			}
		}
		// A token in the address doesn't count: addresses leak.
		if got := b.Post(webtest.Address(r, webtest.Own)+"?csrf="+csrf, url.Values{}); got.Status != http.StatusForbidden {
			t.Errorf("%s with the token in the address: %d", r.Path, got.Status)
		}
	}
	w.Exec(`update sessions set data = convert_to(replace(convert_from(data, 'UTF8'), $1, ''), 'UTF8')`, csrf)
	if got := b.Post("/stores/acme/refresh", url.Values{"csrf": {""}}); got.Status != http.StatusForbidden {
		t.Errorf("nothing matched nothing: %d", got.Status)
	}
	w.Exec(`update sessions set data = convert_to(replace(convert_from(data, 'UTF8'), '"csrf":""', '"csrf":"' || $1 || '"'), 'UTF8')`, csrf)
	if w.Sessions() != 1 {
		t.Error("a refused sign-out ended the session")
	}
	if r := b.Do("POST", "/stores/acme/refresh", nil, http.Header{"X-Csrf-Token": {csrf}}); r.Status != http.StatusSeeOther {
		t.Errorf("token in the header: %d", r.Status)
	}
}

func TestLargeFormIsRefused(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	r := w.SignedIn().Post("/stores/acme/refresh", url.Values{"csrf": {w.CSRF()}, "x": slices.Repeat([]string{"1"}, site.MaxForm/4)})
	if r.Status != http.StatusRequestEntityTooLarge {
		t.Errorf("%d", r.Status)
	}
}

func TestARoleMayDoWhatItsRightsSayAndIsOfferedNothingElse(t *testing.T) {
	t.Parallel()
	for role, want := range map[access.Role]map[string]int{
		access.Viewer:   {"refresh": 403, "sync/pause": 403, "sync/resume": 403},
		access.Agency:   {"refresh": 303, "sync/pause": 403, "sync/resume": 403},
		access.Merchant: {"refresh": 303, "sync/pause": 303, "sync/resume": 303},
		access.Admin:    {"refresh": 303, "sync/pause": 303, "sync/resume": 303},
	} {
		t.Run(string(role), func(t *testing.T) {
			t.Parallel()
			w := webtest.NewWorld(t)
			w.Exec(`update people set role = $1`, string(role))
			b := w.SignedIn()
			page := b.Get("/stores/acme/sync").Body
			form := url.Values{"csrf": {w.CSRF()}}
			for path, status := range want {
				action := "/stores/acme/" + path
				if r := b.Post(action, form); r.Status != status {
					t.Errorf("%s: %d, want %d", path, r.Status, status)
				}
				if status == 403 && strings.Contains(page, action) {
					t.Errorf("the page offers %s, which is refused", path)
				}
			}
		})
	}
}

func TestPauseAndResumeChangeTheStore(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.SignedIn()
	form := url.Values{"csrf": {w.CSRF()}}
	paused := func() (p bool) {
		t.Helper()
		w.Must(w.DB.Pool.QueryRow(t.Context(), `select paused_at is not null from stores where slug = 'acme'`).Scan(&p))
		return p
	}
	if r := b.Post("/stores/acme/sync/pause", form); r.Header.Get("Location") != "/stores/acme/sync?done=pause" || !paused() {
		t.Errorf("%q, paused %v", r.Header.Get("Location"), paused())
	}
	if r := b.Post("/stores/acme/sync/resume", form); r.Header.Get("Location") != "/stores/acme/sync?done=resume" || paused() {
		t.Errorf("%q, paused %v", r.Header.Get("Location"), paused())
	}
}

func TestLogHoldsNoSecretAndNoQuery(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	token := w.Token(webtest.Own)
	b, api := w.SignedIn(), w.APIClient(token)
	b.Get("/stores/acme?start=2026-11-01&end=2026-11-02")
	api.Get("/api/v1/stores")
	api.Get("/api/v1/stores?token=" + token)
	b.Get("/sign-in/" + w.Link() + "?next=/hidden")
	log := w.Log.String()
	for _, secret := range []string{token, token[3:], w.CSRF(), "2026-11-01", "hidden", "next="} {
		if strings.Contains(log, secret) {
			t.Errorf("the log holds %q", secret)
		}
	}
	for _, want := range []string{"route=/sign-in/:token", "store=acme", "status=200", "person=", `token="test acme"`} {
		if !strings.Contains(log, want) {
			t.Errorf("the log lacks %q:\n%s", want, log)
		}
	}
}

func TestPanicBecomesAPageAndALogLine(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	w.Must(w.Server.Mount([]site.Route{site.Get("/boom", site.AdmitAll, access.See, func(*site.Call) error { panic("kaboom") })}))
	r := w.Browser().Get("/boom")
	if r.Status != 500 || strings.Contains(r.Body, "kaboom") {
		t.Errorf("%d: %s", r.Status, r.Body)
	}
	if log := w.Log.String(); !strings.Contains(log, "kaboom") || !strings.Contains(log, "level=ERROR") || !strings.Contains(log, r.Header.Get("X-Request-Id")) {
		t.Errorf("log: %s", log)
	}
}

var inline = regexp.MustCompile(`(?i)<[^>]*\s(style|on[a-z]+)=|<script(?:\s+(?:id|type="application/json"|src|defer|nonce)[^>]*)?>|javascript:`)

func TestPagesHoldNoInlineCode(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.SignedIn()
	for _, path := range []string{"/stores/acme", "/stores/acme/sync", "/sign-in", "/account", "/account/password", "/account/confirm", "/nowhere", "/gallery", "/gallery/overview", "/stores/acme/replies?pull=lifetime"} {
		body := b.Get(path).Body
		for _, found := range inline.FindAllString(body, -1) {
			if strings.HasPrefix(found, "<script") && (strings.Contains(found, ` src=`) || strings.Contains(found, `type="application/json"`)) {
				continue
			}
			t.Errorf("%s: %.200s", path, found)
		}
	}
}
