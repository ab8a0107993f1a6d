package gift

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/reporttest"

	"github.com/storeglass/storeglass/internal/locale"
)

func giftPage(t *testing.T, in StoredPage, query string) Page {
	t.Helper()
	return NewPage(locale.English, in, reporttest.Choose(t, query), reporttest.Noon)
}

func days(g ...report.StoredGift) StoredPage {
	return StoredPage{Stored: report.Stored{Store: reporttest.Acme, Credentials: reporttest.Connected().Credentials, GiftDays: g}}
}

// midNovember are 17 and 18 November.
const midNovember = "start=2026-11-17&end=2026-11-18"

func TestAWindowNeverAnsweredIsMadeFromItsDaysWithoutRates_N2(t *testing.T) {
	t.Parallel()
	in := days(reporttest.GiftDay("2026-11-15", "1", "10", "reported"), reporttest.GiftDay("2026-11-16", "1", "30.50", "reported"),
		reporttest.GiftDay("2026-11-17", "2", "30.10", "reported"), reporttest.GiftDay("2026-11-18", "4", "50.90", "previous"))
	// The same number of days on other dates doesn't answer for a window chosen by its dates.
	in.Gift = []report.StoredGift{reporttest.GiftAnswer(reporttest.Span("2026-11-18", "2026-11-19"), 2)}
	g := giftPage(t, in, midNovember).Analytics
	reporttest.Equal(t, "basis", g.Provenance.Basis, report.Stitched)
	reporttest.Equal(t, "window", g.Provenance.Window, reporttest.Ptr(reporttest.Span("2026-11-17", "2026-11-18")))
	reporttest.Equal(t, "orders", g.Orders.Value, reporttest.Dec("6"))
	reporttest.Equal(t, "revenue", g.Revenue.Value, reporttest.Dec("81"))
	reporttest.Equal(t, "revenue before", g.Revenue.Previous, reporttest.Dec("40.5"))
	reporttest.Equal(t, "change", g.Revenue.ChangePercent, reporttest.Dec("100"))
	reporttest.Equal(t, "repaired days", g.Provenance.Repaired, 1)
	reporttest.Equal(t, "flagged", g.Provenance.Has(report.FlagRepaired), true)
	for name, m := range map[string]report.GiftMetric{"conversion": g.ConversionRate, "with gift": g.AOVByFG, "store": g.AOVStore} {
		if m.Value != nil || m.Reason == "" {
			t.Errorf("%s is %v, reason %q", name, m.Value, m.Reason)
		}
	}
}

func TestAStitchedChangeFromZeroHasNoBaseline_N46(t *testing.T) {
	t.Parallel()
	g := giftPage(t, days(reporttest.GiftDay("2026-11-15", "0", "0", ""), reporttest.GiftDay("2026-11-16", "0", "0", ""), reporttest.GiftDay("2026-11-17", "1", "5", ""), reporttest.GiftDay("2026-11-18", "1", "5", "")), midNovember).Analytics
	reporttest.Equal(t, "compared", g.Compared, true)
	reporttest.Equal(t, "change", locale.English.ReportedChange(g.Revenue.ChangePercent).Word, "no baseline")
}

func TestAMissingDayIsNamedAndNothingIsComparedWithIt_N1(t *testing.T) {
	t.Parallel()
	in := days(reporttest.GiftDay("2026-11-15", "1", "10", ""), reporttest.GiftDay("2026-11-16", "1", "10", ""), reporttest.GiftDay("2026-11-18", "1", "5", "difference"))
	g := giftPage(t, in, midNovember)
	reporttest.Equal(t, "missing", len(g.Analytics.Provenance.Missing), 1)
	reporttest.Equal(t, "compared", g.Analytics.Compared, false)
	reporttest.Equal(t, "gap", g.History.Days[0].Stored, false)
	reporttest.Equal(t, "basis", g.History.Days[1].Basis, report.Derived)
	reporttest.Equal(t, "from", g.History.Days[1].From, fact.GiftDifference)
}

func TestASumWithADayThatHasNoValueIsLeftOut_N47(t *testing.T) {
	t.Parallel()
	day := reporttest.GiftDay("2026-11-17", "1", "5", "")
	day.Orders.Value = nil
	g := giftPage(t, days(day, reporttest.GiftDay("2026-11-18", "1", "5", "")), midNovember).Analytics
	reporttest.Equal(t, "orders", g.Orders.Value, reporttest.Dec(""))
	reporttest.Equal(t, "revenue", g.Revenue.Value, reporttest.Dec("10"))
}

