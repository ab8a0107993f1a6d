package overview_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/shopspring/decimal"
	"golang.org/x/net/html"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	reportoverview "github.com/storeglass/storeglass/internal/report/overview"
	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/gallery"
	"github.com/storeglass/storeglass/views/overview"
	"github.com/storeglass/storeglass/views/viewstest"
)

// page renders an overview and parses it.
func page(t *testing.T, o reportoverview.Overview) *viewstest.Doc {
	t.Helper()
	b := components.Base{Path: "/stores/" + o.Store.Slug, Store: &o.Store, Now: o.Now}
	return viewstest.Render(t, overview.Show(overview.Page{Base: b, Overview: o, SyncHref: "/sync"}))
}

func TestOverviewHasThePanelsOfThePictureInOrder(t *testing.T) {
	t.Parallel()
	d := page(t, gallery.Fernhollow(locale.English))
	var headings []string
	for _, h := range d.Tags("h2") {
		headings = append(headings, h.Text())
	}
	want := "Do next|Upsold value by day|Placements|Offers|Free gifts|All time"
	if got := strings.Join(headings, "|"); got != want {
		t.Errorf("panels are %s, want %s", got, want)
	}
	d.Labelled("Key figures").Has("Upsold value $49,975.83 in USD 12.4% more was $44,462.48", "14.3% share of all 9,306 orders 0.6 points higher")
	d.Section("Placements").Has("as reported · updated 12 minutes ago")
	d.Section("Placements").HasNot("30 days · New York time") // the page's title says it
	other := gallery.Fernhollow(locale.English)
	other.Placements.Provenance.Window = &report.Window{Start: other.Choice.Window.Start, End: other.Choice.Window.End.AddDays(-1)}
	page(t, other).Section("Placements").Has("21 Oct – 18 Nov 2026 · 29 days · New York time · as reported · updated 12 minutes ago")
	d.Section("All time").Has("all time · as reported · updated 38 minutes ago", "$612,408.15")
}

func TestMissingDayIsAGapAndIsNamed_N1(t *testing.T) {
	t.Parallel()
	d := page(t, gallery.Fernhollow(locale.English))
	trend := d.Section("Upsold value by day")
	trend.Has("29 of 30 days")
	rows := d.Labelled("Days").Tags("tr")
	if got := rows[15].Text(); got != "4 Nov missing missing" {
		t.Errorf("the row of the missing day reads %q", got)
	}
	data := d.All(func(n *html.Node) bool { return viewstest.Attr(n, "id") == "trend-data" })[0].Node.FirstChild.Data
	if !strings.Contains(data, "1393.63,null,1446") {
		t.Error("the missing day is not null in the chart's data")
	}
	for _, spark := range d.Labelled("Key figures").Tags("path") {
		if viewstest.Attr(spark.Node, "d") != "" && strings.Count(viewstest.Attr(spark.Node, "d"), "M") != 2 {
			t.Errorf("a sparkline does not break at the missing day: %s", viewstest.Attr(spark.Node, "d"))
		}
	}
	post := d.Section("Post-purchase upsell")
	if n := len(post.All(func(n *html.Node) bool {
		return n.Data == "rect" && strings.HasPrefix(viewstest.Attr(n, "fill"), "url(")
	})); n != 1 {
		t.Errorf("%d hatched days, want 1", n)
	}
}

// script is the JSON of a chart.
func script(t *testing.T, d *viewstest.Doc, id string) string {
	t.Helper()
	found := d.All(func(n *html.Node) bool { return n.Data == "script" && viewstest.Attr(n, "id") == id+"-data" })
	if len(found) != 1 {
		t.Fatalf("%d charts %s", len(found), id)
	}
	return found[0].Node.FirstChild.Data
}

func TestAPlacementsTipComparesItsDay_N13(t *testing.T) {
	t.Parallel()
	d := viewstest.Gallery(t, "overview")
	for id, want := range map[string]string{
		"bars-0": `["Wednesday 21 October 2026",[["Post-purchase upsell","$870.00"],["Compared with Mon 21 Sep","$1,015.00","then"],["Difference","−$145.00","bad"],["Views",`,
		"bars-2": `["Wednesday 21 October 2026",[["Claims","7"],["Compared with Mon 21 Sep","12","then"],["Difference","−5","bad"],["Views",`,
	} {
		if got := script(t, d, id); !strings.Contains(got, want) || !strings.Contains(got, `"z":0,"shadowStyle"`) || !strings.Contains(got, "A Wednesday against a Monday.") {
			t.Errorf("%s does not say %s: %.3000s", id, want, got)
		}
	}
}

