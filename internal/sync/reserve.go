package pulls

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/sync/plan"
)

// reserved is a set of pulls that we may make: each is claimed by us and has a slot.
type reserved struct {
	pulls []plan.Pull
	slots []db.Slot
	// took is how many pulls of the plan that covers, including those another worker has.
	took int
	// wait, if set, is how long no slot is free; the other fields are empty then.
	wait time.Duration
}

// batch is how many pulls are reserved at once.
func (d *drain) batch() int {
	if d.cred.State == "unchecked" {
		return 1 // the first answer shows whether the credential works at all
	}
	return plan.Batch(d.DB.RateLimit)
}

// ErrChanged means that while pulls were under way, their credential was replaced, paused or
// deleted, or their store was paused or removed. Nothing more is sent with it.
var ErrChanged = errors.New("the credential or its store was changed meanwhile")

// reserve takes slots for the pulls and claims as many pulls as there are slots. It ignores
// cancellation: otherwise what the database had already done would stay held.
func (d *drain) reserve(ctx context.Context, pulls []plan.Pull) (*reserved, error) {
	ctx = context.WithoutCancel(ctx)
	lane := pulls[0].Lane
	if d.lane == fact.Interactive {
		lane = fact.Interactive
	}
	slots, err := d.DB.TakeSlots(ctx, d.budget.key, lane, len(pulls))
	if err != nil {
		return &reserved{}, err
	}
	if len(slots) == 0 {
		wait, err := d.DB.SlotWait(ctx, d.budget.key, lane)
		if errors.Is(err, db.ErrNoBudget) {
			err = fmt.Errorf("%w: %w", ErrChanged, err)
		}
		return &reserved{wait: max(wait, shortest)}, err
	}
	pulls = pulls[:len(slots)]
	claimed, err := d.claim(ctx, pulls, lane)
	if err != nil {
		return &reserved{}, errors.Join(err, d.DB.GiveBackSlots(ctx, d.budget.key, slots...))
	}
	r := &reserved{pulls: claimed, slots: slots[:len(claimed)], took: len(pulls)}
	return r, d.DB.GiveBackSlots(ctx, d.budget.key, slots[len(claimed):]...)
}

// unbegun releases the claim and slot of a pull that won't be sent.
func (d *drain) unbegun(ctx context.Context, p plan.Pull, slot db.Slot) error {
	return errors.Join(d.letGo(ctx, []plan.Pull{p}, nil), d.DB.GiveBackSlots(ctx, d.budget.key, slot))
}

// claim claims the pulls that nobody else took since they were planned.
func (d *drain) claim(ctx context.Context, pulls []plan.Pull, lane fact.Lane) ([]plan.Pull, error) {
	arg := sqlc.ClaimPullsParams{
		StoreID: d.store.ID, Service: d.cred.Service, Lease: lease, Due: d.Now(),
		Credential: d.cred.ID, Version: d.cred.Version, BySchedule: d.lane == fact.Schedule,
	}
	for _, p := range pulls {
		arg.Pulls = append(arg.Pulls, string(p.Kind))
		arg.Subjects = append(arg.Subjects, p.Subject)
		arg.Lanes = append(arg.Lanes, string(lane))
		arg.Planned = append(arg.Planned, p.Claim)
	}
	rows, err := d.DB.Queries().ClaimPulls(ctx, arg)
	if pg, ok := errors.AsType[*pgconn.PgError](err); ok && pg.Code == "SG002" {
		err = ErrChanged
	}
	if err != nil {
		return nil, fmt.Errorf("claim pulls of %s: %w", d.store.Slug, err)
	}
	var claimed []plan.Pull
	for _, p := range pulls {
		i := slices.IndexFunc(rows, func(r sqlc.ClaimPullsRow) bool { return r.Pull == string(p.Kind) && r.Subject == p.Subject })
		if i >= 0 {
			p.Claim, p.Lane = rows[i].Claim, lane
			claimed = append(claimed, p)
		}
	}
	return claimed, nil
}
