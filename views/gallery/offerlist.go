package gallery

import (
	"fmt"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/answers"
	reportoffers "github.com/storeglass/storeglass/internal/report/offers"
	"github.com/storeglass/storeglass/internal/report/overview"
	"github.com/storeglass/storeglass/views/offers"
)

func listed(id int, name string, p report.Placement, status, revenue string, order int) reportoffers.Row {
	r := reportoffers.Row{
		ID: fmt.Sprint(8800 + id), Name: name, Placement: p, Status: status, Currency: "USD", CreatedAt: fmt.Sprintf("2026-%02d-12T09:30:00", 1+id%11),
		URL: fmt.Sprint("https://admin.example/offers/", id), FirstSeen: minutesAgo(90000), LastListed: minutesAgo(684),
	}
	if revenue != "" {
		r.RevenueAllTime = decp(revenue)
	}
	if order > 0 {
		r.Priority = &order
	}
	return r
}

// inventoried is how many offers the store has: eight with names, on the last page of 37.
const inventoried = 36*report.OffersPerPage + 8

// Inventory is a store with more offers than one page shows.
func Inventory(in locale.Locale) reportoffers.List {
	n := int64(inventoried)
	l := reportoffers.List{
		Panel:  report.Panel{Provenance: reported("GET /data/offers", nil, 684)},
		Filter: report.OfferFilter{Sort: report.SortNewest, Page: 37},
		Rows: []reportoffers.Row{
			listed(1, "Trail socks, second pair", report.PostPurchase, "active", "68210.44", 1),
			listed(2, "Headlamp spare batteries", report.ThankYou, "active", "51377.20", 1),
			listed(3, "Boot care kit", report.PostPurchase, "active", "5904.15", 2),
			listed(4, "Ridge bottle 750 ml", report.PostPurchase, "expired", "40126.80", 0),
			listed(5, "Thanks for your first order", report.Coupon, "active", "", 1),
			listed(6, "Summer cap", report.OrderStatus, "expired", "2044.60", 0),
			listed(7, "Merino gloves", report.PostPurchase, "scheduled", "0", 4),
			listed(8, "Dry bag 5 l", report.ThankYou, "active", "1171.20", 2),
		},
		Verified: reportoffers.Verified{Seen: n, Counted: &n, Whole: true, At: minutesAgo(684), Calls: 97, Words: in.T("offers.loaded.all", "n", n)},
	}
	for i := len(l.Rows); i < inventoried; i++ {
		r := listed(i, fmt.Sprintf("Offer %d, A&B", i), report.Placements[i%4], "expired", "0", 0)
		r.CreatedAt = "2026-12-01T09:30:00"
		l.Rows = append(l.Rows, r)
	}
	l.Rows[0].ABTest, l.Rows[5].Deleted, l.Rows[5].URL, l.Rows[3].Unlisted = true, true, "", true
	return l
}

// OfferTable is what the offers of a list did in the gallery's window. The first has an open row.
func OfferTable(in locale.Locale, l *reportoffers.List) reportoffers.Table {
	o := Fernhollow(in)
	top, before := o.Top, *o.TopBefore
	zero, claims, rate := 0, []int64{276, 231, 25, 18}, []string{"0.214", "0.118", "0.094", "0.031"}
	top.Highest, top.Lowest, top.Earned = nil, nil, &zero
	before.Highest, before.Lowest, before.Earned = nil, nil, &zero
	for i, v := range []string{"11482.36", "9903.10", "902.75", "318.00"} {
		if i >= len(l.Rows) {
			break
		}
		r := report.TopRow{OfferID: l.Rows[i].ID, Name: l.Rows[i].Name, Placement: l.Rows[i].Placement, Revenue: decp(v), Claims: &claims[i], AcceptanceRate: decp(rate[i])}
		top.Highest = append(top.Highest, r)
		if r.Revenue = decp("1804.20"); i != 2 {
			before.Highest = append(before.Highest, r)
		}
	}
	if len(l.Rows) == 0 {
		return reportoffers.NewTable(in, l, o.Choice, top, &before, nil)
	}
	first := l.Rows[0]
	event := report.Event{Day: window.End.AddDays(-9), Start: true, Name: first.Name, OfferID: first.ID, Placement: first.Placement}
	t := reportoffers.NewTable(in, l, o.Choice, top, &before, []report.Event{event})
	days := report.StoredOfferDays{}
	i := 0
	for day := range t.Drawn.All() {
		days.Ranked = append(days.Ranked, report.StoredRankedDay{Day: day, Whole: i != 12, Currency: t.Currency})
		days.Days = append(days.Days, report.StoredOfferDay{OfferID: first.ID, Day: day, Revenue: decp(fmt.Sprint(300 + i*7%90)), Currency: t.Currency})
		i++
	}
	t.Draw(days)
	if t.Find(first.ID) == nil {
		return t
	}
	t.Open = first.ID
	t.DrawOpen(days, t.OpenDays([]report.Event{event}))
	t.Around = around(event)
	return t
}

