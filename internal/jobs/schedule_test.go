package jobs

import (
	"bytes"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

var noon = time.Date(2026, 11, 20, 17, 0, 0, 0, time.UTC)

func TestSchedulesThatNeverFireOrPanicAreRefused(t *testing.T) {
	t.Parallel()
	for expr, want := range map[string]string{
		"":                     `cron expression "": `,
		"TZ=":                  `cron expression "TZ=": `,
		"TZ=UTC":               "a time zone alone is no schedule",
		"CRON_TZ=UTC":          "a time zone alone is no schedule",
		"TZ=Mars/Olympus * *":  "cron expression",
		"0 0 31 2 *":           "never fires",
		"0 0 30 2 *":           "never fires",
		"* * * *":              "cron expression",
		"* * * * * *":          "cron expression",
		"60 * * * *":           "cron expression",
		"0 0 * * 7":            "cron expression",
		"@every":               "cron expression",
		"@every soon":          "cron expression",
		"@fortnightly":         "cron expression",
		"now":                  "cron expression",
		"TZ=UTC 0 0 31 2 *":    "never fires",
		"* * * * *; drop jobs": "cron expression",
	} {
		t.Run(expr, func(t *testing.T) {
			t.Parallel()
			schedule, err := ParseSchedule(expr)
			if err == nil || schedule != nil {
				t.Fatalf("accepted: %v", schedule)
			}
			if !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "cron expression ") {
				t.Errorf("says %q, want %q in it", err, want)
			}
		})
	}
}

func TestSchedulesFireWhenTheySay(t *testing.T) {
	t.Parallel()
	for expr, next := range map[string]string{
		"* * * * *":                       "2026-11-20T17:01:00Z",
		"*/15 * * * *":                    "2026-11-20T17:15:00Z",
		"@hourly":                         "2026-11-20T18:00:00Z",
		"@every 10s":                      "2026-11-20T17:00:10Z",
		"0 0 29 2 *":                      "2028-02-29T00:00:00Z",
		"TZ=America/New_York 30 12 * * *": "2026-11-20T17:30:00Z",
		"CRON_TZ=Asia/Tokyo 0 3 * * *":    "2026-11-20T18:00:00Z",
		"TZ=Europe/Berlin 30 2 29 3 *":    "2027-03-29T00:30:00Z",
		"TZ=Europe/Berlin 30 2 28-29 3 *": "2027-03-29T00:30:00Z", // on the 28th, 2:30 doesn't exist
	} {
		t.Run(expr, func(t *testing.T) {
			t.Parallel()
			schedule, err := ParseSchedule(expr)
			if err != nil {
				t.Fatal(err)
			}
			if got := schedule.Next(noon).UTC().Format(time.RFC3339); got != next {
				t.Errorf("fires next at %s, want %s", got, next)
			}
		})
	}
}

// A database that is away for an hour must not fill the log.
func TestAFailedLookForJobsIsLoggedOnceAMinute(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	h := warnings{slog.NewTextHandler(&log, &slog.HandlerOptions{ReplaceAttr: withoutTime}), new(atomic.Int64)}
	for _, after := range []time.Duration{0, time.Second, 59 * time.Second, time.Minute, 61 * time.Second} {
		for _, queue := range []string{"mails", "pulls"} {
			r := slog.NewRecord(noon.Add(after), slog.LevelError, "producer: Error fetching jobs", 0)
			r.Add("err", after.String(), "queue", queue)
			if err := h.WithAttrs(nil).Handle(t.Context(), r); err != nil {
				t.Fatal(err)
			}
		}
	}
	want := `level=ERROR msg="producer: Error fetching jobs" err=0s queue=mails
level=ERROR msg="producer: Error fetching jobs" err=1m0s queue=mails
`
	if log.String() != want {
		t.Errorf("the log says\n%swant\n%s", &log, want)
	}
}

// A worker that is stopped right after its start must not log an error.
func TestAStopWhileTheFirstTickIsMadeIsNoError(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	l := slog.New(warnings{slog.NewTextHandler(&log, &slog.HandlerOptions{ReplaceAttr: withoutTime}), new(atomic.Int64)}).With("by", "river")
	l.Info("chatter")
	l.Error("maintenance.PeriodicJobEnqueuer: Error starting transaction", "error", "context canceled")
	l.Error("maintenance.PeriodicJobEnqueuer: Error inserting periodic jobs", "error", "begin: context canceled", "num_jobs", 1)
	if log.Len() > 0 {
		t.Errorf("the log says %s", &log)
	}
	l.Error("maintenance.PeriodicJobEnqueuer: Error starting transaction", "error", "connection refused")
	l.Error("Elector: Error attempting to elect", "error", "context canceled")
	want := `level=ERROR msg="maintenance.PeriodicJobEnqueuer: Error starting transaction" by=river error="connection refused"
level=ERROR msg="Elector: Error attempting to elect" by=river error="context canceled"
`
	if log.String() != want {
		t.Errorf("the log says\n%swant\n%s", &log, want)
	}
}
