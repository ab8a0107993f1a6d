// Package embedded runs a private PostgreSQL server for one data directory, using server programs
// installed on the machine.
//
// The process that starts a directory's server owns it: it watches the server, restarts it if it dies,
// and stops it. Other processes that start the same directory attach to the running server, and one of
// them takes over when the owner exits. Killing either kind of process never blocks the next start.
//
// The package downloads nothing, never deletes or overwrites a data directory, and only listens on a
// unix socket in a private directory.
package embedded

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"
)

// Options say where the data is and how the server behaves.
type Options struct {
	// DataDir is created if it's missing. The cluster is in DataDir/postgres. As root, the server runs
	// as another user, who must be able to pass through every directory above.
	DataDir string
	// Log receives the server's own lines, most of them at debug level. Nil discards them.
	Log *slog.Logger
	// NoSync trades safety in a machine crash for speed. Only for throw-away data.
	NoSync bool
	// BinDirs, if not nil, replaces the places to look for server programs.
	BinDirs []string
	// Settings are additional server settings; they override the defaults.
	Settings map[string]string
}

const (
	roleName     = "storeglass"
	databaseName = "storeglass"
	oldestMajor  = 15
	pollEvery    = 5 * time.Millisecond
	startLimit   = 2 * time.Minute // crash recovery after a long run may take a while
)

// ErrNoBinaries is in the error chain of [Start] if no suitable PostgreSQL server is installed.
var ErrNoBinaries = errors.New("no PostgreSQL server programs found")

// Start returns once o.DataDir's server accepts connections: a new one, or another live process's,
// which it attaches to. It waits for at most two minutes, or until ctx ends; afterwards ctx has no
// effect. Errors say in one line what to do.
func Start(ctx context.Context, o Options) (*Server, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	c, err := newCluster(o)
	if err != nil {
		return nil, err
	}
	for {
		lock, err := tryLock(c.lockPath())
		if err != nil {
			return nil, err
		}
		if lock != nil {
			return startOwned(ctx, c, lock)
		}
		if addr, pid, ok := c.accepting(ctx); ok {
			return newAttached(c, addr, pid), nil
		}
		if err := pause(ctx, 2*pollEvery); err != nil {
			return nil, fmt.Errorf("wait for the process that is starting or stopping PostgreSQL in %s: %w", c.data, err)
		}
	}
}

func startOwned(ctx context.Context, c *cluster, lock *fileLock) (*Server, error) {
	proc, err := c.start(ctx, "")
	if err != nil {
		lock.release()
		return nil, err
	}
	return newOwned(c, lock, proc), nil
}

// pause waits for d, or until ctx ends, and then returns its error.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
