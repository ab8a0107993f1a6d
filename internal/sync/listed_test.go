package pulls_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/apis/sandbox"
	pulls "github.com/storeglass/storeglass/internal/sync"
)

// The list of stores reads no days or pulls: what it says is written with every pull, and must
// match what the store's own pages say.
func TestTheListSaysOfAStoresHistoryWhatItsOverviewSays(t *testing.T) {
	t.Parallel()
	broken := func(day string) sandbox.Fault {
		return sandbox.Fault{Path: "/data/analytics/summary", Edit: func(b []byte) []byte {
			if strings.Contains(string(b), `"start":"`+day+`","end":"`+day+`"`) {
				return []byte("{}")
			}
			return b
		}}
	}
	for name, c := range map[string]struct {
		options options
		prepare func(*world)
		run     func(*world)
		want    string
	}{
		"whole":     {options{}, func(*world) {}, nil, "12 of 12, 0 left"},
		"under way": {options{rateLimit: 40, limit: 40}, func(*world) {}, (*world).runUntilWait, ""},
		"a day that failed is missing, not on its way": {options{}, func(w *world) { w.sandbox.Break(sandbox.Upsell, shop, broken("2026-11-15")) }, nil, "11 of 12, 0 left"},
		"a day that is refused is missing":             {options{}, func(w *world) { w.refused("2026-11-09") }, nil, "11 of 12, 0 left"},
		"the service's history is shorter":             {options{}, func(w *world) { w.historyFrom("2026-11-12") }, nil, "8 of 8, 0 left"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.options.at = settledTime
			w := newWorld(t, c.options)
			w.add(shop, 12)
			c.prepare(w)
			if c.run != nil {
				c.run(w)
			} else if _, err := w.syncer.Run(context.Background(), shop, pulls.RunOptions{}); err != nil {
				t.Fatal(err)
			}
			says := get[string](w, `select days_stored || ' of ' || days_planned || ', ' || days_left || ' left' from stores where slug = $1`, shop)
			o := w.overview("")
			switch f := o.Filling; {
			case f != nil:
				equal(t, "while it is filled", says, fmt.Sprintf("%d of %d, %d left", f.Stored, f.Planned, f.DaysLeft))
				if c.want != "" {
					t.Errorf("it is still filled: %s", says)
				}
			case c.want == "":
				t.Error("it is filled already: the test needs a store under way")
			default:
				equal(t, "history", says, c.want)
			}
			equal(t, "last day", get[*time.Time](w, `select last_day from stores where slug = $1`, shop).Format(time.DateOnly), o.Freshness.DataTo.String())
			for service, column := range map[string]string{pulls.Upsell: "upsell_pulled_at", pulls.Gift: "gift_pulled_at"} {
				equal(t, "newest answer of "+service, get[*time.Time](w, `select `+column+` from stores where slug = $1`, shop),
					get[*time.Time](w, `select max(last_good_at) from ledger where service = $1`, service))
			}
		})
	}
}

// historyFrom makes the service answer for the first day of its history when asked for an
// earlier one.
func (w *world) historyFrom(first string) {
	w.sandbox.Break(sandbox.Upsell, shop, sandbox.Fault{Path: "/data/analytics/summary", Edit: func(b []byte) []byte {
		_, rest, _ := strings.Cut(string(b), `"start":"`)
		day, rest, _ := strings.Cut(rest, `"`)
		if !strings.HasPrefix(rest, `,"end":"`+day+`"`) || day >= first {
			return b
		}
		return []byte(strings.ReplaceAll(string(b), day, first))
	}})
}

// refused is a day that the service refuses every time.
func (w *world) refused(day string) {
	w.exec(`insert into ledger (store_id, pull, subject, service, lane, outcome, outcome_text, tried_at)
		select id, 'summary.day', $1, 'upsell', 'backfill', 'refused', '"no such day"', $2 from stores`, day, w.clock.Now())
}
