package overview_test

import (
	"testing"

	"github.com/storeglass/storeglass/internal/report/overview"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/report"
)

func TestALaneNamesTheFewDaysThatMatterAndCountsTheRest(t *testing.T) {
	t.Parallel()
	day := func(d int) civil.Date { return civil.Date{Year: 2026, Month: 11, Day: d} }
	start := func(d int, offers int64) report.Mark {
		return report.Mark{Day: day(d), Start: true, Name: "A", Offers: offers}
	}
	var busy []report.Mark
	for d := 1; d <= 20; d++ {
		busy = append(busy, start(d, 3))
	}
	busy[4].Offers = 9
	gift := report.Mark{Day: day(3), Gift: true, Name: "Mug"}
	cases := map[string]struct {
		marks []report.Mark
		// points are weeks; nil for days.
		points []overview.DayPoint
		named  []report.Event
		want   map[int]overview.LaneDay
		rest   int64
		on     *civil.Date
	}{
		"nothing happened": {want: map[int]overview.LaneDay{}},
		"all days where they are few": {
			marks: []report.Mark{start(9, 1), start(2, 5)},
			want:  map[int]overview.LaneDay{2: {Mark: start(2, 5)}, 9: {Mark: start(9, 1)}},
		},
		"one day is one mark": {
			marks: []report.Mark{start(3, 4), gift},
			want:  map[int]overview.LaneDay{3: {Mark: gift, More: 4}},
		},
		"one week is one mark": {
			marks:  []report.Mark{start(2, 1), start(3, 2), start(9, 1)},
			points: []overview.DayPoint{{Day: day(2), Until: new(day(8))}, {Day: day(9), Until: new(day(15))}},
			want:   map[int]overview.LaneDay{2: {Mark: start(2, 1), More: 2}, 9: {Mark: start(9, 1)}},
		},
		"named first, then campaigns, then the busiest day, then the newest": {
			marks: append(busy, gift),
			named: []report.Event{{Day: day(8), Name: "Kit"}},
			want: map[int]overview.LaneDay{
				8: {Mark: report.Mark{Day: day(8), Name: "Kit"}, More: 2}, 3: {Mark: gift, More: 3}, 5: {Mark: start(5, 9)},
				18: {Mark: start(18, 3)}, 19: {Mark: start(19, 3)}, 20: {Mark: start(20, 3)},
			},
			rest: 42,
		},
		"the rest of one day says which": {
			marks: []report.Mark{start(1, 1), start(2, 2), start(3, 3), start(4, 3), start(5, 3), start(6, 3), start(7, 3)},
			want: map[int]overview.LaneDay{
				2: {Mark: start(2, 2)}, 3: {Mark: start(3, 3)}, 4: {Mark: start(4, 3)}, 5: {Mark: start(5, 3)}, 6: {Mark: start(6, 3)}, 7: {Mark: start(7, 3)},
			},
			rest: 1, on: &civil.Date{Year: 2026, Month: 11, Day: 1},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			lane := overview.Trend{Marks: c.marks, Days: c.points}.Lane(c.named)
			if len(lane.Days) != len(c.want) || lane.Rest != c.rest || (lane.RestDay == nil) != (c.on == nil) || c.on != nil && *lane.RestDay != *c.on {
				t.Errorf("lane %+v, want %+v and a rest of %d on %v", lane, c.want, c.rest, c.on)
			}
			for i, d := range lane.Days {
				if d != c.want[d.Day.Day] {
					t.Errorf("%v is %+v, want %+v", d.Day, d, c.want[d.Day.Day])
				}
				if i > 0 && !d.Day.After(lane.Days[i-1].Day) {
					t.Errorf("%v stands after %v", d.Day, lane.Days[i-1].Day)
				}
			}
		})
	}
}