func TestZeroDaysAreNeitherBarsNorHatched_N1(t *testing.T) {
	t.Parallel()
	order := page(t, gallery.Fernhollow(locale.English)).Section("Order status page upsell")
	bars, hatched := 0, 0
	for _, r := range order.Tags("rect") {
		if strings.HasPrefix(viewstest.Attr(r.Node, "fill"), "url(") {
			hatched++
		} else {
			bars++
		}
	}
	if bars != 14 || hatched != 1 {
		t.Errorf("%d bars and %d hatched days, want 14 and 1: the 15 days after are zero", bars, hatched)
	}
}

func TestAPlacementWithoutAnyDayIsNotSaidToSellNothing_N1(t *testing.T) {
	t.Parallel()
	o := gallery.Fernhollow(locale.English)
	for i := range o.Placements.Rows {
		row := &o.Placements.Rows[i]
		row.Days = slices.Clone(row.Days)
		for j := range row.Days {
			row.Days[j].Stored, row.Days[j].Revenue = false, nil
		}
	}
	placements := page(t, o).Section("Placements")
	placements.Has("missing")
	placements.HasNot("nothing sold on any stored day", "no claims on any stored day")
}

func TestCouponRevenueIsNotReportedAndNotZero_N13(t *testing.T) {
	t.Parallel()
	coupon := page(t, gallery.Fernhollow(locale.English)).Section("Coupon offer")
	coupon.Has("Revenue not reported", "no value sent, so no comparison", "15 claims a day")
	coupon.HasNot("$0", "$")
}

func TestNoTotalStandsOverPlacementsOrOffers_N14(t *testing.T) {
	t.Parallel()
	d := page(t, gallery.Fernhollow(locale.English))
	for _, row := range d.Tags("tr") {
		if strings.HasPrefix(strings.ToLower(row.Text()), "total") {
			t.Errorf("a total row: %s", row.Text())
		}
	}
	d.Section("Placements").HasNot("Total", "46,146.07") // the sum of the three that report
	if n := len(d.Tags("tfoot")); n != 0 {
		t.Errorf("%d table feet", n)
	}
}

func TestCutRankingSaysSo_N16(t *testing.T) {
	t.Parallel()
	page(t, gallery.AllStored(locale.English)).Section("Offers").Has("Lowest earners · the list is cut off")
}

func TestDeletedOfferIsTextWithABadge_N17(t *testing.T) {
	t.Parallel()
	for _, row := range page(t, gallery.Fernhollow(locale.English)).Section("Offers").Tags("tr") {
		if strings.Contains(row.Text(), "Summer cap") {
			row.Has("Summer cap Deleted")
			if len(row.Tags("a")) != 0 {
				t.Error("a deleted offer has a link")
			}
			return
		}
	}
	t.Error("no row for the deleted offer")
}

func TestTheRankingSaysHowEachOfferChangedWhereThatIsKnown_N16(t *testing.T) {
	t.Parallel()
	o := gallery.Fernhollow(locale.English)
	page(t, o).Section("Offers").Has("Change", "Active $11,482.36 27.7% more")
	o.TopBefore.Earned = nil
	page(t, o).Section("Offers").Has("Active $11,482.36 not compared")
	o.TopBefore = nil
	page(t, o).Section("Offers").HasNot("Change", "not compared")
}

func TestOnlyAnOfferThatBeganInTheWindowIsNew_N46(t *testing.T) {
	t.Parallel()
	o := gallery.Fernhollow(locale.English)
	page(t, o).Section("Offers").Has("Active $5,904.15 new")
	o.Events = slices.Clone(o.Events)
	o.Events[0].Start = false
	page(t, o).Section("Offers").Has("Active $5,904.15 no baseline")
}

func TestAcceptanceIsAPercentageWhereItsUnitIsProvenElseSaysWhyNot_N19(t *testing.T) {
	t.Parallel()
	o := gallery.Fernhollow(locale.English)
	offers := page(t, o).Section("Offers")
	offers.Has("Acceptance", "21.4%")
	offers.HasNot("Acceptance, as reported", "0.214", "don’t prove")
	o.Top.AcceptanceUnit = reportoverview.UnitUnknown
	offers = page(t, o).Section("Offers")
	offers.Has("Acceptance, as reported", "0.214", "claims and views don’t show whether it’s a percentage")
	offers.HasNot("21.4%")
}

