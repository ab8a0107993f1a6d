// Package embedded runs a private PostgreSQL server for one data directory, from server programs that are installed on the machine.
//
// The process that starts a directory's server owns it: it watches the server, starts it again should it die, and stops it. Other
// processes that start the same directory meanwhile attach to the running server, and one of them takes over when the owner leaves.
// A killed process of either kind leaves nothing that blocks the next start.
//
// The package downloads nothing, never deletes or overwrites a data directory, and listens on nothing but a unix socket in a
// private directory.
package embedded

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"
)

// Options say where the data live and how the server behaves.
type Options struct {
	// DataDir is made if it is missing. The cluster lies in DataDir/postgres. As root the server runs as another user, so every
	// directory above must let that user pass.
	DataDir string
	// Log receives the server's own lines, most of them at debug level. Nil discards them.
	Log *slog.Logger
	// NoSync gives up safety against a crash of the machine for speed. For throw-away data only.
	NoSync bool
	// BinDirs, if not nil, replaces the places where server programs are looked for.
	BinDirs []string
	// Settings are further server settings; they win over the defaults.
	Settings map[string]string
}

const (
	roleName     = "storeglass"
	databaseName = "storeglass"
	oldestMajor  = 15
	pollEvery    = 5 * time.Millisecond
	startLimit   = 2 * time.Minute // crash recovery after a long run may take its time
)

// ErrNoBinaries is in the chain of the error of [Start] when no suitable PostgreSQL server is installed.
var ErrNoBinaries = errors.New("no PostgreSQL server programs found")

// Start returns once the server of o.DataDir accepts connections: a new one, or that of another live process, to which it attaches.
// It waits at most two minutes, or until ctx ends; ctx does not matter afterwards. Errors say in one line what a person can do.
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

// pause waits for d, or less if ctx ends, whose error it returns then.
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
