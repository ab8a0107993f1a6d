package gallery

import (
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/offers"
	"github.com/storeglass/storeglass/internal/report/overview"
)

// offerDays are the values of the picture's offer by day; 0 marks the missing day.
var offerDays = []int64{312, 352, 321, 387, 445, 371, 343, 379, 397, 367, 419, 580, 327, 309, 0, 305, 424, 479, 584, 321, 392, 321, 365, 335, 464, 488, 297, 393, 297, 382}

func product(title, kind, value string) offers.StageProduct {
	return offers.StageProduct{Title: title, DiscountType: kind, DiscountValue: value}
}

func events(name string) []offers.Event {
	at := func(month time.Month, day int) time.Time { return time.Date(2026, month, day, 0, 31, 0, 0, newYork) }
	return []offers.Event{
		{At: at(11, 9), Kind: "ab_test", Before: "false", After: "true"},
		{At: at(10, 26), Kind: "priority", Before: "3", After: "1"},
		{At: at(9, 2), Kind: "renamed", Before: "Trail socks", After: name},
		{At: at(8, 14), Kind: "status", Before: "scheduled", After: "active"},
		{At: at(7, 17), Kind: "first_seen", After: "Trail socks"},
	}
}

func recommended(title, price string, orders int64, past string) offers.RecommendedProduct {
	p := offers.RecommendedProduct{ID: "gid://shop/Product/1", Title: title, Price: decp(price)}
	if past != "" {
		p.CoPurchased, p.PastRevenue = &orders, decp(past)
	}
	return p
}

// TrailSocks is the offer of the picture: three stages, an A/B test, a deleted
// trigger product, one missing day.
func TrailSocks() offers.Detail {
	o := Fernhollow(locale.English)
	name := "Trail socks, second pair"
	setup, stages, instead := reported("GET /data/offer/{id}", nil, 580), reported("GET /data/offer/{id}/stages", nil, 581), reported("GET /data/products/recommendations", nil, 3*24*60)
	d := offers.Detail{
		Store: o.Store, Now: now, Choice: o.Choice,
		Offer: offers.Row{
			ID: "8801", Name: name, Placement: report.PostPurchase, Status: "active", ABTest: true, RevenueAllTime: decp("68210.44"), Currency: "USD", Priority: new(1),
			CreatedAt: "2026-03-02T09:12:00", URL: "https://admin.example/offers/8801", FirstSeen: minutesAgo(180000), LastListed: minutesAgo(684),
		},
		Results: offers.Results{Panel: report.Panel{Provenance: reported("GET /data/analytics/top", &window, 12)}, Currency: "USD", Revenue: decp("11482.36"), Claims: new(int64(276)), AcceptanceRate: decp("0.214"), AcceptanceUnit: overview.UnitFraction},
		Setup: offers.Setup{Panel: report.Panel{Provenance: setup}, SetupBody: offers.SetupBody{
			Name: name, Status: "active", Placement: string(report.PostPurchase), StartDate: "2026-03-04", TriggerCriteria: "set-conditions", Currency: "USD", ABTest: true,
			Conditions: []offers.Condition{
				{Kind: "products", Names: []report.ConditionName{{Kind: "product", Name: "Ridge Runner boots"}, {Kind: "product", Name: "Approach boots"}, {Kind: "product", Name: "Ridge Runner GTX", Deleted: true}}},
				{Kind: "collections", Names: []report.ConditionName{{Kind: "collection", Name: "Footwear"}}},
			},
			Claims: new(int64(1702)), AcceptanceRate: decp("0.209"), Priority: new(int64(1)),
		}},
		Stages: offers.Stages{Panel: report.Panel{Provenance: stages}, StagesBody: offers.StagesBody{OfferName: name, Currency: "USD", Stages: []offers.StageBody{
			{Label: "First upsell", Arms: []offers.StageArm{
				{Name: "Arm A", Products: []offers.StageProduct{product("Trail socks, crew", "percentage", "15")}},
				{Name: "Arm B", Products: []offers.StageProduct{product("Trail socks, crew", "percentage", "15"), product("Wool liner", "percentage", "15")}, Bundle: &offers.Bundle{Type: "quantity", DiscountType: "percentage", Tiers: []offers.BundleTier{{Words: "2 for 20% off"}, {Words: "3 for 25% off"}}}},
			}},
			{Label: "Second upsell", Follows: "First upsell", Branch: offers.Accepted, Products: []offers.StageProduct{product("Boot care kit", "percentage", "10")}},
			{Label: "Second upsell, declined", Follows: "First upsell", Branch: offers.Declined, Products: []offers.StageProduct{product("Trail socks, single", "none", "0")}},
			{Label: "Third upsell", Follows: "Second upsell", Branch: offers.Accepted, Products: []offers.StageProduct{product("Ridge bottle", "percentage", "10")}},
			{Label: "Last upsell", Follows: "Second upsell, declined", Branch: offers.Declined, Products: []offers.StageProduct{product("Camp mug", "fixed_amount", "5.00")}},
		}}},
		Recommendations: offers.Recommendations{Panel: report.Panel{Provenance: instead}, RecommendationsBody: offers.RecommendationsBody{
			Shape: offers.ShapeBoughtTogether, Currency: "USD", Deleted: "Ridge Runner GTX",
			Triggers: []offers.RecommendationTrigger{
				{Title: "Ridge Runner boots", Evidence: []offers.RecommendedProduct{
					recommended("Trail socks, crew", "18", 86, "1548"), recommended("Boot care kit", "24", 51, "1224"), recommended("Gaiters", "42", 19, "798"), recommended("Headlamp 350", "39", 7, "273"),
				}, Padding: []offers.RecommendedProduct{recommended("Peak Low hiking shoe", "129", 0, ""), recommended("Scree sandal", "84", 0, "")}},
				{Title: "Approach boots", Padding: []offers.RecommendedProduct{
					recommended("Peak Low hiking shoe", "129", 0, ""), recommended("Ridge Runner mid", "164", 0, ""), recommended("Scree sandal", "84", 0, ""),
					recommended("Alpine boot", "240", 0, ""), recommended("Camp slipper", "38", 0, ""), recommended("Trail gaiter boot", "176", 0, ""),
				}},
			},
		}},
		History: offers.History{Panel: report.Panel{Provenance: stitched("GET /data/analytics/top")}, Currency: "USD", Revenue: decp("11133.00"), Notes: someNotes()},
		Events:  events(name),
	}
	for i, v := range offerDays {
		day := offers.Day{Day: window.Start.AddDays(i), Stored: v > 0, Currency: d.History.Currency}
		if v > 0 {
			day.Revenue, day.Claims = new(decimal.New(v*100+wobble[i%10]*7, -2)), new(v/42)
		}
		d.History.Days = append(d.History.Days, day)
	}
	return d
}

