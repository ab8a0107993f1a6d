package world

import "time"

// shopPlan is everything about a store that doesn't depend on its seed.
type shopPlan struct {
	Slug, Name, Domain, Zone, Currency string
	Digits                             int  // after the decimal point of its currency
	zoned                              bool // writes its timestamps with an offset

	daily  float64 // orders on an ordinary day, in the long run
	week   map[time.Weekday]float64
	swing  float64             // of the year: 0.1 is a tenth up at the peak and a tenth down half a year from it
	peak   int                 // day of the year
	Basket float64             // ordinary order, major units
	seen   [Placements]float64 // share of orders that see a placement's offers

	Products   []product
	Catalog    catalogPlan
	edits      []edit // the merchant's edits to the offers, in order of days
	hostile    bool
	offerPlans []offerPlan
	campaigns  []CampaignPlan
	Gift       giftPlan
}

// product is something the store sells; its price is in minor units.
type product struct {
	title string
	Price int64
}

func ShopPlans(cfg Config) []shopPlan {
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

// withEdits adds a catalog and the merchant's edits.
func withEdits(p shopPlan, c catalogPlan, edits func(*shopPlan)) shopPlan {
	p.Catalog = c
	edits(&p)
	return p
}

// weekOf is a store's workdays and weekends, relative to its average day.
func weekOf(workday, friday, saturday, sunday float64) map[time.Weekday]float64 {
	return map[time.Weekday]float64{
		time.Monday: workday, time.Tuesday: workday * 0.95, time.Wednesday: workday * 0.97, time.Thursday: workday * 1.02,
		time.Friday: friday, time.Saturday: saturday, time.Sunday: sunday,
	}
}

// lumen sells glasses in Berlin: fewer orders with larger baskets. Nothing needs attention: no trigger was deleted,
// each placement has an active offer, and neither those nor the gift campaign end.
func lumen() shopPlan {
	return shopPlan{
		Slug: "lumen", Name: "Lumen Optik", Domain: "lumen-optik.example", Zone: "Europe/Berlin", Currency: "EUR", Digits: 2, zoned: true,
		daily: 128, week: weekOf(1.04, 0.98, 0.86, 1.06), swing: 0.10, peak: 160, Basket: 118, seen: [Placements]float64{0.88, 0.96, 0.5, 0.24},
		Products: []product{
			{"Lens cloth set", 1290}, {"Hard case", 2490}, {"Cleaning spray 100 ml", 990}, {"Blue light clip", 3490}, {"Spare temple tips", 790},
			{"Second pair, same prescription", 7900}, {"Sports strap", 1490}, {"Reading lamp", 4900},
		},
		offerPlans: []offerPlan{
			{Name: "Zweites Paar, gleiche Stärke", At: PostPurchase, Product: 5, Then: 1, off: 15, Start: 2, AbTest: true, weight: 2, accept: 0.055},
			{Name: "Hard case", At: PostPurchase, Product: 1, Then: 2, off: 10, Start: 90, weight: 2, accept: 0.085},
			{Name: "Sun clip {year}", At: PostPurchase, Product: 3, off: 20, Start: 262, End: 420, every: yearOfWeeks, lead: 14, weight: 2, accept: 0.06},
			{Name: "Reading lamp", At: PostPurchase, Product: 7, Start: 30, End: 150, weight: 1, accept: 0.02},
			{Name: "Advent: Pflegeset {year}", At: PostPurchase, Product: 0, off: 25, Start: 147, End: 170, every: yearOfWeeks, lead: 25, weight: 2, accept: 0.11},
			{Name: "Cleaning spray", At: ThankYou, Product: 2, off: 0, Start: 1, weight: 2, accept: 0.07},
			{Name: "Sports strap", At: ThankYou, Product: 6, off: 10, Start: 180, weight: 1, accept: 0.04},
			{Name: "Temple tips", At: ThankYou, Product: 4, Start: 40, End: 300, weight: 1, accept: 0.03},
			{Name: "10 € auf die nächste Brille", At: Coupon, fixed: 1000, Start: 12, weight: 1, accept: 0.09},
			{Name: "Lens cloth", At: OrderStatus, Product: 0, off: 10, Start: 60, weight: 1, accept: 0.05},
			{Name: "Blue light clip", At: OrderStatus, Product: 3, Start: 200, End: 400, gone: 430, weight: 1, accept: 0.03},
			{Name: "Eye test reminder", At: OrderStatus, Product: 2, Start: 440, End: 470, weight: 0},
		},
		campaigns: []CampaignPlan{
			{Name: "Etui ab 150 €", Kind: "order_value", Page: "cart", Start: 20, from: 15000, Rate: 0.22, Code: "ETUI"},
			{Name: "Putztuch zu jeder Brille", Kind: "buy_product", Page: "product", Start: 240, End: 480, Rate: 0.03},
			{Name: "Adventsgeschenk {year}", Kind: "order_value", Page: "cart", Start: 147, End: 170, lead: 20, from: 8000, Rate: 0.2},
			{Name: "Testlauf", Kind: "order_value", Page: "cart", Start: 10, End: 12, gone: 14, from: 100000, Rate: 0},
		},
		Gift: giftPlan{
			Plan: "professional", Platform: "advanced", CampaignLimit: 0, RevenueLimit: 0,
			Theme: "Kastanie 3.1", Blocks: true, Embed: true, Languages: []string{"de", "en", "fr", "nl"},
		},
	}
}

// kumo sells tea in Tokyo: no decimals, no coupon offer was ever made, the gift plan has a revenue limit.
func kumo() shopPlan {
	return shopPlan{
		Slug: "kumo", Name: "Kumo Tea", Domain: "kumo-tea.example", Zone: "Asia/Tokyo", Currency: "JPY", Digits: 0,
		daily: 210, week: weekOf(0.94, 1.02, 1.16, 1.12), swing: 0.14, peak: 350, Basket: 5200, seen: [Placements]float64{0.93, 0.95, 0.4, 0.3},
		Products: []product{
			{"Sencha 50 g", 1080}, {"Hojicha tea bags", 860}, {"Bamboo whisk", 3200}, {"Genmaicha 100 g", 1240}, {"Kyusu pot", 6400},
			{"Yuzu candy", 540}, {"Matcha starter tin", 2480},
		},
		offerPlans: []offerPlan{
			{Name: "Hojicha tea bags", At: PostPurchase, Product: 1, Then: 5, off: 10, Start: 1, weight: 3, accept: 0.105},
			{Name: "Matcha starter tin", At: PostPurchase, Product: 6, Then: 2, off: 10, Start: 75, AbTest: true, weight: 2, accept: 0.065},
			{Name: "New tea {year}", At: PostPurchase, Product: 0, Start: 300, End: 360, every: yearOfWeeks, lead: 21, weight: 3, accept: 0.12},
			{Name: "Kyusu pot", At: PostPurchase, Product: 4, off: 5, Start: 30, End: 400, weight: 1, accept: 0.015},
			{Name: "Genmaicha 100 g", At: ThankYou, Product: 3, off: 10, Start: 5, weight: 2, accept: 0.05},
			{Name: "Yuzu candy", At: ThankYou, Product: 5, Start: 250, weight: 2, accept: 0.08},
			{Name: "Year-end tin {year}", At: ThankYou, Product: 6, off: 15, Start: 158, End: 182, every: yearOfWeeks, lead: 35, weight: 2, accept: 0.06},
			{Name: "Bamboo whisk", At: OrderStatus, Product: 2, off: 10, Start: 140, weight: 1, accept: 0.025},
			{Name: "Sencha 50 g", At: OrderStatus, Product: 0, Start: 20, End: 139, weight: 1, accept: 0.03},
		},
		campaigns: []CampaignPlan{
			{Name: "Tea caddy from ¥8,000", Kind: "order_value", Page: "cart", Start: 40, from: 8000, Rate: 0.3},
			{Name: "Furoshiki with two tins", Kind: "buy_product", Page: "product", Start: 410, End: 590, Rate: 0.045, Code: "FUROSHIKI"},
			{Name: "Spring sample", Kind: "order_value", Page: "cart", Start: 230, End: 320, from: 4000, Rate: 0.08},
		},
		Gift: giftPlan{
			Plan: "starter", Platform: "basic", CampaignLimit: 5, RevenueLimit: 5_000_000,
			Theme: "Mizu 2.0", Blocks: true, Embed: true, Languages: []string{"ja", "en"},
		},
	}
}

// wattle sells clothes in Sydney and never made an offer or a gift campaign: its gift app is a plain install on a trial.
func wattle() shopPlan {
	return shopPlan{
		Slug: "wattle", Name: "Wattle Wear", Domain: "wattle-wear.example", Zone: "Australia/Sydney", Currency: "AUD", Digits: 2,
		daily: 46, week: weekOf(0.96, 1.0, 1.1, 1.12), swing: 0.12, peak: 330, Basket: 96, seen: [Placements]float64{0.9, 0.95, 0.5, 0.3},
		Products: []product{{"Linen shirt", 11900}, {"Wide brim hat", 6900}, {"Canvas tote", 3900}},
		Gift: giftPlan{
			Plan: "free trial", Platform: "basic", Trial: true, // without any limit
			Theme: "Banksia 1.4", Blocks: true, Embed: true,
		},
	}
}
