package gallery

import (
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
)

// offerDays are the values of the picture's offer by day; 0 is the day that is missing.
var offerDays = []int64{312, 352, 321, 387, 445, 371, 343, 379, 397, 367, 419, 580, 327, 309, 0, 305, 424, 479, 584, 321, 392, 321, 365, 335, 464, 488, 297, 393, 297, 382}

func product(title, kind, value string) report.StageProduct {
	return report.StageProduct{Title: title, DiscountType: kind, DiscountValue: value}
}

func events(name string) []report.OfferEvent {
	at := func(month time.Month, day int) time.Time { return time.Date(2026, month, day, 0, 31, 0, 0, newYork) }
	return []report.OfferEvent{
		{At: at(11, 9), Kind: "ab_test", Before: "false", After: "true"},
		{At: at(10, 26), Kind: "priority", Before: "3", After: "1"},
		{At: at(9, 2), Kind: "renamed", Before: "Trail socks", After: name},
		{At: at(8, 14), Kind: "status", Before: "scheduled", After: "active"},
		{At: at(7, 17), Kind: "first_seen", After: "Trail socks"},
	}
}

func recommended(title, price string, orders int64, past string) report.RecommendedProduct {
	p := report.RecommendedProduct{ID: "gid://shop/Product/1", Title: title, Price: decp(price)}
	if past != "" {
		p.CoPurchased, p.PastRevenue = &orders, decp(past)
	}
	return p
}

// TrailSocks is the offer of the picture: three stages, an A/B test, a deleted
// trigger product, one missing day.
func TrailSocks() report.OfferDetail {
	o := Fernhollow()
	name := "Trail socks, second pair"
	setup, stages, instead := reported("GET /data/offer/{id}", nil, 580), reported("GET /data/offer/{id}/stages", nil, 581), reported("GET /data/products/recommendations", nil, 3*24*60)
	d := report.OfferDetail{
		Store: o.Store, Now: now, Choice: report.Choice{Preset: report.Last30, Window: window, Comparison: report.CompareNone, Today: today},
		Offer: report.OfferListRow{
			ID: "8801", Name: name, Placement: report.PostPurchase, Status: "active", ABTest: true, RevenueAllTime: decp("68210.44"), Currency: "USD", Priority: ptr(1),
			CreatedAt: "2026-03-02T09:12:00", URL: "https://admin.example/offers/8801", FirstSeen: minutesAgo(180000), LastListed: minutesAgo(684),
		},
		Results: report.OfferResults{Panel: report.Panel{Provenance: reported("GET /data/analytics/top", &window, 12)}, Currency: "USD", Revenue: decp("11482.36"), Claims: ptr(int64(276)), AcceptanceRate: decp("0.214"), AcceptanceUnit: report.UnitFraction},
		Setup: report.OfferSetup{Panel: report.Panel{Provenance: setup}, SetupBody: report.SetupBody{
			Name: name, Status: "active", Placement: string(report.PostPurchase), StartDate: "2026-03-04", TriggerCriteria: "set-conditions", Currency: "USD", ABTest: true,
			Conditions: []report.Condition{
				{Kind: "products", Names: []report.ConditionName{{Kind: "product", Name: "Ridge Runner boots"}, {Kind: "product", Name: "Approach boots"}, {Kind: "product", Name: "Ridge Runner GTX", Deleted: true}}},
				{Kind: "collections", Names: []report.ConditionName{{Kind: "collection", Name: "Footwear"}}},
			},
			Claims: ptr(int64(1702)), AcceptanceRate: decp("0.209"), Priority: ptr(int64(1)),
		}},
		Stages: report.OfferStages{Panel: report.Panel{Provenance: stages}, StagesBody: report.StagesBody{OfferName: name, Currency: "USD", Stages: []report.StageBody{
			{Label: "First upsell", Arms: []report.StageArm{
				{Name: "Arm A", Products: []report.StageProduct{product("Trail socks, crew", "percentage", "15")}},
				{Name: "Arm B", Products: []report.StageProduct{product("Trail socks, crew", "percentage", "15"), product("Wool liner", "percentage", "15")}, Bundle: &report.Bundle{Type: "quantity", DiscountType: "percentage", Tiers: []report.BundleTier{{Words: "2 for 20% off"}, {Words: "3 for 25% off"}}}},
			}},
			{Label: "Second upsell", Follows: "First upsell", Branch: report.Accepted, Products: []report.StageProduct{product("Boot care kit", "percentage", "10")}},
			{Label: "Second upsell, declined", Follows: "First upsell", Branch: report.Declined, Products: []report.StageProduct{product("Trail socks, single", "none", "0")}},
			{Label: "Third upsell", Follows: "Second upsell", Branch: report.Accepted, Products: []report.StageProduct{product("Ridge bottle", "percentage", "10")}},
			{Label: "Last upsell", Follows: "Second upsell, declined", Branch: report.Declined, Products: []report.StageProduct{product("Camp mug", "fixed_amount", "5.00")}},
		}}},
		Recommendations: report.OfferRecommendations{Panel: report.Panel{Provenance: instead}, RecommendationsBody: report.RecommendationsBody{
			Shape: report.ShapeBoughtTogether, Currency: "USD", Deleted: "Ridge Runner GTX",
			Triggers: []report.RecommendationTrigger{
				{Title: "Ridge Runner boots", Evidence: []report.RecommendedProduct{
					recommended("Trail socks, crew", "18", 86, "1548"), recommended("Boot care kit", "24", 51, "1224"), recommended("Gaiters", "42", 19, "798"), recommended("Headlamp 350", "39", 7, "273"),
				}, Padding: []report.RecommendedProduct{recommended("Peak Low hiking shoe", "129", 0, ""), recommended("Scree sandal", "84", 0, "")}},
				{Title: "Approach boots", Padding: []report.RecommendedProduct{
					recommended("Peak Low hiking shoe", "129", 0, ""), recommended("Ridge Runner mid", "164", 0, ""), recommended("Scree sandal", "84", 0, ""),
					recommended("Alpine boot", "240", 0, ""), recommended("Camp slipper", "38", 0, ""), recommended("Trail gaiter boot", "176", 0, ""),
				}},
			},
		}},
		History: report.OfferHistory{Panel: report.Panel{Provenance: stitched("GET /data/analytics/top")}, Currency: "USD", Revenue: decp("11133.00")},
		Events:  events(name),
	}
	for i, v := range offerDays {
		day := report.OfferDay{Day: window.Start.AddDays(i), Stored: v > 0}
		if v > 0 {
			day.Revenue, day.Claims = ptr(decimal.New(v*100+wobble[i%10]*7, -2)), ptr(v/42)
		}
		d.History.Days = append(d.History.Days, day)
	}
	return d
}

