package db

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/report"
)

// StoreCards reads the rows of the store list: every store of the scope, each on
// its own clock.
func (d *DB) StoreCards(ctx context.Context, scope Scope, now time.Time) ([]report.StoreCard, error) {
	stores, err := d.Stores(ctx, scope)
	if err != nil || len(stores) == 0 {
		return nil, err
	}
	ids := each(stores, func(s ScopedStore) int64 { return s.id })
	since := day(civil.DateOf(now).AddDays(-62))
	var (
		days, windows []Summary
		states        []CardStatesRow
		coverage      []CardCoverageRow
	)
	err = d.read(ctx, func(q *Queries) error {
		var errs [4]error
		days, errs[0] = q.CardSummaries(ctx, CardSummariesParams{StoreIds: ids, Since: since})
		windows, errs[1] = q.CardWindows(ctx, CardWindowsParams{StoreIds: ids, Since: since})
		states, errs[2] = q.CardStates(ctx, ids)
		coverage, errs[3] = q.CardCoverage(ctx, ids)
		return errors.Join(errs[:]...)
	})
	if err != nil {
		return nil, fmt.Errorf("read store list: %w", err)
	}
	byStore := map[int64]*report.StoredCard{}
	out := make([]*report.StoredCard, len(stores))
	for i, s := range stores {
		out[i] = &report.StoredCard{Store: s.Store, Paused: s.Paused, Location: s.location}
		byStore[s.id] = out[i]
	}
	for _, r := range days {
		c := byStore[r.StoreID]
		c.Days = append(c.Days, summary(r))
	}
	for _, r := range windows {
		c := byStore[r.StoreID]
		c.Windows = append(c.Windows, summary(r))
	}
	for _, r := range states {
		c := byStore[r.StoreID]
		c.PulledAt = r.PulledAt
		c.Credentials = append(c.Credentials, report.StoredCredential{
			Service: r.Service, State: r.State, Text: text(r.PausedText), PausedAt: moment(r.PausedAt),
		})
	}
	for _, r := range coverage {
		c := byStore[r.StoreID]
		c.Coverage = append(c.Coverage, report.StoredCover{Placement: report.Placement(r.Placement), ActiveCount: r.ActiveCount, TotalCount: r.TotalCount})
	}
	return each(out, func(c *report.StoredCard) report.StoreCard { return report.NewStoreCard(*c, now) }), nil
}
