package report

import (
	"strings"

	"github.com/storeglass/storeglass/internal/locale"
)

// In is the basis as a window's label words it.
func (b Basis) In(l locale.Locale) string {
	switch b {
	case Reported, Stitched, Derived:
	default:
		b = NotReported
	}
	return l.T("provenance.basis." + string(b))
}

// Words is the label of the applied window in two parts: the dates and what follows them: "9 – 15 Nov
// 2026", " · 7 days · New York time · as reported". Without a window there are no dates.
func (p Provenance) Words(l locale.Locale) (dates, rest string) {
	if p.Window == nil {
		return "", l.T("provenance.no_window") + " · " + p.Basis.In(l)
	}
	return l.Dates(p.Window.Start, p.Window.End), " · " + p.Covered(l) + " · " + l.Clock(p.Timezone) + " · " + p.Basis.In(l)
}

// MailLabel labels a number in a mail: its window and any doubts about it.
func (p Provenance) MailLabel(l locale.Locale) string {
	dates, rest := p.Words(l)
	return strings.Join(append([]string{dates + rest}, p.Doubts(l)...), " · ")
}

// Doubts are the flags that say a number may be off. Mails show the other flags elsewhere: the label
// gives the days counted, and notes below say what is old or changed.
func (p Provenance) Doubts(l locale.Locale) (out []string) {
	for _, f := range p.Flags {
		switch f {
		case FlagPartial, FlagStale, FlagRevised, FlagCut, FlagNotReported, FlagMissingDays, FlagWindowDiffers, FlagCached, FlagUnknownValue, FlagRepaired:
			continue
		case FlagChanged, FlagDrift, FlagRateDisagrees, FlagIncomplete:
		default:
			f = "checking"
		}
		out = append(out, l.T("provenance.doubt."+string(f)))
	}
	return out
}

// Covered is "30 days", "29 of 30 days" or "part of a day".
func (p Provenance) Covered(l locale.Locale) string {
	days := p.Window.Days()
	switch {
	case days == 1 && p.Has(FlagPartial):
		return l.T("provenance.part_of_day")
	case len(p.Missing) > 0:
		return l.T("provenance.days_of", "counted", days-len(p.Missing), "n", days)
	}
	return l.Days(days)
}
