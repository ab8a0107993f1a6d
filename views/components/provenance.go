package components

import (
	"strconv"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
)

// Source is a number with where it comes from: what its sign opens.
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
	// Within ends "Sum of 18 stored days…": " within this placement"; may be empty.
	Within string
	P      report.Provenance
	// Gaps are the stored days' gaps that the nightly check could not compare.
	Gaps []civil.Date
	// Key names the provenance among the page's, for "Copy as JSON"; empty offers none.
	Key string
	// Reply is the address of the raw reply; may be empty.
	Reply string
	Now   time.Time
}

// SourceKind is how stitched numbers are made.
type SourceKind int

// The kinds.
const (
	Additive SourceKind = iota // summed over days
	Rate                       // recomputed from summed parts, never averaged
	Series                     // one value a day, nothing summed
)

// BasisName is the basis as a heading: "Reported".
func BasisName(b report.Basis) string {
	switch b {
	case report.Reported:
		return "Reported"
	case report.Stitched:
		return "Stitched"
	case report.Derived:
		return "Derived"
	}
	return "Not reported"
}

func (s Source) signLabel() string {
	return "Where “" + s.Label + "” comes from: " + report.BasisWords(s.P.Basis)
}

// basisSentence explains the basis in a sentence or two.
func (s Source) basisSentence() string {
	p := s.P
	switch p.Basis {
	case report.Reported:
		if p.Window == nil {
			return "The service said this. It has no window."
		}
		return "The service said this for exactly this window. Nothing is added up here."
	case report.Derived:
		return "The day was missed. It was told afterwards: by what the next day’s reply says of the day before, or by the difference of two replies."
	case report.NotReported:
		return "The service leaves this value out. That is not zero."
	}
	days := p.Replies
	if p.Window != nil {
		days = p.Window.Days() - len(p.Missing)
	}
	stored := strconv.Itoa(days) + " stored days"
	if days == 1 {
		stored = "1 stored day"
	}
	var text string
	switch s.Kind {
	case Rate:
		text = "Recomputed from the parts of " + stored + s.Within + "; days are never averaged."
	case Series:
		return "One reply a day, " + stored + s.Within + "." + s.missingSentence(" It is a gap, not a zero.", " They are gaps, not zeros.")
	default:
		text = "Sum of " + stored + s.Within + "."
	}
	if s.Kind == Rate {
		return text + s.missingSentence("", "")
	}
	return text + s.missingSentence("", "")
}

func (s Source) missingSentence(one, many string) string {
	return s.gapsSentence(one, many) + s.cutSentence()
}

// cutSentence names the days whose ranking may lack offers.
func (s Source) cutSentence() string {
	switch len(s.P.Cut) {
	case 0:
		return ""
	case 1:
		return " The ranking of " + MissingWords(s.P.Cut, civil.DateOf(s.Now)) + " is cut and may lack offers."
	}
	return " The rankings of " + MissingWords(s.P.Cut, civil.DateOf(s.Now)) + " are cut and may lack offers."
}

func (s Source) gapsSentence(one, many string) string {
	n := len(s.P.Missing)
	if n == 0 {
		return ""
	}
	text := " " + MissingWords(s.P.Missing, civil.DateOf(s.Now)) + " " + IsAre(n) + " missing"
	switch {
	case s.Kind == Additive:
		return text + ", so the true value is higher."
	case s.Kind == Rate:
		return text + " and left out."
	case n == 1:
		return text + "." + one
	}
	return text + "." + many
}

// windowNote follows the window's dates: "30 days, both ends included".
func (s Source) windowNote() string {
	if days := s.P.Window.Days(); days > 1 {
		return locale.English.Days(days) + ", both ends included"
	}
	if s.P.Has(report.FlagPartial) {
		return "part of a day: it was not over when pulled"
	}
	return "1 day"
}

// asked says what was asked for, and a note when it was not what was applied.
func (s Source) asked() (text, note string) {
	p := s.P
	switch {
	case p.Asked == nil:
		return "", ""
	case p.LeftOut != nil:
		return report.Window{Start: p.Asked.Start, End: *p.LeftOut}.Label(), " · today left out, it is partial"
	case p.Window != nil && *p.Asked == *p.Window:
		return "the same dates", ""
	}
	return p.Asked.Label(), " · the service applied another window"
}

