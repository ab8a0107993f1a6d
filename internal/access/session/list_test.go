package session_test

import (
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/access/accesstest"
	"github.com/storeglass/storeglass/internal/access/session"
)

func TestSessionsAreListedWithTheirWayAndEndedOneByOne(t *testing.T) {
	t.Parallel()
	w := accesstest.New(t)
	ctx := t.Context()
	p, other := w.Person(t, "ada@example.com"), w.Person(t, "bo@example.com")
	started := w.Clock.Now()
	w.SaveSessionWith(t, "one", p, map[string]any{session.WayKey: "password", session.AddressKey: "203.0.113.7", session.AgentKey: "Firefox on Linux"})
	w.SaveSession(t, "two", p)
	w.SaveSession(t, "bo", other)
	w.SaveSessionFor(t, "over", p, 20*time.Minute)
	w.Clock.Add(30 * time.Minute)
	if _, found, err := w.SessionStore.FindCtx(ctx, "one"); err != nil || !found {
		t.Fatal(found, err)
	}
	list, err := w.SessionStore.Of(ctx, p.ID)
	if err != nil || len(list) != 2 {
		t.Fatalf("%+v, %v", list, err)
	}
	if s := list[0]; s.Way != "password" || s.Address != "203.0.113.7" || s.Agent != "Firefox on Linux" || !s.Since.Equal(started) || !s.Seen.Equal(w.Clock.Now()) {
		t.Errorf("%+v", s)
	}
	if err := w.SessionStore.End(ctx, p, w.SessionID(t, "bo")); err != nil {
		t.Fatal(err)
	}
	if err := w.SessionStore.End(ctx, p, list[0].ID); err != nil {
		t.Fatal(err)
	}
	for token, want := range map[string]bool{"one": false, "two": true, "bo": true} {
		if _, found, err := w.SessionStore.FindCtx(ctx, token); err != nil || found != want {
			t.Errorf("session %s lives: %v, %v", token, found, err)
		}
	}
	w.SaveSession(t, "three", p)
	if n, err := w.SessionStore.EndOthers(ctx, p, w.SessionID(t, "three")); err != nil || n != 2 { // one of them was over
		t.Errorf("ended %d others, %v", n, err)
	}
}

func TestUseOfASessionIsWrittenEveryTenMinutesAtMost(t *testing.T) {
	t.Parallel()
	w := accesstest.New(t)
	p := w.Person(t, "ada@example.com")
	w.SaveSessionFor(t, "one", p, 30*24*time.Hour)
	seen := func() time.Time {
		t.Helper()
		if _, found, err := w.SessionStore.FindCtx(t.Context(), "one"); err != nil || !found {
			t.Fatal(found, err)
		}
		list, err := w.SessionStore.Of(t.Context(), p.ID)
		if err != nil || len(list) != 1 {
			t.Fatal(list, err)
		}
		return list[0].Seen
	}
	first := w.Clock.Now()
	w.Clock.Add(9*time.Minute + 59*time.Second)
	if got := seen(); !got.Equal(first) {
		t.Errorf("written after less than ten minutes: %v", got)
	}
	w.Clock.Add(time.Second)
	if got := seen(); !got.Equal(w.Clock.Now()) {
		t.Errorf("not written after ten minutes: %v", got)
	}
}

func TestSessionThatNobodyUsesEndsAfterAWeek(t *testing.T) {
	t.Parallel()
	w := accesstest.New(t)
	p := w.Person(t, "ada@example.com")
	w.SaveSessionFor(t, "used", p, 30*24*time.Hour)
	w.SaveSessionFor(t, "idle", p, 30*24*time.Hour)
	for range 3 {
		w.Clock.Add(3 * 24 * time.Hour)
		if _, found, err := w.SessionStore.FindCtx(t.Context(), "used"); err != nil || !found {
			t.Fatal(found, err)
		}
	}
	if _, found, err := w.SessionStore.FindCtx(t.Context(), "idle"); err != nil || found {
		t.Error("nine days unused and still in", err)
	}
	if list, err := w.SessionStore.Of(t.Context(), p.ID); err != nil || len(list) != 1 {
		t.Errorf("%+v, %v", list, err)
	}
}
