package web

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
)

var (
	appSecret    = regexp.MustCompile(`<code>((?:[A-Z2-7]{4} ){7}[A-Z2-7]{4})</code>`)
	recoveryCode = regexp.MustCompile(`<code>((?:[0-9a-z]{4}-){5}[0-9a-z]{4})</code>`)
)

// code is what the app of that secret shows now.
func (w *world) code(secret string) string {
	w.t.Helper()
	code, err := totp.GenerateCode(secret, w.clock.now())
	w.must(err)
	return code
}

// hasApp gives the world's person a password and an authenticator app, by the pages.
func (w *world) hasApp(b *browser) (secret string, recovery []string) {
	w.t.Helper()
	w.hasPassword()
	b.signIn("ada@example.com", goodPassword)
	if r := b.send("/account/app/start"); r.header.Get("Location") != "/account/app" {
		w.t.Fatalf("%d", r.status)
	}
	found := appSecret.FindStringSubmatch(b.get("/account/app").body)
	if found == nil {
		w.t.Fatal("the page shows no secret")
	}
	secret = strings.ReplaceAll(found[1], " ", "")
	page := b.send("/account/app", "code", w.code(secret))
	for _, m := range recoveryCode.FindAllStringSubmatch(page.body, -1) {
		recovery = append(recovery, m[1])
	}
	if page.status != 200 || len(recovery) != 10 || page.header.Get("Cache-Control") != "no-store" {
		w.t.Fatalf("%d, %d recovery codes", page.status, len(recovery))
	}
	w.clock.add(time.Minute)
	return secret, recovery
}

func TestPasswordIsOnlyTheFirstStepWhereThereIsASecond(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	secret, _ := w.hasApp(w.browser())
	w.audit()
	b := w.browser()
	r := b.post("/sign-in", url.Values{"email": {"ada@example.com"}, "password": {goodPassword}, "next": {"/stores/acme"}})
	if r.header.Get("Location") != "/sign-in/code" {
		t.Fatalf("%d to %q", r.status, r.header.Get("Location"))
	}
	w.recorded() // nobody has signed in
	between := b.session()
	for _, route := range w.server.routes() { // the state between the steps admits nowhere
		if route.Admits != site.AdmitPerson {
			continue
		}
		got := b.do(route.Method, address(route, own), url.Values{"csrf": {b.csrf()}}, nil)
		sentAway := got.status == http.StatusSeeOther && strings.HasPrefix(got.header.Get("Location"), "/sign-in")
		if route.Path == "/wall" { // a screen says so in its place
			sentAway = got.status == http.StatusUnauthorized
		}
		if !sentAway || strings.Contains(got.body, "Acme") {
			t.Errorf("between two steps, %s %s gives %d", route.Method, route.Path, got.status)
		}
	}
	if b.get("/api/v1/stores").status != http.StatusUnauthorized {
		t.Error("the JSON API lets somebody in between two steps")
	}
	page := b.get("/sign-in/code")
	for _, part := range []string{"ada@example.com", `autocomplete="one-time-code"`, "Use a recovery code"} {
		if page.status != 200 || !strings.Contains(page.body, part) {
			t.Errorf("%d: the page lacks %q", page.status, part)
		}
	}
	if r := b.send("/sign-in/code", "code", "000000"); r.status != http.StatusUnprocessableEntity || !strings.Contains(r.body, "not right") {
		t.Errorf("a wrong code: %d", r.status)
	}
	if r := b.post("/sign-in/code", url.Values{"code": {w.code(secret)}}); r.status != http.StatusForbidden {
		t.Errorf("without the form token: %d", r.status)
	}
	w.clock.add(30 * time.Second)
	r = b.send("/sign-in/code", "code", w.code(secret))
	if r.header.Get("Location") != "/stores/acme" || b.session() == between {
		t.Errorf("%d to %q, the same session id: %v", r.status, r.header.Get("Location"), b.session() == between)
	}
	if b.get("/stores/acme").status != 200 || !strings.Contains(b.get("/account").body, "by password and code") {
		t.Error("not signed in, or not known how")
	}
	if r := w.browser().post("/sign-in/code", url.Values{"code": {w.code(secret)}}); r.status != http.StatusGone {
		t.Errorf("a second step without a first: %d", r.status)
	}
}

