package world

// fernhollow sells outdoor gear in New York and is the rich one: every status, A/B tests, deleted and never-earning
// offers, two coupon offers, an order status page that was turned off on day 484 (3 November 2026), and a gift widget
// that can't appear.
func fernhollow() shopPlan {
	return shopPlan{
		Slug: "fernhollow", Name: "Fernhollow Outfitters", Domain: "fernhollow.example", Zone: "America/New_York", Currency: "USD", Digits: 2,
		daily: 304, week: weekOf(0.95, 1.0, 1.13, 1.1), swing: 0.12, peak: 300, Basket: 81, seen: [Placements]float64{0.91, 0.97, 0.46, 0.32},
		Products: []product{
			{"Trail socks", 3700}, {"Ridge bottle 750 ml", 4000}, {"Boot care kit", 4150}, {"Merino liner gloves", 3400},
			{"Headlamp batteries, 8", 3050}, {"Camp mug, pair", 3600}, {"Dry bag 5 l", 3422}, {"Gaiters", 4200}, {"Rain cover", 3900},
			{"Sit pad", 2450}, {"Spare laces", 1250}, {"Snowshoe straps", 2800}, {"Pole tips", 1895}, {"Neck tube", 2100}, {"Summer cap", 2600},
			{"Advent box", 6900}, {"Trail map set", 3150}, {"Foot balm", 1475}, {"Map case", 2999}, {"Stove fuel", 1999},
			{"Rain cover", 5200}, // the large one, with the same name
		},
		offerPlans: []offerPlan{
			{Name: "Trail socks, second pair", At: PostPurchase, Product: 0, Then: 10, off: 10, Start: 3, AbTest: true, weight: 3, accept: 0.124},
			{Name: "Ridge bottle 750 ml", At: PostPurchase, Product: 1, Then: 9, off: 10, Start: 40, AbTest: true, weight: 2.4, accept: 0.072},
			{Name: "Boot care kit", At: PostPurchase, Product: 2, Then: 10, Start: 478, lead: 6, weight: 2.2, accept: 0.096},
			{Name: "Merino liner gloves", At: PostPurchase, Product: 3, Start: 492, lead: 3, weight: 1, accept: 0.03},
			{Name: "Sit pad", At: PostPurchase, Product: 9, Then: 10, off: 5, Start: 215, End: 477, weight: 2.2, accept: 0.088},
			{Name: "Pole tips", At: PostPurchase, Product: 12, Start: 1, End: 210, weight: 1.4, accept: 0.07},
			{Name: "Rain cover", At: PostPurchase, Product: 8, Then: 10, off: 10, Start: 30, End: 330, weight: 1.5, accept: 0.06},
			{Name: "Snowshoe straps {year}", At: PostPurchase, Product: 11, off: 10, Start: 151, End: 230, every: yearOfWeeks, lead: 20, weight: 1.6, accept: 0.08},
			{Name: "Map case", At: PostPurchase, Product: 18, Start: 300, End: 360, weight: 0},
			{Name: "Stove fuel", At: PostPurchase, Product: 19, Start: 380, End: 420, weight: 0.4},
			{Name: "Trail mix box", At: PostPurchase, Product: 17, Start: 60, End: 290, gone: 300, weight: 1, accept: 0.05},

			{Name: "Headlamp spare batteries", At: ThankYou, Product: 4, off: 5, Start: 1, weight: 3, accept: 0.058},
			{Name: "Camp mug, pair", At: ThankYou, Product: 5, off: 10, Start: 60, AbTest: true, weight: 2, accept: 0.05},
			{Name: "Dry bag 5 l", At: ThankYou, Product: 6, Start: 200, weight: 0.5, accept: 0.012},
			{Name: "Neck tube", At: ThankYou, Product: 13, Start: 20, End: 199, weight: 1.5, accept: 0.05},
			{Name: "Advent box {year}", At: ThankYou, Product: 15, off: 20, Start: 147, End: 170, every: yearOfWeeks, lead: 30, weight: 3, accept: 0.055},
			{Name: "Sticker set", At: ThankYou, Product: 10, Start: 250, gone: 450, weight: 0.6, accept: 0.02},

			{Name: "10% off your next order", At: Coupon, off: 10, Start: 5, weight: 1, accept: 0.068},
			{Name: "Free shipping next time", At: Coupon, Start: 100, End: 400, weight: 1, accept: 0.08},

			{Name: "Gaiters", At: OrderStatus, Product: 7, off: 10, Start: 270, End: 484, weight: 3, accept: 0.062},
			{Name: "Trail map set", At: OrderStatus, Product: 16, Start: 120, End: 269, weight: 1, accept: 0.05},
			{Name: "Foot balm", At: OrderStatus, Product: 17, Start: 10, End: 119, weight: 1, accept: 0.07},
			{Name: "Summer cap", At: OrderStatus, Product: 14, off: 20, Start: 330, gone: 483, weight: 1, accept: 0.05},
		},
		campaigns: []CampaignPlan{
			{Name: "Free mug over $90", Kind: "order_value", Page: "cart", Start: 496, End: 542, lead: 5, from: 9000, Rate: 0.07, Code: "FREEMUG"},
			{Name: "Socks with any boot", Kind: "buy_product", Page: "product", Start: 421, from: 4000, Rate: 0.045},
			{Name: "Winter welcome {year}", Kind: "order_value", Page: "cart", Start: 148, End: 171, every: yearOfWeeks, lead: 24, from: 6000, Rate: 0.09},
			{Name: "Spring bandana", Kind: "order_value", Page: "cart", Start: 245, End: 330, from: 5000, Rate: 0.06, Code: "SPRING"},
			{Name: "Opening pin", Kind: "order_value", Page: "cart", Start: 8, End: 244, from: 5000, Rate: 0.05},
			{Name: "Summer water bottle", Kind: "buy_product", Page: "product", Start: 331, End: 420, from: 3000, Rate: 0.05},
			{Name: "Draft for the fair", Kind: "order_value", Page: "cart", Start: 400, End: 402, gone: 405, from: 100000, Rate: 0},
		},
		Gift: giftPlan{
			Plan: "professional", Platform: "shopify", CampaignLimit: 10, RevenueLimit: 0,
			Theme: "Alder 4.2", Blocks: true, Embed: false, Languages: []string{"en", "es", "fr"},
		},
	}
}
