package syncpage

import (
	"context"
	"io"
	"strconv"

	"github.com/a-h/templ"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/ledger"
	"github.com/storeglass/storeglass/views/components/chart"
)

// BudgetCells draws a token's slots. id is unique on the page.
func BudgetCells(id string, b ledger.Budget) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		out := make([]byte, 0, 90*len(b.Cells)+256)
		out = append(out, `<svg class="cells" role="img" aria-label="`...)
		out = append(out, templ.EscapeString(locale.T(ctx, "sync.spent_words", "used", b.Used, "limit", b.Limit, "foreign", b.Foreign, "reserved", b.Reserved))...)
		out = append(out, `">`...)
		out = chart.AppendHatch(out, id, "-45")
		n := len(b.Cells)
		for i, state := range b.Cells {
			from, to := i*10000/n, (i+1)*10000/n
			gap := (to - from) * 20 / 100
			out = append(out, `<rect x="`...)
			out = chart.AppendTenths(out, from/10)
			out = append(out, `%" width="`...)
			out = chart.AppendTenths(out, (to-from-gap)/10)
			out = append(out, `%" height="100%" rx="1.5" `...)
			if state == ledger.SlotReserved {
				out = append(out, `fill="url(#`...)
				out = append(out, id...)
				out = append(out, `)"/>`...)
				continue
			}
			out = append(out, `class="slot-`...)
			out = append(out, string(state)...)
			out = append(out, `"/>`...)
		}
		_, err := w.Write(append(out, `</svg>`...))
		return err
	})
}

// DayStrip draws one cell a day: stored, or outlined where missing; a dot below
// marks a day that was revised.
func DayStrip(days []report.StoredDay) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		stored, missing, revised := countDays(days)
		n := max(len(days), 1)
		out := make([]byte, 0, 64*len(days)+256)
		out = append(out, `<svg class="cells" role="img" aria-label="`...)
		out = append(out, templ.EscapeString(locale.T(ctx, "sync.days.strip", "stored", stored, "missing", len(missing), "revised", revised))...)
		out = append(out, `">`...)
		for i, d := range days {
			from, to := i*100000/n, (i+1)*100000/n
			gap := (to - from) * 18 / 100
			class := "day-stored"
			if !d.Stored {
				class = "day-missing"
			}
			out = append(out, `<rect x="`...)
			out = appendHundredths(out, from/10)
			out = append(out, `%" y="1" width="`...)
			out = appendHundredths(out, (to-from-gap)/10)
			out = append(out, `%" height="30" rx="1.5" class="`...)
			out = append(out, class...)
			out = append(out, `"/>`...)
			if d.Revised {
				out = append(out, `<circle cx="`...)
				out = appendHundredths(out, (from+(to-from-gap)/2)/10)
				out = append(out, `%" cy="37" r="2" class="day-revised"/>`...)
			}
		}
		_, err := w.Write(append(out, `</svg>`...))
		return err
	})
}

// appendHundredths writes n/100 with two decimals: 1234 is "12.34".
func appendHundredths(b []byte, n int) []byte {
	b = strconv.AppendInt(b, int64(n/100), 10)
	return append(b, '.', byte('0'+n/10%10), byte('0'+n%10))
}
