package access

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/locale"
)

// Holding is one thing that still gives a person access to data or actions, including
// things they left behind.
type Holding struct {
	Kind HoldingKind
	// What names the holding: a mail address, a browser, a token's name; may be empty. Note
	// adds to it. Their meaning depends on the kind, see [Holding.Words].
	What, Note string
	// Every means that it reaches all stores. Otherwise Stores names the stores it reaches,
	// if it has any of its own.
	Every  bool
	Stores []string
	// Slug is that of the single store it is about; otherwise empty.
	Slug string
	// Since is zero where it is unknown, Until where there is no end.
	Since, Until time.Time
	// Ref is the id of the group, the invited person or the subscription; otherwise 0.
	Ref int64
	// Works reports whether it can be used now. If not, it is off or kept for a disabled person.
	Works bool
}

// HoldingKind is a kind of [Holding].
type HoldingKind string

// The kinds, with the names that the query ReachOfPerson uses.
const (
	HoldsRole         HoldingKind = "role"
	HoldsEvery        HoldingKind = "every"
	HoldsGroup        HoldingKind = "group"
	HoldsGrant        HoldingKind = "grant"
	HoldsSession      HoldingKind = "session"
	HoldsLink         HoldingKind = "link"
	HoldsPassword     HoldingKind = "password"
	HoldsApp          HoldingKind = "app"
	HoldsRecovery     HoldingKind = "recovery"
	HoldsPasskey      HoldingKind = "passkey"
	HoldsIdentity     HoldingKind = "identity"
	HoldsToken        HoldingKind = "token"
	HoldsShare        HoldingKind = "share"
	HoldsChannel      HoldingKind = "channel"
	HoldsAlerts       HoldingKind = "alerts"
	HoldsSubscription HoldingKind = "mail"
	HoldsReader       HoldingKind = "reader"
	HoldsMails        HoldingKind = "opened"
	HoldsSent         HoldingKind = "sent"
	HoldsRemoved      HoldingKind = "restore"
	HoldsPending      HoldingKind = "pending"
)

// holdingKind describes a kind. This table is the only place that says how each kind
// ends, so that disabling and offboarding can't drift apart.
type holdingKind struct {
	kind HoldingKind
	// disabling means that it ends when its person is disabled. Other kinds only pause, and
	// work again once the person is enabled.
	disabling bool
	// end is nil where ending another kind, or the disabling itself, ends this one too.
	end func(ctx context.Context, q *sqlc.Queries, personID int64, now time.Time) error
}

func ending(f func(*sqlc.Queries, context.Context, int64) error) func(context.Context, *sqlc.Queries, int64, time.Time) error {
	return func(ctx context.Context, q *sqlc.Queries, id int64, _ time.Time) error { return f(q, ctx, id) }
}

func counted(f func(*sqlc.Queries, context.Context, int64) (int64, error)) func(context.Context, *sqlc.Queries, int64, time.Time) error {
	return func(ctx context.Context, q *sqlc.Queries, id int64, _ time.Time) error {
		_, err := f(q, ctx, id)
		return err
	}
}

