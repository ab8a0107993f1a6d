package report

import (
	"testing"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/report/reporttest/values"
)

func november(day int) civil.Date { return civil.Date{Year: 2026, Month: time.November, Day: day} }

func TestAWeekIsAwaitedToItsLastDayThatEndsInTimeOnTheStoresClock_N72(t *testing.T) {
	t.Parallel()
	week := Window{november(9), november(15)}
	york := func(day, hour int) time.Time { // in UTC, as the moment of a mail is
		return time.Date(2026, time.November, day, hour+5, 0, 0, 0, time.UTC)
	}
	pulled := UpsellPulls{Pulled: true}
	for name, c := range map[string]struct {
		pulls UpsellPulls
		zone  string
		until time.Time
		last  int // 0: nothing is awaited
	}{
		"without a limit":                {pulled, "America/New_York", time.Time{}, 15},
		"until Monday":                   {pulled, "America/New_York", york(16, 0), 15},
		"until a moment before":          {pulled, "America/New_York", york(16, 0).Add(-1), 14},
		"until the second day":           {pulled, "America/New_York", york(10, 0), 9},
		"until a moment before that":     {pulled, "America/New_York", york(10, 0).Add(-1), 0},
		"on a later clock":               {pulled, "Asia/Tokyo", york(15, 10), 15},
		"not pulled":                     {UpsellPulls{}, "America/New_York", time.Time{}, 0},
		"refused when the week began":    {UpsellPulls{Pulled: true, RefusedAt: york(9, 0)}, "America/New_York", time.Time{}, 15},
		"refused a moment before it":     {UpsellPulls{Pulled: true, RefusedAt: york(9, 0).Add(-1)}, "America/New_York", time.Time{}, 0},
		"on a clock that we do not know": {pulled, "Mars/Olympus", time.Time{}, 0},
	} {
		last, ok := c.pulls.Awaited(week, c.zone, c.until)
		values.Equal(t, name+": awaited", ok, c.last > 0)
		if ok {
			values.Equal(t, name+": last day", last, november(c.last))
		}
	}
}

func TestANumberLacksADayOnlyIfItIsAwaited_N1_N72(t *testing.T) {
	t.Parallel()
	until := func(day int, missing ...civil.Date) Provenance {
		return Provenance{Window: &Window{november(9), november(day)}, Missing: missing}
	}
	for name, c := range map[string]struct {
		p    Provenance
		want bool
	}{
		"without a window":           {Provenance{}, true},
		"ends the day before":        {until(13), true},
		"ends on the day":            {until(14), false},
		"part of a day":              {until(14).With(FlagPartial), true},
		"the day itself is missing":  {until(15, november(14)), true},
		"a later one is missing":     {until(15, november(15)), false},
		"an earlier and a later one": {until(15, november(10), november(15)), true},
	} {
		values.Equal(t, name, c.p.Lacks(november(14)), c.want)
	}
	values.Equal(t, "days that are not over yet", until(13).Ahead(Window{november(9), november(15)}), []civil.Date{november(14), november(15)})
}
