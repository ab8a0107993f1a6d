package db_test

import (
	"net"
	"strings"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/dbtest"
)

func TestOpenSetsTheSession(t *testing.T) {
	t.Parallel()
	pool, err := db.Open(t.Context(), dbtest.URL(t)) // as the program does; other tests don't limit how long a statement may run
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	for setting, want := range map[string]string{
		"timezone":                            "UTC",
		"application_name":                    "storeglass",
		"statement_timeout":                   "30s",
		"idle_in_transaction_session_timeout": "1min",
	} {
		var got string
		if err := pool.QueryRow(t.Context(), `select current_setting($1)`, setting).Scan(&got); err != nil || got != want {
			t.Errorf("%s is %q (%v), want %q", setting, got, err, want)
		}
	}
}

func TestOpenLetsTheAddressAndTheCallerDecide(t *testing.T) {
	t.Parallel()
	url := dbtest.URL(t) + "&pool_max_conns=3&statement_timeout=1000"
	if !strings.Contains(url, "?") {
		url = strings.Replace(url, "&", "?", 1)
	}
	pool, err := db.Open(t.Context(), url, db.WithStatementTimeout(2*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	if got := pool.Config().MaxConns; got != 3 {
		t.Errorf("at most %d connections, want the 3 of the address", got)
	}
	if got := pool.Config().MinIdleConns; got != 0 {
		t.Errorf("%d connections wait, want none that nobody asked for", got)
	}
	var name, timeout string
	if err := pool.QueryRow(t.Context(), `select current_setting('application_name'), current_setting('statement_timeout')`).Scan(&name, &timeout); err != nil {
		t.Fatal(err)
	}
	if name != "storeglass" || timeout != "2s" {
		t.Errorf("session is %q with %s, want ours with the caller's timeout", name, timeout)
	}
}

func TestOpenSaysInOneLineWhyItFailed(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	shut := l.Addr().String()
	_ = l.Close()
	missing := strings.Replace(dbtest.URL(t), "/storeglass_test_", "/storeglass_absent_", 1)
	for name, c := range map[string]struct{ url, want string }{
		"nobody listens":   {"postgres://me:hunter2@" + shut + "/shop", `reach database "shop" at ` + shut + ` as "me": `},
		"no such database": {missing, "does not exist"},
		"no such host":     {"postgres://me:hunter2@nowhere.invalid/shop", `at nowhere.invalid:5432 as "me": lookup nowhere.invalid`},
		"not an address":   {"postgres://me:hunter2@host:many/shop", "parse database address: "},
		"no such socket":   {"postgres://me:hunter2@/shop?host=/nowhere", "at /nowhere as"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pool, err := db.Open(t.Context(), c.url)
			if err == nil {
				pool.Close()
				t.Fatal("opened")
			}
			line := err.Error()
			if !strings.Contains(line, c.want) || strings.Contains(line, "\n") || strings.Contains(line, "hunter2") {
				t.Errorf("error is %q, want one line with %q and no password", line, c.want)
			}
			t.Log(line)
		})
	}
}
