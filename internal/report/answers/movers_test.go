package answers_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/answers"
	"github.com/storeglass/storeglass/internal/report/overview"
)

func ranked(w report.Window, rows ...report.TopRow) *overview.TopOffers {
	n := len(rows)
	return &overview.TopOffers{Panel: report.Panel{Provenance: report.Builder{}.Stitched("", w)}, Currency: "USD", Highest: rows, Earned: &n}
}

func row(id string, p report.Placement, revenue string) report.TopRow {
	v := decimal.RequireFromString(revenue)
	return report.TopRow{OfferID: id, Name: id, Placement: p, Revenue: &v}
}

// moved is a short version of the picture's store.
func moved() answers.Input {
	in := pair(choice(report.Last30, now30, then30), "USD", sums{"54689.72", 1427, 8968}, sums{"52884.24", 1323, 9427})
	in.TopBefore = ranked(then30, row("sit pad", report.PostPurchase, "10373"), row("bottle", report.PostPurchase, "9282"), row("batteries", report.ThankYou, "7930"), row("gaiters", report.OrderStatus, "4446"), row("socks", report.PostPurchase, "100"), row("mug", report.ThankYou, "50"))
	in.Top = ranked(now30, row("kit", report.PostPurchase, "10059"), row("batteries", report.ThankYou, "8665"), row("bottle", report.PostPurchase, "8382"), row("gaiters", report.OrderStatus, "1755"), row("sit pad", report.PostPurchase, "1085"), row("socks", report.PostPurchase, "102"), row("mug", report.ThankYou, "50"))
	in.Events = []report.Event{
		event("sit pad", false, 27, report.PostPurchase), event("kit", true, 26, report.PostPurchase), event("gaiters", false, 20, report.OrderStatus),
		{Day: back(40), OfferID: "bottle", Name: "bottle", Start: true, Placement: report.PostPurchase},
	}
	compared := report.Builder{}.Stitched("", then30)
	in.Placements = overview.PlacementStats{Panel: report.Panel{Provenance: report.Builder{}.Stitched("", now30)}, Currency: "USD", Compared: &compared}
	for p, v := range map[report.Placement][2]string{report.PostPurchase: {"34756", "35430"}, report.ThankYou: {"15213", "15532"}, report.OrderStatus: {"4720", "1921"}} {
		was, is := decimal.RequireFromString(v[0]), decimal.RequireFromString(v[1])
		in.Placements.Rows = append(in.Placements.Rows, overview.PlacementRow{Placement: p, Revenue: &is, Previous: &overview.PlacementRow{Placement: p, Revenue: &was}})
	}
	in.Placements.Rows = append(in.Placements.Rows, overview.PlacementRow{Placement: report.Coupon, Claims: 322, Previous: &overview.PlacementRow{Claims: 305}})
	return in
}

func TestWhatMovedMostNamesTheEventOfThatThing(t *testing.T) {
	t.Parallel()
	m := answers.New(moved()).Movers
	var got []string
	say := func(name string, m answers.Move) {
		text, event := "not reported", ""
		if c := m.Change(); c != nil {
			text = c.String()
		}
		if m.Event != nil {
			event = ", " + m.Event.Name
		}
		got = append(got, name+" "+text+event)
	}
	for _, o := range m.Offers {
		say(o.OfferID, o.Move)
	}
	for _, p := range m.Placements {
		say(p.Placement.Key(), p.Move)
	}
	want := "kit 10059, kit; sit pad -9288, sit pad; gaiters -2691, gaiters; bottle -900; batteries 735; " +
		"order_status -2799, gaiters; post_purchase 674, kit; thank_you 319; coupon not reported"
	if s := strings.Join(got, "; "); s != want {
		t.Errorf("moved: %s", s)
	}
	if m.Offers[0].Share() != nil || m.Offers[1].Share().Round(3).String() != "-0.895" {
		t.Errorf("shares %v, %v", m.Offers[0].Share(), m.Offers[1].Share())
	}
}

