package main

import (
	"strings"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/locale"
)

// audited lists what the commands recorded, oldest first, and the actor.
func audited(t *testing.T, env []string) (records []string, by audit.Actor) {
	t.Helper()
	pool, err := db.Open(t.Context(), strings.TrimPrefix(env[0], "DATABASE_URL="))
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	found, err := audit.New(db.From(pool, 60), time.Now).Records(t.Context(), audit.Filter{}, 100)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range found {
		by = r.Actor
		records = append([]string{strings.Join(strings.Fields(strings.Join([]string{string(r.Action), r.Store, r.Words(locale.English)}, " ")), " ")}, records...)
	}
	return records, by
}

// execute changes the environment's database without the program.
func execute(t *testing.T, env []string, sql string) {
	t.Helper()
	pool, err := db.Open(t.Context(), strings.TrimPrefix(env[0], "DATABASE_URL="))
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	if _, err := pool.Exec(t.Context(), sql); err != nil {
		t.Fatal(err)
	}
}

func TestTheAuditLogIsListed(t *testing.T) {
	t.Parallel()
	env := emptyDatabase(t)
	good(t, env, "user", "add", "ann@example.com")
	good(t, env, "group", "add", "a\u00e9 <b>")
	execute(t, env, `update audit set at = timestamptz '2026-11-20 23:59:59Z' where action = 'person.added'`)
	execute(t, env, `update audit set at = timestamptz '2026-11-21 00:00:00Z' where action = 'group.added'`)
	who := "command " + runner()
	lines := strings.SplitAfter(good(t, env, "audit", "list"), "\n")
	if len(lines) != 4 || !strings.HasPrefix(lines[0], "TIME ") ||
		strings.Join(strings.Fields(lines[1]), " ") != "2026-11-21 00:00:00 UTC "+who+" Group created - aé <b> -" ||
		strings.Join(strings.Fields(lines[2]), " ") != "2026-11-20 23:59:59 UTC "+who+" Person added - ann@example.com, as Viewer -" {
		t.Errorf("%q", lines)
	}
	group := `{"at":"2026-11-21T00:00:00Z","actor":"command","name":"` + runner() + `","action":"group.added","subject":"aé <b>"}` + "\n"
	person := `{"at":"2026-11-20T23:59:59Z","actor":"command","name":"` + runner() + `","action":"person.added","subject":"ann@example.com, as Viewer"}` + "\n"
	for _, c := range []struct {
		flags []string
		want  string
	}{
		{nil, group + person},
		{[]string{"--limit", "1"}, group},
		{[]string{"--limit", "0"}, group + person},
		{[]string{"--to", "2026-11-20"}, person},
		{[]string{"--from", "2026-11-21"}, group},
		{[]string{"--action", "person"}, person},
		{[]string{"--action", "group.added"}, group},
		{[]string{"--text", "ANN@"}, person},
		{[]string{"--who", "command"}, group + person},
		{[]string{"--store", "acme"}, ""},
	} {
		if got := good(t, env, append([]string{"audit", "list", "--json"}, c.flags...)...); got != c.want {
			t.Errorf("%v:\n%swant\n%s", c.flags, got, c.want)
		}
	}
	refused(t, exitUsage, env, "dashboard: --from \"yesterday\" is not a date: write it as 2026-11-01\n", "audit", "list", "--from", "yesterday")
	refused(t, exitUsage, env, "dashboard: --to \"2026-13-01\" is not a date: write it as 2026-11-30\n", "audit", "list", "--to", "2026-13-01")
	refused(t, exitUsage, env, "dashboard: --action \"store.exploded\" is not an action: write one such as store.paused, or its subject, such as store\n", "audit", "list", "--action", "store.exploded")
	refused(t, exitUsage, env, "dashboard: --limit is below 0: write a number, or 0 for all\n", "audit", "list", "--limit=-1")
}