func TestZeroDenominatorIsADash_N20(t *testing.T) {
	t.Parallel()
	d := page(t, gallery.Nothing(locale.English))
	kpis := d.Labelled("Key figures")
	kpis.Has("Upsell success rate – share of all 0 orders", "Average upsold value – per upsold order")
	d.HasNot("NaN", "Inf", " 0.0%")
	d.Section("All time").Has("Upsold orders ÷ views –", "Value ÷ view –")
}

// A new store's window comes before its days, so their sum says nothing until all of them are there.
func TestADifferenceIsSaidOnlyOfAllDays_N1(t *testing.T) {
	t.Parallel()
	for missing, said := range map[int]bool{0: true, 30: false} {
		o := gallery.Fernhollow(locale.English)
		o.Summary.Provenance.Check = &report.Check{Days: 30 - missing, Missing: missing, Reported: decimal.NewFromInt(100)}
		about := page(t, o).Labelled("Where “Upsold value” comes from")
		if said {
			about.Has("Checked Daily data adds up to 0, the app reports 100.")
		} else {
			about.HasNot("Checked", "adds up to")
			about.Has("30 days not checked")
		}
	}
}

func TestAllTimeHasNoWindowAndNoComparison_N21(t *testing.T) {
	t.Parallel()
	all := page(t, gallery.Fernhollow(locale.English)).Section("All time")
	all.Has("can’t be compared")
	all.HasNot("more", "less", "2026")
}

func TestAppliedWindowIsShownWhereItDiffersFromTheAsked_N22(t *testing.T) {
	t.Parallel()
	d := page(t, gallery.Failed(locale.English))
	d.Has("13 Oct – 11 Nov 2026 · 30 days")
	d.Labelled("Where “Upsold value” comes from").Has("Asked 21 Oct – 19 Nov 2026 · the app used other dates", "other dates")
}

func TestUnknownPlacementIsShownAsSent_N31(t *testing.T) {
	t.Parallel()
	page(t, gallery.LongNames(locale.English)).Section("Cart drawer upsell (new)").Has("$12.50", "documentation doesn’t name this placement")
}

func TestPartOfADayIsComparedWithNothing_N45(t *testing.T) {
	t.Parallel()
	d := page(t, gallery.PartOfToday(locale.English))
	d.Has("20 Nov 2026 · part of a day")
	d.Section("Free gifts").Has("Gift orders 412 not compared")
	d.Section("Free gifts").HasNot("more", "less")
}

func TestGiftChangeWithoutABaselineSaysSo_N46(t *testing.T) {
	t.Parallel()
	gifts := page(t, gallery.Nothing(locale.English)).Section("Free gifts")
	gifts.Has("Gift orders 412 no baseline zero in 21 Sep – 20 Oct", "Order value with a gift $94.91 no baseline gift orders only")
	gifts.HasNot("0% more", "0.0%")
}

func TestGiftValueThatWasNotSentIsNotZero_N47(t *testing.T) {
	t.Parallel()
	gifts := page(t, gallery.Nothing(locale.English)).Section("Free gifts")
	gifts.Has("Gift revenue – – not reported")
	gifts.HasNot("$0")
}

func TestGiftRateOfAnUnknownUnitIsWithheld_N48(t *testing.T) {
	t.Parallel()
	page(t, gallery.Fernhollow(locale.English)).Section("Free gifts").Has("Gift conversion 3.44% 0.02 points higher was 3.42%")
	gifts := page(t, gallery.Nothing(locale.English)).Section("Free gifts")
	gifts.Has("Gift conversion – – Unit “\u2068ratio\u2069” isn’t known, so the number isn’t shown")
	gifts.HasNot("4.3")
	none := gallery.Nothing(locale.English)
	none.Gift.ConversionRate.Unit = ""
	page(t, none).Section("Free gifts").Has("Gift conversion – – The app sent no unit, so the number isn’t shown")
}

func TestSetupHealthWithErrorsIsNotAllClear_N50(t *testing.T) {
	t.Parallel()
	side := page(t, gallery.Failed(locale.English)).Labelled("Setup and plan")
	side.Has("Not everything could be checked", "The live theme could not be read.")
	side.HasNot("The widget can appear")
}

func TestCampaignListAtItsCapIsHundredPlus_N51(t *testing.T) {
	t.Parallel()
	page(t, gallery.LongNames(locale.English)).Section("Free gifts").Has("3 of 100+ campaigns")
}

func TestVanishedCampaignIsNoLongerListed_N52(t *testing.T) {
	t.Parallel()
	page(t, gallery.LongNames(locale.English)).Section("Free gifts").Has("Socks with any boot no longer listed")
}

