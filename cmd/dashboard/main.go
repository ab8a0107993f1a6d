// Command dashboard is all of Storeglass in one program: the server, its worker,
// the sandbox of both upstream services, and the commands of those who run them.
//
// Each subcommand has its file: it parses, runs and closes. What a command works with is
// made in package app.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	_ "time/tzdata" // so that stores' clocks work where the system has no zones

	"github.com/storeglass/storeglass/cmd/dashboard/app"
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
		os.Exit(exitFailed) // asked twice: at once; the database recovers by itself
	}()
	p := &Program{Args: os.Args[1:], Env: os.Environ(), Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr}
	os.Exit(p.Run(ctx))
}
