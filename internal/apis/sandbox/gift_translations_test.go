package sandbox

import (
	"encoding/json"
	"net/http"
	"testing"
)

type gotWording struct {
	Text         string
	Translations map[string]string
}

func TestTranslationsAreOfOneLanguageWhenAskedAndSomeAreMissing_N59(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	type answer struct {
		ActiveLanguages []string
		TotalStrings    int
		Widgets         map[string]map[string]gotWording
		Campaigns       map[string]map[string]gotWording
	}
	count := func(query string) (entries int, languages map[string]int, got answer) {
		got, languages = data[answer](t, w.gift("fernhollow", "/translations"+query)), map[string]int{}
		for _, part := range []map[string]map[string]gotWording{got.Widgets, got.Campaigns} {
			for _, fields := range part {
				for _, entry := range fields {
					entries++
					hold(t, entry.Text != "")
					for language := range entry.Translations {
						languages[language]++
					}
				}
			}
		}
		return entries, languages, got
	}
	entries, languages, all := count("")
	same(t, all.TotalStrings, entries)
	same(t, []string{"en", "es", "fr"}, all.ActiveLanguages)
	hold(t, languages["es"] > 0 && languages["es"]+languages["fr"] < 2*entries, "some are missing", languages)
	_, only, one := count("?locale=fr")
	same(t, map[string]int{"fr": languages["fr"]}, only)
	same(t, all.TotalStrings, one.TotalStrings)
	_, none, _ := count("?locale=xx")
	same(t, map[string]int{}, none)
}

func TestTranslationsOfManyLanguagesAreCutOffUnlessOneIsAskedFor_N58(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{Vast: true})
	cut := w.gift("penrose", "/translations")
	same(t, []int{http.StatusOK, translationsMax}, []int{cut.status, len(cut.body)})
	hold(t, !json.Valid([]byte(cut.body)))
	one := data[struct{ ActiveLanguages []string }](t, w.gift("penrose", "/translations?locale=de"))
	same(t, 24, len(one.ActiveLanguages), "one language says which others there are")
	w.Break(Gift, "penrose", Fault{Path: "/translations", Cause: BadInput})
	requireGiftError(t, w.gift("penrose", "/translations"), http.StatusBadRequest, codeInvalidInput)
}
