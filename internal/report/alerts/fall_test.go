package alerts_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/alerts"
	"github.com/storeglass/storeglass/internal/report/stores"
)

// shop is a generated store whose days are drawn at random.
type shop struct {
	r *rand.Rand
	// orders per day and the share of them that accepts an offer, before all other effects.
	orders, rate float64
	// weekly is how much the weekend differs, yearly the seasonal swing, growth the growth per year;
	// noise is a day's own, promos how many days a year sell double.
	weekly, yearly, growth, noise float64
	promos                        int
	// wobble is the noise of the rate, basket the spread of order values.
	wobble, basket float64
	drift          float64
}

// day draws a day; fall is the fraction of the rate that remains.
func (s *shop) day(d civil.Date, n int, fall float64) report.StoredSummary {
	level := s.orders * math.Pow(1+s.growth, float64(n)/365) * (1 + s.yearly*math.Sin(2*math.Pi*float64(n)/365))
	if w := d.In(time.UTC).Weekday(); w == time.Saturday || w == time.Sunday {
		level *= 1 + s.weekly
	}
	s.drift = 0.9*s.drift + s.noise*0.3*s.r.NormFloat64() // an effect that lasts for some days
	level *= math.Exp(s.noise*s.r.NormFloat64() + s.drift)
	if s.r.IntN(365) < s.promos {
		level *= 2
	}
	rate := fall * 1 / (1 + math.Exp(-(math.Log(s.rate/(1-s.rate)) + s.wobble*s.r.NormFloat64())))
	orders := poisson(s.r, level)
	upsold, value := int64(0), 0.0
	if mean := float64(orders) * rate; mean > 30 { // enough that their sum is nearly normal
		upsold = min(orders, max(0, int64(math.Round(mean+math.Sqrt(mean*(1-rate))*s.r.NormFloat64()))))
		usual, square := math.Exp(s.basket*s.basket/2), math.Exp(2*s.basket*s.basket)
		value = 20 * max(0, float64(upsold)*usual+math.Sqrt(float64(upsold)*(square-usual*usual))*s.r.NormFloat64())
	} else {
		for range orders {
			if s.r.Float64() < rate {
				upsold++
				value += 20 * math.Exp(s.basket*s.r.NormFloat64())
			}
		}
	}
	return report.StoredSummary{
		Window: report.OneDay(d), TotalOrders: orders, TotalUpsoldOrders: upsold,
		TotalUpsoldValue: decimal.NewFromFloat(value).Round(2), Currency: "USD",
	}
}

func poisson(r *rand.Rand, mean float64) int64 {
	if mean > 100 {
		return max(0, int64(math.Round(mean+math.Sqrt(mean)*r.NormFloat64())))
	}
	k, p, limit := int64(0), 1.0, math.Exp(-mean)
	for {
		if p *= r.Float64(); p <= limit {
			return k
		}
		k++
	}
}

var shops = map[string]shop{
	"tiny":          {orders: 8, rate: .12, weekly: .3, noise: .2, wobble: .1, basket: .6},
	"small":         {orders: 60, rate: .1, weekly: -.4, yearly: .3, noise: .15, wobble: .1, basket: .6, promos: 6},
	"middle":        {orders: 220, rate: .14, weekly: .5, yearly: .2, growth: .3, noise: .12, wobble: .12, basket: .8, promos: 10},
	"large":         {orders: 2000, rate: .08, weekly: -.3, yearly: .4, growth: -.3, noise: .1, wobble: .08, basket: .5, promos: 12},
	"shrinking":     {orders: 400, rate: .12, weekly: .2, growth: -.6, noise: .1, wobble: .1, basket: .6},
	"very seasonal": {orders: 500, rate: .1, weekly: -.6, yearly: .6, noise: .2, wobble: .15, basket: 1},
	"restless":      {orders: 150, rate: .2, weekly: .3, noise: .35, wobble: .3, basket: 1.2, promos: 25},
}

