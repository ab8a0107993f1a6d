package pulls

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/fact"
)

const (
	// outageStores is how many stores must be refused before it can be an outage.
	outageStores = 3
	// outageWindow is how long before the newest good answer to any store a refusal may have
	// begun: if the service answered others for longer, it isn't down.
	outageWindow = 15 * time.Minute
)

// askedStore is how the service of one host last answered one store.
type askedStore struct {
	id      int64
	refused bool
	// since is when the refusal began, answered is the newest good answer; zero if there is
	// none.
	since, answered time.Time
}

// outage decides whether one service refuses everyone: at least three stores were refused since
// about the last time it answered anyone, and they are at least half of the stores heard from
// since. It returns those stores and when the first was refused (N37, N70).
func outage(all []askedStore) (ids []int64, since time.Time) {
	var newest time.Time
	for _, a := range all {
		if !a.refused && a.answered.After(newest) {
			newest = a.answered
		}
	}
	for _, a := range all {
		if !a.refused || a.since.Before(newest.Add(-outageWindow)) {
			continue
		}
		ids = append(ids, a.id)
		if since.IsZero() || a.since.Before(since) {
			since = a.since
		}
	}
	answered := 0
	for _, a := range all {
		if !a.refused && !a.answered.Before(since) {
			answered++
		}
	}
	if len(ids) < outageStores || len(ids) < answered {
		return nil, time.Time{}
	}
	return ids, since
}

// watchOutages marks the credentials of services that refuse everyone, and removes the mark once
// the outage is over: then each is probed at once, and its refusals are counted from zero.
func (s *Syncer) watchOutages(ctx context.Context) error {
	q := s.DB.Queries()
	rows, err := q.RefusedTogether(ctx)
	if err != nil {
		return fmt.Errorf("find refused credentials: %w", err)
	}
	for len(rows) > 0 {
		n := 1
		for n < len(rows) && rows[n].Service == rows[0].Service && rows[n].Host == rows[0].Host {
			n++
		}
		if err := s.watchHost(ctx, q, rows[:n]); err != nil {
			return fmt.Errorf("mark an outage of the %s service at %s: %w", rows[0].Service, rows[0].Host, err)
		}
		rows = rows[n:]
	}
	return nil
}

func (s *Syncer) watchHost(ctx context.Context, q *sqlc.Queries, rows []sqlc.RefusedTogetherRow) error {
	var all []askedStore
	marked := map[int64]bool{}
	for _, r := range rows {
		state := fact.CredentialState(r.State)
		a := askedStore{id: r.ID, since: db.OrZero(r.PausedAt), answered: r.AnsweredAt, refused: state == fact.CredentialDoubtful || state == fact.CredentialPaused}
		if a.refused && patienceOf(r.Cause) != mayPass { // the cause concerns only this store
			continue
		}
		all = append(all, a)
		if r.OutageSince != nil {
			marked[r.ID] = true
		}
	}
	ids, since := outage(all)
	var begin []int64
	for _, id := range ids {
		if !marked[id] {
			begin = append(begin, id)
		}
		delete(marked, id)
	}
	if len(begin) > 0 {
		s.Log.Warn("a service refuses many stores", "service", rows[0].Service, "host", rows[0].Host, "stores", len(ids), "since", since)
		if err := q.BeginOutage(ctx, sqlc.BeginOutageParams{Ids: begin, Since: since}); err != nil {
			return err
		}
	}
	if len(marked) == 0 {
		return nil
	}
	return q.EndOutage(ctx, sqlc.EndOutageParams{Ids: slices.Collect(maps.Keys(marked)), Now: s.Now()})
}