// holdingKinds holds all of them, in the order of lists.
var holdingKinds = []holdingKind{
	{kind: HoldsRole, end: func(ctx context.Context, q *sqlc.Queries, id int64, _ time.Time) error {
		return q.SetRole(ctx, sqlc.SetRoleParams{ID: id, Role: string(Viewer)})
	}},
	{kind: HoldsEvery, end: ending((*sqlc.Queries).TakeGrants)},
	{kind: HoldsGroup},
	{kind: HoldsGrant},
	{kind: HoldsSession, disabling: true, end: ending((*sqlc.Queries).DeleteSessionsOfPerson)},
	{kind: HoldsLink, disabling: true, end: ending((*sqlc.Queries).DeleteSignInLinksOfPerson)},
	{kind: HoldsPassword, end: ending((*sqlc.Queries).DeletePassword)},
	{kind: HoldsApp, end: counted((*sqlc.Queries).DeleteTOTP)},
	{kind: HoldsRecovery, end: ending((*sqlc.Queries).DeleteRecoveryCodes)},
	{kind: HoldsPasskey, end: counted((*sqlc.Queries).DeletePasskeysOfPerson)},
	{kind: HoldsIdentity, end: ending((*sqlc.Queries).DeleteIdentitiesOfPerson)},
	{kind: HoldsToken, end: func(ctx context.Context, q *sqlc.Queries, id int64, now time.Time) error {
		return q.RevokeTokensOfPerson(ctx, sqlc.RevokeTokensOfPersonParams{PersonID: id, Now: now})
	}},
	{kind: HoldsShare, end: func(ctx context.Context, q *sqlc.Queries, id int64, now time.Time) error {
		return q.RevokeSharesOfPerson(ctx, sqlc.RevokeSharesOfPersonParams{PersonID: id, Now: now})
	}},
	{kind: HoldsChannel, end: ending((*sqlc.Queries).DeleteChannelsOfPerson)},
	{kind: HoldsAlerts},
	{kind: HoldsSubscription, end: func(ctx context.Context, q *sqlc.Queries, id int64, now time.Time) error {
		return q.EndSubscriptionsOfPerson(ctx, sqlc.EndSubscriptionsOfPersonParams{PersonID: id, Now: now})
	}},
	{kind: HoldsReader},
	{kind: HoldsMails},
	{kind: HoldsSent, end: ending((*sqlc.Queries).DeleteLinksMadeBy)},
	{kind: HoldsRemoved, end: ending((*sqlc.Queries).ForgetRemover)},
	{kind: HoldsPending, end: ending((*sqlc.Queries).DeletePendingOfPerson)},
}

// Words gives the holding's kind and what distinguishes it, in the language l.
func (h Holding) Words(l locale.Locale) (kind, text string) {
	switch h.Kind {
	case HoldsLink:
		if h.Note != "" {
			text = l.T("reach.made_by", "name", h.Note)
		}
		return l.T("reach.link." + h.What), text
	case HoldsSent:
		return l.T("reach.link_for_other." + h.Note), h.What
	case HoldsRecovery:
		n, _ := strconv.Atoi(h.What)
		text = l.T("reach.unused", "n", n)
	case HoldsMails:
		n, _ := strconv.Atoi(h.Note)
		return l.T("reach.sent_mails", "n", n), l.T("reach.sent_to", "n", n, "address", h.What)
	case HoldsRole, HoldsGrant, HoldsRemoved: // the store is their name
	default:
		text = strings.Join(slices.DeleteFunc([]string{h.What, h.Note}, func(s string) bool { return s == "" }), ", ")
	}
	return l.T("reach.kind." + string(h.Kind)), text
}

// Reaches says which stores the holding covers; empty where it has no stores of its
// own.
func (h Holding) Reaches(l locale.Locale) string {
	const shown = 3
	switch n := len(h.Stores); {
	case h.Every:
		return l.T("reach.every_store")
	case n > shown+1:
		return l.T("people.and_more", "named", strings.Join(h.Stores[:shown], ", "), "n", n-shown)
	case n > 0:
		return strings.Join(h.Stores, ", ")
	}
	switch h.Kind {
	case HoldsGroup, HoldsToken:
		return l.T("reach.no_store")
	case HoldsSession, HoldsAlerts, HoldsChannel, HoldsSubscription, HoldsMails:
		return l.T("reach.held_stores")
	}
	return ""
}

// Holdings lists everything that still gives the person access to data or actions. Call it
// on the worker's database, which sees all stores. fault.NotFound.
func (a *Access) Holdings(ctx context.Context, personID int64) (Person, []Holding, error) {
	p, err := a.PersonByID(ctx, personID)
	if err != nil {
		return Person{}, nil, err
	}
	held, err := a.holdings(ctx, a.q, personID)
	return p, held, err
}

