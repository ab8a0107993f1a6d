package report_test

import (
	"slices"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/reporttest"
)

func TestWhatCoversAChangedDayIsFlaggedUntilItIsAnsweredAgain_N61(t *testing.T) {
	t.Parallel()
	w := reporttest.Span("2026-11-10", "2026-11-16")
	noticed := reporttest.Noon
	for name, c := range map[string]struct {
		basis   report.Basis
		window  *report.Window
		fetched time.Time
		change  func(*report.Suspect)
		want    []report.Flag
	}{
		"reported before it was noticed": {report.Reported, &w, noticed.Add(-1), nil, []report.Flag{report.FlagChanged}},
		"reported with what told it":     {report.Reported, &w, noticed, nil, nil},
		"added up, whenever":             {report.Stitched, &w, noticed.Add(time.Hour), nil, []report.Flag{report.FlagChanged}},
		"derived, whenever":              {report.Derived, &w, noticed.Add(time.Hour), nil, []report.Flag{report.FlagChanged}},
		"of no window":                   {report.Reported, nil, noticed.Add(-1), nil, nil},
		"of the other service":           {report.Stitched, &w, noticed, func(s *report.Suspect) { s.Service = "gift" }, nil},
		"of days before":                 {report.Stitched, &w, noticed, func(s *report.Suspect) { s.Days = reporttest.Span("2026-11-08", "2026-11-09") }, nil},
		"of days after":                  {report.Stitched, &w, noticed, func(s *report.Suspect) { s.Days = reporttest.Span("2026-11-17", "2026-11-17") }, nil},
		"of its last day":                {report.Stitched, &w, noticed, func(s *report.Suspect) { s.Days = reporttest.Span("2026-11-16", "2026-11-20") }, []report.Flag{report.FlagChanged}},
		"that no day explains":           {report.Stitched, &w, noticed, func(s *report.Suspect) { s.Unexplained = true }, []report.Flag{report.FlagDrift}},
	} {
		suspect := report.Suspect{Service: "upsell", Days: reporttest.Span("2026-11-12", "2026-11-13"), NoticedAt: noticed}
		if c.change != nil {
			c.change(&suspect)
		}
		b := report.Builder{In: report.Stored{Suspects: []report.Suspect{suspect}}}
		if got := b.Suspected(report.Provenance{Basis: c.basis, Window: c.window, FetchedAt: c.fetched}, "upsell").Flags; !slices.Equal(got, c.want) {
			t.Errorf("a number %s has the flags %v, want %v", name, got, c.want)
		}
	}
}
