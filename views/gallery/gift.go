package gallery

import (
	"strconv"
	"strings"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	reportgift "github.com/storeglass/storeglass/internal/report/gift"
	reportoffers "github.com/storeglass/storeglass/internal/report/offers"
	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/components/form"
	"github.com/storeglass/storeglass/views/gift"
	"github.com/storeglass/storeglass/views/offers"
)

// giftPages are the pages about gifts in their states.
func giftPages(b components.Base) []Page {
	gifts := func(name, says string, g reportgift.Page) Page {
		base := at(b, g.Store, "Gifts")
		base.Path += "/gift"
		return Page{name, says, gift.Show(gift.Page{Base: base, Gift: g, SyncHref: "/stores/fernhollow/sync", CheckHref: base.Path + "/products"})}
	}
	campaign := func(name, says string, c reportgift.CampaignPage) Page {
		base := at(b, c.Store, "Gifts")
		base.Path, base.Title = base.Path+"/gift/campaigns/1", c.Campaign.Name
		return Page{name, says, gift.Campaign(gift.CampaignPage{Base: base, Detail: c, GiftHref: "/stores/fernhollow/gift", SyncHref: "/stores/fernhollow/sync"})}
	}
	products := func(name, says string, check *reportoffers.ProductCheck, handles string, wrong form.Wrong) Page {
		base := at(b, Fernhollow(b.Locale).Store, "Gifts")
		base.Path, base.Title = base.Path+"/gift/products", b.T("gift.products.title")
		return Page{name, says, gift.Products(gift.ProductsPage{Base: base, Handles: handles, Check: check, Wrong: wrong, GiftHref: "/stores/fernhollow/gift"})}
	}
	recommend := func(name, says, product string, answer *reportoffers.ProductRecommendations, wrong form.Wrong) Page {
		base := at(b, Fernhollow(b.Locale).Store, "Offers")
		base.Path, base.Title = base.Path+"/recommendations", b.T("offers.advice.title")
		if answer != nil {
			answer.Provenance = reported("GET /data/products/recommendations", nil, 0)
		}
		return Page{name, says, offers.Recommend(offers.RecommendPage{Base: base, Product: product, Answer: answer, Wrong: wrong, OffersHref: "/stores/fernhollow/offers"})}
	}
	paused := func(name, cause string) Page {
		g := Gifts(b.Locale)
		advice := strings.ToLower(cause)
		if cause == "INVALID_KEY" {
			advice = "refused"
		}
		g.Trouble = &report.Trouble{
			Title: b.T("gift.paused." + strings.ToLower(cause)), Since: minutesAgo(12000), NeedsPerson: true,
			Text: strings.Join([]string{b.T("state.advice.gift." + advice), b.T("gift.stopped.last_good", "day", b.Locale.Day(date(2026, 11, 11))), b.T("gift.stopped.no_calls")}, " "),
		}
		g.Freshness = report.Freshness{State: "failed", Words: b.T("panel.freshness.to", "day", b.Locale.Day(date(2026, 11, 11)), "ago", b.T("age.days", "n", 9))}
		g.Analytics.Trouble, g.Health.Trouble, g.Plan.Trouble = g.Trouble, g.Trouble, g.Trouble
		g.History.Trouble = g.Trouble
		return gifts(name, "paused: "+cause, g)
	}
	return []Page{
		gifts("gifts", "everything works, a day is missing and two are repaired", Gifts(b.Locale)),
		gifts("gifts-stitched", "a window that was never answered", stitchedGifts(b.Locale)),
		gifts("gifts-plain", "unlimited plan, all clear, no campaign, values not sent", plainGifts(b.Locale)),
		gifts("gifts-hostile", "hostile text in every string, a capped list", hostileGifts(b.Locale)),
		gifts("gifts-incomplete", "setup health with parts missing, last good kept", incompleteGifts(b.Locale)),
		paused("gifts-no-plan", "NO_PLAN"),
		paused("gifts-uninstalled", "APP_UNINSTALLED"),
		paused("gifts-revoked", "INVALID_KEY"),
		paused("gifts-scope", "INSUFFICIENT_SCOPE"),
		gifts("gifts-started", "nothing is there yet", emptyGifts(b.Locale, report.CauseFilling, b.T("state.on_the_way.gift_result"), b.T("state.pull_waits"), b.T("empty.see_sync"), "/stores/fernhollow/sync")),
		gifts("gifts-never-connected", "no gift credential", emptyGifts(b.Locale, report.CauseNeverConnected, b.T("state.gifts_not_connected.title"), b.T("state.gifts_not_connected.text", "store", "Fernhollow Outfitters"), "", "")),
		campaign("campaign", "a configuration laid out", MugCampaign(b.Locale)),
		campaign("campaign-gone", "vanished from the list, unknown to the service", goneCampaign(b.Locale)),
		campaign("campaign-hostile", "hostile names and values", hostileCampaign(b.Locale)),
		recommend("recommend", "the form alone", "", nil, form.Wrong{}),
		recommend("recommend-evidence", "real orders apart from suggestions", "Trail socks", &reportoffers.ProductRecommendations{RecommendationsBody: TrailSocks().Recommendations.RecommendationsBody}, form.Wrong{}),
		recommend("recommend-candidates", "several products of one name", "Mug", &reportoffers.ProductRecommendations{RecommendationsBody: sameNames()}, form.Wrong{}),
		recommend("recommend-refused", "nothing could be asked", "Mug", nil, form.Wrong{Problem: b.T("state.advice.upsell.refused")}),
		recommend("recommend-wrong", "no id of a product", "gid://7", nil, form.Wrong{Field: "product", Problem: b.T("offers.advice.not_an_id", "example", offers.ProductID)}),
		products("products", "the form alone", nil, "", form.Wrong{}),
		products("products-checked", "verdicts with reasons and stock", checkedProducts(), "free-mug\nwool-socks\nno-such-thing", form.Wrong{}),
		products("products-refused", "nothing could be asked", nil, "free-mug", form.Wrong{Problem: b.T("state.advice.gift.insufficient_scope")}),
		products("products-wrong", "no handle of a product", nil, strings.Repeat("free-mug-", 30), form.Wrong{Field: "handles", Problem: b.T("gift.products.not_a_handle")}),
	}
}

