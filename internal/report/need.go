package report

import (
	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/locale"
)

// Need is why a store needs attention.
type Need string

const (
	NeedsNothing       Need = ""
	NeedsServices      Need = "services"
	needsUpsellToken   Need = "upsell_token"
	needsUpsellAddress Need = "upsell_address"
	needsGiftKey       Need = "gift_key"
	needsGiftAddress   Need = "gift_address"
	needsGiftPlan      Need = "gift_plan"
	needsGiftTrial     Need = "gift_trial"
	needsGiftApp       Need = "gift_app"
	NeedsEmbed         Need = "embed"
	NeedsCampaigns     Need = "campaigns"
	NeedsRevenue       Need = "revenue"
)

// In says why, and since when where that is known.
func (n Need) In(l locale.Locale, since civil.Date) string {
	text := l.T("store.need." + string(n))
	if !since.IsValid() {
		return text
	}
	return l.T("store.need_since", "need", text, "day", l.Day(since))
}
