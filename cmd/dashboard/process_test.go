package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

// passable is a directory that other users can enter, as the server's user must when tests
// run as root.
func passable(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "storeglass-demo-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// fetched is a page as text; any status but 200 fails the test.
func fetched(t *testing.T, c *http.Client, address string) string {
	t.Helper()
	resp, err := c.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("GET %s: %s, %v\n%s", address, resp.Status, err, body)
	}
	return string(body)
}

// browser is a client that has signed in with the link.
func browser(t *testing.T, link string) *http.Client {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	c := &http.Client{Jar: jar, Timeout: 2 * time.Minute}
	at, err := url.Parse(link)
	if err != nil {
		t.Fatal(err)
	}
	secret := link[strings.LastIndex(link, "/")+1:]
	resp, err := c.PostForm(at.Scheme+"://"+at.Host+"/sign-in", url.Values{"token": {secret}})
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK { // after the redirect to the first page
		t.Fatalf("sign in: %s", resp.Status)
	}
	return c
}

var anyPort = []string{"DASHBOARD_LISTEN=127.0.0.1:0", "DASHBOARD_METRICS_LISTEN=127.0.0.1:0"}

func TestAServerStopsInOrderWhenAskedTo(t *testing.T) {
	t.Parallel()
	p := start(t, t.TempDir(), append(emptyDatabase(t), anyPort...), "serve")
	metrics, pages := p.after("Metrics are at "), p.after("Storeglass is at ")
	if got := fetched(t, http.DefaultClient, pages+"/readyz"); got != "ready\n" {
		t.Error(got)
	}
	if got := fetched(t, http.DefaultClient, metrics); !strings.Contains(got, "go_goroutines ") || !strings.Contains(got, "process_open_fds ") {
		t.Error("the metrics lack the usual collectors")
	}
	if link := p.after("or open this link: "); !strings.Contains(fetched(t, http.DefaultClient, link), "Create account") {
		t.Errorf("%s doesn't set up anything", link)
	}
	p.signal(syscall.SIGTERM)
	if code, took := p.exit(); code != exitOK || took > 10*time.Second {
		t.Errorf("exit %d after %s\n%s", code, took, p.stderr)
	}
	if log := p.stderr.String(); !strings.Contains(log, "msg=stopping") || !strings.Contains(log, "msg=stopped") {
		t.Errorf("\n%s", log)
	}
}

// A proxy that polls /readyz switches to another server before this one is gone.
func TestAServerThatStopsSaysSoAndAnswersUntilItDoes(t *testing.T) {
	t.Parallel()
	p := start(t, t.TempDir(), append(emptyDatabase(t), append(anyPort, "DASHBOARD_DRAIN=60s")...), "serve", "--role", "web")
	pages := p.after("Storeglass is at ")
	p.awaitLog("msg=started")
	p.signal(syscall.SIGTERM)
	p.awaitLog("not ready any more")
	for path, want := range map[string]int{"/readyz": http.StatusServiceUnavailable, "/livez": http.StatusOK, "/sign-in": http.StatusOK} {
		resp, err := http.Get(pages + path)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != want || !resp.Close {
			t.Errorf("%s: %s, the connection is kept: %v", path, resp.Status, !resp.Close)
		}
	}
	p.signal(syscall.SIGTERM) // a second signal doesn't wait for the rest of the minute
	if code, took := p.exit(); code != exitFailed || took > 10*time.Second {
		t.Errorf("exit %d after %s\n%s", code, took, p.stderr)
	}
}

func TestASecondSignalEndsTheServerAtOnce(t *testing.T) {
	t.Parallel()
	p := start(t, t.TempDir(), append(emptyDatabase(t), anyPort...), "serve", "--role", "web")
	pages, err := url.Parse(p.after("Storeglass is at "))
	if err != nil {
		t.Fatal(err)
	}
	conn, err := net.Dial("tcp", pages.Host)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	// An unfinished form delays the stop; the server has asked for the rest.
	fmt.Fprintf(conn, "POST /sign-in HTTP/1.1\r\nHost: %s\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n", pages.Host)
	if line, err := bufio.NewReader(conn).ReadString('\n'); err != nil || !strings.Contains(line, "100 Continue") {
		t.Fatalf("%q, %v", line, err)
	}
	p.signal(syscall.SIGTERM)
	p.awaitLog("msg=stopping")
	p.signal(syscall.SIGTERM)
	if code, took := p.exit(); code != exitFailed || took > 2*time.Second {
		t.Errorf("exit %d after %s\n%s", code, took, p.stderr)
	}
}

