package find

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// words are those of a text without case and accents, so that "brid" finds "Bríd".
func words(text string) []string {
	text = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFD.String(text))
	return strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// open are the words asked for with which no word of the text begins.
func open(asked, text []string) (left []string) {
	for _, a := range asked {
		if !slices.ContainsFunc(text, func(w string) bool { return strings.HasPrefix(w, a) }) {
			left = append(left, a)
		}
	}
	return left
}
