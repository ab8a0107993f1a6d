package offers

import (
	"strconv"
	"strings"
	"testing"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/overview"
	"github.com/storeglass/storeglass/internal/report/reporttest"
)

// tabled is the table of some offers in a sort order, and its ids. Socks and mug sold; the coupon and
// the cap didn't.
func tabled(t *testing.T, sort string, whole bool) (Table, string) {
	t.Helper()
	l := List{Filter: report.OfferFilter{Sort: sort, Page: 1}, Rows: []Row{
		{ID: "cap", Name: "Cap", Placement: report.OrderStatus, Status: "expired"}, {ID: "coupon", Name: "Coupon", Placement: report.Coupon, Status: "active"},
		{ID: "mug", Name: "Mug", Placement: report.ThankYou, Status: "active"}, {ID: "socks", Name: "Socks", Placement: report.PostPurchase, Status: "scheduled"},
	}}
	row := func(id, revenue string, claims int64, rate string) report.TopRow {
		return report.TopRow{OfferID: id, Revenue: reporttest.Dec(revenue), Claims: &claims, AcceptanceRate: reporttest.Dec(rate)}
	}
	top := overview.TopOffers{Currency: "USD", Highest: []report.TopRow{row("socks", "20", 2, "0.3"), row("mug", "12", 4, "0.1")}}
	before := overview.TopOffers{Currency: "USD", Highest: []report.TopRow{row("socks", "10", 2, "0.3"), row("mug", "16", 4, "0.1")}}
	if n := 2; whole {
		top.Earned, before.Earned = &n, &n
	}
	w := report.Window{Start: reporttest.On("2026-11-01"), End: reporttest.On("2026-11-10")}
	events := []report.Event{{OfferID: "mug", Day: reporttest.On("2026-11-03"), Start: true}, {OfferID: "mug", Day: reporttest.On("2026-11-05")}}
	table := NewTable(locale.English, &l, report.Choice{Window: w}, top, &before, events)
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
	stored := report.StoredOfferDays{
		Days:   []report.StoredOfferDay{{OfferID: "socks", Day: reporttest.On("2026-11-02"), Revenue: reporttest.Dec("5"), Currency: "USD"}},
		Ranked: []report.StoredRankedDay{{Day: reporttest.On("2026-11-02"), Whole: true, Currency: "USD"}, {Day: reporttest.On("2026-11-03"), Whole: true, Currency: "USD"}, {Day: reporttest.On("2026-11-04"), Currency: "USD"}},
	}
	table.Draw(stored)
	days := table.Find("socks").Days
	ranked := RankedRows([]report.TopRow{{OfferID: "socks", Placement: report.PostPurchase}}, "USD", table.Drawn, stored)
	reporttest.Equal(t, "a ranking's row draws the same", ranked["socks"].Days, days)
	reporttest.Equal(t, "days", len(days), 10)
	if days[0] != nil || days[1].String() != "5" || !days[2].IsZero() || days[3] != nil {
		t.Errorf("%v", days[:4])
	}
	reporttest.Equal(t, "a coupon's days", table.Find("coupon").Drawable(), false)

	claims := int64(3)
	stored.Days = append(stored.Days, report.StoredOfferDay{OfferID: "coupon", Day: reporttest.On("2026-11-02"), Claims: &claims, Currency: "EUR"},
		report.StoredOfferDay{OfferID: "socks", Day: reporttest.On("2026-11-03"), Revenue: reporttest.Dec("7"), Currency: "EUR"})
	stored.Ranked[2] = report.StoredRankedDay{Day: reporttest.On("2026-11-04"), Whole: true, Currency: "EUR"}
	table.Draw(stored)
	if days = table.Find("coupon").Days; days[1].String() != "3" || days[2] != nil {
		t.Errorf("a coupon's claims, and a day without it: %v", days[:4])
	}
	if days = table.Find("socks").Days; days[1].String() != "5" || days[2] != nil || days[3] != nil {
		t.Errorf("days in euros beside one in dollars (N34): %v", days[:4])
	}
	first := reporttest.On("2026-11-02")
	reporttest.Equal(t, "known values", len(Values(stored, "socks", report.PostPurchase, "USD", first)), 1)
	reporttest.Equal(t, "known values of later days", len(Values(stored, "socks", report.PostPurchase, "USD", first.AddDays(1))), 0)
	reporttest.Equal(t, "known values of a coupon", len(Values(stored, "coupon", report.Coupon, "USD", first)), 0)
}

