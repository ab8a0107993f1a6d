package pulls_test

import (
	"context"
	"testing"
)

// A window is stored before the days in it: its first comparison finds none of
// them, and must not be the one that stays.
func TestEveryReportedWindowIsComparedWhenItsDaysAreStored(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{})
	w.add("fernhollow", 181) // two windows of 90 days and today
	w.sync("fernhollow")
	var windows, agreeing int
	err := w.db.Pool.QueryRow(context.Background(),
		`select count(*), count(*) filter (where agrees and days_missing = 0) from window_checks`).Scan(&windows, &agreeing)
	if err != nil {
		t.Fatal(err)
	}
	if windows != 6 || agreeing != windows {
		t.Errorf("%d of %d windows agree with their days, want 6 of 6", agreeing, windows)
	}
}
