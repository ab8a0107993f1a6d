package report

import "testing"

func TestCampaignsStartAndEndOnTheStoresClock(t *testing.T) {
	t.Parallel()
	w := span("2026-10-21", "2026-11-19")
	b := Builder{
		In: Stored{Store: Store{Timezone: "America/New_York"}, Campaigns: []Campaign{
			{Name: "late", StartDate: "2026-10-21T02:00:00Z", EndDate: "2026-11-20T02:00:00Z"}, // on the store's clock the 20th and the 19th
			{Name: "open", StartDate: "2026-11-01"}, {Name: "undated"},
		}},
		Choice: Choice{Window: w},
	}
	var said []string
	for _, e := range b.Events() {
		said = append(said, e.Name+" "+e.Day.String()+map[bool]string{true: " starts", false: " ends"}[e.Start])
	}
	equal(t, "events", len(said), 2)
	equal(t, "the end", said[0], "late 2026-11-19 ends")
	equal(t, "the start", said[1], "open 2026-11-01 starts")
}
