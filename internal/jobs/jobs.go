// Package jobs runs everything that happens in the background: pulls, mails, alerts,
// notices, deletion. The queue is River's, in the same Postgres as everything else, so a job
// is inserted in the transaction that makes it due, and any number of processes share the
// work. Features bring their kinds of jobs and schedules ([Set]). They also decide what a
// job means, and make sure that a job which runs twice does its work once.
//
// River restarts the jobs of a killed process within two minutes: every 30 seconds it
// looks for jobs that started longer than [TakenBack] ago. So no job may run longer than
// [Longest], unless it sets its own limit.
package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivertype"
	"github.com/robfig/cron/v3"
)

const (
	// TakenBack is how long after its start a job is presumed lost with its process.
	TakenBack = 65 * time.Second
	// Longest is how long a job may run if it sets no limit itself; then its context ends.
	Longest = TakenBack - 5*time.Second
	// Soon is the wait before a failed or lost job runs again. Jobs fail only when our own side
	// does, a process or the database: a service or mail server that refuses is an outcome, not
	// an error.
	Soon = 2 * time.Second
	// stopWithin is how long running jobs get to finish when the engine stops.
	stopWithin = Longest
)

// Queues. Jobs of one queue never wait for those of another.
const (
	// Pulls holds scheduled pulls.
	Pulls = "pulls"
	// Mails holds mails to send, Channels messages to alert channels.
	Mails    = "mails"
	Channels = "channels"
	// Upkeep holds everything else: what people wait for, and the checks for what is due.
	Upkeep = "upkeep"
)

// queues says how many jobs of each queue a process runs at once.
var queues = map[string]river.QueueConfig{
	Pulls: {MaxWorkers: 16}, Mails: {MaxWorkers: 4}, Channels: {MaxWorkers: 6}, Upkeep: {MaxWorkers: 6},
}

// Priorities of jobs within a queue. What a person waits for goes before scheduled work: a
// new store's first page doesn't wait behind the nightly pulls of a thousand
// others.
const (
	ByPerson = 1
	ByClock  = 2
)

// Set collects the jobs and schedules that features bring to an engine.
type Set struct {
	workers  *river.Workers
	periodic []*river.PeriodicJob
}

// NewSet makes an empty set.
func NewSet() *Set { return &Set{workers: river.NewWorkers()} }

// Every starts a job whenever the schedule says, and once when the engine starts. Only
// River's leader among all processes does so.
func (s *Set) Every(schedule cron.Schedule, job river.JobArgs) {
	s.periodic = append(s.periodic, river.NewPeriodicJob(schedule, func() (river.JobArgs, *river.InsertOpts) {
		return job, nil
	}, &river.PeriodicJobOpts{RunOnStart: true}))
}

// Work registers the function that runs jobs of a kind. longest is how long one may run; 0
// means [Longest].
func Work[T river.JobArgs](s *Set, longest time.Duration, work func(context.Context, *river.Job[T]) error) {
	river.AddWorker(s.workers, &worker[T]{work: work, longest: longest})
}

type worker[T river.JobArgs] struct {
	river.WorkerDefaults[T]
	work    func(context.Context, *river.Job[T]) error
	longest time.Duration
}

func (w *worker[T]) Work(ctx context.Context, job *river.Job[T]) error { return w.work(ctx, job) }
func (w *worker[T]) Timeout(*river.Job[T]) time.Duration               { return w.longest }
func (w *worker[T]) NextRetry(*river.Job[T]) time.Time                 { return time.Now().Add(Soon) }

// Once are the options of a job that is queued or running at most once: inserting it
// again before it has ended does nothing. Two jobs are the same if their arguments tagged
// `river:"unique"` are, or all arguments if none has the tag.
func Once(queue string, priority int) river.InsertOpts {
	return river.InsertOpts{Queue: queue, Priority: priority, UniqueOpts: river.UniqueOpts{ByArgs: true, ByState: unended}}
}

var unended = []rivertype.JobState{
	rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRetryable,
	rivertype.JobStateRunning, rivertype.JobStateScheduled,
}

// Insert starts jobs when the transaction commits. It needs no engine: a process that only
// serves pages can start jobs for a worker elsewhere.
func Insert(ctx context.Context, tx pgx.Tx, jobs ...river.InsertManyParams) error {
	_, err := InsertNew(ctx, tx, jobs...)
	return err
}

// InsertNew is [Insert] and returns the jobs that weren't started because the same one is queued or
// running. A running one may have looked for its work for the last time already.
func InsertNew(ctx context.Context, tx pgx.Tx, jobs ...river.InsertManyParams) (old []river.InsertManyParams, err error) {
	if len(jobs) == 0 {
		return nil, nil
	}
	var results []*rivertype.JobInsertResult
	client, err := inserter()
	if err == nil {
		results, err = client.InsertManyTx(ctx, tx, jobs)
	}
	if err != nil {
		return nil, fmt.Errorf("start %d jobs: %w", len(jobs), err)
	}
	for i, r := range results {
		if r.UniqueSkippedAsDuplicate {
			old = append(old, jobs[i])
		}
	}
	return old, nil
}

// inserter is a client without a database of its own: it uses the transactions it is given.
var inserter = sync.OnceValues(func() (*river.Client[pgx.Tx], error) {
	return river.NewClient(riverpgxv5.New(nil), &river.Config{})
})

