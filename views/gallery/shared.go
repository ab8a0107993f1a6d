package gallery

import (
	"strings"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	reportoffers "github.com/storeglass/storeglass/internal/report/offers"
	reportoverview "github.com/storeglass/storeglass/internal/report/overview"
	reportshare "github.com/storeglass/storeglass/internal/report/share"
	"github.com/storeglass/storeglass/views"
	"github.com/storeglass/storeglass/views/admin"
	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/components/form"
	"github.com/storeglass/storeglass/views/gift"
	"github.com/storeglass/storeglass/views/offers"
	"github.com/storeglass/storeglass/views/overview"
	"github.com/storeglass/storeglass/views/share"
)

// sharedHome is where the pages of a share link are below.
const sharedHome = "/share/q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQAAECAwQFBgc"

// sharedBase is the base of a page of a share link to all pages.
func sharedBase(b components.Base, s report.Store, title, path string, fixed bool) components.Base {
	b.Title, b.Path, b.Home, b.Store, b.Now, b.Reader = title, sharedHome+path, sharedHome, &s, now, &components.Reader{}
	b.Shared = &components.Shared{Until: b.Locale.DayYear(date(2026, 12, 12)), Fixed: fixed, Offers: true, Gifts: true}
	for _, t := range []components.Tab{{Label: b.T("tab.overview")}, {Label: b.T("tab.placements"), Href: "/placements"}, {Label: b.T("tab.offers"), Href: "/offers"}, {Label: b.T("tab.gifts"), Href: "/gift"}} {
		b.Tabs = append(b.Tabs, components.Tab{Label: t.Label, Href: sharedHome + t.Href, Current: t.Href == path})
	}
	return b
}