// Answered adds what the offer brought in before, and what happened.
func Answered(d offers.Detail, before string, happened ...report.Event) offers.Detail {
	o := Fernhollow(locale.English)
	earned := 1
	o.Top.Earned, o.Top.Empty = &earned, nil
	o.TopBefore.Highest, o.TopBefore.Lowest, o.TopBefore.Earned = []report.TopRow{{OfferID: d.Offer.ID, Revenue: decp(before)}}, nil, &earned
	d = d.Answered(o, happened)
	for _, e := range happened {
		d.Answer.Around = append(d.Answer.Around, around(e)...)
	}
	return d
}

// Unbalanced continues for customers who accept and ends at once for those who don't.
func Unbalanced() offers.Detail {
	d := TrailSocks()
	s := d.Stages.Stages
	s[1].Products = append(s[1].Products, product("Waterproofing spray, 200 ml", "percentage", "10"), product("Brush", "fixed_amount", "1.00"))
	s[1].Bundle = &offers.Bundle{Type: "quantity", DiscountType: "percentage", Tiers: []offers.BundleTier{{Words: "2 for 20% off"}, {Words: "3 for 25% off"}}}
	d.Stages.Stages = append(s[:2:2], s[3], offers.StageBody{Label: "Third upsell, declined", Follows: s[1].Label, Branch: offers.Declined, Arms: s[0].Arms})
	return d
}

// single turns an offer into one of a placement with a single stage.
func single(d offers.Detail, name string, p report.Placement) offers.Detail {
	d.Offer.Name, d.Offer.Placement, d.Offer.ABTest = name, p, false
	d.Setup.Name, d.Setup.Placement = name, string(p)
	d.Stages.Stages = []offers.StageBody{{Products: []offers.StageProduct{product("Headlamp spare batteries", "fixed_amount", "2.50")}}}
	d.Events = events(name)[4:]
	return d
}

