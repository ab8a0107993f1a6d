//go:build chaos

package chaos

import (
	"bytes"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// process is one run of the program. It ends with its test at the latest, and with the test
// process if that is killed.
type process struct {
	t      testing.TB
	name   string
	cmd    *exec.Cmd
	out    output // both streams
	exited chan struct{}
	err    error // of the run; valid once exited is closed
}

// output keeps what a process has written so far.
type output struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.String()
}

// last is the end of the output, for failures.
func (o *output) last(lines int) string {
	all := strings.Split(strings.TrimSpace(o.String()), "\n")
	return strings.Join(all[max(0, len(all)-lines):], "\n")
}

func launch(t testing.TB, path string, env []string, args ...string) *process {
	t.Helper()
	p := &process{t: t, name: strings.Join(args, " "), exited: make(chan struct{})}
	p.cmd = exec.Command(path, args...)
	p.cmd.Env = env
	p.cmd.Stdout, p.cmd.Stderr = &p.out, &p.out
	p.cmd.SysProcAttr = tied()
	started := make(chan error)
	go func() {
		// The child dies with the thread that started it, so that thread must live.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		if err := p.cmd.Start(); err != nil {
			started <- err
			return
		}
		started <- nil
		p.err = p.cmd.Wait()
		close(p.exited)
	}()
	if err := <-started; err != nil {
		t.Fatalf("start %s: %v", p.name, err)
	}
	t.Cleanup(func() {
		p.kill()
		if t.Failed() {
			t.Logf("%s wrote last:\n%s", p.name, p.out.last(20))
		}
	})
	return p
}

func (p *process) running() bool {
	select {
	case <-p.exited:
		return false
	default:
		return true
	}
}

// kill is kill -9. It returns when the process is gone.
func (p *process) kill() {
	if p.running() {
		_ = p.cmd.Process.Signal(syscall.SIGKILL)
	}
	<-p.exited
}

// stop asks the process to end and fails the test if it doesn't end in time.
func (p *process) stop() {
	p.t.Helper()
	if !p.running() {
		p.t.Errorf("%s had ended by itself: %v", p.name, p.err)
		return
	}
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-p.exited:
	case <-time.After(time.Minute):
		p.t.Errorf("%s did not stop within a minute", p.name)
		p.kill()
	}
}
