package db

import (
	"context"
	"errors"
	"time"

	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/fact"
)

// Timing of slots. A slot is held as long as a reply can still arrive, and then until the reply is
// certain to be over a minute old.
const (
	// ReplyDeadline is the longest that one attempt may take.
	ReplyDeadline = 30 * time.Second
	// HoldAfterReply is slightly more than a minute: services may round, clocks may drift.
	HoldAfterReply = 60*time.Second + 200*time.Millisecond
	// SlotFreshness is how soon after being taken a slot must be used to send.
	SlotFreshness = 5 * time.Second
	// HoldUnanswered is how long a slot is held if no outcome is reported for it.
	HoldUnanswered = SlotFreshness + ReplyDeadline + HoldAfterReply
)

// Reserve is how many of a limit's slots are kept for people: 10 of 60.
func Reserve(limit int) int { return min(10, limit/6) }

// Slot is permission to make one call: number and hold of a row of budget_slots.
type Slot struct {
	N         int32
	HeldUntil time.Time // by the database's clock
	TakenAt   time.Time // by our clock, for SlotFreshness
}

// TakeSlots takes up to wanted free slots of a budget for a lane, possibly none. It's safe across
// processes: each row is taken by only one.
func (d *DB) TakeSlots(ctx context.Context, budget []byte, lane fact.Lane, wanted int) ([]Slot, error) {
	taken := time.Now()
	rows, err := d.q.TakeSlots(ctx, sqlc.TakeSlotsParams{
		Lane: lane, Hold: HoldUnanswered, Budget: budget, SlotLimit: int32(d.RateLimit),
		Reserve: int32(Reserve(d.RateLimit)), Interactive: lane == fact.Interactive, Wanted: int32(wanted),
	})
	return Each(rows, func(r sqlc.TakeSlotsRow) Slot { return Slot{r.N, r.HeldUntil, taken} }), Tried(err, "take budget slots")
}

// GiveBackSlots frees slots that were never used to send.
func (d *DB) GiveBackSlots(ctx context.Context, budget []byte, slots ...Slot) error {
	if len(slots) == 0 {
		return nil
	}
	ns, untils := SlotColumns(slots)
	return Tried(d.q.GiveBackSlots(ctx, sqlc.GiveBackSlotsParams{Budget: budget, Ns: ns, Untils: untils}), "give back budget slots")
}

// SlotColumns splits the slots into two arrays, for statements.
func SlotColumns(slots []Slot) ([]int32, []time.Time) {
	ns, untils := make([]int32, len(slots)), make([]time.Time, len(slots))
	for i, s := range slots {
		ns[i], untils[i] = s.N, s.HeldUntil
	}
	return ns, untils
}

// ErrNoBudget: no budget has this name (anymore). If the secret key changed, the budget was renamed;
// reading the credential again gives its new name.
var ErrNoBudget = errors.New("the token's budget has another name now")

// SlotWait is how long until a slot becomes free for the lane; 0 if one is free now. It may return ErrNoBudget.
func (d *DB) SlotWait(ctx context.Context, budget []byte, lane fact.Lane) (time.Duration, error) {
	seconds, err := d.q.NextFreeSlot(ctx, sqlc.NextFreeSlotParams{
		Budget: budget, SlotLimit: int32(d.RateLimit), Reserve: int32(Reserve(d.RateLimit)), Interactive: lane == fact.Interactive,
	})
	return max(0, time.Duration(seconds*float64(time.Second))), Absent(err, ErrNoBudget, "find next budget slot")
}

// SpentElsewhere holds free slots for calls made outside Storeglass: the service said at sentAt (on the
// database's clock) that used calls of the limit are spent.
func (d *DB) SpentElsewhere(ctx context.Context, budget []byte, used int, sentAt time.Time) error {
	err := d.q.MarkForeign(ctx, sqlc.MarkForeignParams{
		Hold: HoldAfterReply, Budget: budget, Used: int32(used), SlotLimit: int32(d.RateLimit), SentAt: sentAt,
	})
	return Tried(err, "correct budget")
}

// HoldBudget stops all sending with this budget for as long as the service asked.
func (d *DB) HoldBudget(ctx context.Context, budget []byte, wait time.Duration) error {
	return Tried(d.q.HoldFreeSlots(ctx, sqlc.HoldFreeSlotsParams{Budget: budget, Wait: wait}), "hold budget")
}

// EnsureSlots creates a budget's rows if they don't exist.
func (d *DB) EnsureSlots(ctx context.Context, budget []byte) error {
	return Tried(d.q.EnsureSlots(ctx, sqlc.EnsureSlotsParams{Budget: budget, SlotLimit: int32(d.RateLimit)}), "make budget slots")
}

// EnsureSlotsOf is EnsureSlots for a credential's budget, provided it still has that name.
func (d *DB) EnsureSlotsOf(ctx context.Context, c sqlc.Credential) error {
	err := d.q.EnsureSlotsOfCredential(ctx, sqlc.EnsureSlotsOfCredentialParams{SlotLimit: int32(d.RateLimit), ID: c.ID, Budget: c.Budget})
	return Tried(err, "make budget slots")
}
