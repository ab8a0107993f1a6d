package embedded

import (
	"context"
	"fmt"
	"log/slog"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"
)

const (
	fastStopLimit = 30 * time.Second
	hardStopLimit = 5 * time.Second
	drainLimit    = time.Second // for output, after the process itself has exited
)

// process is one run of a PostgreSQL program.
type process struct {
	addr   address
	pid    int
	tail   *logTail
	exited chan struct{}
	err    error // from the run; valid once exited is closed
}

// run starts a program as the server's user, and waits for its exit in the background. The operating
// system ties a child's life to the thread that started it, so that thread is kept as long as the child
// lives.
func (c *cluster) run(program string, args []string) (*process, error) {
	p := &process{tail: &logTail{log: c.log}, exited: make(chan struct{})}
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Env, cmd.SysProcAttr = c.root, serverEnv(), tied(c.as)
	cmd.Stdout, cmd.Stderr = p.tail, p.tail
	cmd.WaitDelay = drainLimit
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		if err := cmd.Start(); err != nil {
			started <- err
			return
		}
		p.pid = cmd.Process.Pid
		started <- nil
		p.err = cmd.Wait()
		close(p.exited)
	}()
	if err := <-started; err != nil {
		return nil, err
	}
	return p, nil
}

// shutdown requests a fast stop, and forces it when ctx ends or the limit passes. A forced stop loses
// nothing that was committed.
func (p *process) shutdown(ctx context.Context) error {
	fast, cancel := context.WithTimeout(ctx, fastStopLimit)
	defer cancel()
	p.signal(syscall.SIGINT)
	select {
	case <-p.exited:
		return nil
	case <-fast.Done():
	}
	p.signal(syscall.SIGQUIT)
	select {
	case <-p.exited:
		return nil
	case <-time.After(hardStopLimit):
	}
	p.signal(syscall.SIGKILL)
	<-p.exited
	return fmt.Errorf("stop PostgreSQL: process %d had to be killed", p.pid)
}

// signal does nothing once the process was reaped, since its number may belong to another process by then.
func (p *process) signal(sig syscall.Signal) {
	select {
	case <-p.exited:
	default:
		_ = syscall.Kill(p.pid, sig)
	}
}

func (p *process) state() string {
	if p.err == nil {
		return "exit status 0"
	}
	return p.err.Error()
}

// logTail forwards a program's output line by line, and remembers the latest lines for an error message.
type logTail struct {
	log *slog.Logger

	mu    sync.Mutex
	part  string
	lines []string
}

const tailLines = 30

func (t *logTail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	parts := strings.Split(t.part+string(b), "\n")
	t.part = parts[len(parts)-1]
	for _, line := range parts[:len(parts)-1] {
		t.lines = append(t.lines, line)
		t.log.Log(context.Background(), levelOf(line), "postgres: "+line)
	}
	if n := len(t.lines); n > tailLines {
		t.lines = append([]string(nil), t.lines[n-tailLines:]...)
	}
	return len(b), nil
}

// levelOf keeps sessions' own errors at debug level: the statement's caller gets them anyway.
func levelOf(line string) slog.Level {
	switch severity, _, _ := strings.Cut(line, ":"); severity {
	case "PANIC":
		return slog.LevelError
	case "WARNING":
		return slog.LevelWarn
	default:
		return slog.LevelDebug
	}
}

// last is the most useful of the latest lines: one about a full disk, otherwise the first fatal one
// with its hint, otherwise the last one.
func (t *logTail) last() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, line := range append(t.lines, t.part) {
		if strings.Contains(line, "No space left on device") {
			return "the disk is full (" + strings.TrimSpace(line) + "): make room, then start again"
		}
	}
	for i, line := range t.lines {
		for _, severity := range []string{"PANIC:", "FATAL:", "initdb: error:"} {
			text, ok := strings.CutPrefix(line, severity)
			if !ok {
				continue
			}
			text = strings.TrimSpace(text)
			for _, more := range t.lines[i+1:] {
				detail, ok := strings.CutPrefix(more, "DETAIL:")
				if !ok {
					break
				}
				text += ": " + strings.TrimSpace(detail)
			}
			return text
		}
	}
	for i := len(t.lines) - 1; i >= 0; i-- {
		if line := strings.TrimSpace(t.lines[i]); line != "" {
			return line
		}
	}
	return strings.TrimSpace(t.part)
}

func (t *logTail) all() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.Join(t.lines, "\n")
}
