package pulls

import (
	"context"
	"errors"
	"fmt"
	gosync "sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/robfig/cron/v3"

	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/jobs"
)

const (
	// drainTime is how long a job starts pulls. It comes back at once when more is due.
	drainTime = 20 * time.Second
	// pullTime is how long one pull may take: with drainTime less than a job may.
	pullTime = jobs.Longest - drainTime
	// notHere is when a job is tried again that this process may not do.
	notHere = 10 * time.Second
	// schedulerGrain is how late River may wake a job that was put off for longer
	// than this; a shorter wait is exact to about a second.
	schedulerGrain = 5 * time.Second
	// purging limits the deletion of one store, which may have rows of many years.
	purging = 15 * time.Minute
)

// Jobs adds the jobs that pull and that delete removed stores. At each time of the schedule
// one job starts for each credential with due pulls.
func (s *Syncer) Jobs(set *jobs.Set, schedule cron.Schedule) {
	d := &drains{Syncer: s}
	set.Every(schedule, tickArgs{})
	jobs.Work(set, 20*time.Second, func(ctx context.Context, _ *river.Job[tickArgs]) error { return s.tick(ctx) })
	jobs.Work(set, 0, func(ctx context.Context, job *river.Job[drainArgs]) error {
		return d.drain(ctx, job.Args.CredentialID, &drain{lane: fact.Schedule})
	})
	jobs.Work(set, 0, func(ctx context.Context, job *river.Job[wantedArgs]) error {
		return d.drain(ctx, job.Args.CredentialID, &drain{lane: fact.Interactive, onlyWanted: true})
	})
	jobs.Work(set, purging, func(ctx context.Context, job *river.Job[purgeArgs]) error {
		return s.Purge(ctx, job.Args.StoreID)
	})
}

// tickArgs is the job of the schedule. It only finds which credentials have due pulls and
// which removed stores to delete: due rows decide, so a missed or doubled tick changes
// nothing.
type tickArgs struct{}

func (tickArgs) Kind() string { return "tick" }

func (tickArgs) InsertOpts() river.InsertOpts { return jobs.Once(jobs.Upkeep, jobs.ByClock) }

// drainArgs is the job that pulls what is due of one credential.
type drainArgs struct {
	CredentialID int64 `json:"credential_id" river:"unique"`
}

func (drainArgs) Kind() string { return "drain" }

func (drainArgs) InsertOpts() river.InsertOpts { return jobs.Once(jobs.Pulls, jobs.ByClock) }

// wantedArgs is the job that pulls only what someone waits for. It is not the credential's
// drain: that may wait for a slot of the schedule while slots for people are free.
type wantedArgs struct {
	CredentialID int64 `json:"credential_id" river:"unique"`
}

func (wantedArgs) Kind() string { return "wanted" }

func (wantedArgs) InsertOpts() river.InsertOpts { return jobs.Once(jobs.Upkeep, jobs.ByPerson) }

// purgeArgs is the job that deletes a removed store. It is a job of its own, since deleting
// the rows of years takes longer than a tick may.
type purgeArgs struct {
	StoreID int64 `json:"store_id" river:"unique"`
}

func (purgeArgs) Kind() string { return "purge" }

func (purgeArgs) InsertOpts() river.InsertOpts { return jobs.Once(jobs.Upkeep, jobs.ByClock) }

// due are the credentials that have something to pull or are to be asked about again.
func (s *Syncer) due(ctx context.Context) ([]sqlc.DueCredentialsRow, error) {
	if err := s.watchOutages(ctx); err != nil { // due pulls start all the same
		s.Log.Error("outages of services could not be looked for", "error", err)
	}
	due, err := s.DB.Queries().DueCredentials(ctx, new(s.Now()))
	if err != nil {
		return nil, fmt.Errorf("find due credentials: %w", err)
	}
	return due, nil
}

func (s *Syncer) tick(ctx context.Context) error {
	due, err := s.due(ctx)
	if err != nil {
		return err
	}
	var start []river.InsertManyParams
	for _, c := range due {
		start = append(start, river.InsertManyParams{Args: drainArgs{c.ID}})
	}
	removed, err := s.DB.Queries().PurgeableStores(ctx, s.Now().Add(-RemovedFor))
	if err != nil { // due pulls start all the same
		s.Log.Error("list the removed stores to delete", "error", err)
	}
	for _, id := range removed {
		start = append(start, river.InsertManyParams{Args: purgeArgs{id}})
	}
	return s.DB.Tx(ctx, func(tx pgx.Tx, _ *sqlc.Queries) error { return jobs.Insert(ctx, tx, start...) })
}

// start starts the pulls of credentials without waiting for the tick. A job that is
// there already is enough.
func start(ctx context.Context, tx pgx.Tx, credentials ...int64) error {
	var list []river.InsertManyParams
	for _, id := range credentials {
		list = append(list, river.InsertManyParams{Args: drainArgs{id}, InsertOpts: &river.InsertOpts{Priority: jobs.ByPerson}})
	}
	return jobs.Insert(ctx, tx, list...)
}

// drains runs drains of credentials as jobs.
type drains struct {
	*Syncer
	// left are the credentials, by id and address, that this process may not call
	// and has said so.
	left gosync.Map
}

// drain pulls for a while. Without a slot the job is put off until there is one and
// holds no worker meanwhile.
func (d *drains) drain(ctx context.Context, credentialID int64, run *drain) error {
	w, err := d.begin(ctx, credentialID)
	if errors.Is(err, pgx.ErrNoRows) || errors.Is(err, ErrRemoved) {
		return river.JobCancel(err)
	}
	if err != nil {
		return err
	}
	if w.store.PausedAt != nil {
		return nil
	}
	// What this process may not call, another may: its settings let it connect.
	if _, err := upstream.CheckBase(w.cred.BaseUrl, w.Allow); err != nil {
		if _, said := d.left.LoadOrStore(fmt.Sprint(w.cred.ID, w.cred.BaseUrl), true); !said {
			w.Log.Warn("left to other workers: this one may not call the service", "store", w.store.Slug, "service", w.cred.Service, "err", err)
		}
		return river.JobSnooze(notHere)
	}
	if stopped(w.cred) && (run.onlyWanted || !w.probeDue(ctx)) {
		return nil // the tick comes back to it
	}
	run.work, run.until = w, time.Now().Add(drainTime)
	wait, err := run.run(ctx)
	if run.done > 0 {
		err = errors.Join(err, w.check(ctx))
	}
	switch {
	case errors.Is(err, ErrChanged): // read again what is due
		return river.JobSnooze(0)
	case err != nil:
		return err
	case wait > 2*schedulerGrain: // far: wake a little early, then wait exactly
		return river.JobSnooze(wait - schedulerGrain)
	case wait > 0:
		return river.JobSnooze(min(wait, schedulerGrain-time.Second))
	}
	return nil
}

// check has the store looked at now: the first page of a new store has its inbox, and what
// later pulls show doesn't wait for the clock either.
func (w *work) check(ctx context.Context) error {
	if w.Checking == nil {
		return nil
	}
	return w.DB.Tx(ctx, func(tx pgx.Tx, _ *sqlc.Queries) error {
		return jobs.Insert(ctx, tx, river.InsertManyParams{Args: w.Checking(w.store.ID), InsertOpts: &river.InsertOpts{Priority: jobs.ByPerson}})
	})
}
