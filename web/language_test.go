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
	says("de", "/stores/acme") // not the cached page of another language
	says("de", "/account")
	if r := b.Send("/account/language", "language", "tlh"); r.Status != http.StatusBadRequest {
		t.Errorf("Klingon: %d", r.Status)
	}
	says("de", "/account")
	b.Send("/account/language", "language", "")
	says("fr", "/account")
}

func TestTheNumbersOfAStoreAreInTheReadersLanguageAndTheirJSONIsNot(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.SignedIn()
	b.Header.Set("Accept-Language", "de")
	if r := b.Get("/stores/acme"); !strings.Contains(r.Body, "Daten bis ") || strings.Contains(r.Body, "Data to ") {
		t.Error("the overview is not in German")
	}
	shared := w.Browser()
	shared.Header.Set("Accept-Language", "de")
	link := w.Share(nil)
	if r := shared.Get(link); !strings.Contains(r.Body, "Daten bis ") || !strings.Contains(r.Body, "Bis</span>") && !strings.Contains(r.Body, "Übersicht") {
		t.Errorf("the shared overview is not in German: %d", r.Status)
	}
	if r := shared.Get(link + "/overview.json"); r.Status != http.StatusOK || strings.Contains(r.Body, "ü") {
		t.Errorf("JSON: %d %s", r.Status, r.Body)
	}
}
