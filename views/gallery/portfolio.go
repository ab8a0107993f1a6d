package gallery

import (
	"net/url"
	"strings"
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/goal"
	"github.com/storeglass/storeglass/internal/report/portfolio"
	reportstores "github.com/storeglass/storeglass/internal/report/stores"
	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/stores"
)

// shop is a store of the agency's page: its description, and the values of its windows.
type shop struct {
	reportstores.Stored
	// value and orders of the last 30 whole days, previous of the 30 before; an empty text
	// means a window that was never answered. gift is the gift revenue.
	value, previous, gift string
	orders, before        int64
	// takes are all orders of the window.
	takes int64
	// missing are days of the window that aren't stored: then it is stitched.
	missing []int
}

func shopOf(slug, name, timezone, currency, value string, orders int64, previous string, before int64) shop {
	loc, err := report.Zone(timezone)
	if err != nil {
		panic(err)
	}
	s := shop{value: value, previous: previous, orders: orders, before: before, takes: orders*7 + 13, gift: "1204.5"}
	s.Stored = reportstores.Stored{
		Store: report.Store{Slug: slug, Name: name, Timezone: timezone, Currency: currency, Domain: slug + ".example"}, Location: loc,
		Credentials: []report.StoredCredential{{Service: "upsell", State: "good"}, {Service: "gift", State: "good"}},
		UpsellAt:    minutesAgo(4 + len(name)*7%29), GiftAt: minutesAgo(6), LastDay: civil.DateOf(now.In(loc)).AddDays(-1),
		DaysStored: 120, DaysPlanned: 120,
	}
	for _, p := range report.Placements {
		s.Coverage = append(s.Coverage, report.StoredCover{Placement: p, ActiveCount: 2, TotalCount: 3})
	}
	return s
}

// lacks removes the offers of a placement: all of them, or the active ones.
func (s shop) lacks(p report.Placement, created bool) shop {
	for i, c := range s.Coverage {
		if c.Placement == p {
			s.Coverage[i].ActiveCount = 0
			if !created {
				s.Coverage[i].TotalCount = 0
			}
		}
	}
	return s
}

// agency are the twelve stores of picture 05.
func agency() []shop {
	brid := shopOf("brid", "Bríd Wool", "Europe/Dublin", "EUR", "18204.90", 402, "17100.00", 390)
	brid.UpsellAt, brid.LastDay = minutesAgo(12960), date(2026, time.November, 11)
	brid.Credentials[0] = report.StoredCredential{Service: "upsell", State: "paused", Cause: "token", PausedAt: minutesAgo(11600)}
	brid.Alerts, brid.Need = 1, report.OpenAlert{Rule: "credential", Title: locale.M("store.need.upsell_token"), Do: locale.M("alert.renew.upsell_token"), Since: minutesAgo(11600)}
	fernhollow := shopOf("fernhollow", "Fernhollow Outfitters", "America/New_York", "USD", "49975.83", 1332, "44462.48", 1251)
	fernhollow.Alerts, fernhollow.Need = 5, fernhollowAlerts()[0]
	maple := shopOf("maple", "Maple Mornings", "America/Toronto", "CAD", "6120.44", 171, "", 0)
	maple.DaysStored, maple.DaysPlanned, maple.DaysLeft, maple.gift = 34, 120, 86, ""
	brume := shopOf("brume", "Atelier Brume", "Europe/Paris", "EUR", "31870.20", 744, "30410.00", 733)
	barro := shopOf("barro", "Barro Rojo", "America/Mexico_City", "MXN", "412930.50", 903, "440224.40", 951).lacks(report.Coupon, false)
	dilmun := shopOf("dilmun", "Dilmun Perfumes", "Asia/Bahrain", "BHD", "5218.375", 310, "4252.957", 262)
	hearth := shopOf("hearth", "Hearth & Hound", "America/Chicago", "USD", "22614.08", 566, "22368.03", 571).lacks(report.ThankYou, true)
	kumo := shopOf("kumo", "Kumo Tea", "Asia/Tokyo", "JPY", "3482100", 1290, "3177099", 1188)
	lumen := shopOf("lumen", "Lumen Optik", "Europe/Berlin", "EUR", "14090.75", 388, "14147.34", 388)
	lumen.missing = []int{15}
	nordlys := shopOf("nordlys", "Nordlys Keramik", "Europe/Copenhagen", "DKK", "88240.00", 512, "85421.10", 498).lacks(report.Coupon, false)
	saffron := shopOf("saffron", "Saffron & Salt", "Europe/London", "GBP", "27355.60", 640, "23602.76", 590)
	wattle := shopOf("wattle", "Wattle Wear", "Australia/Sydney", "AUD", "0", 0, "0", 0)
	wattle.Credentials = wattle.Credentials[:1]
	for _, p := range report.Placements {
		wattle = wattle.lacks(p, false)
	}
	shops := []shop{brid, fernhollow, maple, brume, barro, dilmun, hearth, kumo, lumen, nordlys, saffron, wattle}
	for i := range shops {
		s := &shops[i]
		if i%2 == 0 {
			s.Groups = append(s.Groups, reportstores.Group{ID: 1, Name: "North"})
		}
		if i%3 != 2 {
			s.Groups = append(s.Groups, reportstores.Group{ID: 2, Name: "Homeware and gifts"})
		}
		if s.Store.Currency == "EUR" {
			s.Tags = []string{"euro zone", "retainer"}
		}
	}
	return shops
}

