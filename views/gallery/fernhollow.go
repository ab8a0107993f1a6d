// Package gallery has every page and every part in every state, with canned data, for viewing
// and for tests. Users of Storeglass never see it.
package gallery

import (
	"slices"
	"strconv"
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/gift"
	"github.com/storeglass/storeglass/internal/report/overview"
)

// newYork is a fixed zone, so that the gallery looks the same on every machine.
var newYork = time.FixedZone("EST", -5*3600)

// now is the time of all canned data: 20 Nov 2026, 11:55 in New York.
var now = time.Date(2026, 11, 20, 11, 55, 0, 0, newYork)

var (
	window  = report.Window{Start: date(2026, 10, 21), End: date(2026, 11, 19)}
	against = window.Previous()
	today   = date(2026, 11, 20)
	missing = date(2026, 11, 4)
)

func date(y int, m time.Month, d int) civil.Date { return civil.Date{Year: y, Month: m, Day: d} }

func dec(s string) decimal.Decimal { return decimal.RequireFromString(s) }

func decp(s string) *decimal.Decimal {
	return new(dec(s))
}

func minutesAgo(n int) time.Time { return now.Add(-time.Duration(n) * time.Minute) }

func reported(endpoint string, w *report.Window, minutes int) report.Provenance {
	p := report.Provenance{
		Endpoint: endpoint, Replies: 1, Basis: report.Reported, Window: w, Timezone: "America/New_York", TimezoneFrom: "store",
		FetchedAt: minutesAgo(minutes), FetchedLast: minutesAgo(minutes),
	}
	if w != nil {
		p.Asked, p.Source = w, "merchant"
	}
	return p
}

func stitched(endpoint string) report.Provenance {
	return report.Provenance{
		Endpoint: endpoint, Replies: 29, Basis: report.Stitched, Window: &window, Asked: &window, Timezone: "America/New_York", TimezoneFrom: "store",
		FetchedAt: time.Date(2026, 11, 2, 1, 10, 0, 0, newYork), FetchedLast: minutesAgo(12),
		Missing: []civil.Date{missing}, Revised: 3, Flags: []report.Flag{report.FlagMissingDays, report.FlagRevised},
	}
}

// valuesNow and valuesThen are whole currency units per day; 0 marks the missing day.
var (
	valuesNow  = []int64{1554, 1562, 1858, 2064, 1866, 1597, 1432, 1400, 1694, 1728, 2241, 1895, 1443, 1393, 0, 1446, 1634, 1916, 1869, 1356, 1520, 1502, 1659, 1783, 2178, 1958, 1504, 1409, 1524, 1667}
	valuesThen = []int64{1231, 1229, 1178, 1452, 1590, 1970, 1750, 1349, 1398, 1257, 1486, 1627, 1705, 1806, 1414, 1395, 1228, 1299, 1457, 1710, 1536, 1192, 1279, 1331, 1430, 1569, 1799, 1989, 1470, 1434}
	wobble     = []int64{3, 7, 1, 9, 4, 0, 8, 2, 6, 5}
)

func point(day civil.Date, i int, value int64, scale int32) overview.DayPoint {
	if value == 0 {
		return overview.DayPoint{Day: day}
	}
	v := decimal.New(value*100+wobble[i%10]*7, -2).Mul(decimal.New(1, scale))
	orders := value/38 + wobble[i%10]/3
	total := orders*7 + wobble[(i+3)%10]
	rate := decimal.NewFromInt(orders).DivRound(decimal.NewFromInt(total), 8)
	average := v.DivRound(decimal.NewFromInt(orders), 8)
	views := value/2 + wobble[(i+5)%10]*9
	return overview.DayPoint{Day: day, Stored: true, Value: &v, Orders: &orders, TotalOrders: &total, SuccessRate: &rate, Average: &average, Views: &views, Currency: "USD", Revised: i == 29, FetchedAt: minutesAgo(12)}
}

