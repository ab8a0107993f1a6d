package signin_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/access/accesstest"
	"github.com/storeglass/storeglass/internal/access/signin"
	"github.com/storeglass/storeglass/internal/fault"
)

func (w world) joined(t *testing.T, email string) access.Person {
	t.Helper()
	p := w.Person(t, email)
	p, err := w.SignIn.UseLink(t.Context(), w.Link(t, p))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestInvitationIsAcceptedOnceWithNameAndPassword(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	p, secret := w.Invited(t, "bo@example.com")
	for name, c := range map[string]struct{ name, password string }{
		"no name": {" ", accesstest.Password}, "a short password": {"Bo", "short"}, "their own name": {"Boniface Smith", "boniface-smith"},
	} {
		_, err := w.SignIn.AcceptInvitation(ctx, secret, c.name, c.password)
		if !errors.Is(err, fault.Invalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if won := successes(t, 4, func() error {
		_, err := w.SignIn.AcceptInvitation(ctx, secret, " Bo  Smith ", accesstest.Password)
		return err
	}); won != 1 {
		t.Errorf("accepted %d times", won)
	}
	got, err := w.SignIn.ByPassword(ctx, signin.Try{Email: "bo@example.com", Password: accesstest.Password, From: accesstest.Home})
	if err != nil || got.ID != p.ID || got.Name != "Bo Smith" || !got.Joined {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestOldInvitationAdmitsNobody(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	p, late := w.Invited(t, "bo@example.com")
	w.Clock.Add(signin.InvitationLife)
	_, err := w.SignIn.AcceptInvitation(ctx, late, "Bo", accesstest.Password)
	accesstest.Wants(t, err, fault.NotFound)
	again, _, err := w.SignIn.ReinvitePerson(ctx, p.ID, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.DisablePerson(ctx, p.ID); err != nil {
		t.Fatal(err)
	}
	_, err = w.SignIn.AcceptInvitation(ctx, again, "Bo", accesstest.Password)
	accesstest.Wants(t, err, fault.NotFound)
	_, err = w.SignIn.AcceptInvitation(ctx, "x", "Bo", accesstest.Password)
	accesstest.Wants(t, err, fault.NotFound)
}

func TestResetLinkSetsAPasswordOnceAndEndsEverySession(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	p := w.joined(t, "ada@example.com")
	w.SaveSession(t, "there", p)
	link := w.Link(t, p)
	w.joined(t, "bo@example.com")
	_, bos, err := w.SignIn.ResetLink(ctx, "bo@example.com")
	if err != nil {
		t.Fatal(err)
	}
	_, first, err := w.SignIn.ResetLink(ctx, "Ada@example.com")
	if err != nil {
		t.Fatal(err)
	}
	_, secret, err := w.SignIn.ResetLink(ctx, "ada@example.com")
	if err != nil {
		t.Fatal(err)
	}
	_, err = w.SignIn.CheckReset(ctx, first)
	accesstest.Wants(t, err, fault.NotFound)
	if _, err := w.SignIn.CheckReset(ctx, bos); err != nil {
		t.Errorf("someone else's link ended: %v", err)
	}
	if err := w.SignIn.CheckLink(ctx, link); err != nil {
		t.Errorf("anyone can end a sign-in link by asking for a reset: %v", err)
	}
	_, err = w.SignIn.ResetPassword(ctx, secret, "short")
	if !errors.Is(err, fault.Invalid) {
		t.Fatal(err)
	}
	if who, err := w.SignIn.CheckReset(ctx, secret); err != nil || who.ID != p.ID {
		t.Fatal("a refused password used the link up", err)
	}
	if _, err := w.SignIn.ResetPassword(ctx, secret, accesstest.Password); err != nil {
		t.Fatal(err)
	}
	_, err = w.SignIn.ResetPassword(ctx, secret, "four other words here")
	accesstest.Wants(t, err, fault.NotFound)
	if err := w.try(t, "ada@example.com", accesstest.Password); err != nil {
		t.Error(err)
	}
	if n := w.Count(t, "sessions"); n != 0 {
		t.Errorf("%d sessions live on", n)
	}
}

func TestResetLinkIsForWhoHasJoined(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	w.Invited(t, "invited@example.com")
	gone := w.joined(t, "gone@example.com")
	if err := w.DisablePerson(ctx, gone.ID); err != nil {
		t.Fatal(err)
	}
	for _, email := range []string{"invited@example.com", "gone@example.com", "eve@example.com", ""} {
		_, _, err := w.SignIn.ResetLink(ctx, email)
		accesstest.Wants(t, err, fault.Missing("person"))
	}
	w.joined(t, "ada@example.com")
	_, secret, err := w.SignIn.ResetLink(ctx, "ada@example.com")
	if err != nil {
		t.Fatal(err)
	}
	w.Clock.Add(signin.ResetLife)
	_, err = w.SignIn.ResetPassword(ctx, secret, accesstest.Password)
	accesstest.Wants(t, err, fault.NotFound)
}

func TestThreeResetsAnHourForAnyAddress(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for range 3 {
		if err := w.SignIn.TakeReset(t.Context(), "eve@example.com", accesstest.Home, ""); err != nil {
			t.Fatal(err)
		}
	}
	err := w.SignIn.TakeReset(t.Context(), "EVE@example.com", accesstest.Home, "")
	many, ok := fault.As(err)
	if !ok || many.After != 20*time.Minute {
		t.Error(err)
	}
}

func TestTenResetsFromOneAddressAndThreeFromAKnownBrowser(t *testing.T) {
	t.Parallel()
	w := sealedWorld(t)
	for i := range 11 {
		if err := w.SignIn.TakeReset(t.Context(), fmt.Sprintf("eve%d@example.com", i), accesstest.Home, ""); (err == nil) != (i < 10) {
			t.Errorf("attempt %d from one address: %v", i+1, err)
		}
	}
	device := w.SignIn.DeviceToken("ada@example.com")
	for i := range 4 {
		if err := w.SignIn.TakeReset(t.Context(), "ada@example.com", accesstest.Home, device); (err == nil) != (i < 3) {
			t.Errorf("attempt %d from the owner's browser: %v", i+1, err)
		}
	}
}
