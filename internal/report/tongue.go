package report

import (
	"strings"
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/locale"
)

// Tongue is a language that mails are written in. The zero one is English, which the
// pages are in too.
type Tongue int

// The tongues, in the order in which a form offers them.
const (
	English = Tongue(locale.English)
	German  = Tongue(locale.German)
	French  = Tongue(locale.French)
	Spanish = Tongue(locale.Spanish)
)

// MailLanguage is a language that mails are written in.
type MailLanguage struct{ Code, Name string }

// MailLanguages are all of them, each by its own name.
var MailLanguages = func() (all []MailLanguage) {
	for _, l := range locale.All() {
		all = append(all, MailLanguage{l.Code(), l.Name()})
	}
	return all
}()

// TongueOf is the tongue of a code, "de"; ok is false, and the tongue English, where
// there is none.
func TongueOf(code string) (t Tongue, ok bool) {
	l, ok := locale.Of(code)
	return Tongue(l), ok
}

func (t Tongue) locale() locale.Locale { return locale.Locale(t) }

// Code is the language's, for markup and headers: "de".
func (t Tongue) Code() string { return t.locale().Code() }

// Plural is "1 offer" or "5 offers", with separators.
func (t Tongue) Plural(n int64, one, many string) string {
	if n == 1 {
		return t.Count(n) + " " + one
	}
	return t.Count(n) + " " + many
}

// Day is a day without its year: "4 Nov", "4. Nov.".
func (t Tongue) Day(d civil.Date) string { return t.locale().Day(d) }

// DayYear is a day with its year: "4 Nov 2026".
func (t Tongue) DayYear(d civil.Date) string { return t.locale().DayYear(d) }

// Weekday is a day with its name: "Mon 9 Nov", "Mo., 9. Nov.".
func (t Tongue) Weekday(d civil.Date) string { return t.locale().Weekday(d) }

// WeekdayNumber is short: "Mon 9", "Mo., 9.".
func (t Tongue) WeekdayNumber(d civil.Date) string { return t.locale().WeekdayNumber(d) }

// Dates is a window in words: "21 Oct – 19 Nov 2026", "30 Dec 2025 – 2 Jan 2026", "19 Nov 2026".
func (t Tongue) Dates(w Window) string { return t.locale().Dates(w.Start, w.End) }

// DatesShort are without the year: "21 Sep – 20 Oct".
func (t Tongue) DatesShort(w Window) string { return t.locale().DatesShort(w.Start, w.End) }

// DatesNear are without the year where today's is meant.
func (t Tongue) DatesNear(w Window, today civil.Date) string {
	return t.locale().DatesNear(w.Start, w.End, today)
}

// DayList names days in words: "4 Nov", "23 Sep and 4 Nov", "1, 2 and 5 more days".
func (t Tongue) DayList(days []civil.Date) string { return t.locale().DayList(days) }

// WindowLabel is the applied window in words: "9 – 15 Nov 2026 · 7 days · New York time · as reported".
func (t Tongue) WindowLabel(p Provenance) string {
	dates, rest := t.windowWords(p)
	return dates + rest
}

func (t Tongue) windowWords(p Provenance) (dates, rest string) {
	w := t.Words()
	if p.Window == nil {
		return "", w.T("provenance.no_window") + " · " + w.Basis(p.Basis)
	}
	return t.Dates(*p.Window), " · " + t.Covered(p) + " · " + t.Clock(p.Timezone) + " · " + w.Basis(p.Basis)
}

// MailLabel is the label of a number in a mail: the window with what is doubtful about it.
func (t Tongue) MailLabel(p Provenance) string {
	return strings.Join(append([]string{t.WindowLabel(p)}, t.Doubts(p)...), " · ")
}

// Doubts are the flags of a number that may be off. A mail says the others in its own
// way: a label names the days counted, and notes below name what is old or changed.
func (t Tongue) Doubts(p Provenance) (out []string) {
	for _, f := range p.Flags {
		switch f {
		case FlagPartial, FlagStale, FlagRevised, FlagCut, FlagNotReported, FlagMissingDays, FlagWindowDiffers, FlagCached, FlagUnknownValue, FlagRepaired:
		default:
			out = append(out, t.Words().Doubt(f))
		}
	}
	return out
}

