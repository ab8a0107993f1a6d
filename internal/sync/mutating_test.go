package pulls_test

import (
	"bytes"
	"encoding/json"
	"hash/fnv"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"

	"github.com/storeglass/storeglass/internal/apis/upstream/upstreamtest"
)

// mutating is a service whose answers are broken on the way; how depends on seed, round and
// address.
type mutating struct {
	inner http.Handler
	seed  uint64

	mu     sync.Mutex
	round  uint64          // 0 leaves the answers alone
	sound  map[string]bool // bodies sent whole as JSON in this round
	counts map[string]int  // answers by endpoint, in all rounds
}

// statuses sometimes replace 200. 429 isn't one of them: its wait takes a minute, and it has
// its own tests.
var statuses = []int{201, 204, 206, 302, 304, 400, 401, 403, 404, 410, 418, 422, 500, 503}

// wanted is what a round's bodies must be: any, then JSON that reports success, then neither.
var wanted = []func([]byte) bool{
	func([]byte) bool { return true },
	succeeds,
	func(body []byte) bool { return !succeeds(body) },
}

func succeeds(body []byte) bool {
	return json.Valid(body) && bytes.Contains(body, []byte(`"success":true`))
}

// start begins a round.
func (m *mutating) start(round uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.round, m.sound = round, map[string]bool{}
}

// total is how many answers were mutated.
func (m *mutating) total() (n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, count := range m.counts {
		n += count
	}
	return n
}

// ServeHTTP answers like the service, and breaks the answer.
func (m *mutating) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	m.mu.Lock()
	round := m.round
	m.mu.Unlock()
	if round == 0 {
		m.inner.ServeHTTP(w, r)
		return
	}
	reply := httptest.NewRecorder()
	m.inner.ServeHTTP(reply, r)
	address := fnv.New64a()
	_, _ = address.Write([]byte(r.URL.RequestURI()))
	random := rand.New(rand.NewPCG(m.seed^address.Sum64(), round))
	status, body := reply.Code, upstreamtest.Mutate(random, reply.Body.Bytes())
	for tries := 0; !wanted[round%3](body) && tries < 50; tries++ {
		body = upstreamtest.Mutate(random, reply.Body.Bytes())
	}
	whim := random.IntN(60)
	if whim == 0 {
		status = statuses[random.IntN(len(statuses))]
	}
	m.mu.Lock()
	m.counts[endpointOf(r.URL.Path[strings.Index(r.URL.Path, "/v1/")+3:])]++
	if status/100 == 2 && json.Valid(body) {
		m.sound[string(body)] = true
	}
	m.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	if whim == 1 { // promise more than is sent
		w.Header().Set("Content-Length", strconv.Itoa(len(body)+1))
		w.WriteHeader(status)
		_, _ = w.Write(body)
		panic(http.ErrAbortHandler)
	}
	w.WriteHeader(status)
	_, _ = w.Write(body)
}

// endpointOf is a path without the offer or the campaign in it.
func endpointOf(path string) string {
	parts := strings.Split(path, "/")
	for i := 1; i < len(parts); i++ {
		if parts[i-1] == "offer" || parts[i-1] == "campaigns" {
			parts[i] = "{id}"
		}
	}
	return strings.Join(parts, "/")
}
