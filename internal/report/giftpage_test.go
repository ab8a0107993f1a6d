package report

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/locale"
)

func giftDay(day, orders, revenue, basis string) StoredGift {
	return StoredGift{
		Window: OneDay(on(day)), AskedDays: 1, Timezone: "America/New_York", Currency: "USD", Basis: basis, FetchedAt: noon.Add(-time.Hour),
		Orders: GiftMetric{Value: dec(orders)}, Revenue: GiftMetric{Value: dec(revenue)}, ConversionRate: GiftMetric{Value: dec("4.1"), Unit: Percentage},
	}
}

func giftPage(t *testing.T, in StoredGiftPage, query string) Gift {
	t.Helper()
	return NewGift(locale.English, in, choose(t, query), noon)
}

func days(g ...StoredGift) StoredGiftPage {
	return StoredGiftPage{Stored: Stored{Store: acme, Credentials: connected().Credentials, GiftDays: g}}
}

// midNovember are 17 and 18 November.
const midNovember = "start=2026-11-17&end=2026-11-18"

func TestAWindowNeverAnsweredIsMadeFromItsDaysWithoutRates_N2(t *testing.T) {
	t.Parallel()
	in := days(giftDay("2026-11-15", "1", "10", "reported"), giftDay("2026-11-16", "1", "30.50", "reported"),
		giftDay("2026-11-17", "2", "30.10", "reported"), giftDay("2026-11-18", "4", "50.90", "previous"))
	// As many days on other dates are no answer to a window that was chosen by its dates.
	in.Gift = []StoredGift{giftAnswer(span("2026-11-18", "2026-11-19"), 2)}
	g := giftPage(t, in, midNovember).Analytics
	equal(t, "basis", g.Provenance.Basis, Stitched)
	equal(t, "window", g.Provenance.Window, ptr(span("2026-11-17", "2026-11-18")))
	equal(t, "orders", g.Orders.Value, dec("6"))
	equal(t, "revenue", g.Revenue.Value, dec("81"))
	equal(t, "revenue before", g.Revenue.Previous, dec("40.5"))
	equal(t, "change", g.Revenue.ChangePercent, dec("100"))
	equal(t, "repaired days", g.Provenance.Repaired, 1)
	equal(t, "flagged", g.Provenance.Has(FlagRepaired), true)
	for name, m := range map[string]GiftMetric{"conversion": g.ConversionRate, "with gift": g.AOVByFG, "store": g.AOVStore} {
		if m.Value != nil || m.Reason == "" {
			t.Errorf("%s is %v, reason %q", name, m.Value, m.Reason)
		}
	}
}

func TestAStitchedChangeFromZeroHasNoBaseline_N46(t *testing.T) {
	t.Parallel()
	g := giftPage(t, days(giftDay("2026-11-15", "0", "0", ""), giftDay("2026-11-16", "0", "0", ""), giftDay("2026-11-17", "1", "5", ""), giftDay("2026-11-18", "1", "5", "")), midNovember).Analytics
	equal(t, "compared", g.Compared, true)
	equal(t, "change", locale.English.ReportedChange(g.Revenue.ChangePercent).Word, "no baseline")
}

func TestAMissingDayIsNamedAndNothingIsComparedWithIt_N1(t *testing.T) {
	t.Parallel()
	in := days(giftDay("2026-11-15", "1", "10", ""), giftDay("2026-11-16", "1", "10", ""), giftDay("2026-11-18", "1", "5", "difference"))
	g := giftPage(t, in, midNovember)
	equal(t, "missing", len(g.Analytics.Provenance.Missing), 1)
	equal(t, "compared", g.Analytics.Compared, false)
	equal(t, "gap", g.History.Days[0].Stored, false)
	equal(t, "basis", g.History.Days[1].Basis, Derived)
	equal(t, "from", g.History.Days[1].From, "difference")
}

func TestASumWithADayThatHasNoValueIsLeftOut_N47(t *testing.T) {
	t.Parallel()
	day := giftDay("2026-11-17", "1", "5", "")
	day.Orders.Value = nil
	g := giftPage(t, days(day, giftDay("2026-11-18", "1", "5", "")), midNovember).Analytics
	equal(t, "orders", g.Orders.Value, dec(""))
	equal(t, "revenue", g.Revenue.Value, dec("10"))
}