func TestPlanWithoutALimitHasNoBar_N55(t *testing.T) {
	t.Parallel()
	capped := page(t, gallery.Fernhollow(locale.English)).Labelled("Setup and plan")
	capped.Has("3 of 10")
	if len(capped.Tags("rect")) != 2 {
		t.Error("a plan with a limit has no bar")
	}
	free := page(t, gallery.Nothing(locale.English)).Labelled("Setup and plan")
	free.Has("3, no limit")
	if len(free.Tags("rect")) != 0 {
		t.Error("a plan without a limit has a bar")
	}
}

func TestEmptyStatesDifferByCause(t *testing.T) {
	t.Parallel()
	never := page(t, gallery.NeverConnected(locale.English))
	never.Has("Connect \u2068Wattle Wear\u2069 to see what its upsells earn", "Upsell token")
	never.HasNot("Free gifts", "All time", "7 days")
	none := page(t, gallery.NoOffers(locale.English))
	none.Has("No offers yet", "1,284 orders passed without an upsell", "never created", "Free gifts aren’t connected")
	none.HasNot("Highest earners")
	page(t, gallery.Nothing(locale.English)).Section("Offers").Has("No offer had sales in these dates")
	page(t, gallery.Filling(locale.English)).Has("34 of 120 days stored", "Last 90 days", "in about 4 minutes", "All 120 days", "in about 6 minutes", "Gift results are loading")
	page(t, gallery.Failed(locale.English)).Has("Not updated since 12 Nov. You’re seeing the last good numbers.", "as of 11 Nov")
}

func TestCurrenciesHaveTheirOwnDigits(t *testing.T) {
	t.Parallel()
	page(t, gallery.Kumo(locale.English)).Labelled("Key figures").Has("Upsold value ¥3,482,166 in JPY")
	page(t, gallery.Dilmun(locale.English)).Labelled("Key figures").Has("BHD 5,217.976 in BHD")
}

func TestPanelsFailAlone(t *testing.T) {
	t.Parallel()
	d := page(t, gallery.OneFailed(locale.English))
	d.Section("Placements").Has("Not updated since 19 Nov. You’re seeing the last good numbers.", "$29,209.29")
	d.Section("Free gifts").Has("The update failed and will be tried again.")
	d.Section("Offers").Has("Not updated yet: the first try failed 2 hours ago.")
	d.Labelled("Key figures").Has("$49,975.83")
	d.Section("Upsold value by day").HasNot("Not updated")
}

func TestACauseIsSaidOnce(t *testing.T) {
	t.Parallel()
	started := page(t, gallery.Started(locale.English))
	if n := strings.Count(started.Text(), "first numbers come in within minutes"); n > 3 {
		t.Errorf("the same cause is said %d times", n)
	}
	failed := page(t, gallery.Failed(locale.English))
	if n := strings.Count(failed.Text(), "The upsell token was refused"); n != 1 {
		t.Errorf("the same trouble is said %d times", n)
	}
}

// classed finds what has exactly one class.
func classed(name string) func(*html.Node) bool {
	return func(n *html.Node) bool { return viewstest.Attr(n, "class") == name }
}

func TestMarksAreNumberedByDay(t *testing.T) {
	t.Parallel()
	o := gallery.Fernhollow(locale.English)
	o.Trend.Marks[0], o.Trend.Marks[3] = o.Trend.Marks[3], o.Trend.Marks[0]
	trend := page(t, o).Section("Upsold value by day")
	trend.Has("1 26 Oct \u2068Boot care kit\u2069 started", "4 15 Nov \u2068Free mug\u2069 (gift) started")
	if lane := trend.All(classed("lane"))[0].Text(); lane != "1234 \u2068Boot care kit\u2069 started \u2068Gaiters\u2069 ended \u2068Merino gloves\u2069 started \u2068Free mug\u2069 (gift) started" {
		t.Errorf("the lane is not in the order of its list: %q", lane)
	}
}

func TestAChartOfManyMarksNamesSixAndCountsTheRest(t *testing.T) {
	t.Parallel()
	trend := page(t, gallery.AllStored(locale.English)).Section("Upsold value by day")
	if n := len(trend.All(classed("sign-number"))); n != 6 {
		t.Errorf("the lane has %d marks", n)
	}
	all := viewstest.Attr(trend.All(func(n *html.Node) bool { return viewstest.Attr(n, "id") == "marks-table" })[0].Node, "popover")
	trend.Has("more starts and ends")
	if all != "" {
		t.Error("all of them can't be opened")
	}
}

