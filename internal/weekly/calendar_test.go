package weekly

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/golang-sql/civil"
)

func zone(t *testing.T, name string) *time.Location {
	t.Helper()
	loc, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return loc
}

func day(t *testing.T, text string) civil.Date {
	t.Helper()
	d, err := civil.ParseDate(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestAMailIsDueAtItsHourOnItsClockWhateverClocksDo(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		says, zone, week string
		weekday          time.Weekday
		hour             int
		want             string
	}{
		{"a usual Monday", "America/New_York", "2026-11-09", time.Monday, 8, "2026-11-16T08:00:00-05:00"},
		{"midnight right after the week", "America/New_York", "2026-11-09", time.Monday, 0, "2026-11-16T00:00:00-05:00"},
		{"the last day that it can be", "Asia/Tokyo", "2026-11-09", time.Sunday, 23, "2026-11-22T23:00:00+09:00"},
		{"the hour that is left out in spring", "America/New_York", "2026-03-02", time.Sunday, 2, "2026-03-15T02:00:00-04:00"},
		{"on the day that leaves it out", "America/New_York", "2026-02-23", time.Sunday, 2, "2026-03-08T03:00:00-04:00"},
		{"the hour that comes twice in autumn", "America/New_York", "2026-10-19", time.Sunday, 1, "2026-11-01T01:00:00-04:00"},
		{"half an hour that is left out", "Australia/Lord_Howe", "2026-09-21", time.Sunday, 2, "2026-10-04T02:30:00+11:00"},
		{"a midnight that is left out", "Africa/Cairo", "2026-04-13", time.Friday, 0, "2026-04-24T01:00:00+03:00"},
		{"a day that is left out", "Pacific/Apia", "2011-12-19", time.Friday, 9, "2011-12-31T00:00:00+14:00"},
		{"a leap day", "Europe/Berlin", "2028-02-21", time.Tuesday, 7, "2028-02-29T07:00:00+01:00"},
	} {
		got := Slot{c.weekday, c.hour}.Due(Week{day(t, c.week)}, zone(t, c.zone)).Format(time.RFC3339)
		if got != c.want {
			t.Errorf("%s: due %s, want %s", c.says, got, c.want)
		}
	}
}

func TestWhatWasDueBeforeASubscriptionBeganIsNotOwed(t *testing.T) {
	t.Parallel()
	c := Calendar{Slot: Slot{time.Monday, 8}, Begins: time.Monday, Location: zone(t, "Europe/Berlin")}
	at := func(text string) time.Time {
		parsed, err := time.ParseInLocation("2006-01-02 15:04", text, c.Location)
		if err != nil {
			t.Fatal(err)
		}
		return parsed
	}
	c.Since = at("2026-11-16 08:01")
	if got := c.Owed(nil, at("2026-11-23 07:59")); len(got) != 0 {
		t.Errorf("owed before the first is due: %v", got)
	}
	got := c.Owed(nil, at("2026-11-23 08:00"))
	if len(got) != 1 || got[0].First != day(t, "2026-11-16") {
		t.Errorf("owed: %v, want the week of 16 Nov", got)
	}
}

// thirtyZones have every kind of clock change: none, both hemispheres, half hours, at
// midnight, around Ramadan, and by decree.
var thirtyZones = []string{
	"UTC", "America/New_York", "America/Los_Angeles", "America/St_Johns", "America/Sao_Paulo", "America/Asuncion", "America/Santiago", "America/Havana",
	"America/Mexico_City", "America/Nuuk", "Atlantic/Azores", "Europe/London", "Europe/Dublin", "Europe/Berlin", "Europe/Kyiv", "Europe/Istanbul",
	"Africa/Cairo", "Africa/Casablanca", "Africa/Johannesburg", "Asia/Beirut", "Asia/Gaza", "Asia/Tehran", "Asia/Kolkata", "Asia/Kathmandu", "Asia/Tokyo",
	"Australia/Lord_Howe", "Australia/Sydney", "Pacific/Apia", "Pacific/Chatham", "Pacific/Kiritimati",
}

// Ten years with five hundred outages, doubled ticks, and late ticks from another process.
// The shop moves to another time zone and changes its hour. Each week gets exactly one
// mail, never early.
func TestTenYearsOfOutagesOweEachWeekOnce(t *testing.T) {
	t.Parallel()
	from, until := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	mails := 0
	for seed, name := range thirtyZones {
		r := rand.New(rand.NewPCG(uint64(seed), 5))
		const step = 15 * time.Minute
		down := make([]bool, until.Sub(from)/step)
		for i := range 500 {
			// Most last hours, some of them across a due hour; a few last weeks.
			lasts := time.Duration(r.ExpFloat64() * float64(12*time.Hour))
			if i%50 == 0 {
				lasts = time.Duration(r.IntN(40)) * 24 * time.Hour
			}
			begins := r.IntN(len(down))
			for at := begins; at < min(begins+int(lasts/step)+1, len(down)); at++ {
				down[at] = true
			}
		}
		c := Calendar{
			Slot: Slot{time.Weekday(r.IntN(7)), r.IntN(24)}, Begins: time.Weekday(r.IntN(7)), Location: zone(t, name),
			Since: from.Add(time.Duration(r.IntN(1000)) * time.Hour),
		}
		rows := map[civil.Date]bool{}
		var last *Week
		tick := func(now time.Time) {
			for _, w := range c.Owed(last, now) {
				if rows[w.First] {
					t.Fatalf("%s: the week of %s is owed twice", name, w.First)
				}
				if due := c.Due(w, c.Location); due.After(now) || due.Before(c.Since) {
					t.Fatalf("%s: the week of %s is owed at %s and due at %s", name, w.First, now, due)
				}
				if last != nil && w.First != last.First.AddDays(7) {
					t.Fatalf("%s: behind the week of %s comes that of %s", name, last.First, w.First)
				}
				rows[w.First], last = true, &w
				mails++
			}
		}
		moves := 0
		for now := c.Since; now.Before(until); now = now.Add(step) {
			if down[now.Sub(from)/step] {
				continue
			}
			tick(now)
			switch {
			case r.IntN(1000) == 0:
				tick(now.Add(-time.Duration(r.IntN(120)) * time.Minute)) // another process's clock
			case r.IntN(40_000) == 0:
				c.Location = zone(t, thirtyZones[r.IntN(len(thirtyZones))])
				c.Slot = Slot{time.Weekday(r.IntN(7)), r.IntN(24)}
				moves++
			}
		}
		first := Week{}
		for w := range rows {
			if first.First.IsZero() || w.Before(first.First) {
				first.First = w
			}
		}
		for w := first; !c.Due(w, c.Location).After(until.Add(-60 * 24 * time.Hour)); w = w.Next(c.Begins) {
			if !rows[w.First] {
				t.Errorf("%s: the week of %s got no mail", name, w.First)
			}
		}
		if len(rows) < 510 || moves == 0 {
			t.Errorf("%s: %d weeks, %d moves: the simulation shows too little", name, len(rows), moves)
		}
	}
	t.Logf("%d zones, 500 outages each: %d mails", len(thirtyZones), mails)
}
