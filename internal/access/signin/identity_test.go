package signin_test

import (
	"testing"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/access/accesstest"
	"github.com/storeglass/storeglass/internal/access/sso"
	"github.com/storeglass/storeglass/internal/fault"
)

const issuer = "https://fernhollow.example"

// connected is a person with the identity that has that subject.
func (w world) connected(t *testing.T, email, subject string) access.Person {
	t.Helper()
	p := w.joined(t, email)
	if err := w.SignIn.ConnectSSO(t.Context(), p, sso.Identity{Issuer: issuer, Subject: subject, Email: email}, 0); err != nil {
		t.Fatal(err)
	}
	return p
}

func TestAnIdentityBelongsToOnePerson(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	ada, bo := w.connected(t, "ada@example.com", "1"), w.joined(t, "bo@example.com")
	err := w.SignIn.ConnectSSO(ctx, bo, sso.Identity{Issuer: issuer, Subject: "1"}, 0)
	accesstest.Wants(t, err, sso.Error(fault.Conflict, "taken"))
	accesstest.Wants(t, w.SignIn.RemoveIdentity(ctx, bo, issuer, "1", 0), fault.NotFound)
	list, err := w.SignIn.IdentitiesOf(ctx, bo.ID)
	if f, err2 := w.SignIn.FactorsOf(ctx, bo.ID); err != nil || err2 != nil || len(list) != 0 || f.Identities != 0 {
		t.Errorf("someone else lists %v and counts %d: %v, %v", list, f.Identities, err, err2)
	}
	if p, err := w.SignIn.BySSO(ctx, sso.Identity{Issuer: issuer, Subject: "1"}); err != nil || p.ID != ada.ID {
		t.Errorf("it signs in %+v, %v", p, err)
	}
}

// The subject alone says nothing: another provider may give the same to someone else.
func TestAnIdentityIsItsProvidersAndSubjects(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	ada := w.connected(t, "ada@example.com", "1")
	w.connected(t, "bo@example.com", "2")
	for _, other := range []sso.Identity{{Issuer: "https://another.example", Subject: "1"}, {Issuer: issuer, Subject: "3"}} {
		_, err := w.SignIn.BySSO(ctx, other)
		accesstest.Wants(t, err, fault.Denied)
		accesstest.Wants(t, w.SignIn.RemoveIdentity(ctx, ada, other.Issuer, other.Subject, 0), fault.NotFound)
	}
	if _, err := w.SignIn.BySSO(ctx, sso.Identity{Issuer: issuer, Subject: "1", Email: "new@example.com"}); err != nil {
		t.Fatal(err)
	}
	var unused int
	if err := w.DB.Pool.QueryRow(ctx, "select count(*) from identities where last_used_at is null and email = 'bo@example.com'").Scan(&unused); err != nil || unused != 1 {
		t.Errorf("one person's sign-in counts as another's: %v", err)
	}
	if err := w.SignIn.ConnectSSO(ctx, ada, sso.Identity{Issuer: "https://another.example", Subject: "1"}, 0); err != nil {
		t.Fatal(err)
	}
	if err := w.SignIn.RemoveIdentity(ctx, ada, issuer, "1", 0); err != nil {
		t.Fatal(err)
	}
	if list, err := w.SignIn.IdentitiesOf(ctx, ada.ID); err != nil || len(list) != 1 || list[0].Issuer != "https://another.example" {
		t.Errorf("left are %v, %v", list, err)
	}
	w.connected(t, "cy@example.com", "1")
	if _, err := w.SignIn.BySSO(ctx, sso.Identity{Issuer: "https://another.example", Subject: "1"}); err != nil {
		t.Fatal(err)
	}
	if unused := w.Count(t, "identities where last_used_at is null and email = 'cy@example.com'"); unused != 1 {
		t.Error("a sign-in with one provider counts as one with the other")
	}
}

func TestConnectingAndDisconnectingEndOtherSessions(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, other := w.joined(t, "ada@example.com"), w.joined(t, "bo@example.com")
	w.SaveSession(t, "other", other)
	changes := func(name string, change func(keep int64) error) {
		t.Helper()
		w.SaveSession(t, "here", p)
		w.SaveSession(t, "there", p)
		if err := change(w.SessionID(t, "here")); err != nil {
			t.Fatal(name, err)
		}
		if kept, ended := w.Count(t, "sessions where token <> 'there'"), w.Count(t, "sessions where token = 'there'") == 0; kept != 2 || !ended {
			t.Errorf("%s: %d of the two sessions here were kept, and the one elsewhere ended: %v", name, kept, ended)
		}
	}
	changes("connect", func(keep int64) error {
		return w.SignIn.ConnectSSO(t.Context(), p, sso.Identity{Issuer: issuer, Subject: "1"}, keep)
	})
	changes("disconnect", func(keep int64) error { return w.SignIn.RemoveIdentity(t.Context(), p, issuer, "1", keep) })
}

// Someone who has joined needs no invitation, so it isn't their invitation that is missing.
func TestWhoWasDisabledConnectsNoIdentity(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.joined(t, "ada@example.com")
	if err := w.DisablePerson(t.Context(), p.ID); err != nil {
		t.Fatal(err)
	}
	_, err := w.SignIn.BySSO(t.Context(), sso.Identity{Issuer: issuer, Subject: "1", Email: p.Email, Verified: true})
	accesstest.Wants(t, err, sso.Error(fault.Denied, "nobody"))
	if n := w.Count(t, "identities"); n != 0 {
		t.Errorf("%d identities were connected", n)
	}
}

func TestASignInByProviderTakesTheInvitationOfItsOwnAddress(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	bo, _ := w.Invited(t, "bo@example.com")
	w.Invited(t, "cy@example.com")
	w.Link(t, w.Person(t, "di@example.com")) // added, but not invited
	w.Link(t, bo)
	_, err := w.SignIn.BySSO(ctx, sso.Identity{Issuer: issuer, Subject: "4", Email: "di@example.com", Verified: true})
	accesstest.Wants(t, err, sso.Error(fault.Denied, "nobody"))
	if p, err := w.SignIn.BySSO(ctx, sso.Identity{Issuer: issuer, Subject: "2", Email: "bo@example.com", Verified: true}); err != nil || p.ID != bo.ID || !p.Joined {
		t.Fatal(p, err)
	}
	if links, waiting := w.Count(t, "sign_in_links"), w.Count(t, "people where joined_at is null"); links != 2 || waiting != 2 {
		t.Errorf("want two people waiting with a link each, got %d people and %d links", waiting, links)
	}
}
