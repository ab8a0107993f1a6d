package web

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/web/site"
)

const (
	goodPassword  = "four words to guess"
	otherPassword = "four other words here"
)

// hasPassword gives the world's person a password.
func (w *world) hasPassword() {
	w.t.Helper()
	w.must(w.access.SetPassword(w.t.Context(), w.person, goodPassword, 0))
}

func (b *browser) signIn(email, password string) response {
	b.w.t.Helper()
	return b.post("/sign-in", url.Values{"email": {email}, "password": {password}})
}

func TestPasswordSignsInAndLeadsWhereOneWanted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.hasPassword()
	b := w.browser()
	page := b.get("/sign-in?next=/stores/acme/sync")
	for _, part := range []string{`name="email"`, `autocomplete="username"`, `name="password"`, `autocomplete="current-password"`, `name="next" value="/stores/acme/sync"`} {
		if !strings.Contains(page.body, part) {
			t.Errorf("the form lacks %s", part)
		}
	}
	r := b.post("/sign-in", url.Values{"email": {"Ada@Example.com"}, "password": {goodPassword}, "next": {"/stores/acme/sync"}})
	if r.status != http.StatusSeeOther || r.header.Get("Location") != "/stores/acme/sync" {
		t.Fatalf("%d to %q", r.status, r.header.Get("Location"))
	}
	if r := b.get("/stores/acme/sync"); r.status != 200 {
		t.Errorf("signed in, but %d", r.status)
	}
	w.audit()
}

// A wrong password, nobody, somebody without one, and somebody who may not come
// any more: the same status, the same words, the same headers.
func TestRefusedSignInsCantBeToldApart(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.hasPassword()
	ctx := t.Context()
	_, err := w.access.CreatePerson(ctx, "bare@example.com", "", "")
	w.must(err)
	gone, err := w.access.CreatePerson(ctx, "gone@example.com", "", "")
	w.must(err)
	w.must(w.access.SetPassword(ctx, gone, goodPassword, 0))
	w.must(w.access.DisablePerson(ctx, gone.ID))
	_, _, _, err = w.access.InvitePerson(ctx, access.Invite{Email: "invited@example.com"})
	w.must(err)
	answer := func(email, password string) string {
		r := w.browser().signIn(email, password)
		if r.status != http.StatusUnprocessableEntity || len(r.header["Set-Cookie"]) != 0 {
			t.Errorf("%s: %d, cookies %q", email, r.status, r.header["Set-Cookie"])
		}
		for _, name := range []string{"Date", "X-Request-Id", "Content-Length"} {
			r.header.Del(name)
		}
		var headers strings.Builder
		_ = r.header.Write(&headers)
		return strings.ReplaceAll(r.body, email, "…") + headers.String()
	}
	want := answer("ada@example.com", otherPassword)
	if !strings.Contains(want, "Address or password is not right.") || strings.Contains(want, otherPassword) {
		t.Errorf("said %s", want)
	}
	for _, email := range []string{"eve@example.com", "bare@example.com", "gone@example.com", "invited@example.com"} {
		if got := answer(email, goodPassword); got != want {
			t.Errorf("%s can be told from a wrong password", email)
		}
	}
	if w.sessions() != 0 {
		t.Error("a refused sign-in left a session")
	}
}

func TestRefusedSignInSaysWhenToTryAgainAndNotForWhom(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.hasPassword()
	answers := map[string]string{}
	for _, email := range []string{"ada@example.com", "eve@example.com"} {
		var r response
		for range 11 {
			r = w.browser().signIn(email, otherPassword)
		}
		if r.status != http.StatusTooManyRequests || r.header.Get("Retry-After") != "120" {
			t.Errorf("%s: %d, Retry-After %q", email, r.status, r.header.Get("Retry-After"))
		}
		answers[strings.ReplaceAll(r.body, email, "…")] = email
	}
	if len(answers) != 1 {
		t.Error("a spent account can be told from a spent name")
	}
	for said := range answers {
		if !strings.Contains(said, "Wait 2 minutes and try again.") {
			t.Errorf("said %s", said)
		}
	}
	if r := w.browser().signIn("ada@example.com", goodPassword); r.status != http.StatusTooManyRequests {
		t.Errorf("the right password in a strange browser: %d", r.status)
	}
	if r := w.browser().post("/sign-in", url.Values{"token": {w.link()}}); r.status != http.StatusSeeOther {
		t.Errorf("a one-time link: %d", r.status)
	}
}

