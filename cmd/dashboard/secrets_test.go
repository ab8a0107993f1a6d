package main

import (
	"strings"
	"testing"
)

// newKey and lostKey are other secret keys than testKey.
const (
	newKey  = "kJx0T3mE5m1sXbq8m2Vt7yqf0a9cZrH4uLw6oNpQeRs="
	lostKey = "Zm9yIHRlc3RzIG9ubHksIGFub3RoZXIga2V5IG5vdyE="
)

// withKeys is the environment with these secret keys.
func withKeys(env []string, keys ...string) []string {
	return append(env[:len(env):len(env)], "DASHBOARD_SECRET_KEY="+strings.Join(keys, ","))
}

func TestTheSecretKeyIsChangedInThreeSteps(t *testing.T) {
	t.Parallel()
	env, _, store := withStore(t)
	both := withKeys(env, newKey, testKey)
	says(t, run(t, env, "doctor", "--offline"), "older keys", "ok none in use")
	says(t, run(t, both, "doctor", "--offline"), "older keys",
		"DO 2 tokens, 0 authenticator apps and 0 alert channels are sealed with one: run `dashboard secrets rotate`, then take it out of DASHBOARD_SECRET_KEY")

	want := "Upstream tokens: 2 to be sealed again, 0 sealed with the current key already.\n" +
		"Authenticator apps: 0 to be sealed again, 0 sealed with the current key already.\n" +
		"Channels for alerts: 0 to be sealed again, 0 sealed with the current key already.\n"
	if got := good(t, both, "secrets", "rotate", "--dry-run"); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	want = strings.ReplaceAll(want, "to be sealed", "sealed") + "The older keys are needed no more: take them out of DASHBOARD_SECRET_KEY on every server.\n"
	if got := good(t, both, "secrets", "rotate"); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	says(t, run(t, both, "doctor", "--offline"), "older keys", "ok given, and nothing needs them: take them out of DASHBOARD_SECRET_KEY")
	if got := good(t, both, "secrets", "rotate"); !strings.HasPrefix(got, "Upstream tokens: 0 sealed again, 2 sealed with the current key already.\n") {
		t.Errorf("a second time: %q", got)
	}
	if got := good(t, env, "audit", "list"); strings.Count(got, "Secret key changed") != 1 || !strings.Contains(got, "2 tokens") {
		t.Errorf("recorded: %q", got)
	}
	good(t, withKeys(env, newKey), "sync", "--store", store.Slug)
}

func TestWhatNoKeyOpensIsNamed(t *testing.T) {
	t.Parallel()
	env, _, store := withStore(t)
	sql(t, env, `insert into people (email, name) values ('ada@example.com', 'Ada')`)
	sql(t, env, `insert into totps (person_id, secret_sealed, key_id) select id, '', 'gone' from people`)
	lost := withKeys(env, newKey, lostKey)
	says(t, run(t, lost, "doctor", "--offline"), "older keys", "DO no key that is given opens 1 authenticator app: give the older key too, or let their owners set them up again")
	line := func(service string) string {
		return "dashboard: " + store.Slug + " " + service + ": no key opens its token: give the key that sealed it too, or the token again with `dashboard store set " + store.Slug + " --" + service + "-token`\n"
	}
	refused(t, exitFailed, lost, line("upsell")+line("gift")+
		"dashboard: ada@example.com: no key opens the secret of their authenticator app: give the key that sealed it too, or let them set it up again\n"+
		"dashboard: 3 secrets could not be opened\n", "secrets", "rotate")
}
