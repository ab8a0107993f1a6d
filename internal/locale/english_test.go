package locale

import (
	"testing"
	"time"

	"github.com/shopspring/decimal"
)

func TestMoneyIsWrittenWithTheDigitsAndSignOfItsCurrency(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ amount, code, main, muted string }{
		"dollars":          {"49975.83", "USD", "$49,975", ".83"},
		"Canadian dollars": {"6120.44", "CAD", "CA$6,120", ".44"},
		"Australian":       {"12", "AUD", "A$12", ".00"},
		"euros":            {"18204.9", "EUR", "€18,204", ".90"},
		"yen have none":    {"3482100", "JPY", "¥3,482,100", ""},
		"dinars have 3":    {"5218.375", "BHD", "BHD\u00a05,218", ".375"},
		"negative":         {"-1234.5", "GBP", "−£1,234", ".50"},
		"no minus zero":    {"-0.001", "USD", "$0", ".00"},
		"unknown code":     {"5", "XQZ", "XQZ\u00a05", ".00"},
		"no code":          {"5", "", "5", ".00"},
		"beyond float64":   {"90071992547409931.07", "USD", "$90,071,992,547,409,931", ".07"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := English.Money(*dec(c.amount), c.code); got != (Figure{Main: c.main, Muted: c.muted}) {
				t.Errorf("got %q", got)
			}
		})
	}
}

func TestAxisTicksAreShort(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{"0": "$0", "500": "$500", "2500": "$2.5k", "1250000": "$1.25m", "0.5": "$0.5", "3000000000": "$3b"} {
		if got := English.AxisMoney(*dec(in), "USD"); got != want {
			t.Errorf("%s: got %s, want %s", in, got, want)
		}
	}
	if got := English.RoundMoney(*dec("1500"), "USD"); got != "$1,500" {
		t.Error(got)
	}
	if got := English.RoundMoney(*dec("0.25"), "USD"); got != "$0.25" {
		t.Error(got)
	}
}

func TestCountsAndSharesAreWrittenWithoutANumberAsADash_N20(t *testing.T) {
	t.Parallel()
	for got, want := range map[string]string{
		English.Count(0): "0", English.Count(999): "999", English.Count(1204882): "1,204,882", English.Count(-1500): "−1,500",
		English.CountOrDash(nil): "–", English.Share(nil).String(): "–", English.Percent(nil).String(): "–", English.MoneyOrDash(nil, "USD").String(): "–",
		English.Share(dec("0.14263")).String(): "14.3%", English.Share(dec("0")).String(): "0.0%", English.Share(dec("1")).String(): "100.0%",
		English.Decimal(*dec("0.214")): "0.214", English.Decimal(*dec("1204")): "1,204",
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestGiftPercentIsNotMultipliedAgain_N48(t *testing.T) {
	t.Parallel()
	if got := English.Percent(dec("4.3")).String(); got != "4.3%" {
		t.Error(got)
	}
}

func TestChangeSaysItInWords(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ now, before, want string }{
		"more":                {"49975.83", "44462.48", "↑ 12.4% more"},
		"less":                {"37.66", "38.00", "↓ 0.9% less"},
		"equal":               {"5", "5.00", "= no change"},
		"both zero":           {"0", "0", "= no change"},
		"no baseline N46":     {"5", "0", "no baseline"},
		"nothing before":      {"5", "", "not compared"},
		"no number now N20":   {"", "5", "–"},
		"to zero":             {"0", "5", "↓ 100.0% less"},
		"tiny is not nothing": {"100001", "100000", "↑ under 0.1% more"},
		"huge":                {"500000", "10", "↑ 4,999,900% more"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var now, before *decimal.Decimal
			if c.now != "" {
				now = dec(c.now)
			}
			if c.before != "" {
				before = dec(c.before)
			}
			if got := English.Change(now, before).String(); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// Each number is rounded rightly, and a reader who subtracts gets the difference that is shown.
func TestARateAndItsChangeAddUp(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ now, before, want string }{
		{"0.1426", "0.1366", "14.3% was 13.7%: ↑ 0.6 points higher"},
		{"0.13", "0.14", "13.0% was 14.0%: ↓ 1.0 point lower"},
		{"0.1416", "0.1352", "14.16% was 13.52%: ↑ 0.64 points higher"},         // 14.2 less 13.5 isn't 0.6
		{"0.1416405", "0.135184", "14.164% was 13.518%: ↑ 0.646 points higher"}, // 14.16 less 13.52 isn't 0.65
		{"0.14", "0.14", "14.0% was 14.0%: = no change"},
		{"0.14", "", "14.0% was –: not compared"},
		{"", "0.14", "– was 14.0%: –"},
	} {
		one := func(text string) *decimal.Decimal {
			if text == "" {
				return nil
			}
			return dec(text)
		}
		is, was, change := English.CompareShares(one(c.now), one(c.before))
		if got := is.String() + " was " + was.String() + ": " + change.String(); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}

func TestReportedChangeOfNullHasNoBaseline_N46(t *testing.T) {
	t.Parallel()
	for got, want := range map[string]string{
		English.ReportedChange(nil).String():              "no baseline",
		English.ReportedChange(dec("18.1")).String():      "↑ 18.1% more",
		English.ReportedChange(dec("-2.1")).String():      "↓ 2.1% less",
		English.ReportedCountChange(dec("-2.1")).String(): "↓ 2.1% fewer",
		English.ReportedChange(dec("0")).String():         "= no change",
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestAgeAndClockInWords(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 20, 11, 55, 0, 0, time.UTC)
	for d, want := range map[time.Duration]string{
		-time.Minute: "just now", 59 * time.Second: "just now", time.Minute: "1 minute ago", 12 * time.Minute: "12 minutes ago",
		time.Hour: "1 hour ago", 47 * time.Hour: "47 hours ago", 9 * 24 * time.Hour: "9 days ago",
	} {
		if got := English.Age(now, now.Add(-d)); got != want {
			t.Errorf("%v: got %s, want %s", d, got, want)
		}
	}
	if English.Age(now, time.Time{}) != "never" {
		t.Error("the zero time is never")
	}
	for in, want := range map[string]string{"America/New_York": "New York time", "America/Argentina/Buenos_Aires": "Buenos Aires time", "UTC": "UTC", "": "UTC"} {
		if got := English.Clock(in); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func BenchmarkMoney(b *testing.B) {
	amount := *dec("49975.83")
	for b.Loop() {
		_ = English.Money(amount, "USD")
	}
}

func TestOrdersAreFewerAndAmountsLess(t *testing.T) {
	t.Parallel()
	if got := English.ChangeCount(new(int64(88)), new(int64(100))).String(); got != "↓ 12.0% fewer" {
		t.Error(got)
	}
	if got := English.Change(dec("88"), dec("100")).String(); got != "↓ 12.0% less" {
		t.Error(got)
	}
}
