package main

import (
	"regexp"
	"strings"
	"testing"
)

func TestAPersonIsAddedGrantedRevokedAndDisabled(t *testing.T) {
	t.Parallel()
	env, _, store := withStore(t)
	if got := good(t, env, "user", "add", "Ann@example.com", "--role", "admin"); got != "Added Ann@example.com (admin), who sees no store yet.\n" {
		t.Error(got)
	}
	refused(t, exitFailed, env, "dashboard: ann@example.com exists already: change grants with `dashboard user grant`\n", "user", "add", "ann@example.com")
	if got := good(t, env, "user", "grant", "ann@example.com", "--store", store.Slug); got != "Ann@example.com sees "+store.Slug+".\n" {
		t.Error(got)
	}
	good(t, env, "user", "add", "bob@example.com", "--all-stores")
	if got := good(t, env, "user", "list"); got != ""+
		"ADDRESS          NAME  ROLE    STORES\n"+
		"Ann@example.com  Ann   admin   "+store.Slug+"\n"+
		"bob@example.com  bob   viewer  all stores\n" {
		t.Errorf("\n%s", got)
	}
	if got := good(t, env, "user", "revoke", "ann@example.com", "--store", store.Slug); got != "Ann@example.com no longer has the grant for "+store.Slug+".\n" {
		t.Error(got)
	}
	if got := good(t, env, "user", "revoke", "ann@example.com", "--all-stores"); got != "Ann@example.com had no grant for all stores.\n" {
		t.Error(got)
	}
	good(t, env, "user", "disable", "ann@example.com")
	refused(t, exitFailed, env, "dashboard: Ann@example.com: disabled: nobody signs in as a disabled person\n", "user", "link", "ann@example.com")
	refused(t, exitFailed, env, "dashboard: eve@example.com: no such person: `dashboard user list` lists people\n", "user", "link", "eve@example.com")
	refused(t, exitFailed, env, "dashboard: add person: \"eve\" is not a mail address\n", "user", "add", "eve")
}

func TestALinkStandsAloneOnStdout(t *testing.T) {
	t.Parallel()
	env := append(emptyDatabase(t), "DASHBOARD_BASE_URL=https://dashboard.example.com")
	good(t, env, "user", "add", "ann@example.com")
	o := run(t, env, "user", "link", "ann@example.com")
	if o.code != exitOK || !regexp.MustCompile(`^https://dashboard\.example\.com/sign-in/[A-Za-z0-9_-]{43}\n$`).MatchString(o.stdout) || !strings.HasPrefix(o.stderr, "It signs in ann@example.com once, until ") {
		t.Errorf("%+v", o)
	}
}

func TestATokenStandsAloneOnStdout(t *testing.T) {
	t.Parallel()
	env, _, store := withStore(t)
	o := run(t, env, "token", "create", "--name", "script", "--store", store.Slug)
	if o.code != exitOK || !regexp.MustCompile(`^sg_[A-Za-z0-9_-]{43}\n$`).MatchString(o.stdout) || o.stderr != "It reads "+store.Slug+" and can't be shown again.\n" {
		t.Errorf("%+v", o)
	}
	refused(t, exitFailed, env, "dashboard: a token named \"script\" exists: choose another name, or end that one with `dashboard token revoke`\n",
		"token", "create", "--name", "script", "--all-stores")
	if got := good(t, env, "token", "list"); !regexp.MustCompile(`(?m)^script +` + store.Slug + ` +\S+ \S+ UTC +- +-$`).MatchString(got) {
		t.Errorf("\n%s", got)
	}
	if got := good(t, env, "token", "revoke", "script"); got != "The token script is revoked.\n" {
		t.Error(got)
	}
	refused(t, exitFailed, env, "dashboard: script: no such token: `dashboard token list` lists tokens\n", "token", "revoke", "script")
}
