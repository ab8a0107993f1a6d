package report_test

import (
	"errors"
	"net/url"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/reporttest"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/locale"
)

// parse parses a choice at a moment in a time zone.
func parse(t *testing.T, query, zone, at, first string) (report.Choice, error) {
	t.Helper()
	q, err := url.ParseQuery(query)
	if err != nil {
		t.Fatal(err)
	}
	loc, err := report.Zone(zone)
	if err != nil {
		t.Fatal(err)
	}
	now, err := time.Parse(time.RFC3339, at)
	if err != nil {
		t.Fatal(err)
	}
	var day civil.Date
	if first != "" {
		day = reporttest.On(first)
	}
	return report.ParseChoice(q, now, loc, day)
}

func TestPresetsAreWholeDaysOfTheStoresClock_N23(t *testing.T) {
	t.Parallel()
	const newYork = "America/New_York"
	for name, c := range map[string]struct {
		query, zone, at, first string
		start, end             string
		leftOut                string
	}{
		"nothing chosen is the last 30 days": {"", newYork, "2026-11-20T17:00:00Z", "", "2026-10-21", "2026-11-19", ""},
		"custom without dates too":           {"window=custom", newYork, "2026-11-20T17:00:00Z", "", "2026-10-21", "2026-11-19", ""},
		"last 7":                             {"window=last_7_days", newYork, "2026-11-20T17:00:00Z", "", "2026-11-13", "2026-11-19", ""},
		"last 30":                            {"window=last_30_days", newYork, "2026-11-20T17:00:00Z", "", "2026-10-21", "2026-11-19", ""},
		"last 90 is start to start + 89":     {"window=last_90_days", newYork, "2026-11-20T17:00:00Z", "", "2026-08-22", "2026-11-19", ""},
		"yesterday":                          {"window=yesterday", newYork, "2026-11-20T17:00:00Z", "", "2026-11-19", "2026-11-19", ""},
		"today alone":                        {"window=today", newYork, "2026-11-20T17:00:00Z", "", "2026-11-20", "2026-11-20", ""},
		"month to date leaves today out":     {"window=month_to_date", newYork, "2026-11-20T17:00:00Z", "", "2026-11-01", "2026-11-19", "2026-11-20"},
		"month to date on the first":         {"window=month_to_date", newYork, "2026-11-01T17:00:00Z", "", "2026-11-01", "2026-11-01", ""},
		"month to date on the second":        {"window=month_to_date", newYork, "2026-11-02T17:00:00Z", "", "2026-11-01", "2026-11-01", "2026-11-02"},
		"last month":                         {"window=last_month", newYork, "2026-11-20T17:00:00Z", "", "2026-10-01", "2026-10-31", ""},
		"last month on the first":            {"window=last_month", newYork, "2026-12-01T17:00:00Z", "", "2026-11-01", "2026-11-30", ""},
		"last month in January":              {"window=last_month", newYork, "2027-01-31T17:00:00Z", "", "2026-12-01", "2026-12-31", ""},
		"last month is a leap February":      {"window=last_month", newYork, "2028-03-31T17:00:00Z", "", "2028-02-01", "2028-02-29", ""},
		"last month is a plain February":     {"window=last_month", newYork, "2027-03-30T17:00:00Z", "", "2027-02-01", "2027-02-28", ""},
		"week to date, on a Friday":          {"window=week_to_date", newYork, "2026-11-20T17:00:00Z", "", "2026-11-16", "2026-11-19", "2026-11-20"},
		"week to date, on a Sunday":          {"window=week_to_date", newYork, "2026-11-22T17:00:00Z", "", "2026-11-16", "2026-11-21", "2026-11-22"},
		"week to date, on a Monday":          {"window=week_to_date", newYork, "2026-11-16T17:00:00Z", "", "2026-11-16", "2026-11-16", ""},
		"last week, on a Monday":             {"window=last_week", newYork, "2026-11-16T17:00:00Z", "", "2026-11-09", "2026-11-15", ""},
		"last week over New Year":            {"window=last_week", newYork, "2027-01-06T17:00:00Z", "", "2026-12-28", "2027-01-03", ""},
		"quarter to date":                    {"window=quarter_to_date", newYork, "2026-11-20T17:00:00Z", "", "2026-10-01", "2026-11-19", "2026-11-20"},
		"last quarter":                       {"window=last_quarter", newYork, "2026-11-20T17:00:00Z", "", "2026-07-01", "2026-09-30", ""},
		"last quarter over New Year":         {"window=last_quarter", newYork, "2027-02-28T17:00:00Z", "", "2026-10-01", "2026-12-31", ""},
		"last 7 over a leap day":             {"window=last_7_days", newYork, "2028-03-03T17:00:00Z", "", "2028-02-25", "2028-03-02", ""},
		"all from the first stored day":      {"window=all", newYork, "2026-11-20T17:00:00Z", "2025-07-07", "2025-07-07", "2026-11-19", ""},
		"all with nothing stored":            {"window=all", newYork, "2026-11-20T17:00:00Z", "", "2026-11-19", "2026-11-19", ""},
		"all with today alone stored":        {"window=all", newYork, "2026-11-20T17:00:00Z", "2026-11-20", "2026-11-19", "2026-11-19", ""},
		"custom":                             {"start=2026-02-01&end=2026-03-03", newYork, "2026-11-20T17:00:00Z", "", "2026-02-01", "2026-03-03", ""},
		"custom of one day":                  {"start=2028-02-29&end=2028-02-29", newYork, "2028-11-20T17:00:00Z", "", "2028-02-29", "2028-02-29", ""},
		"custom to today leaves it out":      {"window=custom&start=2026-11-18&end=2026-11-20", newYork, "2026-11-20T17:00:00Z", "", "2026-11-18", "2026-11-19", "2026-11-20"},
		"custom of today alone":              {"start=2026-11-20&end=2026-11-20", newYork, "2026-11-20T17:00:00Z", "", "2026-11-20", "2026-11-20", ""},
		"custom of the longest span":         {"start=2016-11-12&end=2026-11-19", newYork, "2026-11-20T17:00:00Z", "", "2016-11-12", "2026-11-19", ""},

		"a second before midnight in New York": {"window=yesterday", newYork, "2026-11-21T04:59:59Z", "", "2026-11-19", "2026-11-19", ""},
		"midnight in New York":                 {"window=yesterday", newYork, "2026-11-21T05:00:00Z", "", "2026-11-20", "2026-11-20", ""},
		"New York's summer midnight":           {"window=yesterday", newYork, "2026-07-01T04:00:00Z", "", "2026-06-30", "2026-06-30", ""},
		"New York, the day of 23 hours":        {"window=last_7_days", newYork, "2026-03-09T03:59:59Z", "", "2026-03-01", "2026-03-07", ""},
		"New York, after it":                   {"window=last_7_days", newYork, "2026-03-09T04:00:00Z", "", "2026-03-02", "2026-03-08", ""},
		"New York, the day of 25 hours":        {"window=yesterday", newYork, "2026-11-02T04:59:59Z", "", "2026-10-31", "2026-10-31", ""},
		"New York, after that":                 {"window=yesterday", newYork, "2026-11-02T05:00:00Z", "", "2026-11-01", "2026-11-01", ""},
		"Berlin is ahead":                      {"window=today", "Europe/Berlin", "2026-11-20T23:00:00Z", "", "2026-11-21", "2026-11-21", ""},
		"Berlin, the day of 23 hours":          {"window=today", "Europe/Berlin", "2026-03-29T21:59:59Z", "", "2026-03-29", "2026-03-29", ""},
		"Berlin, after it":                     {"window=today", "Europe/Berlin", "2026-03-29T22:00:00Z", "", "2026-03-30", "2026-03-30", ""},
		"Berlin, the day of 25 hours":          {"window=today", "Europe/Berlin", "2026-10-25T22:59:59Z", "", "2026-10-25", "2026-10-25", ""},
		"Berlin, month to date on the first":   {"window=month_to_date", "Europe/Berlin", "2026-10-31T23:30:00Z", "", "2026-11-01", "2026-11-01", ""},
		"Tokyo is a day ahead of New York":     {"window=last_30_days", "Asia/Tokyo", "2026-11-20T17:00:00Z", "", "2026-10-22", "2026-11-20", ""},
		"Tokyo's midnight":                     {"window=today", "Asia/Tokyo", "2026-11-20T15:00:00Z", "", "2026-11-21", "2026-11-21", ""},
		"Sydney's spring":                      {"window=today", "Australia/Sydney", "2026-10-04T12:59:59Z", "", "2026-10-04", "2026-10-04", ""},
		"Sydney, after it":                     {"window=today", "Australia/Sydney", "2026-10-04T13:00:00Z", "", "2026-10-05", "2026-10-05", ""},
		"Sydney's last month at New Year":      {"window=last_month", "Australia/Sydney", "2026-12-31T13:00:00Z", "", "2026-12-01", "2026-12-31", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := parse(t, c.query, c.zone, c.at, c.first)
			if err != nil {
				t.Fatal(err)
			}
			if got.Window != reporttest.Span(c.start, c.end) {
				t.Errorf("window is %s to %s, want %s to %s", got.Window.Start, got.Window.End, c.start, c.end)
			}
			left := ""
			if got.LeftOut != nil {
				left = got.LeftOut.String()
			}
			if left != c.leftOut {
				t.Errorf("left out is %q, want %q", left, c.leftOut)
			}
		})
	}
}

