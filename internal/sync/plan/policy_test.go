package plan

import (
	"testing"
	"time"
)

func TestADayIsSettledAfterSevenDays_N27(t *testing.T) {
	t.Parallel()
	loc := zone(t, "America/New_York")
	for day, due := range map[string]string{
		"2026-11-20": "2026-11-20T18:00:00Z", // not over: in an hour
		"2026-11-19": "2026-11-21T05:20:00Z", // the next night
		"2026-11-14": "2026-11-21T05:20:00Z",
		"2026-11-13": "", // seven days old: never again
		"2026-11-12": "",
		"2025-07-07": "",
		"no day":     "",
	} {
		for _, kind := range []Kind{SummaryDay, StatsDay, TopDay} {
			got := ""
			if next := DueAgain(Pull{Kind: kind, Subject: day}, noon, loc); next != nil {
				got = next.UTC().Format(time.RFC3339)
			}
			if got != due {
				t.Errorf("%s of %s is due %q, want %q", kind, day, got, due)
			}
		}
	}
}

func TestDailyPullsAreDueTwentyMinutesAfterTheStoresMidnight(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ zone, fetched, due string }{
		"New York":                         {"America/New_York", "2026-11-20T17:00:00Z", "2026-11-21T05:20:00Z"},
		"a minute after midnight":          {"America/New_York", "2026-11-20T05:01:00Z", "2026-11-21T05:20:00Z"},
		"a second before it":               {"America/New_York", "2026-11-20T04:59:59Z", "2026-11-20T05:20:00Z"},
		"into the day of 23 hours":         {"America/New_York", "2026-03-07T17:00:00Z", "2026-03-08T05:20:00Z"},
		"out of the day of 23 hours":       {"America/New_York", "2026-03-08T17:00:00Z", "2026-03-09T04:20:00Z"},
		"out of the day of 25 hours":       {"America/New_York", "2026-11-01T17:00:00Z", "2026-11-02T05:20:00Z"},
		"Berlin, spring":                   {"Europe/Berlin", "2026-03-29T12:00:00Z", "2026-03-29T22:20:00Z"},
		"Berlin, autumn":                   {"Europe/Berlin", "2026-10-25T12:00:00Z", "2026-10-25T23:20:00Z"},
		"Tokyo":                            {"Asia/Tokyo", "2026-11-20T17:00:00Z", "2026-11-21T15:20:00Z"},
		"Sydney, spring":                   {"Australia/Sydney", "2026-10-04T01:00:00Z", "2026-10-04T13:20:00Z"},
		"Sydney, autumn":                   {"Australia/Sydney", "2026-04-05T01:00:00Z", "2026-04-05T14:20:00Z"},
		"Santiago, whose midnight is not":  {"America/Santiago", "2026-09-05T12:00:00Z", "2026-09-06T04:20:00Z"},
		"Santiago, an hour before":         {"America/Santiago", "2026-09-06T03:20:00Z", "2026-09-06T04:20:00Z"},
		"Santiago, whose 23:00 comes back": {"America/Santiago", "2026-04-04T12:00:00Z", "2026-04-05T04:20:00Z"},
		"Azores, whose midnight is not":    {"Atlantic/Azores", "2026-03-28T12:00:00Z", "2026-03-29T01:20:00Z"},
		"Apia, which skipped a whole day":  {"Pacific/Apia", "2011-12-29T20:00:00Z", "2011-12-30T10:20:00Z"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fetched, err := time.Parse(time.RFC3339, c.fetched)
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range []Pull{{Kind: SummaryWindow, Subject: "30"}, {Kind: OfferPage}, {Kind: GiftWindow, Subject: "7"}, {Kind: GiftCampaigns}} {
				next := DueAgain(p, fetched, zone(t, c.zone))
				if got := next.UTC().Format(time.RFC3339); got != c.due {
					t.Errorf("%s is due %s, want %s", p.Kind, got, c.due)
				}
			}
		})
	}
}

func TestHourlyPullsAreDueInAnHourAndAtMidnight(t *testing.T) {
	t.Parallel()
	loc := zone(t, "America/New_York")
	late := time.Date(2026, time.November, 21, 4, 40, 0, 0, time.UTC) // 23:40
	for _, kind := range []Kind{OfferCountNow, CoverageNow, LifetimeNow, GiftSetupHealth, GiftPlan, GiftToday} {
		if got := DueAgain(Pull{Kind: kind}, noon, loc); !got.Equal(noon.Add(time.Hour)) {
			t.Errorf("%s is due %s, want in an hour", kind, got)
		}
		if got := DueAgain(Pull{Kind: kind}, late, loc); !got.Equal(late.Add(40 * time.Minute)) {
			t.Errorf("%s is due %s, want 20 minutes after midnight", kind, got)
		}
	}
}

func TestBackoffDoublesFromFiveMinutesToSixHours(t *testing.T) {
	t.Parallel()
	for attempts, want := range map[int]time.Duration{
		-1: 5 * time.Minute, 0: 5 * time.Minute, 1: 5 * time.Minute, 2: 10 * time.Minute, 3: 20 * time.Minute, 4: 40 * time.Minute,
		7: 320 * time.Minute, 8: 6 * time.Hour, 9: 6 * time.Hour, 1 << 40: 6 * time.Hour,
	} {
		if got := Backoff(attempts); got != want {
			t.Errorf("after %d attempts %s, want %s", attempts, got, want)
		}
	}
}

func TestCallsGoOneByOneAtTheDocumentedPace(t *testing.T) {
	t.Parallel()
	for limit, want := range map[int][2]int{0: {1, 1}, 60: {1, 1}, 600: {1, 1}, 1200: {2, 2}, 6000: {4, 10}, 60000: {4, 100}, 600000: {4, 128}} {
		if got := [2]int{InFlight(limit), Batch(limit)}; got != want {
			t.Errorf("at %d a minute %d in flight of %d claimed, want %v", limit, got[0], got[1], want)
		}
	}
}