// sameNames are two products of one name, for a person to choose from.
func sameNames() reportoffers.RecommendationsBody {
	return reportoffers.RecommendationsBody{Shape: reportoffers.ShapeCandidates, Products: []reportoffers.RecommendedProduct{
		{ID: "gid://shop/Product/4401952287", Title: "Enamel mug"}, {ID: "gid://shop/Product/7718203364", Title: "Enamel mug"},
	}}
}

// Gifts is the Gifts page of Fernhollow.
func Gifts(l locale.Locale) reportgift.Page {
	o := Fernhollow(l)
	g := reportgift.Page{
		Store: o.Store, Now: now, Choice: o.Choice, Analytics: o.Gift, Health: o.Health, Plan: o.Plan, Campaigns: o.Campaigns,
		Freshness: report.Freshness{State: "good", Words: l.T("panel.freshness.to", "day", l.Day(window.End), "ago", l.Age(now, minutesAgo(41))), PulledAt: new(minutesAgo(41))},
	}
	g.Analytics.Provenance.TimezoneFrom, g.Analytics.Provenance.Source = "gift", ""
	for m, before := range map[*report.GiftMetric]string{
		&g.Analytics.Orders: "349", &g.Analytics.Revenue: "33827.18", &g.Analytics.ConversionRate: "4.0", &g.Analytics.AOVByFG: "96.95", &g.Analytics.AOVStore: "80.25",
	} {
		m.Previous = decp(before)
	}
	today := g.Analytics
	today.Provenance = reported("GET /analytics", &report.Window{Start: window.End, End: date(2026, 11, 20)}, 8).With(report.FlagPartial)
	today.Orders, today.Revenue = report.GiftMetric{Value: decp("9")}, report.GiftMetric{Value: decp("811.40")}
	g.Today = &today
	g.History = giftDays(window)
	g.Health.ThemeOS2, g.Health.Total, g.Health.Active = new(true), new(int64(3)), new(int64(2))
	for _, s := range []string{"theme", "campaigns", "issues", "errors"} {
		g.Health.Sections = append(g.Health.Sections, reportgift.HealthSection{Section: s, FetchedAt: minutesAgo(41)})
	}
	g.Plan.RevenueUnlimited, g.Plan.RevenueLimit = false, decp("40000")
	g.Plan.Projection = &reportgift.Projection{Used: dec("40120.36"), Start: date(2026, 11, 1).In(newYork), End: date(2026, 12, 1).In(newYork), Elapsed: dec("0.6585"), Assumed: true, ReachesLimitAt: new(date(2026, 11, 30).In(newYork))}
	g.Plan.TrialEndsAt, g.Plan.TrialEndsOn = "2026-12-03", &civil.Date{Year: 2026, Month: 12, Day: 3}
	codes := []string{"MUG90", "", "WINTER"}
	for i := range g.Campaigns.Campaigns {
		g.Campaigns.Campaigns[i] = datedCampaign(g.Campaigns.Campaigns[i])
		g.Campaigns.Campaigns[i].Code, g.Campaigns.Campaigns[i].Type = codes[i], "order_value"
	}
	g.Campaigns.Campaigns = append(g.Campaigns.Campaigns,
		datedCampaign(report.Campaign{ID: "4", Name: "Autumn pin badge", Status: "expired", TargetPage: "cart", StartDate: "2026-09-12", EndDate: "2026-10-18"}),
		datedCampaign(report.Campaign{ID: "5", Name: "Staff test", Status: "active", TargetPage: "product", StartDate: "2026-08-01", LastListed: new(minutesAgo(9000))}))
	g.Campaigns.Total = 4
	saved := &reportgift.Saved{Found: true, Settings: reportgift.Settings(l, []byte(configuration), newYork), Raw: configuration}
	g.Widgets = reportgift.Widgets{Panel: report.Panel{Provenance: reported("GET /widgets", nil, 700)}, Types: []reportgift.Widget{
		{Type: "progress_bar", Title: "Progress bar", Saved: saved, SavedAt: minutesAgo(690)},
		{Type: "gift_popup", Title: "Gift pop-up", Premium: true, Saved: &reportgift.Saved{}, SavedAt: minutesAgo(690)},
		{Type: "gift_box", Title: "Gift box", Premium: true, Locked: true},
	}}
	g.Settings = reportgift.SavedSettings{Panel: report.Panel{Provenance: reported("GET /settings", nil, 700)}, Saved: *saved}
	g.Translations = reportgift.Translations{Panel: report.Panel{Provenance: reported("GET /translations", nil, 700)}, Languages: []reportgift.Language{
		{Locale: "en", Pulled: true, Found: true, Customised: 12, Total: new(int64(84)), PulledAt: minutesAgo(700)},
		{Locale: "fr", Pulled: true, Found: true, Customised: 71, Typed: 9, Total: new(int64(84)), PulledAt: minutesAgo(9000), Text: "Reply cut short"},
		{Locale: "de", Pulled: true, PulledAt: minutesAgo(700)},
		{Locale: "pt-BR"},
	}}
	return g
}

