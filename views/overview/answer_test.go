package overview_test

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/answers"
	"github.com/storeglass/storeglass/internal/report/reporttest"
	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/gallery"
	"github.com/storeglass/storeglass/views/overview"
	"github.com/storeglass/storeglass/views/viewstest"
)

func TestADriversBarIsAsLongAsItsPartAndSaysWhatTheFactorWas(t *testing.T) {
	t.Parallel()
	d := viewstest.Gallery(t, "overview")
	for id, want := range map[string][]string{
		"driver-0": {`"Store orders"`, `["Difference","+`, `["Effect","+$`, `"color":"currentColor"`},
		"driver-1": {`"Upsell success rate"`, `points`},
		"driver-3": {`"Upsold value"`, `"color":"transparent"`},
	} {
		got := script(t, d, id)
		for _, each := range append(want, `"21 Oct – 19 Nov","`, `"21 Sep – 20 Oct","`) {
			if !strings.Contains(got, each) {
				t.Errorf("%s does not say %s: %s", id, each, got)
			}
		}
	}
}

func TestWhatMovedMostIsListedTwiceAndNeverAddedUp_N14(t *testing.T) {
	t.Parallel()
	o := gallery.Fernhollow(locale.English)
	b := components.Base{Path: "/stores/" + o.Store.Slug, Store: &o.Store, Now: o.Now}
	why := answers.New(answers.Input{Choice: o.Choice, Summary: o.Summary, Placements: o.Placements, Top: &o.Top, TopBefore: o.TopBefore, Events: o.Events})
	d := viewstest.Render(t, overview.Show(overview.Page{Base: b, Overview: o, Answer: why}))
	d.Section("Why it changed").Has("Both lists show the same sales, so don’t add one to the other.")
	lists := d.Section("Why it changed").Tags("li")
	var rows []string
	for _, li := range lists {
		rows = append(rows, li.Text())
	}
	want := []string{
		"Boot care kit started 25 Oct +$5,904.15 from nothing",
		"Trail socks, second pair no start or end in either period +$2,492.26 ↑ 27.7% more",
		"Ridge bottle 750 ml no start or end in either period −$744.15 ↓ 14.5% less",
		"Headlamp spare batteries no start or end in either period −$119.10 ↓ 1.9% less",
		"Camp mug, pair no start or end in either period +$85.00 ↑ 2.2% more",
		"Post-purchase upsell “\u2068Boot care kit\u2069” started 25 Oct +$3,542.08 ↑ 13.8% more",
		"Order status page upsell “\u2068Gaiters\u2069” ended 4 Nov −$2,135.46 ↓ 41.7% less",
		"Thank you page upsell no start or end in either period +$802.09 ↑ 6.1% more",
		"Coupon offer no start or end in either period not reported 289 claims",
	}
	if !slices.Equal(rows, want) {
		t.Errorf("moved:\n%s", strings.Join(rows, "\n"))
	}
}

// explained is the gallery's store, with an offer's end as the reason for its change.
func explained(t *testing.T, e report.Event) (overview.Page, *viewstest.Doc) {
	t.Helper()
	o := gallery.Fernhollow(locale.English)
	for i := range o.Todos {
		if o.Todos[i].Kind == "off" {
			o.Todos[i].Placement, o.Todos[i].Href = "Order status page upsell", "/stores/fernhollow/offers?placement=order"
		}
	}
	why := answers.New(answers.Input{Choice: o.Choice, Summary: o.Summary, Placements: o.Placements, Top: &o.Top, TopBefore: o.TopBefore, Events: o.Events})
	why.Explains = &answers.BeforeAfter{Event: e}
	p := overview.Page{Base: components.Base{Path: "/stores/" + o.Store.Slug, Store: &o.Store, Now: o.Now}, Overview: o, Answer: why}
	return p, viewstest.Render(t, overview.Show(p))
}

func TestTheAnswerAndTheFirstActionAreAboveTheNumbers(t *testing.T) {
	t.Parallel()
	_, d := explained(t, report.Event{Placement: "Order status page upsell"})
	text := d.Text()
	at := -1
	for _, part := range []string{"Upsells brought in $49,976", "See why it changed", "Do next", "21 Oct – 19 Nov 2026", "Upsold orders", "Why it changed", "Upsold value by day"} {
		next := strings.Index(text[at+1:], part)
		if next < 0 {
			t.Fatalf("%q is not after what comes before it", part)
		}
		at += 1 + next
	}
	if h := d.Tags("h1"); len(h) != 1 || !strings.HasPrefix(h[0].Text(), "Upsells brought in $49,976") {
		t.Errorf("the page's title is %q", h[0].Text())
	}
}

