package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/url"
	"os"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/embedded"
	"github.com/storeglass/storeglass/internal/mail"
	"github.com/storeglass/storeglass/internal/pdf"
	"github.com/storeglass/storeglass/internal/settings"
)

// schemaRule says what a command does about a schema that is not this program's.
type schemaRule int

const (
	// schemaOwn brings an own server's schema up to date and refuses any other
	// that is not: changing a shared database is for serve and migrate.
	schemaOwn schemaRule = iota
	// schemaUp brings it up to date.
	schemaUp
	// schemaLeft does not look, and opens the database as its owner only.
	schemaLeft
)

// house is the database and what stands on it, open until close.
type house struct {
	settings settings.Settings
	log      *slog.Logger
	server   *embedded.Server // nil with DATABASE_URL
	address  string
	// owner is the database as its own user, to look at the schema and change it:
	// open until the schema is prepared, and with schemaLeft until close.
	owner *pgxpool.Pool
	// db is the database as the worker and the command line have it; access stands on it.
	db     *db.DB
	access *access.Access
	// pages is the database as the web server has it; nil until startWeb.
	pages *db.DB
	pdf   *pdf.Printer
	// courier is that of all mails that jobs send.
	courier *mail.Courier
	// gallery has the pages' made-up states served too.
	gallery bool
}

// open opens the database that the settings name: the address given, or an own
// server in the data directory, which is started or, if another process runs
// it, attached to.
func open(ctx context.Context, s settings.Settings, log *slog.Logger, rule schemaRule) (*house, error) {
	h := &house{settings: s, log: log}
	if err := h.open(ctx, rule); err != nil {
		h.close()
		return nil, err
	}
	return h, nil
}

func (h *house) open(ctx context.Context, rule schemaRule) (err error) {
	h.address = string(h.settings.DatabaseURL)
	if h.address == "" {
		h.server, err = embedded.Start(ctx, embedded.Options{DataDir: h.settings.DataDir, Log: h.log})
		if err != nil {
			return err
		}
		h.address = h.server.URL()
	}
	h.owner, err = db.Open(ctx, h.address, db.WithMaxConns(2))
	if err != nil {
		return fmt.Errorf("%w: check that the server runs and that DATABASE_URL is right", err)
	}
	if rule == schemaLeft {
		return nil
	}
	if err := h.prepareSchema(ctx, rule); err != nil {
		return err
	}
	h.owner.Close()
	h.owner = nil
	return h.openDB(ctx)
}

// openDB opens the database behind the wall, for everything that is not about the schema.
func (h *house) openDB(ctx context.Context) (err error) {
	if h.db, err = h.openAs(ctx, db.Worker); err != nil {
		return err
	}
	h.access = access.New(h.db, nil)
	return h.prepareKey(ctx)
}

func (h *house) openAs(ctx context.Context, role db.Role) (*db.DB, error) {
	pool, err := db.Open(ctx, h.address, db.As(role))
	if err != nil {
		return nil, fmt.Errorf("%w: `dashboard doctor` says what the role %s needs", err, role)
	}
	return db.From(pool, int(h.settings.RateLimit)), nil
}

func (h *house) prepareSchema(ctx context.Context, rule schemaRule) error {
	missing, err := missingSteps(ctx, h.owner)
	if err != nil || missing == 0 {
		return err
	}
	if rule == schemaOwn && h.server == nil {
		return fmt.Errorf("the database lacks %s of this program's schema: run `dashboard migrate up`", count(missing, "step"))
	}
	return db.Migrate(ctx, h.owner)
}

// missingSteps counts the steps of the schema that have not been applied.
func missingSteps(ctx context.Context, pool *pgxpool.Pool) (int, error) {
	states, err := db.MigrationStatus(ctx, pool)
	if err != nil {
		return 0, err
	}
	n := 0
	for _, s := range states {
		if !s.Applied {
			n++
		}
	}
	return n, nil
}

// closeWithin is how long the database gets to end: a connection that is not
// given back must not keep the program.
const closeWithin = 3 * time.Second

// close closes what open opened, the server last, also when only a part of it
// could be opened. It is called once.
func (h *house) close() {
	ctx, cancel := context.WithTimeout(context.Background(), closeWithin)
	defer cancel()
	pools := []*pgxpool.Pool{h.owner}
	for _, d := range []*db.DB{h.pages, h.db} {
		if d != nil {
			pools = append(pools, d.Pool)
		}
	}
	for _, pool := range pools {
		if pool != nil {
			h.closePool(ctx, pool)
		}
	}
	if h.server == nil {
		return
	}
	if err := h.server.Stop(ctx); err != nil {
		h.log.Warn("stop PostgreSQL", "err", err)
	}
}

func (h *house) closePool(ctx context.Context, pool *pgxpool.Pool) {
	closed := make(chan struct{})
	go func() {
		pool.Close()
		close(closed)
	}()
	select {
	case <-closed:
	case <-ctx.Done():
		h.log.Warn("database connections were still in use", "count", pool.Stat().AcquiredConns())
	}
}

// inHouse opens the database, runs f and closes, for commands that are short.
func (p *Program) inHouse(ctx context.Context, need settings.Requirement, rule schemaRule, f func(*house) error) error {
	s, err := p.settings(need)
	if err != nil {
		return err
	}
	h, err := open(ctx, s, p.quietLog(s), rule)
	if err != nil {
		return interrupted(ctx, err)
	}
	defer h.close()
	return interrupted(ctx, f(h))
}

// recorded makes a change and keeps in the audit log that it was made: both, or
// neither. The record comes first, while a store that goes is still there.
func (h *house) recorded(ctx context.Context, e access.Event, change func(*db.Queries) error) error {
	return h.db.InTx(ctx, func(q *db.Queries) error {
		if err := h.access.RecordIn(ctx, q, e); err != nil {
			return err
		}
		return change(q)
	})
}

// interrupted replaces what a cancelled context makes of an error.
func interrupted(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return errors.New("interrupted")
	}
	return err
}

// prepareKey makes the key of an own server when it starts for the first time. A key that
// is missing beside tokens was lost: a new one would open none of them.
func (h *house) prepareKey(ctx context.Context) error {
	if len(h.settings.SecretKey) > 0 || h.server == nil {
		return nil
	}
	path := h.settings.OwnKey()
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		if err != nil {
			return fmt.Errorf("secret key in %s: %w", path, err)
		}
		return nil
	}
	rows, err := h.db.Queries().KeysInUse(ctx, time.Now())
	if err != nil {
		return fmt.Errorf("look which keys are in use: %w", err)
	}
	var sealed int64
	for _, r := range rows {
		sealed += r.Credentials + r.Totps + r.Channels
	}
	if sealed == 0 {
		return h.settings.MakeKey()
	}
	return fmt.Errorf("the secret key %s is gone, and %s in the database can't be opened without it: put the file back from your backup. "+
		"If it is lost for good, make a new one with `openssl rand -base64 32 > %s`, then give each store its tokens again with `dashboard store set`; "+
		"authenticator apps and alert channels have to be set up again too", path, count(int(sealed), "secret"), path)
}

// base is the address people use: the setting, or else the one listened on.
func (h *house) base() *url.URL {
	if h.settings.BaseURL.URL != nil {
		return h.settings.BaseURL.URL
	}
	return h.settings.Listen.Local()
}

// count is "1 step", "2 steps".
func count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}
