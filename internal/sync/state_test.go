package pulls_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/apis/sandbox"
)

// A section that the service couldn't give keeps its last good state, and while something is
// missing we never report all clear.
func TestSetupHealthKeepsTheLastGoodSection_N50(t *testing.T) {
	t.Parallel()
	w := synced(t, options{at: settledTime})
	before := w.overview("").Health
	equal(t, "all clear", before.AllClear(), true)
	if before.ThemeName == "" {
		t.Fatal("the theme is not known to begin with")
	}
	w.clock.set(settledTime.Add(2 * time.Hour))
	w.sandbox.Break(sandbox.Gift, shop, sandbox.Fault{Path: "/setup-health", Cause: sandbox.ThemeAway})
	w.sync(shop)
	h := w.overview("").Health
	equal(t, "all clear", h.AllClear(), false)
	equal(t, "theme", h.ThemeName, before.ThemeName)
	equal(t, "embed", *h.EmbedEnabled, *before.EmbedEnabled)
	equal(t, "errors", len(h.Errors), 1)
	equal(t, "as old as its oldest section", h.Provenance.FetchedAt.Equal(settledTime), true)
	equal(t, "ledger", w.one("gift.setup_health").Text, "part of it is missing")

	w.clock.set(settledTime.Add(3 * time.Hour))
	w.sandbox.Clear(sandbox.Gift, shop)
	w.sandbox.Break(sandbox.Gift, shop, sandbox.Fault{Path: "/setup-health", Edit: page(func(d map[string]any) {
		d["theme"], d["errors"] = nil, []any{map[string]any{"code": "THEME", "message": "out of reach"}}
		d["issues"] = []any{map[string]any{"code": "GIFT_SOLD_OUT", "message": "none left"}}
	})})
	w.sync(shop)
	h = w.overview("").Health
	equal(t, "issues that an incomplete answer names", len(h.Issues), 1)
	equal(t, "ledger", w.one("gift.setup_health").Text, "part of it is missing, 1 issue found")

	w.clock.set(settledTime.Add(4 * time.Hour))
	w.sandbox.Clear(sandbox.Gift, shop)
	w.sync(shop)
	equal(t, "all clear again", w.overview("").Health.AllClear(), true)

	for hour, edit := range []func(d map[string]any){
		func(d map[string]any) {
			d["issues"] = []any{map[string]any{"code": "GIFT_SOLD_OUT", "message": "none left"}}
		},
		func(d map[string]any) { d["theme"], d["issues"], d["errors"] = nil, []any{}, []any{"out of reach"} },
	} {
		w.clock.set(settledTime.Add(time.Duration(5+hour) * time.Hour))
		w.sandbox.Clear(sandbox.Gift, shop)
		w.sandbox.Break(sandbox.Gift, shop, sandbox.Fault{Path: "/setup-health", Edit: page(edit)})
		w.sync(shop)
		equal(t, "issues of the last complete answer", len(w.overview("").Health.Issues), 1)
	}
}

// A cached answer was computed at some time of the day: nothing that arrived on that day is in it for certain.
func TestACachedGiftAnswerProvesNothingOfItsDay_N49_N64(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{at: settledTime})
	w.add(shop, 1)
	w.sandbox.Break(sandbox.Gift, shop, sandbox.Fault{Path: "/analytics", Edit: replaced(`"cached":false`, `"cached":true`)})
	w.sync(shop)
	equal(t, "answers", get[int](w, `select count(*) from gift_windows where cached`) > 0, true)
	equal(t, "begun at a known time", get[int](w, `select count(*) from gift_windows where cached and begun_at is not null`), 0)
	equal(t, "proven later than its day began", get[int](w, `
		select count(*) from gift_windows g join stores s on s.id = g.store_id
		where g.cached and g.proven_at > date_trunc('day', g.fetched_at at time zone s.timezone) at time zone s.timezone`), 0)
}

func TestSetupHealthCountsItsIssuesInTheLedger(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{at: settledTime})
	w.add("fernhollow", 1) // its app embed is off
	w.sync("fernhollow")
	equal(t, "ledger", w.one("gift.setup_health").Text, "1 issue found")
}