func TestOwnersBrowserGetsInWhileStrangersAreTrying(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.hasPassword()
	b := w.browser()
	b.signIn("ada@example.com", goodPassword)
	known := b.cookie("storeglass-device")
	b.send("/sign-out")
	for range 11 {
		w.browser().signIn("ada@example.com", otherPassword)
	}
	if r := b.signIn("ada@example.com", goodPassword); r.status != http.StatusSeeOther || known == "" {
		t.Errorf("%d with device cookie %q", r.status, known)
	}
	if b.cookie("storeglass-device") != known {
		t.Error("a known browser was given another token")
	}
}

func TestAccountShowsWhereOneIsSignedInAndEndsOthers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	here, there, third := w.signedIn(), w.browser(), w.signedIn()
	there.header.Set("User-Agent", "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0) AppleWebKit/605.1.15 Version/19.0 Mobile Safari/604.1")
	there.post("/sign-in", url.Values{"token": {w.link()}})
	page := here.get("/account").body
	for _, part := range []string{"Safari on iPhone", "by one-time link", "from <bdi>127.0.0.1</bdi>", "this one"} {
		if !strings.Contains(page, part) {
			t.Errorf("the page lacks %q", part)
		}
	}
	if strings.Count(page, "this one") != 1 {
		t.Error("not exactly one session is this one")
	}
	list, err := w.access.SessionsOf(t.Context(), w.person.ID)
	w.must(err)
	id := ""
	for _, s := range list {
		if s.Agent == "Safari on iPhone" {
			id = strconv.FormatInt(s.ID, 10)
		}
	}
	if r := here.send("/account/sessions/end", "id", id); r.header.Get("Location") != "/account?done=session" {
		t.Errorf("%d", r.status)
	}
	if there.get("/account").status != http.StatusSeeOther || third.get("/account").status != 200 {
		t.Error("not that session ended")
	}
	here.send("/account/sessions/end-others")
	if third.get("/account").status != http.StatusSeeOther || here.get("/account").status != 200 || w.sessions() != 1 {
		t.Error("not all others ended, or this one did")
	}
	for _, bad := range []string{"", "x", "999999"} {
		if r := here.send("/account/sessions/end", "id", bad); r.status >= 500 {
			t.Errorf("id %q: %d", bad, r.status)
		}
	}
}

func TestNobodyEndsAnothersSession(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ada := w.signedIn()
	bo, err := w.access.CreatePerson(t.Context(), "bo@example.com", "", "")
	w.must(err)
	secret, _, err := w.access.CreateLink(t.Context(), bo, 0)
	w.must(err)
	b := w.browser()
	b.post("/sign-in", url.Values{"token": {secret}})
	list, err := w.access.SessionsOf(t.Context(), w.person.ID)
	w.must(err)
	b.send("/account/sessions/end", "id", strconv.FormatInt(list[0].ID, 10))
	b.send("/account/sessions/end-others")
	if ada.get("/account").status != 200 {
		t.Error("a stranger ended it")
	}
}

func TestPasswordIsChangedByNamingTheOneBefore(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.hasPassword()
	b, other := w.browser(), w.browser()
	b.signIn("ada@example.com", goodPassword)
	other.signIn("ada@example.com", goodPassword)
	for name, c := range map[string]struct{ current, next, says string }{
		"wrong":   {otherPassword, otherPassword, "That is not your password."},
		"short":   {goodPassword, "short", "at least 12 characters"},
		"common":  {goodPassword, "password12345", "most common passwords"},
		"her own": {goodPassword, "Ada-Byron-King-1", "your own name"},
	} {
		r := b.send("/account/password", "current", c.current, "password", c.next)
		if r.status != http.StatusUnprocessableEntity || !strings.Contains(r.body, c.says) {
			t.Errorf("%s: %d", name, r.status)
		}
		for _, secret := range []string{c.current, c.next} {
			if strings.Contains(r.body, `"`+secret+`"`) {
				t.Errorf("%s: the page repeats a password", name)
			}
		}
	}
	if r := b.send("/account/password", "current", goodPassword, "password", otherPassword); r.header.Get("Location") != "/account?done=password" {
		t.Fatalf("%d", r.status)
	}
	if b.get("/account").status != 200 || other.get("/account").status != http.StatusSeeOther {
		t.Error("this session ended, or the other lives")
	}
	if r := w.browser().signIn("ada@example.com", otherPassword); r.status != http.StatusSeeOther {
		t.Errorf("the new password: %d", r.status)
	}
}

