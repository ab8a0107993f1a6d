package snapshot

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/robfig/cron/v3"
	"golang.org/x/sync/errgroup"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/jobs"
)

// Jobs brings what owes the mails of the week by schedule, and sends them.
func (p *Post) Jobs(set *jobs.Set, schedule cron.Schedule) {
	set.Every(schedule, oweArgs{})
	jobs.Work(set, 0, func(ctx context.Context, _ *river.Job[oweArgs]) error { return p.start(ctx) })
	jobs.Work(set, 0, func(ctx context.Context, job *river.Job[mailArgs]) error { return p.deliver(ctx, job.Args.ID) })
}

// oweArgs is the job that looks which mails are due.
type oweArgs struct{}

func (oweArgs) Kind() string { return "weekly_owe" }

func (oweArgs) InsertOpts() river.InsertOpts { return jobs.Once(jobs.Upkeep, jobs.ByClock) }

// mailArgs is the job that brings one mail a step further.
type mailArgs struct {
	ID int64 `json:"id" river:"unique"`
}

func (mailArgs) Kind() string { return "weekly_mail" }

func (mailArgs) InsertOpts() river.InsertOpts { return jobs.Once(jobs.Mails, jobs.ByClock) }

// together is how many jobs are started by one statement.
const together = 1000

// start makes what is owed and starts a job for each mail that is due. The rows decide:
// what waits for its data or for another try has no job, until it is due again.
func (p *Post) start(ctx context.Context) error {
	made, err := p.Owe(ctx)
	if made > 0 {
		p.Log.Info("weekly mails are due", "mails", made)
	}
	starting := p.DB.Tx(ctx, func(tx pgx.Tx, q *db.Queries) error {
		due, err := q.DueDeliveries(ctx, p.Now())
		if err != nil {
			return fmt.Errorf("list the mails that are due: %w", err)
		}
		for ids := range slices.Chunk(due, together) {
			list := make([]river.InsertManyParams, len(ids))
			for i, id := range ids {
				list[i] = river.InsertManyParams{Args: mailArgs{id}}
			}
			if err := jobs.Insert(ctx, tx, list...); err != nil {
				return err
			}
		}
		return nil
	})
	return errors.Join(err, starting)
}

// atOnce is how many mails a command sends at once.
const atOnce = 4

// Deliver does in this process what the jobs of all mails that are due would do, for a
// command whose person waits. An error is about the database or the mail server.
func (p *Post) Deliver(ctx context.Context) error {
	for tried := map[int64]bool{}; ctx.Err() == nil; {
		due, err := p.DB.Queries().DueDeliveries(ctx, p.Now())
		if err != nil {
			return fmt.Errorf("list the mails that are due: %w", err)
		}
		due = slices.DeleteFunc(due, func(id int64) bool { return tried[id] })
		if len(due) == 0 {
			return p.Courier.Away()
		}
		var group errgroup.Group
		group.SetLimit(atOnce)
		for _, id := range due { // what one of them stood for may be due then
			tried[id] = true
			group.Go(func() error { return p.deliver(ctx, id) })
		}
		if err := group.Wait(); err != nil {
			return err
		}
	}
	return nil
}