// Unbalanced goes on for those who accept and ends at once for those who don't.
func Unbalanced() report.OfferDetail {
	d := TrailSocks()
	s := d.Stages.Stages
	s[1].Products = append(s[1].Products, product("Waterproofing spray, 200 ml", "percentage", "10"), product("Brush", "fixed_amount", "1.00"))
	s[1].Bundle = &report.Bundle{Type: "quantity", DiscountType: "percentage", Tiers: []report.BundleTier{{Words: "2 for 20% off"}, {Words: "3 for 25% off"}}}
	d.Stages.Stages = append(s[:2:2], s[3], report.StageBody{Label: "Third upsell, declined", Follows: s[1].Label, Branch: report.Declined, Arms: s[0].Arms})
	return d
}

// single turns an offer into one of a placement with a single stage.
func single(d report.OfferDetail, name string, p report.Placement) report.OfferDetail {
	d.Offer.Name, d.Offer.Placement, d.Offer.ABTest = name, p, false
	d.Setup.Name, d.Setup.Placement = name, string(p)
	d.Stages.Stages = []report.StageBody{{Products: []report.StageProduct{product("Headlamp spare batteries", "fixed_amount", "2.50")}}}
	d.Events = events(name)[4:]
	return d
}

// Bundled is a single stage with a bundle deal, shown after every order, with
// days on which it sold nothing; its products have never been bought together.
func Bundled() report.OfferDetail {
	d := single(TrailSocks(), "Headlamp spare batteries", report.ThankYou)
	d.Setup.TriggerCriteria, d.Setup.Conditions = "no-condition", nil
	d.Setup.EndDate, d.Setup.DiscountType, d.Setup.DiscountValue = "2026-12-24", "percentage", "12.5"
	d.Stages.Stages[0].Bundle = &report.Bundle{Type: "quantity_break", DiscountType: "percentage", Tiers: []report.BundleTier{{Words: "Buy 2: 5% off"}, {Words: "Buy 3: 10% off"}, {Raw: `{"min":5,"v":"?"}`}}}
	for i := range d.History.Days {
		if day := &d.History.Days[i]; day.Stored && i%3 == 1 {
			day.Revenue, day.Claims = ptr(decimal.Zero), nil
		}
	}
	d.Recommendations.RecommendationsBody = report.RecommendationsBody{
		Shape: report.ShapeBestSellers, Cause: "no_product_trigger", Currency: "USD",
		Products: []report.RecommendedProduct{recommended("Trail socks, crew", "18", 0, ""), recommended("Ridge Runner boots", "164", 0, ""), recommended("Camp mug", "14", 0, "")},
	}
	return d
}

