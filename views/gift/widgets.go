package gift

import (
	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
)

// languageName is a language's name with its code; a code that names none stands alone.
func languageName(code string) string {
	if code == "" {
		return "All languages together"
	}
	tag, err := language.Parse(code)
	if err != nil {
		return code
	}
	if name := display.English.Tags().Name(tag); name != "" {
		return name + " (" + code + ")"
	}
	return code
}

// customised is "12 of 84", or as much of it as was said.
func customised(l report.Language) string {
	switch {
	case !l.Pulled:
		return "–"
	case l.Total == nil:
		return locale.English.Count(l.Customised)
	}
	return locale.English.Count(l.Customised) + " of " + locale.English.Count(*l.Total)
}

func languageBar(l report.Language) (string, bool) {
	if !l.Pulled || l.Total == nil || *l.Total <= 0 {
		return "", false
	}
	return tenths(int(min(max(l.Customised, 0)*1000 / *l.Total, 1000))), true
}

// otherStrings say what the strings show that this language has no wording for (N59).
func otherStrings(l report.Language) string {
	switch {
	case !l.Pulled:
		return "not asked yet"
	case !l.Found:
		return "built-in wording throughout: nothing was customised"
	case l.Typed > 0:
		return report.Plural(l.Typed, "string shows", "strings show") + " the wording of the Design screen, the rest the built-in one"
	}
	return "built-in wording"
}
