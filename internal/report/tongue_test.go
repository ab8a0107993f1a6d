package report

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"
)

// alike are the phrases that are the same in two languages.
var alike = map[Tongue][]string{
	German: {"Colon", "Missing"}, French: {"Points"}, Spanish: {"Colon", "Missing"},
}

// phrases calls a method of a language's words once for each choice that it has, with
// names that can be found again.
func phrases(t *testing.T, tongue Tongue, method reflect.Method) map[string]string {
	t.Helper()
	out := map[string]string{}
	f := reflect.ValueOf(tongue.Words()).MethodByName(method.Name)
	var args func(done []reflect.Value)
	args = func(done []reflect.Value) {
		if len(done) < f.Type().NumIn() {
			for _, v := range choices(t, method.Name, f.Type().In(len(done)), len(done)) {
				args(append(done[:len(done):len(done)], reflect.ValueOf(v)))
			}
			return
		}
		answer := f.Call(done)[0]
		var text string
		if s, ok := answer.Interface().(saying); ok {
			text = s.title + " | " + s.text
		} else {
			text = answer.String()
		}
		out[fmt.Sprint(done)] = text
	}
	args(nil)
	return out
}

func choices(t *testing.T, method string, of reflect.Type, place int) []any {
	t.Helper()
	switch of {
	case reflect.TypeFor[string]():
		switch {
		case method == "Told" && place == 0:
			return []any{"failed", "refused", "quarantined", "paused"}
		case method == "Advice" && place == 1:
			return []any{"", "wrong_shop", "trial_lapsed", "NO_PLAN", "APP_UNINSTALLED", "WRONG_SURFACE", "INSUFFICIENT_SCOPE", "MISSING_KEY"}
		case slices.Contains([]string{"Disconnected", "NeedsPerson", "Advice", "Doubted"}, method) && place == 0:
			return []any{"upsell", "gift"}
		case method == "Fix":
			return []any{"APP_EMBED_DISABLED", "THEME_NOT_OS2", "NO_CAMPAIGN", "NO_ACTIVE_CAMPAIGN"}
		case (method == "TriggerDeleted" || method == "Gone") && place == 0:
			return []any{"", "product", "collection", "tag"}
		}
		return []any{fmt.Sprintf("«%d»", place)}
	case reflect.TypeFor[int]():
		return []any{1, 2, 5}
	case reflect.TypeFor[int64]():
		return []any{int64(0), int64(1), int64(2), int64(12345)}
	case reflect.TypeFor[bool]():
		return []any{true, false}
	case reflect.TypeFor[unit]():
		return []any{unitMinutes, unitHours, unitDays}
	case reflect.TypeFor[thing]():
		return []any{theRanking, theAllTimeTotal, theCoverage, theOfferCount, theGiftResult, theGiftPlan, theSetupHealth}
	case reflect.TypeFor[Basis]():
		return []any{Reported, Stitched, Derived, NotReported}
	case reflect.TypeFor[Delta]():
		return []any{Delta{Up, "«percent»", "«word»"}}
	case reflect.TypeFor[Flag]():
		return []any{FlagChanged, FlagDrift, FlagRateDisagrees, FlagIncomplete, Flag("another")}
	case reflect.TypeFor[Direction]():
		return []any{Up, Down, Level}
	case reflect.TypeFor[Cause]():
		return []any{CauseNeverConnected, CauseFilling, CauseNotKept, CauseFailed}
	case reflect.TypeFor[need]():
		return []any{needsServices, needsUpsellToken, needsUpsellAddress, needsGiftKey, needsGiftAddress, needsGiftPlan, needsGiftTrial, needsGiftApp, needsEmbed, needsCampaigns, needsRevenue}
	case reflect.TypeFor[uncompared]():
		return []any{isLastGood, isNotWhole, beforeNotStored, beforeNotWhole, beforeOtherwise}
	case reflect.TypeFor[time.Weekday]():
		return []any{time.Monday, time.Tuesday, time.Wednesday, time.Thursday, time.Friday, time.Saturday, time.Sunday}
	}
	t.Fatalf("%s takes a %s: say here which there are", method, of)
	return nil
}

