package db_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/fact"
)

var token = []byte("a keyed hash of a token")

// budgetOf is a house with one token that may make that many calls a minute.
func budgetOf(t *testing.T, limit int) *house {
	t.Helper()
	h := newHouse(t, limit)
	h.must(h.EnsureSlots(t.Context(), token))
	return h
}

func (h *house) take(lane fact.Lane, wanted int) []db.Slot {
	h.t.Helper()
	slots, err := h.TakeSlots(context.Background(), token, lane, wanted)
	h.must(err)
	return slots
}

func (h *house) held(lane string) int {
	h.t.Helper()
	return get[int](h, `select count(*) from budget_slots where held_until > now() and $1 in ('', lane)`, lane)
}

func TestProcessesTogetherNeverHoldMoreThanTheLimit_N6(t *testing.T) {
	t.Parallel()
	const limit, workers = 24, 8
	h := budgetOf(t, limit)
	for _, lane := range []fact.Lane{fact.Schedule, fact.Interactive} {
		var (
			wait  sync.WaitGroup
			mu    sync.Mutex
			taken []int32
		)
		for i := range workers {
			wait.Go(func() {
				for range limit {
					slots, err := h.TakeSlots(context.Background(), token, lane, 1+i%3)
					if err != nil {
						t.Error(err)
						return
					}
					mu.Lock()
					for _, s := range slots {
						taken = append(taken, s.N)
					}
					mu.Unlock()
				}
			})
		}
		wait.Wait()
		slices.Sort(taken)
		want := limit - db.Reserve(limit)
		if lane == fact.Interactive {
			want = db.Reserve(limit) // what the schedule had to leave free
		}
		equal(t, string(lane)+" slots taken", len(taken), want)
		equal(t, string(lane)+" slots taken by two", len(slices.Compact(taken)), len(taken))
	}
	equal(t, "held", h.held(""), limit)
	equal(t, "one more", len(h.take(fact.Interactive, 1)), 0)
}

func TestAReserveIsKeptForPeople(t *testing.T) {
	t.Parallel()
	for limit, want := range map[int]int{0: 0, 1: 0, 5: 0, 6: 1, 30: 5, 60: 10, 600: 10} {
		equal(t, "reserve", db.Reserve(limit), want)
	}
	h := budgetOf(t, 60)
	equal(t, "for the schedule", len(h.take(fact.Schedule, 100)), 50)
	equal(t, "for filling the past", len(h.take(fact.Backfill, 1)), 0)
	wait, err := h.SlotWait(t.Context(), token, fact.Schedule)
	h.must(err)
	if wait < 90*time.Second || wait > db.HoldUnanswered {
		t.Errorf("the schedule waits %s", wait)
	}
	wait, err = h.SlotWait(t.Context(), token, fact.Interactive)
	h.must(err)
	equal(t, "a person waits", wait, 0)
	for _, s := range h.take(fact.Interactive, 100) {
		if s.N > 10 {
			t.Errorf("a person got slot %d of the schedule's", s.N)
		}
	}
	equal(t, "by lane", []int{h.held("schedule"), h.held("interactive")}, []int{50, 10})
}

