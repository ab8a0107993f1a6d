package weekly

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/robfig/cron/v3"
	"golang.org/x/sync/errgroup"

	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/jobs"
)

// Jobs adds the schedule that finds due mails, and the jobs that send them.
func (p *Sender) Jobs(set *jobs.Set, schedule cron.Schedule) {
	set.Every(schedule, scheduleArgs{})
	jobs.Work(set, 0, func(ctx context.Context, _ *river.Job[scheduleArgs]) error { return p.start(ctx) })
	jobs.Work(set, 0, p.work)
}

// scheduleArgs is the job that finds due mails.
type scheduleArgs struct{}

func (scheduleArgs) Kind() string { return "weekly_schedule" }

func (scheduleArgs) InsertOpts() river.InsertOpts { return jobs.Once(jobs.Upkeep, jobs.ByClock) }

// mailsArgs is the job that takes the due mails of one block a step further. One job per
// mail would cost the database more time than the mail itself.
type mailsArgs struct {
	Block int64 `json:"block" river:"unique"`
}

func (mailsArgs) Kind() string { return "weekly_mails" }

func (mailsArgs) InsertOpts() river.InsertOpts { return jobs.Once(jobs.Mails, jobs.ByClock) }

const (
	// block is how many mails with neighboring ids form a block: mostly mails of one store,
	// or of one hour.
	block = 10
	// together is how many jobs one statement starts.
	together = 1000
)

// start writes rows for the mails that are due, and starts a job for each block that has
// one. A mail that waits for its data or a retry gets no job until then.
func (p *Sender) start(ctx context.Context) error {
	made, err := p.Schedule(ctx)
	if made > 0 {
		p.Log.Info("weekly mails are due", "mails", made)
	}
	starting := p.DB.Tx(ctx, func(tx pgx.Tx, q *sqlc.Queries) error {
		due, err := q.DueDeliveries(ctx, sqlc.DueDeliveriesParams{Now: p.Now(), Below: math.MaxInt64})
		if err != nil {
			return fmt.Errorf("list the mails that are due: %w", err)
		}
		started := map[int64]bool{}
		var list []river.InsertManyParams
		for _, id := range due {
			if b := id / block; !started[b] {
				started[b] = true
				list = append(list, river.InsertManyParams{Args: mailsArgs{b}})
			}
		}
		for some := range slices.Chunk(list, together) {
			if err := jobs.Insert(ctx, tx, some...); err != nil {
				return err
			}
		}
		return nil
	})
	return errors.Join(err, starting)
}

// work delivers a block, one mail after the other. If its time runs out, the same job
// continues later.
func (p *Sender) work(ctx context.Context, job *river.Job[mailsArgs]) error {
	first := job.Args.Block * block
	due, err := p.DB.Queries().DueDeliveries(ctx, sqlc.DueDeliveriesParams{Now: p.Now(), First: first, Below: first + block})
	if err != nil {
		return fmt.Errorf("list the mails that are due: %w", err)
	}
	more := jobs.Turn(ctx)
	for _, id := range due {
		if !more() {
			return river.JobSnooze(0)
		}
		if err := p.deliver(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

// atOnce is how many mails a command sends at once.
const atOnce = 4

// Deliver sends all due mails in this process instead of in jobs, for a command whose user
// waits. An error means that the database or the mail server failed.
func (p *Sender) Deliver(ctx context.Context) error {
	for tried := map[int64]bool{}; ctx.Err() == nil; {
		due, err := p.DB.Queries().DueDeliveries(ctx, sqlc.DueDeliveriesParams{Now: p.Now(), Below: math.MaxInt64})
		if err != nil {
			return fmt.Errorf("list the mails that are due: %w", err)
		}
		due = slices.DeleteFunc(due, func(id int64) bool { return tried[id] })
		if len(due) == 0 {
			return p.Courier.Away()
		}
		var group errgroup.Group
		group.SetLimit(atOnce)
		for _, id := range due { // sending one may make an earlier mail due
			tried[id] = true
			group.Go(func() error { return p.deliver(ctx, id) })
		}
		if err := group.Wait(); err != nil {
			return err
		}
	}
	return nil
}
