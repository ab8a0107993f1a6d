// Package upstreamtest has what tests of the clients need: a service that answers from a script
// over real HTTP, a gate that counts, a clock that never sleeps. Only tests may import it.
package upstreamtest

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/apis/upstream"
)

// Token is what every test client sends.
const Token = "tok_0123456789abcdef"

// Start is where every [Clock] begins.
var Start = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// KindOf returns the kind of a client's failure, 0 for any other error.
func KindOf(err error) upstream.Kind {
	if f, ok := errors.AsType[*upstream.Failure](err); ok {
		return f.Kind
	}
	return 0
}

// Reply is one scripted answer.
type Reply struct {
	Status int // 0 means 200
	Header map[string]string
	Body   string
	// Do, if set, answers instead of the other fields.
	Do http.HandlerFunc
}

// OK wraps data in a good envelope.
func OK(data string) Reply {
	return Reply{Body: `{"success":true,"data":` + data + `,"error":null}`}
}

// Service sends its replies in order and repeats the last.
type Service struct {
	*httptest.Server
	mu       sync.Mutex
	replies  []Reply
	requests []*http.Request
}

// Serve starts a service on the loopback address; it ends with the test.
func Serve(t testing.TB, replies ...Reply) *Service {
	t.Helper()
	s := &Service{replies: replies}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	reply := s.replies[min(len(s.requests), len(s.replies)-1)]
	s.requests = append(s.requests, r)
	s.mu.Unlock()
	if reply.Do != nil {
		reply.Do(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	for name, value := range reply.Header {
		w.Header()[name] = []string{value} // as written, whatever its case
	}
	if reply.Status != 0 {
		w.WriteHeader(reply.Status)
	}
	_, _ = w.Write([]byte(reply.Body))
}

// Requests returns what has arrived so far.
func (s *Service) Requests() []*http.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]*http.Request(nil), s.requests...)
}

// Last returns the last request.
func (s *Service) Last(t testing.TB) *http.Request {
	t.Helper()
	all := s.Requests()
	if len(all) == 0 {
		t.Fatal("no request came")
	}
	return all[len(all)-1]
}

// Base is the service's address, with an optional path prefix.
func (s *Service) Base(t testing.TB, prefix ...string) *url.URL {
	t.Helper()
	base, err := url.Parse(s.URL + strings.Join(prefix, ""))
	if err != nil {
		t.Fatal(err)
	}
	return base
}

// Options are those of a transport that may call the loopback address, uses a new [Clock] and
// never jitters.
func Options(t testing.TB) upstream.Options {
	t.Helper()
	allow, err := upstream.ParseAllow("127.0.0.1, [::1]")
	if err != nil {
		t.Fatal(err)
	}
	return upstream.Options{
		Allow: allow, Clock: NewClock(),
		Jitter: func(ceiling time.Duration) time.Duration { return ceiling },
	}
}

// Transport is a transport with [Options].
func Transport(t testing.TB) *upstream.Transport {
	t.Helper()
	transport := upstream.NewTransport(Options(t))
	t.Cleanup(transport.Close)
	return transport
}

// Gate grants every slot, or returns the errors of Refuse in order, where nil entries grant a
// slot, and counts.
type Gate struct {
	Refuse []error

	mu            sync.Mutex
	asked, inside int
	seen          []upstream.Observed
}

type slot struct {
	gate *Gate
	left int
}

// Enter grants or refuses a slot.
func (g *Gate) Enter(context.Context) (upstream.Slot, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.asked++
	if g.asked <= len(g.Refuse) && g.Refuse[g.asked-1] != nil {
		return nil, g.Refuse[g.asked-1]
	}
	g.inside++
	return &slot{gate: g}, nil
}

func (s *slot) Leave(ctx context.Context, o upstream.Observed) {
	s.gate.mu.Lock()
	defer s.gate.mu.Unlock()
	if s.left++; s.left > 1 {
		panic("a slot was left twice")
	}
	if ctx.Err() != nil {
		panic("a slot was left with a dead context")
	}
	s.gate.inside--
	s.gate.seen = append(s.gate.seen, o)
}

// Seen returns what was observed, one for each slot left.
func (g *Gate) Seen() []upstream.Observed {
	g.mu.Lock()
	defer g.mu.Unlock()
	return append([]upstream.Observed(nil), g.seen...)
}

// Check fails the test unless exactly want slots were taken and all were left.
func (g *Gate) Check(t testing.TB, want int) {
	t.Helper()
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.inside != 0 {
		t.Errorf("%d slots were never left", g.inside)
	}
	if len(g.seen) != want {
		t.Errorf("%d slots were used, want %d", len(g.seen), want)
	}
}

// Clock starts at [Start] and moves only by waiting, at once.
type Clock struct {
	mu     sync.Mutex
	now    time.Time
	waited []time.Duration
}

// NewClock makes a clock.
func NewClock() *Clock { return &Clock{now: Start} }

// Now gives the clock's time.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Wait moves the clock.
func (c *Clock) Wait(ctx context.Context, d time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	c.waited = append(c.waited, d)
	return ctx.Err()
}

// Waited returns every wait so far.
func (c *Clock) Waited() []time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]time.Duration(nil), c.waited...)
}