// Turn is for a job that does one thing after the other. The returned func reports whether it
// may begin another: during the first third of its time, so that the last one can take long.
// After that the job should snooze, to let others have their turn.
func Turn(ctx context.Context) (more func() bool) {
	end, ends := ctx.Deadline()
	last := time.Now().Add(time.Until(end) / 3)
	return func() bool { return !ends || time.Now().Before(last) }
}

const (
	leastBackoff = time.Minute
	// MostBackoff is the longest wait after a failure.
	MostBackoff = 6 * time.Hour
	// MostFailures is how many failures a message gets before it is given up: about a day and a half.
	MostFailures = 12
)

// Backoff is how long a message waits after that number of failures. The limit doubles
// each time, and half of it is random, so that messages that failed together aren't
// retried together. again is false when the message is given up.
func Backoff(failures int) (wait time.Duration, again bool) {
	wait = MostBackoff
	if failures < 10 {
		wait = min(MostBackoff, leastBackoff<<max(0, failures-1))
	}
	return wait/2 + rand.N(wait/2), failures < MostFailures
}

// Engine runs jobs.
type Engine struct{ client *river.Client[pgx.Tx] }

// Option changes how an engine works.
type Option func(*river.Config)

// Start runs the set's jobs until Stop. It returns when the engine is ready.
func Start(ctx context.Context, pool *pgxpool.Pool, log *slog.Logger, s *Set, options ...Option) (*Engine, error) {
	config := &river.Config{
		Logger:                      slog.New(warnings{log.Handler(), new(atomic.Int64)}),
		ErrorHandler:                failures{log},
		Queues:                      queues,
		Workers:                     s.workers,
		FetchOnlyKnownKinds:         true, // a command may run mail jobs only
		PeriodicJobs:                s.periodic,
		ReindexerIndexNames:         []string{}, // the worker doesn't own the indexes, so it can't rebuild them; vacuum cleans them up
		JobTimeout:                  Longest,
		RescueStuckJobsAfter:        TakenBack,
		CompletedJobRetentionPeriod: time.Hour,
		FetchCooldown:               50 * time.Millisecond,
		FetchPollInterval:           500 * time.Millisecond,
		SoftStopTimeout:             stopWithin,
	}
	for _, option := range options {
		option(config)
	}
	client, err := river.NewClient(riverpgxv5.New(pool), config)
	if err != nil {
		return nil, fmt.Errorf("make the job engine: %w", err)
	}
	// Only Stop ends the engine, so that running jobs can finish after ctx has ended.
	if err := client.Start(context.WithoutCancel(ctx)); err != nil {
		return nil, fmt.Errorf("start the job engine: %w", err)
	}
	return &Engine{client}, nil
}

// Stop lets running jobs finish, and puts those that don't back into the queue. If ctx ends
// first, they are cut off, and another process restarts them.
func (e *Engine) Stop(ctx context.Context) error {
	if err := e.client.StopAndCancel(ctx); err != nil && !errors.Is(err, context.Canceled) {
		return fmt.Errorf("stop the job engine: %w", err)
	}
	return nil
}

// ParseSchedule reads a cron expression of five fields, or a descriptor such as
// "@every 10s". It rejects expressions that can't be parsed or never fire.
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

// failures logs jobs that fail: River counts that as information, which [warnings] drops. A job's
// later tries are seconds apart, so after the first only the last is logged.
type failures struct{ log *slog.Logger }

func (f failures) HandleError(_ context.Context, job *rivertype.JobRow, err error) *river.ErrorHandlerResult {
	switch {
	case job.Attempt >= job.MaxAttempts:
		f.log.Error("a background job failed each time and was given up", "job", job.Kind, "id", job.ID, "tries", job.Attempt, "error", err)
	case len(job.Errors) == 0:
		f.log.Warn("a background job failed and is tried again", "job", job.Kind, "id", job.ID, "error", err)
	}
	return nil
}

// HandlePanic does nothing: River logs a panic as an error.
func (failures) HandlePanic(context.Context, *rivertype.JobRow, any, string) *river.ErrorHandlerResult {
	return nil
}

// warnings passes on River's warnings and errors, and drops the rest.
type warnings struct {
	slog.Handler
	// quiet is until when errors about fetching jobs are dropped, in Unix nanoseconds: while the
	// database is away, there are several a second.
	quiet *atomic.Int64
}

func (h warnings) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn && h.Handler.Enabled(ctx, level)
}

// Handle drops one harmless error: that River was stopped while it inserted a scheduled
// job. Errors about fetching jobs are logged once a minute.
func (h warnings) Handle(ctx context.Context, r slog.Record) error {
	stopped := false
	r.Attrs(func(a slog.Attr) bool {
		stopped = a.Key == "error" && strings.HasSuffix(a.Value.String(), context.Canceled.Error())
		return !stopped
	})
	if stopped && strings.HasPrefix(r.Message, "maintenance.PeriodicJobEnqueuer: Error ") {
		return nil
	}
	if r.Message == "producer: Error fetching jobs" {
		until := h.quiet.Load()
		if r.Time.UnixNano() < until || !h.quiet.CompareAndSwap(until, r.Time.Add(time.Minute).UnixNano()) {
			return nil
		}
	}
	return h.Handler.Handle(ctx, r)
}
func (h warnings) WithAttrs(a []slog.Attr) slog.Handler {
	return warnings{h.Handler.WithAttrs(a), h.quiet}
}
func (h warnings) WithGroup(n string) slog.Handler { return warnings{h.Handler.WithGroup(n), h.quiet} }
