package truth

import (
	"context"
	"sync"
	"time"

	"github.com/golang-sql/civil"
)

// step is how much time one upstream call takes.
const step = 20 * time.Millisecond

// clock is the time of services, sync and pages. Tests move it; each call to a service takes a
// step, so that no two replies have the same time.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

// Wait implements upstream.Clock: retries don't wait.
func (c *clock) Wait(ctx context.Context, _ time.Duration) error { return ctx.Err() }

func (c *clock) add(d time.Duration) time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
	return c.at
}

// to moves the clock forward to a moment; a past moment changes nothing.
func (c *clock) to(at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if at.After(c.at) {
		c.at = at
	}
}

// dayStart is the first moment of a day in a zone.
func dayStart(d civil.Date, loc *time.Location) time.Time {
	return time.Date(d.Year, d.Month, d.Day, 0, 0, 0, 0, loc)
}
