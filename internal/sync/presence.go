package sync

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/storeglass/storeglass/internal/db"
)

const (
	// presenceClass sets the locks of processes apart from other advisory locks.
	presenceClass = 0x57474c53
	// lookAround is how often a process looks for dead ones.
	lookAround = 2 * time.Second
)

// presence is a process's proof of life: a lock that a session of it holds in the
// database. When the session ends, by whatever end of the process, another process
// frees what it had under way. One that lost only its session takes the lock again;
// what it had claimed may be someone else's by then, which the fence keeps apart.
type presence struct {
	syncer *Syncer
	stop   context.CancelFunc
	done   chan struct{}
}

// appear takes the lock, clears up after dead processes, and goes on doing so until
// leave is called.
func (s *Syncer) appear(ctx context.Context) (*presence, error) {
	session, err := s.takeSession(ctx)
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(ctx))
	p := &presence{syncer: s, stop: stop, done: make(chan struct{})}
	go p.stay(ctx, session)
	return p, nil
}

// leave ends the presence; should anything still be under way, others free it.
func (p *presence) leave() {
	p.stop()
	<-p.done
}

// stay holds the session until ctx ends, and takes a new one where it broke. Only
// who can still prove its own life looks for the dead: both use the same session.
func (p *presence) stay(ctx context.Context, session *pgxpool.Conn) {
	defer close(p.done)
	for {
		if session == nil {
			session, _ = p.syncer.takeSession(ctx)
		}
		if pause(ctx, lookAround) != nil {
			break
		}
		if session == nil {
			continue
		}
		if err := p.syncer.clearUp(ctx, session); err != nil && ctx.Err() == nil {
			p.syncer.Log.Warn("the session that shows that this process lives broke", "error", err)
			hangUp(session)
			session = nil
		}
	}
	if session != nil {
		hangUp(session)
	}
}

// hangUp closes the session rather than returning it to the pool: its lock ends with it.
func hangUp(session *pgxpool.Conn) {
	_ = session.Hijack().Close(context.Background())
}

// takeSession opens a session that holds this process's lock.
func (s *Syncer) takeSession(ctx context.Context) (*pgxpool.Conn, error) {
	session, err := s.DB.Pool.Acquire(ctx)
	if err != nil {
		return nil, fmt.Errorf("open a session: %w", err)
	}
	q := db.New(session)
	if err = q.LockProcess(ctx, db.LockProcessParams{Class: presenceClass, ID: s.id}); err == nil {
		err = q.AddProcess(ctx, s.id)
	}
	if err == nil {
		err = s.clearUp(ctx, session)
	}
	if err != nil {
		hangUp(session)
		return nil, fmt.Errorf("show that this process lives: %w", err)
	}
	return session, nil
}

// clearUp frees what dead processes had under way: claims, jobs, and the lead over
// the other workers.
func (s *Syncer) clearUp(ctx context.Context, session *pgxpool.Conn) error {
	return pgx.BeginFunc(ctx, session, func(tx pgx.Tx) error {
		q := db.New(tx)
		dead, err := q.DeadProcesses(ctx, db.DeadProcessesParams{Own: s.id, Class: presenceClass})
		if err != nil || len(dead) == 0 {
			return err
		}
		if err := q.LockClaimedStores(ctx, dead); err != nil {
			return err
		}
		claims, err := q.FreeClaims(ctx, dead)
		if err != nil {
			return err
		}
		jobs, err := freeJobs(ctx, tx, dead)
		if err != nil {
			return err
		}
		if claims+jobs > 0 {
			s.Log.Info("freed what a process that ended had under way", "pulls", claims, "jobs", jobs)
		}
		return q.RemoveProcesses(ctx, dead)
	})
}

// clientID is a process's name among River's clients.
func clientID(process int32) string { return fmt.Sprintf("process-%d", process) }

// freeJobs gives jobs that processes were at back to River, as if they had not been
// tried, and takes the lead from them.
func freeJobs(ctx context.Context, tx pgx.Tx, processes []int32) (jobs int64, err error) {
	clients := make([]string, len(processes))
	for i, p := range processes {
		clients[i] = clientID(p)
	}
	tag, err := tx.Exec(ctx, `
		update river_job set state = 'available', scheduled_at = now(), attempt = greatest(attempt - 1, 0)
		where state = 'running' and attempted_by[array_upper(attempted_by, 1)] = any($1)`, clients)
	if err == nil {
		_, err = tx.Exec(ctx, `delete from river_leader where leader_id = any($1)`, clients)
	}
	return tag.RowsAffected(), err
}
