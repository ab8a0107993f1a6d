package chart

import (
	"fmt"

	"github.com/a-h/templ"
	"github.com/shopspring/decimal"
)

// appendLines draws a view of lines in the same place as the interactive chart, including text.
func (v View) appendLines(b []byte, id string) []byte {
	top := Drawn(v.Max)
	y := func(d decimal.Decimal) int { return 1000 - Permille(Drawn(d), top) }
	last := max(len(v.Names)-1, 1)
	b = append(b, `<svg class="plot" aria-hidden="true">`...)
	if len(v.Missing) > 0 {
		b = append(b, Hatch(id, 45)...)
	}
	for i, word := range v.Axis {
		at := 1000 - i*1000/max(len(v.Axis)-1, 1)
		class := "grid-line"
		if i == 0 {
			class = "base-line"
		}
		b = fmt.Appendf(b, `<line x2="100%%" y1="%[1]s" y2="%[1]s" class="%[2]s"/><text x="-9" y="%[1]s" dy="4" text-anchor="end">%[3]s</text>`, Percent(at), class, templ.EscapeString(word))
	}
	for i, at := range v.Ticks {
		anchor, class := "middle", "tick"
		if i == 0 {
			anchor = "start"
		} else if i%2 == 1 {
			class = "tick between"
		}
		b = fmt.Appendf(b, `<text x="%s" y="100%%" dy="20" text-anchor="%s" class="%s">%s</text>`, Percent(at*1000/last), anchor, class, templ.EscapeString(v.Names[at]))
	}
	for _, run := range v.Missing {
		from, to := max(run.From*2000-1000, 0)/(2*last), min(run.To*2000+1000, last*2000)/(2*last)
		b = fmt.Appendf(b, `<rect data-missing x="%s" width="%s" height="100%%" fill="url(#%s)"/>`, Percent(from), Percent(to-from), id)
	}
	for _, at := range v.Rules {
		b = fmt.Appendf(b, `<line x1="%s" x2="%[1]s" y2="100%%" class="rule-line"/>`, Percent(at*1000/last))
	}
	b = append(b, `<svg viewBox="0 0 1000 1000" preserveAspectRatio="none" width="100%" height="100%" overflow="visible">`...)
	for _, l := range v.Lines {
		b = fmt.Appendf(b, `<path class="line-%s" d="`, l.Style)
		b = appendPath(b, l.Values, func(i int) int { return i * 1000 / last }, y)
		b = append(b, `"/>`...)
	}
	b = append(b, `</svg>`...)
	for _, d := range v.Dots {
		class := "dot-" + string(d.Style)
		if d.Hollow {
			class += " hollow"
		}
		b = fmt.Appendf(b, `<circle cx="%s" cy="%s" r="3.5" class="%s"/>`, Percent(d.At*1000/last), Percent(y(d.Value)), class)
	}
	for _, w := range v.Words {
		anchor, dx, dy := "middle", 0, 16
		switch w.Side {
		case Before:
			anchor, dx, dy = "end", -9, 4
		case After:
			anchor = "start"
		}
		b = fmt.Appendf(b, `<text x="%s" y="%s" dx="%d" dy="%d" text-anchor="%s" class="words">%s</text>`, Percent(w.At*1000/last), Percent(y(w.Value)), dx, dy, anchor, templ.EscapeString(w.Text))
	}
	return append(b, `</svg>`...)
}

// appendPath is a line between the values, x and y in the steps of its picture, each point
// relative to the one before, which keeps pages with many lines small. nil breaks it, and a single
// value between gaps is a dot.
func appendPath(b []byte, values []*decimal.Decimal, x func(int) int, y func(decimal.Decimal) int) []byte {
	pen, lastX, lastY := false, 0, 0
	for i, v := range values {
		if v == nil {
			pen = false
			continue
		}
		atX, atY := x(i), y(*v)
		if pen {
			b = fmt.Appendf(b, " %d %d", atX-lastX, atY-lastY)
		} else {
			b = fmt.Appendf(b, "M%d %dl0 0", atX, atY)
		}
		pen, lastX, lastY = true, atX, atY
	}
	return b
}
