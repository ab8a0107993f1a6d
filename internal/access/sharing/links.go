// Package sharing makes, opens and ends share links: secrets that show some pages of one
// store to anyone who has them. It never decides what those pages show.
package sharing

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/access/limit"
	"github.com/storeglass/storeglass/internal/access/password"
	"github.com/storeglass/storeglass/internal/access/seal"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/fault"
)

// Links are the share links in a database.
type Links struct {
	db        *db.DB
	q         *sqlc.Queries
	now       func() time.Time
	passwords *password.Hasher
	limits    *limit.Limits
	log       *audit.Log
}

// New uses the database d and the clock now.
func New(d *db.DB, now func() time.Time, passwords *password.Hasher) *Links {
	return &Links{d, d.Queries(), now, passwords, limit.New(d, now), audit.New(d, now)}
}

// How long a share link works by default, and at most.
const (
	Days    = 30
	MaxDays = 365
)

// MaxMessage is the longest message to a link's readers, in characters.
const MaxMessage = 1000

// Page is a page that a link may show.
type Page string

// The pages; Offers includes the pages of single offers, Gifts those of campaigns.
const (
	Overview   Page = "overview"
	Placements Page = "placements"
	Offers     Page = "offers"
	Gifts      Page = "gift"
)

// Pages lists all of them, in the order of the tabs.
var Pages = []Page{Overview, Placements, Offers, Gifts}

// Window is the days that a link shows: a preset of the window picker, which
// moves with the calendar, or two fixed dates.
type Window struct {
	// Preset is empty for a fixed window.
	Preset string
	// Start and End are both included; zero for a moving window.
	Start, End civil.Date
}

// Fixed reports whether the window has fixed dates.
func (w Window) Fixed() bool { return w.Preset == "" }

// Link is a working link, as its reader holds it.
type Link struct {
	ID    int64
	Label string
	// Pages are in the order of Pages; there is at least one.
	Pages  []Page
	Window Window
	// Compares: readers also see the period before.
	Compares bool
	// Message is a note from MadeBy, a person's name, to readers; it may be empty.
	Message, MadeBy string
	// Plans: readers see what starts and ends in the month after the window.
	Plans     bool
	ExpiresAt time.Time
	// hash is the password's; empty if the link needs none.
	hash    string
	store   string
	lastHit *time.Time
}

// Shows reports whether the link includes the page.
func (s Link) Shows(p Page) bool { return slices.Contains(s.Pages, p) }

// HasPassword reports whether readers are asked for one.
func (s Link) HasPassword() bool { return s.hash != "" }

// Actor is the holder of the link as an actor.
func (s Link) Actor() audit.Actor {
	return audit.Actor{Kind: audit.ActorShare, ID: s.ID, Name: s.Label}
}

// State says whether a link works, and why not.
type State string

// The states of a link. Stopped means that the person who made it is disabled.
const (
	Live    State = "live"
	Expired State = "expired"
	Ended   State = "revoked"
	Stopped State = "stopped"
)

// Listed is a link as those who manage it see it, without its secret.
type Listed struct {
	ID    int64
	Store string // the slug
	Label string
	Pages []Page
	Window
	Compares, Plans, HasPassword bool
	// MadeBy is a person's name; empty once they are deleted.
	MadeBy               string
	CreatedAt, ExpiresAt time.Time
	RevokedAt            *time.Time
	Hits                 int64
	// LastHit is to the minute; nil before the first.
	LastHit *time.Time
	State   State
}

// Draft describes a link to be made.
type Draft struct {
	// By is the id of the person who makes it.
	By     int64
	Label  string
	Pages  []Page
	Window Window
	// Compares lets readers also see the period before.
	Compares bool
	// Message is a note to readers; empty for none. Plans lets them see what starts and ends in
	// the month after the window.
	Message string
	Plans   bool
	// Password is empty if the link needs none.
	Password string
	// Until is when the link stops working.
	Until time.Time
}

func (n *Draft) check(now time.Time) error {
	label, err := access.CleanName(n.Label)
	if err != nil {
		return fault.New(fault.Invalid, "label", "share.problem.name", "n", access.MaxName)
	}
	n.Label = label
	if n.Message = strings.TrimSpace(strings.ReplaceAll(n.Message, "\r\n", "\n")); utf8.RuneCountInString(n.Message) > MaxMessage {
		return fault.New(fault.Invalid, "message", "share.problem.message", "n", MaxMessage)
	}
	pages := make([]Page, 0, len(Pages))
	for _, p := range Pages {
		if slices.Contains(n.Pages, p) {
			pages = append(pages, p)
		}
	}
	if n.Pages = pages; len(pages) == 0 {
		return fault.New(fault.Invalid, "pages", "share.problem.pages")
	}
	if w := n.Window; w.Fixed() && (!w.Start.IsValid() || !w.End.IsValid() || w.End.Before(w.Start)) {
		return fault.New(fault.Invalid, "window", "share.problem.days")
	}
	switch latest := now.AddDate(0, 0, MaxDays+1); {
	case !n.Until.After(now):
		return fault.New(fault.Invalid, "until", "share.problem.over")
	case n.Until.After(latest):
		return fault.New(fault.Invalid, "until", "share.problem.year")
	}
	if n.Password == "" {
		return nil
	}
	return password.Check(n.Password, "", "")
}

