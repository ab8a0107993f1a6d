package access

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

	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/access/limit"
	"github.com/storeglass/storeglass/internal/access/password"
	"github.com/storeglass/storeglass/internal/access/seal"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/fault"
)

// How long a share link works by default, and at most.
const (
	ShareDays    = 30
	MaxShareDays = 365
)

// MaxShareMessage is the longest message to a link's readers, in characters.
const MaxShareMessage = 1000

// SharePage is a page that a link may show.
type SharePage string

// The pages; Offers includes the pages of single offers, Gifts those of campaigns.
const (
	ShareOverview   SharePage = "overview"
	SharePlacements SharePage = "placements"
	ShareOffers     SharePage = "offers"
	ShareGifts      SharePage = "gift"
)

// SharePages lists all of them, in the order of the tabs.
var SharePages = []SharePage{ShareOverview, SharePlacements, ShareOffers, ShareGifts}

// ShareWindow is the days that a link shows: a preset of the window picker, which
// moves with the calendar, or two fixed dates.
type ShareWindow struct {
	// Preset is empty for a fixed window.
	Preset string
	// Start and End are both included; zero for a moving window.
	Start, End civil.Date
}

// Fixed reports whether the window has fixed dates.
func (w ShareWindow) Fixed() bool { return w.Preset == "" }

