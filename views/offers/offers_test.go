package offers_test

import (
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	reportoffers "github.com/storeglass/storeglass/internal/report/offers"
	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/gallery"
	"github.com/storeglass/storeglass/views/offers"
	"github.com/storeglass/storeglass/views/viewstest"
)

func offer(t *testing.T, d reportoffers.Detail) *viewstest.Doc {
	t.Helper()
	b := components.Base{Path: "/stores/" + d.Store.Slug + "/offers/" + d.Offer.ID, Store: &d.Store, Now: d.Now}
	return viewstest.Render(t, offers.Offer(offers.OfferPage{Base: b, Detail: d, SyncHref: "/sync"}))
}

func offerList(t *testing.T, l reportoffers.List) *viewstest.Doc {
	t.Helper()
	store := gallery.Fernhollow(locale.English).Store
	b := components.Base{Path: "/stores/fernhollow/offers", Store: &store, Now: gallery.Fernhollow(locale.English).Now}
	table := gallery.OfferTable(locale.English, &l)
	return viewstest.Render(t, offers.List(offers.ListPage{Base: b, List: l, Table: table, SyncHref: "/sync"}))
}

func TestOfferPageHasThePanelsOfThePictureInOrder(t *testing.T) {
	t.Parallel()
	d := offer(t, gallery.TrailSocks())
	var headings []string
	for _, h := range d.Tags("h2") {
		headings = append(headings, h.Text())
	}
	if got := strings.Join(headings, "|"); got != "Value by day|What the customer sees|What to offer instead" {
		t.Errorf("panels are %s", got)
	}
	d.Has("Active", "Post-purchase upsell", "position 1 in its placement", "started 4 Mar 2026, no end date", "A/B test", "21 Oct – 19 Nov 2026 · 30 days · New York time · as reported")
	d.Labelled("Results of the offer").Has("Value in period $11,482.36", "Claims in period 276", "21.4% of the views; confirmed by claims and views", "Value, all time $68,210.44 all time; not comparable")
}

func TestOfferPageSaysWhatHappenedAndWhatItsStartChanged(t *testing.T) {
	t.Parallel()
	fell := offer(t, gallery.Answered(gallery.TrailSocks(), "12930.10"))
	fell.Has("This offer brought in $11,482 in the last 30 days, 11.2% less than in the 30 days before.", "compared with 21 Sep – 20 Oct")
	fell.Labelled("Results of the offer").Has("11.2% less was $12,930.10")
	fell.HasNot("Starts and ends")
	started := offer(t, gallery.Bundled())
	started.Labelled("Results of the offer").Has("Value in period $11,482.36 in USD new")
	started.Section("Starts and ends").Has("Before and after it started on 10 Nov", "The change may have other causes.")
	offer(t, gallery.CouponOffer(locale.English)).HasNot("brought in", "compared with")
}

// On a phone the number has no heading.
func TestOneClaimIsNotSeveral(t *testing.T) {
	t.Parallel()
	l := gallery.Inventory(locale.English)
	table := gallery.OfferTable(locale.English, &l)
	table.Rows[0].Claims, table.Rows[1].Claims = new(int64(1)), new(int64(2))
	store := gallery.Fernhollow(locale.English).Store
	page := offers.ListPage{Base: components.Base{Path: "/stores/fernhollow/offers", Store: &store, Now: gallery.Fernhollow(locale.English).Now}, List: l, Table: table}
	viewstest.Render(t, offers.List(page)).Has("1 claim ", "2 claims ")
	page.Table.Rows[0].Claims = nil
	viewstest.Render(t, offers.List(page)).HasNot("– claims")
}

func TestTwoRevenuesHaveTwoNames_N12(t *testing.T) {
	t.Parallel()
	d := offer(t, gallery.TrailSocks())
	d.Labelled("Results of the offer").Has("Value in period", "Value, all time")
	all := d.Labelled("Where “Value, all time” comes from")
	all.Has("all time / current", "GET /data/offers")
	all.HasNot("Oct", "analytics/top")
	list := offerList(t, gallery.Inventory(locale.English))
	list.Has("Value, all time $68,210.44", "Value in period")
}

func TestAnOffersMissingDayIsHatchedAndItsZeroIsNot_N1(t *testing.T) {
	t.Parallel()
	days := offer(t, gallery.Bundled()).Section("Value by day")
	days.Has("29 of 30 days", "added up from daily data, from rankings")
	if n := len(days.All(func(n *html.Node) bool {
		return viewstest.Attr(n, "data-missing") == "" && n.Data == "rect" && strings.HasPrefix(viewstest.Attr(n, "fill"), "url(")
	})); n != 1 {
		t.Errorf("%d hatched days, want 1", n)
	}
	rows := days.Labelled("Days")
	rows.Has("4 Nov 2026 not known not known", "22 Oct 2026 not ranked $0.00 –")
}

