package report

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// NameLength is how many characters of a name a mail shows.
const NameLength = 80

// OneLine puts a name from the services on one line of at most n characters, without control characters
// that change the direction of the text after it.
func OneLine(text string, n int) string {
	text = strings.Join(strings.FieldsFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r)
	}), " ")
	text = strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.Bidi_Control) || r == '\u2028' || r == '\u2029' || r == unicode.ReplacementChar {
			return -1
		}
		return r
	}, text)
	if r := []rune(text); len(r) > n {
		text = strings.TrimSpace(string(r[:n-1])) + "…"
	}
	return text
}

// Sentence returns the text ending with a full stop.
func Sentence(text string) string {
	if text == "" || strings.HasSuffix(text, ".") {
		return text
	}
	return text + "."
}

// LowerFirst makes the first letter lower-case.
func LowerFirst(text string) string {
	if text == "" {
		return text
	}
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToLower(first)) + text[size:]
}

func UpperFirst(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}

// controls removes the characters that change text direction; a name containing them could also change
// the text around it.
var controls = strings.NewReplacer("\u202a", "", "\u202b", "", "\u202c", "", "\u202d", "", "\u202e", "", "\u2066", "", "\u2067", "", "\u2068", "", "\u2069", "")

// Isolated keeps outside text, such as a name written right to left, from changing the direction of the
// text around it.
func Isolated(s string) string { return "\u2068" + controls.Replace(s) + "\u2069" }
