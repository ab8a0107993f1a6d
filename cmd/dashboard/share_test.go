package main

import (
	"strings"
	"testing"
)

func TestShareLinksAreListedAndRevoked(t *testing.T) {
	t.Parallel()
	env := emptyDatabase(t)
	good(t, env, "user", "add", "ann@example.com")
	execute(t, env, `insert into stores (slug, name, timezone, history_days) values ('acme', 'Acme', 'UTC', 90), ('birch', 'Birch', 'UTC', 90)`)
	execute(t, env, `insert into shares (store_id, token_hash, label, pages, preset, compares, plans, created_by, expires_at)
		select s.id, '1', 'Board', '{overview,gift}', 'last_30_days', true, true, p.id, timestamptz '2099-12-13 00:00:00Z' from stores s, people p where s.slug = 'acme'`)
	execute(t, env, `insert into shares (store_id, token_hash, label, pages, window_start, window_end, password_hash, created_by, expires_at, hits, last_hit_at)
		select s.id, '2', 'October', '{offers}', '2026-10-01', '2026-10-31', 'x', p.id, timestamptz '2020-01-01 00:00:00Z', 3, timestamptz '2019-12-31 10:22:00Z' from stores s, people p where s.slug = 'birch'`)
	list := func(flags ...string) string {
		t.Helper()
		var rows []string
		for line := range strings.Lines(good(t, env, append([]string{"share", "list"}, flags...)...)) {
			rows = append(rows, strings.Join(strings.Fields(line), " "))
		}
		return strings.Join(rows, "\n")
	}
	const head, first, second = "ID STORE LINK PAGES DAYS PASSWORD STATE ENDS HITS LAST OPENED MADE BY",
		"\n1 acme Board overview gift last_30_days, compared, with what is next no live 2099-12-13 00:00 UTC 0 - ann",
		"\n2 birch October offers 2026-10-01 to 2026-10-31 yes expired 2020-01-01 00:00 UTC 3 2019-12-31 10:22 UTC ann"
	if got := list(); got != head+first+second {
		t.Errorf("\n%s", got)
	}
	if got := list("--store", "birch"); got != head+second {
		t.Errorf("\n%s", got)
	}
	refused(t, exitFailed, env, "dashboard: nowhere: no such store: `dashboard store list` lists stores\n", "share", "list", "--store", "nowhere")
	if got := good(t, env, "share", "revoke", "1"); got != "The link Board of acme is revoked.\n" {
		t.Error(got)
	}
	refused(t, exitFailed, env, "dashboard: there is no active share link 1: `dashboard share list` lists them\n", "share", "revoke", "1")
	if got := list("--store", "acme"); got != head+strings.Replace(first, "live", "revoked", 1) {
		t.Errorf("\n%s", got)
	}
	records, _ := audited(t, env)
	if last := records[len(records)-1]; last != "share.revoked acme Board" {
		t.Errorf("%q", records)
	}
}
