package pulls_test

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/apis/sandbox"
)

// Replies that came in together are written together, and one that can't be written doesn't
// spoil the others.
func TestAReplyThatCantBeWrittenSpoilsNoOther(t *testing.T) {
	t.Parallel()
	const odd = "2026-11-10"
	of := func(b []byte) bool { return bytes.Contains(b, []byte(`"start":"`+odd+`"`)) }
	for name, c := range map[string]struct {
		edit   func(w *world, b []byte) []byte
		begin  func(w *world)
		want   string // how the odd day's pull ends
		stored bool   // the odd day's new value
	}{
		"all can": {want: "good", stored: true},
		"a value that the database refuses": {
			begin: func(w *world) {
				w.exec(`alter table summaries add constraint no_such_day check (window_start <> '` + odd + `') not valid`)
			},
			want: "quarantined",
		},
		"a pull that another worker has taken over": {
			edit: func(w *world, b []byte) []byte {
				w.exec(`update ledger set claim = 1000, claimed_until = now() + '1 minute' where pull = 'summary.day' and subject = $1`, odd)
				return b
			},
			want: "good", // by its last answer
		},
		"an answer for another day's window": {
			edit: func(_ *world, b []byte) []byte { return bytes.ReplaceAll(b, []byte(odd), []byte("2026-11-09")) },
			want: "refused",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			arrivals := &onArrival{call: func(int) {}}
			w := newWorld(t, options{at: settledTime, rateLimit: 60_000, log: arrivals})
			w.add(shop, 20)
			w.sync(shop)
			w.clock.set(settledTime.Add(time.Second))
			w.wake("summary.day")
			pulls := len(w.ledger("summary.day"))
			if c.begin != nil {
				c.begin(w)
			}
			if c.edit != nil {
				w.sandbox.Break(sandbox.Upsell, shop, sandbox.Fault{Path: "/data/analytics/summary", Edit: func(b []byte) []byte {
					if of(b) {
						return c.edit(w, b)
					}
					return b
				}})
			}
			revision := get[int](w, `select revision from stores`)
			// The first transaction waits for this one, which ends when the last request arrives.
			hold, err := w.db.Pool.Begin(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			if _, err := hold.Exec(context.Background(), `select from stores for no key update`); err != nil {
				t.Fatal(err)
			}
			last := int(arrivals.n.Load()) + pulls
			arrivals.call = func(n int) {
				if n == last {
					_ = hold.Rollback(context.Background())
				}
			}
			w.run()

			fresh := 0
			for _, r := range w.ledger("summary.day") {
				if r.Subject == odd {
					if r.Outcome != c.want {
						t.Errorf("the odd day is %s: %s", r.Outcome, r.Text)
					}
					continue
				}
				if r.Outcome != "good" || !r.LastGood.Equal(settledTime.Add(time.Second)) || r.Claimed != nil {
					t.Errorf("%s is %s, last good %s, held until %v: %s", r.Subject, r.Outcome, r.LastGood, r.Claimed, r.Text)
				}
				fresh++
			}
			equal(t, "other days", fresh, pulls-1)
			const newer = `select count(*) from summaries where window_start = window_end and fetched_at > $1 and (window_start = $2) = $3`
			equal(t, "new values of other days", get[int](w, newer, settledTime, odd, false), pulls-1)
			equal(t, "new values of the odd day", get[int](w, newer, settledTime, odd, true) == 1, c.stored)
			if transactions := get[int](w, `select revision from stores`) - revision; name == "all can" && transactions > pulls/2 {
				t.Errorf("%d replies took %d transactions", pulls, transactions)
			}
			if strings.HasPrefix(name, "a pull") {
				equal(t, "the other worker's claim", get[int](w, `select claim from ledger where pull = 'summary.day' and subject = $1`, odd), 1000)
			}
		})
	}
}
