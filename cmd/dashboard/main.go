// Command dashboard is all of Storeglass in one program: the server, its worker, the
// sandbox for both upstream services, and the commands for operators.
//
// Each subcommand has its own file: it parses, runs and closes. Package app makes what a
// command works with.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	_ "time/tzdata" // time zones for systems that have none installed

	"github.com/storeglass/storeglass/cmd/dashboard/app"
	"github.com/storeglass/storeglass/cmd/dashboard/cli"
)

func main() {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		cause := context.Canceled
		if <-signals == syscall.SIGTERM {
			cause = app.ErrTerminated
		}
		cancel(cause) // everything stops in order
		<-signals
		os.Exit(exitFailed) // second signal: stop at once; the database recovers by itself
	}()
	p := &cli.Program{Args: os.Args[1:], Env: os.Environ(), Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr}
	os.Exit(runCommand(ctx, p))
}
