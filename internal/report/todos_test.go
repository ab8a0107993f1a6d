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

// Where an alert says it, muted or not, nothing else does.
func TestN73WhatAnAlertSaysIsSaidOnce(t *testing.T) {
	t.Parallel()
	in := healthy(t, nil, HealthIssue{Code: "NO_ACTIVE_CAMPAIGN", Message: "No campaign is active."}, HealthIssue{Code: "APP_EMBED_DISABLED", Message: "off"}, HealthIssue{Code: "NEW", Message: "Something new"})
	in.Coverage = []StoredCover{{Placement: PostPurchase, HasActive: true, ActiveCount: 1, TotalCount: 1, FetchedAt: noon}, {Placement: ThankYou, TotalCount: 1, FetchedAt: noon}}
	in.Plan = &StoredJSON{Body: []byte(`{"campaigns_exceeded": true}`), FetchedAt: noon}
	equal(t, "before a rule has looked", len(overview(t, in, threeDays).Todos), 5)
	for _, of := range [][2]string{{"gift-stuck", "NO_ACTIVE_CAMPAIGN"}, {"gift-stuck", "NEW"}, {"embed-off", ""}, {"placement-off", string(ThankYou)}, {"plan", "campaigns"}} {
		in.Alerts = append(in.Alerts, OpenAlert{Rule: of[0], Subject: of[1], Title: locale.M("alert.widget.off")})
	}
	equal(t, "once each", len(overview(t, in, threeDays).Todos), len(in.Alerts))
	for i := range in.Alerts {
		in.Alerts[i].Muted = true
	}
	equal(t, "muted", titles(overview(t, in, threeDays)), "")
}

func TestN73OpenAlertsLeadWhatToDoNext(t *testing.T) {
	t.Parallel()
	in := healthy(t, nil)
	in.Alerts = []OpenAlert{
		{Rule: "campaign-ending", Title: locale.M("alert.campaign.tomorrow"), Href: "/stores/acme/gift/campaigns/7"},
		{Rule: "placement-off", Subject: "Coupon offer", Title: locale.M("alert.placement.off", "placement", "Coupon offer"), Href: "/stores/acme/offers"},
		{Rule: "embed-off", Title: locale.M("alert.widget.off"), Text: locale.Sentences{locale.M("alert.widget.embed_off")}, Href: "/stores/acme/gift"},
		{Rule: "sync-stale", Muted: true, Title: locale.M("alert.stale.title.gift")},
	}
	o := overview(t, in, threeDays)
	equal(t, "todos", titles(o), "error: The gift widget can’t appear; off: Coupon offer: no offer is active any more; warning: The gift campaign ends tomorrow.")
	equal(t, "text and link", o.Todos[0].Text+" "+o.Todos[0].Action+" "+o.Todos[0].Href, "The app embed is off in the live theme. See the gift setup /stores/acme/gift")
}

func TestAnAlertOfAnotherVersionIsSaidInTheWordsOfItsRule(t *testing.T) {
	t.Parallel()
	for want, a := range map[string]OpenAlert{
		locale.English.T("alerts.rule.embed-off.title"): {Rule: "embed-off", Title: locale.M("alert.no_such"), Href: "https://example.com"},
		locale.English.T("alert.unknown"):               {Rule: "no-such-rule", Title: locale.M("alert.no_such")},
		locale.English.T("alert.widget.off"):            {Rule: "no-such-rule", Title: locale.M("alert.widget.off"), Href: "/stores/acme/gift"},
	} {
		got := a.todo(locale.English)
		equal(t, "title", got.Title, want)
		equal(t, "no link that nobody knows", got.Href, "")
	}
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
	in.Alerts = []OpenAlert{{Rule: "drift", Muted: true}}
	equal(t, "while its alert is muted", titles(overview(t, in, threeDays)), "")
	in.Alerts = nil
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

func TestDaysInWords(t *testing.T) {
	t.Parallel()
	days := []civil.Date{on("2026-09-23"), on("2026-11-04"), on("2026-11-05"), on("2026-11-06"), on("2026-11-07")}
	for n, want := range []string{"", "23 Sep", "23 Sep and 4 Nov", "23 Sep, 4 Nov and 5 Nov", "23 Sep, 4 Nov and 2 more days", "23 Sep, 4 Nov and 3 more days"} {
		equal(t, "words", locale.English.DayList(days[:n]), want)
	}
}
