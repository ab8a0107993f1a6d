package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/golang-sql/civil"
	"golang.org/x/text/language"
)

// Tongue is a language that mails are written in. The zero one is English, which the
// pages are in too.
type Tongue int

// The tongues, in the order in which a form offers them.
const (
	English Tongue = iota
	German
	French
	Spanish
)

// tongue is how a language says things, and how it writes numbers and days, after CLDR.
type tongue struct {
	tag  language.Tag
	name string
	Words
	point, comma string
	// grouped is the least number of digits that are grouped.
	grouped int
	percent string
	// behind: the sign of a currency stands behind its amount.
	behind bool
	// thousands, millions and billions are short, on an axis.
	thousands, millions, billions string
	months                        [12]string
	weekdays                      [7]string
	// day stands behind the number of a day, of between a day, its month and its year, and
	// weekday between a weekday and its day.
	day, of, weekday string
	// from begins a range of days; to is between two days of one month, until of several.
	from, to, until string
}

var tongues = [...]tongue{
	English: {
		tag: language.English, name: "English", Words: english{},
		point: ".", comma: ",", grouped: 4, percent: "%", thousands: "k", millions: "m", billions: "b",
		months:   [12]string{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"},
		weekdays: [7]string{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"},
		of:       " ", weekday: " ", to: " – ", until: " – ",
	},
	German: {
		tag: language.German, name: "Deutsch", Words: german{},
		point: ",", comma: ".", grouped: 4, percent: "\u00a0%", behind: true, thousands: "\u00a0Tsd.", millions: "\u00a0Mio.", billions: "\u00a0Mrd.",
		months:   [12]string{"Jan.", "Feb.", "März", "Apr.", "Mai", "Juni", "Juli", "Aug.", "Sept.", "Okt.", "Nov.", "Dez."},
		weekdays: [7]string{"So.", "Mo.", "Di.", "Mi.", "Do.", "Fr.", "Sa."},
		day:      ".", of: " ", weekday: ", ", to: "–", until: " – ",
	},
	French: {
		tag: language.French, name: "Français", Words: french{},
		point: ",", comma: "\u202f", grouped: 4, percent: "\u00a0%", behind: true, thousands: "\u00a0k", millions: "\u00a0M", billions: "\u00a0Md",
		months:   [12]string{"janv.", "févr.", "mars", "avr.", "mai", "juin", "juil.", "août", "sept.", "oct.", "nov.", "déc."},
		weekdays: [7]string{"dim.", "lun.", "mar.", "mer.", "jeu.", "ven.", "sam."},
		of:       " ", weekday: " ", from: "du ", to: " au ", until: " au ",
	},
	Spanish: {
		tag: language.Spanish, name: "Español", Words: spanish{},
		point: ",", comma: ".", grouped: 5, percent: "\u00a0%", behind: true, thousands: "\u00a0mil", millions: "\u00a0M", billions: "\u00a0mil\u00a0M",
		months:   [12]string{"ene.", "feb.", "mar.", "abr.", "mayo", "jun.", "jul.", "ago.", "sept.", "oct.", "nov.", "dic."},
		weekdays: [7]string{"dom", "lun", "mar", "mié", "jue", "vie", "sáb"},
		of:       " de ", weekday: ", ", from: "del ", to: " al ", until: " al ",
	},
}

// MailLanguage is a language that mails are written in.
type MailLanguage struct{ Code, Name string }

// MailLanguages are all of them, each by its own name.
var MailLanguages = func() (all []MailLanguage) {
	for _, t := range tongues {
		all = append(all, MailLanguage{t.tag.String(), t.name})
	}
	return all
}()

// TongueOf is the tongue of a code, "de"; ok is false, and the tongue English, where
// there is none.
func TongueOf(code string) (t Tongue, ok bool) {
	i := slices.IndexFunc(tongues[:], func(t tongue) bool { return t.tag.String() == code })
	return Tongue(max(0, i)), i >= 0
}

// Code is the language's, for markup and headers: "de".
func (t Tongue) Code() string { return tongues[t].tag.String() }

// Words are what the language says.
func (t Tongue) Words() Words { return tongues[t].Words }

// Plural is "1 offer" or "5 offers", with separators.
func (t Tongue) Plural(n int64, one, many string) string {
	if n == 1 || n == 0 && t == French {
		return t.Count(n) + " " + one
	}
	return t.Count(n) + " " + many
}

// Day is a day without its year: "4 Nov", "4. Nov.".
func (t Tongue) Day(d civil.Date) string {
	return strconv.Itoa(d.Day) + tongues[t].day + tongues[t].of + tongues[t].months[d.Month-1]
}

// DayYear is a day with its year: "4 Nov 2026".
func (t Tongue) DayYear(d civil.Date) string { return t.Day(d) + tongues[t].of + strconv.Itoa(d.Year) }

// Weekday is a day with its name: "Mon 9 Nov", "Mo., 9. Nov.".
func (t Tongue) Weekday(d civil.Date) string { return t.weekday(d) + t.Day(d) }

// WeekdayNumber is short: "Mon 9", "Mo., 9.".
func (t Tongue) WeekdayNumber(d civil.Date) string {
	return t.weekday(d) + strconv.Itoa(d.Day) + tongues[t].day
}

func (t Tongue) weekday(d civil.Date) string {
	return tongues[t].weekdays[d.In(time.UTC).Weekday()] + tongues[t].weekday
}

// Dates is a window in words: "21 Oct – 19 Nov 2026", "30 Dec 2025 – 2 Jan 2026", "19 Nov 2026".
func (t Tongue) Dates(w Window) string {
	switch {
	case w.Start == w.End:
		return t.DayYear(w.End)
	case w.Start.Year != w.End.Year:
		return tongues[t].from + t.DayYear(w.Start) + tongues[t].until + t.DayYear(w.End)
	case w.Start.Month == w.End.Month:
		return t.from(w.Start) + t.DayYear(w.End)
	}
	return tongues[t].from + t.Day(w.Start) + tongues[t].until + t.DayYear(w.End)
}

// DatesShort are without the year: "21 Sep – 20 Oct".
func (t Tongue) DatesShort(w Window) string {
	switch {
	case w.Start == w.End:
		return t.Day(w.End)
	case w.Start.Year == w.End.Year && w.Start.Month == w.End.Month:
		return t.from(w.Start) + t.Day(w.End)
	}
	return tongues[t].from + t.Day(w.Start) + tongues[t].until + t.Day(w.End)
}

// DatesNear are without the year where today's is meant.
func (t Tongue) DatesNear(w Window, today civil.Date) string {
	if w.Start.Year == today.Year && w.End.Year == today.Year {
		return t.DatesShort(w)
	}
	return t.Dates(w)
}

// from begins a range that ends in the same month: "9 – ", "9.–", "du 9 au ".
func (t Tongue) from(d civil.Date) string {
	return tongues[t].from + strconv.Itoa(d.Day) + tongues[t].day + tongues[t].to
}

// DayList names days in words: "4 Nov", "23 Sep and 4 Nov", "1, 2 and 5 more days".
func (t Tongue) DayList(days []civil.Date) string {
	and := " " + t.Words().And() + " "
	switch len(days) {
	case 0:
		return ""
	case 1:
		return t.Day(days[0])
	case 2:
		return t.Day(days[0]) + and + t.Day(days[1])
	case 3:
		return t.Day(days[0]) + ", " + t.Day(days[1]) + and + t.Day(days[2])
	}
	return fmt.Sprintf("%s, %s%s%s", t.Day(days[0]), t.Day(days[1]), and, t.Words().MoreDays(len(days)-2))
}

// WindowLabel is the applied window in words: "9 – 15 Nov 2026 · 7 days · New York time · as reported".
func (t Tongue) WindowLabel(p Provenance) string {
	dates, rest := t.windowWords(p)
	return dates + rest
}

func (t Tongue) windowWords(p Provenance) (dates, rest string) {
	w := t.Words()
	if p.Window == nil {
		return "", w.NoWindow() + " · " + w.Basis(p.Basis)
	}
	return t.Dates(*p.Window), " · " + t.covered(p) + " · " + t.Clock(p.Timezone) + " · " + w.Basis(p.Basis)
}

// mailLabel is the label of a number in a mail: the window with what is doubtful about it.
func (t Tongue) mailLabel(p Provenance) string {
	return strings.Join(append([]string{t.WindowLabel(p)}, t.doubts(p)...), " · ")
}

// doubts are the flags of a number that may be off. A mail says the others in its own
// way: a label names the days counted, and notes below name what is old or changed.
func (t Tongue) doubts(p Provenance) (out []string) {
	for _, f := range p.Flags {
		switch f {
		case FlagPartial, FlagStale, FlagRevised, FlagCut, FlagNotReported, FlagMissingDays, FlagWindowDiffers, FlagCached, FlagUnknownValue, FlagRepaired:
		default:
			out = append(out, t.Words().Doubt(f))
		}
	}
	return out
}

// covered is "30 days", "29 of 30 days" or "part of a day".
func (t Tongue) covered(p Provenance) string {
	days := p.Window.Days()
	switch {
	case days == 1 && p.Has(FlagPartial):
		return t.Words().PartOfADay()
	case len(p.Missing) > 0:
		return t.Words().DaysOf(days-len(p.Missing), days)
	}
	return t.Words().Days(days)
}

// Clock names the clock of an IANA zone: "New York time", "UTC".
func (t Tongue) Clock(timezone string) string {
	if timezone == "" || timezone == "UTC" || strings.HasPrefix(timezone, "Etc/") {
		return "UTC"
	}
	return t.Words().TimeOf(t.city(timezone))
}

// Age says how long ago then was: "just now", "12 minutes ago", "3 hours ago", "9 days ago".
func (t Tongue) Age(now, then time.Time) string {
	if then.IsZero() {
		return t.Words().Never()
	}
	switch d := now.Sub(then); {
	case d < time.Minute:
		return t.Words().JustNow()
	case d < time.Hour:
		return t.Words().Ago(int(d/time.Minute), unitMinutes)
	case d < 48*time.Hour:
		return t.Words().Ago(int(d/time.Hour), unitHours)
	default:
		return t.Words().Ago(int(d/(24*time.Hour)), unitDays)
	}
}
