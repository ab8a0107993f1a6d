package pulls_test

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	gosync "sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/apis/sandbox"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/offers"
	"github.com/storeglass/storeglass/internal/report/overview"
	pulls "github.com/storeglass/storeglass/internal/sync"
)

// limits are the limits of ranking requests, as the service saw them.
type limits struct {
	mu    gosync.Mutex
	asked []int
}

func (l *limits) take() []int {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := l.asked
	l.asked = nil
	return out
}

// before puts a rule in front of the services: it changes a ranking's limit, or refuses it with
// a status.
func (l *limits) before(rule func(limit int) (is, refused int)) func(http.Handler) http.Handler {
	return func(services http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "/data/analytics/top") {
				query := r.URL.Query()
				limit, _ := strconv.Atoi(query.Get("limit"))
				l.note(limit)
				is, refused := rule(limit)
				if refused != 0 {
					w.Header().Set("Content-Type", "application/json")
					w.WriteHeader(refused)
					_, _ = w.Write([]byte(`{"success":false,"message":"limit is too large"}`))
					return
				}
				query.Set("limit", strconv.Itoa(is))
				r.URL.RawQuery = query.Encode()
			}
			services.ServeHTTP(w, r)
		})
	}
}

func (l *limits) note(limit int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.asked = append(l.asked, limit)
}

// rankedMonth is a world of the store with 1,840 offers, which keeps 30 days, at a service that
// gives at most that many rows.
func rankedMonth(t *testing.T, most int) *world {
	t.Helper()
	w := newWorld(t, options{at: settledTime, vast: true, topMax: most})
	w.add(vastShop, 31)
	w.snooze("offers", "")
	w.snooze("offers.priority", "post_purchase", "thank_you", "coupon", "order_status")
	w.snooze("top.highest", "7", "90")
	w.snooze("top.lowest", "7", "90")
	w.sync(vastShop)
	w.clock.set(settledTime.Add(20 * time.Minute)) // the days' other ends are due
	w.sync(vastShop)
	return w
}

// earners are a ranking's offers with what they earned.
func earners(top overview.TopOffers) map[string]string {
	out := map[string]string{}
	for _, r := range slices.Concat(top.Highest, top.Lowest) {
		out[r.OfferID] = r.Revenue.String()
	}
	return out
}

func TestALargeStoreIsRankedInFullWhateverTheServicesMaximum_N16_N68(t *testing.T) {
	t.Parallel()
	truth := rankedMonth(t, 5000).overviewOf(vastShop, "window=last_30_days&compare=none").Top
	equal(t, "basis without a maximum", truth.Provenance.Basis, report.Reported)
	if truth.Earned == nil || *truth.Earned < 200 || truth.Provenance.Has(report.FlagCut) {
		t.Fatalf("%v offers earned, flags %v", truth.Earned, truth.Provenance.Flags)
	}
	for name, most := range map[string]int{"20 rows": 20, "50 rows": 50, "100 rows": 100} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := rankedMonth(t, most)
			top := w.overviewOf(vastShop, "window=last_30_days&compare=none").Top
			equal(t, "basis", top.Provenance.Basis, report.Stitched)
			equal(t, "replies", top.Provenance.Replies, 30)
			equal(t, "cut", top.Provenance.Has(report.FlagCut), false)
			equal(t, "earners", earners(top), earners(truth))
			equal(t, "earned nothing", *top.Silent, *truth.Silent)
			for _, r := range top.Highest {
				if r.AcceptanceRate != nil || r.Claims == nil {
					t.Fatalf("%s has the rate %v and %v claims", r.OfferID, r.AcceptanceRate, r.Claims)
				}
			}
			equal(t, "days asked from the other end", len(w.ledger("top.day.lowest")), 0)
			day := w.overviewOf(vastShop, "start=2026-11-04&end=2026-11-04&compare=none").Top
			if day.Earned == nil || day.Provenance.Has(report.FlagCut) {
				t.Errorf("a day's whole ranking is called cut: %+v", day.Provenance)
			}
		})
	}
}