// year checks a store on each of its days and counts the opened alerts by rule.
func year(s shop, days int, fallAt int, fall float64) (opened map[string]int, onDay map[string]int) {
	opened, onDay = map[string]int{}, map[string]int{}
	first := civil.Date{Year: 2025, Month: time.January, Day: 6}
	in := alerts.Stored{Stored: stores.Stored{
		Store: report.Store{Slug: "acme", Currency: "USD", Timezone: "UTC"}, Location: time.UTC,
		Credentials: []report.StoredCredential{{Service: "upsell", State: "good"}},
	}}
	var all []report.StoredSummary
	for n := range days {
		part := 1.0
		if fallAt > 0 && n >= fallAt {
			part = fall
		}
		all = append(all, s.day(first.AddDays(n), n, part))
		if n < max(56, fallAt-2) {
			continue
		}
		now := first.AddDays(n + 1).In(time.UTC).Add(9 * time.Hour)
		in.UpsellAt, in.Days = now, all[max(0, len(all)-alerts.History(first).Days()):]
		found, _ := alerts.Find(in, now)
		for _, step := range alerts.Steps(in.Open, found, now) {
			if step.Rule != "rate-fell" && step.Rule != "value-fell" {
				continue
			}
			switch step.Kind {
			case alerts.StepOpen:
				opened[step.Rule]++
				onDay[step.Rule] = n
				in.Open = append(in.Open, alerts.Open{ID: int64(n), Rule: step.Rule, Since: step.Since, SeenAt: now, OpenedAt: now})
			case alerts.StepRecover, alerts.StepGone:
				var rest []alerts.Open
				for _, o := range in.Open {
					if o.Rule != step.Rule {
						rest = append(rest, o)
					}
				}
				in.Open = rest
			}
		}
	}
	return opened, onDay
}

// The standard: fewer than one false alarm per store in six quarters, and in no kind of store more than
// one in two.
func TestFallsAreRarelyFoundWhereNothingFell(t *testing.T) {
	t.Parallel()
	const stores, days = 6, 56 + 365
	total, quarters := 0, 0.0
	for name, kind := range shops {
		count := map[string]int{}
		for i := range stores {
			s := kind
			s.r = rand.New(rand.NewPCG(7, uint64(i)))
			opened, _ := year(s, days, 0, 1)
			for rule, n := range opened {
				count[rule] += n
			}
		}
		q := float64(stores) * 4
		t.Logf("%-14s rate %.3f, value %.3f false alarms a store and quarter", name, float64(count["rate-fell"])/q, float64(count["value-fell"])/q)
		if n := count["rate-fell"] + count["value-fell"]; float64(n)/q > 0.5 {
			t.Errorf("%s: %d false alarms in %.0f quarters", name, n, q)
		}
		total += count["rate-fell"] + count["value-fell"]
		quarters += q
	}
	t.Logf("all: %.3f", float64(total)/quarters)
	if float64(total)/quarters > 1.0/6 {
		t.Errorf("%d false alarms in %.0f quarters", total, quarters)
	}
}

func TestARealFallIsFoundWithinTwoDays(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]float64{"middle": .8, "large": .9, "shrinking": .9, "very seasonal": .9} {
		const stores, fallAt = 20, 70
		found := 0
		for i := range stores {
			s := shops[name]
			s.r = rand.New(rand.NewPCG(11, uint64(i)))
			if _, on := year(s, fallAt+2, fallAt, 0.35); on["rate-fell"] >= fallAt {
				found++
			}
		}
		t.Logf("%-14s %d of %d stores whose rate fell to a third", name, found, stores)
		if float64(found)/stores < want {
			t.Errorf("%s: found in %d of %d stores", name, found, stores)
		}
	}
}

// steady is ten weeks of identical days up to the given one, each modified by change.
func steady(last civil.Date, change func(*report.StoredSummary, int)) alerts.Stored {
	in := alerts.Stored{Stored: stores.Stored{
		Store: report.Store{Slug: "acme", Currency: "USD", Timezone: "UTC"}, Location: time.UTC,
		Credentials: []report.StoredCredential{{Service: "upsell", State: "good"}},
	}}
	for back := 58; back >= 0; back-- {
		d := last.AddDays(-back)
		s := report.StoredSummary{Window: report.OneDay(d), TotalOrders: 220 + int64(back%7), TotalUpsoldOrders: 28 + int64(back/7%4), Currency: "USD"}
		change(&s, back)
		s.TotalUpsoldValue = decimal.NewFromInt(s.TotalUpsoldOrders * 20)
		if s.TotalOrders > 0 {
			in.Days = append(in.Days, s)
		}
	}
	in.UpsellAt = last.AddDays(1).In(time.UTC).Add(8 * time.Hour)
	return in
}

var friday = civil.Date{Year: 2026, Month: time.November, Day: 20}

func foundOf(in alerts.Stored, rule string) []alerts.Finding {
	found, _ := alerts.Find(in, friday.AddDays(1).In(time.UTC).Add(9*time.Hour))
	var out []alerts.Finding
	for _, f := range found {
		if f.Rule == rule {
			out = append(out, f)
		}
	}
	return out
}

