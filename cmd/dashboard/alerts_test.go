package main

import (
	"strings"
	"syscall"
	"testing"
	"time"
)

// The shop of withMail has a paused token. Someone with access to it is notified once, by the
// program as it really runs.
func TestTheWorkerTellsOfAnAlertOnce(t *testing.T) {
	t.Parallel()
	env, smtp := withMail(t)
	execute(t, env, `
		delete from subscriptions;
		with p as (insert into people (email, name, joined_at) values ('ada@example.com', 'Ada', now()) returning id)
		insert into grants (person_id, store_id) select p.id, s.id from p, stores s;
		update credentials set paused_cause = 'token', paused_said = 'revoked', paused_at = now()`)
	p := start(t, t.TempDir(), append(env, "DASHBOARD_ALERT_CRON=@every 1s"), "serve", "--role", "worker")
	head, text := arrived(t, smtp)
	if head.Get("Subject") != "Acme: Upsell token refused" || head.Get("Auto-Submitted") != "auto-generated" {
		t.Errorf("the head: %v", head)
	}
	for _, part := range []string{"https://glass.example/alerts?store=acme#alert-", "https://glass.example/stores/acme/sync", "https://glass.example/alerts/settings"} {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in\n%s", part, text)
		}
	}
	p.signal(syscall.SIGTERM)
	if code, took := p.exit(); code != exitOK || took > 10*time.Second {
		t.Errorf("exit %d after %s\n%s", code, took, p.stderr)
	}
	again := start(t, t.TempDir(), append(env, anyPort...), "serve")
	again.after("Storeglass is at ")
	again.signal(syscall.SIGTERM)
	if code, _ := again.exit(); code != exitOK {
		t.Errorf("exit %d\n%s", code, again.stderr)
	}
	noMail(t, smtp)
}

func TestTheDoctorSaysWhenNobodyLooksForAlerts(t *testing.T) {
	t.Parallel()
	env, _ := withMail(t)
	out := run(t, env, "doctor", "--offline").stdout
	if !strings.Contains(out, "ok   alerts                 0 open") {
		t.Errorf("before the first look:\n%s", out)
	}
	execute(t, env, `insert into alert_checks (store_id, next_at) select id, '2026-01-02 03:04:05+00' from stores`)
	if out = run(t, env, "doctor", "--offline").stdout; !strings.Contains(out, "DO   alerts                 no store was checked since 2 Jan 03:04 UTC: is a worker running") {
		t.Errorf("after months without:\n%s", out)
	}
}
