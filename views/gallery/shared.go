package gallery

import (
	"github.com/storeglass/storeglass/internal/report"
	reportshare "github.com/storeglass/storeglass/internal/report/share"
	"github.com/storeglass/storeglass/views"
	"github.com/storeglass/storeglass/views/admin"
	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/gift"
	"github.com/storeglass/storeglass/views/offers"
	"github.com/storeglass/storeglass/views/overview"
	"github.com/storeglass/storeglass/views/share"
)

// sharedHome is where the pages of a share link stand below.
const sharedHome = "/share/q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQAAECAwQFBgc"

// sharedBase is the base of a page of a share link to all pages.
func sharedBase(b components.Base, s report.Store, title, path string, fixed bool) components.Base {
	b.Title, b.Path, b.Home, b.Store, b.Now, b.Reader = title, sharedHome+path, sharedHome, &s, now, &components.Reader{}
	b.Shared = &components.Shared{Until: "12 Dec 2026", Fixed: fixed, Offers: true, Gifts: true}
	for _, t := range []components.Tab{{Label: "Overview"}, {Label: "Placements", Href: "/placements"}, {Label: "Offers", Href: "/offers"}, {Label: "Gifts", Href: "/gift"}} {
		b.Tabs = append(b.Tabs, components.Tab{Label: t.Label, Href: sharedHome + t.Href, Current: t.Href == path})
	}
	return b
}

// sharedPages are the pages of share links, and those of who looks after them.
func sharedPages(b components.Base) []Page {
	told := func(fixed bool) reportshare.View { return reportshare.View{Window: window, Fixed: fixed} }
	overviewOf := func(name, says string, fixed bool, o report.Overview) Page {
		o.Choice.Comparison, o.Choice.Against = report.CompareNone, nil
		return Page{name, says, overview.Show(overview.Page{Base: sharedBase(b, o.Store, "Overview", "", fixed), Overview: told(fixed).Overview(o)})}
	}
	placements := overview.Page{Base: sharedBase(b, Fernhollow().Store, "Placements", "/placements", false), Overview: told(false).Overview(covered(Fernhollow()))}
	offersOf := func(name, says string, fixed bool) Page {
		return Page{name, says, offers.List(offers.ListPage{Base: sharedBase(b, Fernhollow().Store, "Offers", "/offers", fixed), List: told(fixed).Offers(Inventory())})}
	}
	offer := func(name, says string, fixed bool) Page {
		d, _ := told(fixed).Offer(TrailSocks())
		base := sharedBase(b, d.Store, d.Offer.Name, "/offers", fixed)
		base.Path += "/" + d.Offer.ID
		return Page{name, says, offers.Offer(offers.OfferPage{Base: base, Detail: d})}
	}
	giftOf := func(name, says string, fixed bool) Page {
		g := Gifts()
		return Page{name, says, gift.Show(gift.Page{Base: sharedBase(b, g.Store, "Gifts", "/gift", fixed), Gift: told(fixed).Gift(g)})}
	}
	long := Fernhollow().Store
	long.Name = longName
	named := branded(sharedBase(b, long, "Offers", "/offers", false), "Northwind Reporting and Partners, London", false)
	campaign, _ := told(true).Campaign(MugCampaign())
	locked := components.Base{Title: "A shared report", Now: now, Asset: b.Asset, Reader: &components.Reader{}, Shared: &components.Shared{}}
	list := at(b, Fernhollow().Store, "")
	list.Path, list.Reader.ShareHref = list.Path+"/shares", list.Path+"/shares"
	form := share.NewPage{
		Base: list, Action: list.Path, BackHref: list.Path, Today: "2026-11-20", Latest: "2027-11-20",
		Form: share.Form{Pages: []string{"overview"}, Preset: "last_30_days", Start: "2026-10-21", End: "2026-11-19", Until: "2026-12-20"},
		Pages: []share.Choice{
			{Value: "overview", Label: "Overview", Says: "The window’s figures, their days, and placements, offers and gifts in short."},
			{Value: "placements", Label: "Placements", Says: "The four placements side by side, larger."},
			{Value: "offers", Label: "Offers", Says: "The list of offers, and a page for each."},
			{Value: "gift", Label: "Gifts", Says: "What free gifts brought, their days, and a page for each campaign."},
		},
	}
	refused := form
	refused.Form = share.Form{Label: longName, Fixed: true, Start: "2026-11-19", End: "2026-10-21", Until: "2026-12-20"}
	refused.Field, refused.Problem = "window", "These days can’t be shown: the last day is before the first."
	return []Page{
		overviewOf("shared", "a share link’s overview of days that move", false, Fernhollow()),
		overviewOf("shared-fixed", "the same of days that stay", true, Fernhollow()),
		overviewOf("shared-failed", "last good numbers, and no word of the token", false, Failed()),
		overviewOf("shared-never-connected", "no credential", false, NeverConnected()),
		overviewOf("shared-started", "nothing is there yet", true, Started()),
		{"shared-placements", "placements through a share link", overview.Placements(overview.PlacementsPage{Page: placements})},
		offersOf("shared-offers", "offers through a share link", false),
		offersOf("shared-offers-fixed", "the same of days that stay", true),
		{"shared-branded", "an agency’s share link to a store of a long name", offers.List(offers.ListPage{Base: named, List: told(false).Offers(Inventory())})},
		offer("shared-offer", "an offer through a share link", false),
		offer("shared-offer-fixed", "the same of days that stay", true),
		giftOf("shared-gifts", "gifts through a share link", false),
		giftOf("shared-gifts-fixed", "the same of days that stay", true),
		{"shared-campaign-fixed", "a campaign through a share link of days that stay", gift.Campaign(gift.CampaignPage{
			Base: sharedBase(b, campaign.Store, campaign.Campaign.Name, "/gift", true), Detail: campaign, GiftHref: sharedHome + "/gift",
		})},
		{"shared-password", "a share link asks for its password again", share.Password(share.PasswordPage{Base: locked, Action: sharedHome, Next: sharedHome + "/offers", Problem: "This is not the password. Capitals count."})},
		{"shared-gone", "a share link that does not work", views.Error(views.ErrorPage{Base: locked, Status: 404, Heading: "This link does not work", Text: "It has ended, was taken back, or never was one. Whoever sent it to you can make a new one."})},
		{"shares", "share links in every state, one was just revoked", share.List(share.ListPage{Base: list, NewHref: list.Path + "/new", Rows: shareRows(list.Path), Notice: "The link is revoked. Whoever opens it is told that it does not work."})},
		{"shares-none", "no share link yet", share.List(share.ListPage{Base: list, NewHref: list.Path + "/new"})},
		{"share-made", "a share link, shown once", admin.Secret(admin.SecretPage{
			Base: list, Words: "The link Board, November",
			Text:   "Whoever has this link sees Overview and Offers of Fernhollow Outfitters until 12 Dec 2026. They are asked for the password: tell it to them another way. It can’t be shown again: if it is lost, revoke it and make another.",
			Secret: "https://reports.example.com" + sharedHome, BackHref: list.Path, BackWords: "To the share links",
		})},
		{"share-new", "the form of a share link", share.New(form)},
		{"share-refused", "the form, refused", share.New(refused)},
	}
}

