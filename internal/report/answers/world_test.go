package answers_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/answers"
	"github.com/storeglass/storeglass/internal/report/overview"
)

// today is the day on which the generated stores are examined: a Tuesday.
var today = civil.Date{Year: 2026, Month: time.November, Day: 24}

// A generated store's days: 14 before the two windows of 30, and none after.
const (
	early  = 14
	length = 30
	days   = early + 2*length
)

// offer sells to a share of the store's orders, between two days.
type offer struct {
	id        string
	placement report.Placement
	share     float64
	price     float64
	from, to  int // the first and the last day; may lie outside
}

// world is a generated store: the truth about each of its days.
type world struct {
	r       *rand.Rand
	orders  func(day int) float64 // usual store orders
	share   func(day int) float64 // multiplies what offers sell
	price   func(day int) float64 // multiplies what a sale is worth
	offers  []offer
	events  []report.Event
	cause   string // what a correct answer names; empty for nothing
	weekend float64
	noise   float64
	wobble  float64
	basket  float64
}

func flat(x float64) func(int) float64 { return func(int) float64 { return x } }

func from(day int, before, after float64) func(int) float64 {
	return func(d int) float64 {
		if d < day {
			return before
		}
		return after
	}
}

// newWorld draws a store without any cause: its offers run all the time, except for small ones that
// start, end or replace each other, and campaigns that change nothing.
func newWorld(seed uint64) *world {
	r := rand.New(rand.NewPCG(seed, 4))
	w := &world{
		r: r, orders: flat(60 * math.Exp(2.2*r.Float64())), share: flat(1), price: flat(1),
		weekend: -0.4 + 0.9*r.Float64(), noise: 0.05 + 0.13*r.Float64(), wobble: 0.03 + 0.1*r.Float64(), basket: 0.3 + 0.5*r.Float64(),
	}
	places := []report.Placement{report.PostPurchase, report.ThankYou, report.OrderStatus}
	for i := range 4 + r.IntN(5) {
		w.offers = append(w.offers, offer{
			id: fmt.Sprint("o", i), placement: places[min(r.IntN(5)/2, 2)], share: 0.01 + 0.03*r.Float64(), price: 15 + 40*r.Float64(), from: -100, to: 1000,
		})
	}
	for i := range r.IntN(4) { // events without an effect
		day := early + length + r.IntN(length)
		switch r.IntN(4) {
		case 0: // a small offer starts
			w.add(offer{id: fmt.Sprint("small", i), placement: places[r.IntN(3)], share: 0.001, price: 20, from: day, to: 1000})
		case 1: // one offer replaces another that did just as well
			o := w.offers[r.IntN(4)]
			if o.to < 1000 || o.from > -100 {
				continue
			}
			n := o
			n.id, n.from = fmt.Sprint("new", i), day
			for j := range w.offers {
				if w.offers[j].id == o.id {
					w.offers[j].to = day - 1
					w.events = append(w.events, w.event(w.offers[j], false, day-1))
				}
			}
			w.add(n)
		case 2: // a campaign that changes nothing
			w.events = append(w.events, report.Event{Day: dayOf(day), Start: r.IntN(2) == 0, Gift: true, Name: fmt.Sprint("gift", i)})
		case 3: // one that hardly sold ends
			o := offer{id: fmt.Sprint("weak", i), placement: places[r.IntN(3)], share: 0.0007, price: 25, from: -100, to: day}
			w.offers = append(w.offers, o)
			w.events = append(w.events, w.event(o, false, day))
		}
	}
	return w
}

func dayOf(n int) civil.Date { return today.AddDays(n - days) }

func (w *world) event(o offer, start bool, day int) report.Event {
	return report.Event{Day: dayOf(day), Start: start, Name: o.id, OfferID: o.id, Placement: o.placement}
}

// add starts an offer.
func (w *world) add(o offer) {
	w.offers = append(w.offers, o)
	w.events = append(w.events, w.event(o, true, o.from))
}

// total is what the offers sell per order on a usual day, in money.
func (w *world) total() (sum float64) {
	for _, o := range w.offers {
		if o.from <= early && o.to >= days {
			sum += o.share * o.price
		}
	}
	return sum
}