func points(w report.Window, values []int64, scale int32) []overview.DayPoint {
	out := make([]overview.DayPoint, 0, len(values))
	for i, v := range values {
		out = append(out, point(w.Start.AddDays(i), i, v, scale))
	}
	return out
}

// Fernhollow is the store of the pictures: everything works, one day is missing.
func Fernhollow(l locale.Locale) overview.Overview {
	store := report.Store{Slug: "fernhollow", Name: "Fernhollow Outfitters", Timezone: "America/New_York", Currency: "USD", Domain: "fernhollow.example"}
	choice := report.Choice{Preset: report.Last30, Window: window, Comparison: report.ComparePrevious, Against: &against, Today: today, Group: report.ByDay}
	partial := point(today, 4, 745, 0)
	partial.Partial = true
	summary := reported("GET /data/analytics/summary", &window, 12)
	summary.Check = &report.Check{Agrees: true, Days: 29, Missing: 1, At: minutesAgo(700)}
	before := reported("GET /data/analytics/summary", &against, 700)
	return overview.Overview{
		Store: store, Now: now, Choice: choice, Connected: true, GiftLinked: true,
		Freshness: report.Freshness{DataTo: new(window.End), PulledAt: new(minutesAgo(12)), State: "good", Words: l.T("panel.freshness.to", "day", l.Day(window.End), "ago", l.Age(now, minutesAgo(12)))},
		Summary: overview.Summary{
			Panel: report.Panel{Provenance: summary}, Currency: "USD", TotalUpsoldValue: dec("49975.83"), TotalUpsoldOrders: 1327, TotalOrders: 9306,
			UpsellSuccessRate: decp("0.14259617"), AverageUpsoldValue: decp("37.66075"), OfferViews: new(int64(23164)),
			Previous: &overview.Summary{
				Panel: report.Panel{Provenance: before}, Currency: "USD", TotalUpsoldValue: dec("44462.48"), TotalUpsoldOrders: 1170, TotalOrders: 8563,
				UpsellSuccessRate: decp("0.1366"), AverageUpsoldValue: decp("38.002"), OfferViews: new(int64(22230)),
			},
		},
		Trend: overview.Trend{
			Panel: report.Panel{Provenance: stitched("GET /data/analytics/summary")}, Currency: "USD",
			Days: points(window, valuesNow, 0), Against: points(against, valuesThen, 0), AgainstWindow: &against, Today: &partial,
			Marks: []report.Mark{
				{Day: date(2026, 10, 26), Start: true, Name: "Boot care kit"},
				{Day: date(2026, 11, 3), Name: "Gaiters"},
				{Day: date(2026, 11, 9), Start: true, Name: "Merino gloves"},
				{Day: date(2026, 11, 15), Start: true, Gift: true, Name: "Free mug"},
			},
			Notes: someNotes(),
			Goals: []overview.DailyGoal{{Start: date(2026, 11, 1), End: date(2026, 11, 30), PerDay: dec("1800")}},
		},
		Placements: placements(l),
		Top:        top(), TopBefore: topBefore(), Events: startsAndEnds(),
		Lifetime: overview.Lifetime{
			Panel: report.Panel{Provenance: reported("GET /data/analytics/lifetime", nil, 38)}, Currency: "USD", TotalRevenue: dec("612408.15"),
			OfferViews: 1204882, UpsoldOrders: 17236, ConversionRate: decp("0.014305"), RevenuePerVisit: decp("0.50827"),
		},
		Gift: gift.Analytics{
			Panel: report.Panel{Provenance: reported("GET /analytics", &window, 41)}, Currency: "USD", Compared: true, Against: &against,
			Orders: metric("412", "18.1"), Revenue: metric("39104.22", "15.6"), ConversionRate: report.GiftMetric{Value: decp("3.44"), Previous: decp("3.42"), ChangePercent: decp("0.6")},
			AOVByFG: metric("94.91", "-2.1"), AOVStore: metric("81.37", "1.4"),
		},
		Health: gift.SetupHealth{
			Panel: report.Panel{Provenance: reported("GET /setup-health", nil, 41)}, ThemeName: "Alder 4.2", EmbedEnabled: new(false),
			Issues: []gift.HealthIssue{{Code: "APP_EMBED_DISABLED", Message: "The app embed is off in the live theme, Alder 4.2.", Fix: "Open the theme editor and switch it on under App embeds."}},
		},
		Plan: gift.Plan{
			Panel: report.Panel{Provenance: reported("GET /plan", nil, 41)}, Currency: "USD", RevenueResetOn: &civil.Date{Year: 2026, Month: 12, Day: 1},
			PlanBody: gift.PlanBody{
				Name: "Growth", CampaignsUsed: new(int64(3)), CampaignsLimit: new(int64(10)), RevenueUsed: decp("26418.90"), RevenueUnlimited: true, RevenueResetAt: "2026-12-01",
			},
		},
		Campaigns: gift.Campaigns{Panel: report.Panel{Provenance: reported("GET /campaigns", nil, 41)}, Total: 3, Campaigns: []report.Campaign{
			{ID: "1", Name: "Free mug over $90", Status: "active", TargetPage: "cart", StartDate: "2026-11-15", EndDate: "2026-12-31", Start: new(date(2026, 11, 15)), End: new(date(2026, 12, 31))},
			{ID: "2", Name: "Socks with any boot", Status: "active", TargetPage: "product", StartDate: "2026-09-01", Start: new(date(2026, 9, 1))},
			{ID: "3", Name: "Winter welcome", Status: "scheduled", TargetPage: "cart", StartDate: "2026-12-01", EndDate: "2026-12-24", Start: new(date(2026, 12, 1)), End: new(date(2026, 12, 24))},
		}},
		Todos: report.Todos(l, fernhollowAlerts(), now, "America/New_York"),
	}
}

