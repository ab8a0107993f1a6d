package components

import (
	"strings"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
)

// Source is a number with its provenance, which its icon opens.
type Source struct {
	// ID is unique on the page.
	ID string
	// Label names the number: "Upsold value".
	Label string
	// Value is the number in words; Code its currency's code or another unit, may be empty.
	Value, Code string
	// Field is the name of the value in the service's reply; may be empty.
	Field string
	// Kind says how a stitched number was made.
	Kind SourceKind
	P    report.Provenance
	// Gaps are the stored days' gaps that the nightly check could not compare.
	Gaps []civil.Date
	// Key names the provenance among the page's, for "Copy as JSON"; if empty, there is no such
	// button.
	Key string
	// Reply is the address of the raw reply; may be empty.
	Reply string
	Now   time.Time
}

// SourceKind is how stitched numbers are made.
type SourceKind int

const (
	Additive SourceKind = iota // summed over days
	Rate                       // recomputed from summed parts, never averaged
	Series                     // one value per day, nothing summed
)

// BasisName is the basis as a heading: "Reported".
func BasisName(l locale.Locale, b report.Basis) string { return l.T("basis.name." + string(b)) }

// basisSentence explains the basis in a sentence or two.
func (s Source) basisSentence(l locale.Locale) string {
	p := s.P
	switch p.Basis {
	case report.Reported:
		if p.Window == nil {
			return l.T("basis.reported_without_window")
		}
		return l.T("basis.reported")
	case report.Derived:
		return l.T("basis.derived")
	case report.NotReported:
		return l.T("basis.not_reported")
	}
	days := p.Replies
	if p.Window != nil {
		days = p.Window.Days() - len(p.Missing)
	}
	out := make([]string, 0, 3)
	switch s.Kind {
	case Rate:
		out = append(out, l.T("basis.rate", "n", days))
	case Series:
		out = append(out, l.T("basis.series", "n", days))
	default:
		out = append(out, l.T("basis.sum", "n", days))
	}
	if n := len(p.Missing); n > 0 {
		named := MissingWords(l, p.Missing, civil.DateOf(s.Now))
		switch s.Kind {
		case Rate:
			out = append(out, l.T("basis.missing_left_out", "n", n, "days", named))
		case Series:
			out = append(out, l.T("basis.missing_gap", "n", n, "days", named))
		default:
			out = append(out, l.T("basis.missing_higher", "n", n, "days", named))
		}
	}
	if n := len(p.Cut); n > 0 {
		out = append(out, l.T("basis.cut", "n", n, "days", MissingWords(l, p.Cut, civil.DateOf(s.Now))))
	}
	return strings.Join(out, " ")
}

// windowNote follows the window's dates: "30 days, both ends included".
func (s Source) windowNote(l locale.Locale) string {
	switch days := s.P.Window.Days(); {
	case days > 1:
		return l.T("source.days_inclusive", "n", days)
	case s.P.Has(report.FlagPartial):
		return l.T("source.part_of_a_day")
	}
	return l.Days(1)
}

// asked says what was asked for, and a note if something else was applied.
func (s Source) asked(l locale.Locale) (text, note string) {
	p := s.P
	switch {
	case p.Asked == nil:
		return "", ""
	case p.LeftOut != nil:
		return l.Dates(p.Asked.Start, *p.LeftOut), " · " + l.T("window.today_left_out")
	case p.Window != nil && *p.Asked == *p.Window:
		return l.T("source.same_dates"), ""
	}
	return l.Dates(p.Asked.Start, p.Asked.End), " · " + l.T("source.other_window")
}

func (s Source) clock(l locale.Locale) string {
	switch clock := l.Clock(s.P.Timezone); s.P.TimezoneFrom {
	case "store":
		return l.T("source.clock_of_store", "clock", clock)
	case "gift":
		return l.T("source.clock_of_gift", "clock", clock)
	default:
		return clock
	}
}

// fetched says when the replies came, and how long ago.
func (s Source) fetched(l locale.Locale) (text, note string) {
	first, last := s.P.FetchedAt, s.P.FetchedLast
	if first.IsZero() {
		first = last
	}
	if last.IsZero() {
		last = first
	}
	switch {
	case first.IsZero():
		return l.T("age.never"), ""
	case last.Sub(first) < time.Minute:
		return Stamp(l, last, s.Now), " · " + l.Age(s.Now, last)
	}
	return l.T("source.between", "first", stampShort(l, first, s.Now), "last", stampShort(l, last, s.Now)), ""
}

func (s Source) checked(l locale.Locale) string {
	c := s.P.Check
	switch {
	case c == nil || !c.Agrees && !c.Final && c.Missing > 0: // compared again when its days are there
		return ""
	case !c.Agrees && c.Final && c.Missing > 0:
		return l.T("source.not_comparable", "n", c.Missing)
	case !c.Agrees && c.Final:
		return l.T("source.disagrees_finally", "stored", l.Decimal(c.Stitched), "service", l.Decimal(c.Reported))
	case !c.Agrees:
		return l.T("source.disagrees", "stored", l.Decimal(c.Stitched), "service", l.Decimal(c.Reported))
	case c.Missing == 0:
		return l.T("source.all_agree", "n", c.Days)
	}
	agree := l.T("source.agree", "agreeing", c.Days, "n", c.Days+c.Missing)
	gaps := s.P.Missing
	if len(gaps) == 0 {
		gaps = s.Gaps
	}
	if len(gaps) == c.Missing {
		return agree + " " + l.T("source.missing_not_comparable", "n", c.Missing, "days", MissingWords(l, gaps, civil.DateOf(s.Now)))
	}
	return agree + " " + l.T("source.not_comparable", "n", c.Missing)
}

type flagWords struct{ kind, text string }

// flagKinds are the badges of the doubts that a source shows; flags left out are shown
// elsewhere.
var flagKinds = map[report.Flag]string{
	report.FlagPartial: "warn", report.FlagStale: "warn", report.FlagCut: "", report.FlagWindowDiffers: "warn", report.FlagChanged: "warn",
	report.FlagDrift: "warn", report.FlagCached: "", report.FlagRateDisagrees: "warn", report.FlagUnknownValue: "", report.FlagUnproven: "warn", report.FlagIncomplete: "warn",
}

// flags are the doubts as badges.
func (s Source) flags(l locale.Locale) []flagWords {
	var out []flagWords
	p := s.P
	if p.Source != "" {
		out = append(out, flagWords{"line", l.T("source.source", "source", p.Source)})
	}
	for _, f := range p.Flags {
		if kind, shown := flagKinds[f]; shown {
			out = append(out, flagWords{kind, l.T("source.flag." + string(f))})
		}
	}
	if n := len(p.Missing); n > 0 {
		out = append(out, flagWords{"warn", l.T("source.days_missing", "n", n)})
	} else if c := p.Check; c != nil && c.Missing > 0 {
		out = append(out, flagWords{"warn", l.T("source.days_unchecked", "n", c.Missing)})
	}
	if p.Repaired > 0 {
		out = append(out, flagWords{"", l.T("source.days_filled_in", "n", p.Repaired)})
	}
	if p.Revised > 0 {
		out = append(out, flagWords{"", l.T("source.days_revised", "n", p.Revised)})
	}
	return out
}

// FootWords is the applied window in one line.
func FootWords(l locale.Locale, p report.Provenance) string {
	dates, rest := p.Words(l)
	return dates + rest
}
