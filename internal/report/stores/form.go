// Package stores holds what people enter and see about a store itself: its forms, its two services and
// whether they are connected.
package stores

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
)

// MaxHistoryDays is the longest history a store can request.
const MaxHistoryDays = 3660

// DefaultHistoryDays is how much history a new store requests by default.
const DefaultHistoryDays = 90

// maxName is the maximum length of a store's name in characters.
const maxName = 100

// Form is what someone entered about their store.
type Form struct {
	// Slug is the short name in URLs; it can't be changed later.
	Slug string
	// Name is shown on pages.
	Name string
	// Timezone is the store's time zone as an IANA name.
	Timezone string
	// HistoryDays is how many past days to pull.
	HistoryDays int
}

// Wrong says in the reader's language what is wrong with each field and what to enter instead, keyed by
// field name; empty if nothing is wrong.
func (f Form) Wrong(l locale.Locale) map[string]string {
	wrong := map[string]string{}
	switch {
	case IsPage(f.Slug):
		wrong["slug"] = l.T("connect.wrong.slug_page", "slug", f.Slug)
	case !IsSlug(f.Slug):
		wrong["slug"] = l.T("connect.wrong.slug")
	}
	for field, reason := range f.WrongWithoutSlug(l) {
		wrong[field] = reason
	}
	return wrong
}

// WrongWithoutSlug is Wrong for a store that already has its slug.
func (f Form) WrongWithoutSlug(l locale.Locale) map[string]string {
	wrong := map[string]string{}
	switch {
	case strings.TrimSpace(f.Name) == "":
		wrong["name"] = l.T("connect.wrong.no_name")
	case utf8.RuneCountInString(f.Name) > maxName:
		wrong["name"] = l.T("connect.wrong.long_name", "n", maxName)
	case !utf8.ValidString(f.Name), strings.ContainsFunc(f.Name, unicode.IsControl):
		wrong["name"] = l.T("connect.wrong.odd_name")
	}
	if !report.IsTimezone(f.Timezone) {
		wrong["timezone"] = l.T("connect.wrong.zone")
	}
	if f.HistoryDays < 1 || f.HistoryDays > MaxHistoryDays {
		wrong["history_days"] = l.T("connect.wrong.history", "n", MaxHistoryDays)
	}
	return wrong
}

// Replacing says what is stored in each field that the form would change, keyed by field name.
func (f Form) Replacing(l locale.Locale, stored Form) map[string]string {
	wrong := map[string]string{}
	for field, values := range map[string][2]string{
		"name":         {f.Name, stored.Name},
		"timezone":     {f.Timezone, stored.Timezone},
		"history_days": {strconv.Itoa(f.HistoryDays), strconv.Itoa(stored.HistoryDays)},
	} {
		if values[0] != values[1] {
			wrong[field] = l.T("connect.wrong.changed", "now", locale.Name(values[1]))
		}
	}
	return wrong
}

// slugForm is also what the database accepts.
var slugForm = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?$`)

// takenSlugs are our own paths below /stores/, which would hide a store's pages.
var takenSlugs = []string{"new", "removed"}

// IsSlug reports whether the text can be a store's slug.
func IsSlug(s string) bool { return slugForm.MatchString(s) && !IsPage(s) }

// IsPage reports whether a slug is one of our own paths.
func IsPage(s string) bool { return slices.Contains(takenSlugs, s) }
