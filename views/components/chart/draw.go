package chart

import (
	"context"
	"fmt"
	"io"

	"github.com/a-h/templ"

	"github.com/storeglass/storeglass/internal/locale"
)

type withData struct{}

// WithData is a context in which charts include their data for charts.js after their pictures.
// Pages are usually sent without it, because few readers interact with a chart.
func WithData(ctx context.Context) context.Context { return context.WithValue(ctx, withData{}, true) }

// Component is the chart's picture, and with WithData its options as JSON.
func (c Chart) Component() templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		b := fmt.Appendf(make([]byte, 0, 8192), `<div class="chart %s" data-chart="%s-data" role="img" aria-label="%s">`, c.Class, c.ID, templ.EscapeString(c.Label))
		for i, v := range c.Views {
			b = fmt.Appendf(b, `<div class="stand-in inset-%d" data-picture="%s"`, c.Left(), v.Key)
			if i > 0 {
				b = append(b, ` hidden`...)
			}
			b = append(b, '>')
			switch {
			case v.Across:
				b = v.appendAcross(b)
			case v.Lines == nil:
				b = v.appendBars(b, c.ID)
			default:
				b = v.appendLines(b, fmt.Sprint(c.ID, "-hatch-", i))
			}
			b = append(b, `</div>`...)
		}
		if _, err := w.Write(append(b, `</div>`...)); err != nil || ctx.Value(withData{}) == nil {
			return err
		}
		return templ.JSONScript(c.ID+"-data", c.data(locale.T(ctx, "chart.keys"))).Render(ctx, w)
	})
}
