package db

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"time"
)

// Change says that a store's rows changed. The zero Change means any store's may have: notifications
// sent while nobody was listening are lost.
type Change struct{ store int64 }

// Of reports whether the change may concern the store.
func (c Change) Of(s ScopedStore) bool { return c.store == 0 || c.store == s.id }

// In reports whether the change may concern a store in the scope.
func (c Change) In(s Scope) bool { return c.store == 0 || s.Holds(c.store) }

// The delays before reconnecting.
const (
	listenAgain    = 100 * time.Millisecond
	listenAgainMax = 10 * time.Second
)

// Changes listens on one connection until ctx ends and passes on every change once it's committed, plus
// a zero Change whenever it starts listening. A lost connection is replaced; lost gets the reason.
func (d *DB) Changes(ctx context.Context, changed func(Change), lost func(error)) {
	wait := listenAgain
	for {
		err := d.listen(ctx, func(c Change) {
			wait = listenAgain
			changed(c)
		})
		if ctx.Err() != nil {
			return
		}
		lost(err)
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait/2 + rand.N(wait/2)):
		}
		wait = min(2*wait, listenAgainMax)
	}
}

// listen takes a connection out of the pool, so that pages still have all of theirs.
func (d *DB) listen(ctx context.Context, changed func(Change)) error {
	pooled, err := d.Pool.Acquire(ctx)
	if err != nil {
		return fmt.Errorf("connect to listen: %w", err)
	}
	conn := pooled.Hijack()
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		_ = conn.Close(ctx)
	}()
	if _, err := conn.Exec(ctx, "listen store_changed"); err != nil {
		return fmt.Errorf("listen for changes: %w", err)
	}
	changed(Change{})
	for {
		n, err := conn.WaitForNotification(ctx)
		if err != nil {
			return fmt.Errorf("wait for changes: %w", err)
		}
		id, err := strconv.ParseInt(n.Payload, 10, 64)
		if err != nil {
			return fmt.Errorf("read a change: %w", err)
		}
		changed(Change{id})
	}
}
