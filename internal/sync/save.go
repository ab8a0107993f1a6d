package pulls

import (
	"context"
	"errors"
	"slices"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/sync/fetch"
	"github.com/storeglass/storeglass/internal/sync/plan"
)

// goodReply is a pull's good reply with the slots that its attempts went through.
type goodReply struct {
	pull   plan.Pull
	answer fetch.Answer
	slots  []db.Slot
}

// save writes a batch of good replies in one transaction. If the database refuses them, they
// are written one by one, so that a reply that can't be stored, or whose pull was taken over,
// doesn't spoil the others.
func (d *drain) save(ctx context.Context, results []result) error {
	var replies []goodReply
	for _, r := range results {
		if r.unsaved != nil {
			replies = append(replies, *r.unsaved)
		}
	}
	if len(replies) == 0 {
		return nil
	}
	together := d.commitGood(ctx, replies)
	if together == nil && slices.ContainsFunc(replies, first) {
		return d.check(ctx)
	}
	_, refused := errors.AsType[*pgconn.PgError](together)
	if together == nil || !refused {
		return together
	}
	var errs []error
	for i := range results {
		if r := &results[i]; r.unsaved != nil {
			errs = append(errs, d.saveOne(ctx, r))
		}
	}
	return errors.Join(errs...)
}

func (d *drain) saveOne(ctx context.Context, r *result) error {
	err := d.commitGood(ctx, []goodReply{*r.unsaved})
	if cause := unstorable(err); cause != "" {
		err = d.endBadly(ctx, r, fetch.Broken(r.unsaved.answer, "it can't be stored: "+cause), r.unsaved.slots)
	}
	return d.unlessTakenOver(r, err)
}

// unstorable is why the database refused the values of a reply; empty for any other error. One
// such reply must not block the pulls after it.
func unstorable(err error) string {
	pg, ok := errors.AsType[*pgconn.PgError](err)
	if !ok {
		return ""
	}
	switch pg.Code[:2] {
	case "22", "23": // data exception, integrity constraint
		return pg.Message
	}
	return ""
}

// first reports whether the reply is part of a store's first page.
func first(r goodReply) bool {
	return slices.ContainsFunc(report.FirstPulls, func(f report.FirstPull) bool {
		return f.Pull == string(r.pull.Kind) && f.Subject == r.pull.Subject
	})
}
