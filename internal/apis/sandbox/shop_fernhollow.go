package sandbox

// fernhollow sells outdoor gear in New York and is the rich one: every status, A/B tests, deleted and never-earning offers, two coupon
// offers, an order status page that was switched off on day 484 (3 November 2026), and a gift widget that can't appear.
func fernhollow() shopPlan {
	return shopPlan{
		slug: "fernhollow", name: "Fernhollow Outfitters", domain: "fernhollow.example", zone: "America/New_York", currency: "USD", digits: 2,
		daily: 304, week: weekOf(0.95, 1.0, 1.13, 1.1), swing: 0.12, peak: 300, basket: 81, seen: [placements]float64{0.91, 0.97, 0.46, 0.32},
		products: []product{
			{"Trail socks", 3700}, {"Ridge bottle 750 ml", 4000}, {"Boot care kit", 4150}, {"Merino liner gloves", 3400},
			{"Headlamp batteries, 8", 3050}, {"Camp mug, pair", 3600}, {"Dry bag 5 l", 3422}, {"Gaiters", 4200}, {"Rain cover", 3900},
			{"Sit pad", 2450}, {"Spare laces", 1250}, {"Snowshoe straps", 2800}, {"Pole tips", 1895}, {"Neck tube", 2100}, {"Summer cap", 2600},
			{"Advent box", 6900}, {"Trail map set", 3150}, {"Foot balm", 1475}, {"Map case", 2999}, {"Stove fuel", 1999},
			{"Rain cover", 5200}, // the large one, of the same name
		},
		offerPlans: []offerPlan{
			{name: "Trail socks, second pair", at: postPurchase, product: 0, then: 10, off: 10, start: 3, abTest: true, weight: 3, accept: 0.124},
			{name: "Ridge bottle 750 ml", at: postPurchase, product: 1, then: 9, off: 10, start: 40, abTest: true, weight: 2.4, accept: 0.072},
			{name: "Boot care kit", at: postPurchase, product: 2, then: 10, start: 478, lead: 6, weight: 2.2, accept: 0.096},
			{name: "Merino liner gloves", at: postPurchase, product: 3, start: 492, lead: 3, weight: 1, accept: 0.03},
			{name: "Sit pad", at: postPurchase, product: 9, then: 10, off: 5, start: 215, end: 477, weight: 2.2, accept: 0.088},
			{name: "Pole tips", at: postPurchase, product: 12, start: 1, end: 210, weight: 1.4, accept: 0.07},
			{name: "Rain cover", at: postPurchase, product: 8, then: 10, off: 10, start: 30, end: 330, weight: 1.5, accept: 0.06},
			{name: "Snowshoe straps {year}", at: postPurchase, product: 11, off: 10, start: 151, end: 230, every: yearOfWeeks, lead: 20, weight: 1.6, accept: 0.08},
			{name: "Map case", at: postPurchase, product: 18, start: 300, end: 360, weight: 0},
			{name: "Stove fuel", at: postPurchase, product: 19, start: 380, end: 420, weight: 0.4},
			{name: "Trail mix box", at: postPurchase, product: 17, start: 60, end: 290, gone: 300, weight: 1, accept: 0.05},

			{name: "Headlamp spare batteries", at: thankYou, product: 4, off: 5, start: 1, weight: 3, accept: 0.058},
			{name: "Camp mug, pair", at: thankYou, product: 5, off: 10, start: 60, abTest: true, weight: 2, accept: 0.05},
			{name: "Dry bag 5 l", at: thankYou, product: 6, start: 200, weight: 0.5, accept: 0.012},
			{name: "Neck tube", at: thankYou, product: 13, start: 20, end: 199, weight: 1.5, accept: 0.05},
			{name: "Advent box {year}", at: thankYou, product: 15, off: 20, start: 147, end: 170, every: yearOfWeeks, lead: 30, weight: 3, accept: 0.055},
			{name: "Sticker set", at: thankYou, product: 10, start: 250, gone: 450, weight: 0.6, accept: 0.02},

			{name: "10% off your next order", at: coupon, off: 10, start: 5, weight: 1, accept: 0.068},
			{name: "Free shipping next time", at: coupon, start: 100, end: 400, weight: 1, accept: 0.08},

			{name: "Gaiters", at: orderStatus, product: 7, off: 10, start: 270, end: 484, weight: 3, accept: 0.062},
			{name: "Trail map set", at: orderStatus, product: 16, start: 120, end: 269, weight: 1, accept: 0.05},
			{name: "Foot balm", at: orderStatus, product: 17, start: 10, end: 119, weight: 1, accept: 0.07},
			{name: "Summer cap", at: orderStatus, product: 14, off: 20, start: 330, gone: 483, weight: 1, accept: 0.05},
		},
		campaigns: []campaignPlan{
			{name: "Free mug over $90", kind: "order_value", page: "cart", start: 496, end: 542, lead: 5, from: 9000, rate: 0.07, code: "FREEMUG"},
			{name: "Socks with any boot", kind: "buy_product", page: "product", start: 421, from: 4000, rate: 0.045},
			{name: "Winter welcome {year}", kind: "order_value", page: "cart", start: 148, end: 171, every: yearOfWeeks, lead: 24, from: 6000, rate: 0.09},
			{name: "Spring bandana", kind: "order_value", page: "cart", start: 245, end: 330, from: 5000, rate: 0.06, code: "SPRING"},
			{name: "Opening pin", kind: "order_value", page: "cart", start: 8, end: 244, from: 5000, rate: 0.05},
			{name: "Summer water bottle", kind: "buy_product", page: "product", start: 331, end: 420, from: 3000, rate: 0.05},
			{name: "Draft for the fair", kind: "order_value", page: "cart", start: 400, end: 402, gone: 405, from: 100000, rate: 0},
		},
		gift: giftPlan{
			plan: "professional", platform: "shopify", campaignLimit: 10, revenueLimit: 0,
			theme: "Alder 4.2", blocks: true, embed: false, languages: []string{"en", "es", "fr"},
		},
	}
}
