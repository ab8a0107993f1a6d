package web_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/storeglass/storeglass/web/webtest"
)

func TestAPageIsInTheLanguageOfThePersonElseOfTheBrowser(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.SignedIn()
	says := func(want, path string) {
		t.Helper()
		if r := b.Get(path); !strings.Contains(r.Body, `<html lang="`+want+`"`) {
			t.Errorf("%s is not in %s: %.60s", path, want, r.Body)
		}
	}
	says("en", "/stores/acme")
	b.Header.Set("Accept-Language", "fr-CH, fr;q=0.9, en;q=0.8")
	says("fr", "/stores/acme")
	b.Send("/account/language", "language", "de")
	says("de", "/stores/acme") // not the kept page of another language
	says("de", "/account")
	if r := b.Send("/account/language", "language", "tlh"); r.Status != http.StatusBadRequest {
		t.Errorf("Klingon: %d", r.Status)
	}
	says("de", "/account")
	b.Send("/account/language", "language", "")
	says("fr", "/account")
}
