package dbtest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/migrations"
)

const (
	templatePrefix = "storeglass_template_"
	testPrefix     = "storeglass_test_"
	templateLock   = 0x7467_7465_6d70 // advisory: only one process at a time creates templates on a shared server
)

// templateName changes with every step of the schema, our own or the job queue's.
func templateName() (string, error) {
	h := sha256.New()
	files, err := fs.Glob(migrations.FS, "*.sql")
	if err != nil {
		return "", err
	}
	for _, name := range files {
		text, err := fs.ReadFile(migrations.FS, name)
		if err != nil {
			return "", fmt.Errorf("read migration %s: %w", name, err)
		}
		fmt.Fprintf(h, "%s %d\n%s", name, len(text), text)
	}
	queue, err := rivermigrate.New(riverpgxv5.New(nil), nil)
	if err != nil {
		return "", fmt.Errorf("read job queue migrations: %w", err)
	}
	for _, v := range queue.AllVersions() {
		fmt.Fprintf(h, "river %d %d\n%s", v.Version, len(v.SQLUp), v.SQLUp)
	}
	return templatePrefix + hex.EncodeToString(h.Sum(nil)[:8]), nil
}

// ensureTemplate creates the template unless it exists. The template only gets its name once it's complete.
func (s *server) ensureTemplate(ctx context.Context) error {
	conn, err := s.admin.Acquire(ctx)
	if err != nil {
		return fmt.Errorf("make template database: %w", err)
	}
	defer conn.Release()
	if _, err := conn.Exec(ctx, `set statement_timeout = 0`); err != nil {
		return err
	}
	if _, err := conn.Exec(ctx, `select pg_advisory_lock($1)`, templateLock); err != nil {
		return fmt.Errorf("wait for another process to make the template database: %w", err)
	}
	defer func() { _, _ = conn.Exec(ctx, `select pg_advisory_unlock($1)`, templateLock) }()
	var exists bool
	if err := conn.QueryRow(ctx, `select exists (select from pg_database where datname = $1)`, s.template).Scan(&exists); err != nil {
		return fmt.Errorf("look for template database: %w", err)
	}
	if exists {
		return nil
	}
	unfinished := s.template + "_unfinished"
	if err := s.drop(ctx, unfinished); err != nil {
		return fmt.Errorf("drop unfinished template database: %w", err)
	}
	if _, err := conn.Exec(ctx, "create database "+quote(unfinished)); err != nil {
		return fmt.Errorf("make template database: %w", err)
	}
	if err := migrateDatabase(ctx, s.urlOf(unfinished)); err != nil {
		return err
	}
	// A template that nobody can connect to can always be copied.
	for _, statement := range []string{
		"alter database " + quote(unfinished) + " allow_connections false",
		"alter database " + quote(unfinished) + " rename to " + quote(s.template),
	} {
		if _, err := conn.Exec(ctx, statement); err != nil {
			return fmt.Errorf("finish template database: %w", err)
		}
	}
	return nil
}

func migrateDatabase(ctx context.Context, url string) error {
	pool, err := db.Open(ctx, url, db.WithMaxConns(2))
	if err != nil {
		return err
	}
	defer pool.Close()
	return db.Migrate(ctx, pool)
}

// dropLeftovers removes killed tests' databases and other schemas' templates from our own server.
func (s *server) dropLeftovers(ctx context.Context) error {
	rows, err := s.admin.Query(ctx, `select datname from pg_database where starts_with(datname, $1) or starts_with(datname, $2)`,
		testPrefix, templatePrefix)
	if err != nil {
		return fmt.Errorf("list leftover databases: %w", err)
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return fmt.Errorf("list leftover databases: %w", err)
	}
	names = slices.DeleteFunc(names, func(n string) bool { return n == s.template })
	for _, name := range names {
		if err := s.drop(ctx, name); err != nil {
			return fmt.Errorf("drop leftover database: %w", err)
		}
	}
	return nil
}
