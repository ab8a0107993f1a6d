//go:build chaos

package chaos

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

// tables are those that must end the same however often a run was disturbed, with the columns
// that only concern the run itself. revised_at and revisions stay in: nothing was ever revised
// in a world that does not change.
var tables = map[string]string{
	"summaries":             "fetched_at",
	"placement_stats":       "fetched_at",
	"top_lists":             "fetched_at",
	"top_offers":            "",
	"coverage":              "fetched_at",
	"lifetimes":             "fetched_at",
	"offer_counts":          "fetched_at",
	"offers":                "first_seen_at,last_listed_at,last_walk",
	"offer_events":          "at",
	"offer_setups":          "fetched_at",
	"offer_stages":          "fetched_at",
	"offer_recommendations": "fetched_at",
	"offer_slices":          "done_at",
	"gift_windows":          "fetched_at,begun_at,same_since,proven_at",
	"gift_health":           "fetched_at",
	"gift_plans":            "fetched_at",
	"gift_campaigns":        "first_seen_at,last_listed_at",
	"gift_campaign_lists":   "fetched_at",
	"gift_campaign_configs": "fetched_at",
	"gift_plan_days":        "fetched_at",
	"gift_widgets":          "first_seen_at,last_listed_at",
	"gift_widget_settings":  "fetched_at",
	"gift_translations":     "fetched_at",
	"gift_settings":         "fetched_at",
	"gift_window_checks":    "checked_at",
	"revisions":             "id,seen_at,replaced_at",
	"window_checks":         "checked_at",
	"suspect_days":          "noticed_at",
	"ledger":                "due_at,tried_at,last_good_at,claim,lane",
	"offer_walks":           "id,started_at,finished_at",
}

// numbers is every row of every table as text.
func (h *house) numbers() map[string][]string {
	h.t.Helper()
	all := map[string][]string{}
	for table, without := range tables {
		all[table] = h.mustQuery(fmt.Sprintf(
			`select (to_jsonb(t) - 'store_id' - string_to_array('%s', ','))::text from %s t order by 1`, without, table))
	}
	return all
}

// sameNumbers fails the test for every row that only one of the two has.
func sameNumbers(t testing.TB, got, want map[string][]string) {
	t.Helper()
	rows := 0
	for table := range tables {
		rows += len(got[table])
		for _, d := range []struct {
			what       string
			has, lacks []string
		}{{"lacks", want[table], got[table]}, {"has too much", got[table], want[table]}} {
			differing := slices.DeleteFunc(slices.Clone(d.has), func(row string) bool {
				_, found := slices.BinarySearch(d.lacks, row)
				return found
			})
			if len(differing) > 0 {
				t.Errorf("%s %s %d rows, the first: %s", table, d.what, len(differing), differing[0])
			}
		}
		if len(got[table]) != len(want[table]) {
			t.Errorf("%s has %d rows, want %d", table, len(got[table]), len(want[table]))
		}
	}
	t.Logf("%d rows in %d tables compared", rows, len(tables))
}

// awaitDone returns when nothing is due, nothing is claimed and no job waits.
func (h *house) awaitDone(patience time.Duration) {
	h.t.Helper()
	const open = `
		select 'due ' || service from credentials where next_due_at <= now() + interval '5 minutes'
		union all
		select 'claimed ' || pull || ' ' || subject from ledger where claimed_until is not null`
	var left []string
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(500 * time.Millisecond) {
		rows, err := h.query(open)
		for _, job := range h.jobs("drain") {
			if job.FinalizedAt == nil {
				rows = append(rows, "job "+string(job.State))
			}
		}
		if err == nil && len(rows) == 0 {
			return
		}
		left = rows
	}
	h.t.Fatalf("not done after %s: %v", patience, left)
}
