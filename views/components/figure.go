package components

import (
	"context"
	"io"

	"github.com/a-h/templ"

	"github.com/storeglass/storeglass/internal/report"
)

// FigureText is a number with its quiet part: cents, percent sign. No space may
// come between the two.
func FigureText(f report.Figure) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		b := make([]byte, 0, 64)
		b = append(b, templ.EscapeString(f.Main)...)
		if f.Muted != "" {
			b = append(b, `<span class="quiet">`...)
			b = append(b, templ.EscapeString(f.Muted)...)
			b = append(b, `</span>`...)
		}
		_, err := w.Write(b)
		return err
	})
}
