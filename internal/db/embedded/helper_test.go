package embedded

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

const helperEnv = "STOREGLASS_TEST_EMBEDDED_DIR"

// TestMain lets the test binary act as a second process: it starts the server of the directory named in
// the environment, reports what it got, and stops when its standard input ends.
func TestMain(m *testing.M) {
	if dir := os.Getenv(helperEnv); dir != "" {
		os.Exit(helperMain(dir))
	}
	os.Exit(m.Run())
}

type helperReport struct {
	URL      string
	PID      int
	Attached bool
	Err      string
}

func helperMain(dir string) int {
	s, err := Start(context.Background(), Options{DataDir: dir, NoSync: true})
	if err != nil {
		_ = json.NewEncoder(os.Stdout).Encode(helperReport{Err: err.Error()})
		return 1
	}
	_ = json.NewEncoder(os.Stdout).Encode(helperReport{URL: s.URL(), PID: s.PID(), Attached: s.Attached()})
	_, _ = io.Copy(io.Discard, os.Stdin)
	if err := s.Stop(context.Background()); err != nil {
		return 1
	}
	return 0
}

// helper is a second process that has started the server of a directory.
type helper struct {
	helperReport
	cmd   *exec.Cmd
	stdin io.Closer
}

func startHelper(t *testing.T, dir string) *helper {
	t.Helper()
	h := launchHelper(t, dir)
	if h.Err != "" {
		t.Fatalf("second process: %s", h.Err)
	}
	return h
}

func launchHelper(t *testing.T, dir string) *helper {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), helperEnv+"="+dir)
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	h := &helper{cmd: cmd, stdin: stdin}
	t.Cleanup(func() { h.kill() })
	line, err := bufio.NewReader(stdout).ReadBytes('\n')
	if err != nil {
		t.Fatalf("second process said nothing: %v", err)
	}
	if err := json.Unmarshal(line, &h.helperReport); err != nil {
		t.Fatalf("second process said %q: %v", line, err)
	}
	return h
}

// kill ends the process without letting it clean up, and waits until it's gone.
func (h *helper) kill() {
	_ = h.cmd.Process.Kill()
	_ = h.cmd.Wait()
}

func (h *helper) stop(t *testing.T) {
	t.Helper()
	_ = h.stdin.Close()
	if err := h.cmd.Wait(); err != nil {
		t.Errorf("second process: %v", err)
	}
}

// dataDir is a directory with a short path that, unlike t.TempDir, other users may enter.
func dataDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "sg-")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o711); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		eventually(t, "no server is left", func() bool {
			pids, _ := holders(filepath.Join(dir, "postgres"))
			return len(pids) == 0
		})
		_ = os.RemoveAll(dir)
	})
	return dir
}

func start(t *testing.T, dir string) *Server {
	t.Helper()
	return startWith(t, Options{DataDir: dir, NoSync: true})
}

func startWith(t *testing.T, o Options) *Server {
	t.Helper()
	s, err := Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stop(t, s) })
	return s
}

func stop(t *testing.T, s *Server) {
	t.Helper()
	if err := s.Stop(context.Background()); err != nil {
		t.Error(err)
	}
}

func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("it never came to pass: %s", what)
		}
	}
}

func sessionOf(url string) (*pgx.Conn, error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	return pgx.Connect(ctx, url)
}

func exec1(t *testing.T, url, sql string, args ...any) {
	t.Helper()
	conn, err := sessionOf(url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	if _, err := conn.Exec(context.Background(), sql, args...); err != nil {
		t.Fatal(err)
	}
}

// remember and wantRemembered check that data survives what happens in between.
func remember(t *testing.T, url string, words ...string) {
	t.Helper()
	exec1(t, url, `create table if not exists kept (word text primary key)`)
	for _, w := range words {
		exec1(t, url, `insert into kept values ($1)`, w)
	}
}

func wantRemembered(t *testing.T, url string, words ...string) {
	t.Helper()
	got, err := remembered(url)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got, words) {
		t.Errorf("kept words are %q, want %q", got, words)
	}
}

func remembered(url string) ([]string, error) {
	conn, err := sessionOf(url)
	if err != nil {
		return nil, err
	}
	defer conn.Close(context.Background())
	rows, err := conn.Query(context.Background(), `select word from kept order by word`)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

func killServer(t *testing.T, pid int) {
	t.Helper()
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(fmt.Errorf("kill server %d: %w", pid, err))
	}
}
