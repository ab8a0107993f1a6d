package access

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/storeglass/storeglass/internal/db"
)

// Holding is one thing through which a person, or something that they left behind, can
// see data or act.
type Holding struct {
	Kind HoldingKind
	// What names it: a mail address, a browser, the name of a token; may be empty. Note
	// adds to it. What they say depends on the kind, see [Holding.Words].
	What, Note string
	// Every: it reaches all stores. Else Stores are the names of those that it reaches,
	// as far as it is about stores of its own.
	Every  bool
	Stores []string
	// Slug is of the one store that it is about; else empty.
	Slug string
	// Since and Until are zero where nobody knows, or it has no end.
	Since, Until time.Time
	// Ref is the id of the group, the invited person or the subscription; else 0.
	Ref int64
	// Works: it can be used now. What does not is kept for a disabled person, or is off.
	Works bool
}

// HoldingKind is a kind of thing through which a person reaches something.
type HoldingKind string

// The kinds, as the statement ReachOfPerson calls them.
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

// holdingKind is what is known of a kind. This table is the one place that says how
// each ends, so that disabling and offboarding can't drift apart.
type holdingKind struct {
	kind HoldingKind
	// words name it on pages; one and many count it.
	words, one, many string
	// disabling: it ends when its person is disabled. Other kinds only stop, and work
	// again once the person is enabled.
	disabling bool
	// end is nil where another kind's, or the disabling itself, ends it too.
	end func(ctx context.Context, q *db.Queries, personID int64, now time.Time) error
}

func ending(f func(*db.Queries, context.Context, int64) error) func(context.Context, *db.Queries, int64, time.Time) error {
	return func(ctx context.Context, q *db.Queries, id int64, _ time.Time) error { return f(q, ctx, id) }
}

func counted(f func(*db.Queries, context.Context, int64) (int64, error)) func(context.Context, *db.Queries, int64, time.Time) error {
	return func(ctx context.Context, q *db.Queries, id int64, _ time.Time) error {
		_, err := f(q, ctx, id)
		return err
	}
}

// holdingKinds are all of them, in the order of lists.
var holdingKinds = []holdingKind{
	{kind: HoldsRole, words: "Admin role", one: "role", many: "roles", end: ending((*db.Queries).TakeRole)},
	{kind: HoldsEvery, words: "Grant for every store", one: "grant for every store", many: "grants for every store", end: ending((*db.Queries).TakeGrants)},
	{kind: HoldsGroup, words: "Grant for a group", one: "group grant", many: "group grants"},
	{kind: HoldsGrant, words: "Grant for a store", one: "store grant", many: "store grants"},
	{kind: HoldsSession, words: "Signed in", one: "session", many: "sessions", disabling: true, end: ending((*db.Queries).DeleteSessionsOfPerson)},
	{kind: HoldsLink, words: "One-time link", one: "one-time link", many: "one-time links", disabling: true, end: ending((*db.Queries).DeleteSignInLinksOfPerson)},
	{kind: HoldsPassword, words: "Password", one: "password", many: "passwords", end: ending((*db.Queries).DeletePassword)},
	{kind: HoldsApp, words: "Authenticator app", one: "authenticator app", many: "authenticator apps", end: counted((*db.Queries).DeleteTOTP)},
	{kind: HoldsRecovery, words: "Recovery codes", one: "set of recovery codes", many: "sets of recovery codes", end: ending((*db.Queries).DeleteRecoveryCodes)},
	{kind: HoldsPasskey, words: "Passkey", one: "passkey", many: "passkeys", end: counted((*db.Queries).DeletePasskeysOfPerson)},
	{kind: HoldsIdentity, words: "Single sign-on", one: "single sign-on identity", many: "single sign-on identities", end: ending((*db.Queries).DeleteIdentitiesOfPerson)},
	{kind: HoldsToken, words: "API token", one: "API token", many: "API tokens", end: func(ctx context.Context, q *db.Queries, id int64, now time.Time) error {
		return q.RevokeTokensOfPerson(ctx, db.RevokeTokensOfPersonParams{PersonID: id, Now: now})
	}},
	{kind: HoldsShare, words: "Share link", one: "share link", many: "share links", end: func(ctx context.Context, q *db.Queries, id int64, now time.Time) error {
		return q.RevokeSharesOfPerson(ctx, db.RevokeSharesOfPersonParams{PersonID: id, Now: now})
	}},
	{kind: HoldsChannel, words: "Alert channel", one: "alert channel", many: "alert channels", end: ending((*db.Queries).DeleteChannelsOfPerson)},
	{kind: HoldsAlerts, words: "Alert mails", one: "subscription to alert mails", many: "subscriptions to alert mails"},
	{kind: HoldsSubscription, words: "Weekly mail", one: "weekly mail", many: "weekly mails", end: func(ctx context.Context, q *db.Queries, id int64, now time.Time) error {
		return q.EndSubscriptionsOfPerson(ctx, db.EndSubscriptionsOfPersonParams{PersonID: id, Now: now})
	}},
	{kind: HoldsReader, words: "Weekly mail they set up", one: "weekly mail to another address", many: "weekly mails to other addresses"},
	{kind: HoldsMails, words: "Mails they can open", one: "set of sent mails", many: "sets of sent mails"},
	{kind: HoldsSent, words: "Link they made for somebody", one: "link for somebody else", many: "links for others", end: ending((*db.Queries).DeleteLinksMadeBy)},
	{kind: HoldsRemoved, words: "Removed store they can bring back", one: "removed store", many: "removed stores", end: ending((*db.Queries).ForgetRemover)},
	{kind: HoldsPending, words: "Store they are connecting", one: "unfinished connection", many: "unfinished connections", end: ending((*db.Queries).DeletePendingOfPerson)},
}

