// Command dashboard is all of Storeglass in one program: the server, its worker,
// the sandbox of both upstream services, and the commands of whoever runs them.
//
// This room parses, wires, runs and closes, and is the only one that knows all
// the others. It holds no rule about numbers, pulls or pages.
package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"

	_ "time/tzdata" // so that stores' clocks work where the system has no zones
)

// errTerminated is the cause of a stop by a supervisor, not by a person at the keyboard.
var errTerminated = errors.New("terminated")

func main() {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		cause := context.Canceled
		if <-signals == syscall.SIGTERM {
			cause = errTerminated
		}
		cancel(cause) // everything stops in order
		<-signals
		os.Exit(exitFailed) // asked twice: at once; the database recovers by itself
	}()
	p := &Program{Args: os.Args[1:], Env: os.Environ(), Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr}
	os.Exit(p.Run(ctx))
}
