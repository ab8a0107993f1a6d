package report

// WindowLabel is the applied window in words: "9 – 15 Nov 2026 · 7 days · New York time · as reported".
func WindowLabel(p Provenance) string { return English.WindowLabel(p) }

// WindowWords is the label in two parts: the dates, and what follows them. A
// number without a window has no dates.
func WindowWords(p Provenance) (dates, rest string) { return English.windowWords(p) }

// CoveredWords is "30 days", "29 of 30 days" or "part of a day".
func CoveredWords(p Provenance) string { return English.covered(p) }
