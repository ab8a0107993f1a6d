// Package fetch makes the one call of a pull and turns the reply into the rows that are kept. It refuses
// replies that can't be true, and writes nothing but where a walk over the offers begins: package pulls
// commits what it returns.
package fetch

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
)

// Caller makes the calls of one credential's pulls.
type Caller struct {
	DB                *db.DB
	Store, Credential int64
	// Zone is the store's.
	Zone *time.Location
	// Now is the clock that decides how old a walk is.
	Now func() time.Time
	// Limit is the credential's ranking limit, shared by calls that run at once; 0 if unknown.
	Limit *atomic.Int32
}

// Answer is a good reply before it's written to the database.
type Answer struct {
	Numbers Numbers

	Endpoint  string
	Query     url.Values
	Raw       []byte
	FetchedAt time.Time
	Took      time.Duration

	Asked, Applied *report.Window
	Flags          []report.Flag
	Currency       string
	Domain         string
	// Text follows "Good" in the ledger: "1 issue found".
	Text locale.Message
	// Elsewhere: the service answered for a window other than the day asked for, so the day is
	// still missing.
	Elsewhere bool
	// More: the pull continues with its next page at once.
	More bool
	// Settled: the pull isn't repeated until a later reply makes it due.
	Settled bool
	// Replan: the reply made other pulls due that shouldn't wait for the rest.
	Replan bool
}

// from copies what every reply has. The time is truncated to the database's precision.
func from[T any](a upstream.Answer[T]) Answer {
	return Answer{Endpoint: a.Endpoint, Query: a.Query, Raw: a.Raw, FetchedAt: a.FetchedAt.Truncate(time.Microsecond), Took: a.Took, Flags: db.Each(a.Flags, func(f string) report.Flag { return report.Flag(f) })}
}

// answered is what a call brought: its data, and the answer to keep it with.
func answered[T any](got upstream.Answer[T], err error) (T, Answer, error) {
	return got.Data, from(got), err
}

// WrongShop is the failure of a reply that belongs to another store (N35).
func WrongShop(a Answer, want string) error {
	if want == "" || a.Domain == "" || strings.EqualFold(want, a.Domain) {
		return nil
	}
	return Broken(a, fmt.Sprintf("it belongs to %s, this credential to %s", a.Domain, want))
}

// Begun is when the request was sent: a day still running then is partial, even if its midnight
// has passed since.
func (a Answer) Begun() time.Time { return a.FetchedAt.Add(-a.Took) }

func windowOf(start, end civil.Date) *report.Window { return &report.Window{Start: start, End: end} }

// disagrees reports whether a reported rate differs from the one its parts give by more than
// rounding (N19), for example because it is a percentage.
func disagrees(reported *decimal.Decimal, part decimal.Decimal, whole int64) bool {
	if reported == nil || whole == 0 {
		return false
	}
	want := part.DivRound(decimal.NewFromInt(whole), 12)
	slack := want.Abs().Mul(decimal.New(2, -2)).Add(decimal.New(6, -3)) // 2% and rounding to two digits
	return reported.Sub(want).Abs().GreaterThan(slack)
}

func addFlag(flags []report.Flag, f report.Flag) []report.Flag {
	if slices.Contains(flags, f) {
		return flags
	}
	return append(flags, f)
}

// Broken is the failure of a reply that decodes but can't be true.
func Broken(a Answer, what string) error {
	return &upstream.Failure{Kind: upstream.Quarantine, Op: "pull " + a.Endpoint, Message: what, Raw: a.Raw, Attempts: 1}
}

// twice reports whether two rows have the same key.
func twice[T any, K comparable](list []T, key func(T) K) bool {
	seen := make(map[K]bool, len(list))
	for _, row := range list {
		if seen[key(row)] {
			return true
		}
		seen[key(row)] = true
	}
	return false
}
