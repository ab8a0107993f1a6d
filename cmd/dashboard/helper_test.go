package main

import (
	"bytes"
	"context"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/storeglass/storeglass/cmd/dashboard/cli"
	"github.com/storeglass/storeglass/internal/apis/sandbox"
	"github.com/storeglass/storeglass/internal/db/dbtest"
)

// asProgram makes this test binary behave like the program, so that tests of processes need
// no separate build.
const asProgram = "STOREGLASS_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// testKey is a secret key for tests.
const testKey = "q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQAAECAwQFBgc="

// outcome is the result of a run.
type outcome struct {
	stdout, stderr string
	code           int
}

// run runs the command line in this process.
func run(t *testing.T, env []string, args ...string) outcome {
	t.Helper()
	var stdout, stderr bytes.Buffer
	p := &cli.Program{Args: args, Env: env, Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr}
	code := runCommand(t.Context(), p)
	return outcome{stdout.String(), stderr.String(), code}
}

// good is run for a command that must succeed; it returns the output.
func good(t *testing.T, env []string, args ...string) string {
	t.Helper()
	o := run(t, env, args...)
	if o.code != exitOK {
		t.Fatalf("dashboard %s: exit %d\n%s%s", strings.Join(args, " "), o.code, o.stdout, o.stderr)
	}
	return o.stdout
}

// refused is run for a command that must fail with these lines on Stderr.
func refused(t *testing.T, code int, env []string, stderr string, args ...string) {
	t.Helper()
	o := run(t, env, args...)
	if o.code != code || o.stderr != stderr {
		t.Errorf("dashboard %s:\n got exit %d %q\nwant exit %d %q", strings.Join(args, " "), o.code, o.stderr, code, stderr)
	}
}

// emptyDatabase is the environment of a database for this test alone, with this machine's
// addresses allowed.
func emptyDatabase(t *testing.T) []string {
	t.Helper()
	return []string{
		"DATABASE_URL=" + dbtest.URL(t), "DASHBOARD_SECRET_KEY=" + testKey,
		"DASHBOARD_UPSTREAM_ALLOW=127.0.0.1", "DASHBOARD_RATE_LIMIT=6000",
	}
}

// world serves a sandbox without a rate limit, and returns its first store.
func world(t *testing.T) (base string, first sandbox.Store) {
	t.Helper()
	s := sandbox.New(sandbox.Config{Seed: 7})
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	return server.URL, s.Stores()[0]
}

// tokens are the environment variables with a store's tokens.
func tokens(s sandbox.Store) []string {
	return []string{"STORE_UPSELL_TOKEN=" + s.UpsellToken, "STORE_GIFT_TOKEN=" + s.GiftKey}
}

// withStore is a database with a sandbox's first store connected.
func withStore(t *testing.T) (env []string, base string, store sandbox.Store) {
	t.Helper()
	env = emptyDatabase(t)
	base, store = world(t)
	good(t, append(tokens(store), env...), "store", "add", "--slug", store.Slug, "--name", store.Name, "--timezone", store.Timezone,
		"--upsell-url", base+store.UpsellPath, "--gift-url", base+store.GiftPath, "--history-days", "2")
	return env, base, store
}

// process is the program as a separate process.
type process struct {
	t      *testing.T
	cmd    *exec.Cmd
	stdout *lines
	stderr *lines
	ended  chan struct{}
}

// start starts the program in dir; the test's end kills it.
func start(t *testing.T, dir string, env []string, args ...string) *process {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := &process{t: t, cmd: exec.Command(self, args...), stdout: newLines(), stderr: newLines(), ended: make(chan struct{})}
	p.cmd.Dir = dir
	p.cmd.Env = append([]string{asProgram + "=1", "PATH=" + os.Getenv("PATH"), "HOME=" + dir, "TMPDIR=" + os.TempDir()}, env...)
	p.cmd.Stdout, p.cmd.Stderr = p.stdout, p.stderr
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		_ = p.cmd.Wait() // the state is in cmd.ProcessState
		close(p.ended)
	}()
	t.Cleanup(func() {
		_ = p.cmd.Process.Kill()
		<-p.ended
	})
	return p
}

const patience = 60 * time.Second

// after waits for a line of Stdout that contains the words, and returns what follows them.
func (p *process) after(words string) string {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), patience)
	defer cancel()
	rest, ok := p.stdout.after(ctx, words, p.ended)
	if !ok {
		p.t.Fatalf("dashboard %v never said %q:\n%s%s", p.cmd.Args[1:], words, p.stdout, p.stderr)
	}
	return rest
}

// awaitLog waits for words in the log.
func (p *process) awaitLog(words string) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), patience)
	defer cancel()
	if _, ok := p.stderr.after(ctx, words, p.ended); !ok {
		p.t.Fatalf("dashboard %v never logged %q:\n%s%s", p.cmd.Args[1:], words, p.stdout, p.stderr)
	}
}

// signal sends a signal.
func (p *process) signal(s syscall.Signal) {
	p.t.Helper()
	if err := p.cmd.Process.Signal(s); err != nil {
		p.t.Fatalf("signal: %v", err)
	}
}

// exit waits for the process to end, and returns its exit code and how long that took.
func (p *process) exit() (code int, took time.Duration) {
	p.t.Helper()
	begun := time.Now()
	select {
	case <-p.ended:
	case <-time.After(patience):
		p.t.Fatalf("dashboard %v did not end:\n%s%s", p.cmd.Args[1:], p.stdout, p.stderr)
	}
	return p.cmd.ProcessState.ExitCode(), time.Since(begun)
}

// lines collects output and wakes those who wait for it.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
	more chan struct{} // closed and replaced on every write
}

func newLines() *lines { return &lines{more: make(chan struct{})} }

func (l *lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	close(l.more)
	l.more = make(chan struct{})
	return l.text.Write(b)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// reset discards the output so far.
func (l *lines) reset() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text.Reset()
}

func (l *lines) after(ctx context.Context, words string, ended <-chan struct{}) (string, bool) {
	for {
		l.mu.Lock()
		text, more := l.text.String(), l.more
		l.mu.Unlock()
		for line := range strings.Lines(text) {
			if _, rest, found := strings.Cut(line, words); found && strings.HasSuffix(line, "\n") {
				return strings.TrimSpace(rest), true
			}
		}
		select {
		case <-more:
		case <-ended:
			ended = nil // its last output may just have arrived
			if strings.Contains(l.String(), words) {
				continue
			}
			return "", false
		case <-ctx.Done():
			return "", false
		}
	}
}