// sharedPages are the pages of share links, and those of who looks after them.
func sharedPages(b components.Base) []Page {
	shared := func(fixed bool) reportshare.View {
		return reportshare.View{Window: window, Fixed: fixed, Locale: b.Locale}
	}
	overviewOf := func(name, says string, fixed bool, o reportoverview.Overview) Page {
		o.Choice.Comparison, o.Choice.Against = report.CompareNone, nil
		return Page{name, says, overview.Show(overview.Page{Base: sharedBase(b, o.Store, b.T("tab.overview"), "", fixed), Overview: shared(fixed).Overview(o)})}
	}
	both := shared(false)
	both.Against = &against
	compared := overview.Page{Base: sharedBase(b, Fernhollow(b.Locale).Store, b.T("tab.overview"), "", false), Overview: both.Overview(Fernhollow(b.Locale))}
	compared.Answer = answered(compared.Overview)
	compared.Brand.Name = "Müller & Söhne, Handelspartner Berlin AG" // as long as a name may be
	compared.Shared.From, compared.Shared.Message = "Maya Hollis", "Hi Ines, a good month.\nGaiters ends soon and nothing is lined up for the order status page. Send me your pick and I’ll set it up."
	compared.Next = []report.Event{
		{Day: date(2026, 11, 24), Name: "Gaiters"}, {Day: date(2026, 11, 27), Start: true, Name: "Merino liner gloves"}, {Day: date(2026, 12, 1), Start: true, Gift: true, Name: "Winter welcome"},
	}
	compared.NextNotes = []report.DayNote{{ID: 7, Start: date(2026, 11, 24), End: date(2026, 11, 24), Text: "You: pick the offer that follows Gaiters", ForClients: true}}
	placements := overview.Page{Base: sharedBase(b, Fernhollow(b.Locale).Store, b.T("tab.placements"), "/placements", false), Overview: shared(false).Overview(covered(Fernhollow(b.Locale)))}
	offersOf := func(name, says string, fixed bool) Page {
		base := sharedBase(b, Fernhollow(b.Locale).Store, b.T("offers.title"), "/offers", fixed)
		list, table := sharedOffers(b.Locale, shared(fixed))
		return Page{name, says, offers.List(offers.ListPage{Base: base, List: list, Table: table})}
	}
	offer := func(name, says string, fixed bool) Page {
		d, _ := shared(fixed).Offer(TrailSocks())
		base := sharedBase(b, d.Store, d.Offer.Name, "/offers", fixed)
		base.Path += "/" + d.Offer.ID
		return Page{name, says, offers.Offer(offers.OfferPage{Base: base, Detail: d})}
	}
	giftOf := func(name, says string, fixed bool) Page {
		g := Gifts(b.Locale)
		return Page{name, says, gift.Show(gift.Page{Base: sharedBase(b, g.Store, b.T("tab.gifts"), "/gift", fixed), Gift: shared(fixed).Gift(g)})}
	}
	long := Fernhollow(b.Locale).Store
	long.Name = longName
	named := branded(sharedBase(b, long, b.T("tab.offers"), "/offers", false), "Northwind Reporting and Partners, London", false)
	brandedList, brandedTable := sharedOffers(b.Locale, shared(false))
	campaign, _ := shared(true).Campaign(MugCampaign(b.Locale))
	locked := components.Base{Title: b.T("share.reader.title"), Locale: b.Locale, Now: now, Asset: b.Asset, Reader: &components.Reader{}, Shared: &components.Shared{}}
	list := at(b, Fernhollow(b.Locale).Store, "")
	list.Path, list.Reader.ShareHref = list.Path+"/shares", list.Path+"/shares"
	link := share.NewPage{
		Base: list, Action: list.Path, BackHref: list.Path, Today: "2026-11-20", Latest: "2027-11-20",
		Form:        share.Form{Pages: []string{"overview"}, Preset: "last_30_days", Start: "2026-10-21", End: "2026-11-19", Until: "2026-12-20"},
		MinPassword: 12, MaxMessage: 1000,
	}
	for _, page := range [][2]string{{"overview", "tab.overview"}, {"placements", "tab.placements"}, {"offers", "tab.offers"}, {"gift", "tab.gifts"}} {
		link.Pages = append(link.Pages, form.Choice{Value: page[0], Label: b.T(page[1]), Note: b.T("share.page_shows." + page[0])})
	}
	refused := link
	refused.Form = share.Form{Label: longName, Fixed: true, Start: "2026-11-19", End: "2026-10-21", Until: "2026-12-20"}
	refused.Field, refused.Problem = "window", b.T("window.wrong", "reason", b.T("choice.backwards"))
	return []Page{
		overviewOf("shared", "a share link’s overview of days that move", false, Fernhollow(b.Locale)),
		{"shared-compared", "a share link that compares", overview.Show(compared)},
		overviewOf("shared-fixed", "the same of days that stay", true, Fernhollow(b.Locale)),
		overviewOf("shared-failed", "last good numbers, and no word of the token", false, Failed(b.Locale)),
		overviewOf("shared-never-connected", "no credential", false, NeverConnected(b.Locale)),
		overviewOf("shared-started", "nothing is there yet", true, Started(b.Locale)),
		{"shared-placements", "placements through a share link", overview.Placements(placements)},
		offersOf("shared-offers", "offers through a share link", false),
		offersOf("shared-offers-fixed", "the same of days that stay", true),
		{"shared-branded", "an agency’s share link to a store of a long name", offers.List(offers.ListPage{Base: named, List: brandedList, Table: brandedTable})},
		offer("shared-offer", "an offer through a share link", false),
		offer("shared-offer-fixed", "the same of days that stay", true),
		giftOf("shared-gifts", "gifts through a share link", false),
		giftOf("shared-gifts-fixed", "the same of days that stay", true),
		{"shared-campaign-fixed", "a campaign through a share link of days that stay", gift.Campaign(gift.CampaignPage{
			Base: sharedBase(b, campaign.Store, campaign.Campaign.Name, "/gift", true), Detail: campaign, GiftHref: sharedHome + "/gift",
		})},
		{"shared-password", "a share link asks for its password again", share.Password(share.PasswordPage{Base: locked, Action: sharedHome, Next: sharedHome + "/offers", Problem: b.T("share.reader.wrong_password")})},
		{"shared-gone", "a share link that does not work", views.Error(views.ErrorPage{Base: locked, Status: 404, Heading: b.T("problem.share_gone.title"), Text: b.T("problem.share_gone.text")})},
		{"shares", "share links in every state, one was just revoked", share.List(share.ListPage{Base: list, NewHref: list.Path + "/new", Rows: shareRows(b.Locale, list.Path), Notice: b.T("share.revoked")})},
		{"shares-none", "no share link yet", share.List(share.ListPage{Base: list, NewHref: list.Path + "/new"})},
		{"share-made", "a share link, shown once", admin.Secret(admin.SecretPage{
			Base: list, Words: b.T("share.made.name", "name", "Board, November"),
			Text: b.T("share.made.text", "pages", b.Locale.List([]string{b.T("tab.overview"), b.T("tab.offers")}), "store", "Fernhollow Outfitters", "day", b.Locale.DayYear(date(2026, 12, 12))) +
				" " + b.T("share.made.password") + " " + b.T("share.made.once"),
			Secret: "https://reports.example.com" + sharedHome, BackHref: list.Path, BackWords: b.T("share.made.back"),
		})},
		{"share-new", "the form of a share link", share.New(link)},
		{"share-refused", "the form, refused", share.New(refused)},
	}
}

