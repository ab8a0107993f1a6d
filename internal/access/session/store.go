// Package session keeps sessions: who is signed in, in which browsers, and what the person of
// a request may see. It never decides who may sign in.
package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/alexedwards/scs/v2"

	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
)

// The session keys that SQL statements read too: the signed-in person's id, as text,
// and how, from where and with which browser they signed in.
const (
	PersonKey  = "person"
	WayKey     = "way"
	AddressKey = "from"
	AgentKey   = "agent"
)

// seenEvery is how often a session's last use is written.
const seenEvery = 10 * time.Minute

// Store keeps scs sessions in the table sessions and honors contexts. Finding
// one reads the whole visit (see Asking), so that a page needs no second query.
type Store struct {
	db  *db.DB
	q   *sqlc.Queries
	now func() time.Time
	log *audit.Log
}

// New is the store for an scs session manager with HashTokenInStore and Codec. It uses the
// database d and the clock now.
func New(d *db.DB, now func() time.Time) *Store {
	return &Store{d, d.Queries(), now, audit.New(d, now)}
}

var _ scs.CtxStore = (*Store)(nil)

type askingKey struct{}

type asking struct {
	slug  string
	visit db.Visit
}

// Asking returns a context in which loading the session also looks up the person, the
// grants and the store with that slug; slug may be empty. VisitOf returns them
// afterwards.
func Asking(ctx context.Context, slug string) context.Context {
	return context.WithValue(ctx, askingKey{}, &asking{slug: slug})
}

// VisitOf is what loading the session found. When nobody is signed in, it is the zero
// Visit, which sees nothing.
func VisitOf(ctx context.Context) db.Visit {
	if k, ok := ctx.Value(askingKey{}).(*asking); ok {
		return k.visit
	}
	return db.Visit{}
}

// FindCtx reads a live session.
func (s *Store) FindCtx(ctx context.Context, token string) ([]byte, bool, error) {
	k, _ := ctx.Value(askingKey{}).(*asking)
	if k == nil {
		k = &asking{}
	}
	now := s.now()
	v, err := s.db.VisitBySession(ctx, token, k.slug, now, now.Add(-db.SessionIdle))
	if errors.Is(err, db.ErrNotFound) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	if before := now.Add(-seenEvery); !v.SeenAt.After(before) {
		if err := s.q.TouchSession(ctx, sqlc.TouchSessionParams{ID: &v.SessionID, Now: &now, Before: &before}); err != nil {
			return nil, false, fmt.Errorf("note use of a session: %w", err)
		}
	}
	k.visit = v
	return v.Session, true, nil
}

// Revisit reads again what the person of a visit may see; slug may be empty. It doesn't
// count as use of the session. db.ErrNotFound when the session has ended.
func (s *Store) Revisit(ctx context.Context, v db.Visit, slug string) (db.Visit, error) {
	now := s.now()
	return s.db.VisitAgain(ctx, v, slug, now, now.Add(-db.SessionIdle))
}

// CommitCtx writes a session.
func (s *Store) CommitCtx(ctx context.Context, token string, data []byte, expiry time.Time) error {
	return db.Tried(s.q.SaveSession(ctx, sqlc.SaveSessionParams{Token: token, Data: data, Expiry: expiry, Now: s.now()}), "save session")
}

// DeleteCtx ends a session. It isn't an error if there is none.
func (s *Store) DeleteCtx(ctx context.Context, token string) error {
	return db.Tried(s.q.DeleteSession(ctx, token), "end session")
}

// Find, Commit and Delete are required by scs's Store interface. scs never calls them here, because the Ctx variants exist.
func (s *Store) Find(token string) ([]byte, bool, error) {
	return s.FindCtx(context.Background(), token)
}

// Commit is CommitCtx without a context.
func (s *Store) Commit(token string, data []byte, expiry time.Time) error {
	return s.CommitCtx(context.Background(), token, data, expiry)
}

// Delete is DeleteCtx without a context.
func (s *Store) Delete(token string) error { return s.DeleteCtx(context.Background(), token) }

// Codec writes a session as JSON, which SQL can read. A session may hold
// strings only; anything else is an error.
type Codec struct{}

type sessionJSON struct {
	Deadline time.Time         `json:"deadline"`
	Values   map[string]string `json:"values"`
}

// Encode implements scs.Codec.
func (Codec) Encode(deadline time.Time, values map[string]any) ([]byte, error) {
	s := sessionJSON{deadline, make(map[string]string, len(values))}
	for k, v := range values {
		text, ok := v.(string)
		if !ok {
			return nil, fmt.Errorf("session value %s is a %T, not text", k, v)
		}
		s.Values[k] = text
	}
	return json.Marshal(s)
}

// Decode implements scs.Codec.
func (Codec) Decode(data []byte) (time.Time, map[string]any, error) {
	var s sessionJSON
	if err := json.Unmarshal(data, &s); err != nil {
		return time.Time{}, nil, fmt.Errorf("read session: %w", err)
	}
	values := make(map[string]any, len(s.Values))
	for k, v := range s.Values {
		values[k] = v
	}
	return s.Deadline, values, nil
}
