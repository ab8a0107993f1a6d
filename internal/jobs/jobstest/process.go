package jobstest

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"testing"
)

// inProcess is set in the processes that [Process] makes of a test program.
const inProcess = "JOBSTEST_PROCESS"

// Main runs a package's tests, or in a process that [Process] made, work.
func Main(m *testing.M, work func(context.Context) error) {
	if os.Getenv(inProcess) == "" {
		os.Exit(m.Run())
	}
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin) // until the tests end
		os.Exit(3)
	}()
	if err := work(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// Process makes a process that does the work of [Main], with more variables in its environment. It
// ends with the tests.
func Process(t testing.TB, env ...string) *exec.Cmd {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(program)
	c.Env = append(append(os.Environ(), inProcess+"=1"), env...)
	if _, err := c.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	return c
}

// Start starts a [Process], and returns what kills it.
func Start(t testing.TB, env ...string) (kill func()) {
	t.Helper()
	c := Process(t, env...)
	c.Stderr = os.Stderr
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	return func() {
		t.Helper()
		if err := c.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = c.Wait()
	}
}
