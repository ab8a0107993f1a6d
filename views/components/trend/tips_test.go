package trend

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/overview"
	"github.com/storeglass/storeglass/views/components/chart"
)

func november(day int) civil.Date { return civil.Date{Year: 2026, Month: 11, Day: day} }

func TestATipSaysWhatIsComparedAndWhatIsNot(t *testing.T) {
	t.Parallel()
	point := func(day int, value string) overview.DayPoint {
		p := overview.DayPoint{Day: november(day)}
		if value != "" {
			v, orders := decimal.RequireFromString(value), int64(12)
			p.Stored, p.Value, p.Orders = true, &v, &orders
		}
		return p
	}
	today := point(13, "5.00")
	today.Partial = true
	against := report.Window{Start: november(1), End: november(3)}
	week := point(2, "700.00")
	week.Until, week.DaysCounted, week.DaysOf = &civil.Date{Year: 2026, Month: 11, Day: 8}, 7, 7
	panel := Panel{Now: time.Date(2026, 11, 13, 9, 0, 0, 0, time.UTC), Names: Upsold, Trend: overview.Trend{
		Currency: "USD", Days: []overview.DayPoint{point(10, "1679.76"), point(11, ""), point(12, "90.10")},
		Against: []overview.DayPoint{point(1, "2676.65"), point(2, "10.00"), point(3, "")}, AgainstWindow: &against, Today: &today,
		Marks: []report.Mark{{Day: november(12), Name: "{now|Socks}</script>"}}, Notes: []report.DayNote{{Start: november(11), End: november(12), Text: "Newsletter"}},
	}}
	weeks := panel
	weeks.Trend.Days, weeks.Trend.Today = []overview.DayPoint{week, week}, nil
	for name, c := range map[string]struct {
		panel Panel
		at    int
		want  chart.Tip
	}{
		"two weekdays": {panel, 0, chart.Tip{Title: "Tuesday 10 November 2026", Rows: []chart.TipRow{
			{Tone: chart.TipNow, Name: "These dates, Tue 10 Nov", Value: "$1,679.76"}, {Tone: chart.TipThen, Name: "Compared with Sun 1 Nov", Value: "$2,676.65"},
			{Tone: chart.TipBad, Name: "Difference", Value: "−$996.89"},
		}, Notes: []string{"A Tuesday against a Sunday.", "Both as reported by the app."}}},
		"a gap": {panel, 1, chart.Tip{Title: "Wednesday 11 November 2026", Rows: []chart.TipRow{
			{Tone: chart.TipNow, Name: "These dates, Wed 11 Nov", Value: "missing"}, {Tone: chart.TipThen, Name: "Compared with Mon 2 Nov", Value: "$10.00"},
			{Name: "Difference", Value: "not compared"},
		}, Notes: []string{"A Wednesday against a Monday.", "Note: Newsletter"}}},
		"no day to compare with, and a name that looks like markup": {panel, 2, chart.Tip{Title: "Thursday 12 November 2026", Rows: []chart.TipRow{
			{Tone: chart.TipNow, Name: "These dates, Thu 12 Nov", Value: "$90.10"}, {Tone: chart.TipThen, Name: "Compared with Tue 3 Nov", Value: "missing"},
			{Name: "Difference", Value: "not compared"},
		}, Notes: []string{"A Thursday against a Tuesday.", "As reported by the app.", "Note: Newsletter", "\u2068{now|Socks}</script>\u2069 ended"}}},
		"today": {panel, 3, chart.Tip{Title: "Friday 13 November 2026", Rows: []chart.TipRow{
			{Tone: chart.TipNow, Name: "These dates, Fri 13 Nov", Value: "$5.00 so far"},
		}, Notes: []string{"The day isn’t over, so it isn’t counted."}}},
		"a week": {weeks, 0, chart.Tip{Title: "2 – 8 Nov", Rows: []chart.TipRow{
			{Tone: chart.TipNow, Name: "These dates, 2 – 8 Nov", Value: "$700.00"}, {Tone: chart.TipThen, Name: "Compared with Sun 1 Nov", Value: "$2,676.65"},
			{Tone: chart.TipBad, Name: "Difference", Value: "−$1,976.65"},
		}, Notes: []string{"Added up from daily data."}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := c.panel.chart(locale.English).Views[0].Tip(c.at)
			if got.Title != c.want.Title || !slices.Equal(got.Rows, c.want.Rows) || !slices.Equal(got.Notes, c.want.Notes) {
				t.Errorf("got  %+v\nwant %+v", got, c.want)
			}
		})
	}
}

