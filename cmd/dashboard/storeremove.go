package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/storeglass/storeglass/cmd/dashboard/app"
	"github.com/storeglass/storeglass/cmd/dashboard/cli"
	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	pulls "github.com/storeglass/storeglass/internal/sync"
)

type storeRemove struct {
	storeArg
	Now bool `help:"Delete it and all its data at once. This can't be undone."`
	cli.Consent
}

// Run removes a store. Its rows stay for 30 days, since history that the services no longer
// provide can't be pulled again; --now deletes them, even for a store that was removed
// earlier.
func (c storeRemove) Run(ctx context.Context, p *cli.Program, a *app.App) error {
	find := c.live
	if c.Now {
		find = c.find
	}
	store, err := find(ctx, a)
	if err != nil {
		return err
	}
	what := fmt.Sprintf("Removing %s stops its pulls and closes its pages, share links and JSON API", store.Slug)
	if c.Now {
		what = fmt.Sprintf("Removing %s now deletes its stored history, and the apps can't send all of it again", store.Slug)
	}
	if err := c.Ask(ctx, p, what, store.Slug); err != nil {
		return err
	}
	if c.Now {
		e := audit.Event{Action: audit.StorePurged, Store: store.Slug, Subject: store.Name}
		if err := a.Recorded(ctx, e, func(q *sqlc.Queries) error { return q.DeleteStore(ctx, store.ID) }); err != nil {
			return fmt.Errorf("remove %s: %w", store.Slug, err)
		}
		p.Printf("%s is deleted.\n", store.Slug)
		return nil
	}
	sync := pulls.New(pulls.Config{DB: a.DB, Log: a.Log})
	if err := sync.Remove(ctx, store.ID, pulls.RemovedBy{Name: "the command line"}, a.Audit.Recording(audit.Event{Action: audit.StoreRemoved, Store: store.Slug})); err != nil {
		return err
	}
	p.Printf("%s is removed. Until %s it can be brought back with: dashboard store restore %s\n",
		store.Slug, day(sync.Now().Add(pulls.RemovedFor)), store.Slug)
	return nil
}

type storeRestore struct{ storeArg }

// Run restores the store as it was; its pulls continue.
func (c storeRestore) Run(ctx context.Context, p *cli.Program, a *app.App) error {
	store, err := c.find(ctx, a)
	if err != nil {
		return err
	}
	if store.RemovedAt == nil {
		return fmt.Errorf("%s was not removed", store.Slug)
	}
	sync := pulls.New(pulls.Config{DB: a.DB, Log: a.Log})
	err = sync.Restore(ctx, store.ID, a.Audit.Recording(audit.Event{Action: audit.StoreRestored, Store: store.Slug}))
	if errors.Is(err, pulls.ErrUnknownStore) {
		return fmt.Errorf("%s was removed more than 30 days ago and is being deleted: it can't be brought back", store.Slug)
	}
	if err != nil {
		return err
	}
	p.Printf("%s is back. What it missed is pulled now.\n", store.Slug)
	return nil
}

// removedStore says what can be done with a removed store.
func removedStore(s sqlc.Store) error {
	return fmt.Errorf("store %q was removed on %s and keeps its name until %s: bring it back with `dashboard store restore %s`, or delete it with `dashboard store remove --now %s`",
		s.Slug, day(*s.RemovedAt), day(pulls.DeletedAt(s)), s.Slug, s.Slug)
}

func day(t time.Time) string { return t.UTC().Format("2 January 2006") }
