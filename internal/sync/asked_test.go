package pulls_test

import (
	"context"
	"net/url"
	"slices"
	"testing"

	"github.com/storeglass/storeglass/internal/apis/sandbox"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/overview"
	pulls "github.com/storeglass/storeglass/internal/sync"
	"github.com/storeglass/storeglass/internal/sync/plan"
)

// lookAt opens a page about a window and lets the services be asked where they can answer.
// asked names them.
func (w *world) lookAt(query string) (asked []string) {
	w.t.Helper()
	ctx, store, now := context.Background(), w.seen(shop), w.clock.Now()
	q, err := url.ParseQuery(query)
	if err != nil {
		w.t.Fatal(err)
	}
	choice, err := report.ParseChoice(q, now, store.Location(), store.FirstDay)
	if err != nil {
		w.t.Fatal(err)
	}
	stored, err := w.db.Stored(ctx, store, choice, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	open := overview.Unanswered(stored, choice, now, "upsell", "gift")
	for _, question := range open {
		for _, service := range question.Services {
			if question.Window != choice.Window {
				service += " before"
			}
			asked = append(asked, service)
		}
		if _, err := (pulls.Queue{DB: w.db, Jobs: w.db}).WantWindow(ctx, store, question, now); err != nil {
			w.t.Fatal(err)
		}
	}
	if len(open) > 0 {
		if stored, err = w.db.Stored(ctx, store, choice, nil); err != nil {
			w.t.Fatal(err)
		}
		equal(w.t, "the answer is to come", report.Asking(stored, choice, now), true)
	}
	return asked
}

// Whatever the services can answer in one call, they are asked, shown to the cent, and kept;
// the rest stays as it was.
func TestAnyWindowIsAskedForOnceAndShownAsReported(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{at: settledTime})
	w.add(shop, 60)
	for _, query := range []string{"", "window=last_7_days", "window=last_90_days"} {
		if got := w.lookAt(query); got != nil {
			t.Errorf("a new store's page %q asks %v beside its first calls", query, got)
		}
	}
	w.sync(shop)
	for query, want := range map[string][]string{
		"start=2026-10-03&end=2026-10-19":          {"upsell", "upsell before"}, // some of the 17 days before aren't stored
		"start=2026-11-09&end=2026-11-19":          {"upsell"},                  // the gift service was asked when its days were derived
		"window=last_30_days":                      nil,
		"window=yesterday":                         nil,
		"window=last_month":                        {"upsell before"}, // the month itself was asked for with the first calls
		"window=month_to_date":                     nil,
		"window=last_30_days&compare=year":         {"upsell before"},
		"window=last_30_days&compare=year_weekday": {"upsell before"},
		"window=today":                             nil,
		"start=2026-06-01&end=2026-10-19":          nil, // too long for one call
		"start=2025-12-01&end=2026-11-19":          {"gift"},
	} {
		if got := w.lookAt(query); !slices.Equal(got, want) {
			t.Errorf("%s asks %v, want %v", query, got, want)
		}
		if got := w.lookAt(query); got != nil {
			t.Errorf("%s asks %v again", query, got)
		}
	}
	from := w.mark()
	w.sync(shop)
	equal(t, "upsell calls", len(w.arrivals(sandbox.Upsell, from)), 6*4)
	equal(t, "gift calls", len(w.arrivals(sandbox.Gift, from)), 1)
	for query, gift := range map[string]bool{"start=2026-10-03&end=2026-10-19": false, "start=2026-11-09&end=2026-11-19": true} {
		o := w.overview(query)
		equal(t, query+": summary", o.Summary.Provenance.Basis, report.Reported)
		equal(t, query+": compared", o.Summary.Comparable() != nil, true)
		equal(t, query+": placements", o.Placements.Provenance.Basis, report.Reported)
		equal(t, query+": ranking", o.Top.Provenance.Basis, report.Reported)
		equal(t, query+": acceptance", o.Top.AcceptanceUnit != overview.UnitUnknown, true)
		equal(t, query+": gift rate", o.Gift.Provenance.Basis == report.Reported && o.Gift.ConversionRate.Value != nil, gift)
		if got := w.lookAt(query); got != nil {
			t.Errorf("%s was answered and asks %v again", query, got)
		}
	}
	for query, before := range map[string]string{
		"window=last_30_days&compare=year": "2025-10-21..2025-11-19", "window=last_30_days&compare=year_weekday": "2025-10-22..2025-11-20", "window=last_month": "2026-09-01..2026-09-30",
	} {
		o := w.overview(query)
		equal(t, query+": compared with", o.Summary.Previous != nil && o.Summary.Previous.Provenance.Basis == report.Reported, true)
		equal(t, query+": compared with", plan.RangeSubject(*o.Choice.Against), before)
	}
}