func TestARepairedDayAloneIsDerivedAndComparedWithNothing_N45(t *testing.T) {
	t.Parallel()
	day := reporttest.GiftDay("2026-11-17", "1", "5", "difference")
	day.ConversionRate = report.GiftMetric{}
	in := days(reporttest.GiftDay("2026-11-16", "1", "4", ""), day)
	in.Gift = []report.StoredGift{day}
	g := giftPage(t, in, "start=2026-11-17&end=2026-11-17").Analytics
	reporttest.Equal(t, "orders have no reason", g.Orders.Reason, "")
	reporttest.Equal(t, "basis", g.Provenance.Basis, report.Derived)
	reporttest.Equal(t, "compared", g.Compared, false)
	reporttest.Equal(t, "reason", g.ConversionRate.Reason, locale.English.T("state.filled_in_gift_day"))
}

func TestTheRunningDayStandsApartAndIsNoHistory_N45(t *testing.T) {
	t.Parallel()
	in := days(reporttest.GiftDay("2026-11-19", "1", "5", ""))
	in.Today = reporttest.Ptr(reporttest.GiftAnswer(reporttest.Span("2026-11-19", "2026-11-20"), 1))
	in.Today.IncludesToday = true
	g := giftPage(t, in, midNovember)
	if g.Today == nil || g.Today.Compared || g.Today.Revenue.ChangePercent != nil || !g.Today.Provenance.Has(report.FlagPartial) {
		t.Fatalf("%+v", g.Today)
	}
	for _, d := range giftPage(t, in, "start=2026-11-18&end=2026-11-20").History.Days {
		if d.Day == reporttest.On("2026-11-20") {
			t.Error("today is a day of the history")
		}
	}
	in.Today.Window.End = reporttest.On("2026-11-19")
	if giftPage(t, in, midNovember).Today != nil {
		t.Error("yesterday's answer is shown for today")
	}
}

func TestNotFoundIsNotConfigured_N54(t *testing.T) {
	t.Parallel()
	in := days()
	none := &StoredFound{Body: []byte(`{"found": false, "hint": "/widgets"}`), FetchedAt: reporttest.Noon}
	in.Settings = none
	in.Widgets = []StoredWidget{{Widget: Widget{Type: "bar"}, ListedAt: reporttest.Noon, Settings: none}, {Widget: Widget{Type: "box"}, ListedAt: reporttest.Noon}}
	g := giftPage(t, in, midNovember)
	if g.Settings.Empty != nil || g.Settings.Found {
		t.Errorf("settings: %+v", g.Settings)
	}
	if w := g.Widgets.Types; w[0].Saved == nil || w[0].Saved.Found || w[1].Saved != nil {
		t.Errorf("widgets: %+v", w)
	}
	c := NewCampaignPage(locale.English, StoredCampaign{Stored: in.Stored, Campaign: report.Campaign{ID: "7"}, Configuration: none}, reporttest.Noon)
	if c.Configuration.Empty != nil || c.Configuration.Found || c.Campaign.LastListed != nil {
		t.Errorf("campaign: %+v", c)
	}
}

func TestAnAbsentTranslationIsTheBuiltInWording_N59(t *testing.T) {
	t.Parallel()
	body := `{"widgets": [{"path": "a", "text": "Free", "translations": {"fr": "Offert"}}, {"path": "b", "text": "Gift", "translations": {}}], "campaigns": [{"path": "c", "text": "", "translations": {"de": "x"}}]}`
	in := days()
	in.Translations = []StoredTranslation{
		{Locale: "de", StoredFound: StoredFound{Body: []byte("{}"), FetchedAt: reporttest.Noon}},
		{Locale: "fr", Languages: []string{"fr", "de", "it"}, Total: reporttest.N64(84), StoredFound: StoredFound{true, []byte(body), reporttest.Noon}},
	}
	l := giftPage(t, in, midNovember).Translations.Languages
	reporttest.Equal(t, "german", l[0], Language{Locale: "de", Pulled: true, PulledAt: reporttest.Noon})
	reporttest.Equal(t, "french", l[1], Language{Locale: "fr", Pulled: true, Found: true, Customised: 1, Typed: 1, Total: reporttest.N64(84), PulledAt: reporttest.Noon,
		Widgets:   []Wording{{"a", "Free", map[string]string{"fr": "Offert"}}, {"b", "Gift", map[string]string{}}},
		Campaigns: []Wording{{"c", "", map[string]string{"de": "x"}}},
	})
	reporttest.Equal(t, "italian, not asked yet", l[2], Language{Locale: "it"})
}

