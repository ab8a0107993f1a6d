package pulls_test

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/apis/sandbox"
	pulls "github.com/storeglass/storeglass/internal/sync"
)

// lateShop answers /analytics from its own orders, which tests can add to any day while
// requests are being answered. Each call takes a second.
type lateShop struct {
	*world
	mu     sync.Mutex
	orders map[civil.Date]int
	// moves are changes in orders: how many a day had until a moment.
	moves map[civil.Date][]move
	calls int
	// caches: a window asked for earlier the same day gets the same answer again.
	caches bool
	cache  map[string][2]int
	// before is called before each answer.
	before func(call int)
}

type move struct {
	until time.Time
	held  int
}

// storeZone is the clock of the sandbox's store fernhollow.
const storeZone = "America/New_York"

func newLateShop(t *testing.T, historyDays int) *lateShop {
	t.Helper()
	l := &lateShop{
		world:  newWorld(t, options{at: time.Date(2026, time.November, 20, 6, 0, 0, 0, time.UTC), rateLimit: 1199}),
		orders: map[civil.Date]int{}, moves: map[civil.Date][]move{}, cache: map[string][2]int{},
	}
	l.add("fernhollow", historyDays)
	l.exec(`delete from credentials where service = 'upsell'`)
	l.sandbox.Break(sandbox.Gift, "fernhollow", sandbox.Fault{Path: "/analytics", Edit: l.answer})
	return l
}

// held is how many orders a day has now: 3 to 9 if none were added.
func (l *lateShop) held(d civil.Date) int {
	if n, ok := l.orders[d]; ok {
		return n
	}
	return 3 + (d.DaysSince(civil.Date{Year: 2026, Month: time.January, Day: 1})%7+7)%7
}

// heldAt is how many orders a day had at a moment.
func (l *lateShop) heldAt(d civil.Date, at time.Time) int {
	for _, m := range l.moves[d] {
		if at.Before(m.until) {
			return m.held
		}
	}
	return l.held(d)
}

// late adds an order to a day.
func (l *lateShop) late(d civil.Date) {
	now := l.clock.Now()
	l.moves[d] = append(l.moves[d], move{now, l.held(d)})
	l.orders[d] = l.held(d) + 1
}

func (l *lateShop) sum(from, to civil.Date) int {
	n := 0
	for d := from; !d.After(to); d = d.AddDays(1) {
		n += l.held(d)
	}
	return n
}

func (l *lateShop) answer(body []byte) []byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.clock.set(l.clock.Now().Add(time.Second))
	l.calls++
	if l.before != nil {
		l.before(l.calls)
	}
	var reply struct {
		Success bool           `json:"success"`
		Error   any            `json:"error"`
		Data    map[string]any `json:"data"`
	}
	if err := json.Unmarshal(body, &reply); err != nil {
		return body
	}
	period, _ := reply.Data["period"].(map[string]any)
	from, _ := civil.ParseDate(fmt.Sprint(period["start"]))
	to, _ := civil.ParseDate(fmt.Sprint(period["end"]))
	days := to.DaysSince(from) + 1
	key := from.String() + to.String()
	was, cached := l.cache[key]
	cached = cached && l.caches && period["includesToday"] != true
	if !cached {
		was = [2]int{l.sum(from, to), l.sum(from.AddDays(-days), from.AddDays(-1))}
		if period["includesToday"] != true {
			l.cache[key] = was
		}
	}
	reply.Data["cached"] = cached
	metrics, _ := reply.Data["metrics"].(map[string]any)
	metrics["orders"] = map[string]any{"value": was[0], "previous": was[1], "changePercent": 1}
	metrics["revenue"] = map[string]any{"value": was[0] * 7, "previous": was[1] * 7, "changePercent": 1}
	out, err := json.Marshal(reply)
	if err != nil {
		return body
	}
	l.clock.set(l.clock.Now().Add(time.Second))
	return out
}

// night moves the clock to 1:20 a.m., that many days after the first.
func (l *lateShop) night(n int) {
	l.clock.set(time.Date(2026, time.November, 20+n, 6, 20, 0, 0, time.UTC))
}

func (l *lateShop) today() civil.Date {
	loc, err := time.LoadLocation(storeZone)
	if err != nil {
		l.t.Fatal(err)
	}
	return civil.DateOf(l.clock.Now().In(loc))
}

type storedDay struct {
	day    civil.Date
	orders int
	proven *time.Time
}

func (l *lateShop) days() []storedDay {
	l.t.Helper()
	rows, err := l.db.Pool.Query(context.Background(), `
		select window_start, orders::integer, proven_at from gift_windows
		where window_start = window_end and not includes_today order by window_start`)
	if err != nil {
		l.t.Fatal(err)
	}
	var out []storedDay
	for rows.Next() {
		var at time.Time
		var d storedDay
		if err := rows.Scan(&at, &d.orders, &d.proven); err != nil {
			l.t.Fatal(err)
		}
		d.day = civil.DateOf(at)
		out = append(out, d)
	}
	return out
}