func datedCampaign(c report.Campaign) report.Campaign {
	read := func(text string) *civil.Date {
		d, err := civil.ParseDate(text)
		if err != nil {
			return nil
		}
		return &d
	}
	c.Start, c.End, c.FirstSeen = read(c.StartDate), read(c.EndDate), minutesAgo(90000)
	return c
}

// giftDays are the days of the window: one missing, two repaired.
func giftDays(w report.Window) reportgift.History {
	p := stitched("GET /analytics")
	p.Window, p.Asked, p.Repaired, p.Revised, p.TimezoneFrom = &w, &w, 2, 0, "gift"
	h := reportgift.History{Panel: report.Panel{Provenance: p}, Currency: "USD", Marks: []report.Mark{
		{Day: date(2026, 11, 15), Start: true, Gift: true, Name: "Free mug over $90"}, {Day: date(2026, 10, 24), Gift: true, Name: "Autumn pin badge"},
	}}
	for i, v := range valuesNow {
		d := reportgift.Day{Day: w.Start.AddDays(i)}
		if v > 0 {
			d.Stored, d.Basis, d.Currency, d.FetchedAt = true, report.Reported, "USD", minutesAgo(700)
			d.Revenue, d.Orders = decp(strconv.FormatInt(v*4/5, 10)+".50"), decp(strconv.FormatInt(v/110, 10))
		}
		if i == 8 || i == 20 {
			d.Basis, d.From = report.Derived, "previous"
		}
		h.Days = append(h.Days, d)
	}
	return h
}

