// Package brand knows what may be on pages in place of our own name, colour and
// mark: a short name, a colour that can be read on every ground, and a picture that
// was decoded and drawn again. Its values can only be made through its checks, so
// that anyone who writes them into a page or a style sheet can't be made to write
// anything else. It does no input or output.
package brand

import (
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ErrName: a name has 1 to 40 characters on one line.
var ErrName = errors.New("a name has 1 to 40 characters on one line")

// MaxName bounds a name, in characters.
const MaxName = 40

// Name is a name as it is shown; empty is our own. ErrName.
func Name(text string) (string, error) {
	text = strings.TrimSpace(text)
	wrong := func(r rune) bool { return unicode.IsControl(r) || unicode.In(r, unicode.Bidi_Control) }
	if !utf8.ValidString(text) || utf8.RuneCountInString(text) > MaxName || strings.ContainsFunc(text, wrong) {
		return "", ErrName
	}
	return text, nil
}