func TestSecondStepIsWaitedForTenMinutesAndNotAfterAChange(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	secret, _ := w.hasApp(w.browser())
	b := w.browser()
	b.signIn("ada@example.com", goodPassword)
	w.clock.add(10 * time.Minute)
	if r := b.post("/sign-in/code", url.Values{"code": {w.code(secret)}}); r.status != http.StatusGone {
		t.Errorf("after ten minutes: %d", r.status)
	}
	b.signIn("ada@example.com", goodPassword)
	w.clock.add(time.Minute)
	w.must(w.access.SetPassword(t.Context(), w.person, otherPassword, 0))
	if r := b.send("/sign-in/code", "code", w.code(secret)); r.status != http.StatusGone {
		t.Errorf("after a new password: %d", r.status)
	}
	b.signIn("ada@example.com", otherPassword)
	w.must(w.access.DisablePerson(t.Context(), w.person.ID))
	if r := b.send("/sign-in/code", "code", w.code(secret)); r.status != http.StatusGone || w.sessionsOf(w.person.ID) != 0 {
		t.Errorf("disabled meanwhile: %d", r.status)
	}
}

func (w *world) sessionsOf(person int64) int {
	w.t.Helper()
	list, err := w.access.SessionsOf(w.t.Context(), person)
	w.must(err)
	return len(list)
}

func TestOneTimeLinkIsOnlyTheFirstStepToo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, recovery := w.hasApp(w.browser())
	b := w.browser()
	if r := b.post("/sign-in", url.Values{"token": {w.link()}}); r.header.Get("Location") != "/sign-in/code" {
		t.Fatalf("%d", r.status)
	}
	if r := b.send("/sign-in/code", "recovery", recovery[3]); r.header.Get("Location") != "/" {
		t.Errorf("%d", r.status)
	}
	if !strings.Contains(b.get("/account").body, "9 codes are left") {
		t.Error("the code is not used up")
	}
	again := w.browser()
	again.post("/sign-in", url.Values{"token": {w.link()}})
	if r := again.send("/sign-in/code", "recovery", recovery[3]); r.status != http.StatusUnprocessableEntity {
		t.Errorf("second use: %d", r.status)
	}
}

func TestManyWrongCodesAreRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	secret, _ := w.hasApp(w.browser())
	w.clock.add(time.Hour)
	b := w.browser()
	b.signIn("ada@example.com", goodPassword)
	var r response
	for range 6 {
		r = b.send("/sign-in/code", "code", "000000")
	}
	if r.status != http.StatusTooManyRequests || r.header.Get("Retry-After") != "300" || !strings.Contains(r.body, "Wait 5 minutes") {
		t.Errorf("%d, Retry-After %q", r.status, r.header.Get("Retry-After"))
	}
	other := w.browser() // the limit is the person's, not the session's
	other.signIn("ada@example.com", goodPassword)
	if r := other.send("/sign-in/code", "code", w.code(secret)); r.status != http.StatusTooManyRequests {
		t.Errorf("another browser: %d", r.status)
	}
}

func TestConfirmingAsksForBothSteps(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.browser()
	secret, _ := w.hasApp(b)
	w.clock.add(2 * time.Hour)
	if r := b.send("/account/app/remove"); r.header.Get("Location") != "/account/confirm?next=%2Faccount" {
		t.Fatalf("%d to %q", r.status, r.header.Get("Location"))
	}
	if r := b.send("/account/confirm", "password", goodPassword, "next", "/account"); r.header.Get("Location") != "/sign-in/code" {
		t.Fatalf("%d to %q", r.status, r.header.Get("Location"))
	}
	if r := b.send("/account/app/remove"); r.header.Get("Location") != "/account/confirm?next=%2Faccount" {
		t.Errorf("confirmed by half: %d", r.status)
	}
	if r := b.send("/sign-in/code", "code", w.code(secret)); r.header.Get("Location") != "/account" || w.sessions() != 1 {
		t.Errorf("%d to %q, %d sessions", r.status, r.header.Get("Location"), w.sessions())
	}
	if r := b.send("/account/app/remove"); r.header.Get("Location") != "/account?done=app-removed" {
		t.Errorf("%d", r.status)
	}
	if r := w.browser().signIn("ada@example.com", goodPassword); r.header.Get("Location") != "/" {
		t.Errorf("a password alone: %d to %q", r.status, r.header.Get("Location"))
	}
}

