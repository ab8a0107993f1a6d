package report

import "github.com/storeglass/storeglass/internal/locale"

// WindowLabel is the applied window in words: "9 – 15 Nov 2026 · 7 days · New York time · as reported".
func WindowLabel(l locale.Locale, p Provenance) string { return Tongue(l).WindowLabel(p) }

// WindowWords is the label in two parts: the dates, and what follows them. A
// number without a window has no dates.
func WindowWords(l locale.Locale, p Provenance) (dates, rest string) {
	return Tongue(l).windowWords(p)
}

// CoveredWords is "30 days", "29 of 30 days" or "part of a day".
func CoveredWords(l locale.Locale, p Provenance) string { return Tongue(l).Covered(p) }
