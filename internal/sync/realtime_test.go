//go:build chaos

package pulls_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/report"
	pulls "github.com/storeglass/storeglass/internal/sync"
)

// The rules of TestAWaitingPersonSeesTheFirstPagesInTimeAt60CallsAMinute and N69 with
// a real worker, a service that allows 60 calls a minute, and the real clock.
func TestFirstPagesComeInTimeOnTheRealClock(t *testing.T) {
	for _, c := range []struct {
		offers  int
		quarter time.Duration
	}{{60, 7 * time.Minute}, {1130, 10 * time.Minute}} {
		t.Run(fmt.Sprint(c.offers), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, options{limit: 60, rateLimit: 60, vast: true, offers: c.offers, details: true})
			w.work("* * * * *")
			began := time.Now()
			store := w.add(vastShop, 90)
			seen := w.seen(vastShop)
			most := map[string]time.Duration{
				"overview": 10 * time.Second, string(report.PartWeek): time.Minute, string(report.PartOffers): 2 * time.Minute,
				string(report.PartMonth): 3 * time.Minute, string(report.PartQuarter): c.quarter,
			}
			done := map[string]time.Duration{}
			type saying struct {
				at    time.Duration
				parts []report.Part
			}
			var said []saying
			for next := time.Duration(0); len(done) < len(most) && time.Since(began) < c.quarter+3*time.Minute; {
				since := time.Since(began)
				for name := range most {
					if _, ok := done[name]; !ok && w.came(store.ID, name) {
						done[name] = since
						t.Logf("%d offers: %s after %v", c.offers, name, since.Round(time.Second))
					}
				}
				if since >= next {
					parts, err := pulls.Queue{DB: w.db}.Parts(context.Background(), seen, time.Now())
					if err != nil {
						t.Fatal(err)
					}
					said = append(said, saying{since, parts})
					next += 30 * time.Second
				}
				<-time.After(time.Second)
			}
			for name, limit := range most {
				if at, ok := done[name]; !ok || at > limit {
					t.Errorf("%s came after %v (%v), want %v at most", name, at.Round(time.Second), ok, limit)
				}
			}
			for _, s := range said {
				for _, p := range s.parts {
					at, ok := done[string(p.Name)]
					left := (at - s.at).Seconds()
					if p.Service != pulls.Upsell || !ok || left < 20 {
						continue
					}
					off := 100 * math.Abs(float64(p.Seconds)-left) / left
					t.Logf("%d offers, at %3.0f s: %-8s in %3d s, it took %3.0f s (%.0f %% off)", c.offers, s.at.Seconds(), p.Name, p.Seconds, left, off)
					if off > 25 && s.at > 5*time.Second {
						t.Errorf("at %v the estimate of %s is %.0f %% off", s.at, p.Name, off)
					}
				}
			}
			if refused := get[int](w, `select count(*) from ledger where outcome = 'waiting'`); refused > 0 {
				t.Errorf("%d pulls were refused for speed", refused)
			}
		})
	}
}

// came reports whether a part of a store's initial history is there.
func (w *world) came(store int64, name string) bool {
	switch name {
	case "overview":
		kinds, subjects := []string{}, []string{}
		for _, p := range report.FirstPulls {
			kinds, subjects = append(kinds, p.Pull), append(subjects, p.Subject)
		}
		return get[int](w, `select count(*) from ledger join (select unnest($2::text[]) as pull, unnest($3::text[]) as subject) f using (pull, subject)
			where store_id = $1 and last_good_at is not null`, store, kinds, subjects) == len(kinds)
	case string(report.PartOffers):
		return get[bool](w, `select exists (select from offer_walks where store_id = $1 and finished_at is not null)`, store)
	}
	days := []int{7, 30, 90}[slices.Index([]string{string(report.PartWeek), string(report.PartMonth), string(report.PartQuarter)}, name)]
	return get[int](w, `select count(*) from ledger l join stores s on s.id = l.store_id where store_id = $1 and pull in ('summary.day', 'stats.day', 'top.day') and last_good_at is not null
		and subject between ((now() at time zone s.timezone)::date - $2::int)::text and ((now() at time zone s.timezone)::date - 1)::text`, store, days) == 3*days
}
