package access

import "github.com/storeglass/storeglass/internal/locale"

// Role is what a person may do with the stores they see.
type Role string

const (
	// Viewer reads.
	Viewer Role = "viewer"
	// Agency sees the stores of their groups, starts pulls and shares pages.
	Agency Role = "agency"
	// Merchant also connects services to their stores and manages them.
	Merchant Role = "merchant"
	// Admin may do everything with every store, and manages people.
	Admin Role = "admin"
)

// Roles lists all roles, starting with the one that may do least.
var Roles = []Role{Viewer, Agency, Merchant, Admin}

// Message is the role's name for people.
func (r Role) Message() locale.Message { return locale.M("people.role." + string(r)) }

// Right is something that not everyone who sees a store may do.
type Right int

const (
	// See: read the pages and files of one's stores, and manage one's own account.
	See Right = iota
	// Pull: make calls to a service, now.
	Pull
	// Share: make and revoke share links.
	Share
	// Connect: add, change, pause, resume and remove stores and their credentials.
	Connect
	// Manage: people, groups, tags, API tokens, branding, and the audit log.
	Manage
)

// May reports whether the role has the right. Grants decide which stores it applies to;
// only Manage applies to all of them.
func (r Role) May(right Right) bool {
	switch r {
	case Admin:
		return true
	case Merchant:
		return right <= Connect
	case Agency:
		return right <= Share
	case Viewer:
		return right == See
	}
	return false
}
