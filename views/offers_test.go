package views_test

import (
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/gallery"
	"github.com/storeglass/storeglass/views/offers"
)

func offer(t *testing.T, d report.OfferDetail) *doc {
	t.Helper()
	b := components.Base{Path: "/stores/" + d.Store.Slug + "/offers/" + d.Offer.ID, Store: &d.Store, Now: d.Now}
	return Render(t, offers.Offer(offers.OfferPage{Base: b, Detail: d, SyncHref: "/sync"}))
}

func offerList(t *testing.T, l report.OfferList) *doc {
	t.Helper()
	store := gallery.Fernhollow().Store
	b := components.Base{Path: "/stores/fernhollow/offers", Store: &store, Now: gallery.Fernhollow().Now}
	return Render(t, offers.List(offers.ListPage{Base: b, List: l, SyncHref: "/sync"}))
}

func classed(name string) func(*html.Node) bool {
	return func(n *html.Node) bool {
		for c := range strings.FieldsSeq(Attr(n, "class")) {
			if c == name {
				return true
			}
		}
		return false
	}
}

func TestOfferPageHasThePanelsOfThePictureInOrder(t *testing.T) {
	t.Parallel()
	d := offer(t, gallery.TrailSocks())
	var headings []string
	for _, h := range d.tags("h2") {
		headings = append(headings, h.text())
	}
	if got := strings.Join(headings, "|"); got != "Value by day|What the customer meets|What to offer instead" {
		t.Errorf("panels are %s", got)
	}
	d.Has("Active", "Post-purchase upsell", "shown 1st in its placement", "started 4 Mar 2026, no end switched on", "A/B test", "21 Oct – 19 Nov 2026 · 30 days · New York time · as reported")
	d.labelled("Results of the offer").Has("Value in window $11,482.36", "Claims in window 276", "21.4% of the views, as claims and views prove", "Value, all time $68,210.44 no window; not comparable")
}

func TestTwoRevenuesHaveTwoNames_N12(t *testing.T) {
	t.Parallel()
	d := offer(t, gallery.TrailSocks())
	d.labelled("Results of the offer").Has("Value in window", "Value, all time")
	all := d.labelled("Where “Value, all time” comes from")
	all.Has("no window", "GET /data/offers")
	all.hasNot("Oct", "analytics/top")
	list := offerList(t, gallery.Inventory())
	list.Has("Value, all time", "all-time values, no window")
	list.hasNot("Value in window")
}

func TestAnOffersMissingDayIsHatchedAndItsZeroIsNot_N1(t *testing.T) {
	t.Parallel()
	days := offer(t, gallery.Bundled()).section("Value by day")
	days.Has("29 of 30 days", "added up from daily data of rankings")
	if n := len(days.All(func(n *html.Node) bool {
		return Attr(n, "data-missing") == "" && n.Data == "rect" && strings.HasPrefix(Attr(n, "fill"), "url(")
	})); n != 1 {
		t.Errorf("%d hatched days, want 1", n)
	}
	rows := days.labelled("Days")
	rows.Has("4 Nov 2026 not known not known", "22 Oct 2026 in no ranking $0.00 –")
}

func TestACouponOfferSaysNotReportedAndHasNoSlot_N13_N36(t *testing.T) {
	t.Parallel()
	d := offer(t, gallery.CouponOffer())
	d.labelled("Results of the offer").Has("Value in window – Not reported", "Value, all time – not reported")
	d.labelled("Results of the offer").hasNot("$")
	d.section("Value by day").Has("That is not zero")
	d.Has("A code, no product", "A coupon offer has no product slot")
	list := offerList(t, gallery.Inventory())
	for _, row := range list.tags("tr") {
		if strings.Contains(row.text(), "Coupon offer") {
			row.Has("not reported")
			row.hasNot("$0", "$")
		}
	}
}

func TestOfferPagesHaveNoTotals_N14(t *testing.T) {
	t.Parallel()
	for _, d := range []*doc{offer(t, gallery.TrailSocks()), offerList(t, gallery.Inventory()), placementsPage(t, gallery.Fernhollow())} {
		if len(d.tags("tfoot")) != 0 {
			t.Error("a table foot")
		}
		for _, row := range d.tags("tr") {
			if strings.HasPrefix(strings.ToLower(row.text()), "total") {
				t.Errorf("a total row: %s", row.text())
			}
		}
	}
	offer(t, gallery.TrailSocks()).hasNot("per claim", "per impression")
	placementsPage(t, gallery.Fernhollow()).hasNot("46,146.07")
}

