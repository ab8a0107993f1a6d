package web

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/browsertest"
	"github.com/storeglass/storeglass/web/account"
)

func TestSingleSignOnFindsAPersonByAVouchedAddressAndThenByTheirIdentity(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.signedIn() // joins
	issuer := w.provider(everybody)
	b := w.browser()
	if page := b.get("/sign-in?next=/stores/acme").body; !strings.Contains(page, "Continue with Fernhollow") || !strings.Contains(page, "/sign-in/sso?next=%2Fstores%2Facme") {
		t.Error("the sign-in page does not offer it")
	}
	start := b.get("/sign-in/sso?next=/stores/acme")
	asked, err := url.Parse(start.header.Get("Location"))
	w.must(err)
	q := asked.Query()
	for name, want := range map[string]string{"response_type": "code", "code_challenge_method": "S256", "client_id": "storeglass", "scope": "openid email profile", "redirect_uri": "http://localhost:8080/sign-in/sso/callback"} {
		if q.Get(name) != want {
			t.Errorf("asked with %s=%q", name, q.Get(name))
		}
	}
	if len(q.Get("state")) != 43 || len(q.Get("nonce")) != 43 || len(q.Get("code_challenge")) != 43 {
		t.Errorf("asked with %v", q)
	}
	before := b.session()
	w.audit()
	back := w.there(start.header.Get("Location"), "ada-there").RequestURI()
	if r := b.get(back); r.header.Get("Location") != "/stores/acme" || b.session() == before {
		t.Fatalf("%d to %q: %s", r.status, r.header.Get("Location"), w.log.String())
	}
	w.recorded("person ada@example.com factor.added ada@example.com, single sign-on at "+issuer, "person ada@example.com sign-in.succeeded single sign-on with Fernhollow")
	if page := b.get("/account").body; !strings.Contains(page, "by single sign-on with Fernhollow") || !strings.Contains(page, issuer) {
		t.Error("the account does not say so")
	}
	if r := b.get(back); r.status != http.StatusGone || !strings.Contains(r.body, "used already") {
		t.Errorf("the same answer again: %d", r.status)
	}
	// The identity counts from now on, whatever address either side has.
	w.exec(`update people set email = 'ada.new@example.com' where id = $1`, w.person.ID)
	again := w.browser()
	if r := w.comes(again, "/sign-in/sso", "ada-there"); r.header.Get("Location") != "/" {
		t.Errorf("%d to %q", r.status, r.header.Get("Location"))
	}
	for _, secret := range []string{q.Get("state"), q.Get("nonce"), "code="} {
		if strings.Contains(w.log.String(), secret) {
			t.Errorf("the log holds %q", secret)
		}
	}
}

func TestSingleSignOnLetsNobodyInWhoIsNotKnown(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.signedIn()
	w.provider(everybody)
	gone, err := w.access.CreatePerson(t.Context(), "bo@example.com", "", "")
	w.must(err)
	w.must(w.access.DisablePerson(t.Context(), gone.ID))
	for login, says := range map[string]string{
		"eve-there": "There is no account here", "unsure": "does not vouch for your address", "silent": "does not vouch for your address", "bo-there": "There is no account here",
	} {
		b := w.browser()
		r := w.comes(b, "/sign-in/sso", login)
		if r.status != http.StatusForbidden || !strings.Contains(r.body, says) {
			t.Errorf("%s: %d", login, r.status)
		}
		if b.get("/account").status != http.StatusSeeOther {
			t.Errorf("%s is in", login)
		}
	}
	people, err := w.access.People(t.Context())
	w.must(err)
	if len(people) != 2 {
		t.Errorf("%d people", len(people))
	}
	w.comes(w.browser(), "/sign-in/sso", "ada-there")
	if r := w.comes(w.browser(), "/sign-in/sso", "ada-again"); r.status != http.StatusForbidden || !strings.Contains(r.body, "connected with another") {
		t.Errorf("somebody else with the address: %d", r.status)
	}
	w.must(w.access.DisablePerson(t.Context(), w.person.ID))
	if r := w.comes(w.browser(), "/sign-in/sso", "ada-there"); r.status != http.StatusForbidden {
		t.Errorf("disabled: %d", r.status)
	}
}

