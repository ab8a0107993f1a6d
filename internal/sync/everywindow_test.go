//go:build chaos

package pulls_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/url"
	"slices"
	"testing"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/apis/gift"
	"github.com/storeglass/storeglass/internal/apis/sandbox"
	"github.com/storeglass/storeglass/internal/apis/upsell"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/apis/upstream/upstreamtest"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/overview"
	pulls "github.com/storeglass/storeglass/internal/sync"
)

// everyWindow returns forty windows: all named ones, and others of up to 90 days that end
// anywhere in the last half year, or of up to a year.
func everyWindow(today civil.Date) (queries []string) {
	for _, p := range report.Presets {
		queries = append(queries, "window="+string(p.Preset))
	}
	custom := func(end civil.Date, days int) {
		w := report.WindowEnding(end, days)
		queries = append(queries, fmt.Sprintf("start=%s&end=%s", w.Start, w.End))
	}
	yesterday := today.AddDays(-1)
	for _, days := range []int{2, 5, 14, 45, 60, 91, 200, 365} {
		custom(yesterday, days)
	}
	custom(today.AddDays(-20), 1)
	custom(today.AddDays(-5), 110)
	random := rand.New(rand.NewPCG(40, 90))
	for len(queries) < 40 {
		custom(yesterday.AddDays(-1-random.IntN(180)), 2+random.IntN(89))
	}
	return queries
}

// figure is a panel of an overview, or a number in it, and the reason if it is missing.
type figure struct {
	name, missing string
	gift          bool
}

// figures are an overview's panels and numbers, or why they are missing.
func figures(o overview.Overview) []figure {
	reason := func(e *report.Empty) string {
		if e == nil || e.Cause == report.CauseNothing || e.Cause == report.CauseNoOffers { // that's an answer, too
			return ""
		}
		return e.Title + ". " + e.Text
	}
	rated := reason(o.Top.Empty)
	for _, r := range slices.Concat(o.Top.Highest, o.Top.Lowest) {
		if r.AcceptanceRate == nil && r.Placement != report.Coupon {
			rated = "The ranking is added up from days, which give no rate."
		}
	}
	metric := func(m report.GiftMetric) string {
		switch {
		case o.Gift.Empty != nil:
			return reason(o.Gift.Empty)
		case m.Value == nil:
			return m.Reason
		}
		return ""
	}
	return []figure{
		{"value", reason(o.Summary.Empty), false}, {"placements", reason(o.Placements.Empty), false},
		{"ranking", reason(o.Top.Empty), false}, {"acceptance", rated, false},
		{"gift orders", metric(o.Gift.Orders), true}, {"gift conversion", metric(o.Gift.ConversionRate), true}, {"gift order value", metric(o.Gift.AOVByFG), true},
	}
}

// answerable reports whether one call to the service gives the figure.
func (f figure) answerable(w report.Window, today civil.Date) bool {
	if f.gift {
		return w.End == today.AddDays(-1) && w.Days() <= gift.MaxDays
	}
	return w.Days() <= upsell.MaxDays
}

// Forty windows of every demo store: whatever the services can answer is available once it was
// asked for, each figure equals the service's own to the cent, and the rest says why it is
// missing.
func TestEveryWindowIsAnsweredWhereTheServicesCan(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{at: settledTime, rateLimit: 12_000})
	before, after, reasons, equalTo, windows := map[string]int{}, map[string]int{}, map[string]int{}, 0, 0
	for _, s := range w.sandbox.Stores() {
		w.add(s.Slug, 120)
		w.sync(s.Slug)
		store := w.seen(s.Slug)
		today := report.Today(settledTime, store.Location())
		read := func(c report.Choice) (overview.Overview, report.Stored) {
			stored, err := w.db.Stored(context.Background(), store, c, nil)
			if err != nil {
				t.Fatal(err)
			}
			return overview.New(locale.English, stored, c, settledTime), stored
		}
		for _, query := range everyWindow(today) {
			q, _ := url.ParseQuery(query)
			c, err := report.ParseChoice(q, settledTime, store.Location(), store.FirstDay)
			if err != nil {
				t.Fatal(err)
			}
			windows++
			o, stored := read(c)
			for _, f := range figures(o) {
				if f.missing != "" {
					before[f.name]++
				}
			}
			for _, question := range overview.Unanswered(stored, c, settledTime, "upsell", "gift") {
				if _, err := (pulls.Queue{DB: w.db, Jobs: w.db}).WantWindow(context.Background(), store, question, settledTime); err != nil {
					t.Fatal(err)
				}
			}
			w.sync(s.Slug)
			o, _ = read(c)
			for _, f := range figures(o) {
				if f.missing == "" {
					continue
				}
				after[f.name]++
				reasons[f.name+": "+f.missing]++
				if f.answerable(c.Window, today) {
					t.Errorf("%s, %s: %s is missing: %s", s.Slug, query, f.name, f.missing)
				}
			}
			equalTo += w.asTheServiceSays(s, c, o)
		}
	}
	t.Logf("%d windows; not available before %v, after %v; %d figures equal the service's", windows, before, after, equalTo)
	for _, reason := range slices.Sorted(maps.Keys(reasons)) {
		t.Logf("%4d × %s", reasons[reason], reason)
	}
}

