package main

import (
	"log/slog"
	"os"
	"strings"
	"testing"

	"github.com/storeglass/storeglass/cmd/dashboard/app"
	"github.com/storeglass/storeglass/internal/db/embedded"
	"github.com/storeglass/storeglass/internal/settings"
)

func TestEveryWrongSettingIsReportedTogether(t *testing.T) {
	t.Parallel()
	refused(t, exitUsage, []string{
		"DATABASE_URL=postgres://localhost/x", "DASHBOARD_RATE_LIMIT=0", "DASHBOARD_LOG=loud", "DASHBOARD_LISTEN=:1", "DASHBOARD_METRICS_LISTEN=:1",
		"DASHBOARD_SMTP_URL=smtp://localhost", "DASHBOARD_SYNC_CRON=never",
	}, "dashboard: DASHBOARD_RATE_LIMIT is \"0\": write a whole number from 1 to 100000, such as 60\n"+
		"dashboard: DASHBOARD_SYNC_CRON is \"never\": expected exactly 5 fields, found 1: [never]; write five fields (minute, hour, day, month, weekday), such as */5 * * * *\n"+
		"dashboard: DASHBOARD_LOG is \"loud\": write text or json, debug, info, warn or error, or one of each, such as json,debug\n"+
		"dashboard: DASHBOARD_SECRET_KEY is not set: with DATABASE_URL you have to set the key that encrypts upstream tokens; make one with `openssl rand -base64 32`, and keep it as safe as the database\n"+
		"dashboard: DASHBOARD_MAIL_FROM is not set: DASHBOARD_SMTP_URL needs a sender, such as Storeglass <reports@example.com>\n"+
		"dashboard: DASHBOARD_METRICS_LISTEN is \":1\", the port of DASHBOARD_LISTEN: give it one of its own\n",
		"serve")
}

func TestALostKeyIsNotReplacedWhereSomethingIsSealedWithIt(t *testing.T) {
	t.Parallel()
	env, _, _ := withStore(t)
	for name, c := range map[string]struct {
		env  []string
		want string
	}{
		"a store is connected": {env, "is gone, and 2 secrets in the database can't be opened without it: put the file back from your backup."},
		"nothing is sealed":    {emptyDatabase(t), ""},
	} {
		s, _, err := settings.Load(c.env, settings.NeedsKey)
		if err != nil {
			t.Fatal(err)
		}
		connected, err := app.Open(t.Context(), s, slog.New(slog.DiscardHandler), app.SchemaUp)
		if err != nil {
			t.Fatal(err)
		}
		defer connected.Close()
		a := &app.App{Settings: settings.Settings{DataDir: t.TempDir()}, Server: &embedded.Server{}, DB: connected.DB}
		if err := a.PrepareKey(t.Context()); c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := os.Stat(a.Settings.OwnKey()); (err == nil) != (c.want == "") {
			t.Errorf("%s: the key file: %v", name, err)
		}
	}
}
