package db_test

import (
	"net/url"
	"testing"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/gift"
)

// The nightly comparison belongs to the days of exactly its window.
func TestAGiftComparisonStandsBesideItsOwnWindow(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 60)
	h.exec(`insert into gift_window_checks (store_id, window_start, window_end, reported_orders, stitched_orders,
		reported_revenue, stitched_revenue, days_stored, days_missing, days_derived, agrees, checked_at)
		values ($1, '2026-11-12', '2026-11-18', 9, 8, 310.50, 290, 7, 0, 2, false, $2)`, h.acme, later)
	store := h.view()
	for query, want := range map[string]bool{
		"start=2026-11-12&end=2026-11-18": true,
		"start=2026-11-12&end=2026-11-17": false,
	} {
		q, err := url.ParseQuery(query)
		h.must(err)
		choice, err := report.ParseChoice(q, later, store.Location(), store.FirstDay)
		h.must(err)
		stored, err := h.Gift(t.Context(), store, choice)
		h.must(err)
		c := gift.NewPage(locale.English, stored, choice, later).History.Provenance.Check
		equal(t, query, c != nil, want)
		if c != nil {
			equal(t, "compared", []string{c.Reported.String(), c.Stitched.String()}, []string{"310.5", "290"})
			equal(t, "agrees, days, missing, final", []any{c.Agrees, c.Days, c.Missing, c.Final}, []any{false, 7, 0, true})
		}
	}
}
