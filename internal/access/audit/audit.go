package audit

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/locale"
)

// Log is the audit log of a database.
type Log struct {
	q   *sqlc.Queries
	now func() time.Time
}

// New uses the database d and the clock now.
func New(d *db.DB, now func() time.Time) *Log {
	return &Log{d.Queries(), now}
}

// ActorKind is the kind of actor.
type ActorKind string

const (
	// ActorPerson is a signed-in person.
	ActorPerson ActorKind = "person"
	// ActorToken is a token for the JSON API.
	ActorToken ActorKind = "token"
	// ActorShare is the holder of a share link.
	ActorShare ActorKind = "share"
	// ActorCommand is someone who runs the program on its machine.
	ActorCommand ActorKind = "command"
	// ActorNobody is someone who isn't signed in.
	ActorNobody ActorKind = "nobody"
)

// Actor is who does something, and from where.
type Actor struct {
	Kind ActorKind
	// ID is that of the person, token or share link; 0 for the other kinds.
	ID int64
	// Name is a person's address, the name of a token or share link, or the name of the
	// user who runs the command.
	Name string
	// Address is the client's address and Request the request's id in the log; both are
	// empty for commands.
	Address, Request string
}

type actorKey struct{}

// Acting returns a context in which actions are attributed to a.
func Acting(ctx context.Context, a Actor) context.Context {
	return context.WithValue(ctx, actorKey{}, a)
}

// ActorOf returns the context's actor. Without one it is the program itself: a
// command without a name.
func ActorOf(ctx context.Context) Actor {
	if a, ok := ctx.Value(actorKey{}).(Actor); ok {
		return a
	}
	return Actor{Kind: ActorCommand}
}

// Event is an action worth recording.
type Event struct {
	Action Action
	// Actor is set where the context doesn't know the actor yet, as at sign-in; address
	// and request still come from the context. The zero Actor means the context's.
	Actor Actor
	// Store is the slug of the store concerned, if any.
	Store string
	// Subject names what else is concerned: an address, a name, a file. Never a secret, nor
	// what someone typed into a field for one.
	Subject string
	// Details say what changed. They are stored as messages, so that pages show them in
	// the reader's language; exported files are in English.
	Details locale.Sentences
	// PersonID and ShareID are the account and the share link that a counted event is
	// about; 0 for none. Counted events ignore the other fields except Action and
	// Actor.
	PersonID, ShareID int64
}

// maxText is the longest text in a record, in characters.
const maxText = 300

// Record keeps the event for DASHBOARD_AUDIT_DAYS. Make the change it describes only if
// Record returns nil, or use [Log.RecordIn] to commit both together. Events that anyone
// can repeat without signing in are counted instead: see [Action.Counted].
func (l *Log) Record(ctx context.Context, e Event) error { return l.RecordIn(ctx, l.q, e) }

// RecordIn is Record within a transaction: the change and its record commit together.
func (l *Log) RecordIn(ctx context.Context, q *sqlc.Queries, e Event) error {
	if !e.Action.known() {
		return fmt.Errorf("record %q: no such action", e.Action)
	}
	by := ActorOf(ctx)
	if e.Actor.Kind != "" {
		by.Kind, by.ID, by.Name = e.Actor.Kind, e.Actor.ID, e.Actor.Name
	}
	if e.Action.Counted() || by.Kind == ActorNobody && !byLink[e.Action] {
		return l.count(ctx, q, e, by)
	}
	err := q.InsertAudit(ctx, sqlc.InsertAuditParams{
		At: l.now(), Actor: string(by.Kind), ActorID: db.Optional(by.ID), ActorName: Text(by.Name), Action: string(e.Action),
		StoreSlug: e.Store, Subject: Text(e.Subject), Details: textDetails(e.Details), Address: Text(by.Address), Request: by.Request,
	})
	return db.Tried(err, "record %s", e.Action)
}

// Recording is RecordIn as the end of a transaction.
func (l *Log) Recording(e Event) db.Also {
	return func(ctx context.Context, q *sqlc.Queries) error { return l.RecordIn(ctx, q, e) }
}

// Text turns text, much of it written by strangers, into one line that is safe to
// store and read.
func Text(s string) string {
	s = strings.Map(func(r rune) rune {
		if locale.Unshowable(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, string(utf8.RuneError)))
	s = strings.TrimSpace(s)
	if utf8.RuneCountInString(s) > maxText {
		s = string([]rune(s)[:maxText-1]) + "…"
	}
	return s
}

// textDetails applies Text to the texts in details that others wrote.
func textDetails(details locale.Sentences) locale.Sentences {
	if details == nil {
		return locale.Sentences{} // the column is not null
	}
	for _, d := range details {
		for name, value := range d.Args {
			if text, ok := value.(string); ok {
				d.Args[name] = Text(text)
			}
		}
	}
	return details
}

// Record is one line of the audit log.
type Record struct {
	ID     int64
	At     time.Time
	Actor  Actor
	Action Action
	// Store is the slug at the time.
	Store, Subject string
	Details        locale.Sentences
}

// Words gives the subject and what changed about it.
func (r Record) Words(l locale.Locale) string {
	var parts []string
	if r.Subject != "" {
		parts = append(parts, r.Subject)
	}
	for _, d := range r.Details {
		if text, ok := d.Said(l); ok {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, ", ")
}

// Filter selects records; empty fields don't filter.
type Filter struct {
	// Who is a part of the actor's name, or a kind of actor.
	Who string
	// About is an action, or the subject of several: "sign-in".
	About string
	// Store is a slug.
	Store string
	// Since is inclusive, Until exclusive.
	Since, Until time.Time
	// Text is a part of any text in the record.
	Text string
	// After is the last record of the previous page; only its At and ID count.
	After Record
}

// endOfTime is the upper limit when none is given.
var endOfTime = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)

// Records lists at most n records, newest first.
func (l *Log) Records(ctx context.Context, f Filter, n int) ([]Record, error) {
	p := sqlc.ListAuditParams{
		BeforeAt: f.After.At, BeforeID: f.After.ID, Since: f.Since, Until: f.Until,
		Who: strings.TrimSpace(f.Who), About: f.About, Store: f.Store, Text: strings.TrimSpace(f.Text), Most: int32(n),
	}
	if p.BeforeID == 0 {
		p.BeforeAt = endOfTime
	}
	if p.Until.IsZero() {
		p.Until = endOfTime
	}
	rows, err := l.q.ListAudit(ctx, p)
	if err != nil {
		return nil, fmt.Errorf("read audit log: %w", err)
	}
	out := make([]Record, len(rows))
	for i, r := range rows {
		by := Actor{Kind: ActorKind(r.Actor), ID: db.OrZero(r.ActorID), Name: r.ActorName, Address: r.Address, Request: r.Request}
		out[i] = Record{ID: r.ID, At: r.At, Actor: by, Action: Action(r.Action), Store: r.StoreSlug, Subject: r.Subject, Details: r.Details}
	}
	return out, nil
}
