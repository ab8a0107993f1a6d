package report_test

import (
	"testing"

	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/reporttest"
)

func TestCampaignsStartAndEndOnTheStoresClock(t *testing.T) {
	t.Parallel()
	w := reporttest.Span("2026-10-21", "2026-11-19")
	b := report.Builder{
		In: report.Stored{Store: report.Store{Timezone: "America/New_York"}, Campaigns: []report.Campaign{
			{Name: "late", StartDate: "2026-10-21T02:00:00Z", EndDate: "2026-11-20T02:00:00Z"}, // on the store's clock the 20th and the 19th
			{Name: "open", StartDate: "2026-11-01"}, {Name: "undated"},
		}},
		Choice: report.Choice{Window: w},
	}
	var said []string
	for _, e := range b.Events() {
		said = append(said, e.Name+" "+e.Day.String()+map[bool]string{true: " starts", false: " ends"}[e.Start])
	}
	reporttest.Equal(t, "events", len(said), 2)
	reporttest.Equal(t, "the end", said[0], "late 2026-11-19 ends")
	reporttest.Equal(t, "the start", said[1], "open 2026-11-01 starts")
}
