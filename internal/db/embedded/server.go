package embedded

import (
	"context"
	"fmt"
	"sync"
	"time"
)

const (
	takeoverEvery = 100 * time.Millisecond
	restartWindow = time.Minute
	restartLimit  = 5 // within the window; after that we give up on the server
)

// Server is a running PostgreSQL server that this process owns or is attached to.
type Server struct {
	c    *cluster
	addr address

	mu       sync.Mutex
	attached bool
	pid      int
	err      error

	stopOnce sync.Once
	stop     chan struct{}
	stopCtx  context.Context // set before stop is closed
	done     chan struct{}
}

// Made reports whether this process made the cluster: then it was empty.
func (s *Server) Made() bool { return s.c.made }

func newOwned(c *cluster, lock *fileLock, proc *process) *Server {
	s := &Server{c: c, addr: proc.addr, pid: proc.pid, stop: make(chan struct{}), done: make(chan struct{})}
	go func() {
		defer close(s.done)
		s.watch(lock, proc)
	}()
	return s
}

func newAttached(c *cluster, addr address, pid int) *Server {
	s := &Server{c: c, addr: addr, pid: pid, attached: true, stop: make(chan struct{}), done: make(chan struct{})}
	go func() {
		defer close(s.done)
		s.awaitOwnership()
	}()
	return s
}

// URL is the pgx address of the database "storeglass", as its owner. It stays valid as long as the data
// directory isn't moved, even if the server restarts or another process takes over.
func (s *Server) URL() string { return s.addr.url(databaseName) }

// PID is the server's process id, 0 while it is restarting.
func (s *Server) PID() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.pid
}

// Attached reports whether another process owns the server. It becomes false when this process takes over.
func (s *Server) Attached() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.attached
}

// Done is closed after Stop, and when the server has stopped permanently; Err says why.
func (s *Server) Done() <-chan struct{} { return s.done }

// Err is nil until Done is closed, and after a normal Stop.
func (s *Server) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// Stop stops an owned server: it ends sessions and writes out data; when ctx ends, or after 30 s, it
// forces the stop, which costs the next start a recovery but no data. An attached server keeps running.
// Stop may be called twice.
func (s *Server) Stop(ctx context.Context) error {
	s.stopOnce.Do(func() {
		s.stopCtx = ctx
		close(s.stop)
	})
	<-s.done // bounded: the last step is a kill
	return s.Err()
}

// watch keeps the owned server alive until Stop. It owns lock, and returns it when the server is gone.
func (s *Server) watch(lock *fileLock, proc *process) {
	defer lock.release()
	var restarts []time.Time
	for {
		select {
		case <-s.stop:
			s.set(0, proc.shutdown(s.stopCtx))
			return
		case <-proc.exited:
		}
		s.set(0, nil)
		s.c.log.Error("PostgreSQL ended unexpectedly; starting it again", "pid", proc.pid, "state", proc.state(), "last", proc.tail.last())
		now := time.Now()
		restarts = append(restarts, now)
		if n := len(restarts); n > restartLimit && now.Sub(restarts[n-1-restartLimit]) < restartWindow {
			s.fail(fmt.Errorf("PostgreSQL in %s ended %d times within a minute: %s", s.c.data, restartLimit+1, proc.tail.last()))
			return
		}
		next, err := s.startAgain()
		if err != nil {
			s.fail(err)
			return
		}
		proc = next
		s.set(proc.pid, nil)
	}
}

// awaitOwnership waits until the owner's lock is free, and then takes over as owner at the same address.
func (s *Server) awaitOwnership() {
	tick := time.NewTicker(takeoverEvery)
	defer tick.Stop()
	for {
		select {
		case <-s.stop:
			return
		case <-tick.C:
		}
		lock, err := tryLock(s.c.lockPath())
		if err != nil {
			s.fail(err)
			return
		}
		if lock == nil {
			continue
		}
		s.c.log.Info("the process that ran PostgreSQL has left; taking over", "data", s.c.data)
		s.set(0, nil)
		proc, err := s.startAgain()
		if err != nil {
			lock.release()
			s.fail(err)
			return
		}
		s.mu.Lock()
		s.attached, s.pid = false, proc.pid
		s.mu.Unlock()
		s.watch(lock, proc)
		return
	}
}

// startAgain restarts the server at the address that this process's callers already use; Stop interrupts it.
func (s *Server) startAgain() (*process, error) {
	ctx, cancel := context.WithTimeout(context.Background(), startLimit)
	defer cancel()
	go func() {
		select {
		case <-s.stop:
			cancel()
		case <-ctx.Done():
		}
	}()
	return s.c.start(ctx, s.addr)
}

// fail records why there is no server anymore. A start interrupted by Stop isn't a failure.
func (s *Server) fail(err error) {
	select {
	case <-s.stop:
		err = nil
	default:
		s.c.log.Error("PostgreSQL is gone", "data", s.c.data, "err", err)
	}
	s.set(0, err)
}

func (s *Server) set(pid int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pid, s.err = pid, err
}

// leastRoom is the free disk space required: the server writes its log ahead in files of 16 MiB.
const leastRoom = 32 << 20

// Room returns an error if the disk with the data is full or nearly full.
func (s *Server) Room() error { return roomFor(s.c.data, leastRoom) }

func roomFor(dir string, least uint64) error {
	left, err := free(dir)
	if err != nil {
		return fmt.Errorf("ask for the room left on the disk of %s: %w", dir, err)
	}
	if left < least {
		return fmt.Errorf("the disk that holds %s is full (%d MiB left): make room", dir, left>>20)
	}
	return nil
}
