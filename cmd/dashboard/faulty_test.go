package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/storeglass/storeglass/internal/apis/upstream/upstreamtest"
)

// faulty is both services, which know a store by canary tokens. It breaks their answers at
// random, and about half of the broken ones repeat the token.
type faulty struct {
	inner http.Handler
	// known maps canaries to the tokens that the services know.
	known map[string]string

	mu      sync.Mutex
	random  *rand.Rand
	often   float64  // the share of requests that go wrong
	how     []string // the ways they go wrong
	faults  int
	kinds   map[string]int
	reached chan struct{} // closed after the wanted number of faults
	wanted  int
}

func newFaulty(inner http.Handler, known map[string]string) *faulty {
	return &faulty{inner: inner, known: known, random: rand.New(rand.NewPCG(5, 1)), kinds: map[string]int{}}
}

// breaking sets how often answers go wrong from now on, and how.
func (f *faulty) breaking(often float64, how ...[]string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.often, f.how = often, slices.Concat(how...)
}

// until returns a channel that is closed after that many more faults.
func (f *faulty) until(more int) <-chan struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.wanted, f.reached = f.faults+more, make(chan struct{})
	return f.reached
}

func (f *faulty) total() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.faults
}

// note counts a fault that isn't one of those below.
func (f *faulty) note(kind string, n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.faults += n
	f.kinds[kind] += n
	if f.reached != nil && f.faults >= f.wanted {
		close(f.reached)
		f.reached = nil
	}
}

// choice is what to do with one request.
type choice struct {
	kind, echo string
	number     int
}

func (f *faulty) choose(token string) choice {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.random.Float64() >= f.often {
		return choice{}
	}
	echoes := upstreamtest.Echoes(token)
	forms := make([]string, 0, len(echoes))
	for form := range echoes {
		forms = append(forms, form)
	}
	slices.Sort(forms)
	// Use the kind that was used least, so that each gets its turn.
	kind := slices.MinFunc(f.how, func(a, b string) int { return f.kinds[a] - f.kinds[b] })
	return choice{kind, echoes[forms[f.random.IntN(len(forms))]], f.random.IntN(1 << 20)}
}

var (
	// told are answers that aren't retried, brief those that are, long those that run into a
	// deadline, and final those that end a credential.
	told = []string{
		"echo in a message", "echo in a name", "echo as a key", "echo as data", "echo alone", "echo in a redirect", "cut behind an echo", "empty", "null", "another reply", "too long",
	}
	brief = []string{
		"status", "echo in headers", "echo in the status line", "echo instead of HTTP", "echo in the header", "echo as a length", "echo in a chunk", "echo in HTML",
		"cut", "dropped", "half a gzip",
	}
	long  = []string{"late"}
	final = []string{"refused", "wrong shop", "no plan", "uninstalled"}
)

