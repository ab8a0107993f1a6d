package sandbox

import "time"

// shopPlan is everything about a store that its seed does not decide.
type shopPlan struct {
	slug, name, domain, zone, currency string
	digits                             int  // after the decimal point of its currency
	zoned                              bool // writes its timestamps with an offset

	daily  float64 // orders on an ordinary day, in the long run
	week   map[time.Weekday]float64
	swing  float64             // of the year: 0.1 is a tenth up at the peak and a tenth down half a year from it
	peak   int                 // day of the year
	basket float64             // ordinary order, major units
	seen   [placements]float64 // share of orders that meet a placement's offers

	products   []product
	catalog    catalogPlan
	edits      []edit // what the merchant did to the offers, in order of days
	hostile    bool
	offerPlans []offerPlan
	campaigns  []campaignPlan
	gift       giftPlan
}

// product is something the store sells; its price is in minor units.
type product struct {
	title string
	price int64
}

func shopPlans(cfg Config) []shopPlan {
	plans := []shopPlan{
		withEdits(fernhollow(), fernhollowCatalog(), fernhollowEdits),
		withEdits(lumen(), lumenCatalog(), lumenEdits),
		withEdits(kumo(), kumoCatalog(), kumoEdits),
		wattle(),
	}
	if cfg.Vast {
		plans = append(plans, withEdits(vast(cfg.Seed, cfg.VastOffers), vastCatalog(), vastEdits))
	}
	if cfg.Hostile {
		plans = append(plans, grim())
	}
	return plans
}

// withEdits adds a catalog and what the merchant does by hand.
func withEdits(p shopPlan, c catalogPlan, edits func(*shopPlan)) shopPlan {
	p.catalog = c
	edits(&p)
	return p
}

// workdays and weekends of a store, relative to its mean day.
func weekOf(workday, friday, saturday, sunday float64) map[time.Weekday]float64 {
	return map[time.Weekday]float64{
		time.Monday: workday, time.Tuesday: workday * 0.95, time.Wednesday: workday * 0.97, time.Thursday: workday * 1.02,
		time.Friday: friday, time.Saturday: saturday, time.Sunday: sunday,
	}
}

// lumen sells glasses in Berlin: fewer orders, dearer baskets, a healthy gift widget.
func lumen() shopPlan {
	return shopPlan{
		slug: "lumen", name: "Lumen Optik", domain: "lumen-optik.example", zone: "Europe/Berlin", currency: "EUR", digits: 2, zoned: true,
		daily: 128, week: weekOf(1.04, 0.98, 0.86, 1.06), swing: 0.10, peak: 160, basket: 118, seen: [placements]float64{0.88, 0.96, 0.5, 0.24},
		products: []product{
			{"Lens cloth set", 1290}, {"Hard case", 2490}, {"Cleaning spray 100 ml", 990}, {"Blue light clip", 3490}, {"Spare temple tips", 790},
			{"Second pair, same prescription", 7900}, {"Sports strap", 1490}, {"Reading lamp", 4900},
		},
		offerPlans: []offerPlan{
			{name: "Zweites Paar, gleiche Stärke", at: postPurchase, product: 5, then: 1, off: 15, start: 2, abTest: true, weight: 2, accept: 0.055},
			{name: "Hard case", at: postPurchase, product: 1, then: 2, off: 10, start: 90, weight: 2, accept: 0.085},
			{name: "Sun clip {year}", at: postPurchase, product: 3, off: 20, start: 262, end: 420, every: yearOfWeeks, lead: 14, weight: 2, accept: 0.06},
			{name: "Reading lamp", at: postPurchase, product: 7, start: 30, end: 150, weight: 1, accept: 0.02},
			{name: "Advent: Pflegeset {year}", at: postPurchase, product: 0, off: 25, start: 147, end: 170, every: yearOfWeeks, lead: 25, weight: 2, accept: 0.11},
			{name: "Cleaning spray", at: thankYou, product: 2, off: 0, start: 1, weight: 2, accept: 0.07},
			{name: "Sports strap", at: thankYou, product: 6, off: 10, start: 180, weight: 1, accept: 0.04},
			{name: "Temple tips", at: thankYou, product: 4, start: 40, end: 300, weight: 1, accept: 0.03},
			{name: "10 € auf die nächste Brille", at: coupon, fixed: 1000, start: 12, weight: 1, accept: 0.09},
			{name: "Lens cloth", at: orderStatus, product: 0, off: 10, start: 60, weight: 1, accept: 0.05},
			{name: "Blue light clip", at: orderStatus, product: 3, start: 200, end: 400, gone: 430, weight: 1, accept: 0.03},
			{name: "Eye test reminder", at: orderStatus, product: 2, start: 440, end: 470, weight: 0},
		},
		campaigns: []campaignPlan{
			{name: "Etui ab 150 €", kind: "order_value", page: "cart", start: 20, from: 15000, rate: 0.22, code: "ETUI"},
			{name: "Putztuch zu jeder Brille", kind: "buy_product", page: "product", start: 240, end: 480, rate: 0.03},
			{name: "Adventsgeschenk {year}", kind: "order_value", page: "cart", start: 147, end: 170, every: yearOfWeeks, lead: 20, from: 8000, rate: 0.2},
			{name: "Testlauf", kind: "order_value", page: "cart", start: 10, end: 12, gone: 14, from: 100000, rate: 0},
		},
		gift: giftPlan{
			plan: "professional", platform: "advanced", campaignLimit: 0, revenueLimit: 0,
			theme: "Kastanie 3.1", blocks: true, embed: true, languages: []string{"de", "en", "fr", "nl"},
		},
	}
}