// Bundled is a single stage with a bundle deal, shown after every order, with
// days on which it sold nothing; its products have never been bought together.
func Bundled() offers.Detail {
	d := single(TrailSocks(), "Headlamp spare batteries", report.ThankYou)
	d.Setup.TriggerCriteria, d.Setup.Conditions = "no-condition", nil
	d.Setup.EndDate, d.Setup.DiscountType, d.Setup.DiscountValue = "2026-12-24", "percentage", "12.5"
	d.Stages.Stages[0].Bundle = &offers.Bundle{Type: "quantity_break", DiscountType: "percentage", Tiers: []offers.BundleTier{{Words: "Buy 2: 5% off"}, {Words: "Buy 3: 10% off"}, {Raw: `{"min":5,"v":"?"}`}}}
	for i := range d.History.Days {
		if day := &d.History.Days[i]; day.Stored && i%3 == 1 {
			day.Revenue, day.Claims = new(decimal.Zero), nil
		}
	}
	d.Recommendations.RecommendationsBody = offers.RecommendationsBody{
		Shape: offers.ShapeBestSellers, Cause: "no_product_trigger", Currency: "USD",
		Products: []offers.RecommendedProduct{recommended("Trail socks, crew", "18", 0, ""), recommended("Ridge Runner boots", "164", 0, ""), recommended("Camp mug", "14", 0, "")},
	}
	return Answered(d, "0", report.Event{Day: window.End.AddDays(-9), Start: true, Name: d.Offer.Name, OfferID: d.Offer.ID, Placement: d.Offer.Placement})
}

// CouponOffer reports no revenue and has no product slot.
func CouponOffer(l locale.Locale) offers.Detail {
	d := single(TrailSocks(), "Thanks for your first order", report.Coupon)
	d.Offer.RevenueAllTime = nil
	d.Results = offers.Results{Panel: report.Panel{Provenance: d.Results.Provenance, Empty: empty(offers.CauseNotReported, l.T("offers.offer.nothing_reported"), l.T("offers.offer.coupon_results"), "", "")}, Currency: "USD"}
	d.Results.Provenance.Basis = report.NotReported
	d.History.Days, d.History.Revenue = nil, nil
	d.History.Empty = empty(offers.CauseNotReported, l.T("offers.days.not_reported"), l.T("offers.days.not_reported_text"), "", "")
	d.Setup.DiscountType, d.Setup.DiscountValue = "percentage", "10"
	d.Setup.Conditions = []offers.Condition{{Kind: "order_value", Raw: `{"type":"order_value","operator":"at_least","value":90}`}}
	d.Stages.Stages = []offers.StageBody{{}}
	d.Recommendations.RecommendationsBody = offers.RecommendationsBody{Shape: offers.ShapeNoSlot}
	return d
}

// Unpulled is an offer so far only known from the list.
func Unpulled(l locale.Locale) offers.Detail {
	d := single(TrailSocks(), "Merino gloves", report.PostPurchase)
	e := func(what string) *report.Empty {
		return empty(report.CauseFilling, l.T("offers.on_the_way."+what), l.T("state.pull_waits"), l.T("empty.see_sync"), "/stores/fernhollow/sync")
	}
	d.Setup = offers.Setup{Panel: report.Panel{Provenance: reported("GET /data/offer/{id}", nil, 0), Empty: e("setup")}}
	d.Stages = offers.Stages{Panel: report.Panel{Provenance: reported("GET /data/offer/{id}/stages", nil, 0), Empty: e("stages")}}
	d.Recommendations = offers.Recommendations{Panel: report.Panel{Provenance: reported("GET /data/products/recommendations", nil, 0), Empty: e("instead")}}
	d.History.Days, d.History.Revenue = nil, nil
	d.History.Empty = empty(report.CauseNotKept, l.T("offers.days.none_known"), l.T("offers.days.none_known_text"), "", "")
	d.Results.Panel, d.Results.Revenue, d.Results.Claims, d.Results.AcceptanceRate = d.History.Panel, nil, nil, nil
	d.Offer.Status, d.Offer.URL, d.Events = "scheduled", "", nil
	return d
}

