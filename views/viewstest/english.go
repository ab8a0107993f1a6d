package viewstest

import (
	"io"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// english are words that nearly every English sentence has, and that aren't words of the other
// languages, or rarely.
var english = strings.Fields(`a the is are was were has have had be been it its this that these those there here you your we our they their
	of to for from with without by at on off and or not no yes all any each every only than then when where which who what why how
	day days week weeks month ago since until before after now today yesterday last next new old never always again still yet
	save cancel open show see add remove delete change send sent sign out more less higher lower fewer most least many
	store stores offer offers order orders value rate view views claim claims gift gifts link links person people mail mails page pages
	updated missing reported stored pulled due failed refused switched created connected revoked expired active scheduled`)

// Texts are a page's texts: its text and the attributes that are read out or shown.
func Texts(t *testing.T, page io.Reader) (out []string) {
	t.Helper()
	root, err := html.Parse(page)
	if err != nil {
		t.Fatal(err)
	}
	add := func(text string) {
		if text = strings.Join(strings.Fields(text), " "); text != "" {
			out = append(out, text)
		}
	}
	for n := range root.Descendants() {
		if n.Type == html.TextNode && n.Parent.Data != "script" && n.Parent.Data != "style" && n.Parent.Parent.Data != "optgroup" { // which holds cities
			add(n.Data)
		}
		for _, a := range n.Attr {
			if slices.Contains([]string{"aria-label", "title", "alt", "placeholder", "aria-description", "aria-roledescription"}, a.Key) {
				add(a.Val)
			}
		}
	}
	return out
}

// LooksEnglish reports whether a text has a word that our English sentences use.
func LooksEnglish(text string) bool {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return (r < 'a' || r > 'z') && r != '’' })
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(english, w) })
}
