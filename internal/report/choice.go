package report

import (
	"net/url"
	"slices"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/locale"
)

// Preset is a named window, as in the picker and `?window=`.
type Preset string

// The presets. "last n days" end yesterday; today is partial, so it has a preset of its own.
const (
	Last7       Preset = "last_7_days"
	Last30      Preset = "last_30_days"
	Last90      Preset = "last_90_days"
	Yesterday   Preset = "yesterday"
	TodayOnly   Preset = "today"
	WeekToDate  Preset = "week_to_date"
	LastWeek    Preset = "last_week"
	MonthToDate Preset = "month_to_date"
	LastMonth   Preset = "last_month"
	// QuarterToDate and LastQuarter begin with January, April, July or October.
	QuarterToDate Preset = "quarter_to_date"
	LastQuarter   Preset = "last_quarter"
	AllTime       Preset = "all"
	Custom        Preset = "custom"
)

// PresetChoice is a named window in the picker. Bar is true for those in the page's bar; the rest are
// in the panel for custom windows.
type PresetChoice struct {
	Preset Preset
	Bar    bool
}

// Presets lists the named windows in the picker's order.
var Presets = []PresetChoice{
	{Last7, true}, {Last30, true}, {Last90, true}, {MonthToDate, true}, {LastMonth, true},
	{Yesterday, false}, {TodayOnly, false}, {WeekToDate, false}, {LastWeek, false},
	{QuarterToDate, false}, {LastQuarter, false}, {AllTime, false},
}

// calendarWindow is a preset's week, month or quarter: the last whole one, or the current one up to
// yesterday. ok is false on the first day of the current one, which has no whole day yet.
func calendarWindow(p Preset, today civil.Date) (w Window, ok bool) {
	first := today
	switch p {
	case WeekToDate, LastWeek:
		first = ByWeek.Around(today).Start
	case MonthToDate, LastMonth:
		first.Day = 1
	case QuarterToDate, LastQuarter:
		first.Day, first.Month = 1, first.Month-(first.Month-1)%3
	}
	switch p {
	case LastWeek:
		return WindowEnding(first.AddDays(-1), 7), true
	case LastMonth:
		return periodBefore(first, 1), true
	case LastQuarter:
		return periodBefore(first, 3), true
	}
	return Window{first, today.AddDays(-1)}, first != today
}

// periodBefore returns the given number of months ending right before first, the first of a month.
func periodBefore(first civil.Date, months int) Window {
	start := civil.DateOf(time.Date(first.Year, first.Month-time.Month(months), 1, 0, 0, 0, 0, time.UTC))
	return Window{start, first.AddDays(-1)}
}

// WholeMonths is 1 for a calendar month, 3 for a quarter, and 0 for any other window. A "last n days"
// window that happens to span a month doesn't count.
func (c Choice) WholeMonths() int {
	after := c.Window.End.AddDays(1)
	switch {
	case after.Day != 1 || c.Preset != LastMonth && c.Preset != LastQuarter && c.Preset != Custom:
		return 0
	case c.Window == periodBefore(after, 1):
		return 1
	case c.Window == periodBefore(after, 3) && after.Month%3 == 1:
		return 3
	}
	return 0
}

// Comparison is what a window is compared with, as in `?compare=`.
type Comparison string

const (
	ComparePrevious Comparison = "previous"
	CompareWeekday  Comparison = "weekday"
	CompareYear     Comparison = "year"
	// CompareYearWeekday is 52 weeks earlier, so the weekdays match.
	CompareYearWeekday Comparison = "year_weekday"
	CompareNone        Comparison = "none"
)

// Comparisons lists the comparisons in the picker's order.
var Comparisons = []Comparison{ComparePrevious, CompareWeekday, CompareYear, CompareYearWeekday, CompareNone}

// Choice is what someone chose in the picker: the window, its name, and what to compare it with. It
// lives in the URL.
type Choice struct {
	Preset     Preset
	Window     Window
	Comparison Comparison
	// Against is the comparison window; nil when nothing is compared.
	Against *Window
	// LeftOut is the current day, if the preset would include it; it's partial, so it isn't counted.
	LeftOut *civil.Date
	// Today is the store's current day at the time of the request.
	Today civil.Date
	// Group is what each point of the trend covers.
	Group Group
}

// ChoiceError is a window that can't be requested, with a message for the user.
type ChoiceError struct {
	Field  string
	Reason locale.Message
	// Start and End are the days of a custom window, as typed.
	Start, End string
}

func (e *ChoiceError) Error() string { return e.Field + ": " + e.Reason.In(locale.English) }

// MaxWindowDays bounds a custom window: ten years.
const MaxWindowDays = 3660

