package components

import (
	"context"
	"io"
	"strconv"

	"github.com/a-h/templ"

	"github.com/storeglass/storeglass/internal/locale"
)

// Markup is HTML being written, for the few parts that appear dozens of times on a page;
// everything else is a template. Text is always escaped.
type Markup []byte

func (m *Markup) Raw(parts ...string) {
	for _, s := range parts {
		*m = append(*m, s...)
	}
}

func (m *Markup) Text(s string) { *m = append(*m, templ.EscapeString(s)...) }

func (m *Markup) Int(n int) { *m = strconv.AppendInt(*m, int64(n), 10) }

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
