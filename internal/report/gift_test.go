package report

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/locale"
)

func withGift(answers ...StoredGift) Stored {
	in := three()
	in.Gift = answers
	return in
}

func TestGiftRevenueIsNeverAddedToUpsellRevenue_N3(t *testing.T) {
	t.Parallel()
	w := span("2026-11-17", "2026-11-19")
	in := fourAndFour()
	in.Windows = []StoredSummary{windowSummary(w, "300.30", 30, 150)}
	in.Lifetime = &StoredLifetime{TotalRevenue: *dec("91234.56"), OfferViews: 40000, UpsoldOrders: 3000, Currency: "USD", FetchedAt: noon}
	alone := overview(t, in, threeDays)
	in.Gift = []StoredGift{giftAnswer(w, 3)}
	both := overview(t, in, threeDays)
	equal(t, "summary beside gifts", both.Summary, alone.Summary)
	equal(t, "lifetime beside gifts", both.Lifetime, alone.Lifetime)
	equal(t, "placements beside gifts", both.Placements, alone.Placements)
	equal(t, "gift revenue", both.Gift.Revenue.Value, dec("4321.09"))
	nowhere(t, both, map[string]string{
		"gift and upsell revenue": "4621.39", "gift and upsell orders": "7031", "gift and lifetime revenue": "95555.65",
		"revenue without gifts": "-4020.79",
	})
}

func TestTheThreeAveragesHaveThreeNames_N3(t *testing.T) {
	t.Parallel()
	in := withGift(giftAnswer(span("2026-11-17", "2026-11-19"), 3))
	o := overview(t, in, threeDays)
	for name, want := range map[string]string{"average_upsold_value": "10.01", "aov_by_fg": "60.86", "aov_store": "81.22"} {
		found := 0
		for _, panel := range []any{o.Summary, o.Gift} {
			body, err := json.Marshal(panel)
			if err != nil {
				t.Fatal(err)
			}
			var fields map[string]json.RawMessage
			if err := json.Unmarshal(body, &fields); err != nil {
				t.Fatal(err)
			}
			raw, ok := fields[name]
			if !ok {
				continue
			}
			found++
			var metric struct{ Value string }
			if json.Unmarshal(raw, &metric) != nil {
				_ = json.Unmarshal(raw, &metric.Value)
			}
			equal(t, name, metric.Value, want)
		}
		equal(t, "panels with a number called "+name, found, 1)
	}
}

func TestTheGiftAnswerForExactlyTheWindowIsShown_N25(t *testing.T) {
	t.Parallel()
	w := span("2026-11-17", "2026-11-19")
	later := giftAnswer(span("2026-11-18", "2026-11-20"), 3)
	later.Revenue.Value = dec("1")
	g := overview(t, withGift(later, giftAnswer(w, 3)), threeDays).Gift
	equal(t, "revenue", g.Revenue.Value, dec("4321.09"))
	equal(t, "differs", g.Provenance.Has(FlagWindowDiffers), false)
}

func TestAGiftWindowWithOtherDatesIsLabelledWithItsOwn_N25_N43(t *testing.T) {
	t.Parallel()
	other := span("2026-11-16", "2026-11-18")
	in := withGift(giftAnswer(other, 3))
	in.Gift[0].Timezone = "Asia/Tokyo"
	in.Ledger = []StoredPull{{Service: "gift", Pull: "gift.window", Subject: "3", Outcome: fact.PullGood, Applied: &other}}
	p := overview(t, in, threeDays).Gift.Provenance
	equal(t, "window", p.Window, &other)
	equal(t, "asked", p.Asked, ptr(span("2026-11-17", "2026-11-19")))
	equal(t, "flag", p.Has(FlagWindowDiffers), true)
	equal(t, "clock (N26)", p.Timezone+" from "+p.TimezoneFrom, "Asia/Tokyo from gift")
	equal(t, "reply", p.Pull+" "+p.Subject, "gift.window 3")
}

func TestAGiftWindowOfAnotherLengthIsNotShown_N22(t *testing.T) {
	t.Parallel()
	in := withGift(giftAnswer(span("2026-11-13", "2026-11-19"), 7))
	in.Ledger = []StoredPull{{Service: "gift", Pull: "gift.window", Subject: "7", Outcome: fact.PullGood, LastGoodAt: noon}}
	g := overview(t, in, threeDays).Gift
	if g.Empty == nil || g.Empty.Cause != CauseNotKept || g.Revenue.Value != nil {
		t.Errorf("7 days stand for 3: %+v, %v", g.Empty, g.Revenue.Value)
	}
	in.Ledger = nil
	if e := overview(t, in, threeDays).Gift.Empty; e == nil || e.Cause != CauseFilling {
		t.Errorf("before the first answer: %+v", e)
	}
}

