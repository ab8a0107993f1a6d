// Package cleanup deletes expired rows: sessions, one-time links, counted attempts,
// connections that nobody saved, old records of the audit log, the text of old mails, old
// alerts. Every such rule is here, and only this package's job deletes by age. It never
// deletes numbers, offers or replies: they stay until their store is deleted, which
// package pulls does. River deletes finished jobs itself.
package cleanup

import (
	"context"
	"errors"
	"time"

	"github.com/riverqueue/river"
	"github.com/robfig/cron/v3"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/jobs"
)

const (
	// every is how often old rows are deleted. An expired row already has no effect, so
	// this only decides how long it stays stored.
	every = 10 * time.Minute
	// attemptsKept is longer than any limit looks back.
	attemptsKept = time.Hour
	// auditBatch is how many audit records the database deletes at once.
	auditBatch = 10_000
)

// Cleanup deletes old rows.
type Cleanup struct {
	// DB is the worker's database.
	DB *db.DB
	// AuditDays is how many days the audit log is kept, at least 30.
	AuditDays int
	Now       func() time.Time
}

// Jobs adds the job and its schedule.
func (c *Cleanup) Jobs(set *jobs.Set) {
	set.Every(cron.Every(every), args{})
	jobs.Work(set, 0, func(ctx context.Context, _ *river.Job[args]) error { return c.delete(ctx) })
}

// args is the job that deletes everything expired.
type args struct{}

func (args) Kind() string { return "cleanup" }

func (args) InsertOpts() river.InsertOpts { return jobs.Once(jobs.Upkeep, jobs.ByClock) }

// delete runs every rule. If one fails, the others still run; the errors are joined.
func (c *Cleanup) delete(ctx context.Context) error {
	now, q := c.Now(), c.DB.Queries()
	ago := func(d time.Duration) time.Time { return now.Add(-d) }
	return errors.Join(
		named("expired sessions", q.DeleteExpiredSessions(ctx, sqlc.DeleteExpiredSessionsParams{Now: now, IdleSince: new(ago(db.SessionIdle))})),
		named("old one-time links", q.DeleteOldSignInLinks(ctx, ago(db.LinksKept))),
		named("old attempts", q.DeleteOldAttempts(ctx, ago(attemptsKept))),
		named("connections that nobody saved", q.DeleteOldPending(ctx, now)),
		named("the text of old mails", q.DeleteOldMailBodies(ctx, ago(db.MailsKept))),
		named("old alerts", q.DeleteOldAlerts(ctx, ago(db.AlertsKept))),
		named("old messages about alerts", q.DeleteOldAlertMessages(ctx, ago(db.AlertsKept))),
		named("old audit records", c.deleteAudit(ctx, q)),
	)
}

func named(what string, err error) error {
	return db.Tried(err, "delete %s", what)
}

// deleteAudit deletes batch by batch. If the job's time runs out, the next job deletes
// the rest.
func (c *Cleanup) deleteAudit(ctx context.Context, q *sqlc.Queries) error {
	for more := jobs.Turn(ctx); more(); {
		n, err := q.DeleteOldAudit(ctx, int32(c.AuditDays))
		if err != nil || n < auditBatch {
			return err
		}
	}
	return nil
}
