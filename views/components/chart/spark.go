package chart

import (
	"context"
	"fmt"
	"io"

	"github.com/a-h/templ"
	"github.com/shopspring/decimal"
)

// SparkTone is how a sparkline is drawn.
type SparkTone string

const (
	SparkMain  SparkTone = "spark"       // the accent color
	SparkPlain SparkTone = "spark plain" // views have no color
	SparkStale SparkTone = "spark stale" // last good numbers
)

// Spark draws a small line over days: nil is a gap that breaks it (N1), the last day has a dot.
// It scales between the lowest and the highest value, so it shows shape, not size. label
// describes it in words.
func Spark(values []*decimal.Decimal, tone SparkTone, label string) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		b := fmt.Appendf(make([]byte, 0, 640), `<svg class="%s" role="img" aria-label="%s">`, tone, templ.EscapeString(label))
		_, err := w.Write(append(appendSpark(b, values), `</svg>`...))
		return err
	})
}

func appendSpark(b []byte, values []*decimal.Decimal) []byte {
	low, span, any := bounds(values)
	if !any {
		return append(b, `<path d="" />`...)
	}
	y := func(v decimal.Decimal) int { // steps from the top
		if span == 0 {
			return sparkSteps / 2
		}
		return sparkSteps - Permille(Drawn(v)-low, span)*sparkSteps/1000
	}
	b = fmt.Appendf(b, `<svg viewBox="0 0 %d 40" preserveAspectRatio="none" width="100%%" height="100%%" overflow="visible"><path d="`, max(len(values)-1, 1))
	b = append(appendPath(b, values, func(i int) int { return i }, y), `"/></svg>`...)
	if last := values[len(values)-1]; last != nil {
		b = fmt.Appendf(b, `<circle cx="100%%" cy="%s" r="3"/>`, Percent(y(*last)*1000/sparkSteps))
	}
	return b
}

// sparkSteps is the height of a line in steps of half a pixel, which keeps pages with many lines
// small.
const sparkSteps = 40

// bounds are the lowest value and the distance to the highest.
func bounds(values []*decimal.Decimal) (low, span float64, any bool) {
	high := 0.0
	for _, v := range values {
		if v == nil {
			continue
		}
		switch n := Drawn(*v); {
		case !any:
			low, high, any = n, n, true
		case n < low:
			low = n
		case n > high:
			high = n
		}
	}
	return low, high - low, any
}
