package offers

import (
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/reporttest"

	"github.com/storeglass/storeglass/internal/locale"
)

func TestTriggerConditionsAreJoinedWithAndAndNameWhatWasDeleted(t *testing.T) {
	t.Parallel()
	boots, gone := report.ConditionName{Kind: "product", Name: "Boots"}, report.ConditionName{Kind: "product", Name: "GTX", Deleted: true}
	for name, c := range map[string]struct {
		setup           SetupBody
		words, sentence string
		deleted         int
	}{
		"every order":   {SetupBody{TriggerCriteria: "no-condition"}, "Every order", "", 0},
		"not sent":      {SetupBody{}, "When it shows was not sent", "", 0},
		"set, not sent": {SetupBody{TriggerCriteria: "set-conditions"}, "An order that meets conditions the app did not send", "", 0},
		"another word":  {SetupBody{TriggerCriteria: "moon"}, "As sent: moon", "", 0},
		"one":           {SetupBody{TriggerCriteria: "set-conditions", Conditions: []Condition{{Names: []report.ConditionName{boots}}}}, "An order that meets this", "Product: Boots", 0},
		"both": {
			SetupBody{TriggerCriteria: "set-conditions", Conditions: []Condition{{Names: []report.ConditionName{boots, gone}}, {Names: []report.ConditionName{{Kind: "collection", Name: "Footwear"}}}}},
			"An order that meets both", "Products: Boots, GTX (deleted) · Collection: Footwear", 1,
		},
		"not understood": {
			SetupBody{Conditions: []Condition{{Names: []report.ConditionName{{Kind: "tag", Name: "vip"}}}, {Kind: "order_value", Raw: `{"type":"order_value","value":9.50,"over":true}`}, {Kind: "Odd one", Raw: `{"v":[1]}`}, {Kind: "mixed", Names: []report.ConditionName{boots, {Kind: "tag", Name: "x"}}}, {}}},
			"An order that meets all 5", `Tag: vip · Order value, as sent: over true, value 9.50 · Condition “Odd one”, as sent: {"v":[1]} · Mixed: Boots, x · A condition without a name`, 0,
		},
	} {
		reporttest.Equal(t, name, reporttest.Unisolated(c.setup.TriggerWords(locale.English)), c.words)
		reporttest.Equal(t, name+", sentence", reporttest.Unisolated(c.setup.TriggerSentence(locale.English)), c.sentence)
		reporttest.Equal(t, name+", deleted", len(c.setup.DeletedTriggers()), c.deleted)
	}
}

func TestDiscountsAreStatedAsSentAndNeverAsPrices(t *testing.T) {
	t.Parallel()
	for want, d := range map[string][2]string{
		"15% off": {"percentage", "15"}, "12.5% off": {"Percent", "12.5"}, "$5.00 off": {"fixed_amount", "5"}, "no discount": {"none", "0"},
		"free shipping": {"free-shipping", ""}, "discount not stated": {"", ""}, "“moon 3”, as sent": {"moon", "3"}, "“moon”, as sent": {"moon", ""},
		"“9”, as sent": {"", "9"}, "“percentage a lot”, as sent": {"percentage", "a lot"}, "“none”, as sent": {"", "none"},
	} {
		reporttest.Equal(t, d[0]+" "+d[1], reporttest.Unisolated(DiscountWords(locale.English, d[0], d[1], "USD")), want)
	}
	reporttest.Equal(t, "yen", DiscountWords(locale.English, "fixed_amount", "500", "JPY"), "¥500 off")
}

func TestWhatWasNotSentIsNotNone_N33(t *testing.T) {
	t.Parallel()
	reporttest.Equal(t, "no discount sent", SetupBody{}.DiscountWords(locale.English), "No discount on the offer itself: its products have their own, or none was sent.")
	reporttest.Equal(t, "one on the offer", SetupBody{DiscountType: "percentage", DiscountValue: "10"}.DiscountWords(locale.English), "On the whole offer: 10% off.")
	reporttest.Equal(t, "of an unknown kind", reporttest.Unisolated(SetupBody{DiscountType: "moon"}.DiscountWords(locale.English)), "On the whole offer: “moon”, as sent.")
	reporttest.Equal(t, "stated to be none", SetupBody{DiscountType: "none", DiscountValue: "0"}.DiscountWords(locale.English), "On the whole offer: no discount.")
	now := time.Date(2026, 11, 20, 10, 0, 0, 0, report.Clock("America/New_York"))
	for want, s := range map[string]SetupBody{
		"started 4 Mar 2026, no end date":            {StartDate: "2026-03-04T09:00:00"},
		"starts 1 Dec 2026, ends 24 Dec 2026":        {StartDate: "2026-12-01", EndDate: "2026-12-24"},
		"started 4 Mar 2026, ended 3 Nov 2026":       {StartDate: "2026-03-04", EndDate: "2026-11-03T23:59:59-05:00"},
		"start not sent, no end date":                {},
		"start “soon”, as sent, end “late”, as sent": {StartDate: "soon", EndDate: "late"},
		"started 4 Mar 2026, ends 20 Nov 2026":       {StartDate: "2026-03-04", EndDate: "2026-11-20"},
		"starts 21 Nov 2026, ends 30 Nov 2026":       {StartDate: "2026-11-21T05:00:00Z", EndDate: "2026-12-01T04:59:59.999Z"},
	} {
		reporttest.Equal(t, "schedule", reporttest.Unisolated(s.ScheduleWords(locale.English, now)), want)
	}
}

func TestATimeOfTheServiceIsADayOnTheStoresClock_N26(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"2026-03-05T05:00:00.123Z": "4 Mar 2026", "2026-03-05T05:00:00": "5 Mar 2026", "someday": "someday", "": ""} {
		reporttest.Equal(t, text, SentDay(locale.English, text, report.Clock("America/Los_Angeles")), want)
	}
}
