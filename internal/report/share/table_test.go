package share

import (
	"reflect"
	"testing"

	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/answers"
	"github.com/storeglass/storeglass/internal/report/reporttest"
)

func TestAnOpenRowTellsOfDaysOfTheLinkAndOfTheOfferAlone(t *testing.T) {
	t.Parallel()
	pair := answers.Pair{Before: reporttest.Dec("4"), After: reporttest.Dec("7")}
	around := func(before, after report.Window) answers.BeforeAfter {
		return answers.BeforeAfter{Before: before, After: after, Days: 5, Offer: pair, Store: pair, Rate: pair, Placements: []answers.PlacementPair{{Placement: report.ThankYou, Pair: pair}}}
	}
	within := around(reporttest.Span("2026-11-03", "2026-11-07"), reporttest.Span("2026-11-10", "2026-11-14"))
	early := around(reporttest.Span("2026-10-30", "2026-11-03"), reporttest.Span("2026-11-06", "2026-11-10"))
	late := around(reporttest.Span("2026-11-12", "2026-11-16"), reporttest.Span("2026-11-19", "2026-11-23"))
	recent := within
	recent.Reason = answers.TooRecent
	told := View{Window: reporttest.Span("2026-11-01", "2026-11-20")}.Around([]answers.BeforeAfter{recent, within, early, late})
	if len(told) != 1 || told[0].Before != within.Before {
		t.Fatalf("%+v", told)
	}
	b := told[0]
	if b.Offer.After == nil || b.Placements != nil || b.Rate.After != nil || b.Store.After != nil {
		t.Errorf("what the link may not show stands beside the offer: %+v", b)
	}
}

func TestALinkSortsByNothingThatItDoesNotTell(t *testing.T) {
	t.Parallel()
	for sort, refused := range map[string][2]bool{
		"value": {false, false}, "claims_reversed": {false, false}, "change": {true, true}, "change_reversed": {true, true}, "status": {false, true}, "status_reversed": {false, true}, "revenue": {true, true},
	} {
		for i, fixed := range []bool{false, true} {
			v, filter := View{Fixed: fixed}, report.OfferFilter{Sort: sort}
			reporttest.Equal(t, sort, v.OfferError(filter) != nil, refused[i])
			reporttest.Equal(t, sort+" stays", v.Within(filter).Sort == sort, !refused[i])
		}
	}
	compares := View{Against: &report.Window{}}
	change := report.OfferFilter{Sort: "change"}
	reporttest.Equal(t, "change in a link that compares", compares.OfferError(change) == nil && compares.Within(change).Sort == change.Sort, true)
}

func TestALinkFiltersByNothingThatItDoesNotTell(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		filter  report.OfferFilter
		refused [2]bool
	}{
		"all":             {report.OfferFilter{}, [2]bool{false, false}},
		"lowest all-time": {report.OfferFilter{Sort: report.SortRevenueLow}, [2]bool{true, true}},
		"by priority":     {report.OfferFilter{Sort: report.SortPriority}, [2]bool{false, true}},
		"never earned":    {report.OfferFilter{NeverEarned: true}, [2]bool{true, true}},
		"existing":        {report.OfferFilter{Existing: true}, [2]bool{true, true}},
		"trigger deleted": {report.OfferFilter{TriggerDeleted: true}, [2]bool{true, true}},
		"sold nothing":    {report.OfferFilter{SoldNothing: &report.Window{}}, [2]bool{true, true}},
		"of a status":     {report.OfferFilter{Status: "active"}, [2]bool{false, true}},
		"under test":      {report.OfferFilter{ABTest: true}, [2]bool{false, true}},
	} {
		for i, fixed := range []bool{false, true} {
			v := View{Fixed: fixed}
			reporttest.Equal(t, name, v.OfferError(c.filter) != nil, c.refused[i])
			reporttest.Equal(t, name+", without it", v.OfferError(v.Within(c.filter)) == nil, true)
			reporttest.Equal(t, name+", stays", reflect.DeepEqual(v.Within(c.filter), c.filter), !c.refused[i])
		}
	}
}