func TestACampaignThatVanishedIsNoLongerListedSince_N52(t *testing.T) {
	t.Parallel()
	w := synced(t, options{at: settledTime})
	all := w.overview("").Campaigns
	gone := all.Campaigns[0]
	w.clock.set(settledTime.Add(24 * time.Hour))
	w.sandbox.Break(sandbox.Gift, shop, sandbox.Fault{Path: "/campaigns", Edit: page(func(d map[string]any) {
		rows := d["campaigns"].([]any)
		d["campaigns"], d["total"] = rows[1:], len(rows)-1
	})})
	w.sync(shop)
	now := w.overview("").Campaigns
	equal(t, "the service's count", now.Total, all.Total-1)
	equal(t, "campaigns shown", len(now.Campaigns), len(all.Campaigns))
	for _, c := range now.Campaigns {
		if (c.LastListed != nil) != (c.ID == gone.ID) {
			t.Errorf("%s was last listed %v", c.Name, c.LastListed)
		}
		if c.ID == gone.ID && !c.LastListed.Equal(settledTime) {
			t.Errorf("%s was last listed %s, want %s", c.Name, c.LastListed, settledTime)
		}
	}
	w.sandbox.Clear(sandbox.Gift, shop)
	w.clock.set(settledTime.Add(48 * time.Hour))
	w.sync(shop)
	for _, c := range w.overview("").Campaigns.Campaigns {
		if c.LastListed != nil {
			t.Errorf("%s is listed again and said to be gone since %s", c.Name, c.LastListed)
		}
	}
}

func TestPlanWithoutALimitKeepsNull_N55(t *testing.T) {
	t.Parallel()
	w := synced(t, options{at: settledTime})
	p := w.overview("").Plan // Lumen's plan has no limit
	if !p.CampaignsUnlimited || p.CampaignsLimit != nil || !p.RevenueUnlimited || p.RevenueLimit != nil {
		t.Errorf("%+v", p)
	}
	equal(t, "reset", p.RevenueResetAt, "2026-11-30T23:00:00.000Z")
}

func TestCouponRowsAreStoredWithoutRevenue_N13(t *testing.T) {
	t.Parallel()
	w := synced(t, options{at: settledTime})
	for table, column := range map[string]string{"placement_stats": "revenue", "coverage": "recent_revenue"} {
		equal(t, table+" rows of coupons with revenue", get[int](w, fmt.Sprintf(`select count(*) from %s where placement = 'Coupon offer' and %s is not null`, table, column)), 0)
		equal(t, table+" other rows without", get[int](w, fmt.Sprintf(`select count(*) from %s where placement <> 'Coupon offer' and %s is null`, table, column)), 0)
	}
	equal(t, "coupon offers with all-time revenue", get[int](w, `select count(*) from offers where placement = 'Coupon offer' and revenue is not null`), 0)
}

func TestAnUnknownPlacementIsStoredRawAndFlagged_N31(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{at: settledTime})
	w.add(shop, 1)
	w.sandbox.Break(sandbox.Upsell, shop, sandbox.Fault{Path: "/data/offers/by-priority"}) // asked for by its name, it uses that name
	w.sandbox.Break(sandbox.Upsell, shop, sandbox.Fault{Edit: replaced("Order status page upsell", "Checkout page upsell")})
	w.sync(shop)
	equal(t, "flags of the pull", w.row("stats.window", "30").Flags, []string{"unknown_value"})
	s := w.overview("window=last_30_days").Placements
	equal(t, "rows", len(s.Rows), 5)
	equal(t, "the last", string(s.Rows[4].Placement), "Checkout page upsell")
	equal(t, "flagged", s.Provenance.Has("unknown_value"), true)
}

func TestNullMetricsStayNull_N46_N47(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{at: settledTime})
	w.add("wattle", 1) // never gave a gift
	w.sync("wattle")
	equal(t, "averages without an order", get[int](w, `select count(*) from gift_windows where aov_by_fg is null and aov_by_fg_change is null and orders = 0 and orders_change is null`), get[int](w, `select count(*) from gift_windows`))
}

func TestTheRawGoodReplyIsKeptBesideItsNumbers(t *testing.T) {
	t.Parallel()
	w := synced(t, options{at: settledTime})
	var reply struct {
		Data struct {
			TotalRevenue json.Number `json:"totalRevenue"`
		} `json:"data"`
	}
	body := get[[]byte](w, `select body from replies where pull = 'lifetime' and good`)
	if err := json.Unmarshal(body, &reply); err != nil {
		t.Fatal(err)
	}
	equal(t, "revenue", get[string](w, `select trim_scale(total_revenue)::text from lifetimes`), get[string](w, `select trim_scale($1::numeric)::text`, reply.Data.TotalRevenue.String()))
	equal(t, "replies", get[int](w, `select count(*) from replies where good and status = 200`), len(w.ledger("")))
	equal(t, "endpoint", get[string](w, `select endpoint || '?' || query from replies where pull = 'summary.window' and subject = '30'`), "/data/analytics/summary?end=2026-11-19&start=2026-10-21")
}