// sharedOffers are the offers as a share link tells them: without a comparison.
func sharedOffers(in locale.Locale, shared reportshare.View) (reportoffers.List, reportoffers.Table) {
	list := shared.Offers(Inventory(in))
	table := OfferTable(in, &list)
	table.Choice.Comparison, table.Choice.Against, table.Compared = report.CompareNone, nil, nil
	table.Around = shared.Around(table.Around)
	return list, table
}

func shareRows(l locale.Locale, path string) []share.Row {
	shows := func(pages ...string) string {
		for i, p := range pages {
			pages[i] = l.T("tab." + p)
		}
		return strings.Join(pages, ", ")
	}
	rolling := func(preset report.Preset) string { return share.Days(l, string(preset), report.Window{}) }
	fixed := func(from, to civil.Date) string { return share.Days(l, "", report.Window{Start: from, End: to}) }
	day := func(month time.Month, d int) string { return l.DayYear(date(2026, month, d)) }
	at := func(month time.Month, d int, clock string) string {
		return l.T("common.stamp", "day", day(month, d), "time", clock)
	}
	return []share.Row{
		{Label: "Board, November", MadeBy: "Ida Moreau", Made: day(11, 12), Shows: shows("overview", "placements", "offers", "gifts"), Days: rolling(report.Last30), Password: true, Sign: "active", State: l.T("nav.until", "day", day(12, 12)), Opened: 1204, Last: at(11, 20, "10:22"), Action: path + "/4/revoke"},
		{Label: longName, MadeBy: longName, Made: day(11, 2), Shows: shows("gifts"), Days: fixed(date(2026, 10, 1), date(2026, 10, 31)), Sign: "active", State: l.T("nav.until", "day", l.DayYear(date(2027, 10, 30))), Action: path + "/3/revoke"},
		{Label: "Noor’s client", MadeBy: "Noor", Made: day(11, 1), Shows: shows("overview"), Days: rolling(report.LastMonth), Sign: "waiting", State: l.T("share.state.stopped"), Opened: 1, Last: at(11, 1, "16:40"), Action: path + "/2/revoke"},
		{Label: "Summer", Made: day(6, 3), Shows: shows("overview", "gifts"), Days: fixed(date(2026, 6, 1), date(2026, 8, 31)), Sign: "expired", State: l.T("share.state.expired", "day", day(9, 30)), Opened: 31, Last: at(9, 29, "23:05")},
		{Label: "Sent to the wrong address", MadeBy: "Ida Moreau", Made: day(6, 2), Shows: shows("overview"), Days: rolling(report.AllTime), Password: true, Sign: "expired", State: l.T("share.state.revoked", "day", day(6, 2))},
	}
}