// CouponOffer reports no revenue and has no product slot.
func CouponOffer(l locale.Locale) report.OfferDetail {
	d := single(TrailSocks(), "Thanks for your first order", report.Coupon)
	d.Offer.RevenueAllTime = nil
	d.Results = report.OfferResults{Panel: report.Panel{Provenance: d.Results.Provenance, Empty: empty(report.CauseNotReported, l.T("offers.offer.nothing_reported"), l.T("offers.offer.coupon_results"), "", "")}, Currency: "USD"}
	d.Results.Provenance.Basis = report.NotReported
	d.History.Days, d.History.Revenue = nil, nil
	d.History.Empty = empty(report.CauseNotReported, l.T("offers.days.not_reported"), l.T("offers.days.not_reported_text"), "", "")
	d.Setup.DiscountType, d.Setup.DiscountValue = "percentage", "10"
	d.Setup.Conditions = []report.Condition{{Kind: "order_value", Raw: `{"type":"order_value","operator":"at_least","value":90}`}}
	d.Stages.Stages = []report.StageBody{{}}
	d.Recommendations.RecommendationsBody = report.RecommendationsBody{Shape: report.ShapeNoSlot}
	return d
}

// Unpulled is an offer of which only the list is known so far.
func Unpulled(l locale.Locale) report.OfferDetail {
	d := single(TrailSocks(), "Merino gloves", report.PostPurchase)
	e := func(what string) *report.Empty {
		return empty(report.CauseFilling, l.T("offers.on_the_way."+what), l.T("state.pull_waits"), l.T("empty.see_sync"), "/stores/fernhollow/sync")
	}
	d.Setup = report.OfferSetup{Panel: report.Panel{Provenance: reported("GET /data/offer/{id}", nil, 0), Empty: e("setup")}}
	d.Stages = report.OfferStages{Panel: report.Panel{Provenance: reported("GET /data/offer/{id}/stages", nil, 0), Empty: e("stages")}}
	d.Recommendations = report.OfferRecommendations{Panel: report.Panel{Provenance: reported("GET /data/products/recommendations", nil, 0), Empty: e("instead")}}
	d.History.Days, d.History.Revenue = nil, nil
	d.History.Empty = empty(report.CauseNotKept, l.T("offers.days.none_known"), l.T("offers.days.none_known_text"), "", "")
	d.Results.Panel, d.Results.Revenue, d.Results.Claims, d.Results.AcceptanceRate = d.History.Panel, nil, nil, nil
	d.Offer.Status, d.Offer.URL, d.Events = "scheduled", "", nil
	return d
}

// GoneOffer is one that a ranking marks as deleted and the service no longer knows.
func GoneOffer(l locale.Locale) report.OfferDetail {
	d := single(TrailSocks(), "Summer cap", report.OrderStatus)
	d.Offer.Deleted, d.Offer.Unlisted, d.Offer.URL, d.Offer.Priority = true, true, "", nil
	d.Setup.Empty = empty(report.CauseGone, l.T("offers.gone.setup"), l.T("offers.gone.title")+" "+l.T("offers.gone.text"), "", "")
	d.Setup.SetupBody = report.SetupBody{}
	t := report.Trouble{Title: l.T("state.not_updated_since", "day", l.Day(civil.Date{Year: 2026, Month: 11, Day: 12})), Text: l.T("state.told.failed"), Since: minutesAgo(300)}
	d.Results.Trouble, d.Stages.Trouble, d.Recommendations.Trouble, d.History.Trouble = &t, &t, &t, &t
	d.Recommendations.RecommendationsBody = report.RecommendationsBody{
		Shape: report.ShapeCandidates, Currency: "USD", Products: []report.RecommendedProduct{recommended("Cap", "20", 0, ""), recommended("Cap", "24", 0, "")},
	}
	d.Events = append([]report.OfferEvent{{At: minutesAgo(9000), Kind: "deleted"}, {At: minutesAgo(12000), Kind: "unlisted"}}, d.Events...)
	return d
}

