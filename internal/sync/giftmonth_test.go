package pulls_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/apis/sandbox"
)

// month is a store whose gifts are pulled at noon on each of that many days, except while the
// worker is down.
type month struct {
	*world
	store sandbox.Store
	first time.Time
}

const monthDays = 31

// trailing is how many calls compute the last week again if nothing changes meanwhile.
const trailing = 6

// calendar is the call for the month to date; the week to date is one of the trailing ones.
const calendar = 1

// outages are the days without a worker: one before we know what `previous` is, two in a row,
// and a long run.
var outages = map[int]bool{2: true, 8: true, 9: true, 16: true, 17: true, 18: true, 19: true, 20: true}

func newMonth(t *testing.T, historyDays int) month {
	t.Helper()
	first := time.Date(2026, time.October, 18, 16, 0, 0, 0, time.UTC) // noon in New York
	m := month{world: newWorld(t, options{at: first}), first: first}
	for _, s := range m.sandbox.Stores() {
		if s.Slug == "fernhollow" {
			m.store = s
		}
	}
	m.add("fernhollow", historyDays)
	m.exec(`delete from credentials where service = 'upsell'`)
	return m
}

func (m month) live() {
	m.t.Helper()
	for n := range monthDays {
		m.clock.set(m.first.AddDate(0, 0, n))
		if !outages[n] {
			m.sync("fernhollow")
		}
	}
}

// day is the store's day so many days after the first.
func (m month) day(n int) civil.Date { return civil.DateOf(m.first).AddDays(n) }

// truth is what the service says about a day when asked on the next day by a plain request: the
// five figures as text, "" if missing.
func (m month) truth(d civil.Date) map[string]string {
	m.t.Helper()
	at := m.clock.Now()
	defer m.clock.set(at)
	m.clock.set(d.AddDays(1).In(time.UTC).Add(16 * time.Hour))
	req, err := http.NewRequestWithContext(context.Background(), http.MethodGet, m.http.URL+m.store.GiftPath+"/analytics?days=1", nil)
	if err != nil {
		m.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+m.store.GiftKey)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		m.t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	var reply struct {
		Data struct {
			Period  struct{ Start, End string }
			Metrics map[string]struct{ Value *decimal.Decimal }
		}
	}
	if err := json.NewDecoder(resp.Body).Decode(&reply); err != nil {
		m.t.Fatal(err)
	}
	equal(m.t, "the truth is of", reply.Data.Period.Start+" "+reply.Data.Period.End, d.String()+" "+d.String())
	out := map[string]string{}
	for name, metric := range reply.Data.Metrics {
		out[name] = ""
		if metric.Value != nil {
			out[name] = metric.Value.String()
		}
	}
	return out
}

// series is the stored daily series: each day's basis and figures.
func (m month) series() map[civil.Date]map[string]string {
	m.t.Helper()
	rows, err := m.db.Pool.Query(context.Background(), `
		select window_start::text, basis, coalesce(orders, -1), coalesce(revenue, -1), coalesce(conversion_rate, -1), coalesce(aov_by_fg, -1), coalesce(aov_store, -1)
		from gift_windows where window_start = window_end and not includes_today`)
	if err != nil {
		m.t.Fatal(err)
	}
	out := map[civil.Date]map[string]string{}
	for rows.Next() {
		var start, basis string
		var figures [5]decimal.Decimal
		if err := rows.Scan(&start, &basis, &figures[0], &figures[1], &figures[2], &figures[3], &figures[4]); err != nil {
			m.t.Fatal(err)
		}
		d, err := civil.ParseDate(start)
		if err != nil {
			m.t.Fatal(err)
		}
		out[d] = map[string]string{"basis": basis}
		for i, name := range []string{"orders", "revenue", "conversionRate", "aovByFG", "aovStore"} {
			if !figures[i].IsNegative() {
				out[d][name] = figures[i].String()
			} else {
				out[d][name] = ""
			}
		}
	}
	return out
}

// check compares every day from the first wanted one to the last with the truth. bases are
// expected for the days after the first; earlier days are history.
func (m month) check(historyDays int, bases map[int]string) {
	m.t.Helper()
	stored := m.series()
	for n := -historyDays; n < monthDays-1; n++ {
		d := m.day(n)
		want := "reported"
		if basis, ok := bases[n]; ok {
			want = basis
		} else if n < -1 {
			want = "difference"
		}
		got, ok := stored[d]
		if !ok {
			m.t.Errorf("%s is missing", d)
			continue
		}
		if got["basis"] != want {
			m.t.Errorf("%s is %s, want %s", d, got["basis"], want)
		}
		for name, value := range m.truth(d) {
			if want == "difference" && name != "orders" && name != "revenue" {
				value = "" // subtracting doesn't give it (N2)
			}
			if got[name] != value && !(value != "" && got[name] != "" && decimal.RequireFromString(got[name]).Equal(decimal.RequireFromString(value))) {
				m.t.Errorf("%s (%s): %s is %q, the truth is %q", d, want, name, got[name], value)
			}
		}
	}
	equal(m.t, "days stored", len(stored), historyDays+monthDays-1)
}

