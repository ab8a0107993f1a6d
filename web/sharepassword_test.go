package web_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/access/sharing"
	"github.com/storeglass/storeglass/web/webtest"
)

func TestPasswordsOfALinkAreLimited(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	link := w.Share(withPassword)
	b := w.Browser()
	status := map[int]int{}
	before := w.Server.Passwords.Count()
	for range 40 {
		r := b.Post(link, url.Values{"password": {"not the password"}})
		status[r.Status]++
		if r.Status == 429 && (r.Header.Get("Retry-After") == "" || !strings.Contains(r.Body, "and try again")) {
			t.Errorf("%v %s", r.Header, r.Body)
		}
		if r.Status == 403 && !strings.Contains(r.Body, "That’s not the password") || strings.Contains(r.Body, "not the password\"") {
			t.Errorf("%s", r.Body)
		}
	}
	if status[403] != 20 || status[429] != 20 || w.Server.Passwords.Count()-before != 20 {
		t.Errorf("%v, %d passwords were hashed", status, w.Server.Passwords.Count()-before)
	}
	if r := b.Post(link, url.Values{"password": {sharePassword}}); r.Status != 429 {
		t.Errorf("the right one, too late: %d", r.Status)
	}
	w.Clock.Add(10 * time.Minute)
	if r := b.Post(link, url.Values{"password": {sharePassword}}); r.Status != 303 || r.Header.Get("Location") != link {
		t.Errorf("the right one, later: %d to %q", r.Status, r.Header.Get("Location"))
	}
	if r := b.Get(link); r.Status != 200 {
		t.Errorf("then the page: %d", r.Status)
	}
	if r := b.Post(link, url.Values{"password": {"not the password"}}); r.Status != 303 {
		t.Errorf("asked again: %d", r.Status)
	}
	w.Clock.Add(sharing.KeyLife)
	if r := b.Get(link); r.Status != 403 {
		t.Errorf("twelve hours later: %d", r.Status)
	}
}

func TestThePasswordPageTellsNothingAndLeadsNowhereElse(t *testing.T) {
	t.Parallel()
	for base, cookie := range map[string]string{"http://localhost:8080": "storeglass-share=", "https://reports.example.com": "__Secure-storeglass-share="} {
		w := webtest.NewWorldAt(t, base)
		link := w.Share(withPassword)
		b := w.Browser()
		r := b.Get(link + "/offers?query=%3Cb%3E")
		for _, never := range []string{"Acme", "acme", "Offers", "For the board", "Ada", "2026"} {
			if strings.Contains(r.Body, never) {
				t.Errorf("the page holds %q", never)
			}
		}
		if !strings.Contains(r.Body, "<title>Shared report · Storeglass</title>") || !strings.Contains(r.Body, `name="next" value="`+link+`/offers?query=%3Cb%3E"`) {
			t.Error(r.Body)
		}
		for _, next := range []string{"https://evil.example/", "https://evil.example" + link, "//evil.example", link + "/../../people", "/stores/acme", "/share/" + strings.Repeat("E", 43), link + "x", ""} {
			r := b.Post(link, url.Values{"password": {sharePassword}, "next": {next}})
			if r.Status != 303 || r.Header.Get("Location") != link {
				t.Errorf("next %q leads to %q (%d)", next, r.Header.Get("Location"), r.Status)
			}
			if set := r.Header.Get("Set-Cookie"); set != "" {
				for _, part := range []string{cookie, "; Path=" + link + ";", "; HttpOnly", "; SameSite=Lax", "Max-Age=43200"} {
					if !strings.Contains(set, part) {
						t.Errorf("cookie %q lacks %q", set, part)
					}
				}
				if strings.HasPrefix(base, "https") != strings.Contains(set, "; Secure") {
					t.Errorf("cookie %q over %s", set, base)
				}
			}
		}
	}
}
