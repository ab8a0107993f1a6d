package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"syscall"
	"time"
)

// stopWithin is how long everything together gets to stop. With closing the
// database after it (closeWithin) a stop takes less than the ten seconds after
// which a supervisor kills.
const stopWithin = 6 * time.Second

// running is what a long command has started, to be stopped in reverse order:
// who asks goes before whom they ask.
type running struct {
	log    *slog.Logger
	parts  []part
	failed chan error // holds the first cause
	leave  func()
	drain  time.Duration
}

type part struct {
	name string
	stop func(context.Context) error
}

func newRunning(log *slog.Logger) *running {
	return &running{log: log, failed: make(chan error, 1)}
}

// started adds a part that runs now.
func (r *running) started(name string, stop func(context.Context) error) {
	r.parts = append(r.parts, part{name, stop})
}

// fail ends the command because a part can't go on.
func (r *running) fail(err error) {
	select {
	case r.failed <- err:
	default: // the first cause is enough
	}
}

// serve runs an HTTP server on l. Stopping lets requests under way end.
func (r *running) serve(name string, l net.Listener, srv *http.Server) {
	go func() {
		if err := srv.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			r.fail(fmt.Errorf("%s: %w", name, err))
		}
	}()
	r.started(name, func(ctx context.Context) error {
		if err := srv.Shutdown(ctx); err != nil {
			return srv.Close() // a download that outlasts the patience is cut
		}
		return nil
	})
}

// wait returns when ctx ends or a part fails, after everything has stopped.
func (r *running) wait(ctx context.Context) error {
	var err error
	select {
	case <-ctx.Done():
		if context.Cause(ctx) == errTerminated { //nolint:errorlint // it is ours, as it is
			r.turnAway()
		}
	case err = <-r.failed:
	}
	r.log.Info("stopping")
	r.stop()
	return err
}

// drains has the pages say that they are not ready before anything stops, and serve for
// so long after it.
func (r *running) drains(leave func(), wait time.Duration) { r.leave, r.drain = leave, wait }

// turnAway gives a proxy the time to turn to another server.
func (r *running) turnAway() {
	if r.leave == nil || r.drain == 0 {
		return
	}
	r.leave()
	r.log.Info("not ready any more", "stops after", r.drain)
	select {
	case <-time.After(r.drain):
	case err := <-r.failed:
		r.log.Warn("stop", "err", err)
	}
}

// stop stops the parts, the last started first, each within a share of the time.
func (r *running) stop() {
	deadline := time.Now().Add(stopWithin)
	for i := len(r.parts) - 1; i >= 0; i-- {
		share := time.Until(deadline) / time.Duration(i+1)
		// The shares of the parts that stopped early go to those that follow.
		ctx, cancel := context.WithTimeout(context.Background(), max(share, 100*time.Millisecond))
		if err := r.parts[i].stop(ctx); err != nil {
			r.log.Warn("stop", "part", r.parts[i].name, "err", err)
		}
		cancel()
	}
	r.parts = nil
}

// listenOn opens a listener; setting is what a person changes when it fails.
func listenOn(what, setting, address string) (net.Listener, error) {
	l, err := net.Listen("tcp", address)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("%s: %s is in use by another program: stop it, or choose another address with %s", what, address, setting)
	case err != nil:
		return nil, fmt.Errorf("%s: can't listen on %s (%w): choose another address with %s", what, address, cause(err), setting)
	}
	return l, nil
}

// cause drops the words that net and os put before what happened.
func cause(err error) error {
	if file, ok := errors.AsType[*os.PathError](err); ok {
		return file.Err
	}
	if call, ok := errors.AsType[*os.SyscallError](err); ok {
		return call.Err
	}
	if op, ok := errors.AsType[*net.OpError](err); ok {
		return op.Err
	}
	return err
}
