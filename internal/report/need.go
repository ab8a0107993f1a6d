package report

// Need is why a service is refused, as a key of the catalogs.
type Need string

const (
	needsUpsellToken   Need = "upsell_token"
	needsUpsellAddress Need = "upsell_address"
	needsGiftKey       Need = "gift_key"
	needsGiftAddress   Need = "gift_address"
	needsGiftPlan      Need = "gift_plan"
	needsGiftTrial     Need = "gift_trial"
	needsGiftApp       Need = "gift_app"
)
