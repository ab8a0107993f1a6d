package session_test

import (
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/access/accesstest"
	"github.com/storeglass/storeglass/internal/access/session"
	"github.com/storeglass/storeglass/internal/db"
)

func TestLoadingASessionReadsTheWholeVisit(t *testing.T) {
	t.Parallel()
	w := accesstest.New(t)
	p := w.Person(t, "ada@example.com")
	if err := w.GrantPerson(t.Context(), p.ID, "acme"); err != nil {
		t.Fatal(err)
	}
	w.SaveSession(t, "token", p)
	for slug, own := range map[string]bool{"acme": true, "birch": false, "nowhere": false, "": false} {
		ctx := session.Asking(t.Context(), slug)
		if _, found, err := w.SessionStore.FindCtx(ctx, "token"); err != nil || !found {
			t.Fatal(found, err)
		}
		v := session.VisitOf(ctx)
		if v.Person.ID != p.ID || len(v.Stores) != 1 || v.Stores[0].Slug != "acme" {
			t.Errorf("visit %+v", v)
		}
		if _, err := v.Store(); (err == nil) != own {
			t.Errorf("store %q: %v", slug, err)
		} else if !own {
			accesstest.Wants(t, err, db.ErrNotFound)
		}
	}
}

func TestExpiredSessionIsNotFound(t *testing.T) {
	t.Parallel()
	w := accesstest.New(t)
	p := w.Person(t, "ada@example.com")
	w.SaveSession(t, "old", p)
	w.Clock.Add(time.Hour)
	ctx := session.Asking(t.Context(), "acme")
	if _, found, err := w.SessionStore.FindCtx(ctx, "old"); err != nil || found {
		t.Error("an expired session was found", err)
	}
	if session.VisitOf(ctx).Person.ID != 0 {
		t.Error("an expired session has a person")
	}
}

func TestSessionOfADisabledPersonIsNobodys(t *testing.T) {
	t.Parallel()
	w := accesstest.New(t)
	p := w.Person(t, "ada@example.com")
	if err := w.GrantPerson(t.Context(), p.ID, access.AllStores); err != nil {
		t.Fatal(err)
	}
	// A sign-in can race with disabling and leave a session behind.
	if _, err := w.DB.Pool.Exec(t.Context(), "update people set disabled_at = now()"); err != nil {
		t.Fatal(err)
	}
	w.SaveSession(t, "token", p)
	ctx := session.Asking(t.Context(), "acme")
	if _, _, err := w.SessionStore.FindCtx(ctx, "token"); err != nil {
		t.Fatal(err)
	}
	v := session.VisitOf(ctx)
	if _, err := v.Store(); v.Person.ID != 0 || v.Scope.Every() || len(v.Stores) != 0 || err == nil {
		t.Errorf("%+v", v)
	}
}

func TestSessionHoldsTextOnly(t *testing.T) {
	t.Parallel()
	if _, err := (session.Codec{}).Encode(time.Now(), map[string]any{"person": 7}); err == nil {
		t.Error("a number was taken")
	}
	if _, _, err := (session.Codec{}).Decode([]byte("x")); err == nil {
		t.Error("garbage was read")
	}
}

func TestVisitOfNobodySeesNothing(t *testing.T) {
	t.Parallel()
	if v := session.VisitOf(t.Context()); v.Person.ID != 0 || v.Scope.Every() {
		t.Errorf("%+v", v)
	}
}
