package main

import (
	"strings"
	"testing"

	"github.com/storeglass/storeglass/internal/mail/mailtest"
)

func TestAnOperatorSubscribesAnAccountAtOnceAndAsksAnAddress(t *testing.T) {
	t.Parallel()
	env := emptyDatabase(t)
	server := mailtest.Start(t, mailtest.Plain)
	env = append(env, "DASHBOARD_SMTP_URL=smtp://"+server.Addr, "DASHBOARD_MAIL_FROM=reports@example.com", "DASHBOARD_BASE_URL=https://reports.example.com")
	execute(t, env, `insert into stores (slug, name, timezone, history_days) values ('acme', 'Acme', 'UTC', 90)`)
	good(t, env, "user", "add", "ada@example.com", "--store", "acme")
	good(t, env, "user", "add", "ben@example.com")

	if got := good(t, env, "snapshot", "subscribe", "Ada@example.com", "--store", "acme", "--day", "sunday", "--hour", "23"); got != "Ada@example.com gets it from now on.\n" {
		t.Errorf("an account: %q", got)
	}
	good(t, env, "snapshot", "subscribe", "ada@example.com", "--zone", "Europe/Vienna")
	refused(t, exitFailed, env, "dashboard: ben@example.com has no access to a store \"acme\": `dashboard store list` and `dashboard user list` show what there is\n", "snapshot", "subscribe", "ben@example.com", "--store", "acme")
	refused(t, exitUsage, env, "dashboard: Choose a time zone.\n", "snapshot", "subscribe", "ben@example.com")
	refused(t, exitUsage, env, "dashboard: You already get this mail.\n", "snapshot", "subscribe", "ada@example.com", "--store", "acme")

	if got := good(t, env, "snapshot", "subscribe", "carol@example.net", "--store", "acme"); !strings.HasPrefix(got, "carol@example.net has been asked.") {
		t.Errorf("an address: %q", got)
	}
	if m := <-server.Got; m.To != "carol@example.net" || !strings.Contains(m.Raw, "reports.example.com=E2=81=A9 would like to send you") {
		t.Errorf("to %s: %s", m.To, m.Raw)
	}
	if got := good(t, env, "snapshot", "unsubscribe", "ada@example.com", "--store", "acme"); got != "No more of these mails go to ada@example.com.\n" {
		t.Errorf("unsubscribe: %q", got)
	}
	refused(t, exitFailed, env, "dashboard: ada@example.com has no such subscription\n", "snapshot", "unsubscribe", "ada@example.com", "--store", "acme")
	good(t, env, "snapshot", "unsubscribe", "carol@example.net", "--store", "acme")
	good(t, env, "snapshot", "unsubscribe", "ada@example.com")
}