// input draws the world's days.
func (w *world) input() answers.Input {
	r := w.r
	var in answers.Input
	drift, slope := 0.0, 0.002*r.NormFloat64()/3
	tops := [2]map[string]decimal.Decimal{{}, {}}
	places := [2]map[report.Placement]decimal.Decimal{{}, {}}
	totals := [2]report.StoredSum{}
	windows := [2]report.Window{report.WindowEnding(today.AddDays(-1-length), length), report.WindowEnding(today.AddDays(-1), length)}
	for d := range days {
		level := w.orders(d) * math.Exp(slope*float64(d))
		if wd := dayOf(d).In(time.UTC).Weekday(); wd == time.Saturday || wd == time.Sunday {
			level *= 1 + w.weekend
		}
		drift = 0.6*drift + 0.4*w.noise*r.NormFloat64()
		orders := poisson(r, level*math.Exp(drift+w.noise*r.NormFloat64()))
		wobble := math.Exp(w.wobble * r.NormFloat64())
		value, upsold := decimal.Zero, int64(0)
		byPlace := map[report.Placement]decimal.Decimal{report.PostPurchase: {}, report.ThankYou: {}, report.OrderStatus: {}}
		side := -1
		for i := range windows {
			if windows[i].Contains(dayOf(d)) {
				side = i
			}
		}
		for _, o := range w.offers {
			if d < o.from || d > o.to {
				continue
			}
			mean := float64(orders) * o.share * w.share(d) * wobble
			if d == o.from || d == o.to {
				mean /= 2
			}
			n := poisson(r, mean)
			earned := 0.0
			for range n {
				earned += o.price * w.price(d) * math.Exp(w.basket*r.NormFloat64()-w.basket*w.basket/2)
			}
			e := decimal.NewFromFloat(earned).Round(2)
			if n == 0 {
				continue
			}
			value, upsold = value.Add(e), upsold+n
			byPlace[o.placement] = byPlace[o.placement].Add(e)
			in.Offers.Days = append(in.Offers.Days, report.StoredOfferDay{OfferID: o.id, Day: dayOf(d), Revenue: &e})
			if side >= 0 {
				tops[side][o.id] = tops[side][o.id].Add(e)
			}
		}
		s := report.StoredSummary{Window: report.OneDay(dayOf(d)), TotalUpsoldValue: value, TotalUpsoldOrders: min(upsold, orders), TotalOrders: orders, Currency: "USD"}
		in.Days = append(in.Days, s)
		in.Offers.Ranked = append(in.Offers.Ranked, report.StoredRankedDay{Day: dayOf(d), Whole: true, Currency: "USD"})
		for p, v := range byPlace {
			in.PlacementDays = append(in.PlacementDays, report.StoredStat{Window: report.OneDay(dayOf(d)), Placement: p, Revenue: &v, Currency: "USD"})
			if side >= 0 {
				places[side][p] = places[side][p].Add(v)
			}
		}
		if side >= 0 {
			totals[side].Add(dayOf(d), s)
		}
	}
	b := overview.Builder{}
	in.Choice = choice(report.Last30, windows[1], windows[0])
	in.Summary = b.Summed(windows[1], totals[1])
	before := b.Summed(windows[0], totals[0])
	in.Summary.Previous = &before
	in.Events = w.events
	in.Top, in.TopBefore = w.top(windows[1], tops[1]), w.top(windows[0], tops[0])
	in.Placements = overview.PlacementStats{Panel: report.Panel{Provenance: b.Stitched("", windows[1])}, Currency: "USD"}
	compared := b.Stitched("", windows[0])
	in.Placements.Compared = &compared
	for _, p := range report.Placements {
		if !p.ReportsRevenue() {
			continue
		}
		was, is := places[0][p], places[1][p]
		in.Placements.Rows = append(in.Placements.Rows, overview.PlacementRow{Placement: p, Revenue: &is, Previous: &overview.PlacementRow{Placement: p, Revenue: &was}})
	}
	return in
}

func (w *world) top(window report.Window, earned map[string]decimal.Decimal) *overview.TopOffers {
	n := len(earned)
	t := &overview.TopOffers{Panel: report.Panel{Provenance: report.Builder{}.Stitched("", window)}, Currency: "USD", Earned: &n}
	for _, o := range w.offers {
		if v, ok := earned[o.id]; ok {
			t.Highest = append(t.Highest, report.TopRow{OfferID: o.id, Name: o.id, Placement: o.placement, Revenue: &v})
		}
	}
	return t
}

func choice(p report.Preset, w, against report.Window) report.Choice {
	return report.Choice{Preset: p, Window: w, Comparison: report.ComparePrevious, Against: &against, Today: today}
}

func poisson(r *rand.Rand, mean float64) int64 {
	if mean > 60 {
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

// causes put one cause into a world, each with what a correct answer names.
var causes = map[string]func(w *world){
	"offer starts": func(w *world) {
		day := early + length + w.r.IntN(length-10)
		o := offer{id: "cause", placement: report.ThankYou, price: 20 + 20*w.r.Float64(), from: day, to: 1000}
		o.share = w.total() * (0.2 + 0.3*w.r.Float64()) / o.price
		w.add(o)
		w.cause = "event:cause"
	},
	"offer ends": func(w *world) {
		day := early + length + w.r.IntN(length-10)
		o := offer{id: "cause", placement: report.OrderStatus, price: 20 + 20*w.r.Float64(), from: -100, to: day}
		o.share = w.total() * (0.25 + 0.35*w.r.Float64()) / o.price
		w.offers = append(w.offers, o)
		w.events = append(w.events, w.event(o, false, day))
		w.cause = "event:cause"
	},
	"campaign ends": func(w *world) {
		day, usual := early+length+w.r.IntN(length-10), w.orders(0)
		w.orders = from(day, usual, usual*(0.55+0.15*w.r.Float64()))
		w.events = append(w.events, report.Event{Day: dayOf(day), Gift: true, Name: "cause"})
		w.cause = "event:cause"
	},
	"success rate shifts": func(w *world) {
		w.share = from(early+length-4+w.r.IntN(10), 1, []float64{0.7, 0.8, 1.25, 1.4}[w.r.IntN(4)])
		w.cause = "rate"
	},
	"orders shift": func(w *world) {
		usual := w.orders(0)
		w.orders = from(early+length-4+w.r.IntN(10), usual, usual*[]float64{0.65, 0.75, 1.3, 1.5}[w.r.IntN(4)])
		w.cause = "orders"
	},
	"average shifts": func(w *world) {
		w.price = from(early+length-4+w.r.IntN(10), 1, []float64{0.7, 0.8, 1.25, 1.4}[w.r.IntN(4)])
		w.cause = "value"
	},
}

// named is what an answer names as the reason: "event:" and a name, a factor, or nothing.
func named(a answers.Answer) string {
	switch {
	case a.Explains != nil:
		return "event:" + a.Explains.Event.Name
	case a.Verdict.Why.ID == "":
		return ""
	}
	for _, factor := range []string{"orders", "rate", "value"} {
		for _, kind := range []string{"most.", "outweighs."} {
			for _, way := range []string{".higher", ".lower"} {
				if a.Verdict.Why.ID == "answers."+kind+factor+way {
					return factor
				}
			}
		}
	}
	return a.Verdict.Why.ID
}