func metric(value, change string) report.GiftMetric {
	return report.GiftMetric{Value: decp(value), ChangePercent: decp(change)}
}

func placementDays(values []int64, claims bool) []overview.PlacementDay {
	out := make([]overview.PlacementDay, 0, 30)
	for i, v := range values {
		d := overview.PlacementDay{Day: window.Start.AddDays(i), Stored: window.Start.AddDays(i) != missing, Currency: "USD"}
		switch {
		case !d.Stored:
		case claims:
			d.Claims = v
		default:
			d.Revenue, d.Claims = new(decimal.NewFromInt(v)), v/40
		}
		out = append(out, d)
	}
	return out
}

func placements(l locale.Locale) overview.PlacementStats {
	post := []int64{870, 780, 930, 1160, 1000, 830, 770, 670, 890, 1020, 1250, 970, 740, 745, 0, 950, 1030, 1150, 1230, 860, 950, 1010, 1130, 1080, 1480, 1200, 970, 940, 1010, 1015}
	thank := []int64{425, 465, 520, 465, 490, 450, 420, 385, 435, 430, 585, 590, 385, 350, 0, 400, 480, 630, 515, 395, 480, 385, 415, 590, 550, 630, 425, 360, 410, 540}
	coupon := []int64{7, 11, 6, 12, 9, 7, 11, 9, 11, 13, 8, 12, 8, 11, 0, 7, 11, 11, 7, 9, 7, 8, 13, 14, 10, 9, 9, 7, 12, 12}
	order := []int64{150, 187, 275, 300, 225, 220, 138, 237, 252, 163, 262, 187, 217, 180, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}
	row := func(p report.Placement, revenue, before string, impressions, claims int64, values []int64, active, total int64) overview.PlacementRow {
		r := overview.PlacementRow{Placement: p, Impressions: impressions, Claims: claims, Days: placementDays(values, revenue == ""), Previous: &overview.PlacementRow{Placement: p, Days: placementDays(values, revenue == "")}}
		slices.Reverse(r.Previous.Days)
		for i := range r.Previous.Days {
			r.Previous.Days[i].Day = against.Start.AddDays(i)
		}
		if revenue != "" {
			r.Revenue, r.Previous.Revenue = decp(revenue), decp(before)
		}
		state := overview.Live
		if active == 0 {
			state = overview.SwitchedOff
		}
		r.Cover = &overview.CoverRow{Placement: p, State: state, HasActive: active > 0, ActiveCount: active, TotalCount: total}
		r.Caution = overview.Caution(l, r)
		return r
	}
	compared := reported("GET /data/analytics/stats", &against, 700)
	return overview.PlacementStats{
		Panel: report.Panel{Provenance: reported("GET /data/analytics/stats", &window, 12)}, Currency: "USD", ShopOfferCount: new(int64(22)), Compared: &compared,
		Drawn: stitched("GET /data/analytics/stats"),
		Rows: []overview.PlacementRow{
			row(report.PostPurchase, "29209.29", "25667.21", 8468, 706, post, 4, 11),
			row(report.ThankYou, "13951.23", "13149.14", 9026, 422, thank, 3, 6),
			row(report.Coupon, "", "", 4281, 289, coupon, 1, 2),
			row(report.OrderStatus, "2985.55", "5121.01", 1389, 83, order, 0, 3),
		},
	}
}

