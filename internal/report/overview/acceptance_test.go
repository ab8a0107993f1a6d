package overview

import (
	"strconv"
	"strings"
	"testing"

	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/reporttest"

	"github.com/storeglass/storeglass/internal/locale"
)

// rated returns a placement's rows of a ranking from claims and rates: "276 0.214, 142 0.161". A "?" and
// a missing rate weren't reported.
func rated(p report.Placement, text string) []report.TopRow {
	var rows []report.TopRow
	for i, field := range strings.Split(text, ", ") {
		claims, rate, _ := strings.Cut(field, " ")
		row := report.TopRow{OfferID: string(p) + strconv.Itoa(i), Placement: p, Revenue: reporttest.Dec("9"), AcceptanceRate: reporttest.Dec(rate)}
		if n, err := strconv.ParseInt(claims, 10, 64); err == nil {
			row.Claims = &n
		}
		rows = append(rows, row)
	}
	return rows
}

func TestClaimsAndViewsProveTheUnitOfAcceptance_N19(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		post, thanks    string
		views, viewsToo int64
		want            RateUnit
	}{
		"fractions: as percentages they need 100 times the views": {"276 0.214, 142 0.161", "", 2200, 0, UnitFraction},
		"percentages: no fraction is above 1":                     {"276 21.4, 142 16.1", "", 2200, 0, UnitPercent},
		"small percentages among larger ones":                     {"2 0.4, 142 16.1", "", 1500, 0, UnitPercent},
		"all rates below 1 and plenty of views":                   {"2 0.4, 3 0.5", "", 1000, 0, UnitUnknown},
		"one placement is enough":                                 {"2 0.4", "300 0.25", 1000, 1300, UnitFraction},
		"placements contradict each other":                        {"276 21.4", "300 0.25", 1300, 1300, UnitUnknown},
		"the same, the other way round":                           {"300 0.25", "276 21.4", 1300, 1300, UnitUnknown},
		"a small percentage after larger ones":                    {"142 16.1, 2 0.4", "", 1500, 0, UnitPercent},
		"fits neither":                                            {"276 21.4", "", 3, 0, UnitUnknown},
		"fits neither, though no rate is above 1":                 {"276 0.214", "", 3, 0, UnitUnknown},
		"each placement's claims beside its own views (N14)":      {"9000 0.3", "2 0.4", 30000, 5, UnitFraction},
		"claims or a rate that were not reported":                 {"? 21.4, 142, 276 0.214", "", 2200, 0, UnitFraction},
		"no views are known":                                      {"276 0.214", "", 0, 0, UnitUnknown},
		"no claims":                                               {"0 0.214", "", 100, 0, UnitUnknown},
		"everyone accepts, as a fraction":                         {"90 1", "", 100, 0, UnitFraction},
		"one per cent, as a percentage":                           {"9 1", "", 900, 0, UnitUnknown},
		"a rate rounded to nothing":                               {"9 0", "", 900, 0, UnitUnknown},
		"later upsells are not among the views":                   {"276 0.214, 142 0.161", "", 900, 0, UnitFraction},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rows := rated(report.PostPurchase, c.post)
			stats := []report.StoredStat{{Placement: report.PostPurchase, Impressions: c.views}}
			if c.thanks != "" {
				rows = append(rows, rated(report.ThankYou, c.thanks)...)
				stats = append(stats, report.StoredStat{Placement: report.ThankYou, Impressions: c.viewsToo})
			}
			reporttest.Equal(t, "unit", acceptanceUnit(rows, stats), c.want)
		})
	}
}

func TestAcceptanceIsAPercentageOnlyWhereItsUnitIsProven_N19(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		unit       RateUnit
		rate, want string
	}{{UnitFraction, "0.2137", "21.4%"}, {UnitPercent, "21.37", "21.4%"}, {UnitPercent, "0.5", "0.5%"}, {UnitUnknown, "0.2137", "0.2137"}, {"", "21.37", "21.37"}} {
		reporttest.Equal(t, string(c.unit)+" "+c.rate, c.unit.Acceptance(locale.English, reporttest.Dec(c.rate)).String(), c.want)
	}
	reporttest.Equal(t, "not reported", UnitFraction.Acceptance(locale.English, nil), locale.NoFigure)
}

// Views of another window prove nothing about a ranking.
func TestTheUnitOfAcceptanceIsOfTheRankingsOwnWindow_N19(t *testing.T) {
	t.Parallel()
	in := ranking(whole, "a 9", "a 9")
	for i := range in.TopLists {
		in.TopLists[i].Rows[0].Claims, in.TopLists[i].Rows[0].AcceptanceRate = reporttest.N64(276), reporttest.Dec("0.214")
	}
	w := in.TopLists[0].Window
	in.StatWindows = []report.StoredStat{{Window: report.Window{Start: w.Start, End: w.End.AddDays(-1)}, Placement: report.PostPurchase, Impressions: 1300, Currency: "USD"}}
	reporttest.Equal(t, "by another window", overview(t, in, "").Top.AcceptanceUnit, UnitUnknown)
	in.StatWindows[0].Window = w
	reporttest.Equal(t, "by its own", overview(t, in, "").Top.AcceptanceUnit, UnitFraction)
	cut := in
	cut.TopLists = cut.TopLists[:1]
	cut.TopLists[0].Whole = false
	reporttest.Equal(t, "of a cut list", overview(t, cut, "").Top.AcceptanceUnit, UnitFraction)
}
