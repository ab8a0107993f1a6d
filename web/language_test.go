package web

import (
	"net/http"
	"strings"
	"testing"
)

func TestAPageIsInTheLanguageOfThePersonElseOfTheBrowser(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.signedIn()
	says := func(want, path string) {
		t.Helper()
		if r := b.get(path); !strings.Contains(r.body, `<html lang="`+want+`"`) {
			t.Errorf("%s is not in %s: %.60s", path, want, r.body)
		}
	}
	says("en", "/stores/acme")
	b.header.Set("Accept-Language", "fr-CH, fr;q=0.9, en;q=0.8")
	says("fr", "/stores/acme")
	b.send("/account/language", "language", "de")
	says("de", "/stores/acme") // not the kept page of another language
	says("de", "/account")
	if r := b.send("/account/language", "language", "tlh"); r.status != http.StatusBadRequest {
		t.Errorf("Klingon: %d", r.status)
	}
	says("de", "/account")
	b.send("/account/language", "language", "")
	says("fr", "/account")
}
