package sandbox

import (
	"maps"
	"math"
	"slices"
	"sync"
	"time"
)

const (
	minute       = time.Minute
	writesLimit  = 20            // Gift Store API, limits: non-GET requests a minute
	unlimited    = math.MaxInt32 // what the headers say when there is no limit
	bucketsAtMax = 4096          // token strings kept before idle ones are dropped
)

// limiter counts arrivals per token string in a sliding minute. Refused arrivals count, too: both services count
// before they check anything.
type limiter struct {
	limit int
	mu    sync.Mutex
	// arrived has the newest arrivals of each, as many as its limit: enough to tell whether the next one exceeds it.
	arrived map[string][]time.Time
}

// tally is the state that one arrival found.
type tally struct {
	limit, remaining int
	refused          bool
	wait             time.Duration // until one more request would be allowed
}

func newLimiter(limit int) *limiter {
	return &limiter{limit: limit, arrived: map[string][]time.Time{}}
}

// take counts an arrival against the limit of every request.
func (l *limiter) take(key string, at time.Time) tally { return l.count("all "+key, l.limit, at) }

// takeWrite counts a non-GET arrival of the gift service and reports whether it exceeds the
// limit.
func (l *limiter) takeWrite(token string, at time.Time) bool {
	return l.count("write "+token, writesLimit, at).refused
}

func (l *limiter) count(key string, limit int, at time.Time) tally {
	if l.limit <= 0 {
		return tally{limit: unlimited, remaining: unlimited}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.arrived[key] == nil && len(l.arrived) >= bucketsAtMax {
		maps.DeleteFunc(l.arrived, func(_ string, times []time.Time) bool { return !times[len(times)-1].After(at.Add(-minute)) })
	}
	times := within(l.arrived[key], at)
	full := len(times) == limit
	times = append(times, at)
	times = times[max(0, len(times)-limit):]
	l.arrived[key] = times
	if full {
		return tally{limit: limit, refused: true, wait: max(time.Second, times[0].Add(minute).Sub(at))}
	}
	return tally{limit: limit, remaining: limit - len(times)}
}

// within keeps the arrivals of the 60 s before at.
func within(times []time.Time, at time.Time) []time.Time {
	edge := at.Add(-minute)
	return slices.DeleteFunc(times, func(t time.Time) bool { return !t.After(edge) })
}