func TestAProjectionNeedsThePeriodsLength_N55(t *testing.T) {
	t.Parallel()
	plan := func(reset string) *report.StoredJSON {
		raw, err := json.Marshal(PlanBody{RevenueUsed: reporttest.Dec("650"), RevenueLimit: reporttest.Dec("900"), RevenueResetAt: reset})
		if err != nil {
			t.Fatal(err)
		}
		return &report.StoredJSON{Body: raw, FetchedAt: reporttest.Noon}
	}
	in := days()
	in.Plan = plan("2026-12-01T05:00:00Z") // midnight in New York: the period is assumed to be November
	p := giftPage(t, in, midNovember).Plan
	if p.Projection == nil || !p.Projection.Assumed || p.Projection.ReachesLimitAt == nil {
		t.Fatalf("%+v %s", p.Projection, p.NoProjection)
	}
	reporttest.Equal(t, "used, of 469 hours in 721", p.Projection.Used, *reporttest.Dec("999.25"))
	reporttest.Equal(t, "the cap", p.Projection.ReachesLimitAt.Day(), 28)

	in.Plan = plan("2026-12-10T05:00:00Z")
	if p := giftPage(t, in, midNovember).Plan; p.Projection != nil || p.NoProjection == "" {
		t.Errorf("a period of unknown length is projected: %+v", p.Projection)
	}
	in.PlanDays = []report.StoredJSON{*plan("2026-11-10T05:00:00Z")}
	if p := giftPage(t, in, midNovember).Plan; p.Projection == nil || p.Projection.Assumed || p.Projection.Start.Day() != 10 {
		t.Errorf("the reset that was seen is not the start: %+v", p.Projection)
	}
	in.Plan = plan("2026-11-01")
	if p := giftPage(t, in, midNovember).Plan; p.Projection != nil {
		t.Error("a period that is over is projected")
	}
}

func TestAPausedKeySaysWhatHappenedAndWhatHelps_N40_N41(t *testing.T) {
	t.Parallel()
	for _, cause := range []string{"NO_PLAN", "APP_UNINSTALLED", "INVALID_KEY", "INSUFFICIENT_SCOPE"} {
		in := days(reporttest.GiftDay("2026-11-17", "1", "5", ""))
		in.Credentials = []report.StoredCredential{{Service: "gift", State: "paused", Cause: cause, Said: "No.", PausedAt: reporttest.Noon}}
		g := giftPage(t, in, midNovember)
		if g.Trouble == nil || g.Trouble.Title != locale.English.T("gift.paused."+strings.ToLower(cause)) || !g.Trouble.NeedsPerson || g.Analytics.Revenue.Value == nil {
			t.Errorf("%s: %+v", cause, g.Trouble)
		}
	}
}

func TestAConfigurationsGroupsAreFoundWhereverTheyAre(t *testing.T) {
	t.Parallel()
	for name, raw := range map[string]string{
		"beside found": `{"found": true, "schedule": {"a": 1}, "triggerConditions": [{"b": 2}], "id": "x"}`,
		"in an object": `{"found": true, "campaign": {"schedule": {"a": 1}, "trigger_conditions": [{"b": 2}], "id": "x"}}`,
	} {
		var got []string
		for _, g := range Grouped(locale.English, Settings(locale.English, []byte(raw), time.UTC)) {
			got = append(got, fmt.Sprint(g.Title, " ", len(g.Settings)))
		}
		reporttest.Equal(t, name, got, []string{"Trigger conditions 1", "Schedule 1", "Other settings 2"})
	}
}

