package locale

import (
	"strings"
	"testing"
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"
)

func dec(text string) *decimal.Decimal {
	d := decimal.RequireFromString(text)
	return &d
}

func day(t *testing.T, text string) civil.Date {
	t.Helper()
	d, err := civil.ParseDate(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestALanguageHasOneFormForOneAndAnotherForMany(t *testing.T) {
	t.Parallel()
	for l, want := range map[Locale]string{
		English: "0 orders, 1 order, 2 orders, 12,345 orders", German: "0 Bestellungen, 1 Bestellung, 2 Bestellungen, 12.345 Bestellungen",
		French: "0 commande, 1 commande, 2 commandes, 12\u202f345 commandes", Spanish: "0 pedidos, 1 pedido, 2 pedidos, 12.345 pedidos",
	} {
		var got []string
		for _, n := range []int64{0, 1, 2, 12345} {
			got = append(got, l.T("figure.orders", "n", n))
		}
		if got := strings.Join(got, ", "); got != want {
			t.Errorf("%s: %s, want %s", l.Code(), got, want)
		}
	}
}

// As in CLDR, except that a minus is as long as a plus.
func TestAmountsAndDaysAreWrittenAsTheLanguageDoes(t *testing.T) {
	t.Parallel()
	spaces := strings.NewReplacer("\u00a0", "_", "\u202f", "~")
	monday := day(t, "2026-11-09")
	for l, want := range map[Locale]string{
		English: "$1,354.20 | €11,943.49 | ¥3,482,101 | BHD_5,218.375 | −$12.00 | $0.00 | 14.2% | 2,231 | 9 – 15 Nov 2026 | 26 Oct – 1 Nov | 30 Dec 2025 – 2 Jan 2026 | Mon 9 Nov | Mon 9 | $1,354 | $2.5k | 14:05",
		German:  "1.354,20_$ | 11.943,49_€ | 3.482.101_¥ | 5.218,375_BHD | −12,00_$ | 0,00_$ | 14,2_% | 2.231 | 9.–15. Nov. 2026 | 26. Okt. – 1. Nov. | 30. Dez. 2025 – 2. Jan. 2026 | Mo., 9. Nov. | Mo., 9. | 1.354_$ | 2,5_Tsd._$ | 14:05",
		French:  "1~354,20_$US | 11~943,49_€ | 3~482~101_JPY | 5~218,375_BHD | −12,00_$US | 0,00_$US | 14,2_% | 2~231 | du 9 au 15 nov. 2026 | du 26 oct. au 1er nov. | du 30 déc. 2025 au 2 janv. 2026 | lun. 9 nov. | lun. 9 | 1~354_$US | 2,5_k_$US | 14_h_05",
		Spanish: "1354,20_US$ | 11.943,49_€ | 3.482.101_JPY | 5218,375_BHD | −12,00_US$ | 0,00_US$ | 14,2_% | 2231 | del 9 al 15 de nov. de 2026 | del 26 de oct. al 1 de nov. | del 30 de dic. de 2025 al 2 de ene. de 2026 | lun, 9 de nov. | lun, 9 | 1354_US$ | 2,5_mil_US$ | 14:05",
	} {
		money := func(amount, code string) string { return l.Money(*dec(amount), code).String() }
		got := strings.Join([]string{
			money("1354.2", "USD"), money("11943.49", "EUR"), money("3482100.6", "JPY"), money("5218.375", "BHD"), money("-12", "USD"), money("-0.001", "USD"),
			l.Share(dec("0.142")).String(), l.Count(2231), l.Dates(monday, day(t, "2026-11-15")), l.DatesShort(day(t, "2026-10-26"), day(t, "2026-11-01")),
			l.Dates(day(t, "2025-12-30"), day(t, "2026-01-02")), l.Weekday(monday), l.WeekdayNumber(monday),
			l.WholeMoney(*dec("1354.2"), "USD"), l.AxisMoney(*dec("2500"), "USD"), l.Time(time.Date(2026, 11, 9, 14, 5, 0, 0, time.UTC)),
		}, " | ")
		if got := spaces.Replace(got); got != want {
			t.Errorf("%s:\n got %s\nwant %s", l.Code(), got, want)
		}
	}
}

// No amount passes through a float.
func TestNoLanguageLosesACentOfALargeAmount(t *testing.T) {
	t.Parallel()
	for _, l := range All() {
		got := strings.Map(func(r rune) rune {
			if r < '0' || r > '9' {
				return -1
			}
			return r
		}, l.Money(*dec("90071992547409931234.57"), "EUR").String())
		if got != "9007199254740993123457" {
			t.Error(l.Code(), got)
		}
	}
}

func TestChangesAreSaidAsTheLanguageDoes(t *testing.T) {
	t.Parallel()
	n := func(n int64) *int64 { return &n }
	for l, want := range map[Locale]string{
		English: "↑ 12.5% more | ↓ 0.7% fewer | = no change | no baseline | not compared | ↑ 0.8 points higher | ↓ 1.0 point lower | ↑ under 0.1% more | ↓ 2,345% less",
		German:  "↑ 12,5_% mehr | ↓ 0,7_% weniger | = unverändert | kein Vergleich | nicht verglichen | ↑ 0,8 Punkte höher | ↓ 1,0 Punkt niedriger | ↑ unter 0,1_% mehr | ↓ 2.345_% weniger",
		French:  "↑ 12,5_% de plus | ↓ 0,7_% de moins | = inchangé | sans référence | non comparé | ↑ en hausse de 0,8 point | ↓ en baisse de 1,0 point | ↑ moins de 0,1_% de plus | ↓ 2~345_% de moins",
		Spanish: "↑ 12,5_% más | ↓ 0,7_% menos | = sin cambios | sin referencia | sin comparar | ↑ 0,8 puntos más | ↓ 1,0 punto menos | ↑ menos de 0,1_% más | ↓ 2345_% menos",
	} {
		points := func(now, before *decimal.Decimal) Delta {
			_, _, change := l.CompareShares(now, before)
			return change
		}
		got := []Delta{
			l.Change(dec("112.5"), dec("100")), l.ChangeCount(n(993), n(1000)), l.Change(dec("3"), dec("3")), l.Change(dec("3"), dec("0")), l.Change(dec("3"), nil),
			points(dec("0.158"), dec("0.150")), points(dec("0.14"), dec("0.15")), l.Change(dec("100001"), dec("100000")), l.ReportedChange(dec("-2345.1")),
		}
		text := make([]string, len(got))
		for i, d := range got {
			text[i] = strings.NewReplacer("\u00a0", "_", "\u202f", "~").Replace(d.String())
		}
		if got := strings.Join(text, " | "); got != want {
			t.Errorf("%s:\n got %s\nwant %s", l.Code(), got, want)
		}
	}
}

func TestAgesAndListsAreSaidAsTheLanguageDoes(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 19, 12, 0, 0, 0, time.UTC)
	days := []civil.Date{day(t, "2026-11-01"), day(t, "2026-11-02"), day(t, "2026-11-05"), day(t, "2026-11-07")}
	for l, want := range map[Locale]string{
		English: "never | just now | 1 minute ago | 3 hours ago | 9 days ago | 1 Nov, 2 Nov and 2 more days | 1 Nov, 2 Nov and 5 Nov | 0 days | 1 day",
		German:  "nie | gerade eben | vor 1 Minute | vor 3 Stunden | vor 9 Tagen | 1. Nov., 2. Nov. und 2 weitere Tage | 1. Nov., 2. Nov. und 5. Nov. | 0 Tage | 1 Tag",
		French:  "jamais | à l’instant | il y a 1 minute | il y a 3 heures | il y a 9 jours | 1er nov., 2 nov. et 2 autres jours | 1er nov., 2 nov. et 5 nov. | 0 jour | 1 jour",
		Spanish: "nunca | ahora mismo | hace 1 minuto | hace 3 horas | hace 9 días | 1 de nov., 2 de nov. y 2 días más | 1 de nov., 2 de nov. y 5 de nov. | 0 días | 1 día",
	} {
		got := strings.Join([]string{
			l.Age(now, time.Time{}), l.Age(now, now), l.Age(now, now.Add(-time.Minute)), l.Age(now, now.Add(-3*time.Hour)), l.Age(now, now.AddDate(0, 0, -9)),
			l.DayList(days), l.DayList(days[:3]), l.Days(0), l.Days(1),
		}, " | ")
		if got != want {
			t.Errorf("%s:\n got %s\nwant %s", l.Code(), got, want)
		}
	}
}

func TestAClockIsCalledByItsCityInTheLanguage(t *testing.T) {
	t.Parallel()
	for l, want := range map[Locale]string{
		English: "New York time, Vienna time, Cairo time, Athens time, UTC", German: "New Yorker Zeit, Wiener Zeit, Zeit von Kairo, Athener Zeit, UTC",
		French: "heure de New York, heure de Vienne, heure du Caire, heure d’Athènes, UTC", Spanish: "hora de Nueva York, hora de Viena, hora de El Cairo, hora de Atenas, UTC",
	} {
		var got []string
		for _, zone := range []string{"America/New_York", "Europe/Vienna", "Africa/Cairo", "Europe/Athens", "Etc/UTC"} {
			got = append(got, l.Clock(zone))
		}
		if got := strings.Join(got, ", "); got != want {
			t.Errorf("%s: %s, want %s", l.Code(), got, want)
		}
	}
}

func TestALanguageThatWeDontWriteIsEnglish(t *testing.T) {
	t.Parallel()
	for _, l := range All() {
		if got, ok := Of(l.Code()); !ok || got != l {
			t.Error(l.Code(), got, ok)
		}
	}
	if l, ok := Of("tlh"); ok || l != English {
		t.Error("Klingon is", l, ok)
	}
	for header, want := range map[string]Locale{
		"": English, "de-AT,de;q=0.9,en;q=0.8": German, "fr-CA": French, "es-419,es;q=0.8": Spanish, "ja": English,
		"ja,fr;q=0.5": French, "en-GB,de;q=0.9": English, "nonsense;;q=": English,
	} {
		if got := Match(header); got != want {
			t.Errorf("%q is %s, want %s", header, got.Code(), want.Code())
		}
	}
}

func TestTheDotOfAnAbbreviationEndsTheSentence(t *testing.T) {
	t.Parallel()
	if got := Spanish.T("weekly.gap.placements", "days", "12 de nov.", "n", 1); got != "Ubicaciones: los totales no incluyen el 12 de nov." {
		t.Error(got)
	}
}

func TestAMessageIsKeptWithoutItsLanguage(t *testing.T) {
	t.Parallel()
	m := M("change.under", "amount", "0,1 %")
	if got := m.In(German); got != "unter 0,1 %" {
		t.Error(got)
	}
	if got := English.T("no.such_message"); got != "no.such_message" {
		t.Error(got)
	}
}

func TestANumberIsReadAsTheLanguageWritesIt(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		l    Locale
		text string
		want string // empty: refused
	}{
		"English":                           {English, "54,000.50", "54000.5"},
		"English without separators":        {English, "54000", "54000"},
		"German":                            {German, "54.000,50", "54000.5"},
		"a point is no fraction in German":  {German, "54.5", ""},
		"a comma is no fraction in English": {English, "54,5", ""},
		"French, as a keyboard writes it":   {French, "54 000,5", "54000.5"},
		"French, as we write it":            {French, French.Count(54000), "54000"},
		"Spanish":                           {Spanish, "1.204.882", "1204882"},
		"negative":                          {English, "-5", ""},
		"words":                             {English, "5k", ""},
		"nothing":                           {English, "", ""},
		"no fraction behind the point":      {English, "5.", ""},
		"an exponent":                       {English, "1e9", ""},
		"groups of two":                     {English, "5,40,000", ""},
	} {
		got, ok := c.l.ParseNumber(c.text)
		if ok != (c.want != "") || ok && got.String() != c.want {
			t.Errorf("%s: %q is %s, %v", name, c.text, got, ok)
		}
	}
}