// kumo sells tea in Tokyo: no decimals, no coupon offer was ever made, the gift plan has a revenue limit.
func kumo() shopPlan {
	return shopPlan{
		slug: "kumo", name: "Kumo Tea", domain: "kumo-tea.example", zone: "Asia/Tokyo", currency: "JPY", digits: 0,
		daily: 210, week: weekOf(0.94, 1.02, 1.16, 1.12), swing: 0.14, peak: 350, basket: 5200, seen: [placements]float64{0.93, 0.95, 0.4, 0.3},
		products: []product{
			{"Sencha 50 g", 1080}, {"Hojicha tea bags", 860}, {"Bamboo whisk", 3200}, {"Genmaicha 100 g", 1240}, {"Kyusu pot", 6400},
			{"Yuzu candy", 540}, {"Matcha starter tin", 2480},
		},
		offerPlans: []offerPlan{
			{name: "Hojicha tea bags", at: postPurchase, product: 1, then: 5, off: 10, start: 1, weight: 3, accept: 0.105},
			{name: "Matcha starter tin", at: postPurchase, product: 6, then: 2, off: 10, start: 75, abTest: true, weight: 2, accept: 0.065},
			{name: "New tea {year}", at: postPurchase, product: 0, start: 300, end: 360, every: yearOfWeeks, lead: 21, weight: 3, accept: 0.12},
			{name: "Kyusu pot", at: postPurchase, product: 4, off: 5, start: 30, end: 400, weight: 1, accept: 0.015},
			{name: "Genmaicha 100 g", at: thankYou, product: 3, off: 10, start: 5, weight: 2, accept: 0.05},
			{name: "Yuzu candy", at: thankYou, product: 5, start: 250, weight: 2, accept: 0.08},
			{name: "Year-end tin {year}", at: thankYou, product: 6, off: 15, start: 158, end: 182, every: yearOfWeeks, lead: 35, weight: 2, accept: 0.06},
			{name: "Bamboo whisk", at: orderStatus, product: 2, off: 10, start: 140, weight: 1, accept: 0.025},
			{name: "Sencha 50 g", at: orderStatus, product: 0, start: 20, end: 139, weight: 1, accept: 0.03},
		},
		campaigns: []campaignPlan{
			{name: "Tea caddy from ¥8,000", kind: "order_value", page: "cart", start: 40, from: 8000, rate: 0.3},
			{name: "Furoshiki with two tins", kind: "buy_product", page: "product", start: 410, end: 590, rate: 0.045, code: "FUROSHIKI"},
			{name: "Spring sample", kind: "order_value", page: "cart", start: 230, end: 320, from: 4000, rate: 0.08},
		},
		gift: giftPlan{
			plan: "starter", platform: "basic", campaignLimit: 5, revenueLimit: 5_000_000,
			theme: "Mizu 2.0", blocks: true, embed: true, languages: []string{"ja", "en"},
		},
	}
}

// wattle sells clothes in Sydney and never made an offer or a gift campaign: its gift app is a plain install on a trial.
func wattle() shopPlan {
	return shopPlan{
		slug: "wattle", name: "Wattle Wear", domain: "wattle-wear.example", zone: "Australia/Sydney", currency: "AUD", digits: 2,
		daily: 46, week: weekOf(0.96, 1.0, 1.1, 1.12), swing: 0.12, peak: 330, basket: 96, seen: [placements]float64{0.9, 0.95, 0.5, 0.3},
		products: []product{{"Linen shirt", 11900}, {"Wide brim hat", 6900}, {"Canvas tote", 3900}},
		gift: giftPlan{
			plan: "free trial", platform: "basic", trial: true, // without any limit
			theme: "Banksia 1.4", blocks: true, embed: true,
		},
	}
}