func TestARepairedDayAloneIsDerivedAndComparedWithNothing_N45(t *testing.T) {
	t.Parallel()
	day := giftDay("2026-11-17", "1", "5", "difference")
	day.ConversionRate = GiftMetric{}
	in := days(day)
	in.Gift = []StoredGift{day}
	g := giftPage(t, in, "start=2026-11-17&end=2026-11-17").Analytics
	equal(t, "basis", g.Provenance.Basis, Derived)
	equal(t, "compared", g.Compared, false)
	equal(t, "reason", g.ConversionRate.Reason, locale.English.T("state.filled_in_gift_day"))
}

func TestTheRunningDayStandsApartAndIsNoHistory_N45(t *testing.T) {
	t.Parallel()
	in := days(giftDay("2026-11-19", "1", "5", ""))
	in.Today = ptr(giftAnswer(span("2026-11-19", "2026-11-20"), 1))
	in.Today.IncludesToday = true
	g := giftPage(t, in, midNovember)
	if g.Today == nil || g.Today.Compared || g.Today.Revenue.ChangePercent != nil || !g.Today.Provenance.Has(FlagPartial) {
		t.Fatalf("%+v", g.Today)
	}
	for _, d := range giftPage(t, in, "start=2026-11-18&end=2026-11-20").History.Days {
		if d.Day == on("2026-11-20") {
			t.Error("today is a day of the history")
		}
	}
	in.Today.Window.End = on("2026-11-19")
	if giftPage(t, in, midNovember).Today != nil {
		t.Error("yesterday's answer stands for today")
	}
}

func TestNotFoundIsNotConfigured_N54(t *testing.T) {
	t.Parallel()
	in := days()
	none := &StoredFound{StoredJSON: StoredJSON{Body: []byte(`{"found": false, "hint": "/widgets"}`), FetchedAt: noon}}
	in.Settings = none
	in.Widgets = []StoredWidget{{GiftWidget: GiftWidget{Type: "bar"}, ListedAt: noon, Settings: none}, {GiftWidget: GiftWidget{Type: "box"}, ListedAt: noon}}
	g := giftPage(t, in, midNovember)
	if g.Settings.Empty != nil || g.Settings.Found {
		t.Errorf("settings: %+v", g.Settings)
	}
	if w := g.Widgets.Types; w[0].Saved == nil || w[0].Saved.Found || w[1].Saved != nil {
		t.Errorf("widgets: %+v", w)
	}
	c := NewGiftCampaign(locale.English, StoredGiftCampaign{Stored: in.Stored, Campaign: Campaign{ID: "7"}, Configuration: none}, noon)
	if c.Configuration.Empty != nil || c.Configuration.Found || c.Campaign.LastListed != nil {
		t.Errorf("campaign: %+v", c)
	}
}

func TestAnAbsentTranslationIsTheBuiltInWording_N59(t *testing.T) {
	t.Parallel()
	body := `{"widgets": [{"path": "a", "text": "Free", "translations": {"fr": "Offert"}}, {"path": "b", "text": "Gift", "translations": {}}], "campaigns": [{"path": "c", "text": "", "translations": {"de": "x"}}]}`
	in := days()
	in.Translations = []StoredTranslation{
		{Locale: "de", StoredFound: StoredFound{StoredJSON: StoredJSON{Body: []byte("{}"), FetchedAt: noon}}},
		{Locale: "fr", Languages: []string{"fr", "de", "it"}, Total: n64(84), StoredFound: StoredFound{true, StoredJSON{[]byte(body), noon}}},
	}
	l := giftPage(t, in, midNovember).Translations.Languages
	equal(t, "german", l[0], Language{Locale: "de", Pulled: true, PulledAt: noon})
	equal(t, "french", l[1], Language{Locale: "fr", Pulled: true, Found: true, Customised: 1, Typed: 1, Total: n64(84), PulledAt: noon,
		Widgets:   []Wording{{"a", "Free", map[string]string{"fr": "Offert"}}, {"b", "Gift", map[string]string{}}},
		Campaigns: []Wording{{"c", "", map[string]string{"de": "x"}}},
	})
	equal(t, "italian, not asked yet", l[2], Language{Locale: "it"})
}

