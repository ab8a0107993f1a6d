//go:build chaos

package chaos

import (
	"bufio"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// arrival is a line of the sandbox's own log.
type arrival struct {
	Time    time.Time `json:"time"`
	Service string    `json:"service"`
	Token   string    `json:"token"` // its last characters
	Status  int       `json:"status"`
}

// readLog reads the sandbox's log, ordered by time of entry.
func readLog(t testing.TB, path string) []arrival {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	var all []arrival
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var a arrival
		if err := json.Unmarshal(lines.Bytes(), &a); err != nil {
			t.Fatalf("line %d of the sandbox's log: %v", len(all)+1, err)
		}
		all = append(all, a)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	slices.SortStableFunc(all, func(a, b arrival) int { return a.Time.Compare(b.Time) })
	return all
}

// of picks the arrivals of one token of one service.
func of(all []arrival, service, token string) []time.Time {
	var at []time.Time
	for _, a := range all {
		if a.Service == service && strings.HasSuffix(token, a.Token) {
			at = append(at, a.Time)
		}
	}
	return at
}

// fullest is the largest number of arrivals in any sliding window of the width, exact to the
// nanosecond: two arrivals exactly a width apart never share a window.
func fullest(at []time.Time, width time.Duration) int {
	most, first := 0, 0
	for last := range at {
		for at[last].Sub(at[first]) >= width {
			first++
		}
		most = max(most, last-first+1)
	}
	return most
}

func between(at []time.Time, from, to time.Time) int {
	n := 0
	for _, a := range at {
		if !a.Before(from) && a.Before(to) {
			n++
		}
	}
	return n
}

func TestFullestCountsEverySlidingWindow(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)
	at := func(offsets ...time.Duration) []time.Time {
		var out []time.Time
		for _, o := range offsets {
			out = append(out, start.Add(o))
		}
		return out
	}
	for name, c := range map[string]struct {
		at   []time.Time
		want int
	}{
		"none":                    {nil, 0},
		"a minute apart":          {at(0, time.Minute), 1},
		"a nanosecond less":       {at(0, time.Minute-1), 2},
		"across a minute's bound": {at(59*time.Second, 61*time.Second, 62*time.Second), 3},
		"two bursts":              {at(0, 1, 2, time.Minute, time.Minute+1, 2*time.Minute), 3},
	} {
		if got := fullest(c.at, time.Minute); got != c.want {
			t.Errorf("%s: got %d, want %d", name, got, c.want)
		}
	}
}
