package sandbox

import (
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"github.com/storeglass/storeglass/internal/apis/sandbox/world"
)

// walk follows hasMore to the end of a list.
func walk(t *testing.T, w *served, slug, path string) (out []gotOffer) {
	t.Helper()
	for page := 1; page <= 50; page++ {
		got := data[gotOffers](t, w.upsell(slug, fmt.Sprintf("%s&page=%d", path, page)))
		out = append(out, got.Offers...)
		if !got.HasMore {
			return out
		}
	}
	return out
}

func TestListTotalShrinksFromPageToPage(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	first := data[gotOffers](t, w.upsell("fernhollow", "/data/offers"))
	second := data[gotOffers](t, w.upsell("fernhollow", "/data/offers?page=2"))
	same(t, 22, first.Total)
	same(t, 20, len(first.Offers))
	hold(t, first.HasMore)
	same(t, 2, second.Total)
	same(t, 2, len(second.Offers))
	hold(t, !second.HasMore)
	for _, page := range []string{"0", "-3", "x", ""} {
		same(t, first, data[gotOffers](t, w.upsell("fernhollow", "/data/offers?page="+page)), page)
	}
	past := data[gotOffers](t, w.upsell("fernhollow", "/data/offers?page=9"))
	same(t, 0, len(past.Offers))
	hold(t, strings.Contains(w.upsell("fernhollow", "/data/offers?page=9").body, `"offers":[]`), w.upsell("fernhollow", "/data/offers?page=9").body)
}

func TestPagesAboveFiftyRepeatPageFifty(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{Vast: true})
	last := data[gotOffers](t, w.upsell("penrose", "/data/offers?page=50"))
	hold(t, last.HasMore)
	same(t, world.VastOffers-49*pageSize, last.Total)
	for _, page := range []string{"51", "900"} {
		same(t, last, data[gotOffers](t, w.upsell("penrose", "/data/offers?page="+page)))
	}
	count := data[gotCount](t, w.upsell("penrose", "/data/offers/count"))
	reached := 0
	for _, row := range count.ByType {
		for status, n := range row.ByStatus {
			reached += len(walk(t, w, "penrose", "/data/offers?status="+status+"&type="+url.QueryEscape(row.Type)))
			hold(t, n <= 1000, n)
		}
	}
	same(t, world.VastOffers, reached, "slices reach what pages do not")
}

func TestListFiltersAreAppliedAndEchoed(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	cases := map[string]struct {
		query string
		want  map[string]any
		n     int
	}{
		"nothing":              {"", map[string]any{"scope": "shop"}, 22},
		"name in any case":     {"query=TRAIL", map[string]any{"scope": "filtered", "name": "TRAIL"}, 2},
		"status":               {"status=scheduled", map[string]any{"scope": "filtered", "status": "scheduled"}, 2},
		"label":                {"type=Coupon+offer", map[string]any{"scope": "filtered", "placement": "Coupon offer"}, 2},
		"slug":                 {"type=thank-you-page-coupon", map[string]any{"scope": "filtered", "placement": "Coupon offer"}, 2},
		"a/b test":             {"abTest=true", map[string]any{"scope": "filtered", "abTest": true}, 3},
		"no a/b filter":        {"abTest=false", map[string]any{"scope": "shop"}, 22},
		"unknown is ignored":   {"status=paused&type=cart", map[string]any{"scope": "shop"}, 22},
		"nothing fits is well": {"query=zzz", map[string]any{"scope": "filtered", "name": "zzz"}, 0},
	}
	for name, c := range cases {
		got := data[gotOffers](t, w.upsell("fernhollow", "/data/offers?"+c.query))
		same(t, c.want, got.AppliedFilter, name)
		same(t, c.n, got.Total, name)
	}
}

