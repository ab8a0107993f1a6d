package gallery

import (
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/gift"
	"github.com/storeglass/storeglass/internal/report/overview"
)

// inCurrency is the Fernhollow overview as a store of another currency has it.
func inCurrency(l locale.Locale, slug, name, timezone, code string, factor string) overview.Overview {
	o := Fernhollow(l)
	o.Store = report.Store{Slug: slug, Name: name, Timezone: timezone, Currency: code}
	f := dec(factor)
	digits := locale.Digits(code)
	scale := func(d *decimal.Decimal) {
		if d != nil {
			*d = d.Mul(f).Round(digits)
		}
	}
	scalePoint := func(p *overview.DayPoint) {
		scale(p.Value)
		scale(p.Average)
		p.Currency = code
	}
	for _, s := range []*overview.Summary{&o.Summary, o.Summary.Previous} {
		s.Currency = code
		scale(&s.TotalUpsoldValue)
		scale(s.AverageUpsoldValue)
	}
	for i := range o.Trend.Days {
		scalePoint(&o.Trend.Days[i])
	}
	for i := range o.Trend.Against {
		scalePoint(&o.Trend.Against[i])
	}
	scalePoint(o.Trend.Today)
	o.Trend.Currency, o.Placements.Currency, o.Top.Currency, o.TopBefore.Currency, o.Lifetime.Currency, o.Gift.Currency, o.Plan.Currency = code, code, code, code, code, code, code
	for i := range o.Placements.Rows {
		scale(o.Placements.Rows[i].Revenue)
		scale(o.Placements.Rows[i].Previous.Revenue)
		for j := range o.Placements.Rows[i].Days {
			scale(o.Placements.Rows[i].Days[j].Revenue)
			o.Placements.Rows[i].Days[j].Currency = code
		}
	}
	for _, rows := range [][]report.TopRow{o.Top.Highest, o.Top.Lowest, o.TopBefore.Highest, o.TopBefore.Lowest} {
		for i := range rows {
			scale(rows[i].Revenue)
			scale(rows[i].RevenueAllTime)
		}
	}
	scale(&o.Lifetime.TotalRevenue)
	scale(o.Lifetime.RevenuePerVisit)
	scale(o.Gift.Revenue.Value)
	scale(o.Gift.AOVByFG.Value)
	scale(o.Gift.AOVStore.Value)
	scale(o.Plan.RevenueUsed)
	for _, p := range []*report.Provenance{&o.Summary.Provenance, &o.Trend.Provenance, &o.Placements.Provenance, &o.Top.Provenance, &o.Lifetime.Provenance, &o.Gift.Provenance, &o.Summary.Previous.Provenance} {
		p.Timezone = timezone
	}
	return o
}

// Kumo is a store in yen, which have no decimals.
func Kumo(l locale.Locale) overview.Overview {
	return inCurrency(l, "kumo", "Kumo Tea", "Asia/Tokyo", "JPY", "69.677")
}

// Dilmun is a store in Bahraini dinars, which have three decimals, late on a good day.
func Dilmun(l locale.Locale) overview.Overview {
	o := inCurrency(l, "dilmun", "Dilmun Perfumes", "Asia/Bahrain", "BHD", "0.10441")
	o.Trend.Today.Value = o.Trend.Days[28].Value // among the days before
	return o
}

