// Package accesstest is a database with two stores, a clock, and people who sign in,
// for the tests of access and what is built on it. It is for tests only.
package accesstest

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/access/apitoken"
	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/access/password"
	"github.com/storeglass/storeglass/internal/access/seal"
	"github.com/storeglass/storeglass/internal/access/session"
	"github.com/storeglass/storeglass/internal/access/sharing"
	"github.com/storeglass/storeglass/internal/access/signin"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/dbtest"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/fault"
	"github.com/storeglass/storeglass/internal/locale"
)

// Clock is a clock that the test sets.
type Clock struct {
	mu sync.Mutex
	T  time.Time
}

func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.T
}

func (c *Clock) Add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.T = c.T.Add(d)
}

type World struct {
	*access.Access
	Audit        *audit.Log
	SignIn       *signin.Service
	SessionStore *session.Store
	Passwords    *password.Hasher
	Shares       *sharing.Links
	Tokens       *apitoken.Tokens
	DB           *db.DB
	Clock        *Clock
}

// New has the stores acme and birch, and no people.
func New(t *testing.T) *World {
	t.Helper()
	d := db.From(dbtest.New(t), 60)
	for _, slug := range []string{"acme", "birch"} {
		_, err := sqlc.New(d.Pool).InsertStore(t.Context(), sqlc.InsertStoreParams{Slug: slug, Name: slug, Timezone: "UTC", HistoryDays: 90})
		if err != nil {
			t.Fatal(err)
		}
	}
	c := &Clock{T: time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)}
	hasher := password.NewHasher()
	return &World{
		Access: access.New(d, c.Now), Audit: audit.New(d, c.Now), SignIn: signin.New(d, c.Now, nil, hasher), SessionStore: session.New(d, c.Now),
		Passwords: hasher, Shares: sharing.New(d, c.Now, hasher), Tokens: apitoken.New(d, c.Now), DB: d, Clock: c,
	}
}

// Pages is the database as the web server uses it.
func (w *World) Pages(t *testing.T) *db.DB {
	t.Helper()
	return db.From(dbtest.As(t, w.DB.Pool, db.Pages), 60)
}

func (w *World) Person(t *testing.T, email string) access.Person {
	t.Helper()
	p, err := w.CreatePerson(t.Context(), email, "", "")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// SignedIn adds someone who has signed in once.
func (w *World) SignedIn(t *testing.T, email string, role access.Role) access.Person {
	t.Helper()
	p, err := w.CreatePerson(t.Context(), email, "", role)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.SignIn.UseLink(t.Context(), w.Link(t, p)); err != nil {
		t.Fatal(err)
	}
	return p
}

func (w *World) Invited(t *testing.T, email string) (access.Person, string) {
	t.Helper()
	p, secret, _, err := w.SignIn.InvitePerson(t.Context(), signin.Invite{Email: email})
	if err != nil {
		t.Fatal(err)
	}
	return p, secret
}

func (w *World) Link(t *testing.T, p access.Person) string {
	t.Helper()
	secret, _, err := w.SignIn.CreateLink(t.Context(), p, 0)
	if err != nil {
		t.Fatal(err)
	}
	return secret
}

// Password is that of everyone who has one.
const Password = "four words to guess"

func (w *World) WithPassword(t *testing.T, email string) access.Person {
	t.Helper()
	p := w.Person(t, email)
	if err := w.SignIn.SetPassword(t.Context(), p, Password, 0); err != nil {
		t.Fatal(err)
	}
	return p
}

// Home is an address that people sign in from.
var Home = netip.MustParseAddr("203.0.113.7")

// As is a context in which the person acts.
func As(ctx context.Context, p access.Person) context.Context {
	return audit.Acting(ctx, p.Actor())
}

// From is a context in which someone without a session acts from the address.
func From(t *testing.T, a netip.Addr) context.Context {
	return audit.Acting(t.Context(), audit.Actor{Kind: audit.ActorNobody, Address: a.String()})
}

// Held is the store with that slug, which the person is granted.
func (w *World) Held(t *testing.T, p access.Person, slug string) db.ScopedStore {
	t.Helper()
	if err := w.GrantPerson(t.Context(), p.ID, slug); err != nil {
		t.Fatal(err)
	}
	scope, err := w.DB.ScopeOfPerson(t.Context(), p.ID)
	if err != nil {
		t.Fatal(err)
	}
	store, err := w.DB.Store(t.Context(), scope, slug)
	if err != nil {
		t.Fatal(err)
	}
	return store
}

// SaveSession signs the person in for an hour.
func (w *World) SaveSession(t *testing.T, token string, p access.Person) {
	t.Helper()
	w.SaveSessionFor(t, token, p, time.Hour)
}

func (w *World) SaveSessionFor(t *testing.T, token string, p access.Person, life time.Duration) {
	t.Helper()
	w.saveSession(t, token, p, w.Clock.Now().Add(life), map[string]any{})
}

func (w *World) SaveSessionWith(t *testing.T, token string, p access.Person, values map[string]any) {
	t.Helper()
	w.saveSession(t, token, p, w.Clock.Now().Add(time.Hour), values)
}

func (w *World) saveSession(t *testing.T, token string, p access.Person, deadline time.Time, values map[string]any) {
	t.Helper()
	values[session.PersonKey] = strconv.FormatInt(p.ID, 10)
	data, err := session.Codec{}.Encode(deadline, values)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.SessionStore.CommitCtx(context.Background(), token, data, deadline); err != nil {
		t.Fatal(err)
	}
}

func (w *World) SessionID(t *testing.T, token string) (id int64) {
	t.Helper()
	if err := w.DB.Pool.QueryRow(t.Context(), "select id from sessions where token = $1", token).Scan(&id); err != nil {
		t.Fatal(err)
	}
	return id
}

// Count is the number of the table's rows.
func (w *World) Count(t *testing.T, table string) (n int) {
	t.Helper()
	if err := w.DB.Pool.QueryRow(t.Context(), "select count(*) from "+table).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// Recorded lists the newest records as "action store subject".
func (w *World) Recorded(t *testing.T, f audit.Filter) []string {
	t.Helper()
	records, err := w.Audit.Records(t.Context(), f, 1000)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, r := range records {
		out = append(out, strings.Join(strings.Fields(fmt.Sprint(r.Action, " ", r.Store, " ", r.Words(locale.English))), " "))
	}
	return out
}

// Counts lists the newest counts as "day action network about store times".
func (w *World) Counts(t *testing.T, f audit.Filter) []string {
	t.Helper()
	counts, err := w.Audit.Counts(t.Context(), f, 10_000)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, c := range counts {
		out = append(out, strings.Join(strings.Fields(fmt.Sprint(c.Day, " ", c.Action, " ", c.Network, " ", c.Person, " ", c.Share, " ", c.Store, " ", c.Times)), " "))
	}
	return out
}

func WantCounts(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("counted\n %s\nwant\n %s", strings.Join(got, "\n "), strings.Join(want, "\n "))
	}
}

// Refusal is a fault.Conflict with that message id.
func Refusal(id string) error { return fault.New(fault.Conflict, "", id) }

func Wants(t *testing.T, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Fatalf("got error %v, want %v", err, want)
	}
}

// Keys that sealers are made from.
const (
	KeyA = "0123456789abcdef0123456789abcdef"
	KeyB = "fedcba9876543210fedcba9876543210"
)

func Sealer(t *testing.T, secret string, older ...string) *seal.Sealer {
	t.Helper()
	s, err := seal.NewSealer(secret, older...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
