package weekly

import (
	"time"

	"github.com/golang-sql/civil"
)

// Week is the seven days that a mail is about, identified by the first.
type Week struct{ First civil.Date }

// LastWeek is the newest week that ended before today.
func LastWeek(begins time.Weekday, today civil.Date) Week {
	return Week{onOrAfter(today.AddDays(-13), begins)}
}

// Last is the week's last day.
func (w Week) Last() civil.Date { return w.First.AddDays(6) }

// Next is the first later week that begins on that weekday: seven days later, unless weeks
// begin on a different weekday now.
func (w Week) Next(begins time.Weekday) Week {
	return Week{onOrAfter(w.First.AddDays(7), begins)}
}

// Slot is the hour of the week at which a reader wants the mail.
type Slot struct {
	Weekday time.Weekday
	Hour    int
}

// Due is the first such hour after the week ends, in local time. If clocks go back over that
// hour, it is the earlier one; if they skip it, the first moment after it.
func (s Slot) Due(w Week, loc *time.Location) time.Time {
	return moment(onOrAfter(w.Last().AddDays(1), s.Weekday), s.Hour, loc)
}

// Calendar says when a subscription's mails are due.
type Calendar struct {
	Slot
	// Begins is the weekday that weeks begin on.
	Begins   time.Weekday
	Location *time.Location
	// Since is when the subscription began: mails due earlier aren't sent.
	Since time.Time
}

// Owed lists the weeks whose mail is due now, oldest first. last is the newest week found
// earlier; nil if there is none. Called again with the newest week it returned, it returns
// nothing, so each week is found once, whenever and however often it is called.
func (c Calendar) Owed(last *Week, now time.Time) []Week {
	var next Week
	if last != nil {
		next = last.Next(c.Begins)
	} else {
		// The mail of this week was due before Since in every time zone.
		for next = (Week{onOrAfter(civil.DateOf(c.Since).AddDays(-21), c.Begins)}); c.Due(next, c.Location).Before(c.Since); {
			next = next.Next(c.Begins)
		}
	}
	var owed []Week
	for ; !c.Due(next, c.Location).After(now); next = next.Next(c.Begins) {
		owed = append(owed, next)
	}
	return owed
}

func onOrAfter(day civil.Date, weekday time.Weekday) civil.Date {
	return day.AddDays((int(weekday-day.In(time.UTC).Weekday()) + 7) % 7)
}

// moment is when a clock shows the hour on that day; see [Slot.Due].
func moment(day civil.Date, hour int, loc *time.Location) time.Time {
	shown := time.Date(day.Year, day.Month, day.Day, hour, 0, 0, 0, time.UTC)
	// The offsets before and after any clock change around then.
	before := shown.Add(-offset(shown.Add(-36*time.Hour), loc))
	after := shown.Add(-offset(shown.Add(36*time.Hour), loc))
	if before.After(after) {
		before, after = after, before
	}
	for _, t := range []time.Time{before, after} {
		if offset(t, loc) == shown.Sub(t) {
			return t.In(loc)
		}
	}
	_, change := before.In(loc).ZoneBounds()
	return change
}

func offset(t time.Time, loc *time.Location) time.Duration {
	_, seconds := t.In(loc).Zone()
	return time.Duration(seconds) * time.Second
}
