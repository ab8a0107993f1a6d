// Package apitoken makes, checks and ends tokens for the JSON API, and grants them stores. It
// never decides what the API answers.
package apitoken

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/access/seal"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/fault"
	"github.com/storeglass/storeglass/internal/locale"
)

// Tokens are the API tokens in a database.
type Tokens struct {
	db  *db.DB
	q   *sqlc.Queries
	now func() time.Time
	log *audit.Log
}

// New uses the database d and the clock now.
func New(d *db.DB, now func() time.Time) *Tokens {
	return &Tokens{d, d.Queries(), now, audit.New(d, now)}
}

// Prefix starts every token for our JSON API, so that a leaked one is recognized.
const Prefix = "sg_"

// Token is a token for our JSON API as listed, without its secret.
type Token struct {
	ID   int64
	Name string
	// MadeBy is the address of the person who made it, or the name of the user who ran the
	// command; empty if unknown.
	MadeBy     string
	CreatedAt  time.Time
	LastUsedAt *time.Time
	RevokedAt  *time.Time
	// ExpiresAt is when it expires.
	ExpiresAt time.Time
	// OwnerGone: its maker is disabled or no longer an administrator, so the token doesn't work.
	OwnerGone bool
	// Reach is what it reads.
	access.Reach
}

// Life is how long a token works by default.
const Life = 365 * 24 * time.Hour

// MaxLife is the longest that can be chosen.
const MaxLife = 3 * Life

// Create makes a token that reads those stores (slugs, or AllStores) and those
// of the groups (ids) for the given time. It returns the token's text, which can't be
// shown again. The token stops working if its maker is disabled or no longer an administrator.
// fault.Conflict when a live token has this name, fault.Invalid, fault.NotFound; nothing
// is stored then.
func (s *Tokens) Create(ctx context.Context, name string, slugs []string, groups []int64, life time.Duration) (string, error) {
	name, err := access.CleanName(name)
	if err != nil {
		return "", fmt.Errorf("create token: %w", err)
	}
	if len(slugs)+len(groups) == 0 {
		return "", fmt.Errorf("create token: %w", fault.New(fault.Invalid, "", "tokens.problem.nothing"))
	}
	secret := Prefix + seal.NewSecret()
	err = s.db.InTx(ctx, func(q *sqlc.Queries) error {
		by := audit.ActorOf(ctx)
		made := sqlc.InsertTokenParams{Name: name, TokenHash: seal.HashSecret(secret), MadeBy: audit.Text(by.Name), ExpiresAt: s.now().Add(life)}
		if by.Kind == audit.ActorPerson {
			made.OwnerID = &by.ID
		}
		t, err := q.InsertToken(ctx, made)
		if db.Taken(err) {
			return fault.New(fault.Conflict, "name", "fault.name_taken")
		}
		if err != nil {
			return err
		}
		reads, err := grant(ctx, q, t.ID, slugs, groups)
		if err != nil {
			return err
		}
		return s.log.RecordIn(ctx, q, audit.Event{Action: audit.TokenMade, Subject: name, Details: reads})
	})
	if err != nil {
		return "", fmt.Errorf("create token %s: %w", name, err)
	}
	return secret, nil
}

// grant lets a token read stores and groups, and returns what the audit log says about them.
func grant(ctx context.Context, q *sqlc.Queries, token int64, slugs []string, groups []int64) (reads locale.Sentences, err error) {
	var grants []access.Grant
	for _, id := range groups {
		g, err := access.GroupGrant(ctx, q, id)
		if err != nil {
			return nil, err
		}
		grants = append(grants, g)
	}
	for _, slug := range slugs {
		g, err := access.StoreGrant(ctx, q, slug)
		if err != nil {
			return nil, err
		}
		grants = append(grants, g)
	}
	for _, g := range grants {
		if _, err := q.GiveGrant(ctx, sqlc.GiveGrantParams{ApiTokenID: &token, StoreID: g.StoreID, GroupID: g.GroupID, EveryStore: g.EveryStore}); err != nil {
			return nil, err
		}
		reads = append(reads, g.Words)
	}
	return reads, nil
}

// Revoke ends the live token with that name at once. fault.NotFound.
func (s *Tokens) Revoke(ctx context.Context, name string) error {
	return s.revoke(ctx, name, sqlc.RevokeTokenParams{Name: name, Now: s.now()})
}

// RevokeByID is Revoke by the id that List returns. fault.NotFound.
func (s *Tokens) RevokeByID(ctx context.Context, id int64) error {
	return s.revoke(ctx, fmt.Sprint("token ", id), sqlc.RevokeTokenParams{ID: id, Now: s.now()})
}

func (s *Tokens) revoke(ctx context.Context, which string, p sqlc.RevokeTokenParams) error {
	return s.db.InTx(ctx, func(q *sqlc.Queries) error {
		name, err := q.RevokeToken(ctx, p)
		if err != nil {
			return db.Absent(err, fmt.Errorf("%s: %w", which, fault.Missing("token")), "revoke %s", which)
		}
		return s.log.RecordIn(ctx, q, audit.Event{Action: audit.TokenRevoked, Subject: name})
	})
}

// List returns the tokens, live ones first.
func (s *Tokens) List(ctx context.Context) ([]Token, error) {
	rows, err := s.q.TokensWithGrants(ctx)
	if err != nil {
		return nil, fmt.Errorf("list tokens: %w", err)
	}
	return db.Each(rows, func(r sqlc.TokensWithGrantsRow) Token {
		return Token{
			ID: r.ID, Name: r.Name, MadeBy: r.MadeBy, CreatedAt: r.CreatedAt, LastUsedAt: r.LastUsedAt, RevokedAt: r.RevokedAt,
			ExpiresAt: r.ExpiresAt, OwnerGone: r.OwnerGone,
			Reach: access.Reach{AllStores: r.EveryStore, Stores: r.Slugs, Groups: r.GroupNames},
		}
	}), nil
}

// usedEvery is how often a token's last use is written: often enough to find forgotten
// tokens, rarely enough to cost nothing.
const usedEvery = time.Minute

// Resolve returns who calls the JSON API with this bearer token, and finds the store
// with that slug within its grants; slug may be empty. fault.Denied.
func (s *Tokens) Resolve(ctx context.Context, bearer, slug string) (db.Visit, error) {
	secret, ok := strings.CutPrefix(bearer, Prefix)
	if !ok || !seal.IsSecret(secret) {
		return db.Visit{}, fault.Denied
	}
	now := s.now()
	v, err := s.db.VisitByToken(ctx, seal.HashSecret(bearer), slug, now)
	if errors.Is(err, db.ErrNotFound) {
		return db.Visit{}, fault.Denied
	}
	if err != nil {
		return db.Visit{}, err
	}
	if v.Token.LastUsedAt == nil || now.Sub(*v.Token.LastUsedAt) >= usedEvery {
		before := now.Add(-usedEvery) // the statement checks it again: of several simultaneous uses one writes
		if err := s.q.TouchToken(ctx, sqlc.TouchTokenParams{ID: v.Token.ID, Now: &now, Before: &before}); err != nil {
			return db.Visit{}, fmt.Errorf("note use of token %s: %w", v.Token.Name, err)
		}
	}
	return v, nil
}
