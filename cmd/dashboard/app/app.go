// Package app wires the program: it opens the database as the settings say, makes each part
// of the program, and stops the running parts in order. It holds no rule
// about numbers, pulls or pages.
package app

import (
	"context"
	"fmt"
	"log/slog"
	"net/url"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/storeglass/storeglass/cmd/dashboard/words"
	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/access/apitoken"
	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/access/password"
	"github.com/storeglass/storeglass/internal/access/sharing"
	"github.com/storeglass/storeglass/internal/access/signin"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/embedded"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/mail"
	"github.com/storeglass/storeglass/internal/pdf"
	"github.com/storeglass/storeglass/internal/settings"
)

// SchemaRule says what a command does about a schema that is not this program's.
type SchemaRule int

const (
	// SchemaOwn brings an own server's schema up to date and refuses any other
	// that is not: changing a shared database is for serve and migrate.
	SchemaOwn SchemaRule = iota
	// SchemaUp brings it up to date.
	SchemaUp
	// SchemaLeft does not look, and opens the database as its owner only.
	SchemaLeft
)

// App is the database and the parts that use it, open until Close.
type App struct {
	Settings settings.Settings
	Log      *slog.Logger
	Server   *embedded.Server // nil with DATABASE_URL
	address  string
	// Owner is the database as its own user, to look at the schema and change it:
	// open until the schema is prepared, and with SchemaLeft until close.
	Owner *pgxpool.Pool
	// DB is the database as the worker and the command line have it; the next five use it.
	DB     *db.DB
	Access *access.Access
	Audit  *audit.Log
	SignIn *signin.Service
	Shares *sharing.Links
	Tokens *apitoken.Tokens
	// Pages is the database as the web server has it; nil until startWeb.
	Pages *db.DB
	pdf   *pdf.Printer
	// courier is that of all mails that jobs send.
	courier *mail.Courier
	// Gallery has the pages' made-up states served too.
	Gallery bool
	// Version is the program's, for its pages.
	Version string
	madeUp  *madeUpShops
}

// Open opens the database that the settings name: the address given, or an own
// server in the data directory, which is started or, if another process runs
// it, attached to.
func Open(ctx context.Context, s settings.Settings, log *slog.Logger, rule SchemaRule) (*App, error) {
	a := &App{Settings: s, Log: log, madeUp: newMadeUpShops(int(s.RateLimit))}
	if err := a.open(ctx, rule); err != nil {
		a.Close()
		return nil, err
	}
	return a, nil
}

func (a *App) open(ctx context.Context, rule SchemaRule) (err error) {
	a.address = string(a.Settings.DatabaseURL)
	if a.address == "" {
		a.Server, err = embedded.Start(ctx, embedded.Options{DataDir: a.Settings.DataDir, Log: a.Log})
		if err != nil {
			return err
		}
		a.address = a.Server.URL()
	}
	a.Owner, err = db.Open(ctx, a.address, db.WithMaxConns(2))
	if err != nil {
		return advised(err, "check that the server runs and that DATABASE_URL is right")
	}
	if rule == SchemaLeft {
		return nil
	}
	if err := a.prepareSchema(ctx, rule); err != nil {
		return err
	}
	a.Owner.Close()
	a.Owner = nil
	return a.OpenDB(ctx)
}

// advised adds what to do about a database that can't be opened. If it only has no connection left, that
// wouldn't help; commands say what does.
func advised(err error, advice string) error {
	if db.NoConnectionLeft(err) {
		return err
	}
	return fmt.Errorf("%w: %s", err, advice)
}

// OpenDB opens the database behind the wall, for everything that is not about the schema.
func (a *App) OpenDB(ctx context.Context) (err error) {
	if a.DB, err = a.openAs(ctx, db.Worker); err != nil {
		return err
	}
	a.Access, a.Audit = access.New(a.DB, time.Now), audit.New(a.DB, time.Now)
	hasher := password.NewHasher()
	a.SignIn, a.Shares, a.Tokens = signin.New(a.DB, time.Now, nil, hasher), sharing.New(a.DB, time.Now, hasher), apitoken.New(a.DB, time.Now)
	return a.PrepareKey(ctx)
}

func (a *App) openAs(ctx context.Context, role db.Role, opts ...db.Option) (*db.DB, error) {
	pool, err := db.Open(ctx, a.address, append(opts, db.As(role))...)
	if err != nil {
		return nil, advised(err, fmt.Sprintf("`dashboard doctor` says what the role %s needs", role))
	}
	return db.From(pool, int(a.Settings.RateLimit)), nil
}

func (a *App) prepareSchema(ctx context.Context, rule SchemaRule) error {
	missing, err := MissingSteps(ctx, a.Owner)
	if err != nil || missing == 0 {
		return err
	}
	if rule == SchemaOwn && a.Server == nil {
		return fmt.Errorf("the database lacks %s of this program's schema: run `dashboard migrate up`", words.Count(missing, "step"))
	}
	return db.Migrate(ctx, a.Owner)
}

// MissingSteps counts the steps of the schema that have not been applied. It fails if the
// schema is a newer program's.
func MissingSteps(ctx context.Context, pool *pgxpool.Pool) (int, error) {
	states, err := db.MigrationStatus(ctx, pool)
	if err == nil {
		err = db.RefuseNewSchema(ctx, pool)
	}
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

// CloseWithin is how long the database gets to end: a connection that is not
// given back must not keep the program.
const CloseWithin = 3 * time.Second

// Close closes what open opened, the server last, also when only a part of it
// could be opened. It is called once.
func (a *App) Close() {
	ctx, cancel := context.WithTimeout(context.Background(), CloseWithin)
	defer cancel()
	a.madeUp.close()
	pools := []*pgxpool.Pool{a.Owner}
	for _, d := range []*db.DB{a.Pages, a.DB} {
		if d != nil {
			pools = append(pools, d.Pool)
		}
	}
	for _, pool := range pools {
		if pool != nil {
			a.closePool(ctx, pool)
		}
	}
	if a.Server == nil {
		return
	}
	if err := a.Server.Stop(ctx); err != nil {
		a.Log.Warn("stop PostgreSQL", "err", err)
	}
}

func (a *App) closePool(ctx context.Context, pool *pgxpool.Pool) {
	closed := make(chan struct{})
	go func() {
		pool.Close()
		close(closed)
	}()
	select {
	case <-closed:
	case <-ctx.Done():
		a.Log.Warn("database connections were still in use", "count", pool.Stat().AcquiredConns())
	}
}

// Recorded makes a change and keeps in the audit log that it was made: both, or
// neither. The record comes first, while a store that goes is still there.
func (a *App) Recorded(ctx context.Context, e audit.Event, change func(*sqlc.Queries) error) error {
	return a.DB.InTx(ctx, func(q *sqlc.Queries) error {
		if err := a.Audit.RecordIn(ctx, q, e); err != nil {
			return err
		}
		return change(q)
	})
}

// Base is the address people use: the setting, or else the one listened on.
func (a *App) Base() *url.URL {
	if a.Settings.BaseURL.URL != nil {
		return a.Settings.BaseURL.URL
	}
	return a.Settings.Listen.Local()
}
