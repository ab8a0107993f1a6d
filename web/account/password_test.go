package account_test

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/access/signin"
	"github.com/storeglass/storeglass/web/site"
	"github.com/storeglass/storeglass/web/webtest"
)

func TestPasswordSignsInAndLeadsWhereOneWanted(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	w.HasPassword()
	b := w.Browser()
	page := b.Get("/sign-in?next=/stores/acme/sync")
	for _, part := range []string{`name="email"`, `autocomplete="username"`, `name="password"`, `autocomplete="current-password"`, `name="next" value="/stores/acme/sync"`} {
		if !strings.Contains(page.Body, part) {
			t.Errorf("the form lacks %s", part)
		}
	}
	r := b.Post("/sign-in", url.Values{"email": {"Ada@Example.com"}, "password": {webtest.GoodPassword}, "next": {"/stores/acme/sync"}})
	if r.Status != http.StatusSeeOther || r.Header.Get("Location") != "/stores/acme/sync" {
		t.Fatalf("%d to %q", r.Status, r.Header.Get("Location"))
	}
	if r := b.Get("/stores/acme/sync"); r.Status != 200 {
		t.Errorf("signed in, but %d", r.Status)
	}
	w.Audit()
}

// A wrong password, an unknown address, a person without a password, and a disabled person: the
// same status, words and headers.
func TestRefusedSignInsCantBeToldApart(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	w.HasPassword()
	ctx := t.Context()
	_, err := w.Access.CreatePerson(ctx, "bare@example.com", "", "")
	w.Must(err)
	gone, err := w.Access.CreatePerson(ctx, "gone@example.com", "", "")
	w.Must(err)
	w.Must(w.SignIn.SetPassword(ctx, gone, webtest.GoodPassword, 0))
	w.Must(w.Access.DisablePerson(ctx, gone.ID))
	_, _, _, err = w.SignIn.InvitePerson(ctx, signin.Invite{Email: "invited@example.com"})
	w.Must(err)
	answer := func(email, password string) string {
		r := w.Browser().SignIn(email, password)
		if r.Status != http.StatusUnprocessableEntity || len(r.Header["Set-Cookie"]) != 0 {
			t.Errorf("%s: %d, cookies %q", email, r.Status, r.Header["Set-Cookie"])
		}
		for _, name := range []string{"Date", "X-Request-Id", "Content-Length"} {
			r.Header.Del(name)
		}
		var headers strings.Builder
		_ = r.Header.Write(&headers)
		return strings.ReplaceAll(r.Body, email, "…") + headers.String()
	}
	want := answer("ada@example.com", webtest.OtherPassword)
	if !strings.Contains(want, "Wrong email or password.") || strings.Contains(want, webtest.OtherPassword) {
		t.Errorf("said %s", want)
	}
	for _, email := range []string{"eve@example.com", "bare@example.com", "gone@example.com", "invited@example.com"} {
		if got := answer(email, webtest.GoodPassword); got != want {
			t.Errorf("%s can be told from a wrong password", email)
		}
	}
	if w.Sessions() != 0 {
		t.Error("a refused sign-in left a session")
	}
}

func TestRefusedSignInSaysWhenToTryAgainAndNotForWhom(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	w.HasPassword()
	answers := map[string]string{}
	for _, email := range []string{"ada@example.com", "eve@example.com"} {
		var r webtest.Response
		for range 11 {
			r = w.Browser().SignIn(email, webtest.OtherPassword)
		}
		if r.Status != http.StatusTooManyRequests || r.Header.Get("Retry-After") != "120" {
			t.Errorf("%s: %d, Retry-After %q", email, r.Status, r.Header.Get("Retry-After"))
		}
		answers[strings.ReplaceAll(r.Body, email, "…")] = email
	}
	if len(answers) != 1 {
		t.Error("a spent account can be told from a spent name")
	}
	for said := range answers {
		if !strings.Contains(said, "Wait 2 minutes and try again.") {
			t.Errorf("said %s", said)
		}
	}
	if r := w.Browser().SignIn("ada@example.com", webtest.GoodPassword); r.Status != http.StatusTooManyRequests {
		t.Errorf("the right password in a strange browser: %d", r.Status)
	}
	if r := w.Browser().Post("/sign-in", url.Values{"token": {w.Link()}}); r.Status != http.StatusSeeOther {
		t.Errorf("a one-time link: %d", r.Status)
	}
}

