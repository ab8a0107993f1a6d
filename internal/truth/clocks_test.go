package truth

import (
	"testing"
	"time"
)

func TestMidnightsAndChangesOfClocksAreRight(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		kind kind
		eve  time.Time
	}{
		"New York goes back":     {newYork, time.Date(2026, 10, 31, 21, 0, 0, 0, time.UTC)},
		"New York goes forward":  {newYork, time.Date(2027, 3, 13, 21, 0, 0, 0, time.UTC)},
		"Lord Howe goes forward": {lordHowe, time.Date(2026, 10, 3, 7, 0, 0, 0, time.UTC)},
		"Lord Howe goes back":    {lordHowe, time.Date(2027, 4, 3, 7, 0, 0, 0, time.UTC)},
		"Tokyo ends a month":     {tokyo, time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHouse(t, c.eve)
			h.withoutDetails()
			l := h.lodge(c.kind, 9, reading{})
			h.sync(l)
			midnight := dayStart(l.today().AddDays(1), l.loc)
			for _, at := range []time.Duration{-10 * time.Minute, 2 * time.Minute, 25 * time.Minute, 3 * hour, 23*hour + 40*time.Minute, 25 * hour} {
				h.clock.to(midnight.Add(at))
				if at == 25*time.Minute {
					l.nightly = h.clock.Now()
				}
				h.sync(l)
				h.moment(l, name+" "+at.String())
			}
			h.nights(l, name)
		})
	}
}