func TestARankingAddsOnlyDeletedOffersThatTheInventoryLacks_N17(t *testing.T) {
	t.Parallel()
	l := List{Rows: []Row{{ID: "mug", Name: "Mug", Placement: report.ThankYou, Status: "active"}}}
	sold := func(id string, deleted bool) report.TopRow {
		return report.TopRow{OfferID: id, Placement: report.ThankYou, Revenue: reporttest.Dec("1"), Deleted: deleted}
	}
	top := overview.TopOffers{Currency: "USD", Highest: []report.TopRow{sold("mug", true), sold("gone", true)}, Lowest: []report.TopRow{sold("not listed yet", false)}}
	var got []string
	for _, r := range NewTable(locale.English, &l, report.Choice{}, top, nil, nil).Rows {
		got = append(got, r.ID+" "+strconv.FormatBool(r.Deleted))
	}
	reporttest.Equal(t, "rows", strings.Join(got, ", "), "gone true, mug false")
}

func TestAnOpenRowDrawsTheDaysAroundItsEventsThatAreOver_N1_N16(t *testing.T) {
	t.Parallel()
	table, _ := tabled(t, "value", true)
	table.Choice.Today, table.Open = reporttest.On("2026-11-11"), "mug"
	w := table.OpenDays(table.Events)
	reporttest.Equal(t, "from two weeks before the first to yesterday", w, report.Window{Start: reporttest.On("2026-10-20"), End: reporttest.On("2026-11-10")})
	reporttest.Equal(t, "without an event", table.OpenDays(nil), table.Drawn)
	claims := int64(3)
	table.DrawOpen(report.StoredOfferDays{
		Days:   []report.StoredOfferDay{{OfferID: "mug", Day: reporttest.On("2026-10-20"), Revenue: reporttest.Dec("5"), Claims: &claims, Currency: "USD"}, {OfferID: "mug", Day: reporttest.On("2026-10-21"), Revenue: reporttest.Dec("5"), Currency: "EUR"}},
		Ranked: []report.StoredRankedDay{{Day: reporttest.On("2026-10-22"), Whole: true, Currency: "USD"}},
	}, w)
	days := table.History.Days
	if len(days) != 22 || days[0].Revenue.String() != "5" || *days[0].Claims != 3 || days[1].Currency != "EUR" || days[1].Revenue.String() != "5" || !days[2].Revenue.IsZero() || days[3].Stored {
		t.Errorf("%+v", days[:4])
	}
	reporttest.Equal(t, "days that are missing", len(table.History.Provenance.Missing), 19)
	reporttest.Equal(t, "currency of the axis", table.History.Currency, "USD")
}

// Days are stored in two currencies, so the window has no ranking and no currency of its own.
func TestRowsOfAWindowWithoutARankingDrawInTheNewestCurrency_N34(t *testing.T) {
	t.Parallel()
	table, _ := tabled(t, "value", true)
	table.Currency, table.Open = "", "mug"
	day := reporttest.On
	stored := report.StoredOfferDays{
		Days:   []report.StoredOfferDay{{OfferID: "mug", Day: day("2026-11-02"), Revenue: reporttest.Dec("5"), Currency: "USD"}, {OfferID: "mug", Day: day("2026-11-03"), Revenue: reporttest.Dec("7"), Currency: "EUR"}},
		Ranked: []report.StoredRankedDay{{Day: day("2026-11-03"), Currency: "EUR"}, {Day: day("2026-11-02"), Currency: "USD"}, {Day: day("2026-11-01"), Whole: true, Currency: "USD"}},
	}
	table.Draw(stored)
	if days := table.Find("mug").Days; days[0] != nil || days[1] != nil || days[2] == nil || days[2].String() != "7" {
		t.Errorf("a sparkline of two currencies: %v", days[:3])
	}
	table.DrawOpen(stored, report.Window{Start: day("2026-11-01"), End: day("2026-11-03")})
	h := table.History
	reporttest.Equal(t, "the axis", h.Currency, "EUR")
	reporttest.Equal(t, "missing days", len(h.Provenance.Missing), 0)
	reporttest.Equal(t, "currencies", h.Days[0].Currency+h.Days[1].Currency+h.Days[2].Currency, "USDUSDEUR")
}

