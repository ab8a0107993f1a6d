package web

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/web/site"
)

func TestEveryAnswerCarriesStrictHeaders(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.signedIn()
	for _, path := range []string{"/", "/stores/acme", "/stores/acme/sync", "/nowhere", "/livez", "/sign-in/x", "/static/none", "/api/v1/stores", "/stores/acme/history.csv"} {
		r := b.get(path)
		for name, want := range map[string]string{
			"Content-Security-Policy":    site.Policy,
			"X-Content-Type-Options":     "nosniff",
			"Referrer-Policy":            "same-origin",
			"Cross-Origin-Opener-Policy": "same-origin",
			"X-Robots-Tag":               "noindex, nofollow",
			"X-Frame-Options":            "DENY",
		} {
			if got := r.header.Values(name); len(got) != 1 || got[0] != want {
				t.Errorf("%s: %s is %q", path, name, got)
			}
		}
		if r.header.Get("Permissions-Policy") == "" || r.header.Get("X-Request-Id") == "" {
			t.Errorf("%s lacks Permissions-Policy or X-Request-Id", path)
		}
		if r.header.Get("Strict-Transport-Security") != "" {
			t.Errorf("%s: HSTS over plain http", path)
		}
	}
	if strings.Contains(site.Policy, "unsafe") {
		t.Error("the policy allows inline code")
	}
}

func TestPagesAreNeverKeptByOthers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.ownLink()
	page, api := w.signedIn(), w.apiClient(w.token(own))
	for _, r := range w.server.routes() {
		if r.Method != "GET" || r.Path == "/static/*" {
			continue
		}
		b := page
		if r.Admits == site.AdmitToken {
			b = api
		}
		got := b.get(address(r, own))
		if cc := got.header.Get("Cache-Control"); cc != "private, no-cache" && cc != "no-store" {
			t.Errorf("%s: Cache-Control %q", r.Path, cc)
		}
	}
}

func TestPostsOfOtherSitesAreRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.signedIn()
	form := url.Values{"csrf": {w.csrf()}}
	for name, header := range map[string]http.Header{
		"another site":   {"Sec-Fetch-Site": {"cross-site"}},
		"another host":   {"Sec-Fetch-Site": {"same-site"}},
		"an old browser": {"Origin": {"https://evil.example"}},
	} {
		if r := b.do("POST", "/stores/acme/sync/pause", form, header); r.status != http.StatusForbidden {
			t.Errorf("%s: %d", name, r.status)
		}
		if r := b.do("POST", "/sign-in", url.Values{"token": {w.link()}}, header); r.status != http.StatusForbidden {
			t.Errorf("%s, sign-in: %d", name, r.status)
		}
	}
	if r := b.do("POST", "/stores/acme/sync/pause", form, http.Header{"Sec-Fetch-Site": {"same-origin"}}); r.status != http.StatusSeeOther {
		t.Errorf("our own form: %d", r.status)
	}
}

func TestPostsWithoutTheFormTokenAreRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.signedIn()
	csrf := w.csrf()
	for _, r := range w.server.routes() {
		if r.Method != "POST" || r.Admits != site.AdmitPerson {
			continue
		}
		for name, form := range map[string]url.Values{"none": {}, "empty": {"csrf": {""}}, "wrong": {"csrf": {csrf + "x"}}} {
			if got := b.post(address(r, own), form); got.status != http.StatusForbidden {
				t.Errorf("%s with token %s: %d", r.Path, name, got.status)
			}
		}
		// A token in the address is no token: addresses leak.
		if got := b.post(address(r, own)+"?csrf="+csrf, url.Values{}); got.status != http.StatusForbidden {
			t.Errorf("%s with the token in the address: %d", r.Path, got.status)
		}
	}
	w.exec(`update sessions set data = convert_to(replace(convert_from(data, 'UTF8'), $1, ''), 'UTF8')`, csrf)
	if got := b.post("/stores/acme/sync/pull", url.Values{"csrf": {""}}); got.status != http.StatusForbidden {
		t.Errorf("nothing matched nothing: %d", got.status)
	}
	w.exec(`update sessions set data = convert_to(replace(convert_from(data, 'UTF8'), '"csrf":""', '"csrf":"' || $1 || '"'), 'UTF8')`, csrf)
	if w.sessions() != 1 {
		t.Error("a refused sign-out ended the session")
	}
	if r := b.do("POST", "/stores/acme/sync/pull", nil, http.Header{"X-Csrf-Token": {csrf}}); r.status != http.StatusSeeOther {
		t.Errorf("token in the header: %d", r.status)
	}
}

func TestLargeFormIsRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.signedIn().post("/stores/acme/sync/pull", url.Values{"csrf": {w.csrf()}, "x": {strings.Repeat("x", site.MaxForm)}})
	if r.status != http.StatusRequestEntityTooLarge {
		t.Errorf("%d", r.status)
	}
}

func TestARoleMayDoWhatItsRightsSayAndIsOfferedNothingElse(t *testing.T) {
	t.Parallel()
	for role, want := range map[access.Role]map[string]int{
		access.Viewer:   {"pull": 403, "pause": 403, "resume": 403},
		access.Agency:   {"pull": 303, "pause": 403, "resume": 403},
		access.Merchant: {"pull": 303, "pause": 303, "resume": 303},
		access.Admin:    {"pull": 303, "pause": 303, "resume": 303},
	} {
		t.Run(string(role), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.exec(`update people set role = $1`, string(role))
			b := w.signedIn()
			page := b.get("/stores/acme/sync").body
			form := url.Values{"csrf": {w.csrf()}}
			for path, status := range want {
				action := "/stores/acme/sync/" + path
				if r := b.post(action, form); r.status != status {
					t.Errorf("%s: %d, want %d", path, r.status, status)
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
	w := newWorld(t)
	b := w.signedIn()
	form := url.Values{"csrf": {w.csrf()}}
	paused := func() (p bool) {
		t.Helper()
		w.must(w.db.Pool.QueryRow(t.Context(), `select paused_at is not null from stores where slug = 'acme'`).Scan(&p))
		return p
	}
	if r := b.post("/stores/acme/sync/pause", form); r.header.Get("Location") != "/stores/acme/sync?done=pause" || !paused() {
		t.Errorf("%q, paused %v", r.header.Get("Location"), paused())
	}
	if r := b.post("/stores/acme/sync/resume", form); r.header.Get("Location") != "/stores/acme/sync?done=resume" || paused() {
		t.Errorf("%q, paused %v", r.header.Get("Location"), paused())
	}
}

func TestLogHoldsNoSecretAndNoQuery(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	token := w.token(own)
	b, api := w.signedIn(), w.apiClient(token)
	b.get("/stores/acme?start=2026-11-01&end=2026-11-02")
	api.get("/api/v1/stores")
	api.get("/api/v1/stores?token=" + token)
	b.get("/sign-in/" + w.link() + "?next=/hidden")
	log := w.log.String()
	for _, secret := range []string{token, token[3:], w.csrf(), "2026-11-01", "hidden", "next="} {
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
	w := newWorld(t)
	w.must(w.server.mount([]site.Route{site.Get("/boom", site.AdmitAll, access.See, func(*site.Call) error { panic("kaboom") })}))
	r := w.browser().get("/boom")
	if r.status != 500 || strings.Contains(r.body, "kaboom") {
		t.Errorf("%d: %s", r.status, r.body)
	}
	if log := w.log.String(); !strings.Contains(log, "kaboom") || !strings.Contains(log, "level=ERROR") || !strings.Contains(log, r.header.Get("X-Request-Id")) {
		t.Errorf("log: %s", log)
	}
}

var inline = regexp.MustCompile(`(?i)<[^>]*\s(style|on[a-z]+)=|<script(?:\s+(?:id|type="application/json"|src|defer|nonce)[^>]*)?>|javascript:`)

func TestPagesHoldNoInlineCode(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.signedIn()
	for _, path := range []string{"/stores/acme", "/stores/acme/sync", "/sign-in", "/account", "/account/password", "/account/confirm", "/nowhere", "/gallery", "/gallery/overview", "/stores/acme/replies?pull=lifetime"} {
		body := b.get(path).body
		for _, found := range inline.FindAllString(body, -1) {
			if strings.HasPrefix(found, "<script") && (strings.Contains(found, ` src=`) || strings.Contains(found, `type="application/json"`)) {
				continue
			}
			t.Errorf("%s: %.200s", path, found)
		}
	}
}
