package repair

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/apis/upsell"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/sync/plan"
)

// changedDays is a service whose days differ from what is stored by these amounts.
type changedDays map[civil.Date]int64

func (c changedDays) off(w report.Window) OffBy {
	sum := int64(0)
	for d, n := range c {
		if w.Contains(d) {
			sum += n
		}
	}
	if sum == 0 {
		return OffBy{}
	}
	return OffBy{"value": decimal.New(sum, -2)}
}

// find narrows the window until nothing more needs to be asked for, and counts the calls.
func (c changedDays) find(w report.Window, known ...report.Window) (days []civil.Date, calls int) {
	asked := append([]report.Window{w}, known...)
	for {
		facts := Compared{}
		for _, k := range asked {
			facts[k] = c.off(k)
		}
		facts.Complete()
		s := facts.Narrow(w)
		if len(s.Ask) == 0 {
			for _, d := range s.Days {
				if c[d] != 0 { // of two neighbors both are pulled, and one turns out unchanged
					days = append(days, d)
				}
			}
			slices.SortFunc(days, func(a, b civil.Date) int { return a.DaysSince(b) })
			return days, calls + len(s.Days)
		}
		calls += len(s.Ask)
		asked = append(asked, s.Ask...)
	}
}

func TestOneChangedDayOfNinetyIsFoundInEightCalls(t *testing.T) {
	t.Parallel()
	w := report.WindowEnding(civil.Date{Year: 2026, Month: time.November, Day: 21}, 90)
	most := 0
	for d := range w.All() {
		days, calls := changedDays{d: 1299}.find(w)
		if !slices.Equal(days, []civil.Date{d}) {
			t.Fatalf("%s changed: found %v", d, days)
		}
		most = max(most, calls)
	}
	if most > 8 {
		t.Errorf("it took up to %d calls, want at most 8", most)
	}
}

func TestEveryChangedDayIsFound(t *testing.T) {
	t.Parallel()
	end := civil.Date{Year: 2026, Month: time.November, Day: 21}
	w := report.WindowEnding(end, 90)
	for name, days := range map[string][]int{
		"neighbours": {40, 41}, "both ends": {0, 89}, "three": {3, 30, 70}, "a week": {10, 11, 12, 13, 14, 15, 16},
	} {
		c := changedDays{}
		var want []civil.Date
		for i, age := range days {
			d := end.AddDays(-age)
			c[d] = int64(100 + i)
			want = append(want, d)
		}
		slices.SortFunc(want, func(a, b civil.Date) int { return a.DaysSince(b) })
		if got, _ := c.find(w); !slices.Equal(got, want) {
			t.Errorf("%s: found %v, want %v", name, got, want)
		}
	}
}

func TestAWindowThatAgreesIsNotSearched(t *testing.T) {
	t.Parallel()
	w := report.WindowEnding(civil.Date{Year: 2026, Month: time.November, Day: 21}, 90)
	if days, calls := (changedDays{}).find(w); len(days) != 0 || calls != 0 {
		t.Errorf("found %v in %d calls, want nothing in none", days, calls)
	}
}

// What the night's shorter windows already show isn't asked for again.
func TestKnownWindowsSaveCalls(t *testing.T) {
	t.Parallel()
	end := civil.Date{Year: 2026, Month: time.November, Day: 21}
	w := report.WindowEnding(end, 90)
	known := []report.Window{report.WindowEnding(end, 30), report.WindowEnding(end.AddDays(-30), 30), report.WindowEnding(end, 7)}
	for _, age := range []int{3, 20, 45, 70} {
		d := end.AddDays(-age)
		days, calls := changedDays{d: 5}.find(w, known...)
		if fmt.Sprint(days) != fmt.Sprint([]civil.Date{d}) || calls > 6 {
			t.Errorf("%d days ago: found %v in %d calls, want it in at most 6", age, days, calls)
		}
	}
}

// However much is stored, every day is in a compared window within as many nights as there are
// windows taking turns.
func TestEveryStoredDayIsInAWindowThatIsCompared(t *testing.T) {
	t.Parallel()
	today := civil.Date{Year: 2026, Month: time.November, Day: 22}
	for _, history := range []int{1, 5, 7, 8, 14, 20, 30, 45, 60, 75, 90, 91, 100, 135, 180, 181, 400} {
		first := today.AddDays(-history)
		seen := map[civil.Date]bool{}
		turns := max(1, (history-180+upsell.MaxDays-1)/upsell.MaxDays)
		for night := range turns {
			today := today.AddDays(night)
			first := first.AddDays(night) // the same windows, moved with the days
			var nightly []report.Window
			for _, name := range plan.SummaryWindow.Names() {
				nightly = append(nightly, plan.Named(name, today))
			}
			windows := nightly
			if w, ok := OlderWindow(nightly, first, today); ok {
				windows = append(windows, w)
				if w.Days() > upsell.MaxDays {
					t.Errorf("history of %d days: asks %s", history, w)
				}
			}
			for _, w := range windows {
				if w.Start.Before(first) { // not every day is stored
					continue
				}
				for d := range w.All() {
					seen[d.AddDays(-night)] = true
				}
			}
		}
		for d := first; d.Before(today); d = d.AddDays(1) {
			if !seen[d] {
				t.Errorf("history of %d days: %s is never compared", history, d)
			}
		}
	}
}
