// Package access decides who may see what: people and their one-time sign-in
// links, sessions, grants, tokens for our JSON API, and the sealing of
// upstream tokens. It keeps no secret in readable form: links, sessions and API
// tokens are stored as hashes, upstream tokens encrypted. It never decides what
// a page shows, only which stores its principal may see.
package access

import (
	"time"

	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/access/limit"
	"github.com/storeglass/storeglass/internal/access/password"
	"github.com/storeglass/storeglass/internal/access/seal"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
)

// AllStores, given instead of a slug, means every store, including those added later.
const AllStores = "*"

// Access decides who may see what.
type Access struct {
	db        *db.DB
	q         *sqlc.Queries
	now       func() time.Time
	Passwords *password.Hasher
	limits    *limit.Limits
	log       *audit.Log
	sealer    *seal.Sealer // nil: second factors that need a key can't be added
}

// Option changes what New makes.
type Option func(*Access)

// WithSealer encrypts people's secrets and signs the tokens of known browsers.
// Without it nobody can use an authenticator app.
func WithSealer(s *seal.Sealer) Option { return func(a *Access) { a.sealer = s } }

// New uses the database d and the clock now; nil means the machine's clock.
func New(d *db.DB, now func() time.Time, options ...Option) *Access {
	if now == nil {
		now = time.Now
	}
	a := &Access{db: d, q: d.Queries(), now: now, Passwords: password.NewHasher(), limits: limit.New(d, now), log: audit.New(d, now)}
	for _, o := range options {
		o(a)
	}
	return a
}