func stitchedGifts(l locale.Locale) reportgift.Page {
	g := Gifts(l)
	p := g.History.Provenance
	g.Analytics = reportgift.Analytics{
		Panel: report.Panel{Provenance: p}, Currency: "USD", Orders: report.GiftMetric{Value: decp("397")}, Revenue: report.GiftMetric{Value: decp("38210.10")},
		ConversionRate: report.GiftMetric{Reason: l.T("state.no_gift_rate")},
		AOVByFG:        report.GiftMetric{Reason: l.T("state.no_gift_average")},
		AOVStore:       report.GiftMetric{Reason: l.T("state.no_gift_average")},
	}
	g.Today = nil
	return g
}

func plainGifts(l locale.Locale) reportgift.Page {
	g := Gifts(l)
	g.Analytics.Provenance = g.Analytics.Provenance.With(report.FlagCached)
	g.Analytics.Orders = report.GiftMetric{Value: decp("5"), Previous: decp("0")}
	g.Analytics.AOVByFG = report.GiftMetric{}
	g.Analytics.ConversionRate = report.GiftMetric{Value: decp("0.043"), Unit: "fraction", Withheld: true}
	g.Health.Issues, g.Health.EmbedEnabled = nil, new(true)
	g.Plan = reportgift.Plan{
		Panel: g.Plan.Panel, Currency: "USD", RevenueResetOn: &civil.Date{Year: 2026, Month: 12, Day: 1}, NoProjection: l.T("gift.projection.period_unknown"),
		PlanBody: reportgift.PlanBody{Name: "Unlimited", CampaignsUsed: new(int64(0)), CampaignsUnlimited: true, RevenueUsed: decp("0"), RevenueUnlimited: true, RevenueResetAt: "2026-12-01"},
	}
	g.Campaigns.Campaigns, g.Campaigns.Total = nil, 0
	g.Settings.Saved = reportgift.Saved{}
	g.History.Provenance.Repaired = 0
	for i := range g.History.Days {
		g.History.Days[i].Basis = report.Reported
	}
	return g
}

const evil = `</script><script>alert("no")</script> زوج ثانٍ ` + "\u202e" + `Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft`

func hostileGifts(l locale.Locale) reportgift.Page {
	g := Gifts(l)
	for i := range g.Campaigns.Campaigns {
		c := &g.Campaigns.Campaigns[i]
		c.ID, c.Name, c.Status, c.TargetPage, c.Code = evil, evil, evil, evil, evil
		if i > 1 {
			c.StartDate, c.Start = evil, nil
		}
	}
	g.Campaigns.Total, g.Campaigns.Capped = 100, true
	g.Health.Issues = []reportgift.HealthIssue{{Code: "SOMETHING_" + evil, Message: evil}}
	g.Health.Errors = []string{evil}
	g.Health.ThemeName = evil
	g.Plan.Name, g.Plan.Issues, g.Plan.TrialEndsAt = evil, []string{evil}, evil
	settings := reportgift.Settings(l, []byte(`{"`+`found": true, "<b>key</b>": `+strconv.Quote("<img src=x onerror=alert(1)>")+`}`), newYork)
	for i := range g.Widgets.Types {
		w := &g.Widgets.Types[i]
		w.Type, w.Title, w.Saved = evil, evil, &reportgift.Saved{Found: true, Settings: settings}
	}
	for i := range g.Translations.Languages {
		g.Translations.Languages[i].Locale, g.Translations.Languages[i].Text = evil, evil
	}
	g.History.Marks[0].Name = evil
	return g
}

func incompleteGifts(l locale.Locale) reportgift.Page {
	g := Gifts(l)
	g.Health.Issues = nil
	g.Health.EmbedEnabled, g.Health.ThemeOS2 = new(true), nil
	g.Health.Errors = []string{"The live theme could not be read."}
	g.Health.Provenance = g.Health.Provenance.With(report.FlagIncomplete)
	for i := range g.Health.Sections {
		if g.Health.Sections[i].Section == "theme" {
			g.Health.Sections[i].FetchedAt = minutesAgo(41 + 9*60)
		}
	}
	t := &report.Trouble{Title: l.T("state.not_updated_since", "day", l.Day(date(2026, 11, 18))), Text: l.T("state.cause.failed"), Since: minutesAgo(2000)}
	g.History.Provenance.Check = &report.Check{Days: 30, Reported: dec("31766.66"), Stitched: dec("31702.10"), At: minutesAgo(700), Final: true}
	g.Plan.Trouble, g.Translations.Trouble = t, t
	return g
}