// GoneOffer is one that a ranking marks as deleted and the service no longer knows.
func GoneOffer(l locale.Locale) offers.Detail {
	d := single(TrailSocks(), "Summer cap", report.OrderStatus)
	d.Offer.Deleted, d.Offer.Unlisted, d.Offer.URL, d.Offer.Priority = true, true, "", nil
	d.Setup.Empty = empty(offers.CauseGone, l.T("offers.gone.setup"), l.T("offers.gone.title")+" "+l.T("offers.gone.text"), "", "")
	d.Setup.SetupBody = offers.SetupBody{}
	t := report.Trouble{Title: l.T("state.not_updated_since", "day", l.Day(civil.Date{Year: 2026, Month: 11, Day: 12})), Text: l.T("state.cause.failed"), Since: minutesAgo(300)}
	d.Results.Trouble, d.Stages.Trouble, d.Recommendations.Trouble, d.History.Trouble = &t, &t, &t, &t
	d.Recommendations.RecommendationsBody = offers.RecommendationsBody{
		Shape: offers.ShapeCandidates, Currency: "USD", Products: []offers.RecommendedProduct{recommended("Cap", "20", 0, ""), recommended("Cap", "24", 0, "")},
	}
	d.Events = append([]offers.Event{{At: minutesAgo(9000), Kind: "deleted"}, {At: minutesAgo(12000), Kind: "unlisted"}}, d.Events...)
	return d
}

// HostileOffer has hostile text in every string, stages that form a cycle, branches and
// conditions that the documents don't name.
func HostileOffer() offers.Detail {
	d := TrailSocks()
	d.Store.Name = "متجر الزهور والعطور الشرقية"
	d.Offer.Name, d.Offer.Placement, d.Offer.Status = hostile, "Cart drawer upsell <b>(new)</b> "+unbroken, "on_hold_"+unbroken
	d.Offer.Unlisted = true
	d.Setup.StartDate, d.Setup.EndDate = hostile, "سنة 2026"
	d.Setup.DiscountType, d.Setup.DiscountValue = "mystery", unbroken
	d.Setup.Conditions = []offers.Condition{
		{Kind: hostile, Raw: `{"unknown":"` + unbroken + `"}`},
		{Kind: "products", Names: []report.ConditionName{{Kind: "product", Name: unbroken, Deleted: true}, {Kind: "product", Name: rightToLeft}, {Name: ""}}},
		{Names: []report.ConditionName{{Kind: "tag", Name: hostile}}},
	}
	d.Stages.Stages = []offers.StageBody{
		{Label: hostile, Products: []offers.StageProduct{product(unbroken, unbroken, "1"), product(rightToLeft, "percentage", "5")}, Bundle: &offers.Bundle{Type: unbroken, Tiers: []offers.BundleTier{{Words: unbroken}}}},
		{Label: rightToLeft, Follows: hostile, Branch: "postponed " + unbroken, Products: []offers.StageProduct{product("", "", "")}},
		{Label: "circle", Follows: "circle again", Branch: offers.Accepted, Raw: unbroken},
		{Label: "circle again", Follows: "circle", Branch: offers.Declined},
		{Label: "lost", Follows: hostile + " of another store", Branch: offers.Accepted, Arms: []offers.StageArm{{Name: unbroken, Raw: unbroken}}},
	}
	triggers := d.Recommendations.Triggers
	triggers[0].Title, triggers[0].Evidence[0].Title, triggers[0].Padding[0].Title = unbroken, hostile, unbroken
	triggers[1].Title = rightToLeft
	d.Recommendations.Omitted, d.Recommendations.Deleted = unbroken, hostile
	d.Events = []offers.Event{{At: minutesAgo(60), Kind: "renamed", Before: rightToLeft, After: hostile}, {At: minutesAgo(600), Kind: "strange_" + unbroken, Before: unbroken}}
	return d
}

const (
	unbroken    = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaftsunterlagenschrankschlüssel"
	rightToLeft = "زوج ثانٍ من الجوارب للمسارات الجبلية"
	hostile     = `"'><script>alert("no")</script>{{7*7}}=HYPERLINK("https://evil.example") ` + rightToLeft + " \U0001F9E6\u202eabc"
)

// YenOffer is the offer of a store in yen, written from right to left.
func YenOffer() offers.Detail {
	d := TrailSocks()
	d.Store = Kumo(locale.English).Store
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