// Create makes a link to pages of the store and returns its secret, which
// isn't stored and can't be shown again. fault.Invalid.
func (l *Links) Create(ctx context.Context, store db.ScopedStore, n Draft) (secret string, err error) {
	if err := n.check(l.now()); err != nil {
		return "", err
	}
	secret = seal.NewSecret()
	p := sqlc.InsertShareParams{
		TokenHash: seal.HashSecret(secret), Label: n.Label, Compares: n.Compares, Message: n.Message, Plans: n.Plans, CreatedBy: n.By, CreatedAt: l.now(), ExpiresAt: n.Until,
	}
	for _, page := range n.Pages {
		p.Pages = append(p.Pages, string(page))
	}
	if n.Window.Fixed() {
		p.WindowStart, p.WindowEnd = &n.Window.Start, &n.Window.End
	} else {
		p.Preset = &n.Window.Preset
	}
	if n.Password != "" {
		hash, err := l.passwords.Hash(ctx, n.Password)
		if err != nil {
			return "", fmt.Errorf("hash the password of a share link: %w", err)
		}
		p.PasswordHash = &hash
	}
	err = l.db.AddShare(ctx, store, p, l.log.Recording(audit.Event{Action: audit.ShareMade, Store: store.Slug, Subject: n.Label}))
	if err != nil {
		return "", fmt.Errorf("make a share link of %s: %w", store.Slug, err)
	}
	return secret, nil
}

// List lists the store's links, working ones first.
func (l *Links) List(ctx context.Context, store db.ScopedStore) ([]Listed, error) {
	now := l.now()
	rows, err := l.db.Shares(ctx, store, now)
	if err != nil {
		return nil, err
	}
	return listedShares(rows, now), nil
}

// All lists the links of every store, or of the one with that slug, for the
// command line. fault.NotFound.
func (l *Links) All(ctx context.Context, slug string) ([]Listed, error) {
	if slug != "" {
		if _, err := access.StoreBySlug(ctx, l.q, slug); err != nil {
			return nil, err
		}
	}
	rows, err := l.q.ListShares(ctx, sqlc.ListSharesParams{EveryStore: true, Slug: slug, Now: l.now()})
	return listedShares(rows, l.now()), db.Tried(err, "list share links")
}

func listedShares(rows []sqlc.ListSharesRow, now time.Time) []Listed {
	return db.Each(rows, func(r sqlc.ListSharesRow) Listed { return listedShare(r, now) })
}

func listedShare(r sqlc.ListSharesRow, now time.Time) Listed {
	s := Listed{
		ID: r.ID, Store: r.Slug, Label: r.Label, Pages: pagesOf(r.Pages), Window: windowOf(r.Preset, r.WindowStart, r.WindowEnd),
		Compares: r.Compares, Plans: r.Plans, HasPassword: r.HasPassword, MadeBy: r.MadeBy, CreatedAt: r.CreatedAt, ExpiresAt: r.ExpiresAt, RevokedAt: r.RevokedAt,
		Hits: r.Hits, LastHit: r.LastHitAt, State: Live,
	}
	switch {
	case r.RevokedAt != nil:
		s.State = Ended
	case !r.ExpiresAt.After(now):
		s.State = Expired
	case r.MakerGone:
		s.State = Stopped
	}
	return s
}

func pagesOf(in []string) []Page {
	return db.Each(in, func(p string) Page { return Page(p) })
}

func windowOf(preset string, start, end *civil.Date) Window {
	w := Window{Preset: preset}
	if start != nil && end != nil {
		w.Start, w.End = *start, *end
	}
	return w
}

// Revoke ends a link of the store at once. fault.NotFound when the store has no
// such link, or no longer has it.
func (l *Links) Revoke(ctx context.Context, store db.ScopedStore, id int64) error {
	err := l.db.RevokeShare(ctx, store, id, l.now(), func(ctx context.Context, q *sqlc.Queries, label string) error {
		return l.log.RecordIn(ctx, q, audit.Event{Action: audit.ShareRevoked, Store: store.Slug, Subject: label})
	})
	if errors.Is(err, db.ErrNotFound) {
		return fmt.Errorf("share link %d: %w", id, fault.Missing("share"))
	}
	return err
}