func (s Source) clock() string {
	text := locale.English.Clock(s.P.Timezone)
	switch s.P.TimezoneFrom {
	case "store":
		return text + ", from the store’s setting"
	case "gift":
		return text + ", from the gift service"
	}
	return text
}

// fetched says when the replies came, and how long ago.
func (s Source) fetched() (text, note string) {
	first, last := s.P.FetchedAt, s.P.FetchedLast
	if first.IsZero() {
		first = last
	}
	if last.IsZero() {
		last = first
	}
	switch {
	case first.IsZero():
		return "never", ""
	case last.Sub(first) < time.Minute:
		return stamp(last, s.Now), " · " + locale.English.Age(s.Now, last)
	}
	return "between " + stampShort(first, s.Now) + " and " + stampShort(last, s.Now), ""
}

func (s Source) checked() string {
	c := s.P.Check
	switch {
	case c == nil:
		return ""
	case !c.Agrees && c.Final && c.Missing > 0:
		return locale.English.Days(c.Missing) + " can’t be compared"
	case !c.Agrees && c.Final:
		return "stored days give " + locale.English.Decimal(c.Stitched) + ", the service " + locale.English.Decimal(c.Reported) + "; it can’t be asked for single days again"
	case !c.Agrees:
		return "stored days give " + locale.English.Decimal(c.Stitched) + ", the service " + locale.English.Decimal(c.Reported) + "; the days are pulled again"
	case c.Missing > 0:
		text := strconv.Itoa(c.Days) + " of " + strconv.Itoa(c.Days+c.Missing) + " stored days agree; "
		if gaps := s.gaps(); len(gaps) == c.Missing {
			return text + MissingWords(gaps, civil.DateOf(s.Now)) + " " + IsAre(c.Missing) + " missing and can’t be compared"
		}
		return text + locale.English.Days(c.Missing) + " can’t be compared"
	}
	return "all " + strconv.Itoa(c.Days) + " stored days agree"
}

func (s Source) gaps() []civil.Date {
	if len(s.P.Missing) > 0 {
		return s.P.Missing
	}
	return s.Gaps
}

type flagWords struct{ kind, text string }

// flags are the doubts as badges.
func (s Source) flags() []flagWords {
	var out []flagWords
	p := s.P
	if p.Source != "" {
		out = append(out, flagWords{"line", "source: " + p.Source})
	}
	for _, f := range p.Flags {
		switch f {
		case report.FlagPartial:
			out = append(out, flagWords{"warn", "part of a day"})
		case report.FlagStale:
			out = append(out, flagWords{"warn", "stale"})
		case report.FlagCut:
			out = append(out, flagWords{"", "list cut"})
		case report.FlagWindowDiffers:
			out = append(out, flagWords{"warn", "window differs"})
		case report.FlagChanged:
			out = append(out, flagWords{"warn", "days changed, updating"})
		case report.FlagDrift:
			out = append(out, flagWords{"warn", "days don’t agree"})
		case report.FlagCached:
			out = append(out, flagWords{"", "from the service’s cache"})
		case report.FlagRateDisagrees:
			out = append(out, flagWords{"warn", "rate disagrees with its parts"})
		case report.FlagUnknownValue:
			out = append(out, flagWords{"", "unknown label"})
		case report.FlagUnproven:
			out = append(out, flagWords{"warn", "being checked"})
		case report.FlagIncomplete:
			out = append(out, flagWords{"warn", "incomplete"})
		}
	}
	if n := len(p.Missing); n > 0 {
		out = append(out, flagWords{"warn", locale.English.Days(n) + " missing"})
	} else if c := p.Check; c != nil && c.Missing > 0 {
		out = append(out, flagWords{"warn", locale.English.Days(c.Missing) + " unchecked"})
	}
	if p.Repaired > 0 {
		out = append(out, flagWords{"", locale.English.Days(p.Repaired) + " repaired"})
	}
	if p.Revised > 0 {
		out = append(out, flagWords{"", locale.English.Days(p.Revised) + " revised"})
	}
	return out
}