// topBefore is the ranking of the previous thirty days.
func topBefore() *overview.TopOffers {
	t := top()
	t.Panel = report.Panel{Provenance: reported("GET /data/analytics/top", &against, 700)}
	t.Highest, t.Lowest = slices.Clone(t.Highest), slices.Clone(t.Lowest)
	for i, revenue := range []string{"8990.10", "6240.00", "0", "5121.75", "3900.40"} {
		t.Highest[i].Revenue = decp(revenue)
	}
	t.Highest = slices.Delete(t.Highest, 2, 3) // it started in the window
	return &t
}

// startsAndEnds are the start that the largest change has, and the end of a placement's last offer.
func startsAndEnds() []report.Event {
	return []report.Event{
		{Day: window.Start.AddDays(4), Start: true, OfferID: "3", Name: "Boot care kit", Placement: report.PostPurchase},
		{Day: window.Start.AddDays(14), OfferID: "21", Name: "Gaiters", Placement: report.OrderStatus},
	}
}

func top() overview.TopOffers {
	row := func(rank int, name string, p report.Placement, revenue string, claims int64, rate, all string) report.TopRow {
		r := report.TopRow{Rank: rank, OfferID: strconv.Itoa(rank), Name: name, Placement: p, Status: "active", Revenue: decp(revenue), Claims: &claims, AcceptanceRate: decp(rate), URL: "https://admin.example/offers/" + strconv.Itoa(rank)}
		if all != "" {
			r.RevenueAllTime = decp(all)
		}
		return r
	}
	t := overview.TopOffers{
		Panel: report.Panel{Provenance: reported("GET /data/analytics/top", &window, 12)}, Currency: "USD", AcceptanceUnit: overview.UnitFraction,
		Earned: new(16), Silent: new(5), Coupons: new(int64(2)), ShopOfferCount: new(int64(22)),
		Highest: []report.TopRow{
			row(1, "Trail socks, second pair", report.PostPurchase, "11482.36", 276, "0.214", "68210.44"),
			row(2, "Headlamp spare batteries", report.ThankYou, "6120.90", 188, "0.172", "51377.20"),
			row(3, "Boot care kit", report.PostPurchase, "5904.15", 142, "0.161", "5904.15"),
			row(4, "Ridge bottle 750 ml", report.PostPurchase, "4377.60", 119, "0.138", "40126.80"),
			row(5, "Camp mug, pair", report.ThankYou, "3985.40", 131, "0.127", "36904.11"),
		},
		Lowest: []report.TopRow{
			row(14, "Summer cap", report.OrderStatus, "312.50", 14, "0.041", ""),
			row(15, "Merino liner gloves", report.PostPurchase, "268.00", 8, "0.033", "268.00"),
			row(16, "Dry bag 5 l", report.ThankYou, "171.20", 5, "0.019", "2044.60"),
		},
	}
	t.Highest[0].ABTest = true
	t.Lowest[0].Deleted, t.Lowest[0].URL, t.Lowest[0].Status = true, "", ""
	return t
}