func TestAFallIsSaidInWordsWithItsNumbers(t *testing.T) {
	t.Parallel()
	in := steady(friday, func(s *report.StoredSummary, back int) {
		if back == 0 {
			s.TotalOrders, s.TotalUpsoldOrders = 221, 9
		}
	})
	got := foundOf(in, "rate-fell")
	if len(got) != 1 || got[0].Standing != alerts.Wrong {
		t.Fatalf("found %+v", got)
	}
	if want := "On Friday, 20 Nov the success rate was 4.1% (9 of 221 orders). That is 70% less than usual on a Friday: 13.6%. On the 8 Fridays before, it was between 12.7% and 14.1%. Check whether an offer, the theme or the checkout has changed since."; got[0].Text.In(locale.English) != want {
		t.Errorf("said %q", got[0].Text.In(locale.English))
	}
	value := foundOf(in, "value-fell")
	for l, want := range map[locale.Locale]string{
		locale.German:  "Erfolgsquote 70\u00a0% niedriger als üblich: Am Freitag, 20. Nov., lag die Erfolgsquote bei 4,1\u00a0% (9 von 221 Bestellungen). Das sind 70\u00a0% weniger als an einem Freitag üblich: 13,6\u00a0%. An den 8 Freitagen zuvor lag der Wert zwischen 12,7\u00a0% und 14,1\u00a0%. Prüfen Sie, ob sich seitdem ein Angebot, das Theme oder der Checkout geändert hat.",
		locale.French:  "Taux de réussite inférieur de 70\u00a0% à la normale: Le vendredi 20 nov., le taux de réussite était de 4,1\u00a0% (9 sur 221 commandes). C’est 70\u00a0% de moins que d’habitude un vendredi\u00a0: 13,6\u00a0%. Les 8 vendredis précédents, il se situait entre 12,7\u00a0% et 14,1\u00a0%. Vérifiez si une offre, le thème ou le paiement a changé depuis.",
		locale.Spanish: "Tasa de éxito un 70\u00a0% más baja de lo habitual: El viernes 20 de nov., la tasa de éxito fue de 4,1\u00a0% (9 de 221 pedidos). Es un 70\u00a0% menos de lo habitual en un viernes: 13,6\u00a0%. En los 8 viernes anteriores estuvo entre 12,7\u00a0% y 14,1\u00a0%. Compruebe si desde entonces ha cambiado una oferta, el tema o el proceso de pago.",
	} {
		if said := got[0].Title.In(l) + ": " + got[0].Text.In(l); said != want {
			t.Errorf("%s: said %q", l.Code(), said)
		}
	}
	if len(value) != 1 || value[0].Text.In(locale.English) != "On Friday, 20 Nov the upsold value was $180.00 (9 upsold orders). That is 70% less than usual on a Friday: $600.00. On the 8 Fridays before, it was between $560.00 and $620.00. Check whether an offer, the theme or the checkout has changed since." {
		t.Errorf("found %+v", value)
	}
}

func TestADayIsLookedAtWhenWhatComesLateHasCome(t *testing.T) {
	t.Parallel()
	in := steady(friday, func(s *report.StoredSummary, back int) { low(s, back == 0) })
	for hour, want := range map[int]int{0: 0, 5: 0, 6: 1, 23: 1} {
		found, _ := alerts.Find(in, friday.AddDays(1).In(time.UTC).Add(time.Duration(hour)*time.Hour))
		got := 0
		for _, f := range found {
			if f.Rule == "rate-fell" {
				got++
			}
		}
		if got != want {
			t.Errorf("at %d:00 %d were found", hour, got)
		}
	}
}

