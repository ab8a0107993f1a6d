package overview

import (
	"encoding/json"
	"testing"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/reporttest"
)

func overview(t *testing.T, in report.Stored, query string) Overview {
	t.Helper()
	return New(locale.English, in, reporttest.Choose(t, query), reporttest.Noon)
}

func TestGiftRevenueIsNeverAddedToUpsellRevenue_N3(t *testing.T) {
	t.Parallel()
	w := reporttest.Span("2026-11-17", "2026-11-19")
	in := fourAndFour()
	in.Windows = []report.StoredSummary{reporttest.WindowSummary(w, "300.30", 30, 150)}
	in.Lifetime = &report.StoredLifetime{TotalRevenue: *reporttest.Dec("91234.56"), OfferViews: 40000, UpsoldOrders: 3000, Currency: "USD", FetchedAt: reporttest.Noon}
	alone := overview(t, in, reporttest.ThreeDays)
	in.Gift = []report.StoredGift{reporttest.GiftAnswer(w, 3)}
	both := overview(t, in, reporttest.ThreeDays)
	reporttest.Equal(t, "summary beside gifts", both.Summary, alone.Summary)
	reporttest.Equal(t, "lifetime beside gifts", both.Lifetime, alone.Lifetime)
	reporttest.Equal(t, "placements beside gifts", both.Placements, alone.Placements)
	reporttest.Equal(t, "gift revenue", both.Gift.Revenue.Value, reporttest.Dec("4321.09"))
	reporttest.Nowhere(t, both, map[string]string{
		"gift and upsell revenue": "4621.39", "gift and upsell orders": "7031", "gift and lifetime revenue": "95555.65",
		"revenue without gifts": "-4020.79",
	})
}

func TestTheThreeAveragesHaveThreeNames_N3(t *testing.T) {
	t.Parallel()
	in := reporttest.Three()
	in.Gift = []report.StoredGift{reporttest.GiftAnswer(reporttest.Span("2026-11-17", "2026-11-19"), 3)}
	o := overview(t, in, reporttest.ThreeDays)
	for name, want := range map[string]string{"average_upsold_value": "10.01", "aov_by_fg": "60.86", "aov_store": "81.22"} {
		found := 0
		for _, panel := range []any{o.Summary, o.Gift} {
			body, err := json.Marshal(panel)
			if err != nil {
				t.Fatal(err)
			}
			var fields map[string]json.RawMessage
			if err := json.Unmarshal(body, &fields); err != nil {
				t.Fatal(err)
			}
			raw, ok := fields[name]
			if !ok {
				continue
			}
			found++
			var metric struct{ Value string }
			if json.Unmarshal(raw, &metric) != nil {
				_ = json.Unmarshal(raw, &metric.Value)
			}
			reporttest.Equal(t, name, metric.Value, want)
		}
		reporttest.Equal(t, "panels with a number called "+name, found, 1)
	}
}
