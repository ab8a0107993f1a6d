package upstream

import "context"

// Writer sends what changes something at a service. It is a type of its own so
// that anyone who holds a [Client] can't.
type Writer struct{ client Client }

// NewWriter makes a writer that calls with what c calls with.
func NewWriter(c Client) *Writer { return &Writer{c} }

// Change is one request that is no GET.
type Change struct {
	Method, Endpoint string
	// Body is one JSON object.
	Body []byte
	// Repeatable: arriving twice is as good as arriving once, as with a request that
	// writes nothing. Any other is sent once and never again by itself: when its reply
	// is lost, nobody here knows whether it was done.
	Repeatable bool
}

// Send sends a change; the rest is as with [GetOptional].
func Send[T any](ctx context.Context, w *Writer, op string, c Change) (Answer[*T], error) {
	return exchanged[*T](ctx, &w.client, op, call{method: c.Method, endpoint: c.Endpoint, body: c.Body, final: !c.Repeatable}, true)
}
