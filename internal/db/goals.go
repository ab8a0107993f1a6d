package db

import (
	"context"
	"fmt"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/goal"
)

// mostGoals is how many changes of a goal a page lists.
const mostGoals = 24

// goalsOn are the parameters to read, for each store in turn, the goal for the month of a day, with
// what its pace is estimated from on that day.
func goalsOn(ids []int64, days ...civil.Date) sqlc.GoalsOfStoresParams {
	p := sqlc.GoalsOfStoresParams{StoreIds: ids, DaysBefore: goal.HistoryDays}
	for _, d := range days {
		p.Months, p.LastDays = append(p.Months, goal.MonthOf(d).Start), append(p.LastDays, d)
	}
	return p
}

func storedGoal(r sqlc.GoalsOfStoresRow) report.StoredGoal {
	g := report.StoredGoal{Kind: r.Kind, Amount: r.Amount, Currency: r.Currency, From: r.FromMonth, SetAt: r.SetAt}
	for i, d := range r.Days {
		g.Days = append(g.Days, report.StoredSummary{
			Window: report.OneDay(d), TotalUpsoldValue: r.UpsoldValues[i], TotalUpsoldOrders: r.UpsoldOrders[i], Currency: r.Currencies[i],
			FetchedAt: r.Fetched[i], Revised: r.Revised[i],
		})
	}
	return g
}

// GoalOn is the store's goal for the month of a day, as known on that day; nil if none is set.
func (d *DB) GoalOn(ctx context.Context, s ScopedStore, on civil.Date) (*report.StoredGoal, error) {
	rows, err := d.q.GoalsOfStores(ctx, goalsOn([]int64{s.id}, on))
	return first(rows, storedGoal), Tried(err, "read goal of %s", s.Slug)
}

// Goals are the changes of the store's goal, newest first.
func (d *DB) Goals(ctx context.Context, s ScopedStore) ([]goal.Change, error) {
	rows, err := d.q.GoalHistory(ctx, sqlc.GoalHistoryParams{StoreID: s.id, Most: mostGoals})
	if err != nil {
		return nil, fmt.Errorf("list goals of %s: %w", s.Slug, err)
	}
	return Each(rows, func(r sqlc.GoalHistoryRow) goal.Change {
		return goal.Change{StoredGoal: goalSet(r), By: r.SetBy}
	}), nil
}

func goalSet(r sqlc.GoalHistoryRow) report.StoredGoal {
	return report.StoredGoal{Kind: r.Kind, Amount: r.Amount, Currency: r.Currency, From: r.FromMonth, SetAt: r.SetAt}
}

// SetGoal sets the store's goal starting with its month; by is a person, or 0.
func (d *DB) SetGoal(ctx context.Context, s ScopedStore, g report.StoredGoal, by int64, also ...Also) error {
	return d.InTx(ctx, func(q *sqlc.Queries) error { return SetGoal(ctx, q, s.id, g, by) }, also...)
}

// SetGoal is the same within a transaction.
func SetGoal(ctx context.Context, q *sqlc.Queries, store int64, g report.StoredGoal, by int64) error {
	p := sqlc.InsertGoalParams{StoreID: store, FromMonth: g.From, Kind: g.Kind, Amount: g.Amount, Currency: g.Currency, SetBy: Optional(by), SetAt: g.SetAt.UTC().Truncate(time.Microsecond)}
	n, err := q.InsertGoal(ctx, p)
	return Touched(n, err, "set goal")
}