func TestAnAnswerWithTodayIsPartialAndNotCompared_N45(t *testing.T) {
	t.Parallel()
	today := giftAnswer(span("2026-11-19", "2026-11-20"), 1)
	today.IncludesToday = true
	g := overview(t, withGift(today), "window=today").Gift
	equal(t, "partial", g.Provenance.Has(FlagPartial), true)
	equal(t, "compared", g.Compared, false)
	for name, m := range map[string]GiftMetric{"orders": g.Orders, "revenue": g.Revenue, "conversion": g.ConversionRate, "with gift": g.AOVByFG, "store": g.AOVStore} {
		if m.Previous != nil || m.ChangePercent != nil || m.Value == nil {
			t.Errorf("%s of the running day is %+v", name, m)
		}
	}
	equal(t, "window as it is (N43)", g.Provenance.Window, ptr(span("2026-11-19", "2026-11-20")))

	// It never replaces a whole day, and no whole day replaces it.
	today.Window = OneDay(on("2026-11-19"))
	if e := overview(t, withGift(today), "window=yesterday").Gift.Empty; e == nil {
		t.Error("a partial answer stands for yesterday")
	}
	if e := overview(t, withGift(giftAnswer(OneDay(on("2026-11-20")), 1)), "window=today").Gift.Empty; e == nil {
		t.Error("an answer without today stands for today")
	}
}

func TestNullInAGiftMetricIsNoNumber_N46_N47(t *testing.T) {
	t.Parallel()
	in := withGift(giftAnswer(span("2026-11-17", "2026-11-19"), 3))
	in.Gift[0].Orders = GiftMetric{Value: dec("5"), Previous: dec("0")}
	in.Gift[0].AOVByFG = GiftMetric{}
	g := overview(t, in, "start=2026-11-17&end=2026-11-19").Gift
	equal(t, "a change from zero", locale.English.ReportedChange(g.Orders.ChangePercent).String(), "no baseline")
	equal(t, "no average", locale.English.MoneyOrDash(g.AOVByFG.Value, "USD").String(), "–")
	equal(t, "no average", g.AOVByFG.Value, dec(""))
}

func TestARateOfAnUnknownUnitIsWithheld_N48(t *testing.T) {
	t.Parallel()
	for unit, withheld := range map[string]bool{"percentage": false, "percent": false, "%": false, "fraction": true, "basis_points": true, "": true} {
		in := withGift(giftAnswer(span("2026-11-17", "2026-11-19"), 3))
		in.Gift[0].ConversionRate.Unit = unit
		m := overview(t, in, threeDays).Gift.ConversionRate
		equal(t, "withheld with the unit "+unit, m.Withheld, withheld)
		equal(t, "value", m.Value, dec("4.3"))
	}
}

func TestACachedAnswerIsSaidToBeOne_N49(t *testing.T) {
	t.Parallel()
	in := withGift(giftAnswer(span("2026-11-17", "2026-11-19"), 3))
	equal(t, "fresh", overview(t, in, threeDays).Gift.Provenance.Has(FlagCached), false)
	in.Gift[0].Cached = true
	p := overview(t, in, threeDays).Gift.Provenance
	equal(t, "cached", p.Has(FlagCached), true)
	equal(t, "fetched", p.FetchedAt, noon.Add(-time.Hour))
}

func TestTheGiftAnswersFlagsReachTheReader(t *testing.T) {
	t.Parallel()
	in := withGift(giftAnswer(span("2026-11-17", "2026-11-19"), 3))
	in.Gift[0].Flags, in.Gift[0].Revised = []Flag{FlagWindowDiffers}, true
	p := overview(t, in, threeDays).Gift.Provenance
	equal(t, "window differs", p.Has(FlagWindowDiffers), true)
	equal(t, "revised (N27)", p.Has(FlagRevised), true)
}

