// Package password decides which passwords are good enough, hashes them, and compares them
// with what was hashed. It stores nothing, and doesn't know whose they are.
package password

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
	"unicode/utf8"

	"github.com/alexedwards/argon2id"
	"golang.org/x/sync/semaphore"
	"golang.org/x/text/unicode/norm"
)

// The allowed length of a password, in characters. Any characters will do.
const (
	Min = 12
	Max = 128
)

// passwordCosts are the costs of new hashes: 19 MiB and two passes, the OWASP
// recommendation for argon2id. Each hash carries its own costs. If these are raised, a
// password with lower costs is hashed again when its owner signs in.
var passwordCosts = &argon2id.Params{Memory: 19 << 10, Iterations: 2, Parallelism: 1, SaltLength: 16, KeyLength: 32}

// dummyHash has today's costs and belongs to nobody. People without a password are checked
// against it, so that timing doesn't reveal who has one.
const dummyHash = "$argon2id$v=19$m=19456,t=2,p=1$MDEyMzQ1Njc4OWFiY2RlZg$W9GJT3GwlIFkH3dr53HduryojrME3WabLYf9hJaij0M"

// Hasher limits how many passwords are hashed at once, and thus the memory used.
// It also counts them.
type Hasher struct {
	room  *semaphore.Weighted
	count atomic.Int64
}

func NewHasher() *Hasher {
	return &Hasher{room: semaphore.NewWeighted(int64(max(2, runtime.GOMAXPROCS(0))))}
}

func (h *Hasher) do(ctx context.Context, f func() error) error {
	if err := h.room.Acquire(ctx, 1); err != nil {
		return fmt.Errorf("wait to hash a password: %w", err)
	}
	defer h.room.Release(1)
	h.count.Add(1)
	return f()
}

// Count is how many passwords have been hashed, to store or to compare.
func (h *Hasher) Count() int64 { return h.count.Load() }

// Hash returns the hash to store, which includes its salt and costs.
// It waits while many others are being hashed.
func (h *Hasher) Hash(ctx context.Context, password string) (hash string, err error) {
	err = h.do(ctx, func() error {
		hash, err = argon2id.CreateHash(norm.NFC.String(password), passwordCosts)
		return err
	})
	return hash, err
}

// Match reports whether the password matches the hash, and whether the hash's costs are
// out of date. An empty hash matches nothing and takes just as long.
func (h *Hasher) Match(ctx context.Context, hash, password string) (match, stale bool, err error) {
	known := hash != ""
	if !known {
		hash = dummyHash
	}
	if utf8.RuneCountInString(password) > 4*Max { // too long to be anyone's: not worth hashing
		password, known = "", false
	}
	err = h.do(ctx, func() error {
		ok, costs, err := argon2id.CheckHash(norm.NFC.String(password), hash)
		if err != nil {
			return errors.New("the stored password hash can't be read") // the library's error may contain the hash
		}
		match, stale = ok && known, *costs != *passwordCosts
		return nil
	})
	return match, stale, err
}