func TestACouponOfferSaysNotReportedAndHasNoSlot_N13_N36(t *testing.T) {
	t.Parallel()
	d := offer(t, gallery.CouponOffer(locale.English))
	d.Labelled("Results of the offer").Has("Value in period – not reported", "Value, all time – not reported")
	d.Labelled("Results of the offer").HasNot("$")
	d.Section("Value by day").Has("That is not zero")
	d.Has("A code, no product", "A coupon offer has no product slot")
	list := offerList(t, gallery.Inventory(locale.English))
	for _, row := range list.Tags("tr") {
		if strings.Contains(row.Text(), "Coupon offer") {
			row.Has("not reported")
			row.HasNot("$0", "$")
		}
	}
}

func TestOfferPagesHaveNoTotals_N14(t *testing.T) {
	t.Parallel()
	for _, d := range []*viewstest.Doc{offer(t, gallery.TrailSocks()), offerList(t, gallery.Inventory(locale.English)), viewstest.Gallery(t, "placements")} {
		if len(d.Tags("tfoot")) != 0 {
			t.Error("a table foot")
		}
		for _, row := range d.Tags("tr") {
			if strings.HasPrefix(strings.ToLower(row.Text()), "total") {
				t.Errorf("a total row: %s", row.Text())
			}
		}
	}
	offer(t, gallery.TrailSocks()).HasNot("per claim", "per impression")
	viewstest.Gallery(t, "placements").HasNot("46,146.07")
}

func TestDeletedOffersAreMarkedAndLeadNowhereOutside_N17(t *testing.T) {
	t.Parallel()
	d := offer(t, gallery.GoneOffer(locale.English))
	d.Has("Summer cap", "Deleted", "The app doesn’t have this offer")
	if n := strings.Count(d.Text(), locale.English.T("state.cause.failed")); n != 1 {
		t.Errorf("the same trouble is told %d times", n)
	}
	for _, a := range d.Tags("a") {
		if strings.HasPrefix(viewstest.Attr(a.Node, "href"), "http") {
			t.Errorf("a deleted offer leads to %s", viewstest.Attr(a.Node, "href"))
		}
	}
	living := offer(t, gallery.TrailSocks())
	found := false
	for _, a := range living.Tags("a") {
		if viewstest.Attr(a.Node, "href") == "https://admin.example/offers/8801" {
			found = strings.Contains(viewstest.Attr(a.Node, "rel"), "noopener")
		}
	}
	if !found {
		t.Error("no safe link to the store admin")
	}
}

func TestNoRateOverNothing_N20(t *testing.T) {
	t.Parallel()
	d := offer(t, gallery.Unpulled(locale.English))
	d.Labelled("Results of the offer").Has("Acceptance rate –")
	d.HasNot("NaN", "Inf", "0%")
}

func TestUnknownWordsAreShownAsSent_N31(t *testing.T) {
	t.Parallel()
	d := offer(t, gallery.HostileOffer())
	d.Has("Cart drawer upsell <b>(new)</b>", "on_hold_", "as sent")
	if n := len(d.All(func(n *html.Node) bool {
		return n.Data == "script" && viewstest.Attr(n, "src") == "" && viewstest.Attr(n, "type") != "application/json"
	})); n != 0 {
		t.Errorf("%d scripts came from an offer", n)
	}
}

func TestWhatTheServiceNoLongerKnowsIsNoDeletion_N32(t *testing.T) {
	t.Parallel()
	d := gallery.GoneOffer(locale.English)
	d.Offer.Deleted, d.Offer.Unlisted = false, false
	page := offer(t, d)
	page.Has("The app doesn’t have this offer")
	page.HasNot("Deleted")
}

func TestAbsentDiscountIsNotNone_N33(t *testing.T) {
	t.Parallel()
	offer(t, gallery.TrailSocks()).Section("Setup").Has("No discount on the offer itself: its products have their own, or none was sent.", "no end date")
	offer(t, gallery.Bundled()).Section("Setup").Has("On the whole offer: 12.5% off.", "ends 24 Dec 2026")
}

func TestTriggersNameWhatWasDeleted(t *testing.T) {
	t.Parallel()
	d := offer(t, gallery.TrailSocks())
	trigger := d.All(viewstest.Classed("trigger"))[0]
	trigger.Has("An order that meets both", "Ridge Runner GTX Deleted", "and", "Footwear")
	d.Section("Setup").Has("\u2068Ridge Runner GTX\u2069 (deleted) · Collection: \u2068Footwear\u2069", "1 item in the trigger was deleted")
}