func TestWhatIsNoFall(t *testing.T) {
	t.Parallel()
	fell := func(s *report.StoredSummary) { s.TotalUpsoldOrders = 3 }
	for name, change := range map[string]func(*report.StoredSummary, int){
		"a missing day": func(s *report.StoredSummary, back int) {
			s.TotalOrders = map[bool]int64{true: 0, false: s.TotalOrders}[back == 0]
		},
		"a partial day":      func(s *report.StoredSummary, back int) { fellOn(s, back, 0, fell); s.Partial = back == 0 },
		"a revised day":      func(s *report.StoredSummary, back int) { fellOn(s, back, 0, fell); s.Revised = back == 0 },
		"too little history": func(s *report.StoredSummary, back int) { fellOn(s, back, 0, fell); s.Partial = back > 40 },
		"few orders": func(s *report.StoredSummary, back int) {
			s.TotalOrders, s.TotalUpsoldOrders = 20, 3
			fellOn(s, back, 0, func(s *report.StoredSummary) { s.TotalUpsoldOrders = 0 })
		},
		"few upsold orders to be expected": func(s *report.StoredSummary, back int) {
			s.TotalUpsoldOrders = 4
			fellOn(s, back, 0, func(s *report.StoredSummary) { s.TotalUpsoldOrders = 0 })
		},
		"a fall on the day before alone": func(s *report.StoredSummary, back int) { fellOn(s, back, 1, fell) },
		"a little less": func(s *report.StoredSummary, back int) {
			fellOn(s, back, 0, func(s *report.StoredSummary) { s.TotalUpsoldOrders = 22 })
		},
		"every Friday": func(s *report.StoredSummary, back int) { fellOn(s, back%7, 0, fell) },
	} {
		in := steady(friday, change)
		for _, rule := range []string{"rate-fell", "value-fell"} {
			if got := foundOf(in, rule); len(got) > 0 {
				t.Errorf("%s: %s: %+v", name, rule, got)
			}
		}
	}
}

func fellOn(s *report.StoredSummary, back, day int, change func(*report.StoredSummary)) {
	if back == day {
		change(s)
	}
}

func TestAFallIsOverWhenADayIsAsBeforeAndNotBecauseItBecameHistory(t *testing.T) {
	t.Parallel()
	open := func(daysAgo int) []alerts.Open {
		at := friday.AddDays(-daysAgo).In(time.UTC)
		return []alerts.Open{{ID: 1, Rule: "rate-fell", Since: at, SeenAt: at, OpenedAt: at}}
	}
	for name, c := range map[string]struct {
		change func(*report.StoredSummary, int)
		open   int
		want   string
	}{
		"still low after ten days": {func(s *report.StoredSummary, back int) { low(s, back <= 10) }, 10, "[wrong]"},
		"half way back": {func(s *report.StoredSummary, back int) {
			low(s, back <= 10)
			if back == 0 {
				s.TotalUpsoldOrders = 23
			}
		}, 10, "[unknown]"},
		"as before": {func(s *report.StoredSummary, back int) { low(s, back <= 10 && back > 0) }, 10, "[right]"},
		"the day is missing": {func(s *report.StoredSummary, back int) {
			low(s, back <= 10)
			if back == 0 {
				s.TotalOrders = 0
			}
		}, 10, "[unknown]"},
		"so for more than two weeks": {func(s *report.StoredSummary, back int) { low(s, back <= 15) }, 15, "[]"},
		"and then it is the usual":   {func(s *report.StoredSummary, back int) { low(s, back <= 16) }, -1, "[]"},
	} {
		in := steady(friday, c.change)
		if c.open >= 0 {
			in.Open = open(c.open)
		}
		var got []string
		for _, f := range foundOf(in, "rate-fell") {
			got = append(got, []string{"unknown", "right", "wrong"}[f.Standing])
		}
		if s := fmt.Sprint(got); s != c.want {
			t.Errorf("%s: %s, want %s", name, s, c.want)
		}
	}
}

// A day can't be back at a usual value of nothing.
func TestAFallIsNotOverBecauseItsHistoryIsWorthNothing(t *testing.T) {
	t.Parallel()
	in := steady(friday, func(*report.StoredSummary, int) {})
	for i := range in.Days {
		in.Days[i].TotalUpsoldValue = decimal.Zero
	}
	at := friday.AddDays(-5).In(time.UTC)
	in.Open = []alerts.Open{{ID: 1, Rule: "value-fell", Since: at, SeenAt: at, OpenedAt: at}}
	found := foundOf(in, "value-fell")
	if len(found) != 1 || found[0].Standing != alerts.Unknown {
		t.Errorf("%+v", found)
	}
}

func low(s *report.StoredSummary, is bool) {
	if is {
		s.TotalUpsoldOrders = 9
	}
}

func TestAGarbledDayIsNoFigure(t *testing.T) {
	t.Parallel()
	in := steady(friday, func(s *report.StoredSummary, back int) {
		if back == 0 {
			s.TotalUpsoldOrders = 100000
		}
		if back == 3 {
			s.TotalOrders, s.TotalUpsoldOrders = 1, -5
		}
	})
	for _, rule := range []string{"rate-fell", "value-fell"} {
		for _, f := range foundOf(in, rule) {
			if f.Standing == alerts.Wrong || strings.Contains(f.Text.In(locale.English), "NaN") {
				t.Errorf("%+v", f)
			}
		}
	}
}