// LongNames has names that are long, written right to left, or try to be markup.
func LongNames(l locale.Locale) overview.Overview {
	o := Fernhollow(l)
	o.Store.Name = "متجر الزهور والعطور الشرقية"
	long := "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft, second pair for half the price"
	o.Top.Highest[0].Name = long
	o.Top.Highest[1].Name = "زوج ثانٍ من الجوارب"
	o.Top.Highest[2].Name = `</script><script>alert("no")</script>`
	o.Top.Highest[3].Placement = "Cart drawer upsell (new)"
	o.Placements.Rows = append(o.Placements.Rows, overview.PlacementRow{
		Placement: "Cart drawer upsell (new)", Revenue: decp("12.5"), Impressions: 40, Claims: 1,
		Days: placementDays(make([]int64, 30), false), Caution: l.T("panel.caution.unknown"),
	})
	o.Placements.Rows[4].Days = nil
	o.Trend.Marks = append(o.Trend.Marks[:2:2], report.Mark{Day: date(2026, 11, 3), Start: true, Name: long}, report.Mark{Day: date(2026, 11, 4), Start: true, Gift: true, Name: `{v|${x}</script>`}, report.Mark{Day: date(2026, 11, 18), Gift: true, Name: "جورب"})
	o.Campaigns.Campaigns[0].Name = long
	o.Campaigns.Total, o.Campaigns.Capped = 100, true
	o.Campaigns.Campaigns[1].LastListed = new(minutesAgo(4000))
	o.Todos[0].Title = long
	return o
}

// Weeks is the trend by week, compared with days that the app doesn't go back to.
func Weeks(l locale.Locale) overview.Overview {
	o := Fernhollow(l)
	o.Choice.Group, o.Choice.Comparison = report.ByWeek, report.CompareYearWeekday
	o.Choice.Against = &report.Window{Start: o.Choice.Window.Start.AddDays(-364), End: o.Choice.Window.End.AddDays(-364)}
	o.Summary.Previous, o.TopBefore, o.Trend.Against, o.Trend.AgainstWindow, o.BeforeTooOld = nil, nil, nil, nil, true
	return o
}

// Failed is a store whose token is refused: the last good numbers, muted and dated.
func Failed(l locale.Locale) overview.Overview {
	o := inCurrency(l, "brid", "Bríd Wool", "Europe/Dublin", "EUR", "0.3643")
	t := report.Trouble{Title: l.T("state.not_updated_since", "day", l.Day(date(2026, 11, 12))), Text: l.T("state.advice.upsell.refused") + " " + l.T("state.checks_again", "day", l.Day(today), "time", "16:00"), Since: minutesAgo(12000), NeedsPerson: true}
	o.Troubles = []report.Trouble{t}
	o.Freshness = report.Freshness{DataTo: new(date(2026, 11, 11)), State: "failed", Words: l.T("panel.freshness.to", "day", l.Day(date(2026, 11, 11)), "ago", l.T("age.days", "n", 9))}
	o.Summary.Trouble, o.Trend.Trouble, o.Placements.Trouble, o.Top.Trouble, o.Lifetime.Trouble = &t, &t, &t, &t, &t
	old := report.Window{Start: date(2026, 10, 13), End: date(2026, 11, 11)}
	o.Summary.Provenance.Window = &old
	o.Summary.Provenance.FetchedAt, o.Summary.Provenance.FetchedLast = minutesAgo(12960), minutesAgo(12960)
	o.Summary.Provenance = o.Summary.Provenance.With(report.FlagStale).With(report.FlagWindowDiffers)
	o.Summary.Previous = nil
	o.Trend.Today = nil
	o.Trend.Provenance.Missing = nil
	for i := range o.Trend.Days {
		if o.Trend.Days[i].Day.After(old.End) {
			o.Trend.Days[i] = overview.DayPoint{Day: o.Trend.Days[i].Day}
		}
		if !o.Trend.Days[i].Stored {
			o.Trend.Provenance.Missing = append(o.Trend.Provenance.Missing, o.Trend.Days[i].Day)
		}
	}
	for i := range o.Placements.Rows {
		for j := range o.Placements.Rows[i].Days {
			if o.Placements.Rows[i].Days[j].Day.After(old.End) {
				o.Placements.Rows[i].Days[j].Stored = false
			}
		}
	}
	o.Health.Errors = []string{"The live theme could not be read."}
	o.Health.Issues = nil
	return o
}

func empty(cause report.Cause, title, text, action, href string) *report.Empty {
	return &report.Empty{Cause: cause, Title: title, Text: text, Action: action, Href: href}
}