func TestChecksAreGoodOnlyByAnAnswerThatSaidSo_N50(t *testing.T) {
	t.Parallel()
	in := days()
	in.Health = healthy(t, []string{"theme: out of reach"}, HealthIssue{Code: "NEW_CODE", Message: "Look"}).Health
	in.Health[0].FetchedAt = noon.Add(-9 * time.Hour)
	in.Health = append(in.Health[:1:1], in.Health[2:]...) // campaigns were never told
	h := giftPage(t, in, midNovember).Health
	equal(t, "all clear", h.AllClear(), false)
	states := map[string]HealthCheck{}
	for _, c := range h.Checks(locale.English) {
		states[c.Code] = c
	}
	equal(t, "embed", states["APP_EMBED_DISABLED"].State, CheckGood)
	equal(t, "kept from before", states["APP_EMBED_DISABLED"].Kept, true)
	equal(t, "campaigns", states["NO_CAMPAIGN"].State, CheckUnknown)
	equal(t, "unknown code", states["NEW_CODE"].Message, "Look")
}

func TestAProjectionNeedsThePeriodsLength_N55(t *testing.T) {
	t.Parallel()
	plan := func(reset string) *StoredJSON {
		raw, err := json.Marshal(PlanBody{RevenueUsed: dec("650"), RevenueLimit: dec("900"), RevenueResetAt: reset})
		if err != nil {
			t.Fatal(err)
		}
		return &StoredJSON{raw, noon}
	}
	in := days()
	in.Plan = plan("2026-12-01T05:00:00Z") // midnight in New York: November is taken for the period
	p := giftPage(t, in, midNovember).Plan
	if p.Projection == nil || !p.Projection.Assumed || p.Projection.ReachesLimitAt == nil {
		t.Fatalf("%+v %s", p.Projection, p.NoProjection)
	}
	equal(t, "used, of 469 hours in 721", p.Projection.Used, *dec("999.25"))
	equal(t, "the cap", p.Projection.ReachesLimitAt.Day(), 28)

	in.Plan = plan("2026-12-10T05:00:00Z")
	if p := giftPage(t, in, midNovember).Plan; p.Projection != nil || p.NoProjection == "" {
		t.Errorf("a period of unknown length is projected: %+v", p.Projection)
	}
	in.PlanDays = []StoredPlanDay{{*plan("2026-11-10T05:00:00Z")}}
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
		in := days(giftDay("2026-11-17", "1", "5", ""))
		in.Credentials = []StoredCredential{{Service: "gift", State: "paused", Cause: cause, Text: "What helps.", PausedAt: noon}}
		g := giftPage(t, in, midNovember)
		if g.Trouble == nil || g.Trouble.Title != locale.English.T("gift.paused."+strings.ToLower(cause)) || !g.Trouble.NeedsPerson || g.Analytics.Revenue.Value == nil {
			t.Errorf("%s: %+v", cause, g.Trouble)
		}
	}
}

func TestSettingsAreLaidOutAsText(t *testing.T) {
	t.Parallel()
	got := Settings(locale.English, []byte(`{"minOrderTotal": "90.00", "isON": true, "startsAt": "2026-11-15T05:00:00Z", "list": ["a", 2], "deep": {"product_ids": []}, "none": null, "things": [{"title": "<b>"}]}`), noon.Location())
	want := []Setting{
		{Key: "minOrderTotal", Label: "Min order total", Text: "90.00"},
		{Key: "isON", Label: "Is ON", Text: "yes"},
		{Key: "startsAt", Label: "Starts at", Text: "15 Nov 2026, 05:00"},
		{Key: "list", Label: "List", Text: isolated("a") + ", " + isolated("2")},
		{Key: "deep", Label: "Deep", Items: []Setting{{Key: "product_ids", Label: "Product ids", Text: "none"}}},
		{Key: "none", Label: "None", Text: "not set"},
		{Key: "things", Label: "Things", List: true, Items: []Setting{{Label: "1", Items: []Setting{{Key: "title", Label: "Title", Text: "<b>"}}}}},
	}
	equal(t, "lines", got, want)
	equal(t, "no object", len(Settings(locale.English, []byte(`[1]`), time.UTC)), 0)
	equal(t, "cut", len(Settings(locale.English, []byte(`{"a": 1`), time.UTC)), 0)
}
