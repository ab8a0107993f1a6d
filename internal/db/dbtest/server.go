package dbtest

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/storeglass/storeglass/internal/db"
)

// server is where this process creates its databases.
type server struct {
	url      string // of a database only used to create others
	own      bool   // it ends with this process
	admin    *pgxpool.Pool
	template string
	fileCopy bool // the server can copy a template file by file
}

// shared is the one server of this process.
var shared = sync.OnceValues(func() (*server, error) {
	ctx := context.Background()
	s := &server{url: os.Getenv("TEST_DATABASE_URL")}
	s.own = s.url == ""
	var err error
	if s.own {
		if s.url, err = startSlot(ctx); err != nil {
			return nil, err
		}
	}
	s.admin, err = db.Open(ctx, s.url, db.WithMaxConns(4))
	if err != nil {
		return nil, err
	}
	var version int
	if err := s.admin.QueryRow(ctx, `select current_setting('server_version_num')::int`).Scan(&version); err != nil {
		return nil, fmt.Errorf("read server version: %w", err)
	}
	s.fileCopy = version >= 150000
	if s.template, err = templateName(); err != nil {
		return nil, err
	}
	if s.own {
		if err := s.dropLeftovers(ctx); err != nil {
			return nil, err
		}
	}
	return s, s.ensureTemplate(ctx)
})

// clone creates a database from a template and returns its name. It may run in parallel.
func (s *server) clone(ctx context.Context, template string) (string, error) {
	name := testPrefix + strconv.Itoa(os.Getpid()) + "_" + strings.ToLower(rand.Text()[:12])
	statement := "create database " + quote(name) + " template " + quote(template)
	if s.fileCopy {
		statement += " strategy file_copy"
	}
	_, err := s.admin.Exec(ctx, statement)
	return name, err
}

// drop removes a database and ends its sessions. It's fine if the database is already gone.
func (s *server) drop(ctx context.Context, name string) error {
	s.cut(ctx, name)
	_, err := s.admin.Exec(ctx, "drop database if exists "+quote(name)+" with (force)")
	return err
}

// cut ends a database's sessions. The server itself checks only every 100 ms whether they are gone;
// polling is quicker.
func (s *server) cut(ctx context.Context, name string) {
	for range 500 {
		var sessions int
		err := s.admin.QueryRow(ctx, `select count(pg_terminate_backend(pid)) from pg_stat_activity where datname = $1`, name).Scan(&sessions)
		if err != nil || sessions == 0 {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

func (s *server) urlOf(database string) string {
	u, err := url.Parse(s.url)
	if err != nil || u.Scheme == "" { // keyword form; a keyword's last value counts
		return s.url + " dbname=" + database
	}
	u.Path = "/" + database
	return u.String()
}

func quote(name string) string { return pgx.Identifier{name}.Sanitize() }