// marks are the names in a phrase.
func marks(text string) []string {
	var out []string
	for _, part := range strings.Split(text, "«")[1:] {
		name, _, _ := strings.Cut(part, "»")
		if !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

func TestEveryPhraseIsSaidInEveryLanguage(t *testing.T) {
	t.Parallel()
	all := reflect.TypeFor[Words]()
	for tongue := German; int(tongue) < len(tongues); tongue++ {
		for i := range all.NumMethod() {
			method := all.Method(i)
			in := phrases(t, English, method)
			for args, text := range phrases(t, tongue, method) {
				name := fmt.Sprintf("%s %s%s", tongue.Code(), method.Name, args)
				if strings.TrimSpace(text) == "" || strings.Contains(text, "  ") || strings.HasPrefix(text, " ") {
					t.Errorf("%s is %q", name, text)
				}
				if text == in[args] && !slices.Contains(alike[tongue], method.Name) {
					t.Errorf("%s is English: %q", name, text)
				}
				if method.Name != "Quoted" && method.Name != "Told" && method.Name != "Advice" && !slices.Equal(marks(text), marks(in[args])) {
					t.Errorf("%s is %q, English %q: it names other things", name, text, in[args])
				}
			}
		}
	}
}

func TestALanguageHasOneFormForOneAndAnotherForMany(t *testing.T) {
	t.Parallel()
	for tongue, want := range map[Tongue]string{
		English: "0 orders, 1 order, 2 orders, 12,345 orders", German: "0 Bestellungen, 1 Bestellung, 2 Bestellungen, 12.345 Bestellungen",
		French: "0 commande, 1 commande, 2 commandes, 12\u202f345 commandes", Spanish: "0 pedidos, 1 pedido, 2 pedidos, 12.345 pedidos",
	} {
		var got []string
		for _, n := range []int64{0, 1, 2, 12345} {
			got = append(got, tongue.Words().Orders(n))
		}
		equal(t, tongue.Code(), strings.Join(got, ", "), want)
	}
}

// What CLDR has, but that a minus is as long as a plus.
func TestAmountsAndDaysAreWrittenAsTheLanguageDoes(t *testing.T) {
	t.Parallel()
	spaces := strings.NewReplacer("\u00a0", "_", "\u202f", "~")
	w := span("2026-11-09", "2026-11-15")
	for tongue, want := range map[Tongue]string{
		English: "$1,354.20 | €11,943.49 | ¥3,482,101 | BHD_5,218.375 | −$12.00 | $0.00 | 14.2% | 2,231 | 9 – 15 Nov 2026 | 26 Oct – 1 Nov | 30 Dec 2025 – 2 Jan 2026 | Mon 9 Nov | Mon 9 | $1,354 | $2.5k",
		German:  "1.354,20_$ | 11.943,49_€ | 3.482.101_¥ | 5.218,375_BHD | −12,00_$ | 0,00_$ | 14,2_% | 2.231 | 9.–15. Nov. 2026 | 26. Okt. – 1. Nov. | 30. Dez. 2025 – 2. Jan. 2026 | Mo., 9. Nov. | Mo., 9. | 1.354_$ | 2,5_Tsd._$",
		French:  "1~354,20_$US | 11~943,49_€ | 3~482~101_JPY | 5~218,375_BHD | −12,00_$US | 0,00_$US | 14,2_% | 2~231 | du 9 au 15 nov. 2026 | du 26 oct. au 1 nov. | du 30 déc. 2025 au 2 janv. 2026 | lun. 9 nov. | lun. 9 | 1~354_$US | 2,5_k_$US",
		Spanish: "1354,20_US$ | 11.943,49_€ | 3.482.101_JPY | 5218,375_BHD | −12,00_US$ | 0,00_US$ | 14,2_% | 2231 | del 9 al 15 de nov. de 2026 | del 26 de oct. al 1 de nov. | del 30 de dic. de 2025 al 2 de ene. de 2026 | lun, 9 de nov. | lun, 9 | 1354_US$ | 2,5_mil_US$",
	} {
		money := func(amount, code string) string { return tongue.Money(*dec(amount), code).String() }
		got := []string{
			money("1354.2", "USD"), money("11943.49", "EUR"), money("3482100.6", "JPY"), money("5218.375", "BHD"), money("-12", "USD"), money("-0.001", "USD"),
			tongue.Share(dec("0.142")).String(), tongue.Count(2231), tongue.Dates(w), tongue.DatesShort(span("2026-10-26", "2026-11-01")),
			tongue.Dates(span("2025-12-30", "2026-01-02")), tongue.Weekday(w.Start), tongue.WeekdayNumber(w.Start),
			tongue.WholeMoney(*dec("1354.2"), "USD"), tongue.AxisMoney(*dec("2500"), "USD"),
		}
		equal(t, tongue.Code(), spaces.Replace(strings.Join(got, " | ")), want)
	}
}

// No amount goes through a float.
func TestNoLanguageLosesACentOfALargeAmount(t *testing.T) {
	t.Parallel()
	amount := decimal.RequireFromString("90071992547409931234.57")
	for tongue := range tongues {
		got := strings.Map(func(r rune) rune {
			if r < '0' || r > '9' {
				return -1
			}
			return r
		}, Tongue(tongue).Money(amount, "EUR").String())
		equal(t, Tongue(tongue).Code(), got, "9007199254740993123457")
	}
}

func TestALanguageThatWeDontWriteIsEnglish(t *testing.T) {
	t.Parallel()
	for _, l := range MailLanguages {
		tongue, ok := TongueOf(l.Code)
		equal(t, l.Name, tongue.Code(), l.Code)
		equal(t, l.Name, ok, true)
	}
	tongue, ok := TongueOf("tlh")
	equal(t, "Klingon", tongue, English)
	equal(t, "is known", ok, false)
}

func TestAClockIsCalledByItsCityInTheLanguage(t *testing.T) {
	t.Parallel()
	for tongue, want := range map[Tongue]string{
		English: "New York time, Vienna time, Cairo time, Athens time, UTC", German: "New Yorker Zeit, Wiener Zeit, Zeit von Kairo, Athener Zeit, UTC",
		French: "heure de New York, heure de Vienne, heure du Caire, heure d’Athènes, UTC", Spanish: "hora de Nueva York, hora de Viena, hora de El Cairo, hora de Atenas, UTC",
	} {
		var got []string
		for _, zone := range []string{"America/New_York", "Europe/Vienna", "Africa/Cairo", "Europe/Athens", "Etc/UTC"} {
			got = append(got, tongue.Clock(zone))
		}
		equal(t, tongue.Code(), strings.Join(got, ", "), want)
	}
}