func TestASlotIsHeldUntilItsCallIsAMinuteOld_N6(t *testing.T) {
	t.Parallel()
	h := budgetOf(t, 6)
	s := h.take(fact.Schedule, 1)[0]
	hold := func() time.Duration {
		return time.Duration(get[float64](h, `select extract(epoch from held_until - now())::float8 from budget_slots where n = $1`, s.N) * float64(time.Second))
	}
	// Taken: until a reply can no longer arrive, plus a minute.
	if d := hold(); d < 94*time.Second || d > db.HoldUnanswered {
		t.Errorf("taken, it is held for %s, want %s", d, db.HoldUnanswered)
	}
	h.write(func(b *db.Batch) {
		db.Queue(b, (*sqlc.Queries).ReleaseSlots, sqlc.ReleaseSlotsParams{Hold: db.HoldAfterReply, Budget: token, Ns: []int32{s.N}, Untils: []time.Time{s.HeldUntil}})
	})
	if d := hold(); d < 60*time.Second || d > db.HoldAfterReply {
		t.Errorf("after the reply it is held for %s, want a minute and a little", d)
	}
	// A holder whose hold is over can't shorten the next one's.
	h.exec(`update budget_slots set held_until = 'epoch' where n = $1`, s.N)
	h.exec(`update budget_slots set held_until = now() + '1 hour' where n <> $1`, s.N)
	again := h.take(fact.Schedule, 1)[0]
	equal(t, "taken again", again.N, s.N)
	h.must(h.GiveBackSlots(t.Context(), token, s))
	h.write(func(b *db.Batch) {
		db.Queue(b, (*sqlc.Queries).ReleaseSlots, sqlc.ReleaseSlotsParams{Hold: 0, Budget: token, Ns: []int32{s.N}, Untils: []time.Time{s.HeldUntil}})
	})
	if d := hold(); d < 94*time.Second {
		t.Errorf("a late release leaves the new call only %s", d)
	}
}

func TestSlotsThatWereNotUsedAreFreeAtOnce(t *testing.T) {
	t.Parallel()
	h := budgetOf(t, 6)
	slots := h.take(fact.Interactive, 6)
	equal(t, "taken", len(slots), 6)
	h.must(h.GiveBackSlots(t.Context(), token)) // none
	equal(t, "held", h.held(""), 6)
	unused := slices.DeleteFunc(slots, func(s db.Slot) bool { return s.N != 3 && s.N != 5 })
	h.must(h.GiveBackSlots(t.Context(), token, unused...))
	equal(t, "held", h.held(""), 4)
	equal(t, "taken again", len(h.take(fact.Schedule, 6)), 2)
}

func TestSomeoneElsesCallsAreHeldAsTheirs_N38(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		ours, used, foreign int
	}{
		"nobody else":          {5, 5, 0},
		"fewer than we think":  {5, 3, 0}, // a fixed minute has restarted
		"two others":           {5, 7, 2},
		"others alone":         {0, 9, 9},
		"all of it":            {5, 12, 7},
		"more than there is":   {5, 99, 7},
		"nothing spent at all": {0, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := budgetOf(t, 12)
			h.take(fact.Interactive, c.ours)
			sent := get[time.Time](h, `select now()`)
			h.must(h.SpentElsewhere(t.Context(), token, c.used, sent))
			equal(t, "foreign", h.held("foreign"), c.foreign)
			equal(t, "ours", h.held("interactive"), c.ours)
			h.must(h.SpentElsewhere(t.Context(), token, c.used, sent)) // the service said it twice
			equal(t, "foreign after the same again", h.held("foreign"), c.foreign)
			if c.foreign > 0 {
				longest := get[float64](h, `select extract(epoch from max(held_until) - now())::float8 from budget_slots where lane = 'foreign'`)
				if longest < 60 || longest > 61 {
					t.Errorf("they are held for %.1f s, want a minute", longest)
				}
			}
		})
	}
}

func TestAHoldStopsEveryoneForSoLong_N42(t *testing.T) {
	t.Parallel()
	h := budgetOf(t, 6)
	mine := h.take(fact.Schedule, 2)
	h.exec(`update budget_slots set held_until = now() + '5 seconds' where n = $1`, mine[0].N)
	h.exec(`update budget_slots set held_until = now() + '1 hour' where n = $1`, mine[1].N)
	h.must(h.HoldBudget(t.Context(), token, 30*time.Second))
	equal(t, "for anyone", len(h.take(fact.Interactive, 6)), 0)
	wait, err := h.SlotWait(t.Context(), token, fact.Interactive)
	h.must(err)
	if wait < 29*time.Second || wait > 30*time.Second {
		t.Errorf("the wait is %s, want 30 s", wait)
	}
	equal(t, "held longer already", get[bool](h, `select held_until > now() + interval '59 minutes' from budget_slots where n = $1`, mine[1].N), true)
	equal(t, "ours stay ours", h.held("schedule"), 2)
}

