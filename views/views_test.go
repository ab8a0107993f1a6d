package views_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/a-h/templ"
	"golang.org/x/net/html"

	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/gallery"
	"github.com/storeglass/storeglass/views/overview"
)

// page renders an overview and parses it.
func page(t *testing.T, o report.Overview) *doc {
	t.Helper()
	b := components.Base{Path: "/stores/" + o.Store.Slug, Store: &o.Store, Now: o.Now}
	return Render(t, overview.Show(overview.Page{Base: b, Overview: o, SyncHref: "/sync"}))
}

func Render(t *testing.T, c templ.Component) *doc {
	t.Helper()
	var buf bytes.Buffer
	if err := c.Render(context.Background(), &buf); err != nil {
		t.Fatal(err)
	}
	root, err := html.Parse(&buf)
	if err != nil {
		t.Fatal(err)
	}
	return &doc{t, root}
}

// doc is a part of a page, asked by role and text.
type doc struct {
	t *testing.T
	n *html.Node
}

func Attr(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

// All returns the elements that match, in order.
func (d *doc) All(match func(*html.Node) bool) []*doc {
	var out []*doc
	for n := range d.n.Descendants() {
		if n.Type == html.ElementNode && match(n) {
			out = append(out, &doc{d.t, n})
		}
	}
	return out
}

func (d *doc) tags(name string) []*doc {
	return d.All(func(n *html.Node) bool { return n.Data == name })
}

// section is the section whose heading has the words.
func (d *doc) section(words string) *doc {
	d.t.Helper()
	for _, s := range d.All(func(n *html.Node) bool { return n.Data == "section" || n.Data == "article" || n.Data == "aside" }) {
		headings := s.All(func(n *html.Node) bool { return n.Data == "h2" || n.Data == "h3" })
		if len(headings) > 0 && headings[0].text() == words {
			return s
		}
	}
	d.t.Fatalf("no section %q", words)
	return nil
}

// labelled is the first element with the label.
func (d *doc) labelled(label string) *doc {
	d.t.Helper()
	found := d.All(func(n *html.Node) bool { return Attr(n, "aria-label") == label })
	if len(found) == 0 {
		d.t.Fatalf("nothing is labelled %q", label)
	}
	return found[0]
}

// text is what a person reads: no scripts, no closed popovers, one space between words.
func (d *doc) text() string {
	var b strings.Builder
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
		}
		if n.Type == html.ElementNode {
			for _, a := range n.Attr {
				if a.Key == "popover" && n != d.n {
					return
				}
			}
			switch n.Data {
			case "script", "style", "noscript", "symbol":
				return
			case "div", "p", "td", "th", "dt", "dd", "li", "h1", "h2", "h3", "button", "small", "br", "section", "tr", "summary", "option":
				b.WriteByte(' ')
				defer b.WriteByte(' ')
			}
		}
		for c := range n.ChildNodes() {
			walk(c)
		}
	}
	walk(d.n)
	return strings.Join(strings.Fields(b.String()), " ")
}

func (d *doc) Has(words ...string) {
	d.t.Helper()
	text := d.text()
	for _, w := range words {
		if !strings.Contains(text, w) {
			d.t.Errorf("%q is not in: %s", w, text)
		}
	}
}

func (d *doc) hasNot(words ...string) {
	d.t.Helper()
	text := d.text()
	for _, w := range words {
		if strings.Contains(text, w) {
			d.t.Errorf("%q is in: %s", w, text)
		}
	}
}