// around is what a start changed.
func around(event report.Event) []answers.BeforeAfter {
	pair := func(before, after string) answers.Pair { return answers.Pair{Before: decp(before), After: decp(after)} }
	return []answers.BeforeAfter{{
		Event: event, Days: 9, Currency: "USD", PerDay: decp("164.50"), Clear: true, Least: dec("41.20"), Most: dec("287.80"), Before: report.Window{Start: event.Day.AddDays(-13), End: event.Day.AddDays(-5)},
		After: report.Window{Start: event.Day.AddDays(1), End: event.Day.AddDays(9)}, Offer: pair("0", "2023.03"), Rate: pair("0.136", "0.152"),
		Placements: []answers.PlacementPair{
			{Placement: report.PostPurchase, Pair: pair("14704.72", "16185.19")}, {Placement: report.ThankYou, Pair: pair("6615.57", "7752.40")},
			{Placement: report.OrderStatus, Pair: pair("2165.99", "38.40")},
		},
	}}
}

// CutInventory is a list that could not be read whole, in display order.
func CutInventory(in locale.Locale) reportoffers.List {
	l := Inventory(in)
	l.Filter = report.OfferFilter{Query: "socks", Status: "active", Placement: report.PostPurchase, ABTest: true, Sort: report.SortPriority, Page: 1}
	l.Provenance = l.Provenance.With(report.FlagCut)
	l.Verified = reportoffers.Verified{Seen: 1000, Counted: l.Verified.Counted, At: minutesAgo(684), Calls: 51, Words: in.T("offers.loaded.part", "seen", 1000, "n", inventoried)}
	l.Trouble = &report.Trouble{Title: in.T("state.not_updated_since", "day", in.Day(window.End)), Text: in.T("state.cause.failed"), Since: minutesAgo(300)}
	return l
}

// NoMatch is a filter that leaves every offer out.
func NoMatch(in locale.Locale) reportoffers.List {
	l := Inventory(in)
	l.Filter = report.OfferFilter{Query: hostile + unbroken, NeverEarned: true, Sort: report.SortRevenueLow, Page: 1}
	return l
}

// EmptyInventory is a store whose offers were never read, or that has none.
func EmptyInventory(in locale.Locale, cause report.Cause, title, text, action, href string) reportoffers.List {
	return reportoffers.List{
		Panel:    report.Panel{Provenance: reported("GET /data/offers", nil, 0), Empty: empty(cause, title, text, action, href)},
		Verified: reportoffers.Verified{Words: in.T("offers.loaded.never")}, Filter: report.OfferFilter{Sort: report.SortValue, Page: 1},
	}
}

// HostileInventory has hostile text in every string.
func HostileInventory(in locale.Locale) reportoffers.List {
	l := Inventory(in)
	l.Filter = report.OfferFilter{Placement: "Cart drawer upsell (new) " + unbroken, Sort: report.SortNewest, Page: 1}
	for i := range l.Rows[:5] {
		l.Rows[i].Placement = l.Filter.Placement
	}
	l.Rows[0].Name, l.Rows[1].Name, l.Rows[2].Name, l.Rows[3].Name = hostile, unbroken, rightToLeft, ""
	l.Rows[0].ID, l.Rows[1].Status, l.Rows[2].CreatedAt = "a/b?c=<d>&e", unbroken, hostile
	l.Rows[4].Name = "=1+1"
	return l
}

// covered gives a store's overview its coverage: one placement live with others
// switched off or never created, over a window of its own.
func covered(o overview.Overview) overview.Overview {
	recent := report.WindowEnding(window.End, 365)
	row := func(p report.Placement, state overview.CoverState, active, total int64, revenue string) overview.CoverRow {
		r := overview.CoverRow{Placement: p, State: state, HasActive: active > 0, ActiveCount: active, TotalCount: total}
		if revenue != "" {
			r.RecentRevenue = decp(revenue)
		}
		return r
	}
	o.Coverage = overview.Coverage{
		Panel: report.Panel{Provenance: reported("GET /data/analytics/coverage", &recent, 41)}, Currency: o.Placements.Currency,
		Rows: []overview.CoverRow{
			row(report.PostPurchase, overview.Live, 4, 11, "298114.92"), row(report.ThankYou, overview.Live, 3, 6, "141002.57"),
			row(report.Coupon, overview.NeverCreated, 0, 0, ""), row(report.OrderStatus, overview.SwitchedOff, 0, 3, "40118.80"),
		},
	}
	o.Coverage.Rows[0].Deleted = &report.DeletedTriggers{
		Offers: 1, Name: "Boot care kit", Names: []report.ConditionName{{Kind: "product", Name: "Ridge Runner GTX", Deleted: true}}, Href: "/stores/fernhollow/offers/8803",
	}
	return o
}

// RankedDays are the days of an overview's ranking, one of them missing.
func RankedDays(o overview.Overview) (report.Window, map[string]reportoffers.TableRow) {
	w, rows, in := reportoffers.Drawn(o.Choice.Window), offers.Shown(o.Top), report.StoredOfferDays{}
	for day := range w.All() {
		n := day.DaysSince(w.Start)
		in.Ranked = append(in.Ranked, report.StoredRankedDay{Day: day, Whole: n != 12, Currency: o.Top.Currency})
		for i, r := range rows {
			if n != 12 && n > 3*i {
				in.Days = append(in.Days, report.StoredOfferDay{OfferID: r.OfferID, Day: day, Revenue: decp(fmt.Sprint(300 + n*7*(i+1)%90)), Currency: o.Top.Currency})
			}
		}
	}
	return w, reportoffers.RankedRows(rows, o.Top.Currency, w, in)
}
