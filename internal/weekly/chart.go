package weekly

import (
	_ "embed"
	"image"
	"image/color"
	"math"
	"strconv"
	"strings"
	"sync"

	"github.com/shopspring/decimal"
	xfont "golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/mail/style"
	"github.com/storeglass/storeglass/internal/report/weekly"
)

// The chart's size in points: as wide as the mail's text, two pixels per point.
const (
	chartWide, chartHigh = vg.Length(524), vg.Length(214)
	chartDPI             = 144
	// Days and amounts are below the bars, where no line can cross them.
	chartFloor = vg.Length(54)
	dayLine    = vg.Length(32)
	amountLine = vg.Length(8)
	chartSky   = vg.Length(6)
	// flagBand is the height that note markers take above the bars.
	flagBand = vg.Length(20)
	barWide  = vg.Length(40)
	// On a phone 390 pixels wide the chart is 336 pixels wide, so this comes out at 11 pixels.
	chartType = vg.Length(17.25)
)

//go:embed inter/400.ttf
var inter400 []byte

//go:embed inter/600.ttf
var inter600 []byte

// fonts are Inter, Latin letters only.
var fonts = sync.OnceValue(func() (f struct{ regular, strong *sfnt.Font }) {
	for _, each := range []struct {
		to  **sfnt.Font
		ttf []byte
	}{{&f.regular, inter400}, {&f.strong, inter600}} {
		parsed, err := opentype.Parse(each.ttf)
		if err != nil {
			panic("snapshot: font: " + err.Error())
		}
		*each.to = parsed
	}
	return f
})

func face(f *sfnt.Font, size vg.Length) font.Face {
	return font.Face{Font: font.Font{Typeface: "Inter", Size: size}, Face: f}
}

func width(f *sfnt.Font, size vg.Length, text string) vg.Length {
	written := face(f, size)
	return written.Width(text)
}

// writes reports whether the font has every character of the text.
func writes(f *sfnt.Font, text string) bool {
	var b sfnt.Buffer
	for _, r := range text {
		if i, err := f.GlyphIndex(&b, r); err != nil || i == 0 {
			return false
		}
	}
	return true
}

// drawing is a chart in progress.
type drawing struct {
	*vgimg.Canvas
	colors style.Colors
	locale.Locale
	// low and high are the ends of the axis, which always includes zero.
	low, high float64
	// sky is the space kept free above the bars.
	sky vg.Length
}

// weekChart draws the days of a week as bars, each with a line at the value of the same
// weekday one week before. Days without data are hatched.
func weekChart(w weekly.Week, c style.Colors) ([]byte, error) {
	d := drawing{vgimg.NewWith(vgimg.UseWH(chartWide, chartHigh), vgimg.UseDPI(chartDPI), vgimg.UseBackgroundColor(rgb(c.Surface))), c, w.Locale, 0, 0, chartSky}
	if len(w.NoteMarks) > 0 {
		d.sky += flagBand
	}
	for _, p := range append(w.Days[:len(w.Days):len(w.Days)], w.Against...) {
		if p.Stored {
			v := p.Value.InexactFloat64() // a height, not an amount
			d.low, d.high = min(d.low, v), max(d.high, v)
		}
	}
	if d.high == d.low {
		d.high = 1
	}
	step := chartWide / vg.Length(len(w.Days))
	for i, p := range w.Days {
		middle := step * (vg.Length(i) + 0.5)
		if p.Stored {
			d.bar(middle, p.Value.InexactFloat64())
			d.amount(middle, step-6, *p.Value, w.DaysCurrency)
		} else {
			d.hatch(middle)
			d.text(fonts().regular, c.Muted, fitting(fonts().regular, w.Locale.T("weekly.no_day"), step-6), middle, amountLine, w.Locale.T("weekly.no_day"))
		}
		if i < len(w.Against) && w.Against[i].Stored {
			y := d.at(w.Against[i].Value.InexactFloat64())
			d.line(c.Ink, 1.5, middle-barWide/2-6, y, middle+barWide/2+6, y)
		}
		day := w.Locale.WeekdayNumber(p.Day)
		d.text(fonts().regular, c.Muted, fitting(fonts().regular, day, step-6), middle, dayLine, day)
	}
	for _, n := range w.NoteMarks {
		d.flag(step*(vg.Length(n.From)+0.5), step*(vg.Length(n.To)+0.5))
	}
	d.line(c.Faint, 0.75, 0, d.at(0), chartWide, d.at(0))
	return encode(d.Image())
}

// at is the y coordinate of a value.
func (d drawing) at(v float64) vg.Length {
	return chartFloor + vg.Length((v-d.low)/(d.high-d.low))*(chartHigh-chartFloor-d.sky)
}

// bar draws a bar with a rounded end.
func (d drawing) bar(middle vg.Length, v float64) {
	zero, end := d.at(0), d.at(v)
	left, right, round := middle-barWide/2, middle+barWide/2, vg.Length(3)
	if end-zero < round {
		round = max(0, end-zero)
	}
	var p vg.Path
	p.Move(vg.Point{X: left, Y: zero})
	p.Line(vg.Point{X: left, Y: end - round})
	if round > 0 {
		p.Arc(vg.Point{X: left + round, Y: end - round}, round, math.Pi, -math.Pi/2)
		p.Line(vg.Point{X: right - round, Y: end})
		p.Arc(vg.Point{X: right - round, Y: end - round}, round, math.Pi/2, -math.Pi/2)
	} else {
		p.Line(vg.Point{X: right, Y: end})
	}
	p.Line(vg.Point{X: right, Y: zero})
	p.Close()
	d.SetColor(rgb(d.colors.Accent))
	d.Fill(p)
}

