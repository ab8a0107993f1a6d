package session

import (
	"context"
	"fmt"
	"time"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/locale"
)

// Session is one sign-in, as its person sees it in a list.
type Session struct {
	ID int64
	// Way is how they signed in, Address from where, Agent with which browser, all as
	// stored; empty where nothing was.
	Way, Address, Agent string
	Since, Seen         time.Time
}

// Of lists where the person is signed in, most recently used first.
func (s *Store) Of(ctx context.Context, personID int64) ([]Session, error) {
	now := s.now()
	idle := now.Add(-db.SessionIdle)
	rows, err := s.q.SessionsOfPerson(ctx, sqlc.SessionsOfPersonParams{PersonID: personID, Now: now, IdleSince: &idle})
	if err != nil {
		return nil, fmt.Errorf("list sessions of person %d: %w", personID, err)
	}
	return db.Each(rows, func(r sqlc.SessionsOfPersonRow) Session {
		return Session{ID: *r.ID, Way: r.Way, Address: r.Address, Agent: r.Agent, Since: r.CreatedAt, Seen: r.SeenAt}
	}), nil
}

// End ends one of the person's sessions. It isn't an error if the session doesn't
// exist or belongs to someone else; nothing changes then.
func (s *Store) End(ctx context.Context, p access.Person, id int64) error {
	return s.db.InTx(ctx, func(q *sqlc.Queries) error {
		n, err := q.EndSession(ctx, sqlc.EndSessionParams{PersonID: p.ID, ID: &id})
		if err != nil {
			return fmt.Errorf("end session %d of person %d: %w", id, p.ID, err)
		}
		if n == 0 {
			return nil
		}
		return s.log.RecordIn(ctx, q, audit.Event{Action: audit.SessionRevoked, Subject: p.Email})
	})
}

// EndOthers ends all of the person's sessions except keep, and returns how many
// it ended.
func (s *Store) EndOthers(ctx context.Context, p access.Person, keep int64) (n int64, err error) {
	err = s.db.InTx(ctx, func(q *sqlc.Queries) error {
		if n, err = EndOthersIn(ctx, q, p.ID, keep); err != nil || n == 0 {
			return err
		}
		return s.log.RecordIn(ctx, q, audit.Event{Action: audit.SessionRevoked, Subject: p.Email, Details: locale.Sentences{locale.M("audit.detail.other_sessions", "n", n)}})
	})
	return n, err
}

// EndOthersIn ends the sessions that started before a change to how the person signs in,
// except keep; 0 keeps none.
func EndOthersIn(ctx context.Context, q *sqlc.Queries, personID, keep int64) (int64, error) {
	n, err := q.EndOtherSessions(ctx, sqlc.EndOtherSessionsParams{PersonID: personID, Keep: &keep})
	return n, db.Tried(err, "end other sessions of person %d", personID)
}
