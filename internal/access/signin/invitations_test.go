package signin_test

import (
	"slices"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/access/accesstest"
	"github.com/storeglass/storeglass/internal/access/signin"
	"github.com/storeglass/storeglass/internal/fault"
)

func TestInvitationBringsAPersonWithTheirGrants(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	var group int64
	if err := w.DB.Pool.QueryRow(ctx, "insert into groups (name) values ('North') returning id").Scan(&group); err != nil {
		t.Fatal(err)
	}
	ada := w.Person(t, "ada@example.com")
	p, secret, expires, err := w.SignIn.InvitePerson(accesstest.As(ctx, ada), signin.Invite{
		Email: "bo@example.com", Name: "Bo", Role: access.Agency, Stores: []string{"acme"}, Groups: []int64{group}, For: time.Hour,
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := w.Clock.Now().Add(time.Hour); !expires.Equal(want) {
		t.Errorf("works until %v, want %v", expires, want)
	}
	for range 3 { // checking doesn't use the link up
		i, err := w.SignIn.CheckInvitation(ctx, secret)
		if err != nil || i.Person.ID != p.ID || i.Person.Role != access.Agency || i.By != "ada" || !i.Expires.Equal(expires) {
			t.Fatalf("%+v, %v", i, err)
		}
	}
	invited, err := w.Member(ctx, p.ID)
	if err != nil || invited.Joined || !slices.Equal(invited.Stores, []string{"acme"}) || !invited.InvitedUntil.Equal(expires) {
		t.Errorf("%+v, %v", invited, err)
	}
	if by, err := w.Member(ctx, ada.ID); err != nil || !by.InvitedUntil.IsZero() {
		t.Errorf("%+v, %v", by, err)
	}
}

func TestRefusedInvitationLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Person(t, "ada@example.com")
	for name, c := range map[string]struct {
		invite signin.Invite
		want   error
	}{
		"a person who exists":    {signin.Invite{Email: "ADA@example.com"}, fault.Conflict},
		"an unknown store":       {signin.Invite{Email: "bo@example.com", Stores: []string{"acme", "nowhere"}}, fault.Missing("store")},
		"an unknown group":       {signin.Invite{Email: "bo@example.com", Groups: []int64{7}}, fault.Missing("group")},
		"less than half an hour": {signin.Invite{Email: "bo@example.com", For: 30*time.Minute - time.Second}, fault.Invalid},
		"more than a week":       {signin.Invite{Email: "bo@example.com", For: 7*24*time.Hour + time.Second}, fault.Invalid},
		"a life that has passed": {signin.Invite{Email: "bo@example.com", For: -time.Hour}, fault.Invalid},
	} {
		_, secret, _, err := w.SignIn.InvitePerson(t.Context(), c.invite)
		accesstest.Wants(t, err, c.want)
		if secret != "" {
			t.Errorf("%s: a secret was made", name)
		}
	}
	if people, links := w.Count(t, "people"), w.Count(t, "sign_in_links"); people != 1 || links != 0 {
		t.Errorf("%d people, %d links", people, links)
	}
}

func TestInvitationExpires(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, secret := w.Invited(t, "bo@example.com")
	w.Clock.Add(signin.InvitationLife)
	_, err := w.SignIn.CheckInvitation(t.Context(), secret)
	accesstest.Wants(t, err, fault.NotFound)
}

func TestOneKindOfLinkDoesNotTheWorkOfAnother(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	p, invitation := w.Invited(t, "bo@example.com")
	_, err := w.SignIn.UseLink(ctx, invitation)
	accesstest.Wants(t, err, fault.NotFound)
	accesstest.Wants(t, w.SignIn.CheckLink(ctx, invitation), fault.NotFound)
	link := w.Link(t, p)
	_, err = w.SignIn.CheckInvitation(ctx, link)
	accesstest.Wants(t, err, fault.NotFound)
	for _, garbage := range []string{"", "x", "' or true --"} {
		_, err = w.SignIn.CheckInvitation(ctx, garbage)
		accesstest.Wants(t, err, fault.NotFound)
	}
}

func TestInvitingAgainEndsTheInvitationBefore(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	p, first := w.Invited(t, "bo@example.com")
	second, expires, err := w.SignIn.ReinvitePerson(ctx, p.ID, 7*24*time.Hour)
	if err != nil || !expires.Equal(w.Clock.Now().AddDate(0, 0, 7)) {
		t.Fatal(expires, err)
	}
	_, err = w.SignIn.CheckInvitation(ctx, first)
	accesstest.Wants(t, err, fault.NotFound)
	if _, err := w.SignIn.CheckInvitation(ctx, second); err != nil {
		t.Error(err)
	}
	_, _, err = w.SignIn.ReinvitePerson(ctx, p.ID, time.Minute)
	accesstest.Wants(t, err, fault.Invalid)
	_, _, err = w.SignIn.ReinvitePerson(ctx, 999, 0)
	accesstest.Wants(t, err, fault.Missing("person"))
	if err := w.DisablePerson(ctx, p.ID); err != nil {
		t.Fatal(err)
	}
	_, _, err = w.SignIn.ReinvitePerson(ctx, p.ID, 0)
	accesstest.Wants(t, err, accesstest.Refusal("person.problem.disabled"))
}

func TestWhoHasJoinedCantBeInvitedAgainNorTakenBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	p, invitation := w.Invited(t, "bo@example.com")
	p, err := w.SignIn.UseLink(ctx, w.Link(t, p))
	if err != nil || !p.Joined {
		t.Fatalf("%+v, %v", p, err)
	}
	_, err = w.SignIn.CheckInvitation(ctx, invitation)
	accesstest.Wants(t, err, fault.NotFound)
	_, _, err = w.SignIn.ReinvitePerson(ctx, p.ID, 0)
	accesstest.Wants(t, err, accesstest.Refusal("person.problem.joined"))
	accesstest.Wants(t, w.SignIn.RevokeInvitation(ctx, p.ID), accesstest.Refusal("person.problem.joined"))
	if in, err := w.Member(ctx, p.ID); err != nil || !in.Joined || !in.InvitedUntil.IsZero() {
		t.Errorf("%+v, %v", in, err)
	}
}

func TestRevokedInvitationForgetsThePerson(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	p, secret, _, err := w.SignIn.InvitePerson(ctx, signin.Invite{Email: "bo@example.com", Stores: []string{access.AllStores}})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.SignIn.RevokeInvitation(ctx, p.ID); err != nil {
		t.Fatal(err)
	}
	_, err = w.SignIn.CheckInvitation(ctx, secret)
	accesstest.Wants(t, err, fault.NotFound)
	if people, grants := w.Count(t, "people"), w.Count(t, "grants"); people != 0 || grants != 0 {
		t.Errorf("%d people, %d grants are left", people, grants)
	}
	accesstest.Wants(t, w.SignIn.RevokeInvitation(ctx, p.ID), fault.Missing("person"))
	w.Invited(t, "bo@example.com") // can be invited again
}
