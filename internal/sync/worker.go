package sync

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	gosync "sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivertype"
	"github.com/robfig/cron/v3"

	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/db"
)

// Timing of the jobs. A drain is short and comes again, so that a job that is stuck
// blocks its credential no longer than a lease; one of a dead process is freed by
// its presence.
const (
	drainTime    = 45 * time.Second
	drainTimeout = 100 * time.Second
	rescueAfter  = 2 * time.Minute
	retryAfter   = 10 * time.Second
	// schedulerGrain is how late River may wake a job that was put off for longer
	// than this; a shorter wait is exact to about a second.
	schedulerGrain = 5 * time.Second
)

const queueName = "sync"

// Worker runs the schedule: a cron tick starts one job for each credential that
// has something due. Any number of workers share the jobs through Postgres.
type Worker struct {
	syncer *Syncer
	client *river.Client[pgx.Tx]
	here   *presence
	// watched ends the watch for what people wait for.
	watched func()
}

// ParseSchedule reads a cron expression of five fields or a descriptor such as
// "@every 10s". An expression that can't be read or never fires is refused.
func ParseSchedule(expr string) (schedule cron.Schedule, err error) {
	defer func() { // the parser panics on a time zone without a schedule
		if r := recover(); r != nil {
			schedule, err = nil, fmt.Errorf("cron expression %q: a time zone alone is no schedule", expr)
		}
	}()
	schedule, err = cron.ParseStandard(expr)
	if err != nil {
		return nil, fmt.Errorf("cron expression %q: %w", expr, err)
	}
	if schedule.Next(time.Now()).IsZero() {
		return nil, fmt.Errorf("cron expression %q never fires", expr)
	}
	return schedule, nil
}

// NewWorker makes a worker whose tick fires on the cron expression.
func NewWorker(s *Syncer, cronExpr string) (*Worker, error) {
	schedule, err := ParseSchedule(cronExpr)
	if err != nil {
		return nil, err
	}
	workers := river.NewWorkers()
	drains := &drainWorker{syncer: s}
	river.AddWorker(workers, drains)
	river.AddWorker(workers, &wantedWorker{drains: drains})
	river.AddWorker(workers, &tickWorker{syncer: s})
	river.AddWorker(workers, &purgeWorker{syncer: s})
	client, err := river.NewClient(riverpgxv5.New(s.DB.Pool), &river.Config{
		ID:     clientID(s.id),
		Logger: slog.New(warnings{s.Log.Handler()}),
		Queues: map[string]river.QueueConfig{
			queueName:          {MaxWorkers: 16},
			river.QueueDefault: {MaxWorkers: 6},
		},
		Workers:                     workers,
		ReindexerIndexNames:         []string{}, // the worker owns no index; what it leaves behind in them, vacuum clears
		RescueStuckJobsAfter:        rescueAfter,
		CompletedJobRetentionPeriod: time.Hour,
		FetchCooldown:               50 * time.Millisecond,
		FetchPollInterval:           500 * time.Millisecond,
		SoftStopTimeout:             drainTimeout,
		PeriodicJobs: []*river.PeriodicJob{river.NewPeriodicJob(schedule, func() (river.JobArgs, *river.InsertOpts) {
			return tickArgs{}, nil
		}, &river.PeriodicJobOpts{RunOnStart: true})},
	})
	if err != nil {
		return nil, fmt.Errorf("make worker: %w", err)
	}
	return &Worker{syncer: s, client: client}, nil
}

// Start works until Stop. It returns when the worker is ready.
func (w *Worker) Start(ctx context.Context) error {
	var err error
	if w.here, err = w.syncer.appear(ctx); err != nil {
		return fmt.Errorf("start worker: %w", err)
	}
	if err := w.client.Start(context.WithoutCancel(ctx)); err != nil {
		w.here.leave()
		return fmt.Errorf("start worker: %w", err)
	}
	watching, stop := context.WithCancel(context.WithoutCancel(ctx))
	done := make(chan struct{})
	w.watched = func() { stop(); <-done }
	go func() { defer close(done); w.watch(watching) }()
	return nil
}

// Stop lets the calls under way end and returns their jobs to the queue. When
// ctx ends first, jobs are cut: what they had claimed is free after its lease.
func (w *Worker) Stop(ctx context.Context) error {
	defer w.here.leave()
	w.watched()
	if err := w.client.StopAndCancel(ctx); err != nil && !errors.Is(err, context.Canceled) {
		return fmt.Errorf("stop worker: %w", err)
	}
	return nil
}

// unstarted and running states: one job a credential among them all.
var uniqueStates = []rivertype.JobState{
	rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRetryable,
	rivertype.JobStateRunning, rivertype.JobStateScheduled,
}

// tickArgs is the job that cron fires. It only looks which credentials have
// something due, and which removed stores: due rows decide, so a missed or doubled
// tick changes nothing.
type tickArgs struct{}

