package reports

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/answers"
	"github.com/storeglass/storeglass/internal/report/gift"
	"github.com/storeglass/storeglass/internal/report/offers"
	"github.com/storeglass/storeglass/internal/report/overview"
	"github.com/storeglass/storeglass/internal/report/reporttest"
	"github.com/storeglass/storeglass/web/site"
)

// columns are some cells of each row, joined by commas.
func columns(t *testing.T, table site.Table, names ...string) string {
	t.Helper()
	var lines []string
	for _, row := range table.Rows {
		var cells []string
		for _, name := range names {
			cells = append(cells, row[slices.Index(table.Columns, name)].Value)
		}
		lines = append(lines, strings.Join(cells, ","))
	}
	return strings.Join(lines, "\n")
}

// field is a value of the JSON at a path; numbers in the path are places in a list.
func field(t *testing.T, value any, path ...any) any {
	t.Helper()
	raw, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	var at any
	if err := json.Unmarshal(raw, &at); err != nil {
		t.Fatal(err)
	}
	for _, step := range path {
		switch s := step.(type) {
		case string:
			at = at.(map[string]any)[s]
		case int:
			at = at.([]any)[s]
		}
	}
	return at
}

func made(t *testing.T, in report.Stored, query string) overview.Overview {
	t.Helper()
	return overview.New(locale.English, in, reporttest.Choose(t, query), reporttest.Noon)
}

func TestAPlacementOrDayThatWasNotSentIsNoZeroInFilesAndJSON_N1_N13(t *testing.T) {
	t.Parallel()
	in := reporttest.Three()
	for _, p := range []report.Placement{report.PostPurchase, report.Coupon} {
		row := report.StoredStat{Window: report.OneDay(reporttest.On("2026-11-17")), Placement: p, Currency: "USD", FetchedAt: reporttest.Noon}
		if p.ReportsRevenue() {
			row.Revenue = reporttest.Dec("0")
		}
		in.StatDays = append(in.StatDays, row)
	}
	o := made(t, in, reporttest.ThreeDays)
	reporttest.Equal(t, "file", columns(t, placementsTable(o), "placement", "revenue", "revenue_reported", "impressions", "claims"), `Post-purchase upsell,0,yes,0,0
Thank you page upsell,,no,,
Coupon offer,,no,0,0
Order status page upsell,,no,,`)
	answer := PlacementsAnswer(o.Placements)
	for i, sent := range []bool{true, false, true, false} {
		for _, name := range []string{"impressions", "claims"} {
			reporttest.Equal(t, name+" in JSON", field(t, answer, "placements", i, name) != nil, sent)
			reporttest.Equal(t, name+" of the stored day", field(t, answer, "placements", i, "days", 0, name) != nil, sent)
			reporttest.Equal(t, name+" of a missing day", field(t, answer, "placements", i, "days", 1, name), nil)
		}
		reporttest.Equal(t, "revenue in JSON", field(t, answer, "placements", i, "revenue") != nil, i == 0)
	}
}

func TestOffersOfACutRankingHaveNoRankInAFile_N16(t *testing.T) {
	t.Parallel()
	w := reporttest.Span("2026-11-17", "2026-11-19")
	in := reporttest.Three()
	list := report.StoredTopList{Window: w, Direction: "highest", Currency: "USD", FetchedAt: reporttest.Noon, Rows: []report.TopRow{{OfferID: "a", Placement: report.ThankYou, Revenue: reporttest.Dec("9")}}}
	in.TopLists = append(in.TopLists, list)
	list.Direction, list.Rows = "lowest", []report.TopRow{{OfferID: "z", Placement: report.Coupon}}
	in.TopLists = append(in.TopLists, list)
	table := topTable(made(t, in, reporttest.ThreeDays))
	reporttest.Equal(t, "rows", columns(t, table, "list", "rank", "offer_id", "revenue_in_window", "claims", "flags"), "highest,1,a,9,,cut\nlowest,,z,,,cut")
}

func TestAFileHasTheNotesOfItsOwnDaysAndMarksPrivateOnes(t *testing.T) {
	t.Parallel()
	in := reporttest.Three()
	in.Notes = []report.DayNote{
		{Start: reporttest.On("2026-11-17"), End: reporttest.On("2026-11-18"), Text: "Sale", ForClients: true},
		{Start: reporttest.On("2026-11-18"), End: reporttest.On("2026-11-18"), Text: "Theme"},
	}
	reporttest.Equal(t, "notes", columns(t, historyTable(made(t, in, reporttest.ThreeDays)), "day", "notes"), "2026-11-17,Sale\n2026-11-18,Sale · Private: Theme\n2026-11-19,")
}

