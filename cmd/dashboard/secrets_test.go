package main

import (
	"strings"
	"testing"
)

// newKey and lostKey are secret keys besides testKey.
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
		"DO 2 tokens, 0 authenticator apps and 0 alert channels are encrypted with one: run `dashboard secrets rotate`, then take it out of DASHBOARD_SECRET_KEY")

	want := "Upstream tokens: 2 to be encrypted again, 0 already encrypted with the current key.\n" +
		"Authenticator apps: 0 to be encrypted again, 0 already encrypted with the current key.\n" +
		"Channels for alerts: 0 to be encrypted again, 0 already encrypted with the current key.\n"
	if got := good(t, both, "secrets", "rotate", "--dry-run"); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	want = strings.ReplaceAll(want, "to be encrypted", "encrypted") + "The older keys are no longer needed: take them out of DASHBOARD_SECRET_KEY on every server.\n"
	if got := good(t, both, "secrets", "rotate"); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	says(t, run(t, both, "doctor", "--offline"), "older keys", "ok given, and nothing needs them: take them out of DASHBOARD_SECRET_KEY")
	if got := good(t, both, "secrets", "rotate"); !strings.HasPrefix(got, "Upstream tokens: 0 encrypted again, 2 already encrypted with the current key.\n") {
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
	says(t, run(t, lost, "doctor", "--offline"), "older keys", "DO none of the secret keys opens 1 authenticator app: add the older key, or let their owners set them up again")
	line := func(service string) string {
		return "dashboard: " + store.Slug + " " + service + ": no key opens its token: add the key that encrypted it, or enter the token again with `dashboard store set " + store.Slug + " --" + service + "-token`\n"
	}
	refused(t, exitFailed, lost, line("upsell")+line("gift")+
		"dashboard: ada@example.com: no key opens the secret of their authenticator app: add the key that encrypted it, or let them set it up again\n"+
		"dashboard: 3 secrets could not be opened\n", "secrets", "rotate")
}