func TestFunnelHasBranchesByWordAndNoNumbers(t *testing.T) {
	t.Parallel()
	d := offer(t, gallery.TrailSocks())
	tree := d.All(viewstest.Classed("tree"))[0]
	tree.Has("First upsell A/B test", "Arm A", "Arm B", "2 for 20% off", "Results per variant: not reported", "$5.00 off", "no discount", "no further upsell")
	accepted, declined := tree.All(viewstest.Classed("accepted")), tree.All(viewstest.Classed("declined"))
	if len(accepted) != 3 || len(declined) != 3 {
		t.Errorf("%d accepted and %d declined branches, want 3 and 3", len(accepted), len(declined))
	}
	accepted[0].Has("✓", "accepted", "Second upsell")
	declined[0].Has("×", "declined")
	for _, way := range tree.All(viewstest.Classed("way")) {
		if strings.ContainsAny(way.Text(), "0123456789") {
			t.Errorf("a number on a branch: %s", way.Text())
		}
	}
	single := offer(t, gallery.Bundled()).All(viewstest.Classed("tree"))[0]
	single.Has("The offer", "$2.50 off", "Buy 3: 10% off", `as sent: {"min":5,"v":"?"}`)
	single.HasNot("accepted", "no further upsell")
	circle := offer(t, gallery.HostileOffer()).All(viewstest.Classed("tree"))[0]
	circle.Has("which leads back to it", "which the app did not send")
}

func TestEvidenceHasBarsAndPaddingHasNone_N36(t *testing.T) {
	t.Parallel()
	d := offer(t, gallery.TrailSocks())
	boots := d.Section("With \u2068Ridge Runner boots\u2069")
	boots.Has("from real orders", "Trail socks, crew $18.00 86 $1,548.00")
	if n := len(boots.Tags("rect")); n != 4 {
		t.Errorf("%d bars, want one a row of evidence", n)
	}
	padding := boots.All(viewstest.Classed("padding"))[0]
	padding.Has("Generic suggestions: same product type", "not based on orders", "not with this product")
	if len(padding.Tags("rect")) != 0 {
		t.Error("padding has bars")
	}
	none := d.Section("With \u2068Approach boots\u2069")
	none.Has("no history", "No order contains this product and another one yet.")
	if len(none.Tags("rect")) != 0 || strings.Contains(none.Text(), "from real orders") {
		t.Error("evidence without any")
	}
	d.Has("Deleted products, not shown: \u2068Ridge Runner GTX\u2069")
	best := offer(t, gallery.Bundled())
	best.Has("This offer’s triggers name no product", "Nothing shows that they sell with this offer")
	best.HasNot("from real orders")
	offer(t, gallery.GoneOffer(locale.English)).Has("Several products have this name", "Possible products")
}

func TestOfferListKeepsItsFilterInEveryLink(t *testing.T) {
	t.Parallel()
	l := gallery.Inventory(locale.English)
	l.Filter = report.OfferFilter{Query: "a&b", Status: "expired", Placement: report.ThankYou, Sort: report.SortRevenueLow, Page: 2}
	d := offerList(t, l)
	pages := d.Labelled("Pages of offers").Tags("a")
	if got := viewstest.Attr(pages[0].Node, "href"); got != "/stores/fernhollow/offers?placement=thank_you&query=a%26b&sort=revenue_low&status=expired" {
		t.Errorf("previous leads to %s", got)
	}
	if got := viewstest.Attr(pages[1].Node, "href"); !strings.Contains(got, "page=3") || !strings.Contains(got, "query=a%26b") {
		t.Errorf("next leads to %s", got)
	}
	form := d.Tags("form")[0]
	if viewstest.Attr(form.Node, "method") != "get" || len(form.Tags("button")) != 1 {
		t.Error("the form needs a script")
	}
	for _, a := range d.Tags("a") {
		if h := viewstest.Attr(a.Node, "href"); strings.Contains(h, ".csv") && h != "/stores/fernhollow/offers.csv?placement=thank_you&query=a%26b&sort=revenue_low&status=expired" {
			t.Errorf("the file is of another filter: %s", h)
		}
	}
	d.Has("All 1,808 offers loaded", "Page 2 of 9")
	offerList(t, gallery.Inventory(locale.English)).Has("Page 37 of 37", "No longer listed", "Deleted", "2 offers are no longer in the app’s list; their numbers stay here.")
	offerList(t, gallery.CutInventory(locale.English)).Has("1,000 of 1,808 offers loaded; the app doesn’t list the rest", "1 offer of 1,808", "Not updated since 19 Nov.")
	offerList(t, gallery.NoMatch(locale.English)).Has("No offer matches", "Show all 1,808 offers")
	none := gallery.EmptyInventory(locale.English, report.CauseNoOffers, "No offers yet", "The app lists 0 offers.", "", "")
	none.Verified.Words = "Zero loaded"
	offerList(t, none).HasNot("Zero loaded") // the panel says it
}