// NeverConnected is a store without a credential.
func NeverConnected(l locale.Locale) overview.Overview {
	o := overview.Overview{Store: report.Store{Slug: "wattle", Name: "Wattle Wear", Timezone: "Australia/Sydney"}, Now: now, Choice: Fernhollow(l).Choice}
	o.Freshness = report.Freshness{State: "filling", Words: l.T("panel.freshness.nothing")}
	e := empty(report.CauseNeverConnected, l.T("state.connect.title", "store", locale.Name(o.Store.Name)), l.T("state.connect.text"), "", "")
	o.Summary.Empty, o.Trend.Empty, o.Placements.Empty, o.Top.Empty, o.Lifetime.Empty = e, e, e, e, e
	o.Gift.Empty, o.Health.Empty, o.Plan.Empty, o.Campaigns.Empty = e, e, e, e
	return o
}

// NoOffers is a store that has no offers in any status: its zeros are real.
func NoOffers(l locale.Locale) overview.Overview {
	o := Fernhollow(l)
	o.Store = report.Store{Slug: "wattle", Name: "Wattle Wear", Timezone: "Australia/Sydney", Currency: "AUD"}
	e := empty(report.CauseNoOffers, l.T("state.no_offers.title"), l.T("state.no_offers.text"), "", "")
	o.Top.Empty = e
	o.Summary.Currency, o.Summary.TotalUpsoldValue, o.Summary.TotalUpsoldOrders, o.Summary.TotalOrders = "AUD", decimal.Zero, 0, 1284
	o.GiftLinked, o.Gift = false, gift.Analytics{}
	o.Gift.Empty = empty(report.CauseNeverConnected, l.T("state.gifts_not_connected.title"), l.T("state.gifts_not_connected.text", "store", locale.Name(o.Store.Name)), "", "")
	o.Lifetime.TotalRevenue, o.Lifetime.OfferViews, o.Lifetime.UpsoldOrders = decimal.Zero, 0, 0
	o.Lifetime.Currency, o.Lifetime.ConversionRate, o.Lifetime.RevenuePerVisit = "AUD", nil, nil
	o.Todos = nil
	return o
}

// Nothing is a window in which nothing was sold: zeros, dashes and no comparison.
func Nothing(l locale.Locale) overview.Overview {
	o := Fernhollow(l)
	o.Summary.TotalUpsoldValue, o.Summary.TotalUpsoldOrders, o.Summary.TotalOrders = decimal.Zero, 0, 0
	o.Summary.UpsellSuccessRate, o.Summary.AverageUpsoldValue, o.Summary.OfferViews = nil, nil, nil
	o.Summary.Previous.TotalUpsoldValue, o.Summary.Previous.TotalUpsoldOrders = decimal.Zero, 0
	for i := range o.Trend.Days {
		if o.Trend.Days[i].Stored {
			o.Trend.Days[i].Value, o.Trend.Days[i].Orders = new(decimal.Zero), new(int64(0))
			o.Trend.Days[i].SuccessRate, o.Trend.Days[i].Average = nil, nil
		}
	}
	for i := range o.Placements.Rows {
		r := &o.Placements.Rows[i]
		r.Impressions, r.Claims = 0, 0
		if r.Revenue != nil {
			r.Revenue = new(decimal.Zero)
		}
		for j := range r.Days {
			r.Days[j].Claims = 0
			if r.Days[j].Revenue != nil {
				r.Days[j].Revenue = new(decimal.Zero)
			}
		}
		r.Cover.State, r.Cover.ActiveCount, r.Cover.TotalCount = overview.NeverCreated, 0, 0
	}
	o.Placements.Rows[1].Absent, o.Placements.Rows[1].Revenue = true, nil
	o.Top.Empty = empty(report.CauseNothing, l.T("state.nothing_earned.title"), l.T("state.nothing_earned.text"), "", "")
	o.Gift.Orders.Previous, o.Gift.Orders.ChangePercent, o.Gift.Revenue.Value = new(decimal.Zero), nil, nil
	o.Gift.AOVByFG.Previous, o.Gift.AOVByFG.ChangePercent = nil, nil
	o.Gift.ConversionRate.Withheld, o.Gift.ConversionRate.Unit = true, "ratio"
	o.Plan.CampaignsLimit, o.Plan.CampaignsUnlimited = nil, true
	o.Health.Issues = nil
	o.Lifetime.ConversionRate, o.Lifetime.RevenuePerVisit = nil, nil
	o.Todos = nil
	return o
}

