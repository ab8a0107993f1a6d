package web

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/web/site"
)

// Livez says that the process answers, and asks nothing else.
func (s *Server) Livez(c *site.Call) error {
	c.Response().Header().Set("Cache-Control", "no-store")
	return c.String(http.StatusOK, "ok\n")
}

// readyz says whether pages can be served: the database answers, its schema matches this program, and an
// embedded database has disk space. The reason goes to the log only, since outsiders can read this.
func (s *Server) readyz(c *site.Call) error {
	c.Response().Header().Set("Cache-Control", "no-store")
	if s.leaving.Load() {
		return c.String(http.StatusServiceUnavailable, "stopping\n")
	}
	err := s.Schema.ready(c.Request().Context(), s.DB)
	if err == nil && s.Room != nil {
		err = s.Room()
	}
	if err != nil {
		c.Failed = err
		return c.String(http.StatusServiceUnavailable, "not ready\n")
	}
	return c.String(http.StatusOK, "ready\n")
}

// Leave makes readyz report from now on that this server is about to stop. All other requests
// are still answered.
func (s *Server) Leave() { s.leaving.Store(true) }

// SchemaCheck asks the database at most once a second, however many requests there are, since
// anyone can make them.
type SchemaCheck struct {
	mu    sync.Mutex
	asked time.Time
	err   error
}

func (k *SchemaCheck) ready(ctx context.Context, d *db.DB) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if time.Since(k.asked) < time.Second {
		return k.err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 3*time.Second)
	defer cancel()
	k.err = schemaReady(ctx, d)
	k.asked = time.Now()
	return k.err
}

func schemaReady(ctx context.Context, d *db.DB) error {
	if err := d.Pool.Ping(ctx); err != nil {
		return fmt.Errorf("ping database: %w", err)
	}
	states, err := db.MigrationStatus(ctx, d.Pool)
	if err != nil {
		return err
	}
	for _, st := range states {
		if !st.Applied {
			return fmt.Errorf("schema step %s %d is not applied: run dashboard migrate up", st.Set, st.Version)
		}
	}
	return nil
}

func (s *Server) static(c *site.Call) error {
	Assets().ServeHTTP(c.Response(), c.Request())
	return nil
}