// pattern is the shape of the days' lines.
var pattern = []int64{40, 44, 58, 77, 72, 48, 35, 39, 55, 68, 61, 90, 83, 52, 41, 46, 50, 73, 65, 92, 88, 57, 49, 63, 78, 95, 84, 60, 52, 66}

// storeList is the list of the shops for a query, built as by the server.
func storeList(l locale.Locale, query string, shops []shop) portfolio.Portfolio {
	values, err := url.ParseQuery(query)
	if err != nil {
		panic(err)
	}
	q, err := portfolio.ParseQuery(values, now)
	if err != nil {
		panic(err)
	}
	stores := make([]reportstores.Stored, len(shops))
	for i, s := range shops {
		stores[i] = s.Stored
	}
	d := portfolio.New(l, q, stores, now)
	answered := func(w portfolio.StoreWindow) (value string, orders int64) {
		s := shops[w.Store]
		switch latest := report.WindowEnding(s.LastDay, w.Window.Days()); w.Window {
		case latest:
			return s.value, s.orders
		case latest.Previous():
			return s.previous, s.before
		}
		return "", 0
	}
	for _, w := range d.Windows() {
		s := shops[w.Store]
		if value, orders := answered(w); value != "" && (len(s.missing) == 0 || w.Window.End != s.LastDay) {
			d.Answered(w.Store, report.StoredSummary{
				Window: w.Window, TotalUpsoldValue: dec(value), TotalUpsoldOrders: orders, TotalOrders: max(s.takes, orders),
				Currency: s.Store.Currency, Source: "merchant", FetchedAt: s.UpsellAt,
			})
		}
	}
	for _, w := range d.Open() {
		s := shops[w.Store]
		value, orders := answered(w)
		if value == "" || len(s.missing) == 0 {
			continue
		}
		sum := report.StoredSum{
			Days: w.Window.Days() - len(s.missing), Currency: s.Store.Currency, TotalUpsoldValue: dec(value), TotalUpsoldOrders: orders, TotalOrders: s.takes,
			FetchedAt: minutesAgo(2000), FetchedLast: s.UpsellAt,
		}
		for i := range w.Window.Days() {
			if i != s.missing[0] {
				sum.Kept = append(sum.Kept, w.Window.Start.AddDays(i))
			}
		}
		d.Summed(w, sum)
	}
	d.Arrange()
	for _, w := range d.Lines() {
		d.Detailed(w.Store, shops[w.Store].line(w.Window))
	}
	return d.Portfolio()
}