func TestCountsOfTheAuditLogAreShown(t *testing.T) {
	t.Parallel()
	env := emptyDatabase(t)
	good(t, env, "user", "add", "ann@example.com")
	execute(t, env, `insert into audit_counts (day, action, network, person_id, times)
		select '2026-11-20'::date, 'sign-in.failed', '192.0.2.' || n, case when n = 1 then (select id from people) else 0 end, case when n = 1 then 1167 else 1 end from generate_series(1, 38) n
		union all select '2026-11-21', 'password.reset-asked', 'unknown', 0, 1`)
	lines := strings.Split(good(t, env, "audit", "counts"), "\n")
	want := []string{
		"DAY WHAT MOST FROM MOST ABOUT", "2026-11-21 1 request for a password reset from 1 network unknown (1) -",
		"2026-11-20 1,204 failed sign-ins from 38 networks 192.0.2.1 (1,167) ann@example.com (1,167)", "",
	}
	for i := range lines {
		if got := strings.Join(strings.Fields(lines[i]), " "); len(lines) != len(want) || got != want[i] {
			t.Errorf("%q, want %q", got, want)
		}
	}
	ann := `{"day":"2026-11-20","action":"sign-in.failed","network":"192.0.2.1","person":"ann@example.com","times":1167}` + "\n"
	if got := good(t, env, "audit", "counts", "--json", "--who", "ann@"); got != ann {
		t.Errorf("%swant %s", got, ann)
	}
	if got := good(t, env, "audit", "counts", "--to", "2026-11-20", "--limit", "1"); strings.Count(got, "\n") != 2 || !strings.Contains(got, "1,204") {
		t.Error(got)
	}
	refused(t, exitUsage, env, "dashboard: --from \"yesterday\" is not a date: write it as 2026-11-01\n", "audit", "counts", "--from", "yesterday")
}

func TestCommandsThatChangeSomethingAreRecorded(t *testing.T) {
	t.Parallel()
	env, base, store := withStore(t)
	secrets := append(tokens(store), env...)
	good(t, env, "user", "add", "ann@example.com", "--role", "agency", "--store", store.Slug)
	good(t, env, "user", "link", "ann@example.com")
	good(t, env, "user", "revoke", "ann@example.com", "--all-stores") // had no grant: nothing to record
	good(t, env, "user", "revoke", "ann@example.com", "--store", store.Slug)
	good(t, env, "user", "disable", "ann@example.com")
	good(t, env, "token", "create", "--name", "script", "--all-stores")
	good(t, env, "token", "revoke", "script")
	good(t, secrets, "store", "set", store.Slug, "--name", "New", "--history-days", "3", "--gift-token")
	good(t, env, "store", "pause", store.Slug)
	good(t, env, "store", "resume", store.Slug)
	good(t, env, "store", "list")
	good(t, env, "store", "remove", store.Slug, "--yes")
	got, by := audited(t, env)
	s, upsell, gift := " "+store.Slug, " upsell, at "+base+store.UpsellPath, " gift, at "+base+store.GiftPath
	want := []string{
		"store.added" + s + " " + store.Name, "credential.added" + s + upsell, "credential.added" + s + gift,
		"person.added ann@example.com, as Agency member", "grant.given" + s + " ann@example.com",
		"sign-in.link-made ann@example.com", "grant.taken" + s + " ann@example.com", "person.disabled ann@example.com",
		"token.made script, every store", "token.revoked script",
		"credential.rotated" + s + gift, "store.changed" + s + " name: " + store.Name + " → New, history: 2 → 3 days",
		"store.paused" + s, "store.resumed" + s, "store.removed" + s,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("recorded\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if by.Kind != audit.ActorCommand || by.Name == "" || by.Name != runner() {
		t.Errorf("recorded as done by %+v", by)
	}
	for _, secret := range []string{store.UpsellToken, store.GiftKey, testKey} {
		if strings.Contains(strings.Join(got, "\n"), secret) {
			t.Error("the audit log holds a secret")
		}
	}
}
