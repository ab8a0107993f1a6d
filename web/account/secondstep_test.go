package account_test

import (
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"github.com/storeglass/storeglass/internal/mail/mailtest"
	"github.com/storeglass/storeglass/web/account"
	"github.com/storeglass/storeglass/web/site"
	"github.com/storeglass/storeglass/web/webtest"
)

var (
	appSecret    = regexp.MustCompile(`<code>((?:[A-Z2-7]{4} ){7}[A-Z2-7]{4})</code>`)
	recoveryCode = regexp.MustCompile(`<code>((?:[0-9a-z]{4}-){5}[0-9a-z]{4})</code>`)
)

// code is the code that an app with that secret shows now.
func code(w *webtest.World, secret string) string {
	w.T.Helper()
	code, err := totp.GenerateCode(secret, w.Clock.Now())
	w.Must(err)
	return code
}

// hasApp gives the world's person a password and an authenticator app, through the pages.
func hasApp(w *webtest.World, b *webtest.Browser) (secret string, recovery []string) {
	w.T.Helper()
	w.HasPassword()
	b.SignIn("ada@example.com", webtest.GoodPassword)
	if r := b.Send("/account/app/start"); r.Header.Get("Location") != "/account/app" {
		w.T.Fatalf("%d", r.Status)
	}
	found := appSecret.FindStringSubmatch(b.Get("/account/app").Body)
	if found == nil {
		w.T.Fatal("the page shows no secret")
	}
	secret = strings.ReplaceAll(found[1], " ", "")
	page := b.Send("/account/app", "code", code(w, secret))
	for _, m := range recoveryCode.FindAllStringSubmatch(page.Body, -1) {
		recovery = append(recovery, m[1])
	}
	if page.Status != 200 || len(recovery) != 10 || page.Header.Get("Cache-Control") != "no-store" {
		w.T.Fatalf("%d, %d recovery codes", page.Status, len(recovery))
	}
	w.Clock.Add(time.Minute)
	return secret, recovery
}

func TestPasswordIsOnlyTheFirstStepWhereThereIsASecond(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	secret, _ := hasApp(w, w.Browser())
	w.Audit()
	b := w.Browser()
	r := b.Post("/sign-in", url.Values{"email": {"ada@example.com"}, "password": {webtest.GoodPassword}, "next": {"/stores/acme"}})
	if r.Header.Get("Location") != "/sign-in/code" {
		t.Fatalf("%d to %q", r.Status, r.Header.Get("Location"))
	}
	w.Recorded() // nobody has signed in
	between := b.Session()
	for _, route := range w.Server.Routes() { // the state between the steps admits nowhere
		if route.Admits != site.AdmitPerson {
			continue
		}
		got := b.Do(route.Method, webtest.Address(route, webtest.Own), url.Values{"csrf": {b.CSRF()}}, nil)
		sentAway := got.Status == http.StatusSeeOther && strings.HasPrefix(got.Header.Get("Location"), "/sign-in")
		if route.Path == "/wall" { // the wallboard says so itself
			sentAway = got.Status == http.StatusUnauthorized
		}
		if !sentAway || strings.Contains(got.Body, "Acme") {
			t.Errorf("between two steps, %s %s gives %d", route.Method, route.Path, got.Status)
		}
	}
	if b.Get("/api/v1/stores").Status != http.StatusUnauthorized {
		t.Error("the JSON API lets someone in between two steps")
	}
	page := b.Get("/sign-in/code")
	for _, part := range []string{"ada@example.com", `autocomplete="one-time-code"`, "Use a recovery code"} {
		if page.Status != 200 || !strings.Contains(page.Body, part) {
			t.Errorf("%d: the page lacks %q", page.Status, part)
		}
	}
	if r := b.Send("/sign-in/code", "code", "000000"); r.Status != http.StatusUnprocessableEntity || !strings.Contains(r.Body, "This code is wrong") {
		t.Errorf("a wrong code: %d", r.Status)
	}
	for _, path := range []string{"/sign-in/code", "/sign-in/code/passkey"} {
		if r := b.Post(path, url.Values{"code": {code(w, secret)}}); r.Status != http.StatusForbidden {
			t.Errorf("%s without the form token: %d", path, r.Status)
		}
	}
	w.Clock.Add(30 * time.Second)
	r = b.Send("/sign-in/code", "code", code(w, secret))
	if r.Header.Get("Location") != "/stores/acme" || b.Session() == between {
		t.Errorf("%d to %q, the same session id: %v", r.Status, r.Header.Get("Location"), b.Session() == between)
	}
	if b.Get("/stores/acme").Status != 200 || !strings.Contains(b.Get("/account").Body, "by password and code") {
		t.Error("not signed in, or not known how")
	}
	if r := w.Browser().Post("/sign-in/code", url.Values{"code": {code(w, secret)}}); r.Status != http.StatusGone {
		t.Errorf("a second step without a first: %d", r.Status)
	}
}