func (tickArgs) Kind() string { return "tick" }

func (tickArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{MaxAttempts: 1, UniqueOpts: river.UniqueOpts{ByArgs: true, ByState: uniqueStates}}
}

type tickWorker struct {
	river.WorkerDefaults[tickArgs]
	syncer *Syncer
}

func (*tickWorker) Timeout(*river.Job[tickArgs]) time.Duration { return 20 * time.Second }

// due are the credentials that have something to pull or are to be asked about again.
func (s *Syncer) due(ctx context.Context) ([]db.DueCredentialsRow, error) {
	if err := s.watchOutages(ctx); err != nil { // what is due is pulled all the same
		s.Log.Error("outages of services could not be looked for", "error", err)
	}
	due, err := s.DB.Queries().DueCredentials(ctx, ptr(s.Now()))
	if err != nil {
		return nil, fmt.Errorf("find due credentials: %w", err)
	}
	return due, nil
}

func (t *tickWorker) Work(ctx context.Context, _ *river.Job[tickArgs]) error {
	due, err := t.syncer.due(ctx)
	if err != nil {
		return err
	}
	var jobs []river.InsertManyParams
	for _, c := range due {
		jobs = append(jobs, river.InsertManyParams{Args: drainArgs{CredentialID: c.ID}})
	}
	old, err := t.syncer.forget(ctx)
	if err != nil { // what is due is pulled all the same
		t.syncer.Log.Error("what is too old could not be deleted", "error", err)
	}
	for _, id := range old {
		jobs = append(jobs, river.InsertManyParams{Args: purgeArgs{StoreID: id}})
	}
	if len(jobs) == 0 {
		return nil
	}
	if _, err := river.ClientFromContext[pgx.Tx](ctx).InsertMany(ctx, jobs); err != nil {
		return fmt.Errorf("start %d jobs: %w", len(jobs), err)
	}
	return nil
}

// What somebody waits for goes before what the clock has started: a new store's first
// page is not behind the night's pulls of a thousand others.
const (
	byPerson = 1
	byClock  = 2
)

// drainArgs is the job that pulls what is due of one credential.
type drainArgs struct {
	CredentialID int64 `json:"credential_id" river:"unique"`
}

func (drainArgs) Kind() string { return "drain" }

func (drainArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: queueName, Priority: byClock, MaxAttempts: 5, UniqueOpts: river.UniqueOpts{ByArgs: true, ByState: uniqueStates}}
}

type drainWorker struct {
	river.WorkerDefaults[drainArgs]
	syncer *Syncer
	// left are the credentials, by id and address, that this process may not call
	// and has said so.
	left gosync.Map
}

func (*drainWorker) Timeout(*river.Job[drainArgs]) time.Duration { return drainTimeout }

// NextRetry is soon, whatever the attempt: what can fail here is our own side, a
// process or the database; the services' failures have their own waits.
func (*drainWorker) NextRetry(*river.Job[drainArgs]) time.Time { return time.Now().Add(retryAfter) }

// Work drains for a while. Without a slot the job is put off until there is one
// and holds no worker meanwhile.
func (d *drainWorker) Work(ctx context.Context, job *river.Job[drainArgs]) error {
	return d.drain(ctx, job.Args.CredentialID, &drain{lane: db.Schedule})
}

// drain runs a drain of a credential as a job.
func (d *drainWorker) drain(ctx context.Context, credentialID int64, run *drain) error {
	w, err := d.syncer.begin(ctx, credentialID)
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
		return river.JobSnooze(retryAfter)
	}
	if stopped(w.cred) && (run.onlyWanted || !w.probeDue(ctx)) {
		return nil // the tick comes back to it
	}
	run.work, run.until = w, time.Now().Add(drainTime)
	wait, err := run.run(ctx)
	switch {
	case errors.Is(err, ErrChanged): // look again what there is to do, if anything
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

func ptr[T any](v T) *T { return &v }

// warnings passes a library's warnings and errors on and drops its chatter.
type warnings struct{ slog.Handler }

func (h warnings) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn && h.Handler.Enabled(ctx, level)
}

// Handle drops what is an error to the library alone: that it was stopped while it
// made the first tick.
func (h warnings) Handle(ctx context.Context, r slog.Record) error {
	stopped := false
	r.Attrs(func(a slog.Attr) bool {
		stopped = a.Key == "error" && strings.HasSuffix(a.Value.String(), context.Canceled.Error())
		return !stopped
	})
	if stopped && strings.HasPrefix(r.Message, "maintenance.PeriodicJobEnqueuer: Error ") {
		return nil
	}
	return h.Handler.Handle(ctx, r)
}
func (h warnings) WithAttrs(a []slog.Attr) slog.Handler { return warnings{h.Handler.WithAttrs(a)} }
func (h warnings) WithGroup(n string) slog.Handler      { return warnings{h.Handler.WithGroup(n)} }
