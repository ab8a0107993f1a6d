package upstream

import (
	"fmt"
	"io"
	"log/slog"
	"strings"

	"github.com/storeglass/storeglass/internal/redact"
)

// hidden is what every way of printing a [Secret] shows.
const hidden = redact.Hidden

// tailFrom is the shortest secret whose last characters may be shown.
const tailFrom = 12

// Secret holds a token so that it can't be printed, logged or encoded by accident.
// [Secret.Reveal] is the only way to get its text.
type Secret struct {
	// A pointer, because fmt walks unexported fields of a struct that holds a
	// Secret without calling its methods: it then prints an address.
	text *string
}

// NewSecret wraps a token. White space around it (such as a pasted line end) is dropped.
func NewSecret(text string) Secret {
	text = strings.TrimSpace(text)
	if text == "" {
		return Secret{}
	}
	return Secret{text: &text}
}

// Reveal returns the token itself, for the Authorization header and for sealing.
func (s Secret) Reveal() string {
	if s.text == nil {
		return ""
	}
	return *s.text
}

// Tail returns the last four characters, so that a person can tell two tokens apart, or "" if
// the token is too short to reveal a third of it.
func (s Secret) Tail() string {
	runes := []rune(s.Reveal())
	if len(runes) < tailFrom {
		return ""
	}
	return string(runes[len(runes)-4:])
}

// IsZero reports whether there is no token.
func (s Secret) IsZero() bool { return s.text == nil }

// String hides the token.
func (Secret) String() string { return hidden }

// GoString hides the token from %#v.
func (Secret) GoString() string { return hidden }

// Format hides the token from every verb.
func (Secret) Format(state fmt.State, _ rune) { _, _ = io.WriteString(state, hidden) }

// MarshalJSON hides the token.
func (Secret) MarshalJSON() ([]byte, error) { return []byte(`"` + hidden + `"`), nil }

// MarshalText hides the token.
func (Secret) MarshalText() ([]byte, error) { return []byte(hidden), nil }

// LogValue hides the token from slog.
func (Secret) LogValue() slog.Value { return slog.StringValue(hidden) }
