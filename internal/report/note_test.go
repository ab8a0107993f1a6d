package report_test

import (
	"fmt"
	"testing"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/reporttest"
)

func TestEveryChartMarksTheSameNotes(t *testing.T) {
	t.Parallel()
	days := reporttest.Span("2026-11-09", "2026-11-15")
	note := func(first, last, text string) report.DayNote {
		return report.DayNote{Start: reporttest.On(first), End: reporttest.On(last), Text: text}
	}
	marks := report.NoteMarks([]report.DayNote{
		note("2026-11-12", "2026-11-20", "goes on"), note("2026-11-10", "2026-11-10", "first"), note("2026-11-10", "2026-11-11", "of the same day"),
		note("2026-11-01", "2026-11-08", "before"), note("2026-11-01", "2026-11-09", "until the first"),
	}, days, func(d civil.Date) int { return d.DaysSince(days.Start) })
	reporttest.Equal(t, "marks", fmt.Sprint(marks), "[{0 0 until the first} {1 1 first} {3 6 goes on}]")
}
