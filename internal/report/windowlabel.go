package report

import (
	"fmt"
)

// WindowLabel is the applied window in words: "9 – 15 Nov 2026 · 7 days · New York time · as reported".
func WindowLabel(p Provenance) string {
	dates, rest := WindowWords(p)
	return dates + rest
}

// WindowWords is the label in two parts: the dates, and what follows them. A
// number without a window has no dates.
func WindowWords(p Provenance) (dates, rest string) {
	basis := BasisWords(p.Basis)
	if p.Window == nil {
		return "", "no window · " + basis
	}
	return p.Window.Label(), " · " + CoveredWords(p) + " · " + ClockWords(p.Timezone) + " · " + basis
}

// CoveredWords is "30 days", "29 of 30 days" or "part of a day".
func CoveredWords(p Provenance) string {
	days := p.Window.Days()
	switch {
	case days == 1 && p.Has(FlagPartial):
		return "part of a day"
	case len(p.Missing) > 0:
		return fmt.Sprintf("%d of %s", days-len(p.Missing), DaysWord(days))
	}
	return DaysWord(days)
}
