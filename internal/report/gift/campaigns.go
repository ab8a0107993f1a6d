package gift

import (
	"github.com/storeglass/storeglass/internal/report"
)

// Campaigns is the list of campaigns, also those that are no longer in the service's.
func (b Builder) Campaigns() Campaigns {
	c := Campaigns{Panel: report.Panel{Provenance: b.Provenance(endpointCampaigns, report.Reported)}, Campaigns: make([]report.Campaign, len(b.In.Campaigns))}
	for i, each := range b.In.Campaigns {
		c.Campaigns[i] = b.Dated(each)
	}
	if l := b.In.CampaignList; l == nil {
		c.Empty = b.NotPulled("gift", "gift.campaigns", b.T("state.on_the_way.gift_campaigns"))
	} else {
		c.Provenance = b.Current(endpointCampaigns, "gift.campaigns", l.FetchedAt)
		c.Total, c.Capped = l.Total, l.Capped
		if l.Capped {
			c.Provenance = c.Provenance.With(report.FlagCut)
		}
	}
	c.Panel = b.Finish(c.Panel, "gift", "gift.campaigns")
	return c
}