func shareRows(path string) []share.Row {
	return []share.Row{
		{Label: "Board, November", MadeBy: "Ida Moreau", Made: "12 Nov 2026", Shows: "Overview, Placements, Offers, Gifts", Days: "30 days, moving", Password: true, Sign: "active", State: "Until 12 Dec 2026", Opened: 1204, Last: "20 Nov 2026, 10:22", Action: path + "/4/revoke"},
		{Label: longName, MadeBy: longName, Made: "2 Nov 2026", Shows: "Gifts", Days: "1 – 31 Oct 2026", Sign: "active", State: "Until 30 Oct 2027", Action: path + "/3/revoke"},
		{Label: "Noor’s client", MadeBy: "Noor", Made: "1 Nov 2026", Shows: "Overview", Days: "Last month, moving", Sign: "waiting", State: "Stopped: maker disabled", Opened: 1, Last: "1 Nov 2026, 16:40", Action: path + "/2/revoke"},
		{Label: "Summer", Made: "3 Jun 2026", Shows: "Overview, Gifts", Days: "1 Jun – 31 Aug 2026", Sign: "expired", State: "Ended 30 Sep 2026", Opened: 31, Last: "29 Sep 2026, 23:05"},
		{Label: "Sent to the wrong address", MadeBy: "Ida Moreau", Made: "2 Jun 2026", Shows: "Overview", Days: "All stored days, moving", Password: true, Sign: "expired", State: "Revoked 2 Jun 2026"},
	}
}