func TestOwnersBrowserGetsInWhileStrangersAreTrying(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	w.HasPassword()
	b := w.Browser()
	b.SignIn("ada@example.com", webtest.GoodPassword)
	known := b.Cookie("storeglass-device")
	b.Send("/sign-out")
	for range 11 {
		w.Browser().SignIn("ada@example.com", webtest.OtherPassword)
	}
	if r := b.SignIn("ada@example.com", webtest.GoodPassword); r.Status != http.StatusSeeOther || known == "" {
		t.Errorf("%d with device cookie %q", r.Status, known)
	}
	if b.Cookie("storeglass-device") != known {
		t.Error("a known browser was given another token")
	}
}

func TestAccountShowsWhereOneIsSignedInAndEndsOthers(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	here, there, third := w.SignedIn(), w.Browser(), w.SignedIn()
	there.Header.Set("User-Agent", "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0) AppleWebKit/605.1.15 Version/19.0 Mobile Safari/604.1")
	there.Post("/sign-in", url.Values{"token": {w.Link()}})
	page := here.Get("/account").Body
	for _, part := range []string{"Safari on iPhone", "by one-time link", "from <bdi>127.0.0.1</bdi>", "this one"} {
		if !strings.Contains(page, part) {
			t.Errorf("the page lacks %q", part)
		}
	}
	if strings.Count(page, "this one") != 1 {
		t.Error("not exactly one session is this one")
	}
	list, err := w.SessionStore.Of(t.Context(), w.Person.ID)
	w.Must(err)
	id := ""
	for _, s := range list {
		if s.Agent == "Safari on iPhone" {
			id = strconv.FormatInt(s.ID, 10)
		}
	}
	if r := here.Send("/account/sessions/end", "id", id); r.Header.Get("Location") != "/account?done=session" {
		t.Errorf("%d", r.Status)
	}
	if there.Get("/account").Status != http.StatusSeeOther || third.Get("/account").Status != 200 {
		t.Error("not that session ended")
	}
	here.Send("/account/sessions/end-others")
	if third.Get("/account").Status != http.StatusSeeOther || here.Get("/account").Status != 200 || w.Sessions() != 1 {
		t.Error("not all others ended, or this one did")
	}
	for _, bad := range []string{"", "x", "999999"} {
		if r := here.Send("/account/sessions/end", "id", bad); r.Status >= 500 {
			t.Errorf("id %q: %d", bad, r.Status)
		}
	}
}

func TestNobodyEndsAnothersSession(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	ada := w.SignedIn()
	bo, err := w.Access.CreatePerson(t.Context(), "bo@example.com", "", "")
	w.Must(err)
	secret, _, err := w.SignIn.CreateLink(t.Context(), bo, 0)
	w.Must(err)
	b := w.Browser()
	b.Post("/sign-in", url.Values{"token": {secret}})
	list, err := w.SessionStore.Of(t.Context(), w.Person.ID)
	w.Must(err)
	b.Send("/account/sessions/end", "id", strconv.FormatInt(list[0].ID, 10))
	b.Send("/account/sessions/end-others")
	if ada.Get("/account").Status != 200 {
		t.Error("a stranger ended it")
	}
}

func TestPasswordIsChangedByNamingTheOneBefore(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	w.HasPassword()
	b, other := w.Browser(), w.Browser()
	b.SignIn("ada@example.com", webtest.GoodPassword)
	other.SignIn("ada@example.com", webtest.GoodPassword)
	for name, c := range map[string]struct{ current, next, says string }{
		"wrong":   {webtest.OtherPassword, webtest.OtherPassword, "That isn’t your password."},
		"short":   {webtest.GoodPassword, "short", "at least 12 characters"},
		"common":  {webtest.GoodPassword, "password12345", "most common passwords"},
		"her own": {webtest.GoodPassword, "Ada-Byron-King-1", "little more than your name"},
	} {
		r := b.Send("/account/password", "current", c.current, "password", c.next)
		if r.Status != http.StatusUnprocessableEntity || !strings.Contains(r.Body, c.says) {
			t.Errorf("%s: %d", name, r.Status)
		}
		for _, secret := range []string{c.current, c.next} {
			if strings.Contains(r.Body, `"`+secret+`"`) {
				t.Errorf("%s: the page repeats a password", name)
			}
		}
	}
	stolen := b.With(w) // the same session id, elsewhere
	if r := b.Send("/account/password", "current", webtest.GoodPassword, "password", webtest.OtherPassword); r.Header.Get("Location") != "/account?done=password" {
		t.Fatalf("%d", r.Status)
	}
	if b.Get("/account").Status != 200 || other.Get("/account").Status != http.StatusSeeOther || w.Sessions() != 1 {
		t.Error("this session ended, or the other lives")
	}
	if stolen.Get("/account").Status != http.StatusSeeOther {
		t.Error("the session's old id still works")
	}
	if r := w.Browser().SignIn("ada@example.com", webtest.OtherPassword); r.Status != http.StatusSeeOther {
		t.Errorf("the new password: %d", r.Status)
	}
}