func (f *faulty) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	inner := r.Clone(r.Context())
	if real, ok := f.known[token]; ok {
		inner.Header.Set("Authorization", "Bearer "+real)
	}
	what := f.choose(token)
	if what.kind == "" {
		f.inner.ServeHTTP(w, inner)
		return
	}
	f.note(what.kind, 1)
	reply := httptest.NewRecorder()
	f.inner.ServeHTTP(reply, inner)
	good := reply.Body.Bytes()
	send := func(status int, kind, body string) {
		w.Header().Set("Content-Type", kind)
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}
	const isJSON = "application/json"
	refuse := func(status int, code string) {
		send(status, isJSON, fmt.Sprintf(`{"success":false,"message":"no: %[1]s","data":null,"error":{"code":"%[2]s","message":"Bearer %[1]s was not liked"}}`, what.echo, code))
	}
	statuses := []int{201, 204, 206, 300, 304, 400, 403, 404, 405, 408, 409, 410, 418, 422, 451, 500, 501, 502, 503, 504, 505, 511, 599}
	switch what.kind {
	case "status":
		if status := statuses[what.number%len(statuses)]; status == 204 || status == 304 {
			w.WriteHeader(status)
		} else {
			refuse(status, "SOME_CODE")
		}
	case "echo in a message":
		refuse([]int{400, 404, 422, 500}[what.number%4], "E"+what.echo)
	case "echo in a name", "echo as a key", "echo as data":
		send(200, isJSON, string(echoed(good, what)))
	case "echo alone":
		send(200, isJSON, what.echo)
	case "echo in a redirect":
		w.Header().Set("Location", []string{"https://shop.example/" + what.echo, what.echo, "https://" + what.echo + "@shop.example/", "/x?token=" + what.echo}[what.number%4])
		send(302, "text/html", what.echo)
	case "echo in headers":
		for _, name := range []string{"Retry-After", "X-RateLimit-Remaining", "X-Token", "Set-Cookie", "Content-Language"} {
			w.Header()[name] = []string{what.echo}
		}
		send(503, what.echo, what.echo)
	case "echo in the status line":
		hijacked(w, "HTTP/1.1 500 "+what.echo+"\r\nContent-Length: 0\r\n\r\n")
	case "echo instead of HTTP":
		hijacked(w, what.echo+"\r\n\r\n")
	case "echo in the header":
		hijacked(w, "HTTP/1.1 200 OK\r\n"+what.echo+"\r\n\r\n{}")
	case "echo as a length":
		hijacked(w, "HTTP/1.1 200 OK\r\nContent-Length: "+what.echo+"\r\n\r\n{}")
	case "echo in a chunk":
		hijacked(w, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"+what.echo+"\r\n")
	case "echo in HTML":
		send(502, "text/html", "<html><h1>Bad gateway</h1><pre>Authorization: Bearer "+what.echo+"</pre>")
	case "cut", "cut behind an echo":
		body := good
		if what.kind != "cut" {
			body = echoed(good, what)
		}
		w.Header().Set("Content-Type", isJSON)
		w.Header().Set("Content-Length", strconv.Itoa(len(body)+1))
		_, _ = w.Write(body[:what.number%(len(body)+1)])
		panic(http.ErrAbortHandler)
	case "dropped":
		panic(http.ErrAbortHandler)
	case "late":
		select {
		case <-r.Context().Done():
		case <-time.After(10 * time.Second): // the caller's deadline comes far sooner
		}
		panic(http.ErrAbortHandler)
	case "empty":
		send(200, isJSON, "")
	case "null":
		send(200, isJSON, `{"success":true,"data":null,"error":null}`)
	case "another reply":
		send(200, isJSON, `{"success":true,"data":{"items":["`+what.echo+`"]},"error":null}`)
	case "half a gzip":
		w.Header().Set("Content-Encoding", "gzip")
		send(200, isJSON, "\x1f\x8b\x08\x00"+what.echo)
	case "too long":
		w.Header().Set("Content-Type", isJSON)
		_, _ = w.Write([]byte(`{"success":true,"data":"` + what.echo))
		_, _ = w.Write(bytes.Repeat([]byte("x"), 1<<20))
	case "refused":
		refuse(401, "INVALID_KEY")
	case "wrong shop":
		refuse(403, "INSUFFICIENT_SCOPE")
	case "no plan":
		refuse(403, "NO_PLAN")
	case "uninstalled":
		refuse(401, "APP_UNINSTALLED")
	}
}

// echoed puts the echo into a good reply: as names, as a key, or as all of its data.
func echoed(good []byte, what choice) []byte {
	var echo string
	if json.Unmarshal([]byte(`"`+what.echo+`"`), &echo) != nil {
		echo = strings.ToValidUTF8(what.echo, "?")
	}
	if what.kind == "echo as data" {
		return []byte(`{"success":true,"data":"` + what.echo + `","error":null}`)
	}
	var v any
	decoder := json.NewDecoder(bytes.NewReader(good))
	decoder.UseNumber()
	if decoder.Decode(&v) != nil {
		return good
	}
	var walk func(v any) any
	walk = func(v any) any {
		switch v := v.(type) {
		case []any:
			for i := range v {
				v[i] = walk(v[i])
			}
		case map[string]any:
			for name, x := range v {
				switch name {
				case "name", "title", "label", "url", "plan", "message", "code", "text":
					if _, ok := x.(string); ok && what.kind == "echo in a name" {
						v[name] = echo
						continue
					}
				}
				v[name] = walk(x)
			}
			if what.kind == "echo as a key" {
				v[echo] = echo
			}
		}
		return v
	}
	out, err := json.Marshal(walk(v))
	if err != nil {
		return good
	}
	return out
}

// hijacked answers with bytes that needn't be HTTP.
func hijacked(w http.ResponseWriter, bytes string) {
	conn, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		return
	}
	defer func() { _ = conn.Close() }()
	_, _ = conn.Write([]byte(bytes))
}

// noWait is a clock on which no time passes between retries.
type noWait struct{}

func (noWait) Now() time.Time                                  { return time.Now() }
func (noWait) Wait(ctx context.Context, _ time.Duration) error { return ctx.Err() }
