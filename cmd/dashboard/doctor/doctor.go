// Package doctor finds out what keeps an installation from working: each Finding is a line,
// fine or with what to do. It changes nothing.
package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/storeglass/storeglass/cmd/dashboard/app"
	"github.com/storeglass/storeglass/cmd/dashboard/words"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/embedded"
	"github.com/storeglass/storeglass/internal/settings"
)

// Finding is one line of the doctor: fine, or what to do. A hint is no failure.
type Finding struct {
	What, Words string
	Bad         bool
}

func Database(ctx context.Context, a *app.App) Finding {
	var server string
	if err := a.Owner.QueryRow(ctx, "select current_setting('server_version')").Scan(&server); err != nil {
		return Finding{"database", err.Error(), true}
	}
	where := "DATABASE_URL"
	if a.Server != nil {
		where = "own server in " + a.Settings.DataDir
		if err := a.Server.Room(); err != nil {
			return Finding{"database", err.Error(), true}
		}
	}
	return Finding{What: "database", Words: "PostgreSQL " + server + ", " + where}
}

// NoDatabase is about a data directory without one. Opening it would make one, and nobody
// would learn that the doctor looked at the wrong place.
func NoDatabase(s settings.Settings) (f Finding, none bool) {
	if s.DatabaseURL != "" || !embedded.Empty(s.DataDir) {
		return Finding{}, false
	}
	return Finding{"database", "DATABASE_URL is not set, and there is no database in " + s.DataDir +
		" yet: set DATABASE_URL or DASHBOARD_DATA_DIR to check another one, or run `dashboard serve`, which makes one there", true}, true
}

func Schema(ctx context.Context, a *app.App) Finding {
	missing, err := app.MissingSteps(ctx, a.Owner)
	switch {
	case err != nil:
		return Finding{"schema", err.Error(), true}
	case missing > 0:
		return Finding{"schema", words.Count(missing, "step") + " missing: run `dashboard migrate up`", true}
	}
	return Finding{What: "schema", Words: "up to date"}
}

// Walls makes sure that the roles of pages and worker exist,
// and that they hold.
func Walls(ctx context.Context, a *app.App) Finding {
	faults, err := db.WallFaults(ctx, a.Owner)
	switch {
	case err != nil:
		return Finding{"walls", err.Error(), true}
	case len(faults) > 0:
		return Finding{"walls", strings.Join(faults, "; "), true}
	}
	return Finding{What: "walls", Words: "row-level security keeps stores apart"}
}

// Key makes sure that the key is there and nobody else can read it.
func Key(s settings.Settings) Finding {
	path := s.SecretKeyFile
	if path == "" && len(s.SecretKey) == 0 && s.DatabaseURL == "" {
		path = s.OwnKey()
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			return Finding{What: "secret key", Words: "none yet"}
		}
	}
	if _, err := s.Sealer(); err != nil {
		return Finding{"secret key", err.Error(), true}
	}
	fi, err := os.Stat(path)
	switch {
	case path == "", errors.Is(err, fs.ErrNotExist): // it was given as text
		return Finding{What: "secret key", Words: "given"}
	case err != nil:
		return Finding{"secret key", err.Error(), true}
	case fi.Mode().Perm()&0o077 != 0:
		return Finding{"secret key", fmt.Sprintf("others may read %s: run chmod 600 on it", path), true}
	}
	return Finding{What: "secret key", Words: path}
}

// clockSlack is how far the database's clock may be off: slots of the budget go
// by the one clock, schedules by the other.
const clockSlack = 2 * time.Second

func Clock(ctx context.Context, a *app.App) Finding {
	var theirs time.Time
	asked := time.Now()
	if err := a.Owner.QueryRow(ctx, "select clock_timestamp()").Scan(&theirs); err != nil {
		return Finding{"clock", err.Error(), true}
	}
	off := theirs.Sub(asked.Add(time.Since(asked) / 2)).Abs()
	if off > clockSlack {
		return Finding{"clock", fmt.Sprintf("the database's clock is off by %s: set both machines' clocks by NTP", off.Round(time.Millisecond)), true}
	}
	return Finding{What: "clock", Words: "same as the database's"}
}