// Words name the thing for people, with the kind and what distinguishes it.
func (h Holding) Words() (kind, text string) {
	for _, k := range holdingKinds {
		if k.kind == h.Kind {
			kind = k.words
		}
	}
	switch h.Kind {
	case HoldsLink:
		kind = linkWords(h.What)
		if h.Note != "" {
			text = "made by " + h.Note
		}
	case HoldsSent:
		kind = linkWords(h.Note) + " for somebody else"
		text = h.What
	case HoldsRecovery:
		text = h.What + " unused"
	case HoldsMails:
		text = h.Note + " to " + h.What
		if h.Note == "1" {
			kind = "Sent mail that its link opens"
		} else {
			kind = "Sent mails that their links open"
		}
	case HoldsRole, HoldsGrant, HoldsRemoved: // named by their store
	case HoldsSession:
		text = strings.Join(slices.DeleteFunc([]string{h.What, h.Note}, func(s string) bool { return s == "" }), ", ")
	default:
		text = h.What
		if h.Note != "" {
			text += ", " + h.Note
		}
	}
	return kind, text
}

func linkWords(purpose string) string {
	switch purpose {
	case linkInvitation:
		return "Invitation"
	case linkReset:
		return "Link for a new password"
	}
	return "One-time sign-in link"
}

// Reaches say in words which stores the thing is about; empty where it is about none of
// its own.
func (h Holding) Reaches() string {
	const shown = 3
	switch n := len(h.Stores); {
	case h.Every:
		return "every store"
	case n > shown+1:
		return strings.Join(h.Stores[:shown], ", ") + " and " + strconv.Itoa(n-shown) + " more"
	case n > 0:
		return strings.Join(h.Stores, ", ")
	}
	switch h.Kind {
	case HoldsGroup, HoldsToken:
		return "no store"
	case HoldsSession, HoldsAlerts, HoldsChannel, HoldsSubscription, HoldsMails:
		return "the stores they hold"
	}
	return ""
}

// Holdings lists everything through which the person can still see data or act. It needs
// the database as the worker has it. ErrNoPerson.
func (a *Access) Holdings(ctx context.Context, personID int64) (Person, []Holding, error) {
	p, err := a.PersonByID(ctx, personID)
	if err != nil {
		return Person{}, nil, err
	}
	held, err := a.holdings(ctx, a.q, personID)
	return p, held, err
}

func (a *Access) holdings(ctx context.Context, q *db.Queries, personID int64) ([]Holding, error) {
	rows, err := q.ReachOfPerson(ctx, db.ReachOfPersonParams{
		PersonID: personID, Now: a.now(), Idle: SessionIdle, MailsKept: db.MailsKept, RemovedFor: db.RemovedFor,
	})
	if err != nil {
		return nil, fmt.Errorf("list what person %d reaches: %w", personID, err)
	}
	out := make([]Holding, len(rows))
	for i, r := range rows {
		out[i] = Holding{
			Kind: HoldingKind(r.Kind), What: r.What, Note: r.Note, Every: r.Every, Stores: r.Stores, Slug: r.Slug,
			Since: known(r.Since), Until: known(r.Until), Ref: r.Ref, Works: r.Works,
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

// CountHoldings says how many there are of each kind: "2 sessions", "1 API token".
func CountHoldings(held []Holding) []string {
	var out []string
	for _, k := range holdingKinds {
		n := 0
		for _, h := range held {
			if h.Kind == k.kind {
				n++
			}
		}
		switch n {
		case 0:
		case 1:
			out = append(out, "1 "+k.one)
		default:
			out = append(out, strconv.Itoa(n)+" "+k.many)
		}
	}
	return out
}

// DisablePerson ends the person's sessions and links at once and lets nobody
// sign in as them again. Everything else is kept for the day they are enabled, and
// allows nothing until then. ErrNoPerson, ErrOneself, ErrLastAdmin.
func (a *Access) DisablePerson(ctx context.Context, personID int64) error {
	return a.losing(ctx, personID, func(q *db.Queries, p Person) error {
		if err := a.end(ctx, q, p, false); err != nil || p.Disabled {
			return err
		}
		return a.RecordIn(ctx, q, Event{Action: PersonDisabled, Subject: p.Email})
	})
}

// Offboard disables the person and ends everything that [Access.Holdings] lists, all or
// nothing, and returns what ended. Somebody who is enabled again starts with nothing. It
// needs the database as the worker has it. ErrNoPerson, ErrOneself, ErrLastAdmin.
func (a *Access) Offboard(ctx context.Context, personID int64) (ended []Holding, err error) {
	err = a.losing(ctx, personID, func(q *db.Queries, p Person) error {
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
		if len(left) > 0 { // a kind that nobody ends: rather nothing than half of it
			return fmt.Errorf("offboard %s: still there is %s", p.Email, strings.Join(CountHoldings(left), ", "))
		}
		what := "nothing was left"
		if len(ended) > 0 {
			what = "ended " + strings.Join(CountHoldings(ended), ", ")
		}
		return a.RecordIn(ctx, q, Event{Action: PersonOffboarded, Subject: p.Email + ": " + what})
	})
	return ended, err
}

// end disables the person and ends what disabling ends, or everything.
func (a *Access) end(ctx context.Context, q *db.Queries, p Person, everything bool) error {
	if _, err := q.DisablePerson(ctx, p.ID); err != nil {
		return fmt.Errorf("disable %s: %w", p.Email, err)
	}
	for _, k := range holdingKinds {
		if k.end == nil || !everything && !k.disabling {
			continue
		}
		if err := k.end(ctx, q, p.ID, a.now()); err != nil {
			return fmt.Errorf("end every %s of %s: %w", k.one, p.Email, err)
		}
	}
	return nil
}
