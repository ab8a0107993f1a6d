package signin_test

import (
	"encoding/json"
	"errors"
	"net/url"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/access/accesstest"
	"github.com/storeglass/storeglass/internal/access/signin"
	"github.com/storeglass/storeglass/internal/fault"
)

func passkeyRealm(t *testing.T) *signin.PasskeyRealm {
	t.Helper()
	realm, off := signin.NewPasskeyRealm(&url.URL{Scheme: "https", Host: "reports.example.com"})
	if realm == nil {
		t.Fatal(off)
	}
	return realm
}

func TestAChallengeIsAnsweredOnceSoonAndForWhatItWasMade(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	p, realm := w.Person(t, "ada@example.com"), passkeyRealm(t)
	asked := func(adding bool) string {
		t.Helper()
		_, state, err := w.SignIn.BeginPasskey(realm)
		if adding {
			_, state, err = w.SignIn.BeginAddPasskey(ctx, realm, p)
		}
		if err != nil {
			t.Fatal(err)
		}
		return state
	}
	for _, adding := range []bool{true, false} {
		state := asked(adding)
		accesstest.Wants(t, w.SignIn.Resumed(ctx, state, !adding), fault.Denied)
		if err := w.SignIn.Resumed(ctx, state, adding); err != nil {
			t.Errorf("adding %v: %v", adding, err)
		}
		accesstest.Wants(t, w.SignIn.Resumed(ctx, state, adding), fault.Denied)
	}
	accesstest.Wants(t, w.SignIn.Resumed(ctx, "", false), fault.Denied)
	for name, c := range map[string]struct {
		after time.Duration
		want  error
	}{
		"at the last moment": {5*time.Minute - time.Second, nil}, "late": {5 * time.Minute, fault.Denied}, "before it was asked": {-time.Second, fault.Denied},
	} {
		state := asked(false)
		w.Clock.Add(c.after)
		if err := w.SignIn.Resumed(ctx, state, false); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The library holds the answer to what the challenge asked for.
func TestAPasskeyMustVerifyItsOwnerAndIsMadeOncePerDevice(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	p, other := w.Person(t, "ada@example.com"), w.Person(t, "bo@example.com")
	for id, owner := range map[string]int64{"hers": p.ID, "his": other.ID} {
		credential, err := json.Marshal(map[string]any{"id": []byte(id)})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.DB.Pool.Exec(ctx, "insert into passkeys (person_id, name, credential_id, credential) values ($1, 'Key', $2, $3)", owner, []byte(id), credential); err != nil {
			t.Fatal(err)
		}
	}
	text, _, err := w.SignIn.BeginAddPasskey(ctx, passkeyRealm(t), p)
	if err != nil {
		t.Fatal(err)
	}
	var asked struct {
		PublicKey struct {
			AuthenticatorSelection struct{ UserVerification, ResidentKey string }
			ExcludeCredentials     []struct{ ID string }
		}
	}
	if err := json.Unmarshal(text, &asked); err != nil {
		t.Fatal(err)
	}
	if got := asked.PublicKey.AuthenticatorSelection; got.UserVerification != "required" || got.ResidentKey != "required" {
		t.Errorf("%+v", got)
	}
	if has := asked.PublicKey.ExcludeCredentials; len(has) != 1 || has[0].ID != "aGVycw" { // "hers"
		t.Errorf("passkeys that she already has: %+v", has)
	}
	if err := w.DisablePerson(ctx, p.ID); err != nil {
		t.Fatal(err)
	}
	_, _, err = w.SignIn.BeginAddPasskey(ctx, passkeyRealm(t), p)
	accesstest.Wants(t, err, fault.Missing("person"))
}