func TestAStartOrEndBeforeTheWindowIsNamedIfItFitsTheChange(t *testing.T) {
	t.Parallel()
	in := moved()
	before := func(id string, start bool, days int) report.Event {
		return report.Event{Day: back(days), OfferID: id, Name: id, Start: start, Placement: report.PostPurchase}
	}
	in.EventsBefore = []report.Event{
		before("bottle", false, 45), before("bottle", false, 33), before("bottle", true, 32), // fell by 900
		before("batteries", false, 40), // grew by 735
		before("sit pad", false, 31),   // also ended within the window
	}
	got := map[string]string{}
	for _, o := range answers.New(in).Movers.Offers {
		if o.Event != nil {
			got[o.OfferID] = o.Event.Day.String()
		}
	}
	want := map[string]string{"kit": back(26).String(), "sit pad": back(27).String(), "gaiters": back(20).String(), "bottle": back(33).String()}
	if !maps.Equal(got, want) {
		t.Errorf("starts and ends named: %v, want %v", got, want)
	}
}

func TestOffersAreNotComparedWhereOneMayBeMissing(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(*answers.Input){
		"a ranking that is cut N16":      func(in *answers.Input) { in.TopBefore.Earned = nil },
		"a ranking not read":             func(in *answers.Input) { in.TopBefore = nil },
		"a missing day N1":               func(in *answers.Input) { in.Top.Provenance.Missed(now30.Start) },
		"rankings in two currencies N34": func(in *answers.Input) { in.TopBefore.Currency = "EUR" },
	} {
		in := moved()
		spoil(&in)
		if m := answers.New(in).Movers; m.OffersKnown || len(m.Offers) > 0 {
			t.Errorf("%s: %+v", name, m.Offers)
		}
	}
	in := moved()
	in.Placements.Compared.Missed(then30.Start)
	if m := answers.New(in).Movers; len(m.Placements) > 0 || len(m.Offers) != 5 {
		t.Errorf("placements of a window with a gap are compared: %+v", m.Placements)
	}
}

func TestStoresAreRankedByPercentNeverByMoney_N34(t *testing.T) {
	t.Parallel()
	names, all := []string{}, []answers.Input{}
	store := func(name, currency string, before, after sums) {
		names, all = append(names, name), append(all, pair(choice(report.Last30, now30, then30), currency, before, after))
	}
	store("yen", "JPY", sums{"1000000", 100, 900}, sums{"1110000", 110, 950})
	store("dinars", "BHD", sums{"4000.000", 100, 900}, sums{"4900.000", 110, 950})
	store("dollars", "USD", sums{"10000.00", 100, 900}, sums{"9000.00", 90, 900})
	store("pesos", "MXN", sums{"100000.00", 100, 900}, sums{"94000.00", 90, 900})
	store("gone", "USD", sums{"500.00", 20, 900}, sums{"0", 0, 900})
	store("level", "USD", sums{"10000.00", 100, 900}, sums{"10020.00", 100, 900})
	store("tiny", "USD", sums{"10.00", 1, 9}, sums{"100.00", 9, 90})
	store("new", "USD", sums{"0", 0, 9}, sums{"1000.00", 90, 900})
	store("euros", "EUR", sums{"1000.00", 50, 500}, sums{"1050.00", 50, 500})
	store("not compared", "USD", sums{"1000.00", 50, 500}, sums{"9000.00", 90, 900})
	all[len(all)-1].Summary.Previous.Provenance.Missed(then30.Start)
	named := func(places []int) string {
		var out []string
		for _, i := range places {
			out = append(out, names[i])
		}
		return strings.Join(out, " ")
	}
	up, down := answers.MostMoved(all, 3)
	if got := named(up) + "; " + named(down); got != "dinars yen euros; gone dollars pesos" {
		t.Errorf("moved most: %s", got)
	}
	if up, _ := answers.MostMoved(all, 1); named(up) != "dinars" {
		t.Errorf("moved most: %s", named(up))
	}
}
