package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/storeglass/storeglass/cmd/dashboard/app"
	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/goal"
)

// storeGoal are the flags of a monthly goal.
type storeGoal struct {
	Goal     string `placeholder:"G" help:"Monthly goal: an upsold value such as 54000 in the store's currency, orders as in \"1200 orders\", or none."`
	GoalFrom string `name:"goal-from" placeholder:"YYYY-MM" help:"The month that the goal begins in; this month if left out."`
}

// read makes the goal of the flags, as the page's form does; nil where none is given.
func (c storeGoal) read(store db.Store) (*report.StoredGoal, error) {
	if c.Goal == "" {
		return nil, nil
	}
	zone, err := report.Zone(store.Timezone)
	if err != nil {
		return nil, err
	}
	now := time.Now()
	today := report.Today(now, zone)
	form := goal.Form{Kind: string(fact.GoalValue), Amount: c.Goal, From: goal.MonthOf(today).Start.String()}
	if c.GoalFrom != "" {
		form.From = c.GoalFrom + "-01"
	}
	if orders, is := strings.CutSuffix(c.Goal, " orders"); is {
		form.Kind, form.Amount = string(fact.GoalOrders), orders
	} else if c.Goal == string(fact.GoalNone) {
		form.Kind = string(fact.GoalNone)
	}
	currency := ""
	if store.Currency != nil {
		currency = *store.Currency
	}
	set, wrong := form.Read(locale.English, currency, today)
	for _, field := range []struct{ name, flag string }{{"kind", "--goal"}, {"amount", "--goal"}, {"from", "--goal-from"}} {
		if why := wrong[field.name]; why != "" {
			return nil, usagef("%s: %s", field.flag, why)
		}
	}
	set.SetAt = now
	return &set, nil
}

// save sets the goal and records it.
func (c storeGoal) save(ctx context.Context, a *app.App, store db.Store, set report.StoredGoal) error {
	err := a.Recorded(ctx, access.Event{Action: access.StoreGoalSet, Store: store.Slug, Subject: goal.Record(set)}, func(q *db.Queries) error {
		return q.SetGoal(ctx, store.ID, set, 0)
	})
	if err != nil {
		return fmt.Errorf("set the goal of %s: %w", store.Slug, err)
	}
	return nil
}
