package live_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/access/sharing"
	"github.com/storeglass/storeglass/web/webtest"
)

// listening lists the connections on which processes listen for changes.
const listening = `select pid::text from pg_stat_activity where datname = current_database() and query = 'listen store_changed'`

// stream is an open page's.
type stream struct {
	*http.Response
	t     testing.TB
	lines *bufio.Scanner
}

// follow opens a stream, and returns when it has begun.
func follow(b *webtest.Browser, path string) *stream {
	b.W.T.Helper()
	s := ask(b, path)
	if s.StatusCode != http.StatusOK {
		b.W.T.Fatalf("%s: %d", path, s.StatusCode)
	}
	return s
}

func ask(b *webtest.Browser, path string) *stream {
	b.W.T.Helper()
	ctx, cancel := context.WithTimeout(b.W.T.Context(), time.Minute)
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, b.W.HTTP.URL+path, nil)
	b.W.Must(err)
	r.Header.Set("Accept", "text/event-stream")
	resp, err := b.Client.Do(r)
	b.W.Must(err)
	b.W.T.Cleanup(func() { cancel(); resp.Body.Close() })
	return &stream{resp, b.W.T, bufio.NewScanner(resp.Body)}
}

// next is the next meaningful line: ":" of a beat, or an event. "" at the end.
func (s *stream) next() string {
	s.t.Helper()
	for s.lines.Scan() {
		if line := strings.TrimSpace(s.lines.Text()); line != "" {
			return line
		}
	}
	if err := s.lines.Err(); err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		s.t.Fatal(err)
	}
	return ""
}

// change waits for an event.
func (s *stream) change() {
	s.t.Helper()
	for {
		switch s.next() {
		case "data: changed":
			return
		case "":
			s.t.Fatal("the stream ended")
		}
	}
}

// ends waits for the stream's end.
func (s *stream) ends() {
	s.t.Helper()
	for s.next() != "" {
	}
}

// quickly has the world's streams beat often.
func quickly(w *webtest.World) { w.Server.Parts.Live.Beat = 20 * time.Millisecond }

// settled is a world in which the process listens, and its streams know it.
func settled(t *testing.T) (*webtest.World, *webtest.Browser) {
	t.Helper()
	w := webtest.NewWorld(t)
	quickly(w)
	b := w.SignedIn()
	follow(b, "/live").change()
	return w, b
}

func touch(w *webtest.World, slug string) {
	w.T.Helper()
	w.Exec(`update stores set revision = revision + 1 where slug = $1`, slug)
}

func TestAPageHearsOfItsOwnStores(t *testing.T) {
	t.Parallel()
	w, b := settled(t)
	one, all := follow(b, "/stores/acme/live"), follow(b, "/live")
	one.next()
	all.next()
	touch(w, webtest.Foreign)
	for range 3 {
		if got := one.next() + all.next(); got != "::" {
			t.Fatalf("a change of another's store is heard as %q", got)
		}
	}
	touch(w, webtest.Own)
	one.change()
	all.change()
}

func TestWhatChangedBeforeTheStreamOpenedIsHeard(t *testing.T) {
	t.Parallel()
	_, b := settled(t)
	for revision, want := range map[string]string{"?revision=0": ":", "": ":", "?revision=7": "data: changed"} {
		if got := follow(b, "/stores/acme/live"+revision).next(); got != want {
			t.Errorf("%q begins with %q, want %q", revision, got, want)
		}
	}
}

