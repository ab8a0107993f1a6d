package report

import (
	"strings"
	"testing"

	"github.com/storeglass/storeglass/internal/locale"
)

// unisolated is text as a person reads it.
func unisolated(s string) string { return strings.NewReplacer("\u2068", "", "\u2069", "").Replace(s) }

func TestTriggerConditionsAreJoinedWithAndAndNameWhatWasDeleted(t *testing.T) {
	t.Parallel()
	boots, gone := ConditionName{Kind: "product", Name: "Boots"}, ConditionName{Kind: "product", Name: "GTX", Deleted: true}
	for name, c := range map[string]struct {
		setup           SetupBody
		words, sentence string
		deleted         int
	}{
		"every order":   {SetupBody{TriggerCriteria: "no-condition"}, "Every order", "", 0},
		"not sent":      {SetupBody{}, "When it shows was not sent", "", 0},
		"set, not sent": {SetupBody{TriggerCriteria: "set-conditions"}, "An order that meets conditions the app did not send", "", 0},
		"another word":  {SetupBody{TriggerCriteria: "moon"}, "As sent: moon", "", 0},
		"one":           {SetupBody{TriggerCriteria: "set-conditions", Conditions: []Condition{{Names: []ConditionName{boots}}}}, "An order that meets this", "Product: Boots", 0},
		"both": {
			SetupBody{TriggerCriteria: "set-conditions", Conditions: []Condition{{Names: []ConditionName{boots, gone}}, {Names: []ConditionName{{Kind: "collection", Name: "Footwear"}}}}},
			"An order that meets both", "Products: Boots, GTX (deleted) · Collection: Footwear", 1,
		},
		"not understood": {
			SetupBody{Conditions: []Condition{{Names: []ConditionName{{Kind: "tag", Name: "vip"}}}, {Kind: "order_value", Raw: `{"type":"order_value","value":9.50,"over":true}`}, {Kind: "Odd one", Raw: `{"v":[1]}`}, {Kind: "mixed", Names: []ConditionName{boots, {Kind: "tag", Name: "x"}}}, {}}},
			"An order that meets all 5", `Tag: vip · Order value, as sent: over true, value 9.50 · Condition “Odd one”, as sent: {"v":[1]} · Mixed: Boots, x · A condition without a name`, 0,
		},
	} {
		equal(t, name, unisolated(c.setup.TriggerWords(locale.English)), c.words)
		equal(t, name+", sentence", unisolated(c.setup.TriggerSentence(locale.English)), c.sentence)
		equal(t, name+", deleted", len(c.setup.DeletedTriggers()), c.deleted)
	}
}

func TestDiscountsAreStatedAsSentAndNeverAsPrices(t *testing.T) {
	t.Parallel()
	for want, d := range map[string][2]string{
		"15% off": {"percentage", "15"}, "12.5% off": {"Percent", "12.5"}, "$5.00 off": {"fixed_amount", "5"}, "no discount": {"none", "0"},
		"free shipping": {"free-shipping", ""}, "discount not stated": {"", ""}, "“moon 3”, as sent": {"moon", "3"}, "“moon”, as sent": {"moon", ""},
		"“9”, as sent": {"", "9"}, "“percentage a lot”, as sent": {"percentage", "a lot"}, "“none”, as sent": {"", "none"},
	} {
		equal(t, d[0]+" "+d[1], unisolated(DiscountWords(locale.English, d[0], d[1], "USD")), want)
	}
	equal(t, "yen", DiscountWords(locale.English, "fixed_amount", "500", "JPY"), "¥500 off")
}

func TestWhatWasNotSentIsNotNone_N33(t *testing.T) {
	t.Parallel()
	equal(t, "no discount sent", SetupBody{}.DiscountWords(locale.English), "No discount on the offer itself: its products have their own, or none was sent.")
	equal(t, "one on the offer", SetupBody{DiscountType: "percentage", DiscountValue: "10"}.DiscountWords(locale.English), "On the whole offer: 10% off.")
	equal(t, "of an unknown kind", unisolated(SetupBody{DiscountType: "moon"}.DiscountWords(locale.English)), "On the whole offer: “moon”, as sent.")
	equal(t, "stated to be none", SetupBody{DiscountType: "none", DiscountValue: "0"}.DiscountWords(locale.English), "On the whole offer: no discount.")
	today := on("2026-11-20")
	for want, s := range map[string]SetupBody{
		"started 4 Mar 2026, no end date":            {StartDate: "2026-03-04T09:00:00"},
		"starts 1 Dec 2026, ends 24 Dec 2026":        {StartDate: "2026-12-01", EndDate: "2026-12-24"},
		"started 4 Mar 2026, ended 3 Nov 2026":       {StartDate: "2026-03-04", EndDate: "2026-11-03T23:59:59-05:00"},
		"start not sent, no end date":                {},
		"start “soon”, as sent, end “late”, as sent": {StartDate: "soon", EndDate: "late"},
		"started 4 Mar 2026, ends 20 Nov 2026":       {StartDate: "2026-03-04", EndDate: "2026-11-20"},
	} {
		equal(t, "schedule", unisolated(s.ScheduleWords(locale.English, today)), want)
	}
}

func TestATimeOfTheServiceStaysOnTheStoresClock_N26(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"2026-03-04T23:30:00-08:00": "4 Mar 2026", "2026-03-04T23:30:00": "4 Mar 2026", "2026-03-04 23:30:00": "4 Mar 2026", "2026-03-04T23:30:00.123Z": "4 Mar 2026",
		"someday": "someday", "": "",
	} {
		equal(t, text, SentDay(locale.English, text), want)
	}
}
