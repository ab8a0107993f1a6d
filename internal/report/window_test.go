package report_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/reporttest"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/locale"
)

func TestWindowsHoldBothEnds_N23(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		window report.Window
		days   int
	}{
		"one day":          {report.OneDay(reporttest.On("2026-11-19")), 1},
		"90 days":          {reporttest.Span("2026-08-22", "2026-11-19"), 90},
		"over a leap day":  {reporttest.Span("2028-02-28", "2028-03-01"), 3},
		"over plain Feb":   {reporttest.Span("2027-02-28", "2027-03-01"), 2},
		"over both clocks": {reporttest.Span("2026-03-07", "2026-11-02"), 241},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := c.window
			reporttest.Equal(t, "number of days", w.Days(), c.days)
			reporttest.Equal(t, "the window that ends there", report.WindowEnding(w.End, c.days), w)
			all := slices.Collect(w.All())
			if len(all) != c.days || all[0] != w.Start || all[len(all)-1] != w.End {
				t.Errorf("%d days from %s to %s", len(all), all[0], all[len(all)-1])
			}
			for d, in := range map[civil.Date]bool{w.Start: true, w.End: true, w.Start.AddDays(-1): false, w.End.AddDays(1): false} {
				reporttest.Equal(t, "contains "+d.String(), w.Contains(d), in)
			}
			before := w.Previous()
			if before.Days() != c.days || before.End.AddDays(1) != w.Start {
				t.Errorf("previous is %v, %d days", before, before.Days())
			}
		})
	}
}

func TestWindowsOverlapIfTheyShareADay_N23(t *testing.T) {
	t.Parallel()
	w := reporttest.Span("2026-11-10", "2026-11-19")
	for _, c := range []struct {
		other, shared report.Window
	}{
		{reporttest.Span("2026-11-01", "2026-11-09"), report.Window{}},
		{reporttest.Span("2026-11-01", "2026-11-10"), reporttest.Span("2026-11-10", "2026-11-10")},
		{reporttest.Span("2026-11-12", "2026-11-14"), reporttest.Span("2026-11-12", "2026-11-14")},
		{reporttest.Span("2026-11-01", "2026-11-30"), w},
		{reporttest.Span("2026-11-19", "2026-11-30"), reporttest.Span("2026-11-19", "2026-11-19")},
		{reporttest.Span("2026-11-20", "2026-11-30"), report.Window{}},
	} {
		overlap := c.shared != report.Window{}
		if w.Overlaps(c.other) != overlap || c.other.Overlaps(w) != overlap {
			t.Errorf("%v overlaps %v: want %v", w, c.other, overlap)
		}
		if overlap && w.Within(c.other) != c.shared {
			t.Errorf("%v within %v is %v, want %v", w, c.other, w.Within(c.other), c.shared)
		}
	}
}

func TestWindowsAreNamedByBothEnds_N23(t *testing.T) {
	t.Parallel()
	for label, c := range map[string]struct {
		window report.Window
		short  string
	}{
		"19 Nov 2026":              {reporttest.Span("2026-11-19", "2026-11-19"), "19 Nov"},
		"1 – 19 Nov 2026":          {reporttest.Span("2026-11-01", "2026-11-19"), "1 – 19 Nov"},
		"21 Oct – 19 Nov 2026":     {reporttest.Span("2026-10-21", "2026-11-19"), "21 Oct – 19 Nov"},
		"30 Dec 2025 – 2 Jan 2026": {reporttest.Span("2025-12-30", "2026-01-02"), "30 Dec – 2 Jan"},
		"1 Nov 2025 – 2 Nov 2026":  {reporttest.Span("2025-11-01", "2026-11-02"), "1 Nov – 2 Nov"},
	} {
		reporttest.Equal(t, "label", locale.English.Dates(c.window.Start, c.window.End), label)
		reporttest.Equal(t, "short label", locale.English.DatesShort(c.window.Start, c.window.End), c.short)
	}
	body, err := json.Marshal(reporttest.Span("2026-10-21", "2026-11-19"))
	if err != nil {
		t.Fatal(err)
	}
	reporttest.Equal(t, "JSON", string(body), `{"start":"2026-10-21","end":"2026-11-19","days":30}`)
}
