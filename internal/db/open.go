package db

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Session limits of every pooled connection. If a page or a pull needs longer, it should fail visibly.
const (
	statementTimeout = 30 * time.Second
	idleInTxTimeout  = 60 * time.Second
	connectTimeout   = 5 * time.Second
	startupPatience  = 10 * time.Second
)

// Option changes the pool that [Open] makes.
type Option func(*pgxpool.Config)

// WithMaxConns sets the pool's maximum number of connections. The default is 4 per processor, at least
// 8 and at most 16, so that a few processes with two pools each fit within a server's usual limit of
// 100.
func WithMaxConns(n int32) Option {
	return func(c *pgxpool.Config) { c.MaxConns = n }
}

// WithIdle keeps that many connections ready, so that requests don't wait for one. It's for servers: a
// command ends before it needs a second one, and opening them would be most of its cost.
func WithIdle(n int32) Option {
	return func(c *pgxpool.Config) { c.MinIdleConns = max(c.MinIdleConns, n) }
}

// WithStatementTimeout sets how long one statement may run; 0 means no limit.
func WithStatementTimeout(d time.Duration) Option {
	return func(c *pgxpool.Config) { c.ConnConfig.RuntimeParams["statement_timeout"] = milliseconds(d) }
}

// Open makes a pool for url and tests it with one round trip. Sessions run in UTC, and timestamps are
// scanned as UTC. Parameters in url (pool_max_conns, statement_timeout, …) override the defaults, and
// opts override both.
//
// Errors are one line, without the password. If the server is still starting, Open waits for up to 10 s.
func Open(ctx context.Context, url string, opts ...Option) (*pgxpool.Pool, error) {
	cfg, err := poolConfig(url)
	if err != nil {
		return nil, err
	}
	for _, opt := range opts {
		opt(cfg)
	}
	cfg.MinIdleConns = min(cfg.MinIdleConns, cfg.MaxConns)
	pool, err := pgxpool.NewWithConfig(ctx, cfg)
	if err != nil {
		return nil, fmt.Errorf("make database pool: %w", err)
	}
	if err := pingWhileStarting(ctx, pool); err != nil {
		pool.Close()
		return nil, unreachable(cfg.ConnConfig, err)
	}
	return pool, nil
}

func poolConfig(url string) (*pgxpool.Config, error) {
	cfg, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, fmt.Errorf("parse database address: %s", oneLine(err))
	}
	if !strings.Contains(url, "pool_max_conns") {
		cfg.MaxConns = int32(min(max(4*runtime.NumCPU(), 8), 16))
	}
	if !strings.Contains(url, "pool_max_conn_lifetime_jitter") {
		cfg.MaxConnLifetimeJitter = 5 * time.Minute
	}
	cfg.ConnConfig.ConnectTimeout = cmp.Or(cfg.ConnConfig.ConnectTimeout, connectTimeout)
	defaults := map[string]string{
		"application_name":                    "storeglass",
		"statement_timeout":                   milliseconds(statementTimeout),
		"idle_in_transaction_session_timeout": milliseconds(idleInTxTimeout),
	}
	params := cfg.ConnConfig.RuntimeParams
	for name, value := range defaults {
		if _, set := params[name]; !set {
			params[name] = value
		}
	}
	params["timezone"] = "UTC" // set in any case: stored days would shift otherwise
	cfg.AfterConnect = func(_ context.Context, conn *pgx.Conn) error {
		scanTimesAsUTC(conn.TypeMap())
		scanNumericsAsDecimals(conn.TypeMap())
		readDatesAsDays(conn.TypeMap())
		return nil
	}
	return cfg, nil
}

// scanTimesAsUTC overrides the driver's habit of returning timestamps in the machine's own zone.
func scanTimesAsUTC(m *pgtype.Map) {
	stamp := &pgtype.Type{Name: "timestamp", OID: pgtype.TimestampOID, Codec: &pgtype.TimestampCodec{ScanLocation: time.UTC}}
	stamptz := &pgtype.Type{Name: "timestamptz", OID: pgtype.TimestamptzOID, Codec: &pgtype.TimestamptzCodec{ScanLocation: time.UTC}}
	m.RegisterType(stamp)
	m.RegisterType(stamptz)
	m.RegisterType(&pgtype.Type{Name: "_timestamp", OID: pgtype.TimestampArrayOID, Codec: &pgtype.ArrayCodec{ElementType: stamp}})
	m.RegisterType(&pgtype.Type{Name: "_timestamptz", OID: pgtype.TimestamptzArrayOID, Codec: &pgtype.ArrayCodec{ElementType: stamptz}})
}

func pingWhileStarting(ctx context.Context, pool *pgxpool.Pool) error {
	ctx, cancel := context.WithTimeout(ctx, startupPatience)
	defer cancel()
	for {
		err := pool.Ping(ctx)
		if pg, ok := errors.AsType[*pgconn.PgError](err); !ok || pg.Code != "57P03" {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(50 * time.Millisecond):
		}
	}
}

func unreachable(c *pgx.ConnConfig, err error) error {
	where := fmt.Sprintf("%s:%d", c.Host, c.Port)
	if strings.HasPrefix(c.Host, "/") {
		where = c.Host
	}
	return &unreachableError{
		line: fmt.Sprintf("reach database %q at %s as %q: %s", c.Database, where, c.User, oneLine(rootCause(err))),
		err:  err,
	}
}

// unreachableError condenses the driver's multi-line message into one line, and keeps the driver's
// error for errors.As.
type unreachableError struct {
	line string
	err  error
}

func (e *unreachableError) Error() string { return e.line }
func (e *unreachableError) Unwrap() error { return e.err }

// rootCause skips the driver's own text, which repeats host and user for every address it tried.
func rootCause(err error) error {
	if pg, ok := errors.AsType[*pgconn.PgError](err); ok {
		return pg
	}
	if op, ok := errors.AsType[*net.OpError](err); ok {
		return op.Err
	}
	if lookup, ok := errors.AsType[*net.DNSError](err); ok {
		return lookup
	}
	if ce, ok := errors.AsType[*pgconn.ConnectError](err); ok && ce.Unwrap() != nil {
		return ce.Unwrap()
	}
	return err
}

// Away reports whether the server couldn't be reached, or ended the connection.
func Away(err error) bool {
	if _, ok := errors.AsType[*pgconn.ConnectError](err); ok || errors.Is(err, io.ErrUnexpectedEOF) {
		return true
	}
	pg, ok := errors.AsType[*pgconn.PgError](err)
	return ok && strings.HasPrefix(pg.Code, "57P")
}

// NoConnectionLeft reports whether the server, or its limit for our user, allows no further connection.
func NoConnectionLeft(err error) bool {
	pg, ok := errors.AsType[*pgconn.PgError](err)
	return ok && pg.Code == "53300"
}

func oneLine(err error) string {
	return strings.Join(strings.Fields(err.Error()), " ")
}

func milliseconds(d time.Duration) string {
	return strconv.FormatInt(d.Milliseconds(), 10)
}
