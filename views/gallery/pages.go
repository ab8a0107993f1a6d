package gallery

import (
	"slices"
	"strings"
	"time"

	"github.com/a-h/templ"

	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/answers"
	"github.com/storeglass/storeglass/internal/report/goal"
	"github.com/storeglass/storeglass/internal/report/ledger"
	reportoffers "github.com/storeglass/storeglass/internal/report/offers"
	reportoverview "github.com/storeglass/storeglass/internal/report/overview"
	"github.com/storeglass/storeglass/views"
	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/find"
	"github.com/storeglass/storeglass/views/offers"
	"github.com/storeglass/storeglass/views/overview"
	"github.com/storeglass/storeglass/views/syncpage"
)

// Page is one whole page of the gallery.
type Page struct {
	Name string // as in the address
	Says string // what to look at
	View templ.Component
}

// Pages are the whole pages. b brings the built files' addresses; the rest of it
// is filled with canned values.
func Pages(b components.Base) []Page {
	b.Tabs = nil // the visitor's own; each page brings its tabs
	overviewWith := func(name, says string, o reportoverview.Overview, change func(*overview.Page)) Page {
		base := at(b, o.Store, "Overview")
		base.SettingsHref = base.Path + "/settings"
		p := overview.Page{Base: base, Overview: o, Answer: answered(o), SyncHref: base.Path + "/sync"}
		p.Drawn, p.OfferDays = RankedDays(o)
		if change != nil {
			change(&p)
		}
		return Page{name, says, overview.Show(p)}
	}
	overviewOf := func(name, says string, o reportoverview.Overview) Page { return overviewWith(name, says, o, nil) }
	goalOf := func(name, says string, o reportoverview.Overview, g *goal.Progress) Page {
		return overviewWith(name, says, o, func(p *overview.Page) { p.Goal = g })
	}
	refreshing := func(name, says string, r report.Refresh, g *goal.Progress) Page {
		return overviewWith(name, says, Fernhollow(b.Locale), func(p *overview.Page) { p.Base.Refreshing.Refresh, p.Goal = r, g })
	}
	sync := func(name, says string, s ledger.Page, notice string) Page {
		base := at(b, s.Store, "Sync")
		return Page{name, says, syncpage.Show(syncpage.Page{Base: base, Sync: s, Notice: notice, PauseAction: base.Path + "/pause", ResumeAction: base.Path + "/resume"})}
	}
	placements := func(name, says string, o reportoverview.Overview) Page {
		base := at(b, o.Store, "Placements")
		base.Path += "/placements"
		return Page{name, says, overview.Placements(overview.Page{Base: base, Overview: covered(o), SyncHref: "/stores/" + o.Store.Slug + "/sync"})}
	}
	offersOf := func(name, says string, l reportoffers.List, wrong *report.ChoiceError) Page {
		base := at(b, Fernhollow(b.Locale).Store, "Offers")
		base.Path, base.Title = base.Path+"/offers", b.T("offers.title")
		table := OfferTable(b.Locale, &l)
		return Page{name, says, offers.List(offers.ListPage{Base: base, List: l, Table: table, FilterError: wrong, SyncHref: "/stores/fernhollow/sync"})}
	}
	offer := func(name, says string, d reportoffers.Detail) Page {
		base := at(b, d.Store, "Offers")
		base.Path, base.Title = base.Path+"/offers/"+d.Offer.ID, d.Offer.Name
		return Page{name, says, offers.Offer(offers.OfferPage{Base: base, Detail: d, SyncHref: "/stores/" + d.Store.Slug + "/sync"})}
	}
	return append([]Page{
		goalOf("overview", "everything works, one day is missing; the month is heading for less than the goal", Fernhollow(b.Locale), goalSold(fact.GoalValue, 62000, 84, 0)),
		overviewOf("yen", "a currency without decimals; no goal is set", Kumo(b.Locale)),
		refreshing("refreshing", "the services are asked again; the goal is within the range", report.Refresh{Answered: 2, Total: 9}, goalSold(fact.GoalValue, 50500, 84, 0)),
		refreshing("refreshing-later", "no call is left for the rest; more was sold than the goal", report.Refresh{Answered: 2, Total: 9, RunsAt: now.Add(40 * time.Second)}, goalSold(fact.GoalValue, 30000, 84, 0)),
		refreshing("refreshing-stalled", "no worker takes the refresh", report.Refresh{Total: 9, Stalled: true}, nil),
		overviewOf("dinar", "a currency with three decimals and no sign", Dilmun(b.Locale)),
		overviewOf("long-names", "long, right-to-left and hostile names, an unknown placement", LongNames(b.Locale)),
		overviewOf("failed", "the token is refused: last good numbers", Failed(b.Locale)),
		goalOf("one-failed", "some pulls fail, the others go on; a goal of orders, and the month is heading for more", OneFailed(b.Locale), goalSold(fact.GoalOrders, 1100, 84, 0)),
		overviewOf("started", "connected a minute ago: nothing is there yet", Started(b.Locale)),
		overviewOf("never-connected", "no credential", NeverConnected(b.Locale)),
		overviewOf("no-offers", "no offers in any status", NoOffers(b.Locale)),
		overviewOf("nothing", "nothing sold, no baselines, values not sent", Nothing(b.Locale)),
		goalOf("filling", "the past is still being pulled: days are missing, and too few are stored to estimate the month", Filling(b.Locale), goalSold(fact.GoalValue, 54000, 16, 0)),
		overviewOf("today", "the current day alone, partial", PartOfToday(b.Locale)),
		goalOf("all-days", "400 stitched days, a ranking that is cut; the month has just begun", AllStored(b.Locale), goalSold(fact.GoalValue, 54000, 84, 19)),
		overviewOf("weeks", "parts of weeks, one without one of its days, against a year that the app doesn't go back to", Weeks(b.Locale)),
		overviewWith("wrong-window", "a window that can't be asked for", Fernhollow(b.Locale), func(p *overview.Page) {
			p.ChoiceError = &report.ChoiceError{Field: "end", Reason: locale.M("choice.backwards")}
		}),
		placements("placements", "side by side, larger, and what each lacks", Fernhollow(b.Locale)),
		placements("placements-yen", "a currency without decimals", Kumo(b.Locale)),
		placements("placements-hostile", "an unknown placement", LongNames(b.Locale)),
		placements("placements-failed", "last good numbers", Failed(b.Locale)),
		placements("placements-started", "nothing is there yet", Started(b.Locale)),
		placements("placements-never-connected", "no credential", NeverConnected(b.Locale)),
		offersOf("offers", "the last page of many offers, verified", Inventory(b.Locale), nil),
		offersOf("offers-cut", "filtered, in display order, not read whole", CutInventory(b.Locale), nil),
		offersOf("offers-no-match", "a filter that leaves all out", NoMatch(b.Locale), nil),
		offersOf("offers-none", "no offers in any status", EmptyInventory(b.Locale, report.CauseNoOffers, b.T("state.no_offers.title"), b.T("offers.empty.none"), "", ""), nil),
		offersOf("offers-started", "not read yet", EmptyInventory(b.Locale, report.CauseFilling, b.T("offers.on_the_way.list"), b.T("state.pull_waits"), b.T("empty.see_sync"), "/stores/fernhollow/sync"), nil),
		offersOf("offers-wrong", "a filter that can't be asked for", Inventory(b.Locale), &report.ChoiceError{Field: "sort", Reason: locale.M("offers.wrong.priority")}),
		offersOf("offers-hostile", "hostile text in every string", HostileInventory(b.Locale), nil),
		offer("offer", "three stages, an A/B test, a deleted trigger, one missing day", Answered(TrailSocks(), "12930.10")),
		offer("offer-unbalanced", "stages deep on one branch, shallow on the other", Unbalanced()),
		offer("offer-bundle", "one stage, bundle tiers, days without a sale, best sellers", Bundled()),
		offer("offer-coupon", "no revenue, no product slot", CouponOffer(b.Locale)),
		offer("offer-unpulled", "only the list knows it", Unpulled(b.Locale)),
		offer("offer-gone", "deleted, unknown to the service, last good numbers", GoneOffer(b.Locale)),
		offer("offer-hostile", "hostile text, a circle of stages", HostileOffer()),
		offer("offer-yen", "yen, a name from right to left", YenOffer()),
		sync("sync", "budgets, stored days, ledger", FernhollowSync(b.Locale), ""),
		sync("sync-broken", "paused, a token that needs attention", BrokenSync(b.Locale), b.T("sync.done.pause")),
		sync("sync-empty", "nothing pulled yet", EmptySync(b.Locale), ""),
		{"error", "a page that does not exist", views.Error(views.ErrorPage{Base: plain(b, b.T("problem.not_found.title")), Status: 404, Heading: b.T("problem.not_found.title"), Text: b.T("problem.not_found.text"), Action: b.T("problem.action.stores"), Href: "/", Reference: "01HF3K"})},
		{"error-text", "a text that was typed by someone who is signed out", views.Error(views.ErrorPage{Base: plain(b, b.T("problem.signed_out.title")), Status: 403, Heading: b.T("problem.signed_out.title"), Text: b.T("problem.signed_out.text"), Typed: evil, Action: b.T("problem.action.sign_in"), Href: "/sign-in"})},
		{"find", "what was found by name", find.Show(find.Page{Base: findBase(b), Query: "gif", Results: found(b)})},
		{"find-none", "nothing is called that", find.Show(find.Page{Base: findBase(b), Query: "Gaiterz"})},
		{"reply", "a stored reply as text", views.Reply(views.ReplyPage{Base: at(b, Fernhollow(b.Locale).Store, ""), Provenance: reported("GET /data/analytics/summary", &window, 12), Body: replyText, Back: "/stores/fernhollow"})},
	}, slices.Concat(giftPages(b), accountPages(b), peoplePages(b), storeSettingsPages(b), portfolioPages(b), sharedPages(b), mailPages(b), alertPages(b), notesPages(b))...)
}