func TestDeletedOffersAreMarkedAndLeadNowhereOutside_N17(t *testing.T) {
	t.Parallel()
	d := offer(t, gallery.GoneOffer())
	d.Has("Summer cap", "Deleted", "it has no such offer")
	if n := strings.Count(d.text(), "server error (500)"); n != 1 {
		t.Errorf("the same trouble is told %d times", n)
	}
	for _, a := range d.tags("a") {
		if strings.HasPrefix(Attr(a.n, "href"), "http") {
			t.Errorf("a deleted offer leads to %s", Attr(a.n, "href"))
		}
	}
	living := offer(t, gallery.TrailSocks())
	found := false
	for _, a := range living.tags("a") {
		if Attr(a.n, "href") == "https://admin.example/offers/8801" {
			found = strings.Contains(Attr(a.n, "rel"), "noopener")
		}
	}
	if !found {
		t.Error("no safe link to the store admin")
	}
}

func TestNoRateOverNothing_N20(t *testing.T) {
	t.Parallel()
	d := offer(t, gallery.Unpulled())
	d.labelled("Results of the offer").Has("Acceptance rate –")
	d.hasNot("NaN", "Inf", "0%")
}

func placementsPage(t *testing.T, o report.Overview) *doc {
	t.Helper()
	for _, p := range gallery.Pages(components.Base{}) {
		if p.Name == "placements" {
			return Render(t, p.View)
		}
	}
	t.Fatal("no placements page in the gallery")
	return nil
}

func TestCoverageCarriesTwoLabels_N29(t *testing.T) {
	t.Parallel()
	d := placementsPage(t, gallery.Fernhollow())
	d.Has("21 Oct – 19 Nov 2026 · 30 days")
	cover := d.section("Coverage")
	cover.Has("Counts are of now, pulled 41 minutes ago. Recent value has its own window: 20 Nov 2025 – 19 Nov 2026 · 365 days · New York time · as reported")
	cover.Has("Live", "Switched off", "Never created", "Switch one on", "Create a first offer", "not reported")
	links := 0
	for _, a := range cover.tags("a") {
		if strings.HasPrefix(Attr(a.n, "href"), "/stores/fernhollow/offers?existing=true&placement=") {
			links++
		}
	}
	if links != 3 {
		t.Errorf("%d placements lead to their offers, want the 3 that have any", links)
	}
	cover.Has("Boot care kit", "still points to", "Open the offer See 11 offers")
}

func TestPlacementsPageShowsFourAloneEach_N14(t *testing.T) {
	t.Parallel()
	d := placementsPage(t, gallery.Fernhollow())
	for _, name := range []string{"Post-purchase upsell", "Thank you page upsell", "Coupon offer", "Order status page upsell"} {
		p := d.section(name)
		p.Has("See its offers", "days as a table")
		rows := d.labelled("Days of " + name).tags("tr")
		if len(rows) != 31 || !strings.Contains(rows[15].text(), "4 Nov missing missing missing") {
			t.Errorf("%s: %d rows, the missing day reads %q", name, len(rows), rows[15].text())
		}
	}
	d.labelled("Days of Coupon offer").Has("not reported")
	d.labelled("Days of Coupon offer").hasNot("$")
}

func TestUnknownWordsAreShownAsSent_N31(t *testing.T) {
	t.Parallel()
	d := offer(t, gallery.HostileOffer())
	d.Has("Cart drawer upsell <b>(new)</b>", "on_hold_", "as sent")
	if n := len(d.All(func(n *html.Node) bool {
		return n.Data == "script" && Attr(n, "src") == "" && Attr(n, "type") != "application/json"
	})); n != 0 {
		t.Errorf("%d scripts came from an offer", n)
	}
}

func TestWhatTheServiceNoLongerKnowsIsNoDeletion_N32(t *testing.T) {
	t.Parallel()
	d := gallery.GoneOffer()
	d.Offer.Deleted, d.Offer.Unlisted = false, false
	page := offer(t, d)
	page.Has("it has no such offer")
	page.hasNot("Deleted")
}

func TestAbsentDiscountIsNotNone_N33(t *testing.T) {
	t.Parallel()
	offer(t, gallery.TrailSocks()).section("Set-up in words").Has("No discount on the offer itself: its products carry their own, or none was sent.", "no end switched on")
	offer(t, gallery.Bundled()).section("Set-up in words").Has("12.5% off, on the offer as a whole.", "ends 24 Dec 2026")
}

func TestTriggersNameWhatWasDeleted(t *testing.T) {
	t.Parallel()
	d := offer(t, gallery.TrailSocks())
	trigger := d.All(classed("trigger"))[0]
	trigger.Has("An order that meets both", "Ridge Runner GTX Deleted", "and", "Footwear")
	d.section("Set-up in words").Has("\u2068Ridge Runner GTX\u2069 (deleted); and collection: \u2068Footwear\u2069", "1 thing that it names was deleted")
}