func TestNotesAreInTheChartItsTableAndBelowIt(t *testing.T) {
	t.Parallel()
	trend := page(t, gallery.Fernhollow(locale.English)).Section("Upsold value by day")
	trend.Has("28 Oct Autumn newsletter Shown to clients", "16 – 18 Nov Theme updated", "Private")
	if flags := trend.All(classed("note-flags"))[0].Text(); !strings.Contains(flags, "Autumn newsletter") || !strings.Contains(flags, "Theme updated") {
		t.Errorf("the chart's flags are %q", flags)
	}
	if rows := trend.All(func(n *html.Node) bool { return viewstest.Attr(n, "id") == "days-table" }); !strings.Contains(rows[0].Text(), "16 Nov Theme updated to Alder 4.2.") {
		t.Error("the table has no note")
	}
}

// The app answers for the whole window in the new currency; days before the change are stored in the former one.
func TestPlacementDaysInAFormerCurrencyAreNotCalledMissing_N34(t *testing.T) {
	t.Parallel()
	o := gallery.Fernhollow(locale.English)
	row := o.Placements.Rows[0]
	for i := range 10 {
		row.Days[i].Currency = "EUR"
	}
	render := func() *viewstest.Doc {
		b := components.Base{Path: "/stores/" + o.Store.Slug, Store: &o.Store, Now: o.Now}
		return viewstest.Render(t, overview.Placements(overview.Page{Base: b, Overview: o}))
	}
	d := render()
	rows := d.Labelled("Days of Post-purchase upsell").Tags("tr")
	if first, last := rows[1].Text(), rows[30].Text(); !strings.HasPrefix(first, "21 Oct €870.00 ") || !strings.HasPrefix(last, "19 Nov $1,015.00 ") {
		t.Errorf("the days read %q to %q", first, last)
	}
	tip := `["Post-purchase upsell","€870.00"],["Compared with Mon 21 Sep","$1,015.00","then"],["Difference","not compared"]`
	if got := script(t, d, "bars-0"); !strings.Contains(got, tip) {
		t.Errorf("the tip does not say %s: %.3000s", tip, got)
	}
	bars := 0 // one axis can't show both
	for _, r := range d.Section("Post-purchase upsell").Tags("rect") {
		if !strings.HasPrefix(viewstest.Attr(r.Node, "fill"), "url(") {
			bars++
		}
	}
	if bars != 19 {
		t.Errorf("%d bars, want the 19 stored days in dollars", bars)
	}
	for i := range row.Days {
		row.Days[i].Currency = "EUR"
	}
	render().Section("Post-purchase upsell").Has("Two currencies in these dates")
}

func TestCoverageCarriesTwoLabels_N29(t *testing.T) {
	t.Parallel()
	d := viewstest.Gallery(t, "placements")
	d.Has("21 Oct – 19 Nov 2026 · 30 days")
	cover := d.Section("Coverage")
	cover.Has("Counts are current, updated 41 minutes ago. Recent value has its own dates: 20 Nov 2025 – 19 Nov 2026 · 365 days · New York time · as reported")
	cover.Has("Live", "Switched off", "Never created", "Switch one on", "Create the first offer", "not reported")
	links := 0
	for _, a := range cover.Tags("a") {
		if strings.HasPrefix(viewstest.Attr(a.Node, "href"), "/stores/fernhollow/offers?existing=true&placement=") {
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
	d := viewstest.Gallery(t, "placements")
	for _, name := range []string{"Post-purchase upsell", "Thank you page upsell", "Coupon offer", "Order status page upsell"} {
		p := d.Section(name)
		p.Has("See its offers", "Days as a table")
		rows := d.Labelled("Days of " + name).Tags("tr")
		if len(rows) != 31 || !strings.Contains(rows[15].Text(), "4 Nov missing missing missing") {
			t.Errorf("%s: %d rows, the missing day reads %q", name, len(rows), rows[15].Text())
		}
	}
	d.Labelled("Days of Coupon offer").Has("not reported")
	d.Labelled("Days of Coupon offer").HasNot("$")
}

func TestOverviewLeadsToTheOffersOwnPages_N17(t *testing.T) {
	t.Parallel()
	offers := page(t, gallery.Fernhollow(locale.English)).Section("Offers")
	hrefs := map[string]bool{}
	for _, a := range offers.Tags("a") {
		hrefs[viewstest.Attr(a.Node, "href")] = true
	}
	if !hrefs["/stores/fernhollow/offers/1"] || !hrefs["/stores/fernhollow/offers"] || hrefs["/stores/fernhollow/offers/14"] {
		t.Errorf("the ranking leads to %v", hrefs)
	}
}
