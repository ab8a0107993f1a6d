package upstream

import (
	"net/url"
	"slices"
	"time"
)

// Flags that the clients set on an [Answer].
const (
	// FlagWindowDiffers: the window applied is not the window asked for (N22, N43).
	FlagWindowDiffers = "window_differs"
	// FlagFilterDiffers: the reply doesn't confirm the filter asked for (N30).
	FlagFilterDiffers = "filter_differs"
	// FlagPartial: the window includes the store's current day (N45) or a section is missing
	// (N50).
	FlagPartial = "partial"
	// FlagCached: the service answered from its cache (N49).
	FlagCached = "cached"
	// FlagCut: the list reached the service's cap, so more may exist (N9, N51).
	FlagCut = "cut"
)

// Answer is one good reply with the evidence to verify it later.
type Answer[T any] struct {
	Data T
	// Raw is the whole reply as it came, decompressed; if the service echoes the token, it is
	// masked.
	Raw []byte
	// Endpoint is the document's path, such as /data/analytics/summary.
	Endpoint string
	// Query is what was sent.
	Query url.Values
	// FetchedAt is when the reply was read to its end, in UTC.
	FetchedAt time.Time
	// Took is the time from sending the last attempt to FetchedAt.
	Took time.Duration
	// Attempts counts the requests sent, failed ones included.
	Attempts int
	// Flags holds what a reader of the numbers must know; see the Flag constants.
	Flags []string

	status int
}

// WithData returns the answer with different data, such as a part of it.
func WithData[A, B any](a Answer[A], data B) Answer[B] {
	return Answer[B]{
		Data: data, Raw: a.Raw, Endpoint: a.Endpoint, Query: a.Query, FetchedAt: a.FetchedAt,
		Took: a.Took, Attempts: a.Attempts, Flags: a.Flags, status: a.status,
	}
}

// Broken returns the failure of a reply that is valid by itself but can't be the answer to the
// request. where is a JSON pointer into the reply.
func (a *Answer[T]) Broken(op, where, what string) *Failure {
	return &Failure{
		Kind: Quarantine, Op: op, Status: a.status, Raw: a.Raw, Attempts: a.Attempts,
		Err: &Contract{Where: where, What: what},
	}
}

// Flag adds a flag once.
func (a *Answer[T]) Flag(flag string) {
	if !a.Has(flag) {
		a.Flags = append(a.Flags, flag)
	}
}

// Has reports whether a flag is set.
func (a *Answer[T]) Has(flag string) bool { return slices.Contains(a.Flags, flag) }
