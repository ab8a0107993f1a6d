// Package limit counts attempts, in the database, against limits that hold for all
// processes together. It knows no passwords and no people: callers say what each attempt
// counts against.
package limit

import (
	"context"
	"fmt"
	"net/netip"
	"strconv"
	"time"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/fault"
)

// Limit lets Burst attempts through at once, and after that one in Every.
type Limit struct {
	Name  string
	Burst int
	Every time.Duration
}

// Limits that several parts of the program share; the others are where they apply.
var (
	// Overall bounds what all strangers together can cause in each of their ways in.
	// For passwords it bounds how many are hashed at all: a sixth of a core.
	Overall = Limit{"overall", 100, 200 * time.Millisecond}
	// Address is for everything tried from one address; a whole office may share it. See From.
	Address = Limit{"address", 30, 10 * time.Second}
	// Probe is how often one person can have services probed at addresses of their
	// choice: enough to mistype a key a few times, too few to scan for hosts.
	Probe = Limit{"probe", 20, 30 * time.Second}
	// Mail is how often one person can have a mail sent right away: a test, or one
	// that asks an address to confirm.
	Mail = Limit{"mail", 10, 2 * time.Minute}
	// Window is how often one person, token or share link can query services for
	// a window of their choice: each query takes up to five calls.
	Window = Limit{"window", 10, 30 * time.Second}
)

// Try is one attempt against one limit.
type Try struct {
	Limit
	of string
}

// Of is an attempt of what: a person, an account, a link.
func (l Limit) Of(what string) Try { return Try{l, what} }

func (t Try) bucket() string { return t.Name + ":" + t.of }

// Limits counts attempts in a database.
type Limits struct {
	q   *sqlc.Queries
	now func() time.Time
}

// New uses the database d and the clock now.
func New(d *db.DB, now func() time.Time) *Limits {
	return &Limits{d.Queries(), now}
}

// Take counts one attempt against each of the limits. If one is used up, it counts
// against none of them and returns a fault.TooMany.
func (l *Limits) Take(ctx context.Context, tries ...Try) error {
	now := l.now()
	p := sqlc.TakeAttemptParams{Now: now}
	for _, t := range tries {
		p.Buckets = append(p.Buckets, t.bucket())
		p.Steps = append(p.Steps, t.Every.Microseconds())
		p.Rooms = append(p.Rooms, (time.Duration(t.Burst-1) * t.Every).Microseconds())
	}
	rows, err := l.q.TakeAttempt(ctx, p)
	if err != nil {
		return fmt.Errorf("count an attempt: %w", err)
	}
	taken, wait := true, time.Second // the second of two simultaneous attempts may have read too early
	for _, r := range rows {
		taken = taken && r.Taken
		wait = max(wait, r.ReadyAt.Sub(now))
	}
	if taken && len(rows) == len(tries) {
		return nil
	}
	return &fault.Error{Kind: fault.TooMany, After: wait}
}

// TakeProbe counts one probe of services at addresses that the person chose.
// fault.TooMany.
func (l *Limits) TakeProbe(ctx context.Context, personID int64) error {
	return l.Take(ctx, Probe.Of(strconv.FormatInt(personID, 10)))
}

// TakeWindow counts one query to services for a window of the principal's choice.
// The principal is text such as "person 7". fault.TooMany.
func (l *Limits) TakeWindow(ctx context.Context, principal string) error {
	return l.Take(ctx, Window.Of(principal))
}

// TakeMail counts one mail that a person has sent right away. fault.TooMany.
func (l *Limits) TakeMail(ctx context.Context, personID int64) error {
	return l.Take(ctx, Mail.Of(strconv.FormatInt(personID, 10)))
}

// From counts an attempt against the address. For IPv6 it counts against the networks that
// one connection (/64), one household (/56) and one office (/48) get, since the owner of a
// network can use any address in it. The wider ones allow two and four times as many attempts.
func (l Limit) From(a netip.Addr) []Try {
	var tries []Try
	for i, network := range Networks(a) {
		wider := Limit{l.Name, l.Burst << i, l.Every >> i}
		tries = append(tries, wider.Of(network))
	}
	return tries
}

// Networks returns the networks of an address from the narrowest to the widest: just the
// address for IPv4, and its /64, /56 and /48 for IPv6.
func Networks(a netip.Addr) []string {
	a = a.Unmap().WithZone("")
	switch {
	case !a.IsValid():
		return []string{"unknown"}
	case a.Is4():
		return []string{a.String()}
	}
	var networks []string
	for _, bits := range []int{64, 56, 48} {
		networks = append(networks, netip.PrefixFrom(a, bits).Masked().String())
	}
	return networks
}