// A service that gives 12 rows cuts off some days; both ends with 20 rows still hold them.
func TestDaysCutFromBothEndsLeaveNoFigureUnknown_N16_N68(t *testing.T) {
	t.Parallel()
	w := rankedMonth(t, 12)
	truth := rankedMonth(t, 5000).overviewOf(vastShop, "window=last_30_days&compare=none").Top
	top := w.overviewOf(vastShop, "window=last_30_days&compare=none").Top
	if len(w.ledger("top.day.lowest")) == 0 {
		t.Fatal("no day was asked from its other end")
	}
	equal(t, "earners", earners(top), earners(truth))
	w.exec(`update top_lists set whole = false where window_start = '2026-11-04' and window_end = window_start`)
	top = w.overviewOf(vastShop, "window=last_30_days&compare=none").Top
	equal(t, "with a day that may lack offers: cut", top.Provenance.Has(report.FlagCut), true)
	if top.Earned != nil {
		t.Errorf("%d offers earned, says a ranking that is cut", *top.Earned)
	}
	custom := w.overviewOf(vastShop, "start=2026-11-02&end=2026-11-08&compare=none").Top
	equal(t, "the day is named", custom.Provenance.Cut, []civil.Date{{Year: 2026, Month: time.November, Day: 4}})
}

// A 30-day figure is known for every offer that could have earned one.
func TestEveryActiveOfferOfALargeStoreHasAFigure_N68(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{at: settledTime, vast: true, topMax: 20})
	w.add(vastShop, 31)
	w.sync(vastShop)
	want := map[string]string{}
	top := w.overviewOf(vastShop, "window=last_30_days&compare=none").Top
	for id, revenue := range earners(top) {
		want[id] = revenue
	}
	store := w.seen(vastShop)
	choice, err := report.ParseChoice(url.Values{"window": {"last_30_days"}, "compare": {"none"}}, w.clock.Now(), store.Location(), store.FirstDay)
	if err != nil {
		t.Fatal(err)
	}
	ids := w.column(`select offer_id from offers where status = 'active' and placement <> 'Coupon offer' order by offer_id`)
	ranked := 0
	for i, id := range ids {
		if _, earned := want[id]; !earned && i%10 != 0 { // of those that earned nothing, checking a tenth is enough
			continue
		}
		stored, err := w.db.Offer(t.Context(), store, id, choice)
		if err != nil {
			t.Fatal(err)
		}
		r := offers.NewDetail(locale.English, stored, choice, w.clock.Now()).Results
		if r.Revenue == nil || len(r.Provenance.Missing) > 0 || r.Provenance.Has(report.FlagCut) {
			t.Fatalf("offer %s: %v, %+v", id, r.Revenue, r.Provenance)
		}
		if is, earned := want[id]; earned {
			ranked++
			equal(t, id, r.Revenue.String(), is)
		} else {
			equal(t, id, r.Revenue.String(), "0")
		}
	}
	if ranked < 50 {
		t.Errorf("only %d of %d active offers earned", ranked, len(ids))
	}
}

func TestALimitThatTheServiceRefusesOrIgnoresIsLearned_N68(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		rule func(limit int) (is, refused int)
		want int
	}{
		"refused above 100 (422)": {func(n int) (int, int) { return n, status(n > 100, http.StatusUnprocessableEntity) }, 100},
		"refused above 20 (400)":  {func(n int) (int, int) { return n, status(n > 20, http.StatusBadRequest) }, 20},
		"failing above 50 (500)":  {func(n int) (int, int) { return n, status(n > 50, http.StatusInternalServerError) }, 50},
		"ignored above 50":        {func(n int) (int, int) { return ignoredAbove(n, 50), 0 }, 50},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			seen := &limits{}
			w := newWorld(t, options{at: settledTime, front: seen.before(c.rule)})
			w.add("fernhollow", 9)
			w.sync("fernhollow")
			equal(t, "limit", get[int](w, `select ranking_limit from credentials where service = 'upsell'`), c.want)
			seen.take()
			w.clock.set(settledTime.Add(24 * time.Hour))
			w.sync("fernhollow")
			for _, n := range seen.take() {
				if n != c.want {
					t.Errorf("asked with %d after %d was learned", n, c.want)
				}
			}
			w.clock.set(settledTime.Add(24*time.Hour + 20*time.Minute))
			w.sync("fernhollow")
			if days := w.wholeDays(); strings.Contains(days, "false") || !strings.Contains(days, "true") {
				t.Errorf("the days are %s, want all of them whole", days)
			}
		})
	}
}

func status(refused bool, code int) int {
	if refused {
		return code
	}
	return 0
}

func ignoredAbove(limit, most int) int {
	if limit > most {
		return 3
	}
	return limit
}

