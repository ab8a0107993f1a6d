package db

import (
	"context"
	"encoding/hex"
	"time"

	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/report"
)

// Visit is everything the database knows about who is asking and what for, read
// in one round trip, so that a page costs few.
type Visit struct {
	// Session is the session's data; nil for a caller of the JSON API.
	Session []byte
	// SessionID names the session in lists; 0 for a caller of the JSON API.
	SessionID int64
	// SeenAt is when the session was last noted as used.
	SeenAt time.Time
	// Branding is the revision of the brand that replaces ours; 0 is our own.
	// Known with a session and with a share link.
	Branding int64
	// Person is who is signed in; its ID is 0 when nobody is, or no longer.
	Person VisitPerson
	// Token is the JSON API's caller; its ID is 0 on pages.
	Token VisitToken
	// Scope is what the grants allow at this moment.
	Scope Scope
	// Stores are the scope's first stores by name, at most SwitcherLimit, with
	// slug, name and currency only; empty for a caller of the JSON API.
	Stores []report.Store
	// Alerts counts the open alerts that the person didn't snooze: of the store in the address,
	// or of the whole scope. 0 for a caller of the JSON API. AlertsMark changes whenever
	// they are others.
	Alerts     int
	AlertsMark int64

	store     *ScopedStore
	principal principal
}

// VisitPerson is the signed-in person.
type VisitPerson struct {
	ID                int64
	Email, Name, Role string
	// Language is the code of the one they chose; empty is their browser's.
	Language string
}

// VisitToken is the token of a caller of the JSON API.
type VisitToken struct {
	ID         int64
	Name       string
	LastUsedAt *time.Time
}

// SwitcherLimit bounds the names that travel with every page: anyone who sees more
// stores finds the rest in the list.
const SwitcherLimit = 100

// Store is the store named in the address; ErrNotFound when the grants do not
// hold it, whether or not it exists, and when the address names none.
func (v Visit) Store() (ScopedStore, error) {
	if v.store == nil {
		return ScopedStore{}, ErrNotFound
	}
	return *v.store, nil
}

// VisitBySession finds the live session stored under token (the hash of what the
// browser sent) with its person, grants and the store of that slug; slug may be
// empty. ErrNotFound when there is no such session, or it has not been used since
// idleSince.
func (d *DB) VisitBySession(ctx context.Context, token, slug string, now, idleSince time.Time) (Visit, error) {
	who := principal{askSession, token, now}
	r, err := d.q.VisitBySession(who.in(ctx), sqlc.VisitBySessionParams{Token: token, Slug: slug, Now: now, IdleSince: &idleSince, NamesLimit: SwitcherLimit})
	if err != nil {
		return Visit{}, Absent(err, ErrNotFound, "read session")
	}
	v := Visit{
		Session: r.Data, SessionID: *r.SessionID, SeenAt: r.SeenAt, Branding: r.BrandingRevision,
		Person: VisitPerson{r.PersonID, r.Email, r.Name, r.Role, r.Language},
		Scope:  Scope{every: r.EveryStore, stores: r.StoreIds},
		Stores: make([]report.Store, len(r.Slugs)),
		Alerts: int(r.Alerts), AlertsMark: r.AlertsMark,
		principal: who,
	}
	for i := range r.Slugs {
		v.Stores[i] = report.Store{Slug: r.Slugs[i], Name: r.Names[i], Currency: r.Currencies[i]}
	}
	if r.StoreID == nil {
		return d.behindFirstWall(ctx, v, slug)
	}
	s, err := scoped(sqlc.Store{
		ID: *r.StoreID, Slug: *r.StoreSlug, Name: *r.StoreName, Timezone: *r.StoreTimezone, Currency: r.StoreCurrency,
		Domain: r.StoreDomain, HistoryDays: *r.StoreHistoryDays, Revision: *r.StoreRevision, PausedAt: r.StorePausedAt,
	}, r.FirstDay)
	if err != nil {
		return Visit{}, err
	}
	v.store = &s
	return d.behindFirstWall(ctx, v, slug)
}

// VisitAgain reads once more what the person of a session's visit holds, and the store of
// that slug. ErrNotFound when the session is over or its person disabled.
func (d *DB) VisitAgain(ctx context.Context, v Visit, slug string, now, idleSince time.Time) (Visit, error) {
	again, err := d.VisitBySession(ctx, v.principal.key, slug, now, idleSince)
	if err == nil && again.Person.ID == 0 {
		err = ErrNotFound
	}
	return again, err
}

// VisitByToken is VisitBySession for the JSON API: tokenHash is the SHA-256 of
// the bearer token. ErrNotFound when there is no such token, or no longer.
func (d *DB) VisitByToken(ctx context.Context, tokenHash []byte, slug string, now time.Time) (Visit, error) {
	who := principal{askToken, hex.EncodeToString(tokenHash), now}
	r, err := d.q.VisitByToken(who.in(ctx), sqlc.VisitByTokenParams{TokenHash: tokenHash, Slug: slug, Now: now})
	if err != nil {
		return Visit{}, Absent(err, ErrNotFound, "read api token")
	}
	v := Visit{
		Token:     VisitToken{r.TokenID, r.TokenName, r.LastUsedAt},
		Scope:     Scope{every: r.EveryStore, stores: r.StoreIds},
		principal: who,
	}
	if r.StoreID == nil {
		return d.behindFirstWall(ctx, v, slug)
	}
	s, err := scoped(sqlc.Store{
		ID: *r.StoreID, Slug: *r.StoreSlug, Name: *r.StoreName, Timezone: *r.StoreTimezone, Currency: r.StoreCurrency,
		Domain: r.StoreDomain, HistoryDays: *r.StoreHistoryDays, Revision: *r.StoreRevision, PausedAt: r.StorePausedAt,
	}, r.FirstDay)
	if err != nil {
		return Visit{}, err
	}
	v.store = &s
	return d.behindFirstWall(ctx, v, slug)
}
