package gift

import (
	"strconv"
	"testing"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/reporttest"
)

func TestTheOverviewListsCampaignsThatRunFirstAndFew(t *testing.T) {
	t.Parallel()
	var all []report.Campaign
	for n := range 100 {
		all = append(all, report.Campaign{ID: strconv.Itoa(n), Status: map[int]string{97: "active", 98: "scheduled"}[n]})
	}
	first := firstCampaigns(all)
	if len(first) != overviewCampaigns || first[0].ID != "97" || first[1].ID != "98" || first[2].ID != "0" || all[97].ID != "97" {
		t.Errorf("%v", first)
	}
}

func TestACampaignsPagesAreNamed(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		"cart": "Cart page", "home": "home", `["cart","product"]`: "Cart page and Product page", `["home"]`: "home",
		`{"a":1}`: `{"a":1}`, "": "", "[]": "",
	} {
		if got := targetPage(locale.English, raw); got != want {
			t.Errorf("%s: %q, want %q", raw, got, want)
		}
	}
}

func TestACampaignLeadsToAllGiftsOfItsDaysThatAreOver(t *testing.T) {
	t.Parallel()
	on := func(s string) *civil.Date { return new(reporttest.On(s)) }
	for name, c := range map[string]struct {
		start, end *civil.Date
		want       string
	}{
		"runs":              {on("2026-11-10"), on("2026-12-31"), "/gift?end=2026-11-19&start=2026-11-10"},
		"ended":             {on("2026-10-01"), on("2026-10-31"), "/gift?end=2026-10-31&start=2026-10-01"},
		"has no end":        {on("2026-11-19"), nil, "/gift?end=2026-11-19&start=2026-11-19"},
		"starts today":      {on("2026-11-20"), nil, ""},
		"has no start":      {nil, on("2026-10-31"), ""},
		"began a year ago":  {on("2025-11-20"), nil, "/gift?end=2026-11-19&start=2025-11-20"},
		"began before that": {on("2025-11-19"), nil, ""},
	} {
		page, got := CampaignPage{}, ""
		page.Detail.Now, page.Detail.Campaign = reporttest.Noon, report.Campaign{Start: c.start, End: c.end}
		if w, ok := page.ran(); ok {
			got = giftsIn("/gift", w)
		}
		reporttest.Equal(t, "a campaign that "+name, got, c.want)
	}
}