func TestChoicesThatCantBeMadeSayWhy(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ query, field, reason string }{
		"unknown window":       {"window=fortnight", "window", "“fortnight” is not a window: use last_7_days, last_30_days, last_90_days, yesterday, today, week_to_date, last_week, month_to_date, last_month, quarter_to_date, last_quarter or all"},
		"window and dates":     {"window=last_7_days&start=2026-11-01", "window", "give either window or start and end, not both"},
		"no start":             {"end=2026-11-01", "start", "the first day must be a valid date, written YYYY-MM-DD"},
		"no end":               {"start=2026-11-01", "end", "the last day must be a valid date, written YYYY-MM-DD"},
		"start is no date":     {"start=1.11.2026&end=2026-11-01", "start", "the first day must be a valid date, written YYYY-MM-DD"},
		"end is no day":        {"start=2026-11-01&end=2026-11-31", "end", "the last day must be a valid date, written YYYY-MM-DD"},
		"no leap year":         {"start=2026-02-29&end=2026-03-01", "start", "the first day must be a valid date, written YYYY-MM-DD"},
		"reversed":             {"start=2026-11-02&end=2026-11-01", "end", "the last day is before the first"},
		"in the future":        {"start=2026-11-02&end=2026-11-21", "end", "the last day is in the future (today is 20 Nov 2026)"},
		"too long":             {"start=2016-11-11&end=2026-11-19", "start", "choose at most 3,660 days"},
		"unknown group":        {"group=year", "group", "“year” is not a group: use day, week or month"},
		"unknown comparison":   {"compare=spouse", "compare", "“spouse” is not a comparison: use previous, weekday, year, year_weekday or none"},
		"comparison of nobody": {"window=today&compare=None", "compare", "“None” is not a comparison: use previous, weekday, year, year_weekday or none"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := parse(t, c.query, "America/New_York", "2026-11-20T17:00:00Z", "")
			var wrong *report.ChoiceError
			if !errors.As(err, &wrong) {
				t.Fatalf("error is %v, want a ChoiceError", err)
			}
			if wrong.Field != c.field || wrong.Reason.In(locale.English) != c.reason {
				t.Errorf("got %q about %s, want %q about %s", wrong.Reason.In(locale.English), wrong.Field, c.reason, c.field)
			}
		})
	}
}

