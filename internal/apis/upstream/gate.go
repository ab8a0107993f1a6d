package upstream

import (
	"context"
	"fmt"
	"time"
)

// Gate guards what one token may still spend. Every attempt, including retries, enters it
// before anything is sent: both services count a request before they check its token.
type Gate interface {
	// Enter waits for a slot or refuses with *[NoSlot]. Any other error means that the budget
	// couldn't be read; nothing is sent then, either.
	Enter(ctx context.Context) (Slot, error)
}

// Slot is permission to send one request.
type Slot interface {
	// Leave is called exactly once for an entered slot, on every path, with a context that
	// ignores the caller's cancellation.
	Leave(ctx context.Context, o Observed)
}

// Observed is what one attempt showed about the budget.
type Observed struct {
	// Replied is when the reply was read to its end. Without a reply it is when we gave up: the
	// service may count the request even later.
	Replied time.Time
	// Status is the HTTP status, 0 if not even the header of a reply came.
	Status int
	// Remaining is X-RateLimit-Remaining, nil if the reply has none or it isn't a whole number
	// of 0 or more.
	Remaining *int
	// RetryAfter is set when the service said "too many": how long to wait,
	// counted from Replied.
	RetryAfter time.Duration
}

// NoSlot is a gate's refusal: the budget is spent until the given time.
type NoSlot struct {
	Until time.Time
}

func (e *NoSlot) Error() string {
	return fmt.Sprintf("budget is spent until %s", e.Until.UTC().Format(time.RFC3339))
}
