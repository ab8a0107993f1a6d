package pulls

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
	"github.com/storeglass/storeglass/internal/report"
)

// Fetcher makes the calls of one credential's pulls. It reads little of what is stored and writes nothing.
type Fetcher struct {
	DB                *db.DB
	Store, Credential int64
	// Zone is the store's.
	Zone *time.Location
	// Now is the clock that decides how old a walk is.
	Now func() time.Time
	// Limit is the credential's ranking limit, shared by calls that run at once; 0 if unknown.
	Limit *atomic.Int32
}

// answer is a good reply before it's written to the database.
type answer struct {
	numbers numbers

	endpoint  string
	query     url.Values
	raw       []byte
	fetchedAt time.Time
	took      time.Duration

	asked, applied *report.Window
	flags          []report.Flag
	currency       string
	domain         string
	// text follows "Good" in the ledger: "1 issue found".
	text string
	// elsewhere: the service answered for a window other than the day asked for, so the day is
	// still missing.
	elsewhere bool
	// more: the pull continues with its next page at once.
	more bool
	// settled: the pull isn't repeated until a later reply makes it due.
	settled bool
	// replan: the reply made other pulls due that shouldn't wait for the rest.
	replan bool
}

// from copies what every reply has. The time is truncated to the database's precision.
func from[T any](a upstream.Answer[T]) answer {
	return answer{endpoint: a.Endpoint, query: a.Query, raw: a.Raw, fetchedAt: a.FetchedAt.Truncate(time.Microsecond), took: a.Took, flags: db.Each(a.Flags, func(f string) report.Flag { return report.Flag(f) })}
}

// wrongShop is the failure of a reply that belongs to another store (N35).
func wrongShop(a answer, want string) error {
	if want == "" || a.domain == "" || strings.EqualFold(want, a.domain) {
		return nil
	}
	return &upstream.Failure{
		Kind: upstream.Quarantine, Op: "pull " + a.endpoint, Raw: a.raw, Attempts: 1,
		Message: fmt.Sprintf("it belongs to %s, this credential to %s", a.domain, want),
	}
}

// begun is when the request was sent: a day still running then is partial, even if its midnight
// has passed since.
func (a answer) begun() time.Time { return a.fetchedAt.Add(-a.took) }

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

// broken is the failure of a reply that decodes but can't be true.
func broken(a answer, what string) error {
	return &upstream.Failure{Kind: upstream.Quarantine, Op: "pull " + a.endpoint, Message: what, Raw: a.raw, Attempts: 1}
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
