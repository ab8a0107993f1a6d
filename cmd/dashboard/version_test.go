package main

import (
	"encoding/json"
	"runtime"
	"testing"

	"github.com/storeglass/storeglass/cmd/dashboard/app"
	"github.com/storeglass/storeglass/cmd/dashboard/cli"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/settings"
)

func TestTheVersionNamesTheSchemaThatMigrateReaches(t *testing.T) {
	t.Parallel()
	var got build
	if err := json.Unmarshal([]byte(good(t, nil, "version", "--json")), &got); err != nil {
		t.Fatal(err)
	}
	if got.Version == "" || got.Go != runtime.Version() {
		t.Errorf("%+v", got)
	}
	newest := 0
	env := emptyDatabase(t)
	good(t, env, "migrate", "up")
	p := &cli.Program{Env: env, Stdout: t.Output(), Stderr: t.Output()}
	if err := p.WithApp(t.Context(), settings.NeedsNothing, app.SchemaLeft, func(a *app.App) error {
		states, err := db.MigrationStatus(t.Context(), a.Owner)
		for _, s := range states {
			if s.Set == "storeglass" && s.Applied {
				newest = max(newest, int(s.Version))
			}
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if got.Schema != newest {
		t.Errorf("schema %d, but migrate reaches %d", got.Schema, newest)
	}
}

func TestTheVersionIsFourLinesForPeople(t *testing.T) {
	t.Parallel()
	const want = "version  1.2.3\ncommit   abc\ngo       go1.26\nschema   7\n"
	if got := (build{Version: "1.2.3", Commit: "abc", Go: "go1.26", Schema: 7}).String(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
