package report_test

import (
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/report/overview"

	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/reporttest"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/locale"
)

func TestN73DoNextIsWhatTheInboxHasOpen(t *testing.T) {
	t.Parallel()
	in := reporttest.Three()
	reporttest.Equal(t, "a store in order has nothing to do", len(overview.New(locale.English, in, reporttest.Choose(t, reporttest.ThreeDays), reporttest.Noon).Todos), 0)
	in.Alerts = []report.OpenAlert{
		{ID: 3, Rule: "embed-off", Title: locale.M("alert.widget.off"), Text: locale.Sentences{locale.M("alert.widget.embed_off"), locale.M("alert.fell.check")}, Do: locale.M("alert.do.embed"), Effect: locale.Sentences{locale.M("alert.effect.no_widget")}, Since: reporttest.Noon.Add(-50 * time.Hour), Href: "/stores/acme/gift"},
		{ID: 2, Rule: "sold-nothing", Title: locale.M("alert.silent.title", "n", 2), Do: locale.M("alert.do.silent", "n", 2), Since: reporttest.Noon, Href: "/stores/acme/offers", Rows: 2},
		{ID: 1, Rule: "sync-stale", Snoozed: true, Title: locale.M("alert.stale.title.gift")},
	}
	todos := overview.New(locale.English, in, reporttest.Choose(t, reporttest.ThreeDays), reporttest.Noon).Todos
	reporttest.Equal(t, "to-dos, without what is snoozed", todos, []report.Todo{
		{ID: 3, Kind: "error", Title: "Turn the gift widget back on", Text: "The app embed is off in the live theme.", Since: "since 18 Nov, 2 days", Effect: "Gifts don’t appear", Action: "See the gift setup", Href: "/stores/acme/gift"},
		{ID: 2, Kind: "info", Title: "Review 2 offers that sold nothing", Text: "2 active offers sold nothing", Since: "since 20 Nov, today", Effect: "Amount not known", Action: "Show these offers", Href: "/stores/acme/offers", Count: 2},
	})
}

func TestAnAlertOfAnotherVersionIsSaidInTheWordsOfItsRule(t *testing.T) {
	t.Parallel()
	for want, a := range map[string]report.OpenAlert{
		locale.English.T("alerts.rule.embed-off.title"): {Rule: "embed-off", Title: locale.M("alert.no_such"), Do: locale.M("alert.do.no_such"), Effect: locale.Sentences{locale.M("alert.effect.no_such")}, Href: "https://example.com"},
		locale.English.T("alert.unknown"):               {Rule: "no-such-rule", Title: locale.M("alert.no_such")},
		locale.English.T("alert.widget.off"):            {Rule: "no-such-rule", Title: locale.M("alert.widget.off"), Href: "/stores/acme/gift"},
	} {
		got := report.Todos(locale.English, []report.OpenAlert{a}, reporttest.Noon, "UTC")[0]
		reporttest.Equal(t, "title", got.Title, want)
		reporttest.Equal(t, "no link that nobody knows", got.Href, "")
		reporttest.Equal(t, "effect", got.Effect, "Amount not known")
	}
}

func TestDaysInWords(t *testing.T) {
	t.Parallel()
	days := []civil.Date{reporttest.On("2026-09-23"), reporttest.On("2026-11-04"), reporttest.On("2026-11-05"), reporttest.On("2026-11-06"), reporttest.On("2026-11-07")}
	for n, want := range []string{"", "23 Sep", "23 Sep and 4 Nov", "23 Sep, 4 Nov and 5 Nov", "23 Sep, 4 Nov and 2 more days", "23 Sep, 4 Nov and 3 more days"} {
		reporttest.Equal(t, "words", locale.English.DayList(days[:n]), want)
	}
}