func TestOffersIdsCantLeaveTheirAddress(t *testing.T) {
	t.Parallel()
	for _, a := range offerList(t, gallery.HostileInventory(locale.English)).Tags("a") {
		if h := viewstest.Attr(a.Node, "href"); strings.Contains(h, "a%2Fb") && h != "/stores/fernhollow/offers/a%2Fb%3Fc=%3Cd%3E&e" {
			t.Errorf("the id became %s", h)
		}
	}
}

func TestAnOpenRowComparesEqualDaysAndSaysThatThereAreFewer(t *testing.T) {
	t.Parallel()
	d := offerList(t, gallery.Inventory(locale.English))
	d.Has("Before and after it started on", "9 days on each side", "itself is left out", "Only 9 days have passed since", "this offer $0.00 $2,023.03", "Upsell success rate, all orders 13.6% 15.2%")
	d.Has("Clear: Post-purchase upsell earned between $41.20 and $287.80 more a day")
	drawn := d.All(func(n *html.Node) bool { return viewstest.Attr(n, "data-chart") == "offer-days-data" })
	if len(drawn) != 1 || !strings.Contains(drawn[0].Node.NextSibling.FirstChild.Data, "started 10 Nov") || len(drawn[0].All(func(n *html.Node) bool { return viewstest.Attr(n, "class") == "rule-line" })) != 1 {
		t.Error("the start is not marked in the days")
	}
	d.Has("Post-purchase upsell $14,704.72", "Thank you page upsell $6,615.57", "Order status page upsell $2,165.99")
	sorted := d.All(func(n *html.Node) bool { return viewstest.Attr(n, "aria-sort") != "" })
	if len(sorted) > 1 {
		t.Errorf("%d columns are sorted", len(sorted))
	}
}

// The window's ranking is in the new currency; days before the change are stored in the former one.
func TestAnOpenRowsDaysInAFormerCurrencyAreNotCalledMissing_N34(t *testing.T) {
	t.Parallel()
	l := gallery.Inventory(locale.English)
	table := gallery.OfferTable(locale.English, &l)
	store := gallery.Fernhollow(locale.English).Store
	days := table.History.Days
	render := func() *viewstest.Doc {
		b := components.Base{Path: "/stores/fernhollow/offers", Store: &store, Now: gallery.Fernhollow(locale.English).Now}
		return viewstest.Render(t, offers.List(offers.ListPage{Base: b, List: l, Table: table, SyncHref: "/sync"}))
	}
	bars := func(d *viewstest.Doc) (drawn, hatched int) {
		for _, r := range d.Section("Value by day").Tags("rect") {
			if strings.HasPrefix(viewstest.Attr(r.Node, "fill"), "url(") {
				hatched++
			} else {
				drawn++
			}
		}
		return drawn, hatched
	}
	all, gaps := bars(render())
	days[0].Currency, days[1].Currency = "EUR", "EUR"
	d := render()
	d.Labelled("Days").Has("27 Oct 2026 €342.00 – 28 Oct 2026 €349.00 – 29 Oct 2026 $356.00")
	if drawn, hatched := bars(d); drawn != all-2 || hatched == gaps {
		t.Errorf("%d drawn and %d hatched, were %d and %d", drawn, hatched, all, gaps)
	}
	for i := range days {
		days[i].Currency = "EUR"
	}
	render().Section("Value by day").Has("Two currencies in these dates")
}

func TestAnOffersPageShowsItsDaysInAFormerCurrencyToo_N34(t *testing.T) {
	t.Parallel()
	d := gallery.TrailSocks()
	d.History.Days[0].Currency = "EUR"
	d.History.Mixed = &report.Empty{Text: "The store changed from EUR to USD."}
	page := offer(t, d)
	page.Section("Value by day").Has("The store changed from EUR to USD. $600 a day")
	page.Labelled("Days").Has("21 Oct 2026 €", "22 Oct 2026 $")
}

func TestNotReportedAndZeroNeverLookAlike_N13(t *testing.T) {
	t.Parallel()
	l := gallery.Inventory(locale.English)
	l.Filter = report.OfferFilter{Sort: report.SortValue, Page: 1}
	for _, row := range offerList(t, l).Tags("tr") {
		switch text := row.Text(); {
		case strings.Contains(text, "Coupon offer"):
			row.Has("not reported")
			row.HasNot("$")
		case strings.Contains(text, "Dry bag"):
			row.Has("$0.00")
			row.HasNot("not reported")
		}
	}
}

func TestAnOffersChartHasItsNotes(t *testing.T) {
	t.Parallel()
	days := viewstest.Gallery(t, "offer").Section("Value by day")
	days.Has("Autumn newsletter", "16 – 18 Nov Theme updated", "Private")
}
