package pulls_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/storeglass/storeglass/internal/apis/sandbox"
	"github.com/storeglass/storeglass/internal/locale"
)

// numberTables hold everything that pages show as numbers of a store.
var numberTables = []string{
	"summaries", "placement_stats", "top_lists", "top_offers", "coverage", "lifetimes", "offer_counts", "offers",
	"gift_windows", "gift_health", "gift_plans", "gift_campaigns", "gift_campaign_lists", "revisions",
	"offer_events", "offer_setups", "offer_stages", "offer_recommendations",
	"gift_plan_days", "gift_campaign_configs", "gift_widgets", "gift_widget_settings", "gift_translations", "gift_settings",
}

// dump returns every row of the tables as text. The columns given are left out: they say when,
// not what.
func (w *world) dump(tables []string, without ...string) map[string]string {
	w.t.Helper()
	out := map[string]string{}
	for _, table := range tables {
		rows, err := w.db.Pool.Query(context.Background(), `select (to_jsonb(r) - coalesce($1::text[], array[]::text[]))::text from `+table+` r order by 1`, without)
		if err != nil {
			w.t.Fatal(err)
		}
		lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			w.t.Fatal(err)
		}
		out[table] = strings.Join(lines, "\n")
	}
	return out
}

// same fails for every table whose rows have changed.
func same(t testing.TB, got, want map[string]string) {
	t.Helper()
	rows := 0
	for table := range want {
		before, after := strings.Split(want[table], "\n"), strings.Split(got[table], "\n")
		rows += len(before)
		if got[table] == want[table] {
			continue
		}
		for _, line := range after {
			if !slices.Contains(before, line) {
				t.Errorf("%s has a row that was not there: %.300s", table, line)
			}
		}
		for _, line := range before {
			if !slices.Contains(after, line) {
				t.Errorf("%s lost a row: %.300s", table, line)
			}
		}
	}
	if rows < len(want) {
		t.Fatalf("only %d rows were compared", rows)
	}
}

// row is one ledger row with the columns that tests check.
type row struct {
	Service, Pull, Subject, Outcome, Text string
	Attempts                              int
	Due, LastGood, FailingSince, Claimed  *time.Time
	Flags                                 []string
	Asked, Applied                        string
}

// ledger reads a pull's rows, or all rows for "".
func (w *world) ledger(pull string) []row {
	w.t.Helper()
	rows, err := w.db.Pool.Query(context.Background(), `
		select service, pull, subject, outcome, outcome_text::text, attempts, due_at, last_good_at, failing_since, claimed_until, flags,
			coalesce(asked_start || ' ' || asked_end, ''), coalesce(applied_start || ' ' || applied_end, '')
		from ledger where $1 in ('', pull) order by service, pull, subject`, pull)
	if err != nil {
		w.t.Fatal(err)
	}
	out, err := pgx.CollectRows(rows, pgx.RowToStructByPos[row])
	if err != nil {
		w.t.Fatal(err)
	}
	for i := range out {
		var said locale.Message
		if err := json.Unmarshal([]byte(out[i].Text), &said); err != nil {
			w.t.Fatal(err)
		}
		out[i].Text = said.In(locale.English)
	}
	return out
}

// due are the rows that are due.
func (w *world) due() []row {
	return slices.DeleteFunc(w.ledger(""), func(r row) bool { return r.Due == nil || r.Due.After(time.Now()) })
}

// row is the ledger row of one pull about one subject.
func (w *world) row(pull, subject string) row {
	w.t.Helper()
	for _, r := range w.ledger(pull) {
		if r.Subject == subject {
			return r
		}
	}
	w.t.Fatalf("no ledger row of %s %s", pull, subject)
	return row{}
}

// one is the only ledger row of a pull.
func (w *world) one(pull string) row {
	w.t.Helper()
	rows := w.ledger(pull)
	if len(rows) != 1 {
		w.t.Fatalf("%d ledger rows of %s, want one", len(rows), pull)
	}
	return rows[0]
}

// exec runs a statement.
func (w *world) exec(sql string, args ...any) {
	w.t.Helper()
	if _, err := w.db.Pool.Exec(context.Background(), sql, args...); err != nil {
		w.t.Fatalf("%s: %v", sql, err)
	}
}

// get reads one value.
func get[T any](w *world, sql string, args ...any) T {
	w.t.Helper()
	var v T
	if err := w.db.Pool.QueryRow(context.Background(), sql, args...).Scan(&v); err != nil {
		w.t.Fatalf("%s: %v", sql, err)
	}
	return v
}

// wake makes the named pulls due, and nothing else.
func (w *world) wake(pulls ...string) {
	w.t.Helper()
	w.exec(`update ledger set due_at = '2020-01-01' where pull = any($1)`, pulls)
}

// arrivals are the requests of a service since a mark, as "path?query".
func (w *world) arrivals(service sandbox.Service, since int) []string {
	var out []string
	for _, a := range w.sandbox.Arrivals()[since:] {
		if a.Service == service {
			path := a.Path[strings.Index(a.Path, "/v1")+3:]
			out = append(out, path)
		}
	}
	return out
}

func (w *world) mark() int { return len(w.sandbox.Arrivals()) }

// request makes a request with a store's token, as someone else would.
func (w *world) request(path, token string) {
	w.t.Helper()
	r, err := http.NewRequestWithContext(context.Background(), http.MethodGet, w.http.URL+path, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	reply, err := http.DefaultClient.Do(r)
	if err != nil {
		w.t.Fatal(err)
	}
	_ = reply.Body.Close()
}

func equal[T any](t testing.TB, what string, got, want T) {
	t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}
