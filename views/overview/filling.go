package overview

import (
	"context"
	"io"
	"strconv"

	"github.com/a-h/templ"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/views/components/chart"
)

// fillingCells draws the planned days in three rows, oldest first; the next day
// to be pulled is outlined.
func fillingCells(days []bool) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		const rows = 3
		perRow := (len(days) + rows - 1) / rows
		if perRow == 0 {
			return nil
		}
		next := -1
		for i := len(days) - 1; i >= 0; i-- {
			if !days[i] {
				next = i
				break
			}
		}
		b := make([]byte, 0, 80*len(days))
		b = append(b, `<svg class="cells" height="54" role="img" aria-label="`...)
		stored := 0
		for _, d := range days {
			if d {
				stored++
			}
		}
		b = append(b, templ.EscapeString(locale.T(ctx, "filling.days", "stored", stored, "n", len(days)))...)
		b = append(b, `">`...)
		for i, d := range days {
			class := "cell-none"
			switch {
			case d:
				class = "cell-full"
			case i == next:
				class = "cell-next"
			}
			b = appendCell(b, class, i%perRow, perRow, i/perRow*19, 16)
		}
		_, err := w.Write(append(b, `</svg>`...))
		return err
	})
}

// answerCells draws the answers that a store's first page needs in one row, with those already
// here first.
func answerCells(here, of int) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		b := append([]byte(nil), `<svg class="cells" height="16" role="img" aria-label="`...)
		b = append(b, templ.EscapeString(locale.T(ctx, "filling.answer_cells", "here", here, "of", of))...)
		b = append(b, `">`...)
		for i := range of {
			class := "cell-none"
			switch {
			case i < here:
				class = "cell-full"
			case i == here:
				class = "cell-next"
			}
			b = appendCell(b, class, i, of, 0, 16)
		}
		_, err := w.Write(append(b, `</svg>`...))
		return err
	})
}

// appendCell draws one cell of a row of n across the whole width.
func appendCell(b []byte, class string, i, n, y, height int) []byte {
	from, to := i*10000/n, (i+1)*10000/n
	gap := min((to-from)*18/100, 40)
	b = append(b, `<rect class="`...)
	b = append(b, class...)
	b = append(b, `" x="`...)
	b = chart.AppendTenths(b, from/10)
	b = append(b, `%" y="`...)
	b = strconv.AppendInt(b, int64(y), 10)
	b = append(b, `" width="`...)
	b = chart.AppendTenths(b, (to-from-gap)/10)
	b = append(b, `%" height="`...)
	b = strconv.AppendInt(b, int64(height), 10)
	return append(b, `" rx="1.5"/>`...)
}

// fillingTitle counts the first answers while they come, then the days.
func fillingTitle(l locale.Locale, f report.Filling) string {
	if f.First() {
		return l.T("filling.answers", "here", f.Answers, "of", f.AnswersOf)
	}
	return l.T("filling.days", "stored", f.Stored, "n", f.Planned)
}

// fillingWords says what a reader can expect.
func fillingWords(l locale.Locale, f report.Filling) string {
	if f.First() {
		return l.T("filling.answers_text")
	}
	return l.T("filling.days_text")
}
