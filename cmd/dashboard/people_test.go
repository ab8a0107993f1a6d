package main

import (
	"regexp"
	"strings"
	"testing"
)

func TestAPersonIsAddedGrantedRevokedAndDisabled(t *testing.T) {
	t.Parallel()
	env, _, store := withStore(t)
	if got := good(t, env, "user", "add", "Ann@example.com", "--role", "admin"); got != "Added Ann@example.com (admin), who sees all stores.\n" {
		t.Error(got)
	}
	refused(t, exitFailed, env, "dashboard: ann@example.com exists already: change grants with `dashboard user grant`\n", "user", "add", "ann@example.com")
	if got := good(t, env, "user", "grant", "ann@example.com", "--store", store.Slug); got != "Ann@example.com sees "+store.Slug+".\n" {
		t.Error(got)
	}
	good(t, env, "user", "add", "bob@example.com", "--all-stores")
	if got := good(t, env, "user", "list"); got != ""+
		"ADDRESS          NAME  ROLE    STORES\n"+
		"Ann@example.com  Ann   admin   all stores\n"+
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
	refused(t, exitFailed, env, "dashboard: Ann@example.com: They are disabled. Enable them first.\n", "user", "link", "ann@example.com")
	refused(t, exitFailed, env, "dashboard: eve@example.com: no such person: `dashboard user list` lists people\n", "user", "link", "eve@example.com")
	refused(t, exitUsage, env, "dashboard: add person: \"eve\": Enter an email address, like ada@example.com.\n", "user", "add", "eve")
	refused(t, exitUsage, env, "dashboard: add person: \"\\\"e v\\\"@example.com\": Enter an email address, like ada@example.com.\n", "user", "add", `"e v"@example.com`)
	good(t, env, "user", "add", "zoe\u0308@xn--mnchen-3ya.example") // as a browser or a Mac may have it
	if got := good(t, env, "user", "role", "zo\u00eb@münchen.example", "agency"); got != "zo\u00eb@münchen.example is agency now.\n" {
		t.Error(got)
	}
	refused(t, exitUsage, env, "dashboard: add person eve@example.com: Use at most 100 characters.\n", "user", "add", "eve@example.com", "--name", strings.Repeat("é", 101))
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
	if o.code != exitOK || !regexp.MustCompile(`^sg_[A-Za-z0-9_-]{43}\n$`).MatchString(o.stdout) || o.stderr != "It reads "+store.Slug+" for 365 days and can't be shown again.\n" {
		t.Errorf("%+v", o)
	}
	refused(t, exitFailed, env, "dashboard: a token named \"script\" exists: choose another name, or end that one with `dashboard token revoke`\n",
		"token", "create", "--name", "script", "--all-stores")
	if got := good(t, env, "token", "list"); !regexp.MustCompile(`(?m)^script +` + store.Slug + ` +\S+ \S+ UTC +- +\S+ \S+ UTC +-$`).MatchString(got) {
		t.Errorf("\n%s", got)
	}
	refused(t, exitUsage, env, "dashboard: --days is 0: a token works for 1 to 1095 days\n", "token", "create", "--name", "never", "--all-stores", "--days", "0")
	if got := good(t, env, "token", "revoke", "script"); got != "The token script is revoked.\n" {
		t.Error(got)
	}
	refused(t, exitFailed, env, "dashboard: script: no such token: `dashboard token list` lists tokens\n", "token", "revoke", "script")
}

