package components

import (
	"context"
	"io"

	"github.com/a-h/templ"

	"github.com/storeglass/storeglass/internal/locale"
)

// Markup is HTML being written, for the few parts that appear dozens of times on a page;
// everything else is a template. Text is always escaped.
type Markup []byte

// Put writes markup and text by turns: every second part is a text.
func (m *Markup) Put(parts ...string) {
	for i, s := range parts {
		if i%2 == 1 {
			s = templ.EscapeString(s)
		}
		*m = append(*m, s...)
	}
}

// Draw is markup that needs to know its reader's language.
func Draw(size int, draw func(m *Markup, l locale.Locale)) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		m := make(Markup, 0, size)
		draw(&m, locale.From(ctx))
		_, err := w.Write(m)
		return err
	})
}

// Component writes the markup as it is.
func (m Markup) Component() templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		_, err := w.Write(m)
		return err
	})
}
