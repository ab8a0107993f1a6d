package report

import (
	"github.com/shopspring/decimal"
)

// The bodies of the gift tables: sync writes them and an overview reads them.
type (
	// PlanBody is gift_plans.body.
	PlanBody struct {
		Plan               string           `json:"plan"`
		ShopPlan           string           `json:"shop_plan"`
		Paid               *bool            `json:"is_paid"`
		TrialEndsAt        string           `json:"trial_ends_at"`
		CampaignsUsed      *int64           `json:"campaigns_used"`
		CampaignsLimit     *int64           `json:"campaigns_limit"`
		CampaignsUnlimited bool             `json:"campaigns_unlimited"`
		CampaignsExceeded  bool             `json:"campaigns_exceeded"`
		RevenueUsed        *decimal.Decimal `json:"revenue_used"`
		RevenueLimit       *decimal.Decimal `json:"revenue_limit"`
		RevenueUnlimited   bool             `json:"revenue_unlimited"`
		RevenueResetAt     string           `json:"revenue_reset_at"`
		Issues             []string         `json:"issues"`
	}
	// ThemeBody is the "theme" section of gift_health.
	ThemeBody struct {
		Name         string `json:"name"`
		OS2          *bool  `json:"os2"`
		EmbedEnabled *bool  `json:"embed_enabled"`
	}
	// CampaignsBody is the "campaigns" section of gift_health.
	CampaignsBody struct {
		Total     *int64 `json:"total"`
		Active    *int64 `json:"active"`
		Scheduled *int64 `json:"scheduled"`
		Expired   *int64 `json:"expired"`
	}
)

func (b Builder) Campaigns() Campaigns {
	c := Campaigns{Panel: Panel{Provenance: b.Provenance(endpointCampaigns, Reported)}, Campaigns: make([]Campaign, len(b.In.Campaigns))}
	for i, each := range b.In.Campaigns {
		c.Campaigns[i] = b.Dated(each)
	}
	if l := b.In.CampaignList; l == nil {
		c.Empty = b.NotPulled("gift", "gift.campaigns", b.T("state.on_the_way.gift_campaigns"))
	} else {
		c.Provenance = b.Current(endpointCampaigns, "gift.campaigns", l.FetchedAt)
		c.Total, c.Capped = l.Total, l.Capped
		if l.Capped {
			c.Provenance = c.Provenance.With(FlagCut)
		}
	}
	c.Panel = b.Finish(c.Panel, "gift", "gift.campaigns")
	return c
}
