//go:build chaos

package chaos

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/apis/sandbox"
)

// stoppedWorld is both services at one moment that never passes, so that two runs at different
// times must end with the very same numbers, including today's.
type stoppedWorld struct {
	*sandbox.Server
	store sandbox.Store
}

// newStoppedWorld stops now, and picks a store whose day has long begun and is long from over:
// the program's own clock keeps running.
func newStoppedWorld(t testing.TB) *stoppedWorld {
	t.Helper()
	now := time.Now()
	w := &stoppedWorld{Server: sandbox.New(sandbox.Config{Seed: 1, Now: func() time.Time { return now }})}
	for _, s := range w.Stores()[:3] {
		loc, err := time.LoadLocation(s.Timezone)
		if err != nil {
			t.Fatal(err)
		}
		if hour := now.In(loc).Hour(); hour >= 1 && hour < 22 {
			w.store = s
			w.fillCache()
			return w
		}
	}
	t.Fatal("it is night in every store")
	return nil
}

// fillCache asks for every gift window once: every later answer then says that it is cached, so
// all runs get the same.
func (w *stoppedWorld) fillCache() {
	queries := []string{"days=1&includeToday=true"}
	for n := range 365 {
		queries = append(queries, fmt.Sprint("days=", n+1))
	}
	for _, query := range queries {
		r := httptest.NewRequest(http.MethodGet, w.store.GiftPath+"/analytics?"+query, nil)
		r.Header.Set("Authorization", "Bearer "+w.store.GiftKey)
		w.ServeHTTP(httptest.NewRecorder(), r)
	}
}

// upstream is the stopped world at its own address, slow enough to be interrupted, with a count
// of what arrived.
type upstream struct {
	world *stoppedWorld
	delay time.Duration
	addr  string
	http  *http.Server

	mu       sync.Mutex
	arrived  map[string]int // by service
	newest   time.Time
	answered chan struct{} // gets one value per answer, if a test is waiting
}

func (w *stoppedWorld) serve(t testing.TB, delay time.Duration) *upstream {
	t.Helper()
	u := &upstream{world: w, delay: delay, arrived: map[string]int{}, answered: make(chan struct{})}
	u.open(t)
	t.Cleanup(u.close)
	return u
}

// open listens; after a close, at the same address again.
func (u *upstream) open(t testing.TB) {
	t.Helper()
	addr := u.addr
	if addr == "" {
		addr = "127.0.0.1:0"
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	u.addr = l.Addr().String()
	u.http = &http.Server{Handler: u, ReadHeaderTimeout: 5 * time.Second}
	go func() { _ = u.http.Serve(l) }()
}

// close starts an outage: connections break off, and new ones are refused.
func (u *upstream) close() { _ = u.http.Close() }

func (u *upstream) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	u.mu.Lock()
	service, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	u.arrived[service]++
	u.newest = time.Now()
	u.mu.Unlock()
	timer := time.NewTimer(u.delay)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-r.Context().Done():
		return
	}
	u.world.ServeHTTP(w, r)
	select {
	case u.answered <- struct{}{}:
	default:
	}
}

// calls is how many requests of a service have arrived.
func (u *upstream) calls(service string) int {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.arrived[service]
}

// awaitCall returns when a request has arrived after a moment.
func (u *upstream) awaitCall(t testing.TB, after time.Time, patience time.Duration) {
	t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		u.mu.Lock()
		newest := u.newest
		u.mu.Unlock()
		if newest.After(after) {
			return
		}
	}
	t.Fatalf("no call for %s", patience)
}

func (u *upstream) account() account {
	s := u.world.store
	return account{
		timezone: s.Timezone, upsellToken: s.UpsellToken, giftToken: s.GiftKey,
		upsellURL: "http://" + u.addr + s.UpsellPath, giftURL: "http://" + u.addr + s.GiftPath,
	}
}
