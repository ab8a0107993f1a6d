package alert

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/robfig/cron/v3"

	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/jobs"
)

// Jobs adds the jobs that check stores on a schedule and notify people.
func (a *Alerts) Jobs(set *jobs.Set, schedule cron.Schedule) {
	set.Every(schedule, checkArgs{})
	jobs.Work(set, 0, func(ctx context.Context, job *river.Job[checkArgs]) error {
		return errors.Join(a.Check(ctx, job.Args.Stores...), a.startTelling(ctx))
	})
	jobs.Work(set, 0, func(ctx context.Context, job *river.Job[tellArgs]) error {
		return a.tell(ctx, recipient{job.Args.Person, job.Args.Channel})
	})
}

// CheckOf is the job that checks one store as soon as it has new data.
func CheckOf(store int64) river.JobArgs { return checkArgs{Stores: []int64{store}} }

// checkArgs is the job that checks changed stores: the given ones, or all if none are given.
type checkArgs struct {
	Stores []int64 `json:"stores,omitempty" river:"unique"`
}

func (checkArgs) Kind() string { return "alert_check" }

func (checkArgs) InsertOpts() river.InsertOpts { return jobs.Once(jobs.Upkeep, jobs.ByClock) }

// tellArgs is the job that notifies one person or one channel of everything due now, so
// that a person with many stores gets one message, and a channel one at a time.
type tellArgs struct {
	Person  *int64 `json:"person,omitempty" river:"unique"`
	Channel *int64 `json:"channel,omitempty" river:"unique"`
}

func (tellArgs) Kind() string { return "alert_tell" }

func (t tellArgs) InsertOpts() river.InsertOpts {
	if t.Channel != nil {
		return jobs.Once(jobs.Channels, jobs.ByClock)
	}
	return jobs.Once(jobs.Mails, jobs.ByPerson)
}

// startTelling starts a job for each person and channel with something due. Notices that
// are put off get no job until a later check finds them due.
func (a *Alerts) startTelling(ctx context.Context) error {
	return a.DB.Tx(ctx, func(tx pgx.Tx, q *sqlc.Queries) error {
		due, err := q.DueRecipients(ctx, sqlc.DueRecipientsParams{Now: a.Now(), Mails: a.Courier != nil})
		if err != nil {
			return fmt.Errorf("list whom to notify: %w", err)
		}
		list := make([]river.InsertManyParams, len(due))
		for i, r := range due {
			list[i] = river.InsertManyParams{Args: tellArgs{r.PersonID, r.ChannelID}}
		}
		return jobs.Insert(ctx, tx, list...)
	})
}

// recipient is a person or a channel.
type recipient struct{ person, channel *int64 }

// tell packs what is due for the recipient and delivers it, one message after the other.
func (a *Alerts) tell(ctx context.Context, r recipient) error {
	err := a.DB.InTx(ctx, func(q *sqlc.Queries) error { return a.pack(ctx, q, r) })
	if err != nil {
		return fmt.Errorf("pack messages for %s: %w", r, err)
	}
	repacked := 0
	for more := jobs.Turn(ctx); ctx.Err() == nil; {
		if !more() {
			return river.JobSnooze(0)
		}
		now := a.Now()
		d, err := a.DB.Queries().BeginLetter(ctx, sqlc.BeginLetterParams{PersonID: r.person, ChannelID: r.channel, Now: now})
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		again := false
		if err == nil {
			again, err = a.deliver(ctx, d)
		}
		if err != nil {
			return fmt.Errorf("tell %s: %w", r, err)
		}
		if again {
			repacked++
		}
		if repacked > mostRepacked {
			return river.JobCancel(fmt.Errorf("tell %s: what is written for them is never what they may see", r))
		}
	}
	return ctx.Err()
}

// mostRepacked is how often one job may rewrite messages. Access doesn't change that
// fast, so more means a bug that must not loop forever.
const mostRepacked = 20

func (r recipient) String() string {
	if r.channel != nil {
		return fmt.Sprint("channel ", *r.channel)
	}
	return fmt.Sprint("person ", *r.person)
}