func TestNeverEarnedOffersAreAbsentFromTheRevenueRankingOnly(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	byRevenue := walk(t, w, "fernhollow", "/data/offers?sort=revenue")
	low := walk(t, w, "fernhollow", "/data/offers?sort=revenue_low")
	newest := walk(t, w, "fernhollow", "/data/offers?sort=newest")
	oldest := walk(t, w, "fernhollow", "/data/offers?sort=oldest")
	same(t, 22, len(low))
	same(t, 22, len(newest))
	for i := range newest {
		same(t, newest[i], oldest[len(oldest)-1-i])
	}
	hold(t, len(byRevenue) < 20, len(byRevenue))
	for i, o := range byRevenue {
		hold(t, o.Revenue.IsPositive(), o.Name)
		hold(t, i == 0 || byRevenue[i-1].Revenue.GreaterThanOrEqual(*o.Revenue))
	}
	never := 0
	for _, o := range low {
		same(t, o.Type == "Coupon offer", o.Revenue == nil, "coupon rows omit revenue", o.Name)
		hold(t, o.URL != nil)
		hold(t, o.IsDeleted == nil)
		hold(t, o.Claims == nil, "claims are on top rows only")
		if o.Revenue != nil && o.Revenue.IsZero() {
			never++
		}
	}
	hold(t, never >= 3, never)
}

func TestTopRanksEarnersAndDeletedRowsHaveNoURL(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	path := "/data/analytics/top" + span(firstDay, lastDay)
	same(t, 3, len(data[gotOffers](t, w.upsell("fernhollow", path)).Offers), "three unless asked otherwise")
	high := data[gotOffers](t, w.upsell("fernhollow", path+"&limit=50")).Offers
	low := data[gotOffers](t, w.upsell("fernhollow", path+"&limit=50&order=lowest")).Offers
	same(t, len(high), len(low))
	deleted := 0
	for i, o := range high {
		hold(t, o.Revenue.IsPositive())
		hold(t, i == 0 || high[i-1].Revenue.GreaterThanOrEqual(*o.Revenue))
		hold(t, low[len(low)-1-i].Revenue.Equal(*o.Revenue))
		hold(t, o.Claims != nil)
		hold(t, o.AcceptanceRate != nil)
		if o.IsDeleted != nil {
			deleted++
			hold(t, o.URL == nil)
			same(t, "Summer cap", o.Name)
			for _, listed := range walk(t, w, "fernhollow", "/data/offers?sort=newest") {
				hold(t, !reflect.DeepEqual(o.ID, listed.ID))
			}
		}
	}
	same(t, 1, deleted)
	hold(t, strings.Contains(w.upsell("wattle", "/data/analytics/top").body, `"offers":[]`), w.upsell("wattle", "/data/analytics/top").body)
}

func TestWindowsAreAppliedAsTheyAreTold(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	cases := map[string]struct {
		query string
		want  gotWindow
	}{
		"nothing asked":           {"", gotWindow{"2026-10-22", "2026-11-20", "default"}},
		"both":                    {"?start=2026-08-22&end=2026-11-19", gotWindow{"2026-08-22", "2026-11-19", "merchant"}},
		"only a start":            {"?start=2026-11-01", gotWindow{"2026-11-01", "2026-11-20", "merchant"}},
		"only an end":             {"?end=2026-10-30", gotWindow{"2026-10-01", "2026-10-30", "merchant"}},
		"from before the first":   {"?start=2025-06-30&end=2025-07-10", gotWindow{"2025-07-07", "2025-07-10", "adjusted"}},
		"wholly before the first": {"?start=2024-06-30&end=2024-06-30", gotWindow{"2025-07-07", "2025-07-07", "adjusted"}},
	}
	for name, c := range cases {
		for _, p := range []string{"summary", "stats", "top", "coverage"} {
			same(t, c.want, data[struct{ AppliedWindow gotWindow }](t, w.upsell("fernhollow", "/data/analytics/"+p+c.query)).AppliedWindow, name+" "+p)
		}
	}
	for _, bad := range []string{"?start=19-11-2026", "?end=2026-13-01", "?start=2026-11-02&end=2026-11-01", "?start=2026-08-21&end=2026-11-19"} {
		for _, p := range []string{"summary", "stats", "top"} {
			requireUpsellError(t, w.upsell("fernhollow", "/data/analytics/"+p+bad), http.StatusBadRequest, "")
		}
	}
	long := data[gotCoverage](t, w.upsell("fernhollow", "/data/analytics/coverage?start=2025-08-21&end=2026-11-19"))
	same(t, "2025-08-21", long.AppliedWindow.Start, "coverage has no cap")
}