func TestSettingsAreLaidOutAsText(t *testing.T) {
	t.Parallel()
	own := func(name string) string { return "“" + report.Isolated(name) + "”" } // the app's word
	got := Settings(locale.English, []byte(`{"minOrderTotal": "90.00", "isON": true, "startsAt": "2026-11-15T05:00:00Z", "list": ["a", 2], "deep": {"product_ids": []}, "none": null, "things": [{"title": "<b>"}]}`), reporttest.Noon.Location())
	want := []Setting{
		{Key: "minOrderTotal", Label: own("Min order total"), Own: true, Text: "90.00"},
		{Key: "isON", Label: own("Is ON"), Own: true, Text: "yes"},
		{Key: "startsAt", Label: own("Starts at"), Own: true, Text: "15 Nov 2026, 05:00"},
		{Key: "list", Label: own("List"), Own: true, Text: report.Isolated("a") + ", " + report.Isolated("2")},
		{Key: "deep", Label: own("Deep"), Own: true, Items: []Setting{{Key: "product_ids", Label: own("Product ids"), Own: true, Text: "none"}}},
		{Key: "none", Label: own("None"), Own: true, Text: "not set"},
		{Key: "things", Label: own("Things"), Own: true, List: true, Items: []Setting{{Label: "1", Items: []Setting{{Key: "title", Label: "Title", Text: "<b>"}}}}},
	}
	reporttest.Equal(t, "lines", got, want)
	reporttest.Equal(t, "the app's words", HasOwn([]Setting{{Items: got[4].Items}}), true)
	german, _ := locale.Of("de")
	got = Settings(german, []byte(`{"type": "order_value", "minimumOrderValue": 90, "combinesWith": ["order_discounts", "loyalty"], "endDate": "2026-12-31T23:59:00", "target_page": ["cart"], "products": [{"id": 7, "status": "sold_out"}], "startDate": "2026-11-15"}`), time.UTC)
	want = []Setting{
		{Key: "type", Label: "Typ", Text: "Bestellwert"},
		{Key: "startDate", Label: "Beginn", Text: "15. Nov. 2026"},
		{Key: "endDate", Label: "Ende", Text: "31. Dez. 2026, 23:59"},
		{Key: "target_page", Label: "Erscheint auf", Text: report.Isolated("Warenkorbseite")},
		{Key: "minimumOrderValue", Label: "Mindestbestellwert", Text: "90"},
		{Key: "products", Label: "Produkte", List: true, Items: []Setting{{Label: "1", Items: []Setting{{Key: "status", Label: "Status", Text: "sold_out"}, {Key: "id", Label: "ID", Text: "7"}}}}},
		{Key: "combinesWith", Label: "Kombinierbar mit", Text: report.Isolated("Bestellrabatte") + ", " + report.Isolated("loyalty")},
	}
	reporttest.Equal(t, "words that we know, in their order", got, want)
	reporttest.Equal(t, "no word of the app's", HasOwn(got), false)
	reporttest.Equal(t, "no object", len(Settings(locale.English, []byte(`[1]`), time.UTC)), 0)
	reporttest.Equal(t, "cut", len(Settings(locale.English, []byte(`{"a": 1`), time.UTC)), 0)
}

func TestTheGiftsPagesDotFollowsTheGiftApp(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		of   func(in *report.Stored)
		want string
	}{
		"up to date":         {func(*report.Stored) {}, "good active"},
		"late":               {func(in *report.Stored) { in.Ledger[0].LastGoodAt = reporttest.Noon.Add(-4 * time.Hour) }, "stale waiting"},
		"refused":            {func(in *report.Stored) { in.Credentials[1].State = fact.CredentialPaused }, "failed person"},
		"upsells refused":    {func(in *report.Stored) { in.Credentials[0].State = fact.CredentialPaused }, "good active"},
		"disconnected":       {func(in *report.Stored) { in.Credentials = in.Credentials[:1] }, "stale none"},
		"upsells alone":      {func(in *report.Stored) { in.Credentials, in.Ledger = in.Credentials[:1], nil }, "filling filling"},
		"gifts alone":        {func(in *report.Stored) { in.Credentials = in.Credentials[1:] }, "good active"},
		"paused and refused": {func(in *report.Stored) { in.Paused, in.Credentials[1].State = true, fact.CredentialPaused }, "failed none"},
	} {
		in := reporttest.Three()
		in.Credentials = slices.Clone(in.Credentials)
		in.Ledger = []report.StoredPull{{Service: "gift", Pull: "gift.plan", Outcome: fact.PullGood, LastGoodAt: reporttest.Noon.Add(-time.Minute)}}
		c.of(&in)
		f := giftPage(t, StoredPage{Stored: in}, reporttest.ThreeDays).Freshness
		reporttest.Equal(t, name, f.State+" "+f.Sign(), c.want)
	}
}

func TestN73APausedStoreHasOneSignOnTheGiftsPageToo(t *testing.T) {
	t.Parallel()
	in := reporttest.Three()
	in.Paused = true
	reporttest.Equal(t, "gifts", giftPage(t, StoredPage{Stored: in}, reporttest.ThreeDays).Freshness.Sign(), "none")
}
