package gift

import (
	"strconv"
	"testing"

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