func TestAGroupIsMadeGrantedAndDeleted(t *testing.T) {
	t.Parallel()
	env, _, store := withStore(t)
	slug := store.Slug
	refused(t, exitFailed, env, "dashboard: there is no store \"nowhere\": `dashboard store list` lists them\n", "group", "add", "North", "--store", "nowhere")
	if got := good(t, env, "group", "list"); got != "" {
		t.Errorf("a wrong store made a group: %q", got)
	}
	if got := good(t, env, "group", "add", "North", "--store", slug); got != "Made the group North with 1 store.\n" {
		t.Error(got)
	}
	refused(t, exitFailed, env, "dashboard: a group named \"NORTH\" exists: choose another name\n", "group", "add", "NORTH")
	refused(t, exitUsage, env, "dashboard: Write a name of 1 to 60 characters, on one line.\n", "group", "add", " ")
	good(t, env, "user", "add", "ann@example.com", "--role", "agency", "--group", "north")
	good(t, env, "token", "create", "--name", "script", "--group", "North")
	if got := good(t, env, "user", "list"); got != ""+
		"ADDRESS          NAME  ROLE    STORES\n"+
		"ann@example.com  ann   agency  group North\n" {
		t.Errorf("\n%s", got)
	}
	if got := good(t, env, "group", "list"); got != ""+
		"GROUP  STORES"+strings.Repeat(" ", max(len(slug)-6, 0))+"  PEOPLE  TOKENS\n"+
		"North  "+slug+strings.Repeat(" ", max(6-len(slug), 0))+"  ann     script\n" {
		t.Errorf("\n%s", got)
	}
	if got := good(t, env, "group", "store", "remove", "North", slug); got != "The group North no longer holds "+slug+".\n" {
		t.Error(got)
	}
	if got := good(t, env, "group", "store", "remove", "North", slug); got != "The group North did not hold "+slug+".\n" {
		t.Error(got)
	}
	if got := good(t, env, "group", "store", "add", "North", slug); got != "The group North holds "+slug+".\n" {
		t.Error(got)
	}
	if got := good(t, env, "group", "rename", "North", "South"); got != "The group North is called South now.\n" {
		t.Error(got)
	}
	if got := good(t, env, "user", "revoke", "ann@example.com", "--group", "South"); got != "ann@example.com no longer has the grant for group South.\n" {
		t.Error(got)
	}
	if got := good(t, env, "user", "grant", "ann@example.com", "--group", "South", "--store", slug); got != "ann@example.com sees "+slug+", group South.\n" {
		t.Error(got)
	}
	refused(t, exitUsage, env, "dashboard: --store, --group and --all-stores can't be used together\n", "user", "grant", "ann@example.com", "--group", "South", "--all-stores")
	refused(t, exitFailed, env, "dashboard: East: no such group: `dashboard group list` lists groups\n", "user", "grant", "ann@example.com", "--group", "East")
	refused(t, exitUsage, env, "the token script loses "+slug+".\ndashboard: Deleting the group South takes its stores from 1 holder: confirm with --yes\n", "group", "remove", "South")
	if got := good(t, env, "group", "remove", "South", "--yes"); got != "The group South is deleted; its stores stay.\n" {
		t.Error(got)
	}
}

func TestOffboardingShowsWhatEndsAndLeavesNothing(t *testing.T) {
	t.Parallel()
	env, _, store := withStore(t)
	good(t, env, "user", "add", "root@example.com", "--role", "admin")
	good(t, env, "user", "add", "ann@example.com", "--role", "merchant", "--store", store.Slug)
	execute(t, env, `update people set joined_at = now()`)
	good(t, env, "user", "link", "ann@example.com")
	if got := good(t, env, "user", "reach", "ann@example.com"); !regexp.MustCompile(`(?m)\AWHAT +NAME +STORES +SINCE +UNTIL +WORKS\n` +
		`Grant for a store +.+ UTC +- +yes\nOne-time sign-in link +- +- .+ UTC +.+ UTC +yes\nAlert mails +ann@example.com +the stores they have access to .+ yes\n\z`).MatchString(got) {
		t.Errorf("\n%s", got)
	}
	if got := good(t, env, "user", "reach", "ann@example.com", "--json"); !strings.HasPrefix(got, `{"kind":"grant","what":"Grant for a store",`) || strings.Count(got, "\n") != 3 {
		t.Errorf("\n%s", got)
	}
	refused(t, exitUsage, env, "dashboard: Offboarding ann@example.com disables them and ends 1 store grant, 1 one-time link, 1 subscription to alert mails: confirm with --yes\n", "user", "offboard", "ann@example.com")
	if got := good(t, env, "user", "offboard", "ann@example.com", "--yes"); got != "ann@example.com is disabled. Ended: 1 store grant, 1 one-time link, 1 subscription to alert mails.\n" {
		t.Error(got)
	}
	if o := run(t, env, "user", "reach", "ann@example.com"); o.code != exitOK || o.stdout != "" || o.stderr != "ann@example.com can reach nothing.\n" {
		t.Errorf("%+v", o)
	}
	if got := good(t, env, "user", "offboard", "ann@example.com", "--yes"); got != "ann@example.com is disabled. There was nothing else to end.\n" {
		t.Error(got)
	}
	refused(t, exitFailed, env, "dashboard: root@example.com: This is the last admin who can sign in. Make someone else an admin first.\n", "user", "offboard", "root@example.com", "--yes")
}

func TestARoleIsChangedAndTheLastAdminStays(t *testing.T) {
	t.Parallel()
	env := emptyDatabase(t)
	good(t, env, "user", "add", "ann@example.com", "--role", "admin")
	execute(t, env, `update people set joined_at = now()`)
	last := "dashboard: ann@example.com: This is the last admin who can sign in. Make someone else an admin first.\n"
	refused(t, exitFailed, env, last, "user", "role", "ann@example.com", "viewer")
	refused(t, exitFailed, env, last, "user", "disable", "ann@example.com")
	good(t, env, "user", "add", "bob@example.com")
	execute(t, env, `update people set joined_at = now()`)
	if got := good(t, env, "user", "role", "bob@example.com", "admin"); got != "bob@example.com is admin now.\n" {
		t.Error(got)
	}
	good(t, env, "user", "disable", "ann@example.com")
	if got := good(t, env, "user", "enable", "ann@example.com"); got != "ann@example.com may sign in again.\n" {
		t.Error(got)
	}
	if o := run(t, env, "user", "role", "bob@example.com", "owner"); o.code != exitUsage {
		t.Errorf("%+v", o)
	}
}
