package report

import (
	"net/url"
	"strings"
	"testing"

	"github.com/golang-sql/civil"
	"github.com/storeglass/storeglass/internal/locale"
)

func titles(o Overview) string {
	var out []string
	for _, t := range o.Todos {
		out = append(out, t.Kind+": "+t.Title)
	}
	return strings.Join(out, "; ")
}

func TestWhatToDoNextIsTheMostUrgentFirst_N15_N50(t *testing.T) {
	t.Parallel()
	in := healthy(t, nil, HealthIssue{Code: "NO_ACTIVE_CAMPAIGN", Message: "No campaign is active."}, HealthIssue{Code: "APP_EMBED_DISABLED", Message: "off"}, HealthIssue{Code: "NEW", Message: "Something new"})
	in.Coverage = []StoredCover{
		{Placement: PostPurchase, HasActive: true, ActiveCount: 1, TotalCount: 1, FetchedAt: noon}, {Placement: ThankYou, TotalCount: 1, FetchedAt: noon},
		{Placement: Coupon, FetchedAt: noon}, {Placement: OrderStatus, FetchedAt: noon},
	}
	in.Plan = &StoredJSON{Body: []byte(`{"campaigns_exceeded": true}`), FetchedAt: noon}
	o := overview(t, in, threeDays)
	equal(t, "todos", titles(o), "warning: No gift campaign is active; error: The gift widget can’t appear; warning: Something new; "+
		"off: Thank you page: switched off; info: Never created: Coupon offer, Order status page upsell; warning: More campaigns than your gift plan allows")
	equal(t, "embed", o.Todos[1].Text, "The app embed is off in your live theme, Dawn. In the theme editor, open App embeds, turn on the gift widget and save.")
	equal(t, "switched off", o.Todos[3].Text, "1 offer exists, none is active.")
	equal(t, "a store in order has nothing to do", titles(overview(t, healthy(t, nil), threeDays)), "")
}

func TestDaysThatAreMissingAreTold_N1(t *testing.T) {
	t.Parallel()
	in := three()
	in.Days = []StoredSummary{in.Days[0], in.Days[2]}
	in.DaysKept = []civil.Date{on("2026-11-17"), on("2026-11-19")}
	in.Ledger = append(firstAnswersCame(), badPull("summary.day", "2026-11-18", "failed", "Server error (500)"))
	o := overview(t, in, threeDays)
	equal(t, "todos", titles(o), "missing: 18 Nov is missing from the daily data")
	equal(t, "text", o.Todos[0].Text, "2 tries failed. Next try: 20 Nov at 13:00.")

	in.Windows = []StoredSummary{windowSummary(span("2026-11-17", "2026-11-19"), "300", 30, 150)}
	o = overview(t, in, threeDays)
	equal(t, "text beside a reported total", o.Todos[0].Text, "2 tries failed. Next try: 20 Nov at 13:00. Totals for the whole period include these sales.")
}

func TestADriftIsToldWithBothValues(t *testing.T) {
	t.Parallel()
	in := three()
	in.Check, in.CheckWindow = &Check{Days: 3, Reported: *dec("301"), Stitched: *dec("300.3"), At: noon}, span("2026-11-17", "2026-11-19")
	o := overview(t, in, threeDays)
	equal(t, "todos", titles(o), "warning: Daily data and the reported total don’t match")
	equal(t, "text", o.Todos[0].Text, "Reported $301.00, daily data add up to $300.30. We’re fetching the days again.")
	in.Check.Missing = 1
	equal(t, "with a day missing", titles(overview(t, in, threeDays)), "")
}

func TestOffersThatSoldNothingAreCountedOnlyWhereThatIsKnown_N16(t *testing.T) {
	t.Parallel()
	full, partly := ranking(whole, "a 9", "a 9"), ranking(cut, "a 9", "b 1")
	equal(t, "before the list was read", titles(overview(t, full, "")), "")
	full.ActiveThroughout, partly.ActiveThroughout = []string{"a", "x", "y"}, []string{"a", "x", "y"}
	equal(t, "whole ranking", titles(overview(t, full, "")), "info: 2 active offers had no sales")
	equal(t, "cut ranking", titles(overview(t, partly, "")), "")
	_, known := SoldNothing(partly, choose(t, ""), noon)
	equal(t, "known of a cut ranking", known, false)
}

func TestN73OffersThatSoldNothingAreTheListBehindTheirCount(t *testing.T) {
	t.Parallel()
	in := ranking(whole, "a 9", "a 9")
	in.ActiveThroughout = []string{"a", "x", "y"}
	o := overview(t, in, "")
	href, err := url.Parse(o.Todos[0].Href)
	if err != nil {
		t.Fatal(err)
	}
	f, err := ParseOfferFilter(href.Query())
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "the window of the count", *f.SoldNothing, o.Choice.Window)
	listed, _ := SoldNothing(in, Choice{Window: *f.SoldNothing, Today: o.Choice.Today}, noon)
	equal(t, "the list", listed, []string{"x", "y"})
	equal(t, "counted", o.Todos[0].Title, "2 active offers had no sales")
}

func TestN73OpenAlertsAreAmongTheToDos(t *testing.T) {
	t.Parallel()
	if got := AlertTodo(locale.English, nil, "/alerts"); got != nil {
		t.Errorf("without an alert: %+v", got)
	}
	equal(t, "one", AlertTodo(locale.English, []string{"Upsells stopped"}, "/alerts").Title, "1 open alert")
	many := AlertTodo(locale.English, []string{"a", "b", "c", "d", "e"}, "/alerts")
	equal(t, "many", many.Title+": "+many.Text, "5 open alerts: a · b · c and 2 more")
}

func TestDaysInWords(t *testing.T) {
	t.Parallel()
	days := []civil.Date{on("2026-09-23"), on("2026-11-04"), on("2026-11-05"), on("2026-11-06"), on("2026-11-07")}
	for n, want := range []string{"", "23 Sep", "23 Sep and 4 Nov", "23 Sep, 4 Nov and 5 Nov", "23 Sep, 4 Nov and 2 more days", "23 Sep, 4 Nov and 3 more days"} {
		equal(t, "words", locale.English.DayList(days[:n]), want)
	}
}