func TestComparisonsAreAsLongAndDoNotOverlap(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ query, start, end string }{
		"30 days: the 30 before":                      {"", "2026-09-21", "2026-10-20"},
		"90 days: the 90 before":                      {"window=last_90_days", "2026-05-24", "2026-08-21"},
		"a month by its dates: the month before":      {"start=2026-10-01&end=2026-10-31", "2026-09-01", "2026-09-30"},
		"a quarter by its dates: the quarter before":  {"start=2026-07-01&end=2026-09-30", "2026-04-01", "2026-06-30"},
		"three months that are no quarter":            {"start=2026-05-01&end=2026-07-31", "2026-01-29", "2026-04-30"},
		"three weeks that end with a quarter":         {"start=2026-09-10&end=2026-09-30", "2026-08-20", "2026-09-09"},
		"a month and a half":                          {"start=2026-10-01&end=2026-11-15", "2026-08-16", "2026-09-30"},
		"a quarter: the quarter before":               {"window=last_quarter", "2026-04-01", "2026-06-30"},
		"a month: the month before":                   {"window=last_month", "2026-09-01", "2026-09-30"},
		"month to date: as many days before":          {"window=month_to_date", "2026-10-13", "2026-10-31"},
		"30 days, same weekdays: 35 earlier":          {"compare=weekday", "2026-09-16", "2026-10-15"},
		"7 days, same weekdays: the 7 before":         {"window=last_7_days&compare=weekday", "2026-11-06", "2026-11-12"},
		"one day, same weekday":                       {"window=yesterday&compare=weekday", "2026-11-12", "2026-11-12"},
		"a year earlier":                              {"compare=year", "2025-10-21", "2025-11-19"},
		"a month: the whole month of the year before": {"window=last_month&compare=year", "2025-10-01", "2025-10-31"},
		"a year earlier, the same weekdays":           {"compare=year_weekday", "2025-10-22", "2025-11-20"},
		"a year before a leap day":                    {"start=2024-02-29&end=2024-02-29&compare=year", "2023-02-28", "2023-02-28"},
		"all can be compared when asked to":           {"window=all&compare=previous", "2026-11-18", "2026-11-18"},
		"today can be compared when asked to":         {"window=today&compare=weekday", "2026-11-13", "2026-11-13"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := parse(t, c.query, "America/New_York", "2026-11-20T17:00:00Z", "")
			if err != nil {
				t.Fatal(err)
			}
			if got.Against == nil || *got.Against != reporttest.Span(c.start, c.end) {
				t.Errorf("compared with %v, want %s to %s", got.Against, c.start, c.end)
			}
		})
	}
}

