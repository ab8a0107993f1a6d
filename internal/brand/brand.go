// Package brand defines what may replace our own name, color and mark on pages: a short name, a color
// that is readable on every background, and a picture that was decoded and redrawn. Its values can only
// be made through its checks, so they are safe to write into a page or a style sheet. The package does
// no I/O.
package brand

import (
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ErrName: a name has 1 to 40 characters on one line.
var ErrName = errors.New("a name has 1 to 40 characters on one line")

// MaxName is the maximum length of a name in characters.
const MaxName = 40

// Name checks a name and returns it as shown; empty is our own. It returns ErrName.
func Name(text string) (string, error) {
	text = strings.TrimSpace(text)
	wrong := func(r rune) bool { return unicode.IsControl(r) || unicode.In(r, unicode.Bidi_Control) }
	if !utf8.ValidString(text) || utf8.RuneCountInString(text) > MaxName || strings.ContainsFunc(text, wrong) {
		return "", ErrName
	}
	return text, nil
}