func TestFirstPasswordNeedsAFreshSignIn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.signedIn()
	w.clock.add(61 * time.Minute)
	want := "/account/confirm?next=%2Faccount%2Fpassword"
	if r := b.get("/account/password"); r.header.Get("Location") != want {
		t.Errorf("%d to %q", r.status, r.header.Get("Location"))
	}
	if r := b.send("/account/password", "password", goodPassword); r.header.Get("Location") != want {
		t.Errorf("%d to %q", r.status, r.header.Get("Location"))
	}
	if r := b.get(want); r.status != 200 || !strings.Contains(r.body, "one-time link") {
		t.Errorf("%d: nothing is said to who has no way to confirm", r.status)
	}
	b = w.signedIn()
	if r := b.send("/account/password", "password", goodPassword); r.header.Get("Location") != "/account?done=password" {
		t.Errorf("%d", r.status)
	}
}

func TestConfirmingIsASignInThatLeadsBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.hasPassword()
	b := w.browser()
	b.signIn("ada@example.com", goodPassword)
	w.clock.add(2 * time.Hour)
	before := b.session()
	if r := b.send("/account/confirm", "password", otherPassword, "next", "/stores/acme"); r.status != http.StatusUnprocessableEntity || !strings.Contains(r.body, "not your password") {
		t.Errorf("%d", r.status)
	}
	r := b.send("/account/confirm", "password", goodPassword, "next", "/stores/acme")
	if r.header.Get("Location") != "/stores/acme" || b.session() == before || w.sessions() != 1 {
		t.Errorf("%d to %q, %d sessions", r.status, r.header.Get("Location"), w.sessions())
	}
	if r := b.send("/account/confirm", "password", goodPassword, "next", "//evil.example"); r.header.Get("Location") != "/" {
		t.Errorf("leads to %q", r.header.Get("Location"))
	}
}

func TestNameIsChangedAndCheckedBefore(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.signedIn()
	for _, bad := range []string{"", " ", "a\u202eb", strings.Repeat("x", 101)} {
		if r := b.send("/account/name", "name", bad); r.status != http.StatusUnprocessableEntity {
			t.Errorf("%.10q: %d", bad, r.status)
		}
	}
	b.send("/account/name", "name", "  Ada   Lovelace ")
	if r := b.get("/account"); !strings.Contains(r.body, `value="Ada Lovelace"`) {
		t.Error("the name is not changed")
	}
}

func TestSessionEndsAfterTwoWeeksHoweverMuchItIsUsed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.signedIn()
	for range 13 {
		w.clock.add(24 * time.Hour)
		if r := b.get("/account"); r.status != 200 {
			t.Fatalf("%d", r.status)
		}
	}
	w.clock.add(24 * time.Hour)
	if r := b.get("/account"); r.status != http.StatusSeeOther {
		t.Errorf("in after 14 days: %d", r.status)
	}
}

func TestBrowsersAreNamedInWords(t *testing.T) {
	t.Parallel()
	for agent, want := range map[string]string{
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0 Safari/537.36 Edg/141.0": "Edge on Windows",
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 15_0) AppleWebKit/605.1.15 Version/19.0 Safari/605.1.15":                        "Safari on Mac",
		"Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0":                                                "Firefox on Linux",
		"Mozilla/5.0 (Linux; Android 16; Pixel 9) AppleWebKit/537.36 Chrome/141.0 Mobile Safari/537.36":                         "Chrome on Android",
		"curl/8.5.0": "curl", "<script>": "", "": "",
	} {
		if got := site.AgentWords(agent); got != want {
			t.Errorf("%.60q is %q, want %q", agent, got, want)
		}
	}
}