func TestAStreamEndsWithTheRightToSeeTheStore(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*webtest.World){
		"grant revoked":   func(w *webtest.World) { w.Exec(`delete from grants`) },
		"session ended":   func(w *webtest.World) { w.Exec(`delete from sessions`) },
		"session expired": func(w *webtest.World) { w.Clock.Add(15 * 24 * time.Hour) },
		"person disabled": func(w *webtest.World) { w.Exec(`update people set disabled_at = now()`) },
		"store removed":   func(w *webtest.World) { w.Exec(`update stores set removed_at = now() where slug = 'acme'`) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := webtest.NewWorld(t)
			quickly(w)
			s := follow(w.SignedIn(), "/stores/acme/live")
			s.next()
			end(w)
			s.ends()
		})
	}
	for name, end := range map[string]func(*webtest.World){
		"share link revoked":      func(w *webtest.World) { w.Exec(`update shares set revoked_at = now()`) },
		"share link over":         func(w *webtest.World) { w.Clock.Add((sharing.MaxDays + 1) * 24 * time.Hour) },
		"its password's key over": func(w *webtest.World) { w.Clock.Add(sharing.KeyLife) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := webtest.NewWorld(t)
			quickly(w)
			const password = "copper kettle on a rope"
			link, b := w.Share(func(n *sharing.Draft) { n.Password = password }), w.Browser()
			b.Post(link, url.Values{"password": {password}})
			s := follow(b, link+"/live")
			s.next()
			end(w)
			s.ends()
		})
	}
}

func TestAStreamBeginsOnlyForWhoSeesTheStore(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	if s := ask(w.SignedIn(), "/stores/birch/live"); s.StatusCode != http.StatusNotFound {
		t.Errorf("another's store: %d", s.StatusCode)
	}
	if s := ask(w.Browser(), "/live"); s.StatusCode != http.StatusSeeOther {
		t.Errorf("nobody: %d", s.StatusCode)
	}
}

func TestPagesHearAgainAfterTheDatabaseCutTheirConnection(t *testing.T) {
	t.Parallel()
	w, b := settled(t)
	s := follow(b, "/stores/acme/live")
	s.next()
	w.Exec(`select pg_terminate_backend(pid::int) from (` + listening + `) as l`)
	s.change() // what was missed, if anything
	touch(w, webtest.Own)
	s.change()
}

func TestAnyNumberOfPagesTakeOneConnection(t *testing.T) {
	t.Parallel()
	w, _ := settled(t)
	for i := range 5 { // a person has at most 20
		p, b := w.Admin(fmt.Sprintf("reader%d@example.com", i))
		w.Must(w.Access.GrantPerson(t.Context(), p.ID, webtest.Own))
		for range 20 {
			follow(b, "/stores/acme/live").next()
		}
		if s := ask(b, "/stores/acme/live"); s.StatusCode != http.StatusTooManyRequests || s.Header.Get("Retry-After") == "" {
			t.Fatalf("one more: %d, Retry-After %q", s.StatusCode, s.Header.Get("Retry-After"))
		}
	}
	if n := len(w.Column(listening)); n != 1 {
		t.Errorf("%d connections for 101 pages", n)
	}
}

// A stream lasts longer than any other request may take, and goes through proxies as it is.
func TestAStreamOutlivesTheLimitsOfRequests(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.SignedIn()
	w.Server.Parts.Live.Beat = 60 * time.Millisecond
	srv := w.Server.HTTPServer("")
	srv.ReadTimeout, srv.WriteTimeout = 50*time.Millisecond, 50*time.Millisecond
	w.HTTP = httptest.NewUnstartedServer(nil)
	w.HTTP.Config = srv
	w.HTTP.Start()
	t.Cleanup(w.HTTP.Close)
	t.Cleanup(w.Server.Parts.Live.Close)
	s := follow(b, "/stores/acme/live")
	for range 5 {
		if s.next() == "" {
			t.Fatal("the stream was cut")
		}
	}
	for name, want := range map[string]string{"Content-Type": "text/event-stream; charset=utf-8", "X-Accel-Buffering": "no", "Content-Encoding": "", "Cache-Control": "no-store"} {
		if got := s.Header.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}

func TestAStoppingServerEndsItsStreamsAtOnce(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	srv := w.Server.HTTPServer("")
	l, err := net.Listen("tcp", "127.0.0.1:0")
	w.Must(err)
	go func() { _ = srv.Serve(l) }()
	w.HTTP = &httptest.Server{URL: "http://" + l.Addr().String()}
	s := follow(w.SignedIn(), "/stores/acme/live")
	s.next()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	if err := srv.Shutdown(ctx); err != nil {
		t.Fatal("a stream held the server up: ", err)
	}
	s.ends()
}
