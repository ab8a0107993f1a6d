//go:build bench

package bench

import (
	"context"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/access/signin"
)

const (
	// pageShare is the goal: pages per second relative to the plain handler's answers.
	pageShare = 0.06
	// pageCPU is the goal for the CPU time of server and database per page.
	pageCPU = time.Millisecond
	// pairs are measured alternately, a slice of time each; their median counts.
	pairs = 7
	slice = 1500 * time.Millisecond
	// readers take turns.
	readers = 200
)

// The signed-in overview of 30 days of the USD store, compared with an Echo handler that makes
// one round trip to the database. What is judged is a reader who reloads, or comes after
// others: then the server checks session, grants and the store's revision, and still has this
// minute's page except for the reader's header. The cost of making the page from the database,
// and of revalidating the browser's copy, is shown as well.
func TestOverviewBesideOneRoundTrip(t *testing.T) {
	w := newWorld(t)
	accounts := services(t).Accounts
	for _, a := range accounts {
		w.add(t, a.Slug, a, 90)
		w.sync(t, a.Slug)
	}
	s := &stand{world: w, path: "/stores/" + accounts[0].Slug}
	s.pid = role(t, "server", &s.serving, databaseVariable+"="+w.server.URL())
	s.cookies = w.signIn(t, s.Pages, readers)
	again := newTarget(s.Pages, s.path, http.StatusOK, "Cookie: "+s.cookies[0])
	others := &target{addr: s.Pages, status: http.StatusOK}
	for _, c := range s.cookies {
		others.requests = append(others.requests, request(s.Pages, s.path, "Cookie: "+c))
	}
	anew := newTarget(s.Anew, s.path, http.StatusOK, "Cookie: "+s.cookies[0])
	copied := &target{addr: s.Pages, status: http.StatusNotModified}

	busy := watch(os.Getpid(), w.server.PID())
	var rows []string
	for _, c := range []struct {
		name   string
		target *target
		judged bool
	}{{"asked again", again, true}, {"asked by others", others, true}, {"made anew", anew, false}, {"the browser has it (304)", copied, false}} {
		for _, connections := range []int{1, 8} {
			m := s.measure(t, c.target, connections)
			rows = append(rows, fmt.Sprintf("%s\t%d\t%s", c.name, connections, m.row(connections, c.judged)))
			if !c.judged {
				continue
			}
			if m.ratio < pageShare {
				t.Errorf("%s, %d connections: %.1f %% of the plain handler's answers, want %.0f %%", c.name, connections, 100*m.ratio, 100*pageShare)
			}
			if connections == 8 && m.cpu() > pageCPU {
				t.Errorf("a page %s costs %s of server and database, want at most %s", c.name, m.cpu(), pageCPU)
			}
		}
	}
	report("overview, 30 days\tconnections\tpages/s\tplain/s\tratio\tCPU a page: server\tdatabase\tgoals", append(rows, meanwhile(busy()))...)
}

// stand is a server under load with its readers.
type stand struct {
	*world
	serving
	pid     int
	path    string
	cookies []string
}

// measured is a target compared with the plain handler.
type measured struct {
	pages, plain, ratio float64       // per second, medians
	server, database    time.Duration // CPU time per page
}

func (m measured) cpu() time.Duration { return m.server + m.database }

func (m measured) row(connections int, judged bool) string {
	goals := fmt.Sprintf("≥ %.0f %% %s", 100*pageShare, verdict(m.ratio >= pageShare))
	if connections == 8 {
		goals += fmt.Sprintf(", ≤ %.1f ms %s", milliseconds(pageCPU), verdict(m.cpu() <= pageCPU))
	}
	if !judged {
		goals = "(" + goals + ")"
	}
	return fmt.Sprintf("%.0f\t%.0f\t%.1f %%\t%.2f ms\t%.2f ms\t%s",
		m.pages, m.plain, 100*m.ratio, milliseconds(m.server), milliseconds(m.database), goals)
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// measure loads the plain handler and the target in turns.
func (s *stand) measure(t testing.TB, g *target, connections int) measured {
	t.Helper()
	plain := newTarget(s.Plain, "/", http.StatusOK)
	plain.load(t, connections, slice/3)
	var (
		ratios, pages, answers []float64
		server, database       time.Duration
		count                  int
	)
	for range pairs {
		a, _ := plain.load(t, connections, slice)
		withinMinute(slice)
		s.warm(t, g)
		server0, database0 := cpuOf(s.pid), cpuOf(s.server.PID())
		b, n := g.load(t, connections, slice)
		server, database = server+cpuOf(s.pid)-server0, database+cpuOf(s.server.PID())-database0
		ratios, pages, answers, count = append(ratios, b/a), append(pages, b), append(answers, a), count+n
	}
	return measured{median(pages), median(answers), median(ratios), server / time.Duration(count), database / time.Duration(count)}
}

// warm makes the target's server render this minute's page for the first reader, and
// revalidates it if the browser is supposed to have it.
func (s *stand) warm(t testing.TB, g *target) {
	t.Helper()
	r, err := http.NewRequest(http.MethodGet, "http://"+g.addr+s.path, nil)
	must(t, err)
	r.Header.Set("Cookie", s.cookies[0])
	r.Header.Set("Accept-Encoding", "gzip")
	answer, err := http.DefaultClient.Do(r)
	must(t, err)
	must(t, answer.Body.Close())
	if g.status == http.StatusNotModified {
		g.requests = [][]byte{request(s.Pages, s.path, "Cookie: "+s.cookies[0], "If-None-Match: "+answer.Header.Get("ETag"))}
	}
}

// withinMinute returns when that much of a minute is left: in the next minute the page is a
// different one.
func withinMinute(d time.Duration) {
	d += slice / 5
	if left := time.Until(time.Now().Truncate(time.Minute).Add(time.Minute)); left < d {
		time.Sleep(left)
	}
}

// signIn signs one person, who sees every store, in from n browsers.
func (w *world) signIn(t testing.TB, addr string, n int) []string {
	t.Helper()
	ctx := context.Background()
	person, err := w.access.CreatePerson(ctx, "ina@example.com", "Ina Berg", access.Viewer)
	must(t, err)
	must(t, w.access.GrantPerson(ctx, person.ID, access.AllStores))
	return w.signInAs(t, addr, person, n)
}

// signInAs signs a person in from n browsers.
func (w *world) signInAs(t testing.TB, addr string, person access.Person, n int) []string {
	t.Helper()
	ctx := context.Background()
	page := &url.URL{Scheme: "http", Host: addr}
	cookies := make([]string, n)
	for i := range cookies {
		secret, _, err := signin.New(w.db, time.Now, nil, nil).CreateLink(ctx, person, 0)
		must(t, err)
		jar, err := cookiejar.New(nil)
		must(t, err)
		browser := http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
		answer, err := browser.PostForm(page.JoinPath("sign-in").String(), url.Values{"token": {secret}})
		must(t, err)
		_ = answer.Body.Close()
		got := jar.Cookies(page)
		if answer.StatusCode != http.StatusSeeOther || len(got) != 1 {
			t.Fatalf("sign in: %s, %d cookies", answer.Status, len(got))
		}
		cookies[i] = got[0].Name + "=" + got[0].Value
	}
	return cookies
}
