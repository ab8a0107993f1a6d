package weekly

import (
	"bytes"
	"image"
	"image/png"
	"testing"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/brand"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/mail/style"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/overview"
	"github.com/storeglass/storeglass/internal/report/weekly"
)

// plotted draws a week in which every value fell, and cuts off the lines of text below it.
func plotted(t *testing.T, currency string, notes ...report.NoteMark) (plot, lines image.Image) {
	t.Helper()
	w := weekly.Week{Locale: locale.English, DaysCurrency: currency, NoteMarks: notes}
	for i := range 7 {
		is, was := decimal.NewFromInt(int64(197+10*i)), decimal.NewFromInt(int64(743+10*i))
		day := civil.Date{Year: 2026, Month: 11, Day: 9 + i}
		w.Days = append(w.Days, overview.DayPoint{Day: day, Stored: true, Value: &is})
		w.Against = append(w.Against, overview.DayPoint{Day: day.AddDays(-7), Stored: true, Value: &was})
	}
	light, _ := style.Of(brand.Accent{})
	raw, err := weekChart(w, light)
	if err != nil {
		t.Fatal(err)
	}
	picture, err := png.Decode(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	b := picture.Bounds()
	floor := b.Max.Y - int(chartFloor.Points()*chartDPI/72)
	part := func(from, to int) image.Image {
		out := image.NewRGBA(image.Rect(0, 0, b.Dx(), to-from))
		for y := from; y < to; y++ {
			for x := range b.Dx() {
				out.Set(x, y-from, picture.At(x, y))
			}
		}
		return out
	}
	return part(b.Min.Y, floor-2), part(floor+2, b.Max.Y)
}

// same tolerates different shades on smoothed edges, since each picture has its own 256 colors.
func same(a, b image.Image) bool {
	is, was := a.(*image.RGBA).Pix, b.(*image.RGBA).Pix
	for i := range is {
		if max(is[i], was[i])-min(is[i], was[i]) > 40 {
			return false
		}
	}
	return true
}

// An amount beside a line would read as that line's value, which is the week before.
func TestNoAmountStandsWhereTheChartHasItsLines(t *testing.T) {
	t.Parallel()
	dollars, dollarLines := plotted(t, "USD")
	yen, yenLines := plotted(t, "JPY")
	if !same(dollars, yen) {
		t.Error("an amount stands among the bars")
	}
	if same(dollarLines, yenLines) {
		t.Error("no amount stands below the bars")
	}
}

func TestTheChartsTypeIsReadableOnAPhone(t *testing.T) {
	t.Parallel()
	const shown = 390 - 2*8 - 2*18 - 2 // the width that the mail leaves for the chart on a phone
	if pixels := chartType.Points() * shown / chartWide.Points(); pixels < 11 {
		t.Errorf("%.1f pixels", pixels)
	}
	for _, text := range []string{"Mon 9", "$1,070", "€12.3K"} {
		if size := fitting(fonts().strong, text, chartWide/7-6); size < chartType {
			t.Errorf("%q is written in %.1f", text, size.Points())
		}
	}
}

func TestANoteIsMarkedAboveTheBars(t *testing.T) {
	t.Parallel()
	plain, _ := plotted(t, "USD")
	noted, _ := plotted(t, "USD", report.NoteMark{From: 1, To: 2, Text: "Newsletter"})
	if same(plain, noted) {
		t.Error("the chart has no flag")
	}
}
