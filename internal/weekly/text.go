package weekly

import (
	_ "embed"
	"strings"
	"text/template"
	"unicode"
	"unicode/utf8"

	"github.com/storeglass/storeglass/internal/report/weekly"
)

//go:embed mail.text.tmpl
var mailText string

// textTemplate says what the HTML says, in the same order.
var textTemplate = template.Must(template.New("mail").Funcs(template.FuncMap{
	"heading": heading, "bracketed": bracketed, "value": valueWords, "days": dayWords,
}).Parse(mailText))

// heading is an underlined title, with a note behind it.
func heading(title, note string) string {
	return "\n" + begun(title) + bracketed(note) + "\n" + strings.Repeat("-", utf8.RuneCountInString(title))
}

// begun capitalizes the first letter.
func begun(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}

func bracketed(note string) string {
	if note == "" {
		return ""
	}
	return " (" + note + ")"
}

// valueWords is "$1,466.25, 45 claims (Thank you page upsell)".
func valueWords(r weekly.Row) string {
	text := r.Value
	if change := r.Change(); change != "" && change != "–" {
		text += ", " + change
	}
	return text + bracketed(r.Under)
}