// ShareLink is a working link, as its reader holds it.
type ShareLink struct {
	ID    int64
	Label string
	// Pages are in the order of SharePages; there is at least one.
	Pages  []SharePage
	Window ShareWindow
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
func (s ShareLink) Shows(p SharePage) bool { return slices.Contains(s.Pages, p) }

// HasPassword reports whether readers are asked for one.
func (s ShareLink) HasPassword() bool { return s.hash != "" }

// Actor is the holder of the link as an actor.
func (s ShareLink) Actor() audit.Actor {
	return audit.Actor{Kind: audit.ActorShare, ID: s.ID, Name: s.Label}
}

// ShareState says whether a link works, and why not.
type ShareState string

// The states of a link. Stopped means that the person who made it is disabled.
const (
	ShareLive    ShareState = "live"
	ShareExpired ShareState = "expired"
	ShareEnded   ShareState = "revoked"
	ShareStopped ShareState = "stopped"
)

// ListedShare is a link as those who manage it see it, without its secret.
type ListedShare struct {
	ID    int64
	Store string // the slug
	Label string
	Pages []SharePage
	ShareWindow
	Compares, HasPassword bool
	// MadeBy is a person's name; empty once they are deleted.
	MadeBy               string
	CreatedAt, ExpiresAt time.Time
	RevokedAt            *time.Time
	Hits                 int64
	// LastHit is to the minute; nil before the first.
	LastHit *time.Time
	State   ShareState
}

// NewShare describes a link to be made.
type NewShare struct {
	// By is the id of the person who makes it.
	By     int64
	Label  string
	Pages  []SharePage
	Window ShareWindow
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

func (n *NewShare) check(now time.Time) error {
	label, err := CleanName(n.Label)
	if err != nil {
		return fault.New(fault.Invalid, "label", "share.problem.name", "n", MaxName)
	}
	n.Label = label
	if n.Message = strings.TrimSpace(strings.ReplaceAll(n.Message, "\r\n", "\n")); utf8.RuneCountInString(n.Message) > MaxShareMessage {
		return fault.New(fault.Invalid, "message", "share.problem.message", "n", MaxShareMessage)
	}
	pages := make([]SharePage, 0, len(SharePages))
	for _, p := range SharePages {
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
	switch latest := now.AddDate(0, 0, MaxShareDays+1); {
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

// CreateShare makes a link to pages of the store and returns its secret, which
// isn't stored and can't be shown again. fault.Invalid.
func (a *Access) CreateShare(ctx context.Context, store db.ScopedStore, n NewShare) (secret string, err error) {
	if err := n.check(a.now()); err != nil {
		return "", err
	}
	secret = seal.NewSecret()
	p := sqlc.InsertShareParams{
		TokenHash: seal.HashSecret(secret), Label: n.Label, Compares: n.Compares, Message: n.Message, Plans: n.Plans, CreatedBy: n.By, CreatedAt: a.now(), ExpiresAt: n.Until,
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
		hash, err := a.Passwords.Hash(ctx, n.Password)
		if err != nil {
			return "", fmt.Errorf("hash the password of a share link: %w", err)
		}
		p.PasswordHash = &hash
	}
	err = a.db.AddShare(ctx, store, p, a.log.Recording(audit.Event{Action: audit.ShareMade, Store: store.Slug, Subject: n.Label}))
	if err != nil {
		return "", fmt.Errorf("make a share link of %s: %w", store.Slug, err)
	}
	return secret, nil
}

// Shares lists the store's links, working ones first.
func (a *Access) Shares(ctx context.Context, store db.ScopedStore) ([]ListedShare, error) {
	now := a.now()
	rows, err := a.db.Shares(ctx, store, now)
	if err != nil {
		return nil, err
	}
	return listedShares(rows, now), nil
}

// AllShares lists the links of every store, or of the one with that slug, for the
// command line. fault.NotFound.
func (a *Access) AllShares(ctx context.Context, slug string) ([]ListedShare, error) {
	if slug != "" {
		if err := storeMustExist(ctx, a.q, slug); err != nil {
			return nil, err
		}
	}
	rows, err := a.q.ListShares(ctx, sqlc.ListSharesParams{EveryStore: true, Slug: slug, Now: a.now()})
	if err != nil {
		return nil, fmt.Errorf("list share links: %w", err)
	}
	return listedShares(rows, a.now()), nil
}

func listedShares(rows []sqlc.ListSharesRow, now time.Time) []ListedShare {
	out := make([]ListedShare, len(rows))
	for i, r := range rows {
		out[i] = listedShare(r, now)
	}
	return out
}

func listedShare(r sqlc.ListSharesRow, now time.Time) ListedShare {
	s := ListedShare{
		ID: r.ID, Store: r.Slug, Label: r.Label, Pages: sharePages(r.Pages), ShareWindow: shareWindow(r.Preset, r.WindowStart, r.WindowEnd),
		Compares: r.Compares, HasPassword: r.HasPassword, MadeBy: r.MadeBy, CreatedAt: r.CreatedAt, ExpiresAt: r.ExpiresAt, RevokedAt: r.RevokedAt,
		Hits: r.Hits, LastHit: r.LastHitAt, State: ShareLive,
	}
	switch {
	case r.RevokedAt != nil:
		s.State = ShareEnded
	case !r.ExpiresAt.After(now):
		s.State = ShareExpired
	case r.MakerGone:
		s.State = ShareStopped
	}
	return s
}

func sharePages(in []string) []SharePage {
	out := make([]SharePage, len(in))
	for i, p := range in {
		out[i] = SharePage(p)
	}
	return out
}

func shareWindow(preset string, start, end *civil.Date) ShareWindow {
	w := ShareWindow{Preset: preset}
	if start != nil && end != nil {
		w.Start, w.End = *start, *end
	}
	return w
}

// RevokeShare ends a link of the store at once. fault.NotFound when the store has no
// such link, or no longer has it.
func (a *Access) RevokeShare(ctx context.Context, store db.ScopedStore, id int64) error {
	err := a.db.RevokeShare(ctx, store, id, a.now(), func(ctx context.Context, q *sqlc.Queries, label string) error {
		return a.log.RecordIn(ctx, q, audit.Event{Action: audit.ShareRevoked, Store: store.Slug, Subject: label})
	})
	if errors.Is(err, db.ErrNotFound) {
		return fmt.Errorf("share link %d: %w", id, fault.Missing("share"))
	}
	return err
}

// RevokeShareByID ends a link of any store, for the command line. fault.NotFound.
func (a *Access) RevokeShareByID(ctx context.Context, id int64) (label, slug string, err error) {
	now := a.now()
	err = a.db.InTx(ctx, func(q *sqlc.Queries) error {
		r, err := q.RevokeShareAnywhere(ctx, sqlc.RevokeShareAnywhereParams{ID: id, Now: &now})
		if err != nil {
			return db.Absent(err, fmt.Errorf("share link %d: %w", id, fault.Missing("share")), "revoke share link %d", id)
		}
		label, slug = r.Label, r.Slug
		return a.log.RecordIn(ctx, q, audit.Event{Action: audit.ShareRevoked, Store: slug, Subject: label})
	})
	return label, slug, err
}

// limitShare is for the password of one share link.
var limitShare = limit.Limit{Name: "share", Burst: 20, Every: 30 * time.Second}

// TakeShare counts one try of a share link's password from the address, before the
// password is hashed. fault.TooMany.
func (a *Access) TakeShare(ctx context.Context, shareID int64, from netip.Addr) error {
	return a.limits.Take(ctx, append(limit.Address.From(from), limitShare.Of(strconv.FormatInt(shareID, 10)), limit.Overall.Of("shares"))...)
}

// ResolveShare finds the link with this secret, and a visit that sees only its store.
// fault.NotFound when the link doesn't work, whatever the reason.
func (a *Access) ResolveShare(ctx context.Context, secret string) (ShareLink, db.Visit, error) {
	if !seal.IsSecret(secret) {
		return ShareLink{}, db.Visit{}, fault.NotFound
	}
	v, r, err := a.db.VisitByShare(ctx, seal.HashSecret(secret), a.now())
	if errors.Is(err, db.ErrNotFound) {
		return ShareLink{}, db.Visit{}, fault.NotFound
	}
	if err != nil {
		return ShareLink{}, db.Visit{}, err
	}
	return ShareLink{
		ID: r.ShareID, Label: r.Label, Pages: sharePages(r.Pages), Window: shareWindow(r.Preset, r.WindowStart, r.WindowEnd),
		Compares: r.Compares, Message: r.Message, MadeBy: r.MadeBy, Plans: r.Plans, ExpiresAt: r.ExpiresAt, hash: r.PasswordHash, store: r.StoreSlug, lastHit: r.LastHitAt,
	}, v, nil
}

// UnlockShare returns the link's key if the password is right. It counts the attempt
// before it checks. fault.Denied, fault.TooMany.
func (a *Access) UnlockShare(ctx context.Context, s ShareLink, password string, from netip.Addr) (key string, err error) {
	if err := a.TakeShare(ctx, s.ID, from); err != nil {
		return "", err
	}
	match, _, err := a.Passwords.Match(ctx, s.hash, password)
	if err != nil {
		return "", fmt.Errorf("compare the password of share link %d: %w", s.ID, err)
	}
	if !match {
		if err := a.log.Record(ctx, audit.Event{Action: audit.ShareRefused, ShareID: s.ID}); err != nil {
			return "", err
		}
		return "", fault.Denied
	}
	return s.key(a.now().Add(ShareKeyLife)), nil
}

// NoteShareHit counts a page shown to a reader and notes when, to the minute. The first
// of a day, in UTC, is recorded in the audit log.
func (a *Access) NoteShareHit(ctx context.Context, s ShareLink) error {
	at := a.now().UTC().Truncate(time.Minute)
	hit := sqlc.HitShareParams{ID: s.ID, At: &at}
	if !firstOfDay(s.lastHit, at) {
		return a.db.Write(ctx, func(b *db.Batch) { db.Queue(b, (*sqlc.Queries).HitShare, hit) })
	}
	return a.db.InTx(ctx, func(q *sqlc.Queries) error {
		last, err := q.LastHitOfShare(ctx, s.ID) // locks the row, so that only one of several simultaneous hits counts as the first
		if err != nil {
			return fmt.Errorf("look when share link %d was opened: %w", s.ID, err)
		}
		if firstOfDay(last, at) {
			if err := a.log.RecordIn(ctx, q, audit.Event{Action: audit.ShareOpened, Store: s.store, Subject: s.Label}); err != nil {
				return err
			}
		}
		return q.HitShare(ctx, hit)
	})
}

func firstOfDay(last *time.Time, at time.Time) bool {
	return last == nil || civil.DateOf(last.UTC()) != civil.DateOf(at)
}