// ParseChoice reads `?window=`, `?start=&end=`, `?compare=` and `?group=` on the store's clock. first
// is the first stored day (for "all"), or the zero date when nothing is stored. The default is the last
// 30 days against the 30 before. Errors are *ChoiceError.
func ParseChoice(q url.Values, now time.Time, loc *time.Location, first civil.Date) (Choice, error) {
	today := Today(now, loc)
	yesterday := today.AddDays(-1)
	c := Choice{Today: today, Preset: Preset(q.Get("window")), Comparison: Comparison(q.Get("compare"))}
	start, end := q.Get("start"), q.Get("end")
	if c.Preset == "" || c.Preset == Custom {
		c.Preset = Last30
		if start != "" || end != "" {
			c.Preset = Custom
		}
	} else if start != "" || end != "" {
		return c, &ChoiceError{Field: "window", Reason: locale.M("choice.both")}
	}
	switch c.Preset {
	case Last7:
		c.Window = WindowEnding(yesterday, 7)
	case Last30:
		c.Window = WindowEnding(yesterday, 30)
	case Last90:
		c.Window = WindowEnding(yesterday, 90)
	case Yesterday:
		c.Window = OneDay(yesterday)
	case TodayOnly:
		c.Window = OneDay(today)
	case WeekToDate, MonthToDate, QuarterToDate:
		var whole bool
		c.Window, whole = calendarWindow(c.Preset, today)
		c.LeftOut = &today
		if !whole { // only its partial first day has begun
			c.Window, c.LeftOut = OneDay(today), nil
		}
	case LastWeek, LastMonth, LastQuarter:
		c.Window, _ = calendarWindow(c.Preset, today)
	case AllTime:
		if !first.IsValid() || first.After(yesterday) {
			first = yesterday
		}
		c.Window = Window{first, yesterday}
	case Custom:
		w, wrong := parseCustom(start, end, today)
		if wrong != nil {
			wrong.Start, wrong.End = start, end
			return c, wrong
		}
		if w.End == today && w.Start != today { // never mix the partial day into whole ones
			w.End, c.LeftOut = yesterday, &today
		}
		c.Window = w
	default:
		return c, &ChoiceError{Field: "window", Reason: locale.M("choice.window", "name", string(c.Preset))}
	}
	if c.Group = Group(q.Get("group")); c.Group == "" {
		c.Group = usualGroup(c.Window)
	} else if !slices.Contains(Groups, c.Group) {
		return c, &ChoiceError{Field: "group", Reason: locale.M("choice.group", "name", string(c.Group))}
	}
	return c.Compared()
}

func parseCustom(start, end string, today civil.Date) (Window, *ChoiceError) {
	s, err := civil.ParseDate(start)
	if err != nil || !s.IsValid() {
		return Window{}, &ChoiceError{Field: "start", Reason: locale.M("choice.first_day")}
	}
	e, err := civil.ParseDate(end)
	if err != nil || !e.IsValid() {
		return Window{}, &ChoiceError{Field: "end", Reason: locale.M("choice.last_day")}
	}
	w := Window{s, e}
	switch {
	case e.Before(s):
		return w, &ChoiceError{Field: "end", Reason: locale.M("choice.backwards")}
	case e.After(today):
		return w, &ChoiceError{Field: "end", Reason: locale.M("choice.future", "today", locale.Day{Date: today, Year: true})}
	case w.Days() > MaxWindowDays:
		return w, &ChoiceError{Field: "start", Reason: locale.M("choice.long", "n", MaxWindowDays)}
	}
	return w, nil
}

// usual is the default comparison. "All" has nothing before it, and the partial day would always be
// lower than a whole one (N27).
func (c Choice) usual() Comparison {
	if c.Preset == AllTime || c.Window.End == c.Today {
		return CompareNone
	}
	return ComparePrevious
}

func (c Choice) Compared() (Choice, error) {
	if c.Comparison == "" {
		c.Comparison = c.usual()
	}
	var against Window
	switch c.Comparison {
	case ComparePrevious:
		against = c.Window.Previous()
		if months := c.WholeMonths(); months > 0 { // a month is compared with the month before it
			against = periodBefore(c.Window.Start, months)
		}
	case CompareWeekday: // the nearest earlier window that starts on the same weekday without overlapping
		shift := (c.Window.Days() + 6) / 7 * 7
		against = Window{c.Window.Start.AddDays(-shift), c.Window.End.AddDays(-shift)}
	case CompareYear:
		against = Window{yearEarlier(c.Window.Start), yearEarlier(c.Window.End)}
		if c.WholeMonths() > 0 { // to the month's last day, even if that is 29 Feb
			against.End = yearEarlier(c.Window.End.AddDays(1)).AddDays(-1)
		}
	case CompareYearWeekday:
		against = Window{c.Window.Start.AddDays(-yearOfWeeks), c.Window.End.AddDays(-yearOfWeeks)}
	case CompareNone:
		return c, nil
	default:
		return c, &ChoiceError{Field: "compare", Reason: locale.M("choice.comparison", "name", string(c.Comparison))}
	}
	c.Against = &against
	return c, nil
}

// yearOfWeeks is 52 weeks in days.
const yearOfWeeks = 364

// yearEarlier is the same calendar day a year before; 29 Feb becomes 28 Feb.
func yearEarlier(d civil.Date) civil.Date {
	e := civil.Date{Year: d.Year - 1, Month: d.Month, Day: d.Day}
	if !e.IsValid() {
		e.Day = 28
	}
	return e
}

// Query is the choice as query parameters, without defaults.
func (c Choice) Query() url.Values {
	q := url.Values{}
	switch c.Preset {
	case Last30:
	case Custom:
		end := c.Window.End
		if c.LeftOut != nil {
			end = *c.LeftOut
		}
		q.Set("start", c.Window.Start.String())
		q.Set("end", end.String())
	default:
		q.Set("window", string(c.Preset))
	}
	if c.Comparison != "" && c.Comparison != c.usual() {
		q.Set("compare", string(c.Comparison))
	}
	if c.Group != "" && c.Group != usualGroup(c.Window) {
		q.Set("group", string(c.Group))
	}
	return q
}

// EndingOn is the choice for the same number of days, ending on another day.
func (c Choice) EndingOn(last civil.Date) Choice {
	c.Window = WindowEnding(last, c.Window.Days())
	c.LeftOut = nil
	c, _ = c.Compared() // the comparison parsed fine before, so it does here
	return c
}