// checkProven compares every proven day with the orders it had when it was proven.
func (l *lateShop) checkProven(when string) (proven int) {
	l.t.Helper()
	for _, d := range l.days() {
		if d.proven == nil {
			continue
		}
		proven++
		if want := l.heldAt(d.day, *d.proven); d.orders != want {
			l.t.Errorf("%s: %s holds %d orders, proven at %s, when it held %d", when, d.day, d.orders, d.proven.Format(time.TimeOnly), want)
		}
	}
	return proven
}

// checkAll compares every day with the orders it has now.
func (l *lateShop) checkAll(when string, days int) {
	l.t.Helper()
	stored := l.days()
	equal(l.t, when+": days stored", len(stored), days)
	for _, d := range stored {
		if d.orders != l.held(d.day) || d.proven == nil {
			l.t.Errorf("%s: %s holds %d orders, the truth is %d (proven: %t)", when, d.day, d.orders, l.held(d.day), d.proven != nil)
		}
	}
	equal(l.t, when+": suspected gift days", get[int](l.world, `select count(*) from suspect_days where service = 'gift'`), 0)
}

func TestN64ADayIsProvenOnlyIfNothingArrivedBetweenItsTwoAnswers(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		caches bool
		every  int
	}{
		"an order every call":              {false, 1},
		"an order every third call":        {false, 3},
		"an order every tenth call":        {false, 10},
		"and a service that caches":        {true, 3},
		"and one that caches, more calmly": {true, 10},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLateShop(t, 40)
			l.caches = c.caches
			l.before = func(call int) {
				if call%c.every == 0 {
					l.late(l.today().AddDays(-1 - call*7%40))
				}
			}
			l.sync("fernhollow")
			proven := l.checkProven("after the first fill")
			t.Logf("%d of 40 days are proven in %d calls", proven, l.calls)
			l.before = nil
			for n := 1; n <= 2; n++ {
				l.night(n)
				l.sync("fernhollow")
				l.checkProven(fmt.Sprintf("after night %d", n))
			}
			l.checkAll("after two nights", 42)
		})
	}
}

func TestN65ALateOrderIsFoundThoughSumsAgreeAndWithFewCalls(t *testing.T) {
	t.Parallel()
	for _, caches := range []bool{false, true} {
		for _, ago := range []int{1, 6, 8, 30, 70, 88, 120} {
			t.Run(fmt.Sprintf("%d days ago, cached %t", ago, caches), func(t *testing.T) {
				t.Parallel()
				l := newLateShop(t, 135)
				l.caches = caches
				l.sync("fernhollow")
				l.checkAll("calm", 135)
				changed := l.today().AddDays(-ago)
				l.night(1)
				before := l.calls
				l.sync("fernhollow")
				usual := l.calls - before
				l.late(changed)
				l.night(2)
				before = l.calls
				l.sync("fernhollow")
				spent := l.calls - before - usual
				t.Logf("%d calls more than the usual %d", spent, usual)
				if spent > 24 {
					t.Errorf("%d calls to heal one day", spent)
				}
				l.checkAll("healed", 137)
				equal(t, "kept", get[int](l.world, `select count(*) from revisions where window_start = window_end and window_start = '`+changed.String()+`'`), 1)
				equal(t, "told to the other service", get[int](l.world, `select count(*) from suspect_days where service = 'upsell' and first_day = '`+changed.String()+`'`), 1)
			})
		}
	}
}

func TestN66AFullSyncTellsEveryGiftDayAgain(t *testing.T) {
	t.Parallel()
	l := newLateShop(t, 40)
	l.sync("fernhollow")
	// Two days change by the same amount: no sum shows it.
	first, second := l.today().AddDays(-25), l.today().AddDays(-20)
	l.late(first)
	l.orders[second] = l.held(second) - 1
	l.clock.set(l.clock.Now().Add(2 * time.Hour))
	r, err := l.syncer.Run(context.Background(), "fernhollow", pulls.RunOptions{Full: true})
	if err != nil || r.Failed > 0 {
		t.Fatalf("%+v, %v", r, err)
	}
	l.checkAll("full", 40)
}

// A window is asked for again only while it ends yesterday; otherwise an answer from before one
// of its days changed would stay forever.
func TestAnAnswerForLongerThanADayGoesWhenOneOfItsDaysChanges(t *testing.T) {
	t.Parallel()
	l := newLateShop(t, 40)
	l.sync("fernhollow")
	changed := l.today().AddDays(-4)
	l.night(1)
	l.late(changed)
	l.sync("fernhollow")
	longer := func(where string) int {
		return get[int](l.world, `select count(*) from gift_windows
			where window_start < window_end and '`+changed.String()+`' between window_start and window_end and window_end `+where+` '`+l.today().AddDays(-1).String()+`'`)
	}
	equal(t, "windows that are over", longer("<"), 0)
	if longer("=") == 0 {
		t.Error("tonight's windows are gone")
	}
}
