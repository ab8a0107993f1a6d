package overview_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/storeglass/storeglass/internal/report/overview"

	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/reporttest"
)

// daysOf are whole days of a window, each with 2 of 8 orders upsold for 10; the indexes in missing
// aren't stored.
func daysOf(w report.Window, missing ...int) (days []overview.DayPoint) {
	for d := range w.All() {
		days = append(days, overview.DayPoint{Day: d, Stored: true, Value: new(decimal.NewFromInt(10)), Orders: new(int64(2)), TotalOrders: new(int64(8)), Views: new(int64(100)), Currency: "USD"})
	}
	for _, n := range missing {
		days[n] = overview.DayPoint{Day: days[n].Day}
	}
	return days
}

func TestAWeekOrMonthAddsUpItsDaysAndNamesTheMissingOnes_N1_N2(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		group   report.Group
		from    string
		until   string
		missing []int
		want    string
	}{
		"days stay":              {report.ByDay, "2026-11-18", "2026-11-19", nil, "2026-11-18 10 2/8; 2026-11-19 10 2/8"},
		"weeks from Monday":      {report.ByWeek, "2026-11-11", "2026-11-24", nil, "2026-11-11..2026-11-15 5 of 7: 50 10/40; 2026-11-16..2026-11-22 7 of 7: 70 14/56; 2026-11-23..2026-11-24 2 of 7: 20 4/16"},
		"a Sunday alone":         {report.ByWeek, "2026-11-15", "2026-11-16", nil, "2026-11-15..2026-11-15 1 of 7: 10 2/8; 2026-11-16..2026-11-16 1 of 7: 10 2/8"},
		"a week over New Year":   {report.ByWeek, "2026-12-28", "2027-01-03", nil, "2026-12-28..2027-01-03 7 of 7: 70 14/56"},
		"months":                 {report.ByMonth, "2028-01-31", "2028-03-01", nil, "2028-01-31..2028-01-31 1 of 31: 10 2/8; 2028-02-01..2028-02-29 29 of 29: 290 58/232; 2028-03-01..2028-03-01 1 of 31: 10 2/8"},
		"a missing day":          {report.ByWeek, "2026-11-16", "2026-11-22", []int{2}, "2026-11-16..2026-11-22 6 of 7: 60 12/48 without 2026-11-18"},
		"a week that is missing": {report.ByWeek, "2026-11-14", "2026-11-16", []int{0, 1}, "2026-11-14..2026-11-15 0 of 7: missing without 2026-11-14 2026-11-15; 2026-11-16..2026-11-16 1 of 7: 10 2/8"},
	} {
		trend := overview.Trend{Days: daysOf(reporttest.Span(c.from, c.until), c.missing...), Today: &overview.DayPoint{}}.Grouped(c.group)
		var got []string
		for _, p := range trend.Days {
			line := p.Day.String()
			if p.Until != nil {
				line += fmt.Sprintf("..%s %d of %d:", p.Last(), p.DaysCounted, p.DaysOf)
			}
			if p.Stored {
				line += fmt.Sprintf(" %s %d/%d", p.Value, *p.Orders, *p.TotalOrders)
				if p.Until != nil && (!p.SuccessRate.Equal(decimal.RequireFromString("0.25")) || !p.Average.Equal(decimal.NewFromInt(5)) || *p.Views != int64(100*p.DaysCounted)) {
					t.Errorf("%s: rate %s, average %s, views %d", name, p.SuccessRate, p.Average, *p.Views)
				}
			} else {
				line += " missing"
				if p.Value != nil || p.Orders != nil || p.TotalOrders != nil || p.Views != nil || p.SuccessRate != nil || p.Average != nil {
					t.Errorf("%s: a week without any day has numbers: %+v", name, p)
				}
			}
			if len(p.Missing) > 0 {
				line += " without"
			}
			for _, d := range p.Missing {
				line += " " + d.String()
			}
			got = append(got, line)
		}
		reporttest.Equal(t, name, strings.Join(got, "; "), c.want)
		reporttest.Equal(t, name+": today is drawn", trend.Today != nil, c.group == report.ByDay)
	}
}

// Part of a week is compared with the same number of days, not with a whole week.
func TestAPointIsComparedWithAsManyDays(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		group                      report.Group
		from, until, before, ended string
		want                       string
	}{
		"a part of a week":       {report.ByWeek, "2026-11-11", "2026-11-18", "2026-11-03", "2026-11-10", "2026-11-03..2026-11-07 5 of 5; 2026-11-08..2026-11-10 3 of 3"},
		"fewer days than beside": {report.ByWeek, "2026-11-11", "2026-11-18", "2026-11-03", "2026-11-09", "2026-11-03..2026-11-07 5 of 5; 2026-11-08..2026-11-09 2 of 3"},
		"whole months":           {report.ByMonth, "2026-11-01", "2026-11-30", "2026-10-01", "2026-10-31", "2026-10-01..2026-10-31 31 of 31"},
		"beside a Monday":        {report.ByWeek, "2026-11-11", "2026-11-15", "2026-11-02", "2026-11-06", "2026-11-02..2026-11-06 5 of 5"},
		"beside a Tuesday":       {report.ByWeek, "2026-11-16", "2026-11-22", "2026-11-03", "2026-11-09", "2026-11-03..2026-11-09 7 of 7"},
		"whole weeks":            {report.ByWeek, "2026-11-16", "2026-11-22", "2026-11-09", "2026-11-15", "2026-11-09..2026-11-15 7 of 7"},
	} {
		trend := overview.Trend{Days: daysOf(reporttest.Span(c.from, c.until)), Against: daysOf(reporttest.Span(c.before, c.ended))}.Grouped(c.group)
		var got []string
		for _, p := range trend.Against {
			got = append(got, fmt.Sprintf("%s..%s %d of %d", p.Day, p.Last(), p.DaysCounted, p.DaysOf))
		}
		reporttest.Equal(t, name, strings.Join(got, "; "), c.want)
	}
}

func TestAFigureThatADayLacksIsLeftOutOfItsWeek(t *testing.T) {
	t.Parallel()
	days := daysOf(reporttest.Span("2026-11-16", "2026-11-22"))
	days[3].Views, days[4].TotalOrders = nil, nil
	p := overview.Trend{Days: days}.Grouped(report.ByWeek).Days[0]
	if p.Views != nil || p.TotalOrders != nil || p.SuccessRate != nil || p.Value == nil || p.Average == nil {
		t.Errorf("the week is %+v", p)
	}
	for name, lose := range map[string]func(*overview.DayPoint){"value": func(d *overview.DayPoint) { d.Value = nil }, "orders": func(d *overview.DayPoint) { d.Orders = nil }} {
		days := daysOf(reporttest.Span("2026-11-16", "2026-11-22"))
		lose(&days[3])
		p := overview.Trend{Days: days}.Grouped(report.ByWeek).Days[0]
		reporttest.Equal(t, "average of a week whose day lacks "+name, p.Average, (*decimal.Decimal)(nil))
		reporttest.Equal(t, "rate of a week whose day lacks "+name, p.SuccessRate != nil, name == "value")
	}
}

func TestAWeekIsAsOldAsTheOldestOfItsDays(t *testing.T) {
	t.Parallel()
	days := daysOf(reporttest.Span("2026-11-16", "2026-11-22"))
	for i := range days {
		days[i].FetchedAt = reporttest.Noon.AddDate(0, 0, -(i+2)%7)
	}
	reporttest.Equal(t, "age", overview.Trend{Days: days}.Grouped(report.ByWeek).Days[0].FetchedAt, reporttest.Noon.AddDate(0, 0, -6))
}
