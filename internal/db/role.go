package db

import (
	"github.com/jackc/pgx/v5/pgxpool"
)

// Role is a database role that owns nothing. The migrations say what each may do, next to each table.
type Role string

const (
	// Pages is the web server's: it sees only the stores that the context's principal may see, and none
	// without a principal. See [WithVisit].
	Pages Role = "storeglass_pages"
	// Worker is for the worker and the command line, which are above grants.
	Worker Role = "storeglass_worker"
)

// As makes every session of the pool run as the role. RESET ROLE returns to it, not to the owner, since
// the session began with it. Code that can run any SQL could still leave it with SET ROLE NONE: the
// role protects against mistakes in our own statements, not against attackers.
func As(role Role) Option {
	return func(c *pgxpool.Config) { c.ConnConfig.RuntimeParams["role"] = string(role) }
}

// roleOf is the role that the pool's sessions begin with; empty means the user's own.
func roleOf(pool *pgxpool.Pool) Role {
	return Role(pool.Config().ConnConfig.RuntimeParams["role"])
}