func TestSecondStepIsWaitedForTenMinutesAndNotAfterAChange(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	secret, _ := hasApp(w, w.Browser())
	b := w.Browser()
	b.SignIn("ada@example.com", webtest.GoodPassword)
	w.Clock.Add(10 * time.Minute)
	if r := b.Post("/sign-in/code", url.Values{"code": {code(w, secret)}}); r.Status != http.StatusGone {
		t.Errorf("after ten minutes: %d", r.Status)
	}
	b.SignIn("ada@example.com", webtest.GoodPassword)
	w.Clock.Add(time.Minute)
	w.Must(w.SignIn.SetPassword(t.Context(), w.Person, webtest.OtherPassword, 0))
	if r := b.Send("/sign-in/code", "code", code(w, secret)); r.Status != http.StatusGone {
		t.Errorf("after a new password: %d", r.Status)
	}
	b.SignIn("ada@example.com", webtest.OtherPassword)
	w.Must(w.Access.DisablePerson(t.Context(), w.Person.ID))
	if r := b.Send("/sign-in/code", "code", code(w, secret)); r.Status != http.StatusGone || sessionsOf(w, w.Person.ID) != 0 {
		t.Errorf("disabled meanwhile: %d", r.Status)
	}
}

func sessionsOf(w *webtest.World, person int64) int {
	w.T.Helper()
	list, err := w.SessionStore.Of(w.T.Context(), person)
	w.Must(err)
	return len(list)
}

func TestOneTimeLinkIsOnlyTheFirstStepToo(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	_, recovery := hasApp(w, w.Browser())
	b := w.Browser()
	if r := b.Post("/sign-in", url.Values{"token": {w.Link()}}); r.Header.Get("Location") != "/sign-in/code" {
		t.Fatalf("%d", r.Status)
	}
	if r := b.Send("/sign-in/code", "recovery", recovery[3]); r.Header.Get("Location") != "/" {
		t.Errorf("%d", r.Status)
	}
	if !strings.Contains(b.Get("/account").Body, "9 codes left") {
		t.Error("the code is not used up")
	}
	again := w.Browser()
	again.Post("/sign-in", url.Values{"token": {w.Link()}})
	if r := again.Send("/sign-in/code", "recovery", recovery[3]); r.Status != http.StatusUnprocessableEntity {
		t.Errorf("second use: %d", r.Status)
	}
}

