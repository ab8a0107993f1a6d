package access

import "github.com/storeglass/storeglass/internal/locale"

// Role is what a person may do with the stores they see.
type Role string

const (
	// Viewer reads.
	Viewer Role = "viewer"
	// Agency sees the stores of their groups, asks for pulls and shares pages.
	Agency Role = "agency"
	// Merchant also connects services to their stores, and looks after them.
	Merchant Role = "merchant"
	// Admin may do everything with every store, and decides about people.
	Admin Role = "admin"
)

// Roles are all of them, the one that may least first.
var Roles = []Role{Viewer, Agency, Merchant, Admin}

// message is what people call the role.
func (r Role) message() locale.Message { return locale.M("people.role." + string(r)) }

// Right is something that not everyone who sees a store may do.
type Right int

const (
	// See: read pages and files of one's stores, and look after one's own account.
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

// May reports whether the role carries the right. Which stores it is about, the
// grants say; only Manage is about all of them.
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