func TestOverviewHasThePanelsOfThePictureInOrder(t *testing.T) {
	t.Parallel()
	d := page(t, gallery.Fernhollow())
	var headings []string
	for _, h := range d.tags("h2") {
		headings = append(headings, h.text())
	}
	want := "Upsold value by day|What to do next|Placements|Offers|Free gifts|All time"
	if got := strings.Join(headings, "|"); got != want {
		t.Errorf("panels are %s, want %s", got, want)
	}
	d.labelled("Results of the window").Has("Upsold value $49,975.83 in US dollars 12.4% more than 21 Sep – 20 Oct", "14.3% share of all 9,306 orders 0.6 points higher")
	d.section("Placements").Has("as reported · pulled 12 minutes ago")
	d.section("Placements").hasNot("30 days · New York time") // the page's title says it
	other := gallery.Fernhollow()
	other.Placements.Provenance.Window = &report.Window{Start: other.Choice.Window.Start, End: other.Choice.Window.End.AddDays(-1)}
	page(t, other).section("Placements").Has("21 Oct – 18 Nov 2026 · 29 days · New York time · as reported · pulled 12 minutes ago")
	d.section("All time").Has("all time, no window · as reported · pulled 38 minutes ago", "$612,408.15")
}

func TestMissingDayIsAGapAndIsNamed_N1(t *testing.T) {
	t.Parallel()
	d := page(t, gallery.Fernhollow())
	trend := d.section("Upsold value by day")
	trend.Has("29 of 30 days")
	rows := d.labelled("Days").tags("tr")
	if got := rows[15].text(); got != "4 Nov missing missing" {
		t.Errorf("the row of the missing day reads %q", got)
	}
	data := d.All(func(n *html.Node) bool { return Attr(n, "id") == "trend-data" })[0].n.FirstChild.Data
	if !strings.Contains(data, "1393.63,null,1446") {
		t.Error("the missing day is not null in the chart's data")
	}
	for _, spark := range d.labelled("Results of the window").tags("path") {
		if Attr(spark.n, "d") != "" && strings.Count(Attr(spark.n, "d"), "M") != 2 {
			t.Errorf("a sparkline does not break at the missing day: %s", Attr(spark.n, "d"))
		}
	}
	post := d.section("Post-purchase upsell")
	if n := len(post.All(func(n *html.Node) bool { return n.Data == "rect" && strings.HasPrefix(Attr(n, "fill"), "url(") })); n != 1 {
		t.Errorf("%d hatched days, want 1", n)
	}
}

func TestZeroDaysAreNeitherBarsNorHatched_N1(t *testing.T) {
	t.Parallel()
	order := page(t, gallery.Fernhollow()).section("Order status page upsell")
	bars, hatched := 0, 0
	for _, r := range order.tags("rect") {
		if strings.HasPrefix(Attr(r.n, "fill"), "url(") {
			hatched++
		} else {
			bars++
		}
	}
	if bars != 14 || hatched != 1 {
		t.Errorf("%d bars and %d hatched days, want 14 and 1: the 15 days after are zero", bars, hatched)
	}
}

func TestCouponRevenueIsNotReportedAndNotZero_N13(t *testing.T) {
	t.Parallel()
	coupon := page(t, gallery.Fernhollow()).section("Coupon offer")
	coupon.Has("Revenue not reported", "no value sent, so no comparison", "15 claims a day")
	coupon.hasNot("$0", "$")
}

func TestNoTotalStandsOverPlacementsOrOffers_N14(t *testing.T) {
	t.Parallel()
	d := page(t, gallery.Fernhollow())
	for _, row := range d.tags("tr") {
		if strings.HasPrefix(strings.ToLower(row.text()), "total") {
			t.Errorf("a total row: %s", row.text())
		}
	}
	d.section("Placements").hasNot("Total", "46,146.07") // the sum of the three that report
	if n := len(d.tags("tfoot")); n != 0 {
		t.Errorf("%d table feet", n)
	}
}

func TestCutRankingSaysSo_N16(t *testing.T) {
	t.Parallel()
	page(t, gallery.AllStored()).section("Offers").Has("Lowest earners list cut")
}

func TestDeletedOfferIsTextWithABadge_N17(t *testing.T) {
	t.Parallel()
	for _, row := range page(t, gallery.Fernhollow()).section("Offers").tags("tr") {
		if strings.Contains(row.text(), "Summer cap") {
			row.Has("Summer cap Deleted")
			if len(row.tags("a")) != 0 {
				t.Error("a deleted offer has a link")
			}
			return
		}
	}
	t.Error("no row for the deleted offer")
}

