package offers

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/reporttest"
)

// tabled is the table of some offers in an order, and its ids. Socks and mug sold; the
// coupon and the cap did not.
func tabled(t *testing.T, sort string, whole bool) (Table, string) {
	t.Helper()
	l := List{Filter: report.OfferFilter{Sort: sort, Page: 1}, Rows: []Row{
		{ID: "cap", Name: "Cap", Placement: report.OrderStatus, Status: "expired"}, {ID: "coupon", Name: "Coupon", Placement: report.Coupon, Status: "active"},
		{ID: "mug", Name: "Mug", Placement: report.ThankYou, Status: "active"}, {ID: "socks", Name: "Socks", Placement: report.PostPurchase, Status: "scheduled"},
	}}
	row := func(id, revenue string, claims int64, rate string) report.TopRow {
		return report.TopRow{OfferID: id, Revenue: reporttest.Dec(revenue), Claims: &claims, AcceptanceRate: reporttest.Dec(rate)}
	}
	top := report.TopOffers{Currency: "USD", Highest: []report.TopRow{row("socks", "20", 2, "0.3"), row("mug", "12", 4, "0.1")}}
	before := report.TopOffers{Currency: "USD", Highest: []report.TopRow{row("socks", "10", 2, "0.3"), row("mug", "16", 4, "0.1")}}
	if n := 2; whole {
		top.Earned, before.Earned = &n, &n
	}
	w := report.Window{Start: reporttest.On("2026-11-01"), End: reporttest.On("2026-11-10")}
	events := []report.Event{{OfferID: "mug", Day: reporttest.On("2026-11-03"), Start: true}, {OfferID: "mug", Day: reporttest.On("2026-11-05")}}
	table := NewTable(&l, report.Choice{Window: w}, top, &before, events)
	ids := make([]string, len(table.Rows))
	for i, r := range table.Rows {
		ids[i] = r.ID
	}
	return table, strings.Join(ids, " ")
}

func TestEveryHeaderSortsTheTableBothWaysAndWhatIsNotKnownIsLast(t *testing.T) {
	t.Parallel()
	for sort, want := range map[string]string{
		"value": "socks mug coupon cap", "value_reversed": "cap coupon mug socks",
		"change": "socks mug cap coupon", "change_reversed": "mug socks cap coupon",
		"claims": "mug socks cap coupon", "claims_reversed": "socks mug cap coupon",
		"acceptance": "socks mug cap coupon", "acceptance_reversed": "mug socks cap coupon",
		"name_reversed": "socks mug coupon cap", "status": "coupon mug socks cap", "placement": "socks mug coupon cap",
		"event": "mug cap coupon socks",
	} {
		_, got := tabled(t, sort, true)
		reporttest.Equal(t, sort, got, want)
	}
	_, got := tabled(t, "value_reversed", false)
	reporttest.Equal(t, "a cap whose value is not known", got, "coupon mug socks cap")
}

func TestAnOfferSoldNothingOnlyWhereTheRankingIsWhole_N13_N16(t *testing.T) {
	t.Parallel()
	whole, _ := tabled(t, "value", true)
	if r := whole.Find("cap"); r.Revenue == nil || !r.Revenue.IsZero() || r.Before == nil || r.Claims != nil {
		t.Errorf("an offer that a whole ranking leaves out: %+v", r)
	}
	if r := whole.Find("coupon"); r.Revenue != nil || r.Before != nil || r.Reports() {
		t.Errorf("a coupon offer: %+v", r)
	}
	cut, _ := tabled(t, "value", false)
	if r := cut.Find("cap"); r.Revenue != nil || r.Before != nil || !r.Reports() {
		t.Errorf("an offer that a cut ranking may leave out: %+v", r)
	}
	reporttest.Equal(t, "the newest event", whole.Find("mug").Event.Start, false)
}

func TestARowDrawsGapsWhereADayIsNotKnown_N1(t *testing.T) {
	t.Parallel()
	table, _ := tabled(t, "value", true)
	table.Draw(StoredOfferDays{
		Days:   []StoredOfferDay{{OfferID: "socks", Day: reporttest.On("2026-11-02"), Revenue: reporttest.Dec("5"), Currency: "USD"}},
		Ranked: []report.StoredRankedDay{{Day: reporttest.On("2026-11-02"), Whole: true, Currency: "USD"}, {Day: reporttest.On("2026-11-03"), Whole: true, Currency: "USD"}, {Day: reporttest.On("2026-11-04"), Currency: "USD"}},
	})
	days := table.Find("socks").Days
	reporttest.Equal(t, "days", len(days), 10)
	if days[0] != nil || days[1].String() != "5" || !days[2].IsZero() || days[3] != nil {
		t.Errorf("%v", days[:4])
	}
	reporttest.Equal(t, "a coupon's days", table.Find("coupon").Drawable(), false)
}

func TestATableBeginsWithTheLargestValueAndKeepsItsOrderInTheAddress(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]string{"": "value", "sort=newest": "newest", "sort=claims_reversed": "claims_reversed", "sort=best": "value"} {
		q, _ := url.ParseQuery(query)
		f, _ := report.ParseOfferTable(q)
		reporttest.Equal(t, query, f.Sort, want)
		again, err := report.ParseOfferTable(f.TableValues())
		reporttest.Equal(t, query+", again", again.Sort, want)
		if err != nil {
			t.Error(err)
		}
	}
	for _, sort := range report.WindowSorts {
		if sort != report.SortName && slices.Contains(report.OfferSorts, sort) {
			t.Errorf("%s is an order of the JSON API, which has no window", sort)
		}
	}
}
