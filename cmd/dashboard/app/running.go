package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"syscall"
	"time"

	"github.com/storeglass/storeglass/internal/apis/upstream"
)

// StopWithin is how long everything together gets to stop. With closing the
// database after it (CloseWithin) a stop takes less than the ten seconds after
// which a supervisor kills.
const StopWithin = 6 * time.Second

// Running is what a long command has started, to be stopped in reverse order:
// who asks goes before whom they ask.
type Running struct {
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

func NewRunning(log *slog.Logger) *Running {
	return &Running{log: log, failed: make(chan error, 1)}
}

// Started adds a part that runs now.
func (r *Running) Started(name string, stop func(context.Context) error) {
	r.parts = append(r.parts, part{name, stop})
}

// Fail ends the command because a part can't go on.
func (r *Running) Fail(err error) {
	select {
	case r.failed <- err:
	default: // the first cause is enough
	}
}

// Serve runs an HTTP server on l. Stopping lets requests under way end.
func (r *Running) Serve(name string, l net.Listener, srv *http.Server) {
	go func() {
		if err := srv.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			r.Fail(fmt.Errorf("%s: %w", name, err))
		}
	}()
	r.Started(name, func(ctx context.Context) error {
		if err := srv.Shutdown(ctx); err != nil {
			return srv.Close() // a download that outlasts the patience is cut
		}
		return nil
	})
}

// Wait returns when ctx ends or a part fails, after everything has stopped.
func (r *Running) Wait(ctx context.Context) error {
	var err error
	select {
	case <-ctx.Done():
		if context.Cause(ctx) == ErrTerminated { //nolint:errorlint // it is ours, as it is
			r.turnAway()
		}
	case err = <-r.failed:
	}
	r.log.Info("stopping")
	r.Stop()
	return err
}

// Drains has the pages say that they are not ready before anything stops, and serve for
// so long after it.
func (r *Running) Drains(leave func(), wait time.Duration) { r.leave, r.drain = leave, wait }

// turnAway gives a proxy the time to turn to another server.
func (r *Running) turnAway() {
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

// Stop stops the parts, the last started first, each within a share of the time.
func (r *Running) Stop() {
	deadline := time.Now().Add(StopWithin)
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

// ListenOn opens a listener; setting is what a person changes when it fails.
func ListenOn(what, setting, address string) (net.Listener, error) {
	l, err := net.Listen("tcp", address)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("%s: %s is in use by another program: stop it, or choose another address with %s", what, address, setting)
	case err != nil:
		return nil, fmt.Errorf("%s: can't listen on %s (%w): choose another address with %s", what, address, upstream.Cause(err), setting)
	}
	return l, nil
}

// ErrTerminated is the cause of a stop by a supervisor, not by a person at the keyboard.
var ErrTerminated = errors.New("terminated")
