package chart

import (
	"context"
	"io"
	"strconv"

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
		_, err := w.Write(appendSpark(make([]byte, 0, 640), values, tone, label))
		return err
	})
}

func appendSpark(b []byte, values []*decimal.Decimal, tone SparkTone, label string) []byte {
	b = append(b, `<svg class="`...)
	b = append(b, tone...)
	b = append(b, `" role="img" aria-label="`...)
	b = append(b, templ.EscapeString(label)...)
	b = append(b, `">`...)
	low, span, any := bounds(values)
	if !any {
		return append(b, `<path d="" /></svg>`...)
	}
	y := func(v decimal.Decimal) int { // steps from the top
		if span == 0 {
			return sparkSteps / 2
		}
		return sparkSteps - Permille(Drawn(v)-low, span)*sparkSteps/1000
	}
	b = append(b, `<svg viewBox="0 0 `...)
	b = strconv.AppendInt(b, int64(max(len(values)-1, 1)), 10)
	b = append(b, ` 40" preserveAspectRatio="none" width="100%" height="100%" overflow="visible"><path d="`...)
	b = appendPath(b, values, func(i int) int { return i }, y)
	b = append(b, `"/></svg>`...)
	if last := values[len(values)-1]; last != nil {
		b = append(b, `<circle cx="100%" cy="`...)
		b = AppendTenths(b, y(*last)*1000/sparkSteps)
		b = append(b, `%" r="3"/>`...)
	}
	return append(b, `</svg>`...)
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
