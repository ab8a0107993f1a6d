package offers

import (
	"testing"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/overview"
	"github.com/storeglass/storeglass/internal/report/reporttest"
)

// answered is what happened to an offer that has a row in both windows' rankings.
func answered(t *testing.T, change func(d *Detail, o *overview.Overview)) Answer {
	t.Helper()
	d := detail(t, socks(), "window=custom&start=2026-11-17&end=2026-11-18")
	one, against := 1, reporttest.Span("2026-11-15", "2026-11-16")
	o := overview.Overview{
		Top: overview.TopOffers{Currency: "USD", Earned: &one, Highest: []report.TopRow{{OfferID: "s1", Revenue: reporttest.Dec("12.25")}}},
		TopBefore: &overview.TopOffers{
			Panel: report.Panel{Provenance: report.Provenance{Window: &against}}, Currency: "USD", Earned: &one, Highest: []report.TopRow{{OfferID: "s1", Revenue: reporttest.Dec("24.50")}},
		},
	}
	change(&d, &o)
	return d.Answered(o, []report.Event{{OfferID: "s1", Day: reporttest.On("2026-11-18")}, {OfferID: "another", Day: reporttest.On("2026-11-17"), Start: true}}).Answer
}

func TestAnOffersAnswerSaysOnlyWhatIsKnown(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(d *Detail, o *overview.Overview)
		before string
		want   string
	}{
		"both known":                  {func(*Detail, *overview.Overview) {}, "24.5", "This offer brought in $12.25 in the period 17 – 18 Nov 2026, 50.0% less than in the 2 days before. It ended on 18 Nov."},
		"earned nothing before":       {func(_ *Detail, o *overview.Overview) { o.TopBefore.Highest = nil }, "0", "This offer brought in $12.25 in the period 17 – 18 Nov 2026. It ended on 18 Nov."},
		"nothing compared":            {func(_ *Detail, o *overview.Overview) { o.TopBefore = nil }, "", "This offer brought in $12.25 in the period 17 – 18 Nov 2026. It ended on 18 Nov."},
		"may be missing before N16":   {func(_ *Detail, o *overview.Overview) { o.TopBefore.Earned = nil }, "", "This offer brought in $12.25 in the period 17 – 18 Nov 2026. It ended on 18 Nov."},
		"another currency before N34": {func(_ *Detail, o *overview.Overview) { o.TopBefore.Currency = "EUR" }, "", "This offer brought in $12.25 in the period 17 – 18 Nov 2026. It ended on 18 Nov."},
		"a day is missing N1":         {func(d *Detail, _ *overview.Overview) { d.Results.Provenance.Missed(reporttest.On("2026-11-17")) }, "24.5", "It ended on 18 Nov."},
		"the ranking is cut N68": {
			func(d *Detail, _ *overview.Overview) {
				d.Results.Provenance = d.Results.Provenance.With(report.FlagCut)
			}, "24.5", "It ended on 18 Nov.",
		},
		"a coupon N13": {
			func(d *Detail, _ *overview.Overview) { d.Offer.Placement, d.Results.Revenue = report.Coupon, nil }, "", "It ended on 18 Nov.",
		},
	} {
		a, before := answered(t, c.change), ""
		if a.Before != nil {
			before = a.Before.String()
		}
		reporttest.Equal(t, name+": before", before, c.before)
		reporttest.Equal(t, name+": compared", a.Compared != nil, a.Before != nil)
		reporttest.Equal(t, name, a.Said.In(locale.English), c.want)
	}
}