// Filling is a store whose past is still being pulled.
func Filling(l locale.Locale) overview.Overview {
	o := inCurrency(l, "maple", "Maple Mornings", "America/Toronto", "CAD", "0.1225")
	days := make([]bool, 120)
	for i := 86; i < 120; i++ {
		days[i] = true
	}
	o.Filling = &overview.Filling{Answers: 9, AnswersOf: 9, Stored: 34, Planned: 120, Window: report.WindowEnding(window.End, 120), DaysLeft: 86, Days: days, Parts: []report.Part{
		{Service: "upsell", Name: report.PartQuarter, Days: 90, Calls: 203, Seconds: 245},
		{Service: "upsell", Name: report.PartAll, Days: 120, Calls: 293, Seconds: 366},
	}}
	o.Freshness.State, o.Freshness.Words = "filling", l.T("panel.freshness.to", "day", l.Day(window.End), "ago", l.Age(now, minutesAgo(12)))
	o.Summary.Previous, o.Trend.Against, o.Trend.AgainstWindow, o.Placements.Compared = nil, nil, nil, nil
	e := empty(report.CauseFilling, l.T("state.on_the_way.gift_result"), l.T("state.pull_waits"), l.T("panel.watch_sync"), "/stores/maple/sync")
	o.Gift.Empty, o.Campaigns.Empty = e, e
	o.Health.Empty = empty(report.CauseFilling, l.T("state.on_the_way.setup_health"), l.T("state.pull_waits"), "", "")
	o.Plan.Empty = empty(report.CauseFilling, l.T("state.on_the_way.gift_plan"), l.T("state.pull_waits"), "", "")
	return o
}

// Started is a store that has just been connected: nothing has come back yet.
func Started(l locale.Locale) overview.Overview {
	o := overview.Overview{Store: report.Store{Slug: "maple", Name: "Maple Mornings", Timezone: "America/Toronto"}, Now: now, Choice: Fernhollow(l).Choice, Connected: true, GiftLinked: true}
	o.Freshness = report.Freshness{State: "filling", Words: l.T("panel.freshness.nothing")}
	o.Filling = &overview.Filling{Answers: 3, AnswersOf: 9, Planned: 120, Window: report.WindowEnding(window.End, 120), DaysLeft: 120, Days: make([]bool, 120), Parts: []report.Part{
		{Service: "upsell", Name: report.PartWeek, Days: 7, Calls: 30, Seconds: 9},
		{Service: "upsell", Name: report.PartOffers, Calls: 33, Seconds: 10},
		{Service: "upsell", Name: report.PartMonth, Days: 30, Calls: 105, Seconds: 75},
		{Service: "upsell", Name: report.PartQuarter, Days: 90, Calls: 340, Seconds: 365},
		{Service: "upsell", Name: report.PartAll, Days: 120, Calls: 500, Seconds: 545},
	}}
	for _, p := range []*report.Panel{&o.Summary.Panel, &o.Trend.Panel, &o.Placements.Panel, &o.Top.Panel, &o.Lifetime.Panel, &o.Gift.Panel, &o.Health.Panel, &o.Plan.Panel, &o.Campaigns.Panel} {
		p.Empty = empty(report.CauseFilling, l.T("state.first_numbers.title"), l.T("state.first_numbers.text"), l.T("panel.watch_sync"), "/stores/maple/sync")
	}
	return o
}

