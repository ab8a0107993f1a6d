package sandbox

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/shopspring/decimal"
)

// A month of days, each asked for on the day after it, equals the same month asked for at once; and each answer
// includes the previous window.
func TestGiftDaysAddUpToWindowsAndPreviousIsTheWindowBefore(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	ask := func(slug string, days int) map[string]gotMetric {
		return data[gotAnalytics](t, w.gift(slug, fmt.Sprint("/analytics?days=", days))).Metrics
	}
	const month = 30
	additive := []string{"orders", "revenue"}
	days := map[string][]decimal.Decimal{}
	for range month {
		w.clock.forward(24 * time.Hour)
		for _, slug := range sellers {
			day := ask(slug, 1)
			for _, name := range additive {
				key := slug + " " + name
				if held := days[key]; len(held) > 0 {
					equalMoney(t, held[len(held)-1], *day[name].Previous, key+": previous is the day before")
				}
				days[key] = append(days[key], *day[name].Value)
			}
		}
	}
	for _, slug := range sellers {
		for _, n := range []int{1, 2, 7, 15, month} {
			window := ask(slug, n)
			for _, name := range additive {
				held := days[slug+" "+name]
				equalMoney(t, decimal.Sum(decimal.Zero, held[month-n:]...), *window[name].Value, fmt.Sprint(slug, " ", name, " of ", n))
				if 2*n <= month {
					equalMoney(t, decimal.Sum(decimal.Zero, held[month-2*n:month-n]...), *window[name].Previous, fmt.Sprint(slug, " ", name, " before ", n))
				}
			}
		}
	}
}

func TestEveryStoresListDetailHealthAndPlanAgree(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	for range 4 {
		for _, slug := range sellers {
			total := agree(w, slug)
			same(t, slug == "wattle", total == 0, slug)
		}
		w.clock.forward(13 * 24 * time.Hour) // campaigns begin and end by themselves
	}
	vast := newWorld(t, Config{Vast: true})
	health := data[gotHealth](t, vast.gift("penrose", "/setup-health")).Campaigns
	hold(t, health.Total > campaignsMax, "the counts go on where the list ends", health)
	same(t, health.Active+health.Scheduled, data[gotPlan](t, vast.gift("penrose", "/plan")).Campaigns.ActiveOrScheduled)
}

// Nonsensical values aren't refused: the period names the resulting window.
func TestDaysAndZonesPassThroughUnchecked_N43(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	for query, want := range map[string][]any{
		"days=365":                         {"2025-11-20", "2026-11-19", 365, "America/New_York"},
		"days=400":                         {"2025-10-16", "2026-11-19", 400, "America/New_York"},
		"days=-3":                          {"2026-11-23", "2026-11-19", 0, "America/New_York"},
		"days=":                            {"2026-10-21", "2026-11-19", 30, "America/New_York"},
		"days=7.5":                         {"2026-10-21", "2026-11-19", 30, "America/New_York"},
		"days=99999999999999999999":        {"2026-10-21", "2026-11-19", 30, "America/New_York"},
		"days=7&ianaTimezone=Nowhere/Land": {"2026-11-13", "2026-11-19", 7, "Nowhere/Land"},
		"days=7&ianaTimezone=Pacific/Apia": {"2026-11-14", "2026-11-20", 7, "Pacific/Apia"},
		"days=7&includeToday=maybe":        {"2026-11-13", "2026-11-19", 7, "America/New_York"},
	} {
		got := data[gotAnalytics](t, w.gift("fernhollow", "/analytics?"+query)).Period
		same(t, want, []any{got.Start, got.End, got.Days, got.Timezone}, query)
	}
	empty := data[gotAnalytics](t, w.gift("fernhollow", "/analytics?days=-3"))
	hold(t, empty.Metrics["orders"].Value.IsZero() && empty.Metrics["orders"].ChangePercent == nil)
	same(t, http.StatusOK, w.gift("fernhollow", "/analytics?days=999999999").status)
}