func TestAWorkerAloneHasNoPages(t *testing.T) {
	t.Parallel()
	env, _, store := withStore(t)
	p := start(t, t.TempDir(), append(env, "DASHBOARD_SYNC_CRON=@every 1s"), "serve", "--role", "worker")
	p.awaitLog("msg=started")
	deadline := time.Now().Add(patience)
	for !strings.HasPrefix(run(t, env, "sync", "--store", store.Slug).stdout, store.Slug+": nothing was due") {
		if time.Now().After(deadline) {
			t.Fatalf("the worker never finished\n%s", p.stderr)
		}
	}
	p.signal(syscall.SIGINT)
	if code, took := p.exit(); code != exitOK || took > 10*time.Second || strings.Contains(p.stdout.String(), "Storeglass is at") {
		t.Errorf("exit %d after %s\n%s%s", code, took, p.stdout, p.stderr)
	}
}

func TestATakenPortIsNamed(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	at := l.Addr().String()
	refused(t, exitFailed, nil, "dashboard: sandbox: "+at+" is in use by another program: stop it, or choose another address with --listen\n", "sandbox", "--listen", at)
	o := run(t, append(emptyDatabase(t), "DASHBOARD_LISTEN="+at, "DASHBOARD_LOG=error"), "serve")
	if o.code != exitFailed || o.stderr != "dashboard: pages: "+at+" is in use by another program: stop it, or choose another address with DASHBOARD_LISTEN\n" {
		t.Errorf("%+v", o)
	}
}

// shows signs in with the link and looks for words on the first page.
func shows(t *testing.T, link string, words ...string) {
	t.Helper()
	home, _, _ := strings.Cut(link, "sign-in")
	page := fetched(t, browser(t, link), home)
	for _, word := range words {
		if !strings.Contains(page, word) {
			t.Errorf("the first page does not show %s", word)
		}
	}
}

// The demo is what newcomers see first, so run it as they do, in an empty directory: twice,
// with the second sandbox on another port, and killed once.
func TestTheDemoFillsEveryStoreAndKeepsItsData(t *testing.T) {
	t.Parallel()
	dir := passable(t)
	demo := func(more ...string) (p *process, link string) {
		p = start(t, dir, nil, append([]string{"demo", "--listen", "127.0.0.1:0", "--sandbox-listen", "127.0.0.1:0"}, more...)...)
		p.after("raised their limit from 60 to 6000 calls a minute")
		link = p.after("  http://")
		p.after("Every store has its first page of data")
		return p, "http://" + link
	}
	p, link := demo("--hostile", "--vast")
	shows(t, link, "Fernhollow", "Kumo Tea", "Lumen Optik", "Wattle Wear", "Penrose Parts", "&lt;b&gt;Grim&lt;/b&gt;")
	p.signal(syscall.SIGKILL)
	p.exit()

	begun := time.Now()
	p, second := demo("--hostile", "--vast") // without the flags, those stores' services would be missing
	t.Logf("second start with data: %s", time.Since(begun))
	if second == link {
		t.Error("the sign-in link is not fresh")
	}
	shows(t, second, "Fernhollow", "Penrose Parts")
	other := run(t, []string{"DASHBOARD_DATA_DIR=" + dir + "/.data"}, "demo")
	if other.code != exitFailed || !strings.HasPrefix(other.stderr, "dashboard: another dashboard uses the data in ") {
		t.Errorf("a second demo beside the first: %+v", other)
	}
	p.signal(syscall.SIGINT)
	if code, took := p.exit(); code != exitOK || took > 10*time.Second || p.stderr.String() != "" {
		t.Errorf("exit %d after %s\n%s", code, took, p.stderr)
	}
}