// OneFailed is a store with some pulls that fail while the others go on.
func OneFailed(l locale.Locale) overview.Overview {
	o := Fernhollow(l)
	o.Placements.Trouble = &report.Trouble{Title: l.T("state.not_updated_since", "day", l.Day(window.End)), Text: l.T("state.cause.failed"), Since: minutesAgo(300)}
	o.Gift.Trouble = &report.Trouble{Title: l.T("state.not_updated_since", "day", l.Day(date(2026, 11, 18))), Text: l.T("state.cause.failed"), Since: minutesAgo(3000)}
	o.Top.Empty = empty(report.CauseFailed, l.T("state.first_try_failed", "ago", l.Age(now, minutesAgo(120))), l.T("state.cause.quarantined"), l.T("empty.see_sync"), "/stores/fernhollow/sync")
	return o
}

// PartOfToday is the window of the current day alone.
func PartOfToday(l locale.Locale) overview.Overview {
	o := Fernhollow(l)
	w := report.OneDay(today)
	o.Choice = report.Choice{Preset: report.TodayOnly, Window: w, Comparison: report.CompareNone, Today: today}
	for _, p := range []*report.Provenance{&o.Summary.Provenance, &o.Placements.Provenance, &o.Top.Provenance} {
		p.Window, p.Asked, p.Check = &w, &w, nil
		*p = p.With(report.FlagPartial)
	}
	o.Summary.Previous, o.Placements.Compared = nil, nil
	o.Trend.Days, o.Trend.Against, o.Trend.AgainstWindow, o.Trend.Marks = nil, nil, nil, nil
	o.Trend.Provenance.Window, o.Trend.Provenance.Missing = &w, nil
	for i := range o.Placements.Rows {
		o.Placements.Rows[i].Days = o.Placements.Rows[i].Days[:1]
		o.Placements.Rows[i].Previous = nil
	}
	o.Gift.Compared, o.Gift.Against = false, nil
	return o
}

// AllStored is a long custom window, stitched from more than 90 days.
func AllStored(l locale.Locale) overview.Overview {
	o := Fernhollow(l)
	w := report.WindowEnding(window.End, 400)
	o.Choice = report.Choice{Preset: report.AllTime, Window: w, Comparison: report.CompareNone, Today: today}
	o.Trend.Days, o.Trend.Against, o.Trend.AgainstWindow = nil, nil, nil
	var gone []civil.Date
	i := 0
	for d := range w.All() {
		v := valuesNow[i%30] + int64(i)
		if i%30 == 14 {
			v += 1400
		}
		if i%97 == 14 {
			v = 0
			gone = append(gone, d)
		}
		o.Trend.Days = append(o.Trend.Days, point(d, i, v, 0))
		if i%6 == 2 { // 67 days with a start or an end
			o.Trend.Marks = append(o.Trend.Marks, report.Mark{Day: d, Start: i%4 == 0, Name: "Camp mug", Offers: int64(i%5 + 1)})
		}
		i++
	}
	p := stitched("GET /data/analytics/summary")
	p.Window, p.Asked, p.Missing, p.Replies = &w, &w, gone, 400-len(gone)
	p.FetchedAt = now.Add(-300 * 24 * time.Hour)
	o.Summary.Provenance, o.Trend.Provenance = p, p
	o.Summary.Previous, o.Placements.Compared = nil, nil
	p.Endpoint = "GET /data/analytics/stats"
	o.Placements.Provenance = p
	for i := range o.Placements.Rows {
		r := &o.Placements.Rows[i]
		short := r.Days
		r.Days, r.Previous = nil, nil
		j := 0
		for d := range w.All() {
			each := short[j%30]
			each.Day, each.Stored = d, j%97 != 14
			r.Days = append(r.Days, each)
			j++
		}
	}
	o.Top.Earned = nil
	return o
}
