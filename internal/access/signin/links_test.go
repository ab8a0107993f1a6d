package signin_test

import (
	"testing"

	"github.com/storeglass/storeglass/internal/access/accesstest"
	"github.com/storeglass/storeglass/internal/access/signin"
	"github.com/storeglass/storeglass/internal/fault"
)

func TestSignInLinkWorksOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	p := w.Person(t, "ada@example.com")
	secret := w.Link(t, p)
	for range 3 { // checking doesn't use the link up
		if err := w.SignIn.CheckLink(ctx, secret); err != nil {
			t.Fatal(err)
		}
	}
	if won := successes(t, 8, func() error {
		_, err := w.SignIn.UseLink(ctx, secret)
		return err
	}); won != 1 {
		t.Errorf("the link signed in %d times", won)
	}
	accesstest.Wants(t, w.SignIn.CheckLink(ctx, secret), fault.NotFound)
}

func TestSignInLinkExpires(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	secret := w.Link(t, w.Person(t, "ada@example.com"))
	w.Clock.Add(signin.LinkLife)
	accesstest.Wants(t, w.SignIn.CheckLink(t.Context(), secret), fault.NotFound)
	_, err := w.SignIn.UseLink(t.Context(), secret)
	accesstest.Wants(t, err, fault.NotFound)
}

// The link was made at the moment its person was disabled, so it wasn't deleted with the others.
func TestSignInLinkOfADisabledPersonAdmitsNobody(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	p := w.Person(t, "ada@example.com")
	if err := w.DisablePerson(ctx, p.ID); err != nil {
		t.Fatal(err)
	}
	secret := w.Link(t, p)
	accesstest.Wants(t, w.SignIn.CheckLink(ctx, secret), fault.NotFound)
	_, err := w.SignIn.UseLink(ctx, secret)
	accesstest.Wants(t, err, fault.NotFound)
}

func TestSignInLinkThatNeverWas(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, secret := range []string{"", "x", "' or true --", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"} {
		_, err := w.SignIn.UseLink(t.Context(), secret)
		accesstest.Wants(t, err, fault.NotFound)
	}
}
