package access

import (
	"cmp"
	"context"
	"fmt"
	"net/mail"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
	"golang.org/x/text/unicode/norm"

	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/fault"
	"github.com/storeglass/storeglass/internal/locale"
)

// Person is someone who can sign in.
type Person struct {
	ID          int64
	Email, Name string
	Role        Role
	Disabled    bool
	// Language is the code of the language they read; empty means the browser's.
	Language string
	// Joined reports whether they have ever signed in; until then they are invited.
	Joined bool
	// Reach is what the grants cover; only the roster fills it in. An Admin sees every
	// store without grants.
	Reach
}

// Reach is what someone's grants cover.
type Reach struct {
	AllStores bool
	// Stores are the slugs of single stores, Groups the names of groups.
	Stores, Groups []string
}

// Actor is the person as an actor.
func (p Person) Actor() audit.Actor {
	return audit.Actor{Kind: audit.ActorPerson, ID: p.ID, Name: p.Email}
}

// PersonOf is the person that a row holds.
func PersonOf(p sqlc.Person) Person {
	return Person{
		ID: p.ID, Email: p.Email, Name: p.Name, Role: Role(p.Role), Disabled: p.DisabledAt != nil, Joined: p.JoinedAt != nil, Language: db.OrZero(p.Language),
	}
}

// Address is a mail address as it's stored and looked up. The same one can be typed in several
// ways: browsers send a domain such as münchen.example in ASCII, and é may be one letter or two.
func Address(typed string) string {
	typed = norm.NFC.String(strings.TrimSpace(typed))
	at := strings.LastIndex(typed, "@") + 1
	domain, err := idna.Lookup.ToUnicode(typed[at:])
	if err != nil { // not a domain: kept, to be refused or not found
		return typed
	}
	return typed[:at] + domain
}

// FoldAddress is [Address] without the case, for comparing.
func FoldAddress(typed string) string { return strings.ToLower(Address(typed)) }

// maxAddress is the length of the longest address that a mail can go to (RFC 5321).
const maxAddress = 254

// CreatePerson adds a person who sees no stores yet. An empty name becomes the first part
// of the address, an empty role Viewer. fault.Conflict when the address exists in any
// spelling.
func (a *Access) CreatePerson(ctx context.Context, email, name string, role Role) (p Person, err error) {
	err = a.db.InTx(ctx, func(q *sqlc.Queries) error {
		if p, err = CreatePersonIn(ctx, q, email, name, role); err != nil {
			return err
		}
		return a.log.RecordIn(ctx, q, audit.Event{Action: audit.PersonAdded, Subject: p.Email, Details: locale.Sentences{locale.M("audit.detail.as_role", "role", p.Role.Message())}})
	})
	return p, err
}

// CreatePersonIn is CreatePerson within a transaction, without a record.
func CreatePersonIn(ctx context.Context, q *sqlc.Queries, email, name string, role Role) (Person, error) {
	email = Address(email)
	addr, err := mail.ParseAddress(email)
	if err != nil || addr.Address != email || len(email) > maxAddress { // "a b"@example.com has quotes that would be lost
		return Person{}, fmt.Errorf("add person: %q: %w", email, fault.New(fault.Invalid, "email", "account.problem.email"))
	}
	if name = strings.TrimSpace(name); name == "" {
		name, _, _ = strings.Cut(addr.Address, "@")
	}
	if name, err = CleanPersonName(name); err != nil {
		return Person{}, fmt.Errorf("add person %s: %w", addr.Address, err)
	}
	if role = cmp.Or(role, Viewer); !slices.Contains(Roles, role) {
		return Person{}, fmt.Errorf("add person: %q is not a role: use viewer, merchant, agency or admin", role)
	}
	p, err := q.InsertPerson(ctx, sqlc.InsertPersonParams{Email: addr.Address, Name: name, Role: string(role)})
	if db.Taken(err) {
		return Person{}, fmt.Errorf("add person %s: %w", addr.Address, fault.New(fault.Conflict, "email", "invite.problem.taken"))
	}
	return PersonOf(p), db.Tried(err, "add person %s", addr.Address)
}

// PersonByEmail finds a person, even a disabled one, ignoring case. fault.NotFound.
func (a *Access) PersonByEmail(ctx context.Context, email string) (Person, error) {
	p, err := a.q.PersonByEmail(ctx, Address(email))
	return PersonOf(p), db.Absent(err, fmt.Errorf("%s: %w", email, fault.Missing("person")), "find person %s", email)
}

// PersonByID finds a person, even a disabled one. fault.NotFound.
func (a *Access) PersonByID(ctx context.Context, id int64) (Person, error) {
	p, err := a.q.PersonByID(ctx, id)
	return PersonOf(p), db.Absent(err, fmt.Errorf("person %d: %w", id, fault.Missing("person")), "find person %d", id)
}

// CleanPersonName returns a person's name as it is stored. fault.Invalid.
func CleanPersonName(name string) (string, error) {
	name = strings.Join(strings.Fields(name), " ")
	switch {
	case name == "":
		return "", fault.New(fault.Invalid, "name", "account.refused.no_name")
	case utf8.RuneCountInString(name) > 100:
		return "", fault.New(fault.Invalid, "name", "account.refused.long_name", "n", 100)
	case !utf8.ValidString(name) || strings.ContainsFunc(name, locale.Unshowable):
		return "", fault.New(fault.Invalid, "name", "account.refused.odd_name")
	}
	return name, nil
}

// RenamePerson changes the person's name. fault.Invalid.
func (a *Access) RenamePerson(ctx context.Context, p Person, name string) error {
	name, err := CleanPersonName(name)
	if err != nil {
		return err
	}
	return a.db.InTx(ctx, func(q *sqlc.Queries) error {
		return db.Tried(q.RenamePerson(ctx, sqlc.RenamePersonParams{ID: p.ID, Name: name}), "rename person %d", p.ID)
	}, a.log.Recording(audit.Event{Action: audit.PersonChanged, Subject: p.Email, Details: locale.Sentences{locale.M("audit.detail.name")}}))
}

// SetLanguage sets the language that a person reads, by the code of one of our catalogs;
// empty means the browser's.
func (a *Access) SetLanguage(ctx context.Context, person int64, code string) error {
	return db.Tried(a.db.Queries().SetLanguage(ctx, sqlc.SetLanguageParams{ID: person, Language: code}), "set language of person %d", person)
}
