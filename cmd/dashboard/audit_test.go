package main

import (
	"strings"
	"testing"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/db"
)

// audited lists what the commands recorded, oldest first, and whose doing it was.
func audited(t *testing.T, env []string) (records []string, by access.Actor) {
	t.Helper()
	pool, err := db.Open(t.Context(), strings.TrimPrefix(env[0], "DATABASE_URL="))
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	found, err := access.New(db.From(pool, 60), nil).Audit(t.Context(), access.AuditFilter{}, 100)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range found {
		by = r.Actor
		records = append([]string{strings.Join(strings.Fields(strings.Join([]string{string(r.Action), r.Store, r.Subject}, " ")), " ")}, records...)
	}
	return records, by
}

func TestCommandsThatChangeSomethingAreRecorded(t *testing.T) {
	t.Parallel()
	env, base, store := withStore(t)
	secrets := append(tokens(store), env...)
	good(t, env, "user", "add", "ann@example.com", "--role", "agency", "--store", store.Slug)
	good(t, env, "user", "link", "ann@example.com")
	good(t, env, "user", "revoke", "ann@example.com", "--all-stores") // had none: nothing to tell
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
	s, upsell, gift := " "+store.Slug, " upsell at "+base+store.UpsellPath, " gift at "+base+store.GiftPath
	want := []string{
		"store.added" + s + " " + store.Name, "credential.added" + s + upsell, "credential.added" + s + gift,
		"person.added ann@example.com as agency member", "grant.given" + s + " ann@example.com",
		"sign-in.link-made ann@example.com", "grant.taken" + s + " ann@example.com", "person.disabled ann@example.com",
		"token.made script reads every store", "token.revoked script",
		"credential.rotated" + s + gift, "store.changed" + s + " name " + store.Name + " → New, history 2 → 3 days",
		"store.paused" + s, "store.resumed" + s, "store.removed" + s,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("recorded\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if by.Kind != access.ActorCommand || by.Name == "" || by.Name != runner() {
		t.Errorf("recorded as done by %+v", by)
	}
	for _, secret := range []string{store.UpsellToken, store.GiftKey, testKey} {
		if strings.Contains(strings.Join(got, "\n"), secret) {
			t.Error("the audit log holds a secret")
		}
	}
}