// RevokeByID ends a link of any store, for the command line. fault.NotFound.
func (l *Links) RevokeByID(ctx context.Context, id int64) (label, slug string, err error) {
	now := l.now()
	err = l.db.InTx(ctx, func(q *sqlc.Queries) error {
		r, err := q.RevokeShare(ctx, sqlc.RevokeShareParams{ID: id, EveryStore: true, Now: &now})
		if err != nil {
			return db.Absent(err, fmt.Errorf("share link %d: %w", id, fault.Missing("share")), "revoke share link %d", id)
		}
		label, slug = r.Label, r.Slug
		return l.log.RecordIn(ctx, q, audit.Event{Action: audit.ShareRevoked, Store: slug, Subject: label})
	})
	return label, slug, err
}

// limitPassword is for the password of one share link.
var limitPassword = limit.Limit{Name: "share", Burst: 20, Every: 30 * time.Second}

// TakePassword counts one try of a share link's password from the address, before the
// password is hashed. fault.TooMany.
func (l *Links) TakePassword(ctx context.Context, shareID int64, from netip.Addr) error {
	return l.limits.Take(ctx, append(limit.Address.From(from), limitPassword.Of(strconv.FormatInt(shareID, 10)), limit.Overall.Of("shares"))...)
}

// Resolve finds the link with this secret, and a visit that sees only its store.
// fault.NotFound when the link doesn't work, whatever the reason.
func (l *Links) Resolve(ctx context.Context, secret string) (Link, db.Visit, error) {
	if !seal.IsSecret(secret) {
		return Link{}, db.Visit{}, fault.NotFound
	}
	v, r, err := l.db.VisitByShare(ctx, seal.HashSecret(secret), l.now())
	if errors.Is(err, db.ErrNotFound) {
		return Link{}, db.Visit{}, fault.NotFound
	}
	if err != nil {
		return Link{}, db.Visit{}, err
	}
	return Link{
		ID: r.ShareID, Label: r.Label, Pages: pagesOf(r.Pages), Window: windowOf(r.Preset, r.WindowStart, r.WindowEnd),
		Compares: r.Compares, Message: r.Message, MadeBy: r.MadeBy, Plans: r.Plans, ExpiresAt: r.ExpiresAt, hash: r.PasswordHash, store: r.Store.Slug, lastHit: r.LastHitAt,
	}, v, nil
}

// Unlock returns the link's key if the password is right. It counts the attempt
// before it checks. fault.Denied, fault.TooMany.
func (l *Links) Unlock(ctx context.Context, s Link, password string, from netip.Addr) (key string, err error) {
	if err := l.TakePassword(ctx, s.ID, from); err != nil {
		return "", err
	}
	match, _, err := l.passwords.Match(ctx, s.hash, password)
	if err != nil {
		return "", fmt.Errorf("compare the password of share link %d: %w", s.ID, err)
	}
	if !match {
		if err := l.log.Record(ctx, audit.Event{Action: audit.ShareRefused, ShareID: s.ID}); err != nil {
			return "", err
		}
		return "", fault.Denied
	}
	return s.key(l.now().Add(KeyLife)), nil
}

// NoteHit counts a page shown to a reader and notes when, to the minute. The first
// of a day, in UTC, is recorded in the audit log.
func (l *Links) NoteHit(ctx context.Context, s Link) error {
	at := l.now().UTC().Truncate(time.Minute)
	hit := sqlc.HitShareParams{ID: s.ID, At: &at}
	if !firstOfDay(s.lastHit, at) {
		return l.db.Write(ctx, func(b *db.Batch) { db.Queue(b, (*sqlc.Queries).HitShare, hit) })
	}
	return l.db.InTx(ctx, func(q *sqlc.Queries) error {
		last, err := q.LastHitOfShare(ctx, s.ID) // locks the row, so that only one of several simultaneous hits counts as the first
		if err != nil {
			return fmt.Errorf("look when share link %d was opened: %w", s.ID, err)
		}
		if firstOfDay(last, at) {
			if err := l.log.RecordIn(ctx, q, audit.Event{Action: audit.ShareOpened, Store: s.store, Subject: s.Label}); err != nil {
				return err
			}
		}
		return q.HitShare(ctx, hit)
	})
}

func firstOfDay(last *time.Time, at time.Time) bool {
	return last == nil || civil.DateOf(last.UTC()) != civil.DateOf(at)
}