func TestAMonthWithThreeOutagesIsCompleteAndTrue(t *testing.T) {
	t.Parallel()
	m := newMonth(t, 10)
	m.live()
	m.check(10, map[int]string{
		1: "difference",                // before previous was proven
		7: "difference", 8: "previous", // the day after an outage gives the day before it
		15: "difference", 16: "difference", 17: "difference", 18: "difference", 19: "previous",
	})
	equal(t, "spans that are still due", get[int](m.world, `select count(*) from ledger where pull = 'gift.span' and due_at is not null`), 0)
	equal(t, "values that changed", get[int](m.world, `select count(*) from revisions`), 0)
	equal(t, "comparisons that disagree", get[int](m.world, `select count(*) from gift_window_checks where not agrees and days_missing = 0`), 0)
	equal(t, "whole comparisons with repaired days", get[int](m.world, `select count(*) from gift_window_checks where agrees and days_derived > 0`) > 0, true)
}

// Missed days within the last week cost no calls of their own: that week is derived again every
// night from the windows of two to eight days, of which seven comes anyway.
func TestMissedDaysOfTheLastWeekCostNoCall(t *testing.T) {
	t.Parallel()
	m := newMonth(t, 10)
	for n := range 22 {
		m.clock.set(m.first.AddDate(0, 0, n))
		from := m.mark()
		if !outages[n] {
			m.sync("fernhollow")
		}
		var calls []string
		for _, path := range m.arrivals(sandbox.Gift, from) {
			if strings.HasPrefix(path, "/analytics") {
				calls = append(calls, path)
			}
		}
		switch n {
		case 0: // ten days of history from eleven windows; those of 1 and 7 days come anyway
			equal(t, "calls on the first day", len(calls), 6+8+calendar)
		case 5:
			equal(t, "calls on a day after which nothing is missing", len(calls), 6+trailing+calendar)
		case 21: // what gives the five days gives the last week, too
			equal(t, "calls after five days", len(calls), 6+trailing+calendar)
		}
	}
}

// If `previous` is some other day's, no day is derived from it.
func TestAPreviousThatIsNotTheDayBeforeTellsNothing(t *testing.T) {
	t.Parallel()
	m := newMonth(t, 10)
	previous := regexp.MustCompile(`"previous":(\d)`)
	m.sandbox.Break(sandbox.Gift, "fernhollow", sandbox.Fault{Path: "/analytics", Edit: func(b []byte) []byte {
		return previous.ReplaceAll(b, []byte(`"previous":9$1`))
	}})
	m.live()
	m.sandbox.Clear(sandbox.Gift, "fernhollow")
	bases := map[int]string{}
	for n := range outages {
		bases[n-1] = "difference"
	}
	m.check(10, bases)
}

// A service that goes back only two weeks: the days it gives are kept, and the rest isn't asked
// for again every day.
func TestThePastEndsWhereTheServiceStopsFollowing_N43(t *testing.T) {
	t.Parallel()
	m := newMonth(t, 40)
	period := regexp.MustCompile(`"start":"[^"]*","end":"([^"]*)","days":(\d+)`)
	m.sandbox.Break(sandbox.Gift, "fernhollow", sandbox.Fault{Path: "/analytics", Edit: func(b []byte) []byte {
		return period.ReplaceAllFunc(b, func(found []byte) []byte {
			parts := period.FindSubmatch(found)
			end, err := civil.ParseDate(string(parts[1]))
			if err != nil || len(parts[2]) < 2 || string(parts[2]) < "14" && len(parts[2]) == 2 {
				return found
			}
			return fmt.Appendf(nil, `"start":"%s","end":"%s","days":14`, end.AddDays(-13), end)
		})
	}})
	m.sync("fernhollow")
	// Fourteen days; the first is only in the window of fifteen.
	equal(t, "days", len(m.series()), 13)
	from := m.mark()
	m.clock.set(m.first.AddDate(0, 0, 1))
	m.sync("fernhollow")
	spans := 0
	for _, path := range m.arrivals(sandbox.Gift, from) {
		if strings.HasPrefix(path, "/analytics") {
			spans++
		}
	}
	equal(t, "calls on the next day", spans, 6+trailing+calendar)
	refused := get[int](m.world, `select count(*) from ledger where pull = 'gift.span' and outcome = 'refused' and outcome_text ->> 'id' = 'sync.said.other_days'`)
	if refused < 1 || refused > 8 { // four run at once, and four more are reserved
		t.Errorf("%d spans beyond the service's past were asked for", refused)
	}
}