func TestThePartialDayAndAllDaysAreComparedWithNothing_N27(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ query, at string }{
		"nothing chosen":              {"compare=none", "2026-11-20T17:00:00Z"},
		"today":                       {"window=today", "2026-11-20T17:00:00Z"},
		"all":                         {"window=all", "2026-11-20T17:00:00Z"},
		"today as a custom window":    {"start=2026-11-20&end=2026-11-20", "2026-11-20T17:00:00Z"},
		"month to date, on the first": {"window=month_to_date", "2026-11-01T17:00:00Z"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := parse(t, c.query, "America/New_York", c.at, "")
			if err != nil {
				t.Fatal(err)
			}
			if got.Comparison != report.CompareNone || got.Against != nil {
				t.Errorf("compared with %s, %v; want nothing", got.Comparison, got.Against)
			}
		})
	}
}

func TestAChoiceComesBackFromItsAddress(t *testing.T) {
	t.Parallel()
	for _, query := range []string{
		"", "window=last_7_days", "window=last_90_days", "window=yesterday", "window=today", "window=month_to_date", "window=last_month",
		"window=all", "group=week", "start=2025-01-01&end=2026-11-19&group=day", "start=2026-11-01&end=2026-11-19", "start=2026-11-01&end=2026-11-20", "start=2026-11-20&end=2026-11-20",
	} {
		for _, compare := range []string{"", "previous", "weekday", "year", "year_weekday", "none"} {
			q := query
			if compare != "" {
				q += "&compare=" + compare
			}
			t.Run(q, func(t *testing.T) {
				t.Parallel()
				first := reporttest.Choose(t, q)
				again := reporttest.Choose(t, first.Query().Encode())
				reporttest.Equal(t, "the choice read from "+first.Query().Encode(), again, first)
			})
		}
	}
	reporttest.Equal(t, "the address of the default", reporttest.Choose(t, "window=last_30_days&compare=previous").Query().Encode(), "")
}

func TestThe30DaysThatHappenToBeAMonthAreComparedWithThe30Before_N74(t *testing.T) {
	t.Parallel()
	got, err := parse(t, "", "America/New_York", "2026-12-01T17:00:00Z", "")
	if err != nil || got.Window != reporttest.Span("2026-11-01", "2026-11-30") || *got.Against != reporttest.Span("2026-10-02", "2026-10-31") {
		t.Errorf("%v is compared with %v, %v", got.Window, got.Against, err)
	}
}

// A whole February is compared with a whole one, even if that one has a day more.
func TestAWholeMonthAYearEarlierEndsOnItsLastDay(t *testing.T) {
	t.Parallel()
	for at, want := range map[string]report.Window{"2029-03-20T17:00:00Z": reporttest.Span("2028-02-01", "2028-02-29"), "2028-03-20T17:00:00Z": reporttest.Span("2027-02-01", "2027-02-28")} {
		got, err := parse(t, "window=last_month&compare=year", "America/New_York", at, "")
		if err != nil || *got.Against != want {
			t.Errorf("at %s compared with %v, %v; want %v", at, got.Against, err, want)
		}
	}
}

func TestALongWindowIsGroupedUnlessAskedOtherwise(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]report.Group{
		"": report.ByDay, "start=2026-07-23&end=2026-11-19": report.ByDay, "start=2026-07-22&end=2026-11-19": report.ByWeek, "start=2025-10-16&end=2026-11-19": report.ByWeek,
		"start=2025-10-15&end=2026-11-19": report.ByMonth, "start=2025-10-15&end=2026-11-19&group=day": report.ByDay, "group=month": report.ByMonth,
	} {
		reporttest.Equal(t, query, reporttest.Choose(t, query).Group, want)
	}
}
