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

	"github.com/storeglass/storeglass/internal/access/seal"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/jobs"
)

const (
	// drainTime is how long a job starts pulls. If more is due, it comes back at once.
	drainTime = 20 * time.Second
	// pullTime is how long one pull may take; drainTime plus pullTime is the longest a job may
	// run.
	pullTime = jobs.Longest - drainTime
	// notHere is how long until a job that this process isn't allowed to do is tried again.
	notHere = 10 * time.Second
	// schedulerGrain is how late River may wake a job snoozed for longer than this; shorter
	// waits are exact to about a second.
	schedulerGrain = 5 * time.Second
	// purging is the time limit for deleting one store, which may have rows of many years.
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

// tickArgs is the scheduled job. It only finds which credentials have due pulls and which
// removed stores to delete. Since the ledger decides what is due, a missed or doubled tick
// changes nothing.
type tickArgs struct{}

func (tickArgs) Kind() string { return "tick" }

func (tickArgs) InsertOpts() river.InsertOpts { return jobs.Once(jobs.Upkeep, jobs.ByClock) }

// drainArgs is the job that makes one credential's due pulls.
type drainArgs struct {
	CredentialID int64 `json:"credential_id" river:"unique"`
}

func (drainArgs) Kind() string { return "drain" }

func (drainArgs) InsertOpts() river.InsertOpts { return jobs.Once(jobs.Pulls, jobs.ByClock) }

// wantedArgs is the job that pulls only what a person waits for. It is separate from the
// credential's drain, which may be waiting for a scheduled slot while slots for people are
// free.
type wantedArgs struct {
	CredentialID int64 `json:"credential_id" river:"unique"`
	// Beside is a second job, for what was wanted while the first one ends or waits for a reply.
	Beside bool `json:"beside" river:"unique"`
}

func (wantedArgs) Kind() string { return "wanted" }

func (wantedArgs) InsertOpts() river.InsertOpts { return jobs.Once(jobs.Upkeep, jobs.ByPerson) }

// purgeArgs is the job that deletes a removed store. It is separate because deleting years of
// rows takes longer than a tick may.
type purgeArgs struct {
	StoreID int64 `json:"store_id" river:"unique"`
}

func (purgeArgs) Kind() string { return "purge" }

func (purgeArgs) InsertOpts() river.InsertOpts { return jobs.Once(jobs.Upkeep, jobs.ByClock) }

// due are the credentials that have something to pull or whose service should be probed again.
func (s *Syncer) due(ctx context.Context) ([]sqlc.DueCredentialsRow, error) {
	if err := s.watchOutages(ctx); err != nil { // due pulls start anyway
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
	if err != nil { // due pulls start anyway
		s.Log.Error("list the removed stores to delete", "error", err)
	}
	for _, id := range removed {
		start = append(start, river.InsertManyParams{Args: purgeArgs{id}})
	}
	return s.DB.Tx(ctx, func(tx pgx.Tx, _ *sqlc.Queries) error { return jobs.Insert(ctx, tx, start...) })
}

// start starts the pulls of credentials without waiting for the tick. It adds no job where one
// already exists.
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
	// left are the credentials that this process can't use, each with the cause, that it has
	// already logged.
	left gosync.Map
}

// leave puts a job back for a process with other settings, and logs the cause once.
func (d *drains) leave(credentialID int64, cause error) error {
	if _, said := d.left.LoadOrStore(fmt.Sprint(credentialID, " ", cause), true); !said {
		d.Log.Warn("a service is left to other workers: this one can't call it", "error", cause)
	}
	return river.JobSnooze(notHere)
}

// drain pulls for a while. Without a free slot, the job is snoozed until there is one, so it
// doesn't occupy a worker.
func (d *drains) drain(ctx context.Context, credentialID int64, run *drain) error {
	w, err := d.begin(ctx, credentialID)
	if errors.Is(err, pgx.ErrNoRows) || errors.Is(err, ErrRemoved) {
		return river.JobCancel(err)
	}
	if errors.Is(err, seal.ErrSealed) {
		return d.leave(credentialID, err)
	}
	if err != nil {
		return err
	}
	if w.store.PausedAt != nil {
		return nil
	}
	if _, err := upstream.CheckBase(w.cred.BaseUrl, w.Allow); err != nil {
		return d.leave(credentialID, fmt.Errorf("the %s service of %s: %w", w.cred.Service, w.store.Slug, err))
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

// check starts the store's problem check right away, so that the first page of a new store has
// its inbox and later findings don't wait for the schedule.
func (w *work) check(ctx context.Context) error {
	if w.Checking == nil {
		return nil
	}
	return w.DB.Tx(ctx, func(tx pgx.Tx, _ *sqlc.Queries) error {
		return jobs.Insert(ctx, tx, river.InsertManyParams{Args: w.Checking(w.store.ID), InsertOpts: &river.InsertOpts{Priority: jobs.ByPerson}})
	})
}