func TestSingleSignOnAcceptsAnInvitationThatWorks(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.provider(everybody)
	p, secret := w.invited("bo@example.com")
	if page := w.browser().get("/invitation/" + secret).body; !strings.Contains(page, "Continue with Fernhollow") {
		t.Error("the invitation does not offer it")
	}
	w.clock.add(access.InvitationLife)
	if r := w.comes(w.browser(), "/sign-in/sso", "bo-there"); r.status != http.StatusForbidden {
		t.Errorf("an old invitation: %d", r.status)
	}
	again, _, err := w.access.ReinvitePerson(t.Context(), 0, p.ID, 0)
	w.must(err)
	b := w.browser()
	if r := w.comes(b, "/sign-in/sso", "bo-there"); r.header.Get("Location") != "/" {
		t.Fatalf("%d", r.status)
	}
	if page := b.get("/account").body; !strings.Contains(page, `value="Bo Smith"`) {
		t.Error("not under the name that the provider gave")
	}
	if r := w.browser().get("/invitation/" + again); r.status != http.StatusGone {
		t.Errorf("the invitation works on: %d", r.status)
	}
}

func TestProvidersAnswerCountsOnlyWhereItWasAskedForAndSoon(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.signedIn()
	issuer := w.provider(everybody)
	answer := func(b *browser) url.Values {
		t.Helper()
		return w.there(b.get("/sign-in/sso").header.Get("Location"), "ada-there").Query()
	}
	change := func(q url.Values, name, value string) url.Values {
		q.Set(name, value)
		return q
	}
	for name, c := range map[string]struct {
		query  func(b *browser) url.Values
		status int
	}{
		"in another browser": {func(*browser) url.Values { return answer(w.browser()) }, http.StatusGone},
		"another state":      {func(b *browser) url.Values { return change(answer(b), "state", strings.Repeat("A", 43)) }, http.StatusGone},
		"no state":           {func(b *browser) url.Values { return change(answer(b), "state", "") }, http.StatusGone},
		"another provider's": {func(b *browser) url.Values { return change(answer(b), "iss", "https://evil.example") }, http.StatusGone},
		"no provider's":      {func(b *browser) url.Values { return change(answer(b), "iss", "") }, http.StatusGone},
		"another code":       {func(b *browser) url.Values { return change(answer(b), "code", "made-up") }, http.StatusGone},
		"another's code": {func(b *browser) url.Values {
			code := answer(w.browser()).Get("code")
			return change(answer(b), "code", code)
		}, http.StatusGone},
		"the person said no": {func(b *browser) url.Values { q := answer(b); q.Del("code"); return change(q, "error", "access_denied") }, http.StatusUnprocessableEntity},
		"too late":           {func(b *browser) url.Values { q := answer(b); w.clock.add(10 * time.Minute); return q }, http.StatusGone},
		"nothing":            {func(*browser) url.Values { return nil }, http.StatusGone},
	} {
		b := w.browser()
		r := b.get(account.CallbackPath + "?" + c.query(b).Encode())
		if r.status != c.status || b.get("/account").status != http.StatusSeeOther {
			t.Errorf("%s: %d", name, r.status)
		}
		if strings.Contains(r.body, issuer) || strings.Contains(r.body, "access_denied") {
			t.Errorf("%s: the page repeats what it was sent", name)
		}
	}
	b := w.browser() // and after all that it still works
	if r := b.get(account.CallbackPath + "?" + answer(b).Encode()); r.header.Get("Location") != "/" {
		t.Errorf("%d", r.status)
	}
}