func TestManyWrongCodesAreRefused(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	secret, _ := hasApp(w, w.Browser())
	w.Clock.Add(time.Hour)
	b := w.Browser()
	b.SignIn("ada@example.com", webtest.GoodPassword)
	var r webtest.Response
	for range 6 {
		r = b.Send("/sign-in/code", "code", "000000")
	}
	if r.Status != http.StatusTooManyRequests || r.Header.Get("Retry-After") != "300" || !strings.Contains(r.Body, "Wait 5 minutes") {
		t.Errorf("%d, Retry-After %q", r.Status, r.Header.Get("Retry-After"))
	}
	other := w.Browser() // the limit is the person's, not the session's
	other.SignIn("ada@example.com", webtest.GoodPassword)
	if r := other.Send("/sign-in/code", "code", code(w, secret)); r.Status != http.StatusTooManyRequests {
		t.Errorf("another browser: %d", r.Status)
	}
}

func TestConfirmingAsksForBothSteps(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.Browser()
	secret, _ := hasApp(w, b)
	w.Clock.Add(2 * time.Hour)
	if r := b.Send("/account/app/remove"); r.Header.Get("Location") != "/account/confirm?next=%2Faccount" {
		t.Fatalf("%d to %q", r.Status, r.Header.Get("Location"))
	}
	if r := b.Send("/account/confirm", "password", webtest.GoodPassword, "next", "/account"); r.Header.Get("Location") != "/sign-in/code" {
		t.Fatalf("%d to %q", r.Status, r.Header.Get("Location"))
	}
	if r := b.Send("/account/app/remove"); r.Header.Get("Location") != "/account/confirm?next=%2Faccount" {
		t.Errorf("confirmed by half: %d", r.Status)
	}
	w.Clock.Add(10 * time.Minute)
	if r := b.Send("/sign-in/code", "code", code(w, secret)); r.Status != http.StatusGone {
		t.Errorf("ten minutes after the first step: %d", r.Status)
	}
	b.Send("/account/confirm", "password", webtest.GoodPassword, "next", "/account")
	if r := b.Send("/sign-in/code", "code", code(w, secret)); r.Header.Get("Location") != "/account" || w.Sessions() != 1 {
		t.Errorf("%d to %q, %d sessions", r.Status, r.Header.Get("Location"), w.Sessions())
	}
	if r := b.Send("/account/app/remove"); r.Header.Get("Location") != "/account?done=app-removed" {
		t.Errorf("%d", r.Status)
	}
	if r := w.Browser().SignIn("ada@example.com", webtest.GoodPassword); r.Header.Get("Location") != "/" {
		t.Errorf("a password alone: %d to %q", r.Status, r.Header.Get("Location"))
	}
	if r := b.Send("/account/recovery"); r.Status != http.StatusConflict || w.Column(`select count(*)::text from recovery_codes`)[0] != "0" {
		t.Errorf("recovery codes without a second step: %d", r.Status)
	}
}

func TestChangingTheSecondStepAsksForAFreshSignInAndIsRecorded(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.Browser()
	secret, _ := hasApp(w, b)
	if said := w.Audit(); !slices.Contains(said, "person ada@example.com factor.added ada@example.com, authenticator app") {
		t.Errorf("adding the app left %q", said)
	}
	w.Clock.Add(time.Hour)
	for _, path := range []string{
		"/account/app/start", "/account/app", "/account/app/remove", "/account/recovery",
		"/account/passkeys/add/options", "/account/passkeys/add", "/account/passkeys/remove",
	} {
		if r := b.Send(path, "id", "1"); !strings.HasPrefix(r.Header.Get("Location"), "/account/confirm?next=%2Faccount") {
			t.Errorf("an hour after signing in, %s: %d to %q", path, r.Status, r.Header.Get("Location"))
		}
	}
	if r := b.Get("/account/app"); r.Header.Get("Location") != "/account/confirm?next=%2Faccount%2Fapp" {
		t.Errorf("an hour after signing in, the form: %d to %q", r.Status, r.Header.Get("Location"))
	}
	for _, r := range []webtest.Response{b.Get("/account/password"), b.Send("/account/password", "current", webtest.GoodPassword, "password", webtest.OtherPassword)} {
		if r.Header.Get("Location") != "/account/confirm?next=%2Faccount%2Fpassword" {
			t.Errorf("an hour after signing in, a new password: %d to %q", r.Status, r.Header.Get("Location"))
		}
	}
	w.Recorded()
	b.Send("/account/confirm", "password", webtest.GoodPassword)
	b.Send("/sign-in/code", "code", code(w, secret))
	w.Recorded("person ada@example.com sign-in.succeeded password and code")
	b.Send("/account/recovery")
	w.Recorded("person ada@example.com factor.added ada@example.com, recovery codes")
	b.Send("/account/app/remove")
	w.Recorded("person ada@example.com factor.removed ada@example.com, authenticator app")
}

