package report

import (
	"regexp"
	"slices"
	"strings"
)

// MaxHistoryDays is how far back a store's history can be wanted.
const MaxHistoryDays = 3660

// DefaultHistoryDays is how much history a new store wants where nobody says otherwise.
const DefaultHistoryDays = 90

// slugForm is the form that the database takes too.
var slugForm = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?$`)

// takenSlugs are addresses of ours below /stores/, where a store's pages would be hidden.
var takenSlugs = []string{"new", "removed"}

// IsSlug reports whether a text can be a store's short name.
func IsSlug(s string) bool { return slugForm.MatchString(s) && !IsPage(s) }

// IsPage reports whether a short name is one of our own addresses.
func IsPage(s string) bool { return slices.Contains(takenSlugs, s) }

// IsTimezone reports whether a text is the IANA name of a clock. "Local" would be this machine's.
func IsTimezone(name string) bool {
	if name == "" || strings.EqualFold(name, "local") {
		return false
	}
	_, err := Zone(name)
	return err == nil
}