func TestFirstPasswordNeedsAFreshSignIn(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.SignedIn()
	w.Clock.Add(61 * time.Minute)
	want := "/account/confirm?next=%2Faccount%2Fpassword"
	if r := b.Get("/account/password"); r.Header.Get("Location") != want {
		t.Errorf("%d to %q", r.Status, r.Header.Get("Location"))
	}
	if r := b.Send("/account/password", "password", webtest.GoodPassword); r.Header.Get("Location") != want {
		t.Errorf("%d to %q", r.Status, r.Header.Get("Location"))
	}
	if r := b.Get(want); r.Status != 200 || !strings.Contains(r.Body, "one-time link") {
		t.Errorf("%d: nothing is said to who has no way to confirm", r.Status)
	}
	b = w.SignedIn()
	if r := b.Send("/account/password", "password", webtest.GoodPassword); r.Header.Get("Location") != "/account?done=password" {
		t.Errorf("%d", r.Status)
	}
}

func TestConfirmingIsASignInThatLeadsBack(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	w.HasPassword()
	b := w.Browser()
	b.SignIn("ada@example.com", webtest.GoodPassword)
	w.Clock.Add(2 * time.Hour)
	before := b.Session()
	if r := b.Send("/account/confirm", "password", webtest.OtherPassword, "next", "/stores/acme"); r.Status != http.StatusUnprocessableEntity || !strings.Contains(r.Body, "isn’t your password") {
		t.Errorf("%d", r.Status)
	}
	r := b.Send("/account/confirm", "password", webtest.GoodPassword, "next", "/stores/acme")
	if r.Header.Get("Location") != "/stores/acme" || b.Session() == before || w.Sessions() != 1 {
		t.Errorf("%d to %q, %d sessions", r.Status, r.Header.Get("Location"), w.Sessions())
	}
	if r := b.Send("/account/confirm", "password", webtest.GoodPassword, "next", "//evil.example"); r.Header.Get("Location") != "/" {
		t.Errorf("leads to %q", r.Header.Get("Location"))
	}
}

func TestNameIsChangedAndCheckedBefore(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.SignedIn()
	_, err := w.Access.CreatePerson(t.Context(), "bo@example.com", "Bo", "")
	w.Must(err)
	for _, bad := range []string{"", " ", "a\u202eb", strings.Repeat("x", 101)} {
		if r := b.Send("/account/name", "name", bad); r.Status != http.StatusUnprocessableEntity {
			t.Errorf("%.10q: %d", bad, r.Status)
		}
	}
	b.Send("/account/name", "name", "  Ada   Lovelace ")
	b.Send("/account/language", "language", "de")
	if r := b.Get("/account"); !strings.Contains(r.Body, `value="Ada Lovelace"`) || !strings.Contains(r.Body, `<html lang="de"`) {
		t.Error("the name or the language is not changed")
	}
	if r := b.Send("/account/language", "language", "xx"); r.Status != http.StatusBadRequest {
		t.Errorf("an unknown language: %d", r.Status)
	}
	if got := w.Column(`select name || coalesce(language, '') from people where email = 'bo@example.com'`); !slices.Equal(got, []string{"Bo"}) {
		t.Errorf("someone else's name and language are %q now", got)
	}
	w.Exec(`alter table people add check (name <> 'Ada King')`)
	if r := b.Send("/account/name", "name", "Ada King"); r.Status != http.StatusInternalServerError {
		t.Errorf("a name that isn't saved: %d", r.Status)
	}
}

func TestSessionEndsAfterTwoWeeksHoweverMuchItIsUsed(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.SignedIn()
	for range 13 {
		w.Clock.Add(24 * time.Hour)
		if r := b.Get("/account"); r.Status != 200 {
			t.Fatalf("%d", r.Status)
		}
	}
	w.Clock.Add(24 * time.Hour)
	if r := b.Get("/account"); r.Status != http.StatusSeeOther {
		t.Errorf("in after 14 days: %d", r.Status)
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