func TestAGoalIsNamedBesideThePictureThatDrawsIt(t *testing.T) {
	t.Parallel()
	panel := Panel{Now: time.Date(2026, 11, 13, 9, 0, 0, 0, time.UTC), Names: Upsold, Trend: overview.Trend{
		Currency: "USD", Goals: []overview.DailyGoal{{PerDay: decimal.NewFromInt(40), Orders: true, Start: november(1), End: november(30)}},
		Days: []overview.DayPoint{{Day: november(10)}, {Day: november(11)}},
	}}
	var b strings.Builder
	if err := Show(panel).Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), `<span data-picture="orders" hidden>`) {
		t.Error("the chart of values names a goal of orders, which it doesn't draw")
	}
	panel.Trend.Goals[0].Orders = false
	b.Reset()
	if err := Show(panel).Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), `<span data-picture="value">`) {
		t.Error("the chart of values doesn't name its goal")
	}
}

func TestLongNamesOfWeeksHaveRoomUnderTheAxis(t *testing.T) {
	t.Parallel()
	weeks := slices.Repeat([]overview.DayPoint{{Day: november(2), Until: new(november(8))}}, 53)
	for name, want := range map[string]int{"Nov 2026": 8, "2 – 8 Nov": 8, "26 Oct – 1 Nov": 4, "12 – 18 Jan 2026": 3, "12.–18. Jan. 2026": 2} {
		if got := len(ticks(weeks, slices.Repeat([]string{name}, len(weeks)))); got != want {
			t.Errorf("%q is one of %d names, want %d", name, got, want)
		}
	}
}

func TestAWeekThatLacksDaysIsNoDrop(t *testing.T) {
	t.Parallel()
	week := func(day, counted int, value int64) overview.DayPoint {
		v, orders := decimal.NewFromInt(value), value
		return overview.DayPoint{Day: november(day), Until: new(november(day + 6)), Stored: true, DaysCounted: counted, DaysOf: 7, Value: &v, Orders: &orders}
	}
	panel := Panel{Now: time.Date(2026, 11, 29, 9, 0, 0, 0, time.UTC), Names: Upsold, Trend: overview.Trend{
		Currency: "USD", Days: []overview.DayPoint{week(1, 7, 700), week(8, 7, 710), week(15, 2, 200)},
		Against: []overview.DayPoint{week(1, 7, 600), week(8, 1, 90), week(15, 2, 150)}, AgainstWindow: &report.Window{},
	}}
	drawn := map[chart.LineStyle]string{}
	view := panel.chart(locale.English).Views[0]
	for _, line := range view.Lines {
		for _, v := range line.Values {
			if v == nil {
				drawn[line.Style] += "- "
			} else {
				drawn[line.Style] += v.String() + " "
			}
		}
	}
	want := map[chart.LineStyle]string{chart.Now: "700 710 - ", chart.Today: "- 710 200 ", chart.Then: "600 - 150 "}
	if !maps.Equal(drawn, want) {
		t.Errorf("drawn %q, want %q", drawn, want)
	}
	for at, want := range []string{"+$100.00", "not compared", "+$50.00"} {
		if rows := view.Tip(at).Rows; rows[len(rows)-1].Value != want {
			t.Errorf("week %d: the tip says %+v, want %q", at, rows, want)
		}
	}
	if d := view.Dots; len(d) != 1 || d[0].At != 2 || !d[0].Hollow {
		t.Errorf("dots %v, want a hollow one at the week that lacks days", d)
	}
}
