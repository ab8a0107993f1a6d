package gift

import (
	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report/gift"
	"github.com/storeglass/storeglass/views/components/chart"
)

// languageName is a language's name with its code; an unknown code is shown alone.
func languageName(l locale.Locale, code string) string {
	if code == "" {
		return l.T("gift.wording.all_languages")
	}
	tag, err := language.Parse(code)
	if err != nil {
		return code
	}
	if name := display.Tags(language.Make(l.Code())).Name(tag); name != "" {
		return name + " (" + code + ")"
	}
	return code
}

// customised is "12 of 84", or as much of it as is known.
func customised(l locale.Locale, of gift.Language) string {
	switch {
	case !of.Pulled:
		return "–"
	case of.Total == nil:
		return l.Count(of.Customised)
	}
	return l.T("gift.wording.count_of", "count", of.Customised, "total", *of.Total)
}

func languageBar(l gift.Language) (string, bool) {
	if !l.Pulled || l.Total == nil || *l.Total <= 0 {
		return "", false
	}
	return chart.Percent(int(min(max(l.Customised, 0)*1000 / *l.Total, 1000))), true
}

// otherStrings says what is shown for strings that this language doesn't translate (N59).
func otherStrings(l locale.Locale, of gift.Language) string {
	switch {
	case !of.Pulled:
		return l.T("gift.widgets.not_loaded")
	case !of.Found:
		return l.T("gift.wording.builtin_throughout")
	case of.Typed > 0:
		return l.T("gift.wording.typed", "n", of.Typed)
	}
	return l.T("gift.wording.builtin")
}

// notNewer says why there is no newer answer about a language.
func notNewer(l locale.Locale, of gift.Language) string {
	if !of.Pulled {
		return of.Text
	}
	return l.T("gift.wording.last_good", "reason", locale.Name(of.Text))
}