// stocked are offers in every state, as in the inventory.
func stocked() []Row {
	row := func(id, name string, p report.Placement, status, revenue, currency, created string) Row {
		r := Row{ID: id, Name: name, Placement: p, Status: status, Currency: currency, CreatedAt: created + "T10:00:00"}
		if revenue != "" {
			r.RevenueAllTime = reporttest.Dec(revenue)
		}
		return r
	}
	rows := []Row{
		row("a", "100% wool", report.PostPurchase, "active", "30", "USD", "2026-01-03"), row("b", "100 wool", report.PostPurchase, "expired", "0", "USD", "2026-01-02"),
		row("c", "a_b \\ c", report.ThankYou, "scheduled", "9", "USD", "2026-01-05"), row("d", "axb", report.Coupon, "active", "", "USD", "2026-01-04"),
		row("e", "Euro years", report.OrderStatus, "expired", "1000", "EUR", "2026-01-01"), row("f", "gone", report.PostPurchase, "active", "5", "USD", "2026-01-06"),
	}
	one, two := 1, 2
	rows[0].ABTest, rows[0].TriggerDeleted, rows[3].TriggerDeleted, rows[5].Deleted = true, true, true, true
	rows[0].Priority, rows[1].Priority, rows[4].Unlisted = &two, &one, true
	return rows
}

// inOrder lists the offers that a filter keeps, and their table. It includes an offer that sold but was
// deleted before the inventory was first read.
func inOrder(f report.OfferFilter) (List, Table, string) {
	l := List{Filter: f, Rows: stocked()}
	n := 1
	top := overview.TopOffers{Currency: "USD", Earned: &n, SoldNothing: []string{"a"}, Highest: []report.TopRow{{OfferID: "z", Name: "long gone", Placement: report.ThankYou, Revenue: reporttest.Dec("1"), Deleted: true}}}
	w := report.Window{Start: reporttest.On("2026-11-01"), End: reporttest.On("2026-11-10")}
	table := NewTable(locale.English, &l, report.Choice{Window: w}, top, nil, nil)
	ids := make([]string, len(l.Rows))
	for i, r := range l.Rows {
		ids[i] = r.ID
	}
	return l, table, strings.Join(ids, " ")
}

