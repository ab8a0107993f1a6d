package sandbox

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/apis/sandbox/world"
)

func everyAnswer(w *served) (out []string) {
	for _, st := range w.Stores() {
		for _, p := range []string{
			"/data/analytics/summary", "/data/analytics/stats", "/data/analytics/top", "/data/analytics/coverage", "/data/analytics/lifetime",
			"/data/offers", "/data/offers/count", "/data/analytics/summary?start=2026-11-01&end=2026-11-01",
			"/data/offers/by-priority?placement=coupon-offer", "/data/products/recommendations", "/data/products/recommendations?productName=a",
		} {
			out = append(out, w.upsell(st.Slug, p).body)
		}
		for _, p := range []string{"", "/analytics", "/plan", "/setup-health", "/campaigns"} {
			out = append(out, w.gift(st.Slug, p).body)
		}
	}
	return out
}

func TestTwoWorldsOfOneSeedAreTheSame(t *testing.T) {
	t.Parallel()
	a, b := newWorld(t, Config{Vast: true}), newWorld(t, Config{Vast: true})
	same(t, a.Stores(), b.Stores())
	same(t, everyAnswer(a), everyAnswer(b))
	c := newWorld(t, Config{Vast: true, Seed: 8})
	hold(t, !reflect.DeepEqual(a.Stores()[0].UpsellToken, c.Stores()[0].UpsellToken))
	hold(t, !reflect.DeepEqual(everyAnswer(a), everyAnswer(c)))
}

func TestTodayGrowsWithTheClockAndEndsAsTheClosedDay(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	w.clock.at = time.Date(2026, 11, 20, 5, 0, 0, 0, time.UTC) // midnight in New York
	const today = "/data/analytics/summary?start=2026-11-20&end=2026-11-20"
	var last gotSummary
	for range 24 {
		w.clock.forward(59 * time.Minute)
		now := data[gotSummary](t, w.upsell("fernhollow", today))
		hold(t, now.TotalOrders >= last.TotalOrders, now.TotalOrders)
		hold(t, now.TotalUpsoldValue.GreaterThanOrEqual(last.TotalUpsoldValue))
		last = now
		w.clock.forward(time.Minute)
	}
	closed := data[gotSummary](t, w.upsell("fernhollow", today))
	hold(t, closed.TotalOrders >= last.TotalOrders, closed.TotalOrders)
	hold(t, closed.TotalOrders > 150, closed.TotalOrders)
	for range 5 {
		w.clock.forward(31 * time.Hour)
		same(t, closed, data[gotSummary](t, w.upsell("fernhollow", today)))
	}
}

func TestTodayNeverShrinksWhenTheClocksAreSetBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	w.clock.at = time.Date(2026, 11, 1, 4, 0, 0, 0, time.UTC) // a day of 25 hours in New York
	last := int64(-1)
	for range 25 {
		now := data[gotSummary](t, w.upsell("fernhollow", "/data/analytics/summary?start=2026-11-01&end=2026-11-01"))
		hold(t, now.TotalOrders > last, now.TotalOrders, last)
		last = now.TotalOrders
		w.clock.forward(time.Hour)
	}
}

func TestAClosedDayIsTheSameInAWorldStartedLater(t *testing.T) {
	t.Parallel()
	early := newWorld(t, Config{})
	late := newWorld(t, Config{Now: func() time.Time { return time.Date(2028, 2, 9, 12, 0, 0, 0, time.UTC) }})
	for _, slug := range sellers {
		for d := firstDay.AddDays(-400); d.Before(lastDay); d = d.AddDays(13) {
			for _, p := range []string{"/data/analytics/summary", "/data/analytics/stats"} {
				a, b := early.upsell(slug, p+span(d, d)), late.upsell(slug, p+span(d, d))
				if p == "/data/analytics/summary" {
					same(t, a.body, b.body, "", slug, d)
					continue
				}
				same(t, data[gotStats](t, a).Placements, data[gotStats](t, b).Placements, "", slug, d)
			}
		}
	}
}

func TestDaysAreThoseOfTheStoresClock(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{}) // 20:00 UTC: 15:00 in New York, the next day in Tokyo and Sydney
	for slug, today := range map[string]string{"fernhollow": "2026-11-20", "lumen": "2026-11-20", "kumo": "2026-11-21", "wattle": "2026-11-21"} {
		same(t, today, data[gotSummary](t, w.upsell(slug, "/data/analytics/summary")).AppliedWindow.End)
	}
}

func TestAWorldHasHistoryWhateverItsClock(t *testing.T) {
	t.Parallel()
	for _, now := range []string{"2023-03-01T00:00:00Z", "2025-07-07T00:00:00Z", "2026-08-30T00:00:00Z", "2031-01-01T00:00:00Z"} {
		at := newClock(now)
		w := newWorld(t, Config{Now: at.now})
		sum := data[gotSummary](t, w.upsell("fernhollow", "/data/analytics/summary"))
		hold(t, sum.TotalOrders > 4000, now)
		sh := w.shops[0]
		hold(t, sh.Moment(at.now()).Day >= world.HistoryAtLeast-1, now)
	}
}

func TestLateOrdersChangePastDaysForThreeDaysOnly(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{LateOrders: true})
	yesterday := "/data/analytics/summary?start=2026-11-19&end=2026-11-19"
	var seen []int64
	for range 6 {
		seen = append(seen, data[gotSummary](t, w.upsell("fernhollow", yesterday)).TotalOrders)
		w.clock.forward(24 * time.Hour)
	}
	hold(t, seen[0] < seen[2], fmt.Sprint(seen))
	same(t, seen[2], seen[5], fmt.Sprint(seen))
	punctual := newWorld(t, Config{})
	same(t, seen[5], data[gotSummary](t, punctual.upsell("fernhollow", yesterday)).TotalOrders, "in the end it is the same world")
}

// In one store, a new user can see what a calm dashboard looks like.
func TestOneStoreHasNothingToDoOnAnyDay(t *testing.T) {
	t.Parallel()
	sh := newWorld(t, Config{}).shopOf("lumen")
	for day := 502; day < 502+2*365; day++ {
		now, live := world.Moment{Day: day}, map[int]bool{}
		for _, o := range sh.Offers(day) {
			if o.Deleted(now) || o.Status(now) == "expired" {
				continue
			}
			for _, c := range sh.TriggerOf(&o).Conditions {
				hold(t, !c.IsDeleted, sh.Date(day), o.Name)
			}
			live[int(o.At)] = live[int(o.At)] || o.Status(now) == "active"
		}
		for p := range int(world.Placements) {
			hold(t, live[p], sh.Date(day), world.PlacementLabels[p])
		}
		gifts := 0
		for _, c := range sh.Gifts(now) {
			if c.Status(day) == "active" {
				gifts++
				hold(t, c.End > day+30, sh.Date(day), c.Name, "ends soon")
			}
		}
		hold(t, gifts > 0, sh.Date(day), "no gift campaign")
	}
}