func TestAccountIsConnectedWithWhateverAddressItHasThere(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.provider(everybody)
	b := w.signedIn()
	if r := w.connects(b, "other"); r.header.Get("Location") != "/account?done=connected" {
		t.Fatalf("%d: %s", r.status, w.log.String())
	}
	if r := w.connects(b, "ada-there"); r.status != http.StatusForbidden || !strings.Contains(r.body, "connected with another") {
		t.Errorf("a second identity at the same provider: %d", r.status)
	}
	other := w.browser()
	if r := w.comes(other, "/sign-in/sso", "other"); r.header.Get("Location") != "/" {
		t.Errorf("%d", r.status)
	}
	if r := b.get("/account/identities/connect"); r.status != http.StatusMethodNotAllowed && r.status != http.StatusNotFound {
		t.Errorf("connected by a link: %d", r.status)
	}
	if r := b.post("/account/identities/connect", url.Values{}); r.status != http.StatusForbidden {
		t.Errorf("connected by another site's form: %d", r.status)
	}
	w.clock.add(2 * time.Hour)
	for _, path := range []string{"/account/identities/connect", "/account/identities/remove"} {
		if r := b.send(path); r.header.Get("Location") != "/account/confirm?next=%2Faccount" {
			t.Errorf("long after signing in, %s: %d to %q", path, r.status, r.header.Get("Location"))
		}
	}
	if r := w.comes(other, "/account/confirm/sso?next=/account", "ada-there"); r.status != http.StatusForbidden {
		t.Errorf("confirmed by somebody else there: %d", r.status)
	}
	if r := w.comes(other, "/account/confirm/sso?next=/account/password", "other"); r.header.Get("Location") != "/account/password" {
		t.Errorf("confirmed at the provider: %d to %q", r.status, r.header.Get("Location"))
	}
	if r := other.get("/account/password"); r.status != 200 {
		t.Errorf("not confirmed: %d", r.status)
	}
	list, err := w.access.IdentitiesOf(t.Context(), w.person.ID)
	w.must(err)
	w.audit()
	other.send("/account/identities/remove", "issuer", list[0].Issuer, "subject", list[0].Subject)
	w.recorded("person ada@example.com factor.removed ada@example.com, single sign-on at " + list[0].Issuer)
	if r := w.comes(w.browser(), "/sign-in/sso", "other"); r.status != http.StatusForbidden {
		t.Errorf("disconnected, and in: %d", r.status)
	}
}

func TestServerStartsWhileTheProviderIsDownAndSaysSo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.knows("http://127.0.0.1:1", account.SSOCallback(w.server.Base))
	r := w.browser().get("/sign-in/sso")
	if r.status != http.StatusBadGateway || !strings.Contains(r.body, "does not answer as it should") || strings.Contains(r.body, "127.0.0.1:1") {
		t.Errorf("%d", r.status)
	}
	w.hasPassword()
	if !strings.Contains(r.body, `action="/sign-in"`) || !strings.Contains(r.body, `name="password"`) {
		t.Error("no other way is offered")
	}
	if r := w.browser().signIn("ada@example.com", goodPassword); r.header.Get("Location") != "/" {
		t.Errorf("by a password meanwhile: %d", r.status)
	}
	w.provider(everybody)
	if r := w.comes(w.browser(), "/sign-in/sso", "ada-there"); r.header.Get("Location") != "/" {
		t.Errorf("when it is up: %d", r.status)
	}
	w.server.parts.account.SSO = nil
	if page := w.browser().get("/sign-in").body; strings.Contains(page, "Continue with") || strings.Contains(page, "/sign-in/sso") {
		t.Error("it is offered without a provider")
	}
	for _, path := range []string{"/sign-in/sso", account.CallbackPath} {
		if r := w.browser().get(path); r.status != http.StatusNotFound {
			t.Errorf("%s without a provider: %d", path, r.status)
		}
	}
}

func TestSingleSignOnIsAskedForNoSecondStep(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.hasApp(w.browser())
	w.provider(everybody)
	b := w.browser()
	if r := w.comes(b, "/sign-in/sso?next=/stores/acme", "ada-there"); r.header.Get("Location") != "/stores/acme" {
		t.Errorf("%d to %q", r.status, r.header.Get("Location"))
	}
	if r := b.get("/stores/acme"); r.status != http.StatusOK {
		t.Errorf("%d", r.status)
	}
}