func TestFunnelHasBranchesByWordAndNoNumbers(t *testing.T) {
	t.Parallel()
	d := offer(t, gallery.TrailSocks())
	tree := d.All(classed("tree"))[0]
	tree.Has("First upsell A/B test", "Arm A", "Arm B", "2 for 20% off", "Results per arm: not reported", "$5.00 off", "no discount", "no further upsell")
	accepted, declined := tree.All(classed("accepted")), tree.All(classed("declined"))
	if len(accepted) != 3 || len(declined) != 3 {
		t.Errorf("%d accepted and %d declined branches, want 3 and 3", len(accepted), len(declined))
	}
	accepted[0].Has("✓", "accepted", "Second upsell")
	declined[0].Has("×", "declined")
	for _, way := range tree.All(classed("way")) {
		if strings.ContainsAny(way.text(), "0123456789") {
			t.Errorf("a number on a branch: %s", way.text())
		}
	}
	single := offer(t, gallery.Bundled()).All(classed("tree"))[0]
	single.Has("The offer", "$2.50 off", "Buy 3: 10% off", `as sent: {"min":5,"v":"?"}`)
	single.hasNot("accepted", "no further upsell")
	circle := offer(t, gallery.HostileOffer()).All(classed("tree"))[0]
	circle.Has("which leads back to it", "which the service did not send")
}

func TestEvidenceHasBarsAndPaddingHasNone_N36(t *testing.T) {
	t.Parallel()
	d := offer(t, gallery.TrailSocks())
	boots := d.section("With Ridge Runner boots")
	boots.Has("evidence: real orders", "Trail socks, crew $18.00 86 $1,548.00")
	if n := len(boots.tags("rect")); n != 4 {
		t.Errorf("%d bars, want one a row of evidence", n)
	}
	padding := boots.All(classed("padding"))[0]
	padding.Has("Padding: same product type", "no evidence", "not with this product")
	if len(padding.tags("rect")) != 0 {
		t.Error("padding has bars")
	}
	none := d.section("With Approach boots")
	none.Has("no history", "No order has held this product and another one yet.", "Best sellers are not put in its place")
	if len(none.tags("rect")) != 0 || strings.Contains(none.text(), "evidence: real orders") {
		t.Error("evidence without any")
	}
	d.Has("No longer there, so without a row: \u2068Ridge Runner GTX\u2069")
	best := offer(t, gallery.Bundled())
	best.Has("This offer’s triggers name no product", "Nothing says that they sell with this offer")
	best.hasNot("evidence: real orders")
	offer(t, gallery.GoneOffer()).Has("Several products have this name", "Candidates")
}

func TestOfferListKeepsItsFilterInEveryLink(t *testing.T) {
	t.Parallel()
	l := gallery.Inventory()
	l.Filter = report.OfferFilter{Query: "a&b", Status: "active", Placement: report.ThankYou, Sort: report.SortRevenueLow, Page: 2}
	d := offerList(t, l)
	pages := d.labelled("Pages of offers").tags("a")
	if got := Attr(pages[0].n, "href"); got != "/stores/fernhollow/offers?placement=thank_you&query=a%26b&sort=revenue_low&status=active" {
		t.Errorf("previous leads to %s", got)
	}
	if got := Attr(pages[1].n, "href"); !strings.Contains(got, "page=3") || !strings.Contains(got, "query=a%26b") {
		t.Errorf("next leads to %s", got)
	}
	form := d.tags("form")[0]
	if Attr(form.n, "method") != "get" || len(form.tags("button")) != 1 {
		t.Error("the form needs a script")
	}
	for _, a := range d.tags("a") {
		if h := Attr(a.n, "href"); strings.Contains(h, ".csv") && h != "/stores/fernhollow/offers.csv?placement=thank_you&query=a%26b&sort=revenue_low&status=active" {
			t.Errorf("the file is of another filter: %s", h)
		}
	}
	d.Has("1,840 of 1,840, verified against the count", "Page 2 of 37", "No longer listed", "Deleted")
	offerList(t, gallery.CutInventory()).Has("1,000 of 1,840; the rest is beyond what the service lists", "3 offers of 1,840", "You are seeing the last good numbers.")
	offerList(t, gallery.NoMatch()).Has("No offer is like that", "Show all 1,840 offers")
}

func TestOffersIdsCantLeaveTheirAddress(t *testing.T) {
	t.Parallel()
	for _, a := range offerList(t, gallery.HostileInventory()).tags("a") {
		if h := Attr(a.n, "href"); strings.Contains(h, "a%2Fb") && h != "/stores/fernhollow/offers/a%2Fb%3Fc=%3Cd%3E&e" {
			t.Errorf("the id became %s", h)
		}
	}
}

func TestOverviewLeadsToTheOffersOwnPages_N17(t *testing.T) {
	t.Parallel()
	offers := page(t, gallery.Fernhollow()).section("Offers")
	hrefs := map[string]bool{}
	for _, a := range offers.tags("a") {
		hrefs[Attr(a.n, "href")] = true
	}
	if !hrefs["/stores/fernhollow/offers/1"] || !hrefs["/stores/fernhollow/offers"] || hrefs["/stores/fernhollow/offers/14"] {
		t.Errorf("the ranking leads to %v", hrefs)
	}
}
