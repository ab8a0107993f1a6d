package gift

import "github.com/shopspring/decimal"

// The bodies of the gift tables: sync writes them and pages read them.
type (
	// TranslationsBody is gift_translations.body: the strings that a store has customized. All others
	// have the built-in wording (N59).
	TranslationsBody struct {
		Widgets   []Wording `json:"widgets"`
		Campaigns []Wording `json:"campaigns"`
	}
	// Wording is one customized string.
	Wording struct {
		// Path is its location, in the service's names.
		Path string `json:"path"`
		// Text is the wording typed on the Design screen, shown in languages without a translation.
		Text string `json:"text"`
		// Translations are the wordings by language code. A missing one isn't empty.
		Translations map[string]string `json:"translations"`
	}
	// PlanBody is gift_plans.body.
	PlanBody struct {
		Name        string `json:"plan"`
		ShopPlan    string `json:"shop_plan,omitempty"`
		Paid        *bool  `json:"is_paid"`
		TrialEndsAt string `json:"trial_ends_at,omitempty"`
		// CampaignsUsed counts active and scheduled ones. A nil limit with Unlimited means no cap: no bar,
		// no division (N55).
		CampaignsUsed      *int64           `json:"campaigns_used"`
		CampaignsLimit     *int64           `json:"campaigns_limit"`
		CampaignsUnlimited bool             `json:"campaigns_unlimited"`
		CampaignsExceeded  bool             `json:"campaigns_exceeded"`
		RevenueUsed        *decimal.Decimal `json:"revenue_used"`
		RevenueLimit       *decimal.Decimal `json:"revenue_limit"`
		RevenueUnlimited   bool             `json:"revenue_unlimited"`
		// RevenueResetAt is when RevenueUsed resets to zero, as the service wrote it.
		RevenueResetAt string   `json:"revenue_reset_at,omitempty"`
		Issues         []string `json:"issues"`
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