// A window may be refused because of its dates. That says nothing about a limit that worked
// before.
func TestARefusalOfAWindowIsNotOneOfTheLimit_N39_N68(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{at: settledTime})
	w.add("fernhollow", 9)
	w.sync("fernhollow")
	from := w.mark()
	w.sandbox.Break(sandbox.Upsell, "fernhollow", sandbox.Fault{Path: "/data/analytics/top", Status: http.StatusBadRequest, Body: `{"success":false,"message":"no"}`})
	w.exec(`update ledger set due_at = '2020-01-01' where pull = 'top.day' and subject = '2026-11-15'`)
	if _, err := w.syncer.Run(t.Context(), "fernhollow", pulls.RunOptions{}); err != nil {
		t.Fatal(err)
	}
	equal(t, "calls", len(w.arrivals(sandbox.Upsell, from)), 1)
	equal(t, "outcome", w.row("top.day", "2026-11-15").Outcome, "refused")
	equal(t, "learned", get[bool](w, `select bool_or(ranking_limit is not null) from credentials`), false)
}

// A service that fails whatever the limit is asked with the default once, and its limit isn't learned.
func TestAServiceThatFailsAltogetherTeachesNoLimit_N68(t *testing.T) {
	t.Parallel()
	seen := &limits{}
	fails := true
	w := newWorld(t, options{at: settledTime, front: seen.before(func(n int) (int, int) { return n, status(fails, http.StatusInternalServerError) })})
	w.add("fernhollow", 1)
	w.runStore("fernhollow")
	for _, n := range seen.take() {
		if n != 250 && n != 3 {
			t.Errorf("a service that is down was asked with %d", n)
		}
	}
	fails = false
	w.clock.set(settledTime.Add(20 * time.Minute))
	w.runStore("fernhollow")
	equal(t, "learned", get[bool](w, `select bool_or(ranking_limit is not null) from credentials`), false)
	for _, n := range seen.take() {
		equal(t, "asked with", n, 250)
	}
}

// A fault that passes while smaller limits are tried isn't about the limit.
func TestAPassingFailureDoesNotLowerTheLimit_N68(t *testing.T) {
	t.Parallel()
	seen := &limits{}
	var left atomic.Int32
	left.Store(3) // the tries of one call
	w := newWorld(t, options{at: settledTime, front: seen.before(func(n int) (int, int) { return n, status(left.Add(-1) >= 0, http.StatusInternalServerError) })})
	w.add("fernhollow", 1)
	w.runStore("fernhollow")
	equal(t, "limit", get[int](w, `select coalesce(ranking_limit, 250) from credentials where service = 'upsell'`), 250)
	equal(t, "pulls that failed", get[int](w, `select count(*) from ledger where pull like 'top%' and outcome <> 'good'`), 0)
}

// A store with three earners looks like a service that gives three rows.
func TestTheDefaultOfThreeRowsIsNotTakenForIgnoredLimits_N68(t *testing.T) {
	t.Parallel()
	seen := &limits{}
	w := newWorld(t, options{at: settledTime, front: seen.before(func(int) (int, int) { return 3, 0 })})
	w.add("fernhollow", 9)
	w.sync("fernhollow")
	w.clock.set(settledTime.Add(time.Hour))
	w.sync("fernhollow")
	equal(t, "limit once the smaller ones brought no more", get[int](w, `select ranking_limit from credentials where service = 'upsell'`), 250)
	seen.take()
	w.clock.set(settledTime.Add(24 * time.Hour))
	w.sync("fernhollow")
	for _, n := range seen.take() {
		equal(t, "asked with", n, 250)
	}
}

// Two rows of one offer would count its revenue twice.
func TestAnOfferRankedTwiceIsNotStored_N4(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{at: settledTime})
	w.add("fernhollow", 1)
	w.sync("fernhollow")
	numbers := w.dump([]string{"top_lists", "top_offers"})
	w.sandbox.Break(sandbox.Upsell, "fernhollow", sandbox.Fault{Path: "/data/analytics/top", Edit: page(func(d map[string]any) {
		if rows, _ := d["offers"].([]any); len(rows) > 0 {
			d["offers"] = append(rows, rows[0])
		}
	})})
	w.wake("top.highest")
	w.runStore("fernhollow")
	same(t, w.dump([]string{"top_lists", "top_offers"}), numbers)
	equal(t, "outcome", w.row("top.highest", "30").Text, "Reply breaks the contract: an offer is ranked twice")
}
