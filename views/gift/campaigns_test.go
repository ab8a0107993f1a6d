package gift

import (
	"strconv"
	"testing"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
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
