// Command dashboard is all of Storeglass in one program: the server, its worker,
// the sandbox of both upstream services, and the commands of whoever runs them.
//
// This room parses, wires, runs and closes, and is the only one that knows all
// the others. It holds no rule about numbers, pulls or pages.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	_ "time/tzdata" // so that stores' clocks work where the system has no zones
)

func main() {
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-signals
		cancel() // everything stops in order
		<-signals
		os.Exit(exitFailed) // asked twice: at once; the database recovers by itself
	}()
	p := &Program{Args: os.Args[1:], Env: os.Environ(), Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr}
	os.Exit(p.Run(ctx))
}