func TestAcceptanceIsAPercentageWhereItsUnitIsProvenElseSaysWhyNot_N19(t *testing.T) {
	t.Parallel()
	o := gallery.Fernhollow()
	offers := page(t, o).section("Offers")
	offers.Has("Acceptance", "21.4%")
	offers.hasNot("Acceptance, as reported", "0.214", "don’t prove")
	o.Top.AcceptanceUnit = report.UnitUnknown
	offers = page(t, o).section("Offers")
	offers.Has("Acceptance, as reported", "0.214", "claims and views don’t prove whether it is a percentage")
	offers.hasNot("21.4%")
}

func TestZeroDenominatorIsADash_N20(t *testing.T) {
	t.Parallel()
	d := page(t, gallery.Nothing())
	kpis := d.labelled("Results of the window")
	kpis.Has("Upsell success rate – share of all 0 orders", "Average upsold value – per upsold order")
	d.hasNot("NaN", "Inf", " 0.0%")
	d.section("All time").Has("Upsold orders ÷ views –", "Value ÷ view –")
}

func TestAllTimeHasNoWindowAndNoComparison_N21(t *testing.T) {
	t.Parallel()
	all := page(t, gallery.Fernhollow()).section("All time")
	all.Has("no window", "can’t be compared")
	all.hasNot("more", "less", "2026")
}

func TestAppliedWindowIsShownWhereItDiffersFromTheAsked_N22(t *testing.T) {
	t.Parallel()
	d := page(t, gallery.Failed())
	d.Has("13 Oct – 11 Nov 2026 · 30 days")
	d.labelled("Where “Upsold value” comes from").Has("Asked 21 Oct – 19 Nov 2026 · the service applied another window", "window differs")
}

func TestUnknownPlacementIsShownAsSent_N31(t *testing.T) {
	t.Parallel()
	page(t, gallery.LongNames()).section("Cart drawer upsell (new)").Has("$12.50", "do not name this placement")
}

func TestPartOfADayIsComparedWithNothing_N45(t *testing.T) {
	t.Parallel()
	d := page(t, gallery.PartOfToday())
	d.Has("20 Nov 2026 · part of a day")
	d.section("Free gifts").Has("Gift orders 412 not compared")
	d.section("Free gifts").hasNot("more", "less")
}

func TestGiftChangeWithoutABaselineSaysSo_N46(t *testing.T) {
	t.Parallel()
	gifts := page(t, gallery.Nothing()).section("Free gifts")
	gifts.Has("Gift orders 412 no baseline zero in 21 Sep – 20 Oct")
	gifts.hasNot("0% more", "0.0%")
}

func TestGiftValueThatWasNotSentIsNotZero_N47(t *testing.T) {
	t.Parallel()
	gifts := page(t, gallery.Nothing()).section("Free gifts")
	gifts.Has("Gift revenue – – not reported")
	gifts.hasNot("$0")
}

func TestGiftRateOfAnUnknownUnitIsWithheld_N48(t *testing.T) {
	t.Parallel()
	page(t, gallery.Fernhollow()).section("Free gifts").Has("Gift conversion 3.44% 0.02 points higher than 21 Sep – 20 Oct (3.42%)")
	gifts := page(t, gallery.Nothing()).section("Free gifts")
	gifts.Has("Gift conversion – – unit “ratio” is not known, so not shown")
	gifts.hasNot("4.3")
}

func TestSetupHealthWithErrorsIsNotAllClear_N50(t *testing.T) {
	t.Parallel()
	side := page(t, gallery.Failed()).labelled("Gift widget set-up and plan")
	side.Has("Not everything could be checked", "The live theme could not be read.")
	side.hasNot("The widget can appear")
}

