package chart

import (
	"fmt"

	"github.com/shopspring/decimal"
)

// appendBars draws the days on an axis from 0 to the view's highest; a zero is a day without
// a bar. id is unique on the page: a second pattern of the same id would blank the hatch.
func (v View) appendBars(b []byte, id string) []byte {
	b = append(b, `<svg class="bars" aria-hidden="true">`+Hatch(id, 45)+`<line x2="100%" y1=".5" y2=".5" class="grid-line"/><line x2="100%" y1="50%" y2="50%" class="grid-line"/>`...)
	n, height, space := len(v.Bars), Drawn(v.Max), barSpace
	if v.Slim {
		space = slimSpace
	}
	for _, run := range v.Missing {
		from, to := run.From*10000/n, (run.To+1)*10000/n
		b = fmt.Appendf(b, `<rect data-missing x="%s" y="0" width="%s" height="100%%" fill="url(#%s)"/>`, Percent(from/10), Percent((to-from)/10), id)
	}
	if n > longWindow {
		b = appendProfile(b, v.Bars, height)
	} else {
		for i, value := range v.Bars {
			if value == nil || !value.IsPositive() {
				continue
			}
			// In hundredths of a percent, so that rounding never overlaps two bars.
			from, to := i*10000/n, (i+1)*10000/n
			h := max(Permille(Drawn(*value), height), 12) // a sale is always visible
			pad := (to - from) * space / 100
			b = fmt.Appendf(b, `<rect x="%s" y="%s" width="%s" height="%s" rx="1" fill="currentColor"/>`, Percent((from+pad)/10), Percent(1000-h), Percent((to-from-2*pad)/10), Percent(h))
		}
	}
	for _, at := range v.Rules {
		b = fmt.Appendf(b, `<line x1="%s" x2="%[1]s" y2="100%%" class="rule-line"/>`, Percent((2*at+1)*500/n))
	}
	return append(b, `<line x1="0" x2="100%" y1="100%" y2="100%" class="base-line"/></svg>`...)
}

// appendAcross draws one bar on an axis from -Max to Max.
func (v View) appendAcross(b []byte) []byte {
	width, class := 0, "solid"
	if value := v.Bars[0]; value != nil {
		width = max(Permille(Drawn(value.Abs()), Drawn(v.Max))/2, 2)
	}
	from := 500
	if v.Bars[0] != nil && v.Bars[0].IsNegative() {
		from -= width
	}
	if v.Hollow {
		class = "outline"
	}
	return fmt.Appendf(b, `<svg class="bars" aria-hidden="true"><rect x="%s" y="13%%" width="%s" height="74%%" class="%s"/><line x1="50%%" x2="50%%" y2="100%%" class="base-line"/></svg>`, Percent(from), Percent(width), class)
}

// Percent of a day left free on either side of its bar.
const barSpace, slimSpace = 13, 27

// longWindow is the number of days above which bars are drawn as one shape.
const longWindow = 120

// appendProfile draws the bars of a long window as one path without gaps.
func appendProfile(b []byte, days []*decimal.Decimal, top float64) []byte {
	b = fmt.Appendf(b, `<svg viewBox="0 0 %d 1000" preserveAspectRatio="none" width="100%%" height="100%%"><path fill="currentColor" d="M0 1000`, len(days))
	for _, d := range days {
		h := 0
		if d != nil {
			h = Permille(Drawn(*d), top)
		}
		b = fmt.Appendf(b, "V%dh1", 1000-h)
	}
	return append(b, `V1000Z"/></svg>`...)
}

// Hatch defines a pattern of slanting lines: 45 degrees for missing days, -45 for kept ones.
func Hatch(id string, angle int) string {
	return fmt.Sprintf(`<pattern id="%s" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(%d)"><path d="M0 0v5" class="hatch-line"/></pattern>`, id, angle)
}
