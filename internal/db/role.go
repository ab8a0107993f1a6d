package db

import (
	"github.com/jackc/pgx/v5/pgxpool"
)

// Role is a role of the database that owns nothing. What each may do is in
// the migrations, beside each table.
type Role string

const (
	// Pages is the web server's: of stores it sees what the principal in the context
	// holds, and without one nothing. See [WithVisit].
	Pages Role = "storeglass_pages"
	// Worker is that of the worker and the command line, which are above grants.
	Worker Role = "storeglass_worker"
)

// As has every session of the pool run as the role. RESET ROLE leads back to it,
// not to the owner, since it is how the session began. Anyone who could run any
// statement of their own could still leave it, by SET ROLE NONE: the role is
// behind our own statements, against what is forgotten in them.
func As(role Role) Option {
	return func(c *pgxpool.Config) { c.ConnConfig.RuntimeParams["role"] = string(role) }
}

// roleOf is the role that the pool's sessions begin with; empty is the user's own.
func roleOf(pool *pgxpool.Pool) Role {
	return Role(pool.Config().ConnConfig.RuntimeParams["role"])
}
