package db_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/golang-sql/civil"
	"github.com/jackc/pgx/v5"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/dbtest"
	"github.com/storeglass/storeglass/internal/db/sqlc"
)

// house is a database of its own with two stores.
type house struct {
	*db.DB
	t           *testing.T
	acme, birch int64
}

func newHouse(t *testing.T, rateLimit int) *house {
	t.Helper()
	h := &house{DB: db.From(dbtest.New(t), rateLimit), t: t}
	h.acme = h.store("acme", "America/New_York")
	h.birch = h.store("birch", "Europe/Berlin")
	return h
}

func (h *house) store(slug, zone string) int64 {
	h.t.Helper()
	s, err := h.Queries().InsertStore(context.Background(), sqlc.InsertStoreParams{Slug: slug, Name: slug, Timezone: zone, HistoryDays: 90})
	if err != nil {
		h.t.Fatal(err)
	}
	return s.ID
}

func (h *house) exec(sql string, args ...any) {
	h.t.Helper()
	if _, err := h.Pool.Exec(context.Background(), sql, args...); err != nil {
		h.t.Fatalf("%s: %v", sql, err)
	}
}

func (h *house) must(err error) {
	h.t.Helper()
	if err != nil {
		h.t.Fatal(err)
	}
}

// get reads one value.
func get[T any](h *house, sql string, args ...any) T {
	h.t.Helper()
	var v T
	if err := h.Pool.QueryRow(context.Background(), sql, args...).Scan(&v); err != nil {
		h.t.Fatalf("%s: %v", sql, err)
	}
	return v
}

// rows returns a table's rows as text.
func (h *house) rows(table string) []string {
	h.t.Helper()
	r, err := h.Pool.Query(context.Background(), `select to_jsonb(x)::text from `+table+` x order by 1`)
	h.must(err)
	out, err := pgx.CollectRows(r, pgx.RowTo[string])
	h.must(err)
	return out
}

// write runs statements the way a pull does.
func (h *house) write(f func(b *db.Batch)) {
	h.t.Helper()
	h.must(h.Write(context.Background(), f))
}

func equal[T any](t *testing.T, what string, got, want T) {
	t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func dec(text string) decimal.Decimal { return decimal.RequireFromString(text) }

func decp(text string) *decimal.Decimal {
	d := dec(text)
	return &d
}

func ptr[T any](v T) *T { return &v }

func date(text string) civil.Date {
	d, err := civil.ParseDate(text)
	if err != nil {
		panic(err)
	}
	return d
}

// first and later are when two replies were received.
var (
	first = time.Date(2026, time.November, 20, 5, 21, 0, 0, time.UTC)
	later = first.Add(24 * time.Hour)
)
