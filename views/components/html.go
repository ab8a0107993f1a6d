package components

import (
	"context"
	"io"
	"strconv"

	"github.com/a-h/templ"
)

// markup is HTML in the making, for the few parts that stand on a page dozens of
// times; everything else is a template. Text is always escaped.
type markup []byte

func (m *markup) raw(parts ...string) {
	for _, s := range parts {
		*m = append(*m, s...)
	}
}

func (m *markup) text(s string) { *m = append(*m, templ.EscapeString(s)...) }

func (m *markup) int(n int) { *m = strconv.AppendInt(*m, int64(n), 10) }

// component writes the markup as it is.
func (m markup) component() templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		_, err := w.Write(m)
		return err
	})
}