func TestAdminTakesTheSecondStepOffWhoHasLostIt(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	smtp := w.HasMail()
	b := w.Browser()
	hasApp(w, b)
	_, admin := w.Admin("root@example.com")
	page := site.PersonPath(w.Person.ID)
	if !strings.Contains(admin.Get(page).Body, "Turn off two-factor") {
		t.Error("not offered")
	}
	w.Audit()
	path := page + "/second-step/remove"
	if r := admin.Send(path); r.Header.Get("Location") != page+"?done=second-step" {
		t.Fatalf("%d", r.Status)
	}
	w.Recorded("person root@example.com factor.removed ada@example.com, two-factor authentication")
	if r := admin.Get(page); strings.Contains(r.Body, "Turn off two-factor") {
		t.Error("offered again")
	}
	if b.Get("/account").Status != http.StatusSeeOther || sessionsOf(w, w.Person.ID) != 0 {
		t.Error("they are signed in still")
	}
	if r := b.SignIn("ada@example.com", webtest.GoodPassword); r.Header.Get("Location") != "/" {
		t.Errorf("a password alone: %d to %q", r.Status, r.Header.Get("Location"))
	}
	w.Audit()
	admin.Send(path)
	w.Recorded() // there was nothing to remove
	w.Clock.Add(time.Hour)
	if r := admin.Send(path); r.Header.Get("Location") != "/account/confirm?next="+url.QueryEscape(page) {
		t.Errorf("long after signing in: %d to %q", r.Status, r.Header.Get("Location"))
	}
	if !slices.ContainsFunc(w.Mails(smtp), func(m mailtest.Mail) bool {
		return strings.Contains(m.Raw, "turned off two-factor") && strings.Contains(m.Raw, "talk to your administrator") && !strings.Contains(m.Raw, "this was you") && strings.Contains(m.To, "ada@example.com")
	}) {
		t.Error("its owner was not told")
	}
}

func TestOwnersHearOfTheirSecondStep(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	smtp := w.HasMail()
	b := w.Browser()
	_, recovery := hasApp(w, b)
	b.Send("/account/recovery")
	other := w.Browser()
	other.SignIn("ada@example.com", webtest.GoodPassword)
	other.Send("/sign-in/code", "recovery", recovery[0]) // an old code that is no longer valid
	b.Send("/account/app/remove")
	var said []string
	for _, m := range w.Mails(smtp) {
		for _, words := range []string{"app was added", "New recovery codes", "recovery code was used", "app was removed"} {
			if strings.Contains(m.Raw, words) {
				said = append(said, words)
				break
			}
		}
	}
	counts := map[string]int{}
	for _, words := range said {
		counts[words]++
	}
	if len(said) != 3 || counts["app was added"] != 1 || counts["New recovery codes"] != 1 || counts["app was removed"] != 1 {
		t.Errorf("told of %q", said)
	}
}

func TestSquareCodeIsDrawnWithinItsSides(t *testing.T) {
	t.Parallel()
	path, side, err := account.QrPath("otpauth://totp/Storeglass:ada@example.com?secret=JBSWY3DPEHPK3PXP")
	if err != nil || side < 21 || !strings.HasPrefix(path, "M0 0h7v1h-7zM") {
		t.Errorf("side %d, path %.40s, %v", side, path, err)
	}
}