func TestCampaignListAtItsCapIsHundredPlus_N51(t *testing.T) {
	t.Parallel()
	page(t, gallery.LongNames()).section("Free gifts").Has("3 of 100+ campaigns")
}

func TestVanishedCampaignIsNoLongerListed_N52(t *testing.T) {
	t.Parallel()
	page(t, gallery.LongNames()).section("Free gifts").Has("Socks with any boot no longer listed")
}

func TestPlanWithoutALimitHasNoBar_N55(t *testing.T) {
	t.Parallel()
	capped := page(t, gallery.Fernhollow()).labelled("Gift widget set-up and plan")
	capped.Has("3 of 10")
	if len(capped.tags("rect")) != 2 {
		t.Error("a plan with a limit has no bar")
	}
	free := page(t, gallery.Nothing()).labelled("Gift widget set-up and plan")
	free.Has("3, no cap")
	if len(free.tags("rect")) != 0 {
		t.Error("a plan without a limit has a bar")
	}
}

func TestEmptyStatesDifferByCause(t *testing.T) {
	t.Parallel()
	never := page(t, gallery.NeverConnected())
	never.Has("Connect Wattle Wear to see what its upsells earn", "Upsell token")
	never.hasNot("Free gifts", "All time", "7 days")
	none := page(t, gallery.NoOffers())
	none.Has("No offers yet in this store", "1,284 orders passed without an upsell", "never created", "Free gifts are not connected")
	none.hasNot("Highest earners")
	page(t, gallery.Nothing()).section("Offers").Has("No offer earned anything in this window")
	page(t, gallery.Filling()).Has("34 of 120 days stored", "Last 90 days", "in about 4 minutes", "All 120 days", "in about 6 minutes", "The gift result is on its way")
	page(t, gallery.Failed()).Has("Not pulled since 12 Nov. You are seeing the last good numbers.", "as of 11 Nov")
}

func TestCurrenciesHaveTheirOwnDigits(t *testing.T) {
	t.Parallel()
	page(t, gallery.Kumo()).labelled("Results of the window").Has("Upsold value ¥3,482,166 in Japanese yen")
	page(t, gallery.Dilmun()).labelled("Results of the window").Has("BHD 5,217.976 in Bahraini dinars")
}

func TestPanelsFailAlone(t *testing.T) {
	t.Parallel()
	d := page(t, gallery.OneFailed())
	d.section("Placements").Has("Not pulled since 19 Nov. You are seeing the last good numbers.", "$29,209.29")
	d.section("Free gifts").Has("The reply was cut short.")
	d.section("Offers").Has("Never pulled yet: the first try failed 2 hours ago.")
	d.labelled("Results of the window").Has("$49,975.83")
	d.section("Upsold value by day").hasNot("Not pulled")
}

func TestACauseIsSaidOnce(t *testing.T) {
	t.Parallel()
	started := page(t, gallery.Started())
	if n := strings.Count(started.text(), "first pulls are waiting"); n > 3 {
		t.Errorf("the same cause is said %d times", n)
	}
	failed := page(t, gallery.Failed())
	if n := strings.Count(failed.text(), "The upsell token is refused"); n != 1 {
		t.Errorf("the same trouble is said %d times", n)
	}
}

func TestMarksAreNumberedByDay(t *testing.T) {
	t.Parallel()
	o := gallery.Fernhollow()
	o.Trend.Marks[0], o.Trend.Marks[3] = o.Trend.Marks[3], o.Trend.Marks[0]
	trend := page(t, o).section("Upsold value by day")
	trend.Has("1 26 Oct Boot care kit started", "4 15 Nov Free mug (gift) started")
	data := trend.All(func(n *html.Node) bool { return Attr(n, "id") == "trend-data" })[0].n.FirstChild.Data
	if first, last := strings.Index(data, "Boot care kit"), strings.Index(data, "Free mug"); first < 0 || last < first {
		t.Error("the lane is not in the order of its list")
	}
}
