package report

import (
	"testing"
	"time"
)

func TestATimeOfTheServiceIsReadOnTheStoresClock_N26(t *testing.T) {
	t.Parallel()
	store := Clock("America/St_Johns")
	for text, want := range map[string]string{
		"2026-12-01T02:30:00Z":         "2026-11-30T23:00:00-03:30",
		"2026-12-01T02:30:00.123456Z":  "2026-11-30T23:00:00-03:30",
		"2026-12-01T02:30Z":            "2026-11-30T23:00:00-03:30",
		"2026-12-01T00:00:00-03:30":    "2026-12-01T00:00:00-03:30",
		"2026-12-01T00:00:00.000-0330": "2026-12-01T00:00:00-03:30",
		"2026-12-01T00:00-0330":        "2026-12-01T00:00:00-03:30",
		"2026-12-01 03:30:00+00":       "2026-12-01T00:00:00-03:30",
		"2026-12-01T09:15:00":          "2026-12-01T09:15:00-03:30",
		"2026-12-01 09:15:00.5":        "2026-12-01T09:15:00-03:30",
		"2026-12-01T09:15":             "2026-12-01T09:15:00-03:30",
		"2026-12-01":                   "2026-12-01T00:00:00-03:30",
		"1796092200":                   "2026-11-30T23:00:00-03:30",
		"1796092200999":                "2026-11-30T23:00:00-03:30",
		"17960922":                     "",
		"-796092200":                   "",
		"2026-12-01T25:00:00":          "",
		"2026-12-01T09:15:00 or so":    "",
		"2026-02-30":                   "",
		"soon":                         "",
		"":                             "",
	} {
		got := ""
		if at, ok := Moment(text, store); ok {
			got = at.Truncate(time.Second).Format(time.RFC3339)
		}
		if got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

func TestAClockIsAPlaceAndNeverThisMachines_N26(t *testing.T) {
	t.Parallel()
	for name, is := range map[string]bool{"America/New_York": true, "UTC": true, "": false, "Local": false, "local": false, "Mars/Olympus": false} {
		if IsTimezone(name) != is {
			t.Errorf("%q is a clock: want %v", name, is)
		}
	}
	if Clock("Mars/Olympus") != time.UTC {
		t.Error("an unknown clock is not UTC")
	}
}