func TestTheGiftHistoryHasGaps_N1_N47(t *testing.T) {
	t.Parallel()
	in := connected()
	day := giftAnswer(OneDay(on("2026-11-18")), 1)
	day.Orders.Value = nil
	in.GiftDays = []StoredGift{day}
	h := Builder{In: in, Choice: choose(t, threeDays), Now: noon}.GiftHistory()
	equal(t, "days", len(h.Days), 3)
	equal(t, "gaps", len(h.Provenance.Missing), 2)
	if d := h.Days[0]; d.Stored || d.Revenue != nil {
		t.Errorf("a day that is not stored is %+v", d)
	}
	if d := h.Days[1]; !d.Stored || d.Orders != nil || !d.Revenue.Equal(*dec("4321.09")) || d.Currency != "USD" {
		t.Errorf("the stored day is %+v", d)
	}
}

func TestN67YesterdayIsNeverAnOlderDay(t *testing.T) {
	t.Parallel()
	older := giftAnswer(span("2026-11-18", "2026-11-18"), 1)
	older.FetchedAt = noon.AddDate(0, 0, -1)
	const yesterday = "window=yesterday"
	if g := overview(t, withGift(older), yesterday).Gift; g.Empty == nil || g.Orders.Value != nil {
		t.Errorf("the day before yesterday stands for yesterday: %+v", g)
	}
	week := giftAnswer(span("2026-11-11", "2026-11-17"), 7)
	week.FetchedAt = noon.AddDate(0, 0, -2)
	if g := overview(t, withGift(week), "start=2026-11-13&end=2026-11-19").Gift; g.Empty == nil || g.Orders.Value != nil {
		t.Errorf("seven other days stand for these: %+v", g)
	}
	elsewhere := older
	elsewhere.FetchedAt = noon.Add(-time.Hour) // the service's yesterday is a different day than ours
	g := overview(t, withGift(elsewhere), yesterday).Gift
	equal(t, "window", *g.Provenance.Window, span("2026-11-18", "2026-11-18"))
	equal(t, "flagged", g.Provenance.Has(FlagWindowDiffers), true)
}

func TestN67TodayIsNotTwoDaysWhereYesterdayIsKnown(t *testing.T) {
	t.Parallel()
	asked := noon.Add(-time.Hour)
	both := giftAnswer(span("2026-11-19", "2026-11-20"), 1)
	both.IncludesToday, both.Begun, both.Since = true, asked, asked.Add(time.Second)
	yesterday := giftAnswer(span("2026-11-19", "2026-11-19"), 1)
	yesterday.Orders, yesterday.Revenue = GiftMetric{Value: dec("7000")}, GiftMetric{Value: dec("4000.09")}
	yesterday.Since, yesterday.Begun = asked.Add(-time.Hour), asked.Add(time.Minute)
	today := func(y StoredGift) GiftAnalytics {
		in := withGift(both)
		in.GiftDays = []StoredGift{y}
		return overview(t, in, "window=today").Gift
	}
	g := today(yesterday)
	equal(t, "window", *g.Provenance.Window, span("2026-11-20", "2026-11-20"))
	equal(t, "orders", g.Orders.Value.String(), "1")
	equal(t, "revenue", g.Revenue.Value.String(), "321")
	equal(t, "rate", g.ConversionRate.Value == nil, true)
	equal(t, "basis", g.Provenance.Basis, Derived)
	for name, change := range map[string]func(*StoredGift){
		"asked before alone":         func(y *StoredGift) { y.Begun = asked.Add(-time.Minute) },
		"changed meanwhile":          func(y *StoredGift) { y.Since = asked.Add(time.Second / 2) },
		"told by the cache alone":    func(y *StoredGift) { y.Since, y.Begun = time.Time{}, time.Time{} },
		"holds more than both days":  func(y *StoredGift) { y.Orders = GiftMetric{Value: dec("7002")} },
		"is in another currency now": func(y *StoredGift) { y.Currency = "EUR" },
	} {
		y := yesterday
		change(&y)
		g := today(y)
		equal(t, name+": window", *g.Provenance.Window, span("2026-11-19", "2026-11-20"))
		equal(t, name+": orders", g.Orders.Value.String(), "7001")
	}
}

func TestN64ADayThatIsNotProvenSaysSo(t *testing.T) {
	t.Parallel()
	day := giftAnswer(span("2026-11-18", "2026-11-18"), 1)
	day.Basis, day.Unproven = "difference", true
	in := withGift()
	in.GiftDays = []StoredGift{day}
	for name, p := range map[string]Provenance{
		"a sum that it is part of": overview(t, in, threeDays).Gift.Provenance,
		"the daily series":         Builder{In: in, Choice: choose(t, threeDays), Now: noon}.GiftHistory().Provenance,
	} {
		equal(t, name, p.Has(FlagUnproven), true)
	}
}