func emptyGifts(l locale.Locale, cause report.Cause, title, text, action, href string) reportgift.Page {
	g := Gifts(l)
	e := report.Panel{Empty: empty(cause, title, text, action, href)}
	return reportgift.Page{
		Store: g.Store, Now: now, Choice: g.Choice, Freshness: report.Freshness{State: "filling", Words: l.T("panel.freshness.nothing")},
		Analytics: reportgift.Analytics{Panel: e}, History: reportgift.History{Panel: e}, Health: reportgift.SetupHealth{Panel: e}, Plan: reportgift.Plan{Panel: e},
		Campaigns: reportgift.Campaigns{Panel: e}, Widgets: reportgift.Widgets{Panel: e}, Settings: reportgift.SavedSettings{Panel: e}, Translations: reportgift.Translations{Panel: e},
	}
}

const configuration = `{
  "triggerConditions": {"type": "order_value", "minOrderTotal": "90.00", "currency": "USD", "appliesTo": {"collections": ["Boots", "Socks"], "excludeSaleItems": true}},
  "giftProducts": [{"title": "Enamel mug", "productId": 7712, "quantity": 1, "variants": ["Green", "Ink"]}, {"title": "Wool socks", "productId": 7713, "quantity": 1, "variants": []}],
  "discountSettings": {"kind": "percentage", "value": 100, "combinesWithOrderDiscounts": false, "note": null},
  "schedule": {"startsAt": "2026-11-15T05:00:00Z", "endsAt": "2026-12-31", "timezone": "America/New_York"},
  "priority": 2
}`

// MugCampaign is a campaign with everything.
func MugCampaign(l locale.Locale) reportgift.CampaignPage {
	g := Gifts(l)
	c := reportgift.CampaignPage{Store: g.Store, Now: now, Campaign: g.Campaigns.Campaigns[0], Listed: g.Campaigns.Panel}
	c.Configuration = reportgift.CampaignConfiguration{Panel: report.Panel{Provenance: reported("GET /campaigns/{id}", nil, 700)}, Found: true, Raw: configuration}
	c.Configuration.Groups = reportgift.Grouped(l, reportgift.Settings(l, []byte(configuration), newYork))
	return c
}

func goneCampaign(l locale.Locale) reportgift.CampaignPage {
	c := MugCampaign(l)
	c.Campaign.LastListed = new(now.Add(-9 * 24 * time.Hour))
	c.Configuration.Found, c.Configuration.Groups = false, nil
	return c
}

func hostileCampaign(l locale.Locale) reportgift.CampaignPage {
	c := MugCampaign(l)
	c.Campaign.Name, c.Campaign.Code, c.Campaign.Type = evil, evil, evil
	c.Configuration.Raw = evil
	c.Configuration.Groups[0].Settings = []reportgift.Setting{{Key: evil, Label: evil, Text: evil}, {Label: evil, Items: []reportgift.Setting{{Label: "1", Items: []reportgift.Setting{{Label: evil, Text: evil}}}}}}
	return c
}

func checkedProducts() *reportoffers.ProductCheck {
	return &reportoffers.ProductCheck{
		Provenance: reported("GET /products", nil, 0), Requested: []string{"free-mug", "wool-socks", "no-such-thing"}, NotFound: []string{"no-such-thing"},
		Products: []reportoffers.CheckedProduct{
			{Handle: "free-mug", Title: "Enamel mug", Status: "active", CanBeGifted: new(true), TracksInventory: new(false), Published: new(true), VariantCount: new(int64(2)), GiftableCount: new(int64(2)), Variants: []reportoffers.CheckedVariant{
				{Title: "Green", Giftable: new(true), StockStatus: "not_tracked"}, {Title: "Ink", Giftable: new(true), StockStatus: "not_tracked"},
			}},
			{Handle: "wool-socks", Title: evil, Status: "draft", CanBeGifted: new(false), TracksInventory: new(true), TotalInventory: new(int64(0)), Published: new(false), VariantCount: new(int64(1)), GiftableCount: new(int64(0)), Issues: []string{"The product is a draft.", evil}, Variants: []reportoffers.CheckedVariant{
				{Title: "One size", Giftable: new(false), StockStatus: "out_of_stock", Quantity: new(int64(0)), Policy: "deny"},
			}},
		},
	}
}
