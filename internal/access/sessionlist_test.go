package access_test

import (
	"encoding/base64"
	"testing"
	"time"

	"golang.org/x/crypto/argon2"

	"github.com/storeglass/storeglass/internal/access"
)

func cheapHash(password, head string) string {
	key := argon2.IDKey([]byte(password), []byte("0123456789abcdef"), 2, 9728, 1, 32)
	return head + base64.RawStdEncoding.EncodeToString(key)
}

func sessionID(t *testing.T, w world, token string) (id int64) {
	t.Helper()
	if err := w.db.Pool.QueryRow(t.Context(), "select id from sessions where token = $1", token).Scan(&id); err != nil {
		t.Fatal(err)
	}
	return id
}

func TestSessionsAreListedWithTheirWayAndEndedOneByOne(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	p, other := w.person(t, "ada@example.com"), w.person(t, "bo@example.com")
	started := w.clock.now()
	saveSessionWith(t, w, "one", p, map[string]any{access.SessionWay: "password", access.SessionAddress: "203.0.113.7", access.SessionAgent: "Firefox on Linux"})
	saveSession(t, w, "two", p)
	saveSession(t, w, "bo", other)
	w.clock.add(30 * time.Minute)
	if _, found, err := w.Sessions().FindCtx(ctx, "one"); err != nil || !found {
		t.Fatal(found, err)
	}
	list, err := w.SessionsOf(ctx, p.ID)
	if err != nil || len(list) != 2 {
		t.Fatalf("%+v, %v", list, err)
	}
	if s := list[0]; s.Way != "password" || s.Address != "203.0.113.7" || s.Agent != "Firefox on Linux" || !s.Since.Equal(started) || !s.Seen.Equal(w.clock.now()) {
		t.Errorf("%+v", s)
	}
	if err := w.EndSession(ctx, p, sessionID(t, w, "bo")); err != nil {
		t.Fatal(err)
	}
	if err := w.EndSession(ctx, p, list[0].ID); err != nil {
		t.Fatal(err)
	}
	for token, want := range map[string]bool{"one": false, "two": true, "bo": true} {
		if _, found, err := w.Sessions().FindCtx(ctx, token); err != nil || found != want {
			t.Errorf("session %s lives: %v, %v", token, found, err)
		}
	}
	saveSession(t, w, "three", p)
	if n, err := w.EndOtherSessions(ctx, p, sessionID(t, w, "three")); err != nil || n != 1 {
		t.Errorf("ended %d others, %v", n, err)
	}
}

func TestUseOfASessionIsWrittenEveryTenMinutesAtMost(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.person(t, "ada@example.com")
	saveSessionFor(t, w, "one", p, 30*24*time.Hour)
	seen := func() time.Time {
		t.Helper()
		if _, found, err := w.Sessions().FindCtx(t.Context(), "one"); err != nil || !found {
			t.Fatal(found, err)
		}
		list, err := w.SessionsOf(t.Context(), p.ID)
		if err != nil || len(list) != 1 {
			t.Fatal(list, err)
		}
		return list[0].Seen
	}
	first := w.clock.now()
	w.clock.add(9*time.Minute + 59*time.Second)
	if got := seen(); !got.Equal(first) {
		t.Errorf("written after less than ten minutes: %v", got)
	}
	w.clock.add(time.Second)
	if got := seen(); !got.Equal(w.clock.now()) {
		t.Errorf("not written after ten minutes: %v", got)
	}
}

func TestSessionThatNobodyUsesEndsAfterAWeek(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.person(t, "ada@example.com")
	saveSessionFor(t, w, "used", p, 30*24*time.Hour)
	saveSessionFor(t, w, "idle", p, 30*24*time.Hour)
	for range 3 {
		w.clock.add(3 * 24 * time.Hour)
		if _, found, err := w.Sessions().FindCtx(t.Context(), "used"); err != nil || !found {
			t.Fatal(found, err)
		}
	}
	if _, found, err := w.Sessions().FindCtx(t.Context(), "idle"); err != nil || found {
		t.Error("nine days unused and still in", err)
	}
	if list, err := w.SessionsOf(t.Context(), p.ID); err != nil || len(list) != 1 {
		t.Errorf("%+v, %v", list, err)
	}
}
