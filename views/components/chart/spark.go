package chart

import (
	"context"
	"io"

	"github.com/a-h/templ"
	"github.com/shopspring/decimal"
)

// SparkTone is how a sparkline is drawn.
type SparkTone string

// The tones.
const (
	SparkMain  SparkTone = "spark"       // the accent
	SparkPlain SparkTone = "spark plain" // views take no colour
	SparkStale SparkTone = "spark stale" // last good numbers
)

// Spark draws a small line over days: nil is a gap that breaks it (N1), the
// last day carries a dot. It scales between the lowest and the highest value,
// so it shows shape, not size. label says it in words.
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
	y := func(v decimal.Decimal) int { // tenths of a percent from the top
		if span == 0 {
			return 500
		}
		return 1000 - Permille(Drawn(v)-low, span)
	}
	b = append(b, `<svg viewBox="0 0 1000 1000" preserveAspectRatio="none" width="100%" height="100%" overflow="visible"><path d="`...)
	b = appendPath(b, values, max(len(values)-1, 1), y)
	b = append(b, `"/></svg>`...)
	if last := values[len(values)-1]; last != nil {
		b = append(b, `<circle cx="100%" cy="`...)
		b = AppendTenths(b, y(*last))
		b = append(b, `%" r="3"/>`...)
	}
	return append(b, `</svg>`...)
}

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
