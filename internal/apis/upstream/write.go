package upstream

import "context"

// Writer sends requests that change something at a service. It is a separate type, so that code
// with only a [Client] can't.
type Writer struct{ client Client }

// NewWriter makes a writer that uses c's credential.
func NewWriter(c Client) *Writer { return &Writer{c} }

// Change is one request other than GET.
type Change struct {
	Method, Endpoint string
	// Body is one JSON object.
	Body []byte
	// Repeatable: arriving twice is the same as arriving once, for example if it writes
	// nothing. Any other request is sent once and never repeated automatically: if its reply is
	// lost, we can't know whether it was carried out.
	Repeatable bool
}

// Send sends a change; the rest is as with [GetOptional].
func Send[T any](ctx context.Context, w *Writer, op string, c Change) (Answer[*T], error) {
	return exchanged[*T](ctx, &w.client, op, call{method: c.Method, endpoint: c.Endpoint, body: c.Body, final: !c.Repeatable}, true)
}
