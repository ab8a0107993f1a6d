package chart

import (
	"context"
	"io"
	"strconv"

	"github.com/a-h/templ"
	"github.com/shopspring/decimal"
)

// BarDay is one day of a bar chart. A day that is not stored is hatched; a
// stored zero is a day without a bar.
type BarDay struct {
	Stored bool
	Value  *decimal.Decimal
}

// Bars draws days on an axis from 0 to top. id is unique on the page: a second
// pattern of the same id would blank the hatch.
func Bars(id string, days []BarDay, top decimal.Decimal, class, label string) templ.Component {
	return bars(id, days, top, class, label, 13)
}

// SlimBars are bars of a wide panel, with more room between them.
func SlimBars(id string, days []BarDay, top decimal.Decimal, class, label string) templ.Component {
	return bars(id, days, top, class, label, 27)
}

func bars(id string, days []BarDay, top decimal.Decimal, class, label string, space int) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		_, err := w.Write(appendBars(make([]byte, 0, 2560), id, days, top, class, label, space))
		return err
	})
}

// appendBars leaves space percent of a day free on either side of its bar.
func appendBars(b []byte, id string, days []BarDay, top decimal.Decimal, class, label string, space int) []byte {
	b = append(b, `<svg class="bars `...)
	b = append(b, class...)
	b = append(b, `" role="img" aria-label="`...)
	b = append(b, templ.EscapeString(label)...)
	b = append(b, `">`...)
	b = AppendHatch(b, id, "45")
	b = append(b, `<line x2="100%" y1=".5" y2=".5" class="grid-line"/><line x2="100%" y1="50%" y2="50%" class="grid-line"/>`...)
	n, height := len(days), Drawn(top)
	if n > longWindow {
		b = appendProfile(b, days, height)
	}
	for i := 0; i < n; i++ {
		// In hundredths of a percent, so that rounding never overlaps two bars.
		from, to := i*10000/n, (i+1)*10000/n
		switch d := days[i]; {
		case !d.Stored:
			for i+1 < n && !days[i+1].Stored {
				i++
			}
			to = (i + 1) * 10000 / n
			b = append(b, `<rect data-missing x="`...)
			b = AppendTenths(b, from/10)
			b = append(b, `%" y="0" width="`...)
			b = AppendTenths(b, (to-from)/10)
			b = append(b, `%" height="100%" fill="url(#`...)
			b = append(b, id...)
			b = append(b, `)"/>`...)
		case n > longWindow || d.Value == nil || !d.Value.IsPositive():
		default:
			h := max(Permille(Drawn(*d.Value), height), 12) // a sale never vanishes
			pad := (to - from) * space / 100
			b = append(b, `<rect x="`...)
			b = AppendTenths(b, (from+pad)/10)
			b = append(b, `%" y="`...)
			b = AppendTenths(b, 1000-h)
			b = append(b, `%" width="`...)
			b = AppendTenths(b, (to-from-2*pad)/10)
			b = append(b, `%" height="`...)
			b = AppendTenths(b, h)
			b = append(b, `%" rx="1" fill="currentColor"/>`...)
		}
	}
	return append(b, `<line x1="0" x2="100%" y1="100%" y2="100%" class="base-line"/></svg>`...)
}

// longWindow is the number of days above which bars are drawn as one shape.
const longWindow = 120

// appendProfile draws the bars of a long window as one path without gaps.
func appendProfile(b []byte, days []BarDay, top float64) []byte {
	b = append(b, `<svg viewBox="0 0 `...)
	b = strconv.AppendInt(b, int64(len(days)), 10)
	b = append(b, ` 1000" preserveAspectRatio="none" width="100%" height="100%"><path fill="currentColor" d="M0 1000`...)
	for _, d := range days {
		h := 0
		if d.Stored && d.Value != nil {
			h = Permille(Drawn(*d.Value), top)
		}
		b = append(b, 'V')
		b = strconv.AppendInt(b, int64(1000-h), 10)
		b = append(b, 'h', '1')
	}
	return append(b, `V1000Z"/></svg>`...)
}

// AppendHatch defines a pattern of slanting lines: 45 for missing days, -45 for
// what is kept.
func AppendHatch(b []byte, id, angle string) []byte {
	b = append(b, `<pattern id="`...)
	b = append(b, id...)
	b = append(b, `" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(`...)
	b = append(b, angle...)
	return append(b, `)"><path d="M0 0v5" class="hatch-line"/></pattern>`...)
}
