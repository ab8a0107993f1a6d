package report

import "github.com/storeglass/storeglass/internal/locale"

// WindowWords is the label in two parts: the dates, and what follows them. A
// number without a window has no dates.
func WindowWords(l locale.Locale, p Provenance) (dates, rest string) {
	return Tongue(l).windowWords(p)
}

// CoveredWords is "30 days", "29 of 30 days" or "part of a day".
func CoveredWords(l locale.Locale, p Provenance) string { return Tongue(l).Covered(p) }
