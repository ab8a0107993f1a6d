package pulls

import (
	"context"
	"errors"
	gosync "sync"
	"time"

	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/fact"
)

// budget is this process's view of one token's budget. Only the database knows how much may be
// spent; this only remembers when the service's own count was last compared.
type budget struct {
	db  *db.DB
	key []byte

	mu       gosync.Mutex
	compared time.Time
}

// compareEvery is how often the service's own count is compared with ours.
const compareEvery = time.Second

// dueForComparison reports, at most once a second, that it is time to compare.
func (b *budget) dueForComparison(now time.Time) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if now.Sub(b.compared) < compareEvery {
		return false
	}
	b.compared = now
	return true
}

// gate lets one pull's attempts through. The first attempt uses the slot taken with the claim,
// later ones take a new slot each. Slots stay held until the pull's transaction releases them
// with its outcome.
type gate struct {
	budget *budget
	lane   fact.Lane

	mu    gosync.Mutex
	first *db.Slot
	used  []db.Slot
	// tried counts the attempts that were sent, and status is the last one's.
	tried, status int
}

// Enter implements upstream.Gate. It waits for a slot that comes free at once, and only then: a
// pull that waits longer could outlive its claim.
func (g *gate) Enter(ctx context.Context) (upstream.Slot, error) {
	g.mu.Lock()
	first := g.first
	g.first = nil
	g.mu.Unlock()
	if first != nil {
		if time.Since(first.TakenAt) < db.SlotFreshness {
			return &entered{g, *first}, nil
		}
		if err := g.budget.db.GiveBackSlots(ctx, g.budget.key, *first); err != nil {
			return nil, err
		}
	}
	for latest := time.Now().Add(atOnce); ; {
		slots, err := g.budget.db.TakeSlots(ctx, g.budget.key, g.lane, 1)
		if err != nil {
			return nil, err
		}
		if len(slots) > 0 {
			return &entered{g, slots[0]}, nil
		}
		wait, err := g.budget.db.SlotWait(ctx, g.budget.key, g.lane)
		if errors.Is(err, db.ErrNoBudget) { // it was renamed: the next try uses the new name
			return nil, &upstream.NoSlot{Until: time.Now()}
		}
		if err != nil {
			return nil, err
		}
		free := time.Now().Add(max(wait, shortest))
		if free.After(latest) {
			return nil, &upstream.NoSlot{Until: free}
		}
		if err := upstream.Sleep(ctx, time.Until(free)); err != nil {
			return nil, err
		}
	}
}

// unused is the slot that no attempt went through, if any.
func (g *gate) unused() []db.Slot {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.first == nil {
		return nil
	}
	return []db.Slot{*g.first}
}

// attempts returns how often the pull was sent, and the status of the last reply.
func (g *gate) attempts() (tried, status int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.tried, g.status
}

// spent are the slots that attempts went through.
func (g *gate) spent() []db.Slot {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.used
}

type entered struct {
	gate *gate
	slot db.Slot
}

// Leave implements upstream.Slot. The slot itself is released with the outcome.
func (e *entered) Leave(ctx context.Context, o upstream.Observed) {
	g, b := e.gate, e.gate.budget
	g.mu.Lock()
	g.tried, g.status = g.tried+1, o.Status
	if o.Status != 0 { // without a reply the slot keeps its long hold: the request may still arrive
		g.used = append(g.used, e.slot)
	}
	g.mu.Unlock()
	switch {
	case o.RetryAfter > 0:
		// The service decides. If this fails, the worst case is one refused call.
		_ = b.db.HoldBudget(ctx, b.key, o.RetryAfter)
	case o.Remaining != nil:
		used := b.db.RateLimit - *o.Remaining
		if used > 0 && b.dueForComparison(o.Replied) {
			sent := e.slot.HeldUntil.Add(-db.HoldUnanswered)
			_ = b.db.SpentElsewhere(ctx, b.key, used, sent)
		}
	}
}