func TestOffersAreFilteredAndSorted(t *testing.T) {
	t.Parallel()
	w := report.Window{Start: reporttest.On("2026-11-01"), End: reporttest.On("2026-11-10")}
	for name, c := range map[string]struct {
		filter report.OfferFilter
		want   string
	}{
		"the newest first":                   {report.OfferFilter{Sort: "newest"}, "f c d a b e z"},
		"the oldest first":                   {report.OfferFilter{Sort: "oldest"}, "e b a d c f z"},
		"any case":                           {report.OfferFilter{Query: "WOOL"}, "b a"},
		"a percent sign is one":              {report.OfferFilter{Query: "100%"}, "a"},
		"a backslash is one":                 {report.OfferFilter{Query: `\`}, "c"},
		"a status is not of the deleted":     {report.OfferFilter{Status: "active", Sort: "oldest"}, "a d"},
		"a placement, also of one long gone": {report.OfferFilter{Placement: report.ThankYou}, "z c"},
		"under test":                         {report.OfferFilter{ABTest: true}, "a"},
		"that exist":                         {report.OfferFilter{Existing: true, Sort: "oldest"}, "b a d c"},
		"never earned: no coupons (N13)":     {report.OfferFilter{NeverEarned: true}, "b"},
		"a trigger names what is gone":       {report.OfferFilter{TriggerDeleted: true, Sort: "oldest"}, "a d"},
		"sold nothing in the window":         {report.OfferFilter{SoldNothing: &w, IDs: []string{"a"}}, "a"},
		"both":                               {report.OfferFilter{Placement: report.PostPurchase, Query: "wool", Status: "expired"}, "b"},
		// Other currencies aren't sorted among the store's (N34); coupons report no revenue (N13).
		"by all-time revenue":        {report.OfferFilter{Sort: "revenue"}, "a c f b e d z"},
		"the least revenue first":    {report.OfferFilter{Sort: "revenue_low"}, "b f c a e d z"},
		"by priority in a placement": {report.OfferFilter{Sort: "priority", Placement: report.PostPurchase}, "b a f"},
	} {
		l, table, got := inOrder(c.filter)
		reporttest.Equal(t, name, got, c.want)
		reporttest.Equal(t, name+", in the store", l.Total, 7)
		n, known := table.Count(c.filter)
		reporttest.Equal(t, name+", counted", n, l.Matched)
		reporttest.Equal(t, name+", known", known, true)
	}
}

func TestACountIsNotKnownWhereTheRankingMayLackOffers_N73(t *testing.T) {
	t.Parallel()
	_, table, _ := inOrder(report.OfferFilter{})
	n, known := table.Count(report.OfferFilter{SoldNothing: &table.Choice.Window})
	reporttest.Equal(t, "in the window", n, 1)
	reporttest.Equal(t, "known", known, true)
	if _, known = table.Count(report.OfferFilter{SoldNothing: &report.Window{Start: table.Choice.Window.Start, End: table.Choice.Window.Start}}); known {
		t.Error("of other days nothing is known")
	}
	l, _, _ := inOrder(report.OfferFilter{SoldNothing: &table.Choice.Window})
	if l.Empty == nil || l.Empty.Cause != CauseNoMatch || l.Empty.Text != locale.English.T("offers.empty.ranking_not_whole") {
		t.Errorf("the list says %+v", l.Empty)
	}
}

func TestAPageOfOffersIsFiftyInAStableOrder(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for page, want := range map[int]int{1: 50, 2: 50, 3: 1, 0: 101} {
		l := List{Filter: report.OfferFilter{Page: page}}
		for i := range 101 {
			l.Rows = append(l.Rows, Row{ID: strconv.Itoa(i), Name: "Same", Placement: report.Coupon})
		}
		NewTable(locale.English, &l, report.Choice{}, overview.TopOffers{}, nil, nil)
		reporttest.Equal(t, "page "+strconv.Itoa(page), len(l.Rows), want)
		reporttest.Equal(t, "matched", l.Matched, 101)
		for _, r := range l.Rows {
			if page > 0 && seen[r.ID] {
				t.Errorf("%s is on two pages", r.ID)
			}
			seen[r.ID] = page > 0 || seen[r.ID]
		}
	}
	l, _, _ := inOrder(report.OfferFilter{Page: 9})
	reporttest.Equal(t, "a page beyond the last is the last", l.Filter.Page, 1)
}

func TestTheHeadlineNamesWhatStartedAndWhatFellByMoreThanAThird(t *testing.T) {
	t.Parallel()
	start := &report.Event{Day: reporttest.On("2026-11-03"), Start: true}
	row := func(name, before, after string, e *report.Event) TableRow {
		r := TableRow{Row: Row{Name: name}, Revenue: reporttest.Dec(after), Event: e}
		if before != "" {
			r.Before = reporttest.Dec(before)
		}
		return r
	}
	for name, c := range map[string]struct {
		rows []TableRow
		want string
	}{
		"nothing":                       {[]TableRow{row("A", "9", "9", nil)}, ""},
		"the start that earned most":    {[]TableRow{row("A", "0", "5", start), row("B", "0", "7", start)}, "“B” brought in $7 in its first 8 days."},
		"a start that sold nothing":     {[]TableRow{row("A", "0", "0", start)}, ""},
		"an end is no start":            {[]TableRow{row("A", "9", "9", &report.Event{Day: start.Day})}, ""},
		"a third is not more":           {[]TableRow{row("A", "9", "6", nil)}, ""},
		"one that fell":                 {[]TableRow{row("A", "9", "5.99", nil)}, "“A” fell by more than a third."},
		"the largest of several":        {[]TableRow{row("A", "20", "9", nil), row("B", "90", "9", nil), row("C", "20", "0", nil)}, "“B” and 2 other offers fell by more than a third."},
		"small ones aren't worth words": {[]TableRow{row("A", "100", "100", nil), row("B", "9.99", "0", nil)}, ""},
		"nothing is compared":           {[]TableRow{row("A", "", "9", nil)}, ""},
	} {
		table := Table{Currency: "USD", Choice: report.Choice{Window: report.Window{Start: reporttest.On("2026-11-01"), End: reporttest.On("2026-11-10")}}, Rows: c.rows}
		got := strings.Join(table.headline(locale.English), " ")
		reporttest.Equal(t, name, strings.NewReplacer("\u2068", "", "\u2069", "").Replace(got), c.want)
	}
}
