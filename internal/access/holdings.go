package access

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/locale"
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
	// disabling: it ends when its person is disabled. Other kinds only stop, and work
	// again once the person is enabled.
	disabling bool
	// end is nil where another kind's, or the disabling itself, ends it too.
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

// holdingKinds are all of them, in the order of lists.
var holdingKinds = []holdingKind{
	{kind: HoldsRole, end: ending((*sqlc.Queries).TakeRole)},
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

// Words name the thing for people, with the kind and what distinguishes it.
func (h Holding) Words(l locale.Locale) (kind, text string) {
	switch h.Kind {
	case HoldsLink:
		if h.Note != "" {
			text = l.T("reach.made_by", "name", h.Note)
		}
		return l.T("reach.link." + linkCode(h.What)), text
	case HoldsSent:
		return l.T("reach.link_for_other." + linkCode(h.Note)), h.What
	case HoldsRecovery:
		n, _ := strconv.Atoi(h.What)
		text = l.T("reach.unused", "n", n)
	case HoldsMails:
		n, _ := strconv.Atoi(h.Note)
		return l.T("reach.sent_mails", "n", n), l.T("reach.sent_to", "n", n, "address", h.What)
	case HoldsRole, HoldsGrant, HoldsRemoved: // named by their store
	default:
		text = strings.Join(slices.DeleteFunc([]string{h.What, h.Note}, func(s string) bool { return s == "" }), ", ")
	}
	return l.T("reach.kind." + string(h.Kind)), text
}

// linkCode is the purpose of a one-time link in the catalogs' ids.
func linkCode(purpose string) string {
	if purpose == linkInvitation || purpose == linkReset {
		return purpose
	}
	return linkSignIn
}

// Reaches say in words which stores the thing is about; empty where it is about none of
// its own.
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

// Holdings lists everything through which the person can still see data or act. It needs
// the database as the worker has it. fault.NotFound.
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
func CountHoldings(l locale.Locale, held []Holding) []string {
	var out []string
	for _, m := range countedHoldings(held) {
		out = append(out, m.In(l))
	}
	return out
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

// DisablePerson ends the person's sessions and links at once and lets nobody
// sign in as them again. Everything else is kept for the day they are enabled, and
// allows nothing until then. fault.NotFound, fault.Conflict.
func (a *Access) DisablePerson(ctx context.Context, personID int64) error {
	return a.losing(ctx, personID, func(q *sqlc.Queries, p Person) error {
		if err := a.end(ctx, q, p, false); err != nil || p.Disabled {
			return err
		}
		return a.RecordIn(ctx, q, Event{Action: PersonDisabled, Subject: p.Email})
	})
}

// Offboard disables the person and ends everything that [Access.Holdings] lists, all or
// nothing, and returns what ended. Someone who is enabled again starts with nothing. It
// needs the database as the worker has it. fault.NotFound, fault.Conflict.
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
		if len(left) > 0 { // a kind that nobody ends: rather nothing than half of it
			return fmt.Errorf("offboard %s: still there is %s", p.Email, strings.Join(CountHoldings(locale.English, left), ", "))
		}
		return a.RecordIn(ctx, q, Event{Action: PersonOffboarded, Subject: p.Email, Details: countedHoldings(ended)})
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
