package db

import (
	"context"
	"encoding/hex"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/report"
)

// Visit is everything the database knows about a request's user and store, read in one round trip to
// keep pages cheap.
type Visit struct {
	// Session is the session's data; nil for a caller of the JSON API.
	Session []byte
	// SessionID names the session in lists; 0 for a caller of the JSON API.
	SessionID int64
	// SeenAt is when the session was last recorded as used.
	SeenAt time.Time
	// Branding is the revision of the custom branding; 0 means our own. It's set for a session and for
	// a share link.
	Branding int64
	// Person is the signed-in person; its ID is 0 if nobody is signed in (anymore).
	Person VisitPerson
	// Token is the JSON API caller's; its ID is 0 on pages.
	Token VisitToken
	// Scope is what the grants allow right now.
	Scope Scope
	// Stores are the scope's first stores by name, at most SwitcherLimit, with only slug, name and
	// currency; empty for a caller of the JSON API.
	Stores []report.Store
	// Alerts counts the open alerts that the person hasn't snoozed: the store's if the URL names one,
	// otherwise the whole scope's. It's 0 for a caller of the JSON API. AlertsMark changes whenever the
	// set of alerts does.
	Alerts     int
	AlertsMark int64

	store     *ScopedStore
	principal principal
}

// VisitPerson is the signed-in person.
type VisitPerson struct {
	ID                int64
	Email, Name, Role string
	// Language is the code of the language they chose; empty means their browser's.
	Language string
}

// VisitToken is the token of a caller of the JSON API.
type VisitToken struct {
	ID         int64
	Name       string
	LastUsedAt *time.Time
}

// SwitcherLimit is the most store names sent with every page: people with more stores find the rest in
// the list.
const SwitcherLimit = 100

// Store is the store named in the URL. It's ErrNotFound if the URL names none or the grants don't
// include it, whether or not it exists.
func (v Visit) Store() (ScopedStore, error) {
	if v.store == nil {
		return ScopedStore{}, ErrNotFound
	}
	return *v.store, nil
}

// VisitBySession finds the live session stored under token (the hash of what the browser sent) with its
// person, grants and the store with that slug; slug may be empty. It returns ErrNotFound if there is no
// such session, or if it hasn't been used since idleSince.
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
	return d.visitTo(ctx, v, sqlc.Store{
		ID: OrZero(r.StoreID), Slug: OrZero(r.StoreSlug), Name: OrZero(r.StoreName), Timezone: OrZero(r.StoreTimezone), Currency: r.StoreCurrency,
		Domain: r.StoreDomain, HistoryDays: OrZero(r.StoreHistoryDays), Revision: OrZero(r.StoreRevision), PausedAt: r.StorePausedAt,
	}, r.FirstDay, slug)
}

// visitTo adds the store that the URL names, if the grants include it.
func (d *DB) visitTo(ctx context.Context, v Visit, store sqlc.Store, first civil.Date, slug string) (Visit, error) {
	if store.ID != 0 {
		s, err := scoped(store, first)
		if err != nil {
			return Visit{}, err
		}
		v.store = &s
	}
	return d.behindFirstWall(ctx, v, slug)
}

// VisitAgain re-reads what the person of a session's visit may see, and the store with that slug. It
// returns ErrNotFound if the session has ended or the person is disabled.
func (d *DB) VisitAgain(ctx context.Context, v Visit, slug string, now, idleSince time.Time) (Visit, error) {
	again, err := d.VisitBySession(ctx, v.principal.key, slug, now, idleSince)
	if err == nil && again.Person.ID == 0 {
		err = ErrNotFound
	}
	return again, err
}

// VisitByToken is VisitBySession for the JSON API: tokenHash is the SHA-256 of the bearer token. It
// returns ErrNotFound if the token doesn't exist (anymore).
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
	return d.visitTo(ctx, v, sqlc.Store{
		ID: OrZero(r.StoreID), Slug: OrZero(r.StoreSlug), Name: OrZero(r.StoreName), Timezone: OrZero(r.StoreTimezone), Currency: r.StoreCurrency,
		Domain: r.StoreDomain, HistoryDays: OrZero(r.StoreHistoryDays), Revision: OrZero(r.StoreRevision), PausedAt: r.StorePausedAt,
	}, r.FirstDay, slug)
}
