package main

import (
	"strings"
	"testing"
)

func TestARemovedStoreKeepsItsNameAndComesBackAsItWas(t *testing.T) {
	t.Parallel()
	env, base, store := withStore(t)
	good(t, env, "sync", "--store", store.Slug)
	before := good(t, env, "store", "show", store.Slug)
	refused(t, exitUsage, env, "dashboard: Removing "+store.Slug+" stops its pulls and closes its pages, share links and JSON API: confirm with --yes\n",
		"store", "remove", store.Slug)
	got := good(t, env, "store", "remove", store.Slug, "--yes")
	if !strings.HasPrefix(got, store.Slug+" is removed. Until ") || !strings.HasSuffix(got, " it can be brought back with: dashboard store restore "+store.Slug+"\n") {
		t.Error(got)
	}
	if list := good(t, env, "store", "list"); !strings.Contains(list, "(store removed)") {
		t.Errorf("\n%s", list)
	}
	for _, args := range [][]string{
		{"store", "set", store.Slug, "--name", "X"}, {"store", "pause", store.Slug}, {"store", "resume", store.Slug}, {"store", "remove", store.Slug, "--yes"},
		{"store", "add", "--slug", store.Slug, "--name", "X", "--upsell-url", base + store.UpsellPath, "--timezone", "UTC"}, {"sync", "--store", store.Slug},
	} {
		o := run(t, append(tokens(store), env...), args...)
		if o.code != exitFailed || !strings.HasPrefix(o.stderr, `dashboard: store "`+store.Slug+`" was removed on `) || !strings.Contains(o.stderr, "`dashboard store restore "+store.Slug+"`") {
			t.Errorf("dashboard %v: %+v", args, o)
		}
	}
	if got := good(t, env, "store", "restore", store.Slug); got != store.Slug+" is back. What it missed is pulled now.\n" {
		t.Error(got)
	}
	refused(t, exitFailed, env, "dashboard: "+store.Slug+" was not removed\n", "store", "restore", store.Slug)
	if after := good(t, env, "store", "show", store.Slug); notDue(after) != notDue(before) {
		t.Errorf("before\n%s\nafter\n%s", before, after)
	}
	if got := good(t, env, "sync", "--store", store.Slug); got != store.Slug+": nothing was due.\n" {
		t.Error(got)
	}
	good(t, env, "store", "remove", store.Slug, "--yes")
	good(t, env, "store", "remove", "--now", store.Slug, "--yes")
	refused(t, exitFailed, env, "dashboard: there is no store \""+store.Slug+"\": `dashboard store list` lists them\n", "store", "restore", store.Slug)
}

// notDue drops the lines that say when services are checked next.
func notDue(shown string) string {
	var lines []string
	for line := range strings.Lines(shown) {
		if !strings.HasPrefix(line, "  next look") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "")
}
