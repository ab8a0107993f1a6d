// Package stores is what a person says and sees of a store itself: its forms, its two
// services and whether they are connected.
package stores

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
)

// MaxHistoryDays is how far back a store's history can be wanted.
const MaxHistoryDays = 3660

// DefaultHistoryDays is how much history a new store wants where nobody says otherwise.
const DefaultHistoryDays = 90

// maxName bounds a store's name, in characters.
const maxName = 100

// Form is what a person says about a store of theirs.
type Form struct {
	// Slug is the short name in addresses; it can't be changed later.
	Slug string
	// Name is shown on pages.
	Name string
	// Timezone is the store's clock as an IANA name.
	Timezone string
	// HistoryDays is how many past days are wanted.
	HistoryDays int
}

// Wrong says what is wrong with each field, by its name, and what to write instead;
// empty when nothing is.
func (f Form) Wrong() map[string]string {
	wrong := map[string]string{}
	switch {
	case IsPage(f.Slug):
		wrong["slug"] = fmt.Sprintf("“%s” is an address of Storeglass itself. Choose another.", f.Slug)
	case !IsSlug(f.Slug):
		wrong["slug"] = "Use a to z, 0 to 9 and dashes, at most 64, such as north-shop."
	}
	for field, reason := range f.WrongWithoutSlug() {
		wrong[field] = reason
	}
	return wrong
}

// WrongWithoutSlug is Wrong for a store that has its short name.
func (f Form) WrongWithoutSlug() map[string]string {
	wrong := map[string]string{}
	switch {
	case strings.TrimSpace(f.Name) == "":
		wrong["name"] = "Write the name that pages show."
	case utf8.RuneCountInString(f.Name) > maxName:
		wrong["name"] = fmt.Sprintf("Write at most %d characters.", maxName)
	case !utf8.ValidString(f.Name), strings.ContainsFunc(f.Name, unicode.IsControl):
		wrong["name"] = "Write it in letters that can be shown."
	}
	if !report.IsTimezone(f.Timezone) {
		wrong["timezone"] = "Choose the store’s clock: its days begin and end by it."
	}
	if f.HistoryDays < 1 || f.HistoryDays > MaxHistoryDays {
		wrong["history_days"] = fmt.Sprintf("Write a number from 1 to %s.", locale.English.Count(MaxHistoryDays))
	}
	return wrong
}

// slugForm is the form that the database takes too.
var slugForm = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?$`)

// takenSlugs are addresses of ours below /stores/, where a store's pages would be hidden.
var takenSlugs = []string{"new", "removed"}

// IsSlug reports whether a text can be a store's short name.
func IsSlug(s string) bool { return slugForm.MatchString(s) && !IsPage(s) }

// IsPage reports whether a short name is one of our own addresses.
func IsPage(s string) bool { return slices.Contains(takenSlugs, s) }