// findBase is that of a search beside a store.
func findBase(b components.Base) components.Base {
	b = at(b, Fernhollow(b.Locale).Store, "")
	b.Title, b.Path = b.T("find.title"), b.Path+components.FindPath
	return b
}

func found(b components.Base) []find.Result {
	return []find.Result{
		{Name: b.T("tab.gifts"), Of: "Fernhollow Outfitters", Href: "/stores/fernhollow/gift"},
		{Name: "Giftwares & Co", Of: "GBP", Href: "/stores/giftwares"},
		{Name: TrailSocks().Offer.Name, Of: b.T("find.offer"), Href: "/stores/fernhollow/offers/1"},
	}
}

const replyText = `{
  "success": true,
  "data": {
    "totalUpsoldValue": 49975.83,
    "note": "</pre><script>alert(1)</script>"
  }
}`

// at fills a base as the server would for a store's page.
func at(b components.Base, s report.Store, tab string) components.Base {
	b.Title, b.Path, b.Store, b.Now = tab, "/stores/"+s.Slug, &s, now
	home := "/stores/" + s.Slug
	for _, t := range []struct{ name, path string }{{"Overview", ""}, {"Placements", "/placements"}, {"Offers", "/offers"}, {"Gifts", "/gift"}, {"Sync", "/sync"}, {"Alerts", "/alerts"}, {"Settings", "/settings"}} {
		label := b.T("tab." + strings.ToLower(t.name))
		if t.name == tab {
			b.Title = label
		}
		b.Tabs = append(b.Tabs, components.Tab{Label: label, Href: home + t.path, Current: t.name == tab})
	}
	b.Tabs[5].Count = 2
	b.SettingsHref, b.Writes = home+"/settings", true
	b.Refreshing = &components.Refreshing{Action: home + "/refresh"}
	b.Reader = &components.Reader{
		Person: &components.PersonView{Name: "Ida Moreau", Initials: "IM"}, CSRF: "canned", Alerts: 2, AlertsHref: home + "/alerts", AddHref: "/stores/new",
		Stores: []report.Store{s, {Slug: "kumo", Name: "Kumo Tea", Currency: "JPY"}, {Slug: "brid", Name: "Bríd Wool", Currency: "EUR"}},
	}
	b.ReplyHref = func(p report.Provenance) string {
		if p.Basis != report.Reported {
			return ""
		}
		return "/stores/" + s.Slug + "/reply"
	}
	return b
}

// plain is the base of a page over several stores.
func plain(b components.Base, title string) components.Base {
	b.Title, b.Path, b.Now = title, "/", now
	b.Tabs = []components.Tab{{Label: b.T("tab.stores"), Href: "/", Current: title == b.T("tab.stores")}, {Label: b.T("tab.alerts"), Href: "/alerts"}}
	b.Reader = &components.Reader{Person: &components.PersonView{Name: "Ida Moreau", Initials: "IM"}, CSRF: "canned"}
	return b
}

// signedOut is the base of a page that nobody is signed in for.
func signedOut(b components.Base) components.Base {
	b.Title, b.Now, b.Reader = b.T("account.sign_in"), now, &components.Reader{}
	return b
}

// answered is what the overview's own numbers say of the change.
func answered(o reportoverview.Overview) answers.Answer {
	return answers.New(answers.Input{Choice: o.Choice, Summary: o.Summary, Placements: o.Placements, Top: &o.Top, TopBefore: o.TopBefore, Events: o.Events})
}
