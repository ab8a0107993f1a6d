package db

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/report"
)

// StoredSync reads everything that a store's Sync page needs.
func (d *DB) StoredSync(ctx context.Context, s ScopedStore) (report.StoredSync, error) {
	out := report.StoredSync{Store: s.Store, Paused: s.Paused, HistoryDays: s.HistoryDays, FirstDay: s.FirstDay}
	var (
		creds []sqlc.CredentialStatesRow
		slots []sqlc.SlotsOfStoreRow
	)
	err := d.read(ctx, func(b *Batch) {
		ask(b, &creds, (*sqlc.Queries).CredentialStates, one(s))
		askEach(b, &out.Ledger, (*sqlc.Queries).LedgerRows, s.id, pull)
		askEach(b, &out.Days, (*sqlc.Queries).KeptDays, sqlc.KeptDaysParams{StoreID: s.id, Since: EveryDay.Start}, storedDay)
		askEach(b, &out.Checks, (*sqlc.Queries).RecentChecks, s.id, check)
		ask(b, &slots, (*sqlc.Queries).SlotsOfStore, sqlc.SlotsOfStoreParams{StoreID: s.id, SlotLimit: int32(d.RateLimit)})
	})
	if err != nil {
		return report.StoredSync{}, fmt.Errorf("read ledger of %s: %w", s.Slug, err)
	}
	out.Credentials = Each(creds, credential)
	for _, c := range creds {
		var held []report.StoredSlot
		for _, b := range slots {
			if b.Service == c.Service {
				held = append(held, report.StoredSlot{Lane: b.Lane, HeldUntil: b.HeldUntil})
			}
		}
		out.Budgets = append(out.Budgets, report.StoredBudget{
			Service: c.Service, Tail: c.TokenTail, State: c.State,
			Limit: d.RateLimit, Reserve: Reserve(d.RateLimit), Slots: held,
		})
	}
	return out, nil
}

func storedDay(k sqlc.KeptDaysRow) report.StoredDay {
	return report.StoredDay{Day: k.Day, Stored: true, Revised: k.Revised}
}

// Taken reports whether a unique index rejected the row.
func Taken(err error) bool {
	pg, ok := errors.AsType[*pgconn.PgError](err)
	return ok && pg.Code == "23505"
}

// Tried adds to an error what was attempted; no error stays none.
func Tried(err error, attempted string, args ...any) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", fmt.Sprintf(attempted, args...), err)
}

// Touched is Tried for a statement; ErrNotFound if it changed no row.
func Touched(rows int64, err error, attempted string, args ...any) error {
	if err == nil && rows == 0 {
		return ErrNotFound
	}
	return Tried(err, attempted, args...)
}

// Absent is Tried for a query of one row; instead is the error if there was no row.
func Absent(err, instead error, attempted string, args ...any) error {
	if errors.Is(err, pgx.ErrNoRows) {
		return instead
	}
	return Tried(err, attempted, args...)
}