func TestTheAnswerInJSONIsComparedOnlyWhereTheWindowsMayBe_N74(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		query, before string
		compared      bool
		parts         int
		undivided     any
	}{
		"both whole":       {"start=2026-11-18&end=2026-11-18", "USD", true, 3, nil},
		"not compared":     {"start=2026-11-18&end=2026-11-18&compare=none", "USD", false, 0, "no_comparison"},
		"another currency": {"start=2026-11-18&end=2026-11-18", "EUR", false, 0, "currencies"},
		"days missing":     {"start=2026-11-18&end=2026-11-19", "USD", false, 0, "incomplete"},
	} {
		in := reporttest.Three()
		in.Days[0].Currency = c.before
		o := made(t, in, c.query)
		answer := AnswerJSON(o, answers.New(answers.Input{Choice: o.Choice, Summary: o.Summary, Placements: o.Placements}))
		reporttest.Equal(t, name+": compared", field(t, answer, "compared") != nil, c.compared)
		reporttest.Equal(t, name+": parts", len(field(t, answer, "drivers", "parts").([]any)), c.parts)
		reporttest.Equal(t, name+": why there are none", field(t, answer, "drivers", "undivided"), c.undivided)
		reporttest.Equal(t, name+": explained", field(t, answer, "explains"), nil)
	}
	o := made(t, reporttest.Three(), reporttest.ThreeDays)
	why := &answers.BeforeAfter{Event: report.Event{OfferID: "socks", Day: reporttest.On("2026-11-18"), Start: true}}
	reporttest.Equal(t, "the start that explains it", field(t, AnswerJSON(o, answers.Answer{Explains: why}), "explains", "offer_id"), "socks")
}

func TestGiftFilesSayWhatIsNotKnown_N1_N50_N51_N54(t *testing.T) {
	t.Parallel()
	about := func(table site.Table) string {
		var lines []string
		for _, l := range table.About {
			lines = append(lines, l[0]+": "+l[1])
		}
		return strings.Join(lines, "\n")
	}
	g := gift.Page{
		Health:       gift.SetupHealth{Errors: []string{"Theme could not be read"}},
		Campaigns:    gift.Campaigns{Capped: true},
		Widgets:      gift.Widgets{Types: []gift.Widget{{Type: "bar"}, {Type: "box", Saved: &gift.Saved{}}}},
		Translations: gift.Translations{Languages: []gift.Language{{Locale: "de"}, {Locale: "fr", Pulled: true}}},
	}
	g.History.Empty = &report.Empty{Title: "No gift days", Text: "They are loading."}
	reporttest.Equal(t, "no rows", strings.Contains(about(giftHistoryTable(g)), "No rows: No gift days. They are loading."), true)
	reporttest.Equal(t, "capped", strings.Contains(about(giftCampaignsTable(g)), "Complete: no"), true)
	reporttest.Equal(t, "unread", strings.Contains(about(giftHealthTable(g)), "Could not be checked: Theme could not be read"), true)
	reporttest.Equal(t, "configured", columns(t, giftWidgetsTable(g), "type", "configured"), "bar,\nbox,no")
	reporttest.Equal(t, "wording", columns(t, giftTranslationsTable(g), "language", "customised", "total_strings"), "de,,\nfr,0,")
	g.Campaigns.Capped = false
	reporttest.Equal(t, "not capped", strings.Contains(about(giftCampaignsTable(g)), "Complete: no"), false)
}

func TestAnOffersFiguresTellNotReportedFromNothing_N13(t *testing.T) {
	t.Parallel()
	zero := decimal.Zero
	coupon, none := offers.TableRow{}, offers.TableRow{Revenue: &zero, Before: &zero}
	coupon.Placement, none.Placement = report.Coupon, report.ThankYou
	reporttest.Equal(t, "a coupon reports", field(t, FiguresOf(coupon), "revenue_reported"), false)
	reporttest.Equal(t, "its revenue", field(t, FiguresOf(coupon), "revenue"), nil)
	reporttest.Equal(t, "another reports", field(t, FiguresOf(none), "revenue_reported"), true)
	reporttest.Equal(t, "its revenue", field(t, FiguresOf(none), "revenue"), "0")
	reporttest.Equal(t, "its change from nothing (N46)", field(t, FiguresOf(none), "change"), nil)
}