// Covered is "30 days", "29 of 30 days" or "part of a day".
func (t Tongue) Covered(p Provenance) string {
	days := p.Window.Days()
	switch {
	case days == 1 && p.Has(FlagPartial):
		return t.Words().T("provenance.part_of_day")
	case len(p.Missing) > 0:
		return t.Words().T("provenance.days_of", "counted", days-len(p.Missing), "n", days)
	}
	return t.locale().Days(days)
}

// Clock names the clock of an IANA zone: "New York time", "UTC".
func (t Tongue) Clock(timezone string) string { return t.locale().Clock(timezone) }

// Age says how long ago then was: "just now", "12 minutes ago", "3 hours ago", "9 days ago".
func (t Tongue) Age(now, then time.Time) string { return t.locale().Age(now, then) }

// Money writes an amount with its currency's symbol and CLDR digits: "$49,975.83",
// "49.975,83 $".
func (t Tongue) Money(amount decimal.Decimal, code string) Figure {
	return t.locale().Money(amount, code)
}

// MoneyOrDash is Money, or "–" when there is no amount.
func (t Tongue) MoneyOrDash(amount *decimal.Decimal, code string) Figure {
	return t.locale().MoneyOrDash(amount, code)
}

// WholeMoney rounds to whole units of the currency: "$1,354", "1.354 $".
func (t Tongue) WholeMoney(amount decimal.Decimal, code string) string {
	return t.locale().WholeMoney(amount, code)
}

// Amount writes an amount without its symbol, for tables that name the code beside it.
func (t Tongue) Amount(amount decimal.Decimal, code string) Figure {
	return t.locale().Amount(amount, code)
}

// AxisMoney writes a round amount short: "$2.5k", "2,5 Tsd. $".
func (t Tongue) AxisMoney(amount decimal.Decimal, code string) string {
	return t.locale().AxisMoney(amount, code)
}

// Count writes a whole number with separators: "1,204,882", "1.204.882".
func (t Tongue) Count(n int64) string { return t.locale().Count(n) }

// Decimal writes a number as it was reported, with all of its decimals.
func (t Tongue) Decimal(d decimal.Decimal) string { return t.locale().Decimal(d) }

// Share writes a fraction as a percentage with one decimal: "14.3%", "14,3 %"; "–"
// without one (N20).
func (t Tongue) Share(fraction *decimal.Decimal) Figure { return t.locale().Share(fraction) }

// Percent writes a number that is a percentage already, as reported: no second
// times hundred (N48). Without a number it is "–" (N47).
func (t Tongue) Percent(percent *decimal.Decimal) Figure { return t.locale().Percent(percent) }

// ComparePercents writes two numbers that are percentages already with as many
// decimals as tell them apart, and their difference in points: 3.44% was 3.42%, 0.02
// points higher.
func (t Tongue) ComparePercents(now, before decimal.Decimal) (is, was Figure, change Delta) {
	return t.locale().ComparePercents(now, before)
}

// Change compares two amounts; see the function of this name.
func (t Tongue) Change(now, before *decimal.Decimal) Delta { return t.locale().Change(now, before) }

// ChangeCount compares two counts: fewer orders, where an amount is less.
func (t Tongue) ChangeCount(now, before *int64) Delta { return t.locale().ChangeCount(now, before) }

// ChangePoints compares two fractions: the difference in percentage points.
func (t Tongue) ChangePoints(now, before *decimal.Decimal) Delta {
	return t.locale().ChangePoints(now, before)
}

// ReportedChange is a change the service gave; see the function of this name.
func (t Tongue) ReportedChange(percent *decimal.Decimal) Delta {
	return t.locale().ReportedChange(percent)
}

// ReportedCountChange is ReportedChange of a count.
func (t Tongue) ReportedCountChange(percent *decimal.Decimal) Delta {
	return t.locale().ReportedCountChange(percent)
}

// ReportedRateChange is the change of a reported rate in percentage points: its own change
// in percent would read as a second rate ("8.0%, 8.8% lower").
func (t Tongue) ReportedRateChange(m GiftMetric) Delta {
	if m.Value == nil || m.Previous == nil || m.ChangePercent == nil {
		d := t.ChangePoints(m.Value, nil)
		if m.Value != nil && m.ChangePercent == nil { // the window before was zero (N46)
			d = t.ReportedChange(nil)
		}
		return d
	}
	_, _, d := t.ComparePercents(*m.Value, *m.Previous)
	return d
}