func TestAVerdictLeadsToTheToDoAboutItsReasonOnly(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		event report.Event
		leads bool
	}{
		"the last offer of a placement ended": {report.Event{Placement: "Order status page upsell"}, true},
		"an offer ended elsewhere":            {report.Event{Placement: "Thank you page upsell"}, false},
		"an offer started":                    {report.Event{Placement: "Order status page upsell", Start: true}, false},
		"a gift campaign ended":               {report.Event{Gift: true}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, d := explained(t, c.event)
			if has := strings.Contains(d.Text(), "Choose an offer to run there"); has != c.leads {
				t.Errorf("leads to a to-do: %v", has)
			}
			p.Shared = &components.Shared{}
			viewstest.Render(t, overview.Show(p)).HasNot("Choose an offer to run there")
		})
	}
}

func TestASharedOverviewThatComparesIsAReport(t *testing.T) {
	t.Parallel()
	d := viewstest.Gallery(t, "shared-compared")
	text, at := d.Text(), -1
	for _, part := range []string{
		"Upsell report for", "21 Oct – 19 Nov 2026", "Upsells brought in", "Hi Ines, a good month.", "Maya Hollis", "Upsold orders", "Why it changed", "Post-purchase upsell",
		"What happened", "Autumn newsletter", "What is next", "24 Nov “\u2068Gaiters\u2069” ends", "Gift campaign “\u2068Winter welcome\u2069” starts", "Upsold value by day", "Figures as reported, updated",
	} {
		next := strings.Index(text[at+1:], part)
		if next < 0 {
			t.Fatalf("%q is not after what comes before it", part)
		}
		at += 1 + next
	}
	d.HasNot("Theme updated") // a private note
}

func TestTheSuccessRateAndItsChangeAddUpWhereverTheyAreShown(t *testing.T) {
	t.Parallel()
	o := gallery.Fernhollow(locale.English)
	before := *o.Summary.Previous
	o.Summary.UpsellSuccessRate, before.UpsellSuccessRate, o.Summary.Previous = reporttest.Dec("0.1416"), reporttest.Dec("0.1352"), &before // to a decimal 14.2, 13.5 and 0.6
	b := components.Base{Path: "/stores/" + o.Store.Slug, Store: &o.Store, Now: o.Now}
	why := answers.New(answers.Input{Choice: o.Choice, Summary: o.Summary, Placements: o.Placements, Top: &o.Top, Events: o.Events})
	d := viewstest.Render(t, overview.Show(overview.Page{Base: b, Overview: o, Answer: why}))
	d.Labelled("Key figures").Has("14.16% share of all 9,306 orders 0.64 points higher was 13.52%")
	d.Section("Why it changed").Has("13.52% → 14.16%")
	if got := script(t, d, "driver-1"); !strings.Contains(got, `"14.16%"`) || !strings.Contains(got, `"13.52%"`) || !strings.Contains(got, "0.64 points") {
		t.Errorf("the tooltip says %s", got)
	}
}

func TestTheAverageValuesInATooltipDifferByTheDifferenceShown(t *testing.T) {
	t.Parallel()
	o := gallery.Fernhollow(locale.English)
	before := *o.Summary.Previous
	o.Summary.AverageUpsoldValue, before.AverageUpsoldValue, o.Summary.Previous = reporttest.Dec("38.215"), reporttest.Dec("37.304"), &before // 0.911 apart
	b := components.Base{Path: "/stores/" + o.Store.Slug, Store: &o.Store, Now: o.Now}
	why := answers.New(answers.Input{Choice: o.Choice, Summary: o.Summary, Placements: o.Placements, Top: &o.Top, Events: o.Events})
	d := viewstest.Render(t, overview.Show(overview.Page{Base: b, Overview: o, Answer: why}))
	if got := script(t, d, "driver-2"); !strings.Contains(got, `"$38.22"`) || !strings.Contains(got, `"$37.30"`) || !strings.Contains(got, `"+$0.92"`) {
		t.Errorf("the tooltip says %s", got)
	}
}

func TestTheVerdictKeepsANumberAndItsUnitOnOneLine(t *testing.T) {
	t.Parallel()
	var title strings.Builder
	if err := html.Render(&title, viewstest.Gallery(t, "overview").Tags("h1")[0].Node); err != nil {
		t.Fatal(err)
	}
	if said := title.String(); !strings.Contains(said, "in the last 30\u00a0days,") || !strings.Contains(said, "than in the 30\u00a0days before.") {
		t.Error(said)
	}
}

func TestAChangeWithoutPartsIsNotSaidToBeExplained(t *testing.T) {
	t.Parallel()
	d := viewstest.Gallery(t, "nothing")
	d.Has("No upsell was sold in the last 30 days or in the 30 days before. See what changed")
	d.Section("What changed").Has("What moved most")
	d.HasNot("See why it changed", "Why it changed")
}
