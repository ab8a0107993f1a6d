package upstream

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Client is what one credential needs for its calls: the token, the address, the budget, and
// how to read the service's refusals. It can only send GET; changing something at a service
// takes a [Writer].
type Client struct {
	Transport *Transport
	Base      *url.URL
	Token     Secret
	Gate      Gate
	// Classify reads a reply that isn't a success.
	Classify Classify
	// ErrorIsNull is set for a service whose success envelope has error: null.
	ErrorIsNull bool
}

// Classify decides what a refused request means. It gets every reply with a status of 400 or
// more, and every 2xx with success: false. A zero Kind means "no opinion": then the status
// decides ([ClassifyStatus]).
type Classify func(r Reply) Verdict

// Reply is one fully read reply.
type Reply struct {
	Status int
	Header http.Header
	Body   []byte
}

// Verdict is the meaning of a refusal.
type Verdict struct {
	Kind Kind
	// Code is a machine-readable code, if the service has them.
	Code string
	// Message is the service's own text; the caller must make it safe to show.
	Message string
	// Once: retry once, then Kind applies. For Kinds other than Retry.
	Once bool
	// AtLeast is the shortest wait of a Wait, whatever Retry-After says.
	AtLeast time.Duration
	// Apart: a Wait is only for requests of this sort and doesn't affect the rest of the
	// budget.
	Apart bool
}

// Get sends GET endpoint?query below the client's base address and decodes the data of the
// envelope {success: true, data: …} into a T (see [Decode]). data may be null only if T is a
// pointer. Every error is a *[Failure] with this op.
//
// endpoint is an escaped path: callers escape what they put into it.
func Get[T any](ctx context.Context, c *Client, op, endpoint string, query url.Values) (Answer[T], error) {
	return exchanged[T](ctx, c, op, call{method: http.MethodGet, endpoint: endpoint, query: query}, false)
}

// GetOptional is [Get] for an endpoint that is documented to answer with "no data": a missing
// data is then nil, like null.
func GetOptional[T any](ctx context.Context, c *Client, op, endpoint string, query url.Values) (Answer[*T], error) {
	return exchanged[*T](ctx, c, op, call{method: http.MethodGet, endpoint: endpoint, query: query}, true)
}

// call is one request to send.
type call struct {
	method, endpoint string
	query            url.Values
	body             []byte // one JSON object; nil if none
	// final: it is sent at most once, whatever happens.
	final bool
}

// exchanged sends a call and decodes the data of its reply.
func exchanged[T any](ctx context.Context, c *Client, op string, send call, optional bool) (Answer[T], error) {
	answer := Answer[T]{Endpoint: send.endpoint, Query: send.query}
	got, failure := c.fetch(ctx, op, send)
	answer.Attempts = got.attempts
	if failure != nil {
		return answer, failure
	}
	if got.data == nil {
		if !optional {
			return answer, got.broken(op, &Contract{What: `the required field "data" is missing`})
		}
		got.data = []byte("null")
	}
	answer.status = got.Status
	answer.Raw, answer.FetchedAt, answer.Took = got.Body, got.replied.UTC(), got.replied.Sub(got.sent)
	if err := decodeAt("/data", got.data, &answer.Data); err != nil {
		failure := got.broken(op, err)
		return Answer[T]{Endpoint: send.endpoint, Query: send.query, Attempts: got.attempts}, failure
	}
	return answer, nil
}

// envelope is the wrapper of a good reply in both services.
type envelope struct {
	Success bool `json:"success" required:"true"`
	Error   Raw  `json:"error"`
}

// open takes data out of a 2xx reply. refused is true if the envelope is complete and says
// success: false; data must then be ignored. If data is missing, it returns nil: missing
// differs from null.
func (c *Client) open(body []byte) (data []byte, refused bool, err error) {
	e, err := Decode[envelope](body)
	if err != nil {
		return nil, false, err
	}
	if !e.Success {
		return nil, true, nil
	}
	if c.ErrorIsNull && len(e.Error) > 0 {
		return nil, false, &Contract{Where: "/error", What: "success is true beside an error"}
	}
	for m := range Members(body) {
		if m.Name == "data" {
			return m.Value, false, nil
		}
	}
	return nil, false, nil
}

// request builds what goes over the wire.
func (c *Client) request(ctx context.Context, send call) (*http.Request, error) {
	address := c.Base.JoinPath(strings.TrimPrefix(send.endpoint, "/"))
	address.RawQuery = send.query.Encode()
	request, err := http.NewRequestWithContext(ctx, send.method, address.String(), nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+c.Token.Reveal())
	request.Header.Set("Accept", "application/json")
	request.Header.Set("User-Agent", userAgent)
	// A body that can't be rewound keeps net/http from repeating a request by itself when a
	// kept-alive connection dies: such a repeat would bypass the gate. An empty one leaves no
	// trace on the wire.
	request.Body = io.NopCloser(bytes.NewReader(send.body))
	if send.body != nil {
		request.ContentLength = int64(len(send.body))
		request.Header.Set("Content-Type", "application/json")
	}
	return request, nil
}

// ready refuses what can't be sent.
func (c *Client) ready(op string) *Failure {
	switch {
	case c.Transport == nil || c.Base == nil || c.Gate == nil:
		return &Failure{Kind: OurFault, Op: op, Err: errors.New("the client was made without transport, base address or budget gate")}
	case c.Token.IsZero():
		return &Failure{Kind: Pause, Op: op, Message: "no token is set for this service: give one in the store's settings"}
	}
	for _, b := range []byte(c.Token.Reveal()) {
		if b <= ' ' || b >= 0x7f {
			return &Failure{Kind: Pause, Op: op, Message: "the token holds characters that no token has: copy it again"}
		}
	}
	return nil
}

// headerInt reads a header that is a count.
func headerInt(h http.Header, name string) *int {
	n, err := strconv.Atoi(strings.TrimSpace(h.Get(name)))
	if err != nil || n < 0 {
		return nil
	}
	return &n
}