// HostileOffer has hostile text in every string, stages that lead in a circle,
// branches and conditions that the documents don't name.
func HostileOffer() report.OfferDetail {
	d := TrailSocks()
	d.Store.Name = "متجر الزهور والعطور الشرقية"
	d.Offer.Name, d.Offer.Placement, d.Offer.Status = hostile, "Cart drawer upsell <b>(new)</b> "+unbroken, "on_hold_"+unbroken
	d.Offer.Unlisted = true
	d.Setup.StartDate, d.Setup.EndDate = hostile, "سنة 2026"
	d.Setup.DiscountType, d.Setup.DiscountValue = "mystery", unbroken
	d.Setup.Conditions = []report.Condition{
		{Kind: hostile, Raw: `{"unknown":"` + unbroken + `"}`},
		{Kind: "products", Names: []report.ConditionName{{Kind: "product", Name: unbroken, Deleted: true}, {Kind: "product", Name: rightToLeft}, {Name: ""}}},
		{Names: []report.ConditionName{{Kind: "tag", Name: hostile}}},
	}
	d.Stages.Stages = []report.StageBody{
		{Label: hostile, Products: []report.StageProduct{product(unbroken, unbroken, "1"), product(rightToLeft, "percentage", "5")}, Bundle: &report.Bundle{Type: unbroken, Tiers: []report.BundleTier{{Words: unbroken}}}},
		{Label: rightToLeft, Follows: hostile, Branch: "postponed " + unbroken, Products: []report.StageProduct{product("", "", "")}},
		{Label: "circle", Follows: "circle again", Branch: report.Accepted, Raw: unbroken},
		{Label: "circle again", Follows: "circle", Branch: report.Declined},
		{Label: "lost", Follows: hostile + " of another store", Branch: report.Accepted, Arms: []report.StageArm{{Name: unbroken, Raw: unbroken}}},
	}
	triggers := d.Recommendations.Triggers
	triggers[0].Title, triggers[0].Evidence[0].Title, triggers[0].Padding[0].Title = unbroken, hostile, unbroken
	triggers[1].Title = rightToLeft
	d.Recommendations.Omitted, d.Recommendations.Deleted = unbroken, hostile
	d.Events = []report.OfferEvent{{At: minutesAgo(60), Kind: "renamed", Before: rightToLeft, After: hostile}, {At: minutesAgo(600), Kind: "strange_" + unbroken, Before: unbroken}}
	return d
}

const (
	unbroken    = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaftsunterlagenschrankschlüssel"
	rightToLeft = "زوج ثانٍ من الجوارب للمسارات الجبلية"
	hostile     = `"'><script>alert("no")</script>{{7*7}}=HYPERLINK("https://evil.example") ` + rightToLeft + " \U0001F9E6\u202eabc"
)

// YenOffer is the offer of a store in yen, from right to left.
func YenOffer() report.OfferDetail {
	d := TrailSocks()
	d.Store = Kumo().Store
	d.Offer.Name, d.Offer.Currency = rightToLeft, "JPY"
	d.Results.Currency, d.Stages.Currency, d.Recommendations.Currency, d.History.Currency, d.Setup.Currency = "JPY", "JPY", "JPY", "JPY", "JPY"
	f := dec("69.677")
	for _, v := range []*decimal.Decimal{d.Results.Revenue, d.Offer.RevenueAllTime, d.History.Revenue} {
		*v = v.Mul(f).Round(0)
	}
	for i := range d.History.Days {
		if v := d.History.Days[i].Revenue; v != nil {
			*v = v.Mul(f).Round(0)
		}
	}
	return d
}