func (a *Access) holdings(ctx context.Context, q *sqlc.Queries, personID int64) ([]Holding, error) {
	rows, err := q.ReachOfPerson(ctx, sqlc.ReachOfPersonParams{
		PersonID: personID, Now: a.now(), Idle: db.SessionIdle, MailsKept: db.MailsKept, RemovedFor: db.RemovedFor,
	})
	if err != nil {
		return nil, fmt.Errorf("list what person %d reaches: %w", personID, err)
	}
	out := make([]Holding, len(rows))
	for i, r := range rows {
		out[i] = Holding{
			Kind: HoldingKind(r.Kind), What: r.What, Note: r.Note, Every: r.Every, Stores: r.Stores, Slug: r.Slug,
			Since: db.Known(r.Since), Until: db.Known(r.Until), Ref: r.Ref, Works: r.Works,
		}
	}
	slices.SortStableFunc(out, func(a, b Holding) int {
		if n := order(a.Kind) - order(b.Kind); n != 0 {
			return n
		}
		return b.Since.Compare(a.Since)
	})
	return out, nil
}

func order(kind HoldingKind) int {
	return slices.IndexFunc(holdingKinds, func(k holdingKind) bool { return k.kind == kind })
}

// CountHoldings counts the holdings of each kind: "2 sessions", "1 API token".
func CountHoldings(l locale.Locale, held []Holding) []string {
	return db.Each(countedHoldings(held), func(m locale.Message) string { return m.In(l) })
}

func countedHoldings(held []Holding) (out locale.Sentences) {
	for _, k := range holdingKinds {
		n := 0
		for _, h := range held {
			if h.Kind == k.kind {
				n++
			}
		}
		if n > 0 {
			out = append(out, locale.M("reach.count."+string(k.kind), "n", n))
		}
	}
	return out
}

// DisablePerson ends the person's sessions and links at once and prevents further
// sign-ins. Everything else is kept until they are enabled again, and gives no
// access until then. fault.NotFound, fault.Conflict.
func (a *Access) DisablePerson(ctx context.Context, personID int64) error {
	return a.losing(ctx, personID, func(q *sqlc.Queries, p Person) error {
		if err := a.end(ctx, q, p, false); err != nil || p.Disabled {
			return err
		}
		return a.log.RecordIn(ctx, q, audit.Event{Action: audit.PersonDisabled, Subject: p.Email})
	})
}

// Offboard disables the person, ends everything that [Access.Holdings] lists, all or
// nothing, and returns what it ended. If they are enabled again, they start with nothing.
// Call it on the worker's database, which sees all stores. fault.NotFound, fault.Conflict.
func (a *Access) Offboard(ctx context.Context, personID int64) (ended []Holding, err error) {
	err = a.losing(ctx, personID, func(q *sqlc.Queries, p Person) error {
		if ended, err = a.holdings(ctx, q, personID); err != nil {
			return err
		}
		if err := a.end(ctx, q, p, true); err != nil {
			return err
		}
		left, err := a.holdings(ctx, q, personID)
		if err != nil {
			return err
		}
		if len(left) > 0 { // some kind has no end: better nothing than half of it
			return fmt.Errorf("offboard %s: still there is %s", p.Email, strings.Join(CountHoldings(locale.English, left), ", "))
		}
		return a.log.RecordIn(ctx, q, audit.Event{Action: audit.PersonOffboarded, Subject: p.Email, Details: countedHoldings(ended)})
	})
	return ended, err
}

// end disables the person and ends what disabling ends, or everything.
func (a *Access) end(ctx context.Context, q *sqlc.Queries, p Person, everything bool) error {
	if _, err := q.DisablePerson(ctx, p.ID); err != nil {
		return fmt.Errorf("disable %s: %w", p.Email, err)
	}
	for _, k := range holdingKinds {
		if k.end == nil || !everything && !k.disabling {
			continue
		}
		if err := k.end(ctx, q, p.ID, a.now()); err != nil {
			return fmt.Errorf("end every %s of %s: %w", k.kind, p.Email, err)
		}
	}
	return nil
}
