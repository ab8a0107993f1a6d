// Package embedded runs a private PostgreSQL server for one data directory, from server programs that are installed on the machine.
//
// The process that starts a directory's server owns it: it watches the server, starts it again should it die, and stops it. Other
// processes that start the same directory meanwhile attach to the running server, and one of them takes over when the owner leaves.
// A killed process of either kind leaves nothing that blocks the next start.
//
// The package downloads nothing, never deletes or overwrites a data directory, and never listens on anything but a unix socket in a
// private directory, or, where there are no sockets, on a loopback port with a password.
package embedded

import (
	"context"
	"errors"
	"log/slog"
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
	// BinDirs replaces the places where server programs are looked for.
	BinDirs []string
	// Settings are further server settings; they win over the defaults.
	Settings map[string]string
}

// Server is a running PostgreSQL server, owned by this process or attached to.
type Server struct{}

// ErrNoBinaries is in the chain of the error of [Start] when no suitable PostgreSQL server is installed.
var ErrNoBinaries = errors.New("no PostgreSQL server programs found")

// Start returns once the server of o.DataDir accepts connections: a new one, or that of another live process, to which it attaches.
func Start(ctx context.Context, o Options) (*Server, error) {
	return nil, ErrNoBinaries
}

// URL is the address for pgx of the database "storeglass", as its owner. It holds until the data directory moves.
func (s *Server) URL() string { return "" }

// PID is the process id of the server, 0 while it is being started again.
func (s *Server) PID() int { return 0 }

// Attached says whether another process owns the server.
func (s *Server) Attached() bool { return false }

// Done is closed when the server is gone and will not be started again by this process.
func (s *Server) Done() <-chan struct{} { return nil }

// Stop stops an owned server: sessions are cut, data are written out. An attached server runs on. Stop may be called twice.
func (s *Server) Stop(ctx context.Context) error { return nil }