// asTheServiceSays compares an overview with the service's own answers for its window, and
// returns how many figures were equal.
func (w *world) asTheServiceSays(s sandbox.Store, c report.Choice, o overview.Overview) (compared int) {
	w.t.Helper()
	ctx, of := context.Background(), s.Slug+" "+fmt.Sprint(c.Window)
	base := func(path string) *url.URL {
		u, err := url.Parse(w.http.URL + path)
		if err != nil {
			w.t.Fatal(err)
		}
		return u
	}
	same := func(what string, got, want any) {
		w.t.Helper()
		compared++
		equal(w.t, of+": "+what, fmt.Sprint(got), fmt.Sprint(want))
	}
	transport, gate := upstreamtest.Transport(w.t), &upstreamtest.Gate{}
	if c.Window.Days() <= upsell.MaxDays {
		client, r := upsell.New(transport, base(s.UpsellPath), upstream.NewSecret(s.UpsellToken), gate), upsell.Range{Start: c.Window.Start, End: c.Window.End}
		sum, err1 := client.Summary(ctx, r)
		stats, err2 := client.Stats(ctx, r)
		top, err3 := client.Top(ctx, r, upsell.Highest, 250)
		if err1 != nil || err2 != nil || err3 != nil {
			w.t.Fatal(of, err1, err2, err3)
		}
		same("value", o.Summary.TotalUpsoldValue, sum.Data.TotalUpsoldValue)
		same("orders", o.Summary.TotalUpsoldOrders, sum.Data.TotalUpsoldOrders)
		same("all orders", o.Summary.TotalOrders, sum.Data.TotalOrders)
		same("views", textOf(o.Summary.OfferViews), textOf(sum.Data.OfferViews))
		for _, row := range stats.Data.Placements {
			i := slices.IndexFunc(o.Placements.Rows, func(r overview.PlacementRow) bool { return string(r.Placement) == string(row.Placement) })
			if i < 0 {
				w.t.Errorf("%s: %s has no row", of, row.Placement)
				continue
			}
			same(string(row.Placement)+": revenue", textOf(o.Placements.Rows[i].Revenue), textOf(row.Revenue))
			same(string(row.Placement)+": views and claims", [2]int64{o.Placements.Rows[i].Impressions, o.Placements.Rows[i].Claims}, [2]int64{row.Impressions, row.Claims})
		}
		ranked := slices.Concat(o.Top.Highest, o.Top.Lowest)
		same("ranked offers", len(ranked), len(top.Data.Offers))
		for i, offer := range top.Data.Offers[:min(len(ranked), len(top.Data.Offers))] {
			same("rank "+fmt.Sprint(i+1), fmt.Sprint(ranked[i].OfferID, textOf(ranked[i].Revenue), textOf(ranked[i].Claims), textOf(ranked[i].AcceptanceRate)),
				fmt.Sprint(offer.ID, textOf(offer.Revenue), textOf(offer.Claims), textOf(offer.AcceptanceRate)))
		}
	}
	if c.Window.End == c.Today.AddDays(-1) && c.Window.Days() <= gift.MaxDays {
		a, err := gift.New(transport, base(s.GiftPath), upstream.NewSecret(s.GiftKey), gate).Analytics(ctx, c.Window.Days(), false)
		if err != nil {
			w.t.Fatal(of, err)
		}
		for name, m := range map[string][2]*decimal.Decimal{
			"gift orders": {o.Gift.Orders.Value, a.Data.Metrics.Orders.Value}, "gift revenue": {o.Gift.Revenue.Value, a.Data.Metrics.Revenue.Value},
			"gift conversion": {o.Gift.ConversionRate.Value, a.Data.Metrics.ConversionRate.Value}, "gift order value": {o.Gift.AOVByFG.Value, a.Data.Metrics.AOVByFG.Value},
			"order value": {o.Gift.AOVStore.Value, a.Data.Metrics.AOVStore.Value},
		} {
			same(name, textOf(m[0]), textOf(m[1]))
		}
	}
	return compared
}

// textOf formats a number that may be nil.
func textOf[T any](n *T) string {
	if n == nil {
		return "none"
	}
	return fmt.Sprint(*n)
}