func TestProviderThatFailsIsSaidInPlainWords(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.signedIn()
	issuer := w.provider(everybody)
	for said, c := range map[string]struct {
		words  string
		status int
	}{
		"access_denied":           {"Fernhollow did not let you through", http.StatusUnprocessableEntity},
		"server_error":            {"Fernhollow does not answer as it should", http.StatusBadGateway},
		"temporarily_unavailable": {"Fernhollow does not answer as it should", http.StatusBadGateway},
	} {
		b := w.browser()
		q := w.there(b.get("/sign-in/sso").header.Get("Location"), "ada-there").Query()
		q.Del("code")
		q.Set("error", said)
		q.Set("error_description", "hunter2")
		r := b.get(account.CallbackPath + "?" + q.Encode())
		if r.status != c.status || !strings.Contains(r.body, c.words) || !strings.Contains(r.body, `name="password"`) || strings.Contains(r.body, "hunter2") {
			t.Errorf("%s: %d", said, r.status)
		}
	}
	// It knows us no more: nothing that whoever signs in could do better.
	w.server.parts.account.SSO = access.NewSSO(access.SSOConfig{Issuer: issuer, ClientID: "storeglass", Secret: "another", Name: "Fernhollow", Redirect: account.SSOCallback(w.server.Base)})
	if r := w.comes(w.browser(), "/sign-in/sso", "ada-there"); r.status != http.StatusBadGateway || !strings.Contains(w.log.String(), "invalid_client") {
		t.Errorf("%d: %s", r.status, w.log.String())
	}
}

// What a browser alone would refuse: cookies that come back from another site,
// forms that lead to one.
func TestSingleSignOnWorksInABrowser(t *testing.T) {
	t.Parallel()
	w, tab, _ := passkeyWorld(t)
	issuer := w.provider(everybody)
	open := func(path string) { tab.Show(t, w.http.URL+path, 1440, "light") }
	location := func() string { return browsertest.Eval[string](t, tab, "location.href") }
	there := func() {
		t.Helper()
		ctx, cancel := context.WithTimeout(tab.Ctx, time.Minute)
		defer cancel()
		login := chromedp.CSS(`[name="login"]`) // of the page after the one that leads on
		w.must(chromedp.Do(ctx, chromedp.WaitVisible(login), chromedp.SetValue(login, "other"), chromedp.SetValue(chromedp.CSS(`[name="password"]`), "x")))
		if at := location(); !strings.HasPrefix(at, issuer+"/interaction/") {
			t.Fatalf("led to %s", at)
		}
		press(t, tab, `[type="submit"]`)
		press(t, tab, `[type="submit"]`) // agrees that we are told
	}
	open("/sign-in/" + w.link())
	press(t, tab, "main form button")
	open("/account")
	press(t, tab, `form[action="/account/identities/connect"] button`)
	there()
	if at := location(); at != w.http.URL+"/account?done=connected" || !strings.Contains(pageText(t, tab), "private@example.net") {
		t.Fatalf("at %s: %s", at, pageText(t, tab))
	}
	browsertest.Eval[any](t, tab, `document.querySelector('form[action="/sign-out"]').submit()`)
	open("/sign-in?next=/account")
	press(t, tab, `a[href^="/sign-in/sso"]`) // there one is still signed in
	if at := location(); at != w.http.URL+"/account" || !strings.Contains(pageText(t, tab), "by single sign-on with Fernhollow") {
		t.Errorf("at %s: %s", at, pageText(t, tab))
	}
	for _, said := range tab.Said() {
		if strings.Contains(said, "Content Security Policy") {
			t.Errorf("the console says %q", said)
		}
	}
}

// What a provider says of somebody is checked like what they type: an address that can't be
// one vouches for nobody, and is no fault of ours.
func TestSingleSignOnTakesNoAddressThatCanNotBeStored(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.signedIn()
	w.provider(claims{
		"nul":  {"email": "ada\x00@example.com", "email_verified": true, "name": "Ada"},
		"long": {"email": strings.Repeat("a", 3000) + "@example.com", "email_verified": true},
	})
	for _, login := range []string{"nul", "long"} {
		if r := w.comes(w.browser(), "/sign-in/sso", login); r.status != http.StatusForbidden || !strings.Contains(r.body, "does not vouch") {
			t.Errorf("%s: %d: %s", login, r.status, w.log.String())
		}
	}
}