func TestChangingTheSecondStepAsksForAFreshSignInAndIsRecorded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.browser()
	secret, _ := w.hasApp(b)
	if said := w.audit(); !slices.Contains(said, "person ada@example.com factor.added ada@example.com, authenticator app") {
		t.Errorf("adding the app left %q", said)
	}
	w.clock.add(time.Hour)
	for _, path := range []string{
		"/account/app/start", "/account/app", "/account/app/remove", "/account/recovery",
		"/account/passkeys/add/options", "/account/passkeys/add", "/account/passkeys/remove",
	} {
		if r := b.send(path, "id", "1"); !strings.HasPrefix(r.header.Get("Location"), "/account/confirm?next=%2Faccount") {
			t.Errorf("an hour after signing in, %s: %d to %q", path, r.status, r.header.Get("Location"))
		}
	}
	w.recorded()
	b.send("/account/confirm", "password", goodPassword)
	b.send("/sign-in/code", "code", w.code(secret))
	w.recorded("person ada@example.com sign-in.succeeded password and code")
	b.send("/account/recovery")
	w.recorded("person ada@example.com factor.added ada@example.com, recovery codes")
	b.send("/account/app/remove")
	w.recorded("person ada@example.com factor.removed ada@example.com, authenticator app")
}

func TestAdminTakesTheSecondStepOffWhoHasLostIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	smtp := w.hasMail()
	b := w.browser()
	w.hasApp(b)
	_, admin := w.admin("root@example.com")
	page := site.PersonPath(w.person.ID)
	if !strings.Contains(admin.get(page).body, "Take the second step off") {
		t.Error("not offered")
	}
	w.audit()
	path := page + "/second-step/remove"
	if r := admin.send(path); r.header.Get("Location") != page+"?done=second-step" {
		t.Fatalf("%d", r.status)
	}
	w.recorded("person root@example.com factor.removed ada@example.com, second step")
	if r := admin.get(page); strings.Contains(r.body, "Take the second step off") {
		t.Error("offered again")
	}
	if b.get("/account").status != http.StatusSeeOther || w.sessionsOf(w.person.ID) != 0 {
		t.Error("they are signed in still")
	}
	if r := b.signIn("ada@example.com", goodPassword); r.header.Get("Location") != "/" {
		t.Errorf("a password alone: %d to %q", r.status, r.header.Get("Location"))
	}
	w.audit()
	admin.send(path)
	w.recorded() // there was nothing to take off
	w.clock.add(time.Hour)
	if r := admin.send(path); r.header.Get("Location") != "/account/confirm?next="+url.QueryEscape(page) {
		t.Errorf("long after signing in: %d to %q", r.status, r.header.Get("Location"))
	}
	if !slices.ContainsFunc(w.mails(smtp), func(m mailtest.Mail) bool {
		return strings.Contains(m.Raw, "took the second step off") && strings.Contains(m.To, "ada@example.com")
	}) {
		t.Error("its owner was not told")
	}
}

func TestOwnersHearOfTheirSecondStep(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	smtp := w.hasMail()
	b := w.browser()
	_, recovery := w.hasApp(b)
	b.send("/account/recovery")
	other := w.browser()
	other.signIn("ada@example.com", goodPassword)
	other.send("/sign-in/code", "recovery", recovery[0]) // of before: not right any more
	b.send("/account/app/remove")
	var said []string
	for _, m := range w.mails(smtp) {
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