// hatch marks a missing day, which has a place but no height.
func (d drawing) hatch(middle vg.Length) {
	low := d.at(0)
	high := low + (chartHigh-d.sky-low)/2
	left, right := middle-barWide/2, middle+barWide/2
	for at := left - (high - low); at < right; at += 6 {
		from, to := max(at, left), min(at+high-low, right)
		d.line(d.colors.Faint, 1, from, low+from-at, to, low+to-at)
	}
	for _, x := range []vg.Length{left, right} {
		d.line(d.colors.Faint, 1, x, low, x, high)
	}
	d.line(d.colors.Faint, 1, left, high, right, high)
}

// flag marks a note, outlined as in the pages' charts, with a line to its last day. The
// note's text is below the chart.
func (d drawing) flag(from, to vg.Length) {
	const tall, wide = vg.Length(15), vg.Length(11)
	top := chartHigh - 2
	d.line(d.colors.Muted, 1.25, from, top-tall, from, top)
	for _, y := range []vg.Length{top, top - 8} {
		d.line(d.colors.Muted, 1.25, from, y, from+wide, y)
	}
	d.line(d.colors.Muted, 1.25, from+wide, top-8, from+wide, top)
	if to > from {
		d.line(d.colors.Muted, 1.25, from, top-tall, to, top-tall)
	}
}

// amount writes a value without cents from 100 up, in the width available.
func (d drawing) amount(middle, wide vg.Length, v decimal.Decimal, code string) {
	text := d.Money(v, code).String()
	if v.Abs().GreaterThanOrEqual(decimal.NewFromInt(100)) {
		v = v.Round(0)
		text = d.WholeMoney(v, code)
	}
	text = written(text)
	if !writes(fonts().strong, text) { // the font lacks the currency sign; the mail's text names the currency
		if text = d.Amount(v, code).String(); v.IsInteger() {
			text = d.Amount(v, code).Main
		}
		text = written(text)
	}
	if width(fonts().strong, chartType, text) > wide {
		text = written(d.AxisMoney(v.Round(0), code))
	}
	d.text(fonts().strong, d.colors.Ink, fitting(fonts().strong, text, wide), middle, amountLine, text)
}

// fitting is the chart's type size, or a smaller one if the text is too wide.
func fitting(f *sfnt.Font, text string, wide vg.Length) vg.Length {
	size := chartType
	for size > 7 && width(f, size, text) > wide {
		size -= 0.25
	}
	return size
}

// written replaces spaces that the font lacks.
func written(text string) string { return strings.ReplaceAll(text, "\u202f", "\u00a0") }

// text writes a text centered at middle.
func (d drawing) text(f *sfnt.Font, colour string, size, middle, y vg.Length, text string) {
	written := face(f, size)
	glyphs := written.FontFace(chartDPI)
	defer glyphs.Close()
	dots := func(at vg.Length) fixed.Int26_6 { return fixed.Int26_6(at.Dots(chartDPI) * 64) }
	// The canvas would resample each letter, which takes a third of a chart's time.
	pen := xfont.Drawer{Dst: d.Image(), Src: image.NewUniform(rgb(colour)), Face: glyphs, Dot: fixed.Point26_6{X: dots(middle - written.Width(text)/2), Y: dots(chartHigh - y)}}
	pen.DrawString(text)
}

func (d drawing) line(colour string, wide, x, y, toX, toY vg.Length) {
	var p vg.Path
	p.Move(vg.Point{X: x, Y: y})
	p.Line(vg.Point{X: toX, Y: toY})
	d.SetColor(rgb(colour))
	d.SetLineWidth(wide)
	d.Stroke(p)
}

// mark is our own logo, 44 pixels wide for display at 22.
func mark(accent, on string) ([]byte, error) {
	c := drawing{Canvas: vgimg.NewWith(vgimg.UseWH(18, 18), vgimg.UseDPI(176), vgimg.UseBackgroundColor(color.Transparent))}
	var p vg.Path
	const r = vg.Length(5)
	p.Move(vg.Point{X: r, Y: 0})
	for i, at := range []vg.Point{{X: 18 - r, Y: r}, {X: 18 - r, Y: 18 - r}, {X: r, Y: 18 - r}, {X: r, Y: r}} {
		p.Arc(at, r, float64(i-1)*math.Pi/2, math.Pi/2)
	}
	p.Close()
	c.SetColor(rgb(accent))
	c.Fill(p)
	c.line(on, 1.7, 5, 7, 10.5, 13)
	c.line(on, 1.7, 8, 4.5, 13.5, 10.5)
	return encode(c.Image())
}

// rgb reads '#rrggbb', which was validated before.
func rgb(hex string) color.Color {
	n, err := strconv.ParseUint(hex[1:], 16, 24)
	if err != nil {
		panic("snapshot: " + hex + " is no colour")
	}
	return color.RGBA{R: uint8(n >> 16), G: uint8(n >> 8), B: uint8(n), A: 255}
}
