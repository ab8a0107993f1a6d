package sandbox

import (
	"math"
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
	limit   int
	mu      sync.Mutex
	buckets map[string]*ring
}

// tally is the state that one arrival found.
type tally struct {
	limit, remaining int
	refused          bool
	wait             time.Duration // until one more request would be allowed
}

func newLimiter(limit int) *limiter {
	return &limiter{limit: limit, buckets: map[string]*ring{}}
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
	b := l.bucket(key, limit, at)
	full := b.within(at) == limit
	b.push(at)
	if full {
		return tally{limit: limit, refused: true, wait: max(time.Second, b.oldest().Add(minute).Sub(at))}
	}
	return tally{limit: limit, remaining: limit - b.within(at)}
}

func (l *limiter) bucket(key string, size int, at time.Time) *ring {
	b := l.buckets[key]
	if b == nil {
		if len(l.buckets) >= bucketsAtMax {
			for k, old := range l.buckets {
				if old.within(at) == 0 {
					delete(l.buckets, k)
				}
			}
		}
		b = &ring{times: make([]time.Time, 0, size)}
		l.buckets[key] = b
	}
	return b
}

// ring holds the newest arrivals, as many as the limit, which is enough to tell whether the next one
// exceeds it.
type ring struct {
	times []time.Time
	next  int
}

func (b *ring) push(at time.Time) {
	if len(b.times) < cap(b.times) {
		b.times = append(b.times, at)
		return
	}
	b.times[b.next] = at
	b.next = (b.next + 1) % len(b.times)
}

func (b *ring) oldest() time.Time { return b.times[b.next%len(b.times)] }

// within counts the kept arrivals of the 60 s before at.
func (b *ring) within(at time.Time) int {
	n, edge := 0, at.Add(-minute)
	for _, t := range b.times {
		if t.After(edge) {
			n++
		}
	}
	return n
}
