package main

import (
	"html"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"syscall"
	"testing"
)

// From an empty database to numbers on a page, with a browser and the code from the terminal.
func TestFromTheSetUpCodeToMadeUpStores(t *testing.T) {
	t.Parallel()
	p := start(t, t.TempDir(), append(emptyDatabase(t), anyPort...), "serve")
	pages := p.after("Storeglass is at ")
	code, _, _ := strings.Cut(p.after("enter the setup code "), "\n")
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	c := &http.Client{Jar: jar}
	if first := fetched(t, c, pages); !strings.Contains(first, "Setup code") {
		t.Fatalf("an empty installation doesn't ask for its code\n%s", first)
	}
	send := func(path string, form url.Values) string {
		t.Helper()
		if m := csrfField.FindStringSubmatch(fetched(t, c, pages)); m != nil {
			form.Set("csrf", html.UnescapeString(m[1]))
		}
		resp, err := c.PostForm(pages+path, form)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		body, err := io.ReadAll(resp.Body)
		if err != nil || resp.StatusCode != http.StatusOK { // after the redirect
			t.Fatalf("POST %s: %s, %v\n%s", path, resp.Status, err, body)
		}
		return string(body)
	}
	welcome := send("/set-up", url.Values{"code": {code}, "email": {"ada@example.com"}, "name": {"Ada"}, "password": {"a long and winding road"}})
	if !strings.Contains(welcome, "Welcome to Storeglass") {
		t.Fatalf("the first admin isn't welcomed\n%s", welcome)
	}
	if list := send("/stores/made-up", url.Values{}); strings.Count(list, "(made up)") < 4 {
		t.Errorf("the made-up stores aren't listed\n%s", list)
	} else if !strings.Contains(list, "Remove all made-up stores") {
		t.Error("they can't be removed")
	}
	if again := send("/stores/made-up/remove", url.Values{}); !strings.Contains(again, "Welcome to Storeglass") {
		t.Errorf("they aren't removed\n%s", again)
	}
	p.signal(syscall.SIGTERM)
	if code, _ := p.exit(); code != exitOK {
		t.Errorf("exit %d\n%s", code, p.stderr)
	}
}