// line are the days and gifts of a window.
func (s shop) line(w report.Window) portfolio.StoredLine {
	var in portfolio.StoredLine
	if s.value != "" && s.value != "0" {
		per := dec(s.value).Div(decimal.NewFromInt(1900))
		for i := range w.Days() {
			day := report.OneDay(w.Start.AddDays(i))
			if day.Start.After(s.LastDay) || len(s.missing) > 0 && i == s.missing[0] {
				continue
			}
			height := pattern[(i+len(s.Store.Name))%len(pattern)]
			in.Days = append(in.Days, report.StoredSummary{Window: day, TotalUpsoldValue: per.Mul(decimal.NewFromInt(height)).Round(2), Currency: s.Store.Currency})
		}
	}
	if amount := storeGoals[s.Store.Slug]; amount != 0 {
		in.Goal = s.goal(amount)
	}
	if s.gift != "" {
		in.Gift = []report.StoredGift{{
			Window: w, AskedDays: w.Days(), Timezone: s.Store.Timezone, Currency: s.Store.Currency, Basis: "reported", FetchedAt: s.GiftAt,
			Revenue: report.GiftMetric{Value: decp(s.gift)}, Orders: report.GiftMetric{Value: decp("31")},
		}}
	}
	return in
}

// storeGoals are the goals of some stores, in their own currencies.
var storeGoals = map[string]int64{"fernhollow": 54000, "lumen": 16000, "kumo": 2100000}

// goal is a goal with the days that its pace is estimated from.
func (s shop) goal(amount int64) *report.StoredGoal {
	g := &report.StoredGoal{Kind: fact.GoalValue, Amount: decimal.NewFromInt(amount), Currency: s.Store.Currency, From: civil.Date{Year: 2026, Month: time.October, Day: 1}}
	per := dec(s.value).Div(decimal.NewFromInt(1900))
	for back := range goal.HistoryDays {
		height := pattern[back%len(pattern)]
		g.Days = append(g.Days, report.StoredSummary{
			Window: report.OneDay(s.LastDay.AddDays(-back)), TotalUpsoldValue: per.Mul(decimal.NewFromInt(height)).Round(2), Currency: s.Store.Currency, FetchedAt: s.UpsellAt,
		})
	}
	return g
}

// storesPage is the page as the server fills it.
func storesPage(b components.Base, list portfolio.Portfolio) stores.ListPage {
	base := plain(b, b.T("stores.title"))
	return stores.ListPage{
		Base: base, List: list, Plain: "/", SaveHref: "/views", ViewsHref: "/views", WallHref: "/wall",
		Views: []stores.SavedView{{ID: 1, Name: "Euro clients", Href: "/?currency=EUR&by=group", Opens: true}, {ID: 2, Name: "Monday round, all groups by change", Href: "/?by=group&sort=delta"}},
		ReplyHref: func(slug string, p report.Provenance) string {
			if p.Basis != report.Reported {
				return ""
			}
			return "/stores/" + slug + "/replies"
		},
	}
}

// hostileAgency has names that contain markup, run from right to left, or are very long.
func hostileAgency() []shop {
	shops := agency()[:6]
	shops[0].Store.Name = `</script><script>alert("no")</script>`
	shops[1].Store.Name = "متجر الزهور والعطور الشرقية"
	shops[2].Store.Name = strings.Repeat("Donaudampfschifffahrt", 6)
	shops[3].Groups = []reportstores.Group{{ID: 3, Name: `"><img src=x onerror=alert(1)>` + strings.Repeat("long", 20)}}
	shops[4].Tags = []string{`{v|${x}</option>`, "\u202egnipeek\u202c"}
	return shops
}

