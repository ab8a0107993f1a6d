package pulls

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/jobs"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/sync/plan"
)

// Queue tells pages which pulls a store still waits for, and starts those that people wait for.
type Queue struct {
	// DB is the database with the pages' role, Jobs with the worker's.
	DB, Jobs *db.DB
}

// Parts are the parts of a store's initial history that are still to come, by service.
func (q Queue) Parts(ctx context.Context, s db.ScopedStore, now time.Time) ([]report.Part, error) {
	if s.Paused {
		return nil, nil
	}
	stored, err := q.DB.StoredQueue(ctx, s)
	if err != nil {
		return nil, err
	}
	var parts []report.Part
	for _, c := range stored.Credentials {
		if c.State != "good" && c.State != "unchecked" {
			continue
		}
		var rows []sqlc.Ledger
		for _, r := range stored.Ledger {
			if r.Service == c.Service {
				rows = append(rows, r)
			}
		}
		parts = append(parts, plan.Forecast(c.Service, plan.NewLedger(rows), plan.OutlookOf(c.Service, stored, q.DB.RateLimit), s.HistoryDays, now, s.Location())...)
	}
	return parts, nil
}

// Want implements site.Queue. The rows record what is wanted: if starting the job fails, the
// next tick finds them.
func (q Queue) Want(ctx context.Context, s db.ScopedStore, offerID string, now time.Time) (wanted int64, err error) {
	wanted, err = q.DB.WantOffer(ctx, s, offerID, now)
	if err != nil || wanted == 0 {
		return 0, err
	}
	return wanted, q.Jobs.Tx(ctx, func(tx pgx.Tx, worker *sqlc.Queries) error { return startWanted(ctx, tx, worker, now) })
}

// WantWindow implements site.Queue.
func (q Queue) WantWindow(ctx context.Context, s db.ScopedStore, question report.Question, now time.Time) (asked bool, err error) {
	var keys []plan.Key
	for _, service := range question.Services {
		for _, kind := range plan.RangeKinds(service) {
			keys = append(keys, plan.Key{Kind: plan.Kind(kind), Subject: plan.RangeSubject(question.Window)})
		}
	}
	return q.want(ctx, s, keys, false, now)
}

// Refresh implements site.Queue.
func (q Queue) Refresh(ctx context.Context, s db.ScopedStore, question report.Question, now time.Time) (asked bool, err error) {
	return q.want(ctx, s, refreshed(s, question, now), true, now)
}

// Refreshing implements site.Queue.
func (q Queue) Refreshing(ctx context.Context, s db.ScopedStore, question report.Question, now time.Time) (report.Refresh, error) {
	pulls, subjects := columns(refreshed(s, question, now))
	return q.DB.Refreshing(ctx, s, pulls, subjects, now)
}

func refreshed(s db.ScopedStore, question report.Question, now time.Time) []plan.Key {
	return plan.Refreshed(question, report.Today(now, s.Location()), s.HistoryDays)
}

// columns returns the keys as two arrays, for statements.
func columns(keys []plan.Key) (pulls, subjects []string) {
	for _, k := range keys {
		pulls, subjects = append(pulls, string(k.Kind)), append(subjects, k.Subject)
	}
	return pulls, subjects
}

// want marks pulls as wanted by a person and starts them. asked is false if all of them are
// already scheduled.
func (q Queue) want(ctx context.Context, s db.ScopedStore, keys []plan.Key, again bool, now time.Time) (asked bool, err error) {
	pulls, subjects := columns(keys)
	err = q.Jobs.Tx(ctx, func(tx pgx.Tx, worker *sqlc.Queries) error {
		wanted, err := db.Want(ctx, worker, s, pulls, subjects, again, now)
		if asked = wanted > 0; err != nil || !asked {
			return err
		}
		return startWanted(ctx, tx, worker, now)
	})
	return asked, err
}

// startWanted starts the pulls that people wait for. The tick looks at their credentials, too, in case
// two jobs end at this moment and see nothing of it.
func startWanted(ctx context.Context, tx pgx.Tx, worker *sqlc.Queries, now time.Time) error {
	ids, err := worker.WantedCredentials(ctx, now)
	if err != nil {
		return fmt.Errorf("look for what people wait for: %w", err)
	}
	if err := worker.LookSoon(ctx, sqlc.LookSoonParams{Ids: ids, Now: now}); err != nil {
		return fmt.Errorf("have the tick look for what people wait for: %w", err)
	}
	list := make([]river.InsertManyParams, len(ids))
	for i, id := range ids {
		list[i] = river.InsertManyParams{Args: wantedArgs{CredentialID: id}}
	}
	busy, err := jobs.InsertNew(ctx, tx, list...)
	if err != nil {
		return err
	}
	for i, job := range busy {
		busy[i].Args = wantedArgs{CredentialID: job.Args.(wantedArgs).CredentialID, Beside: true}
	}
	return jobs.Insert(ctx, tx, busy...)
}