func TestBudgetsOfTwoTokensAreApartAndARaisedLimitAddsSlots(t *testing.T) {
	t.Parallel()
	h := budgetOf(t, 6)
	other := []byte("another")
	h.must(h.EnsureSlots(t.Context(), other))
	h.take(fact.Interactive, 6)
	slots, err := h.TakeSlots(t.Context(), other, fact.Interactive, 6)
	h.must(err)
	equal(t, "of the other token", len(slots), 6)

	h.must(h.EnsureSlots(t.Context(), token)) // another process starts
	equal(t, "still held", len(h.take(fact.Interactive, 6)), 0)
	raised := db.From(h.Pool, 10)
	h.must(raised.EnsureSlots(t.Context(), token))
	slots, err = raised.TakeSlots(t.Context(), token, fact.Interactive, 10)
	h.must(err)
	equal(t, "after the limit was raised", len(slots), 4)
	lowered := db.From(h.Pool, 3)
	h.exec(`update budget_slots set held_until = 'epoch'`)
	slots, err = lowered.TakeSlots(t.Context(), token, fact.Interactive, 10)
	h.must(err)
	equal(t, "after it was lowered", len(slots), 3)
}

// A model of a service that counts arrivals in any sliding minute, and of our calls with all their
// delays: no minute ever has more of them than the limit, and our own calls never count as someone
// else's. Moving the holds back makes time pass.
func TestOurCallsKeepTheLimitInAnySlidingMinuteAndAreNeverForeign_N6_N38(t *testing.T) {
	t.Parallel()
	const limit = 7
	h := budgetOf(t, limit)
	type call struct {
		slot    db.Slot
		passed  time.Duration // in model time, when it was taken
		used    int           // what the service counted at its arrival, including itself
		arrived bool
	}
	var (
		passed   time.Duration // model time beyond the database's
		arrivals []time.Time
		under    []*call
		most     int
	)
	now := func() time.Time { return get[time.Time](h, `select clock_timestamp()`).Add(passed) }
	pass := func(d time.Duration) {
		passed += d
		h.exec(`update budget_slots set held_until = held_until - make_interval(secs => $1) where held_until > 'epoch'`, d.Seconds())
	}
	arrive := func(c *call) {
		at := now()
		arrivals = append(arrivals, at)
		c.arrived = true
		for _, a := range arrivals {
			if at.Sub(a) < time.Minute {
				c.used++
			}
		}
		most = max(most, c.used)
	}
	r := rand.New(rand.NewPCG(7, 11))
	for range 400 {
		switch r.IntN(5) {
		case 0, 1:
			for _, s := range h.take(fact.Interactive, 1+r.IntN(2)) {
				under = append(under, &call{slot: s, passed: passed})
			}
		case 2: // one that was taken arrives while still fresh
			for _, c := range under {
				if !c.arrived && passed-c.passed < db.SlotFreshness {
					arrive(c)
					break
				}
			}
		case 3: // one is answered
			for i, c := range under {
				if !c.arrived {
					continue
				}
				moved := passed - c.passed
				held := c.slot.HeldUntil.Add(-moved)
				h.must(h.SpentElsewhere(t.Context(), token, c.used, held.Add(-db.HoldUnanswered)))
				h.write(func(b *db.Batch) {
					db.Queue(b, (*sqlc.Queries).ReleaseSlots, sqlc.ReleaseSlotsParams{Hold: db.HoldAfterReply, Budget: token, Ns: []int32{c.slot.N}, Untils: []time.Time{held}})
				})
				under = slices.Delete(under, i, i+1)
				break
			}
		case 4:
			pass(time.Duration(r.IntN(4000)) * time.Millisecond)
		}
		under = slices.DeleteFunc(under, func(c *call) bool { // too late to send, or given up
			return !c.arrived && passed-c.passed >= db.SlotFreshness || passed-c.passed > db.SlotFreshness+db.ReplyDeadline
		})
		if n := h.held("foreign"); n > 0 {
			t.Fatalf("%d of our own calls are taken for someone else's", n)
		}
	}
	if most != limit {
		t.Errorf("at most %d of our calls were in one minute, want the limit of %d to be reached and kept (%d calls)", most, limit, len(arrivals))
	}
}