// portfolioPages are the list of stores in its states.
func portfolioPages(b components.Base) []Page {
	storesOf := func(name, says string, list portfolio.Portfolio, change func(*stores.ListPage)) Page {
		p := storesPage(b, list)
		if change != nil {
			change(&p)
		}
		return Page{name, says, stores.List(p)}
	}
	late := agency()[2:]
	late[2].UpsellAt = minutesAgo(400)
	late[3].Paused = true
	late[4].Credentials = nil
	late[5].Credentials = late[5].Credentials[1:]
	return []Page{
		storesOf("stores", "twelve stores as an agency sees them", storeList(b.Locale, "", agency()), func(p *stores.ListPage) { p.CheckAction = "/stores/check" }),
		storesOf("stores-euro", "one currency: sorted by value, with its total", storeList(b.Locale, "currency=EUR&sort=value", agency()), nil),
		storesOf("stores-by-group", "grouped, in an order by change, a view in use", storeList(b.Locale, "by=group&sort=delta", agency()), func(p *stores.ListPage) { p.Views[1].Current = true }),
		storesOf("stores-late", "late, paused, not connected, gifts alone", storeList(b.Locale, "", late), nil),
		storesOf("stores-made-up", "four of them are made up", storeList(b.Locale, "", agency()[:4]), func(p *stores.ListPage) {
			p.MadeUp, p.RemoveMadeUpAction = 4, "/stores/made-up/remove"
		}),
		storesOf("stores-no-match", "filters that leave no store", storeList(b.Locale, "q=zebra", agency()), nil),
		storesOf("stores-wrong", "a filter that can't be asked for", storeList(b.Locale, "", agency()), func(p *stores.ListPage) {
			p.Error = &report.ChoiceError{Field: "health", Reason: locale.M("stores.ask.health")}
		}),
		storesOf("stores-hostile", "names that try to be markup, from right to left, without end", storeList(b.Locale, "by=group", hostileAgency()), nil),
		storesOf("stores-none", "no grant at all", storeList(b.Locale, "", nil), func(p *stores.ListPage) {
			p.Empty = &report.Empty{Cause: report.CauseNeverConnected, Title: b.T("stores.no_access.title"), Text: b.T("stores.no_access.text")}
		}),
		{"welcome", "the first admin, before there is a store", stores.Welcome(stores.WelcomePage{Base: plain(b, b.T("stores.welcome.title", "name", "Storeglass")), ConnectHref: "/stores/new", MadeUpAction: "/stores/made-up"})},
		{"views", "saved views", stores.Views(stores.ViewsPage{Base: plain(b, b.T("stores.views.title")), Notice: b.T("stores.views.done.renamed"), ProblemID: 2, Name: "", Problem: b.T("stores.views.name_wrong", "n", 60), Views: []stores.SavedView{
			{ID: 1, Name: "Euro clients", Href: "/?currency=EUR&by=group", Opens: true, Asks: asks(b.Locale, "currency=EUR&by=group")},
			{ID: 2, Name: "Monday round, all groups by change", Href: "/?by=group&sort=delta", Asks: asks(b.Locale, "window=last_7_days&by=group&sort=delta"), Broken: true},
		}})},
		{"wall", "a screen on a wall", stores.Wall(wallPage(b, storeList(b.Locale, "by=health", agency())))},
		{"wall-euro", "one currency, a saved view", stores.Wall(func() stores.WallPage {
			w := wallPage(b, storeList(b.Locale, "currency=EUR&sort=value", agency()))
			w.Name, w.Theme = "Euro clients", "light"
			return w
		}())},
		{"wall-signed-out", "its session ended", stores.Wall(func() stores.WallPage {
			w := wallPage(b, portfolio.Portfolio{})
			w.SignedOut, w.SignInHref = true, "/sign-in?next=%2Fwall"
			return w
		}())},
		{"views-none", "no view is saved", stores.Views(stores.ViewsPage{Base: plain(b, b.T("stores.views.title"))})},
	}
}

// asks is a query in words.
func asks(l locale.Locale, query string) string {
	values, _ := url.ParseQuery(query)
	q, _ := portfolio.ParseQuery(values, now)
	return q.Words(l)
}

// wallPage is the wallboard of a list.
func wallPage(b components.Base, list portfolio.Portfolio) stores.WallPage {
	return stores.WallPage{Base: plain(b, b.T("stores.wallboard")), List: list, Asks: list.Query.Words(b.Locale), Theme: "dark", Chosen: true, ListHref: "/"}
}
