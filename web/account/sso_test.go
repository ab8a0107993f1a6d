package account_test

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/storeglass/storeglass/internal/access/signin"
	"github.com/storeglass/storeglass/internal/access/sso"
	"github.com/storeglass/storeglass/internal/browsertest"
	"github.com/storeglass/storeglass/web/account"
	"github.com/storeglass/storeglass/web/webtest"
)

func TestSingleSignOnFindsAPersonByAVouchedAddressAndThenByTheirIdentity(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	w.SignedIn() // joins
	issuer := provider(w, everyone)
	b := w.Browser()
	if page := b.Get("/sign-in?next=/stores/acme").Body; !strings.Contains(page, "Continue with Fernhollow") || !strings.Contains(page, "/sign-in/sso?next=%2Fstores%2Facme") {
		t.Error("the sign-in page does not offer it")
	}
	start := b.Get("/sign-in/sso?next=/stores/acme")
	asked, err := url.Parse(start.Header.Get("Location"))
	w.Must(err)
	q := asked.Query()
	for name, want := range map[string]string{"response_type": "code", "code_challenge_method": "S256", "client_id": "storeglass", "scope": "openid email profile", "redirect_uri": "http://localhost:8080/sign-in/sso/callback"} {
		if q.Get(name) != want {
			t.Errorf("asked with %s=%q", name, q.Get(name))
		}
	}
	if len(q.Get("state")) != 43 || len(q.Get("nonce")) != 43 || len(q.Get("code_challenge")) != 43 {
		t.Errorf("asked with %v", q)
	}
	before := b.Session()
	w.Audit()
	back := there(w, start.Header.Get("Location"), "ada-there").RequestURI()
	if r := b.Get(back); r.Header.Get("Location") != "/stores/acme" || b.Session() == before {
		t.Fatalf("%d to %q: %s", r.Status, r.Header.Get("Location"), w.Log.String())
	}
	w.Recorded("person ada@example.com factor.added ada@example.com, single sign-on at "+issuer, "person ada@example.com sign-in.succeeded single sign-on with Fernhollow")
	if page := b.Get("/account").Body; !strings.Contains(page, "by single sign-on with Fernhollow") || !strings.Contains(page, issuer) {
		t.Error("the account does not say so")
	}
	if r := b.Get(back); r.Status != http.StatusConflict || !strings.Contains(r.Body, "already used") {
		t.Errorf("the same answer again: %d", r.Status)
	}
	// From now on the identity counts, whatever address either side has.
	w.Exec(`update people set email = 'ada.new@example.com' where id = $1`, w.Person.ID)
	again := w.Browser()
	if r := comes(w, again, "/sign-in/sso", "ada-there"); r.Header.Get("Location") != "/" {
		t.Errorf("%d to %q", r.Status, r.Header.Get("Location"))
	}
	for _, secret := range []string{q.Get("state"), q.Get("nonce"), "code="} {
		if strings.Contains(w.Log.String(), secret) {
			t.Errorf("the log holds %q", secret)
		}
	}
}

func TestSingleSignOnLetsNobodyInWhoIsNotKnown(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	w.SignedIn()
	provider(w, everyone)
	gone, err := w.Access.CreatePerson(t.Context(), "bo@example.com", "", "")
	w.Must(err)
	w.Must(w.Access.DisablePerson(t.Context(), gone.ID))
	for login, says := range map[string]string{
		"eve-there": "There is no account here", "unsure": "hasn’t verified your email address", "silent": "hasn’t verified your email address", "bo-there": "There is no account here",
	} {
		b := w.Browser()
		r := comes(w, b, "/sign-in/sso", login)
		if r.Status != http.StatusForbidden || !strings.Contains(r.Body, says) {
			t.Errorf("%s: %d", login, r.Status)
		}
		if b.Get("/account").Status != http.StatusSeeOther {
			t.Errorf("%s is in", login)
		}
	}
	people, err := w.Access.Roster(t.Context())
	w.Must(err)
	if len(people) != 2 {
		t.Errorf("%d people", len(people))
	}
	comes(w, w.Browser(), "/sign-in/sso", "ada-there")
	if r := comes(w, w.Browser(), "/sign-in/sso", "ada-again"); r.Status != http.StatusConflict || !strings.Contains(r.Body, "connected to another") {
		t.Errorf("someone else with the address: %d", r.Status)
	}
	w.Must(w.Access.DisablePerson(t.Context(), w.Person.ID))
	if r := comes(w, w.Browser(), "/sign-in/sso", "ada-there"); r.Status != http.StatusForbidden {
		t.Errorf("disabled: %d", r.Status)
	}
}

func TestSingleSignOnAcceptsAnInvitationThatWorks(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	provider(w, everyone)
	p, secret := w.Invited("bo@example.com")
	if page := w.Browser().Get("/invitation/" + secret).Body; !strings.Contains(page, "Continue with Fernhollow") {
		t.Error("the invitation does not offer it")
	}
	w.Clock.Add(signin.InvitationLife)
	if r := comes(w, w.Browser(), "/sign-in/sso", "bo-there"); r.Status != http.StatusForbidden {
		t.Errorf("an old invitation: %d", r.Status)
	}
	again, _, err := w.SignIn.ReinvitePerson(t.Context(), p.ID, 0)
	w.Must(err)
	b := w.Browser()
	if r := comes(w, b, "/sign-in/sso", "bo-there"); r.Header.Get("Location") != "/" {
		t.Fatalf("%d", r.Status)
	}
	if page := b.Get("/account").Body; !strings.Contains(page, `value="Bo Smith"`) {
		t.Error("not under the name that the provider gave")
	}
	if r := w.Browser().Get("/invitation/" + again); r.Status != http.StatusGone {
		t.Errorf("the invitation works on: %d", r.Status)
	}
}

func TestProvidersAnswerCountsOnlyWhereItWasAskedForAndSoon(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	w.SignedIn()
	issuer := provider(w, everyone)
	answer := func(b *webtest.Browser) url.Values {
		t.Helper()
		return there(w, b.Get("/sign-in/sso").Header.Get("Location"), "ada-there").Query()
	}
	change := func(q url.Values, name, value string) url.Values {
		q.Set(name, value)
		return q
	}
	for name, c := range map[string]struct {
		query  func(b *webtest.Browser) url.Values
		status int
	}{
		"in another browser": {func(*webtest.Browser) url.Values { return answer(w.Browser()) }, http.StatusConflict},
		"another state":      {func(b *webtest.Browser) url.Values { return change(answer(b), "state", strings.Repeat("A", 43)) }, http.StatusConflict},
		"no state":           {func(b *webtest.Browser) url.Values { return change(answer(b), "state", "") }, http.StatusConflict},
		"another provider's": {func(b *webtest.Browser) url.Values { return change(answer(b), "iss", "https://evil.example") }, http.StatusConflict},
		"no provider's":      {func(b *webtest.Browser) url.Values { return change(answer(b), "iss", "") }, http.StatusConflict},
		"another code":       {func(b *webtest.Browser) url.Values { return change(answer(b), "code", "made-up") }, http.StatusConflict},
		"another's code": {func(b *webtest.Browser) url.Values {
			code := answer(w.Browser()).Get("code")
			return change(answer(b), "code", code)
		}, http.StatusConflict},
		"the person said no": {func(b *webtest.Browser) url.Values {
			q := answer(b)
			q.Del("code")
			return change(q, "error", "access_denied")
		}, http.StatusForbidden},
		"too late": {func(b *webtest.Browser) url.Values { q := answer(b); w.Clock.Add(10 * time.Minute); return q }, http.StatusConflict},
		"nothing":  {func(*webtest.Browser) url.Values { return nil }, http.StatusConflict},
	} {
		b := w.Browser()
		r := b.Get(account.CallbackPath + "?" + c.query(b).Encode())
		if r.Status != c.status || b.Get("/account").Status != http.StatusSeeOther {
			t.Errorf("%s: %d", name, r.Status)
		}
		if strings.Contains(r.Body, issuer) || strings.Contains(r.Body, "access_denied") {
			t.Errorf("%s: the page repeats what it was sent", name)
		}
	}
	b := w.Browser() // and after all that it still works
	if r := b.Get(account.CallbackPath + "?" + answer(b).Encode()); r.Header.Get("Location") != "/" {
		t.Errorf("%d", r.Status)
	}
}

func TestSeveralTabsCanBeAtTheProvider(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	w.SignedIn() // joins
	provider(w, everyone)
	b := w.Browser()
	sets := func(path string) string { return b.Get(path).Header.Get("Location") }
	first, second, third := sets("/sign-in/sso?next=/account"), sets("/sign-in/sso?next=/stores/acme"), sets("/sign-in/sso")
	if r := b.Get(account.CallbackPath + "?state=" + strings.Repeat("A", 43)); r.Status != http.StatusConflict {
		t.Errorf("an answer to nothing: %d", r.Status)
	}
	for from, to := range map[string]string{first: "/account", second: "/stores/acme", third: "/"} {
		back := there(w, from, "ada-there").RequestURI()
		if r := b.Get(back); r.Header.Get("Location") != to {
			t.Errorf("%d to %q instead of %q", r.Status, r.Header.Get("Location"), to)
		}
		if r := b.Get(back); r.Status != http.StatusConflict {
			t.Errorf("the same answer again: %d", r.Status)
		}
	}
}

func TestAccountIsConnectedWithWhateverAddressItHasThere(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	provider(w, everyone)
	b := w.SignedIn()
	if r := connects(w, b, "other"); r.Header.Get("Location") != "/account?done=connected" {
		t.Fatalf("%d: %s", r.Status, w.Log.String())
	}
	if r := connects(w, b, "ada-there"); r.Status != http.StatusConflict || !strings.Contains(r.Body, "connected to another") {
		t.Errorf("a second identity at the same provider: %d", r.Status)
	}
	other := w.Browser()
	if r := comes(w, other, "/sign-in/sso", "other"); r.Header.Get("Location") != "/" {
		t.Errorf("%d", r.Status)
	}
	if r := b.Get("/account/identities/connect"); r.Status != http.StatusMethodNotAllowed && r.Status != http.StatusNotFound {
		t.Errorf("connected by a link: %d", r.Status)
	}
	if r := b.Post("/account/identities/connect", url.Values{}); r.Status != http.StatusForbidden {
		t.Errorf("connected by another site's form: %d", r.Status)
	}
	w.Clock.Add(2 * time.Hour)
	for _, path := range []string{"/account/identities/connect", "/account/identities/remove"} {
		if r := b.Send(path); r.Header.Get("Location") != "/account/confirm?next=%2Faccount" {
			t.Errorf("long after signing in, %s: %d to %q", path, r.Status, r.Header.Get("Location"))
		}
	}
	if r := comes(w, other, "/account/confirm/sso?next=/account", "ada-there"); r.Status != http.StatusConflict {
		t.Errorf("confirmed by someone else there: %d", r.Status)
	}
	if r := comes(w, other, "/account/confirm/sso?next=/account/password", "other"); r.Header.Get("Location") != "/account/password" {
		t.Errorf("confirmed at the provider: %d to %q", r.Status, r.Header.Get("Location"))
	}
	if r := other.Get("/account/password"); r.Status != 200 {
		t.Errorf("not confirmed: %d", r.Status)
	}
	list, err := w.SignIn.IdentitiesOf(t.Context(), w.Person.ID)
	w.Must(err)
	w.Audit()
	other.Send("/account/identities/remove", "issuer", list[0].Issuer, "subject", list[0].Subject)
	w.Recorded("person ada@example.com factor.removed ada@example.com, single sign-on at " + list[0].Issuer)
	if r := comes(w, w.Browser(), "/sign-in/sso", "other"); r.Status != http.StatusForbidden {
		t.Errorf("disconnected, and in: %d", r.Status)
	}
}

func TestServerStartsWhileTheProviderIsDownAndSaysSo(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	knows(w, "http://127.0.0.1:1", account.SSOCallback(w.Server.Base))
	r := w.Browser().Get("/sign-in/sso")
	if r.Status != http.StatusServiceUnavailable || !strings.Contains(r.Body, "isn’t responding properly") || strings.Contains(r.Body, "127.0.0.1:1") {
		t.Errorf("%d", r.Status)
	}
	w.HasPassword()
	if !strings.Contains(r.Body, `action="/sign-in"`) || !strings.Contains(r.Body, `name="password"`) {
		t.Error("no other way is offered")
	}
	if r := w.Browser().SignIn("ada@example.com", webtest.GoodPassword); r.Header.Get("Location") != "/" {
		t.Errorf("by a password meanwhile: %d", r.Status)
	}
	provider(w, everyone)
	if r := comes(w, w.Browser(), "/sign-in/sso", "ada-there"); r.Header.Get("Location") != "/" {
		t.Errorf("when it is up: %d", r.Status)
	}
	w.Server.Parts.Account.SSO = nil
	if page := w.Browser().Get("/sign-in").Body; strings.Contains(page, "Continue with") || strings.Contains(page, "/sign-in/sso") {
		t.Error("it is offered without a provider")
	}
	for _, path := range []string{"/sign-in/sso", account.CallbackPath} {
		if r := w.Browser().Get(path); r.Status != http.StatusNotFound {
			t.Errorf("%s without a provider: %d", path, r.Status)
		}
	}
}

func TestSingleSignOnIsAskedForNoSecondStep(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	hasApp(w, w.Browser())
	provider(w, everyone)
	b := w.Browser()
	if r := comes(w, b, "/sign-in/sso?next=/stores/acme", "ada-there"); r.Header.Get("Location") != "/stores/acme" {
		t.Errorf("%d to %q", r.Status, r.Header.Get("Location"))
	}
	if r := b.Get("/stores/acme"); r.Status != http.StatusOK {
		t.Errorf("%d", r.Status)
	}
}

func TestProviderThatFailsIsSaidInPlainWords(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	w.SignedIn()
	issuer := provider(w, everyone)
	for said, c := range map[string]struct {
		words  string
		status int
	}{
		"access_denied":           {"Fernhollow did not let you in", http.StatusForbidden},
		"server_error":            {"Fernhollow isn’t responding properly", http.StatusServiceUnavailable},
		"temporarily_unavailable": {"Fernhollow isn’t responding properly", http.StatusServiceUnavailable},
	} {
		b := w.Browser()
		q := there(w, b.Get("/sign-in/sso").Header.Get("Location"), "ada-there").Query()
		q.Del("code")
		q.Set("error", said)
		q.Set("error_description", "hunter2")
		r := b.Get(account.CallbackPath + "?" + q.Encode())
		if r.Status != c.status || !strings.Contains(r.Body, c.words) || !strings.Contains(r.Body, `name="password"`) || strings.Contains(r.Body, "hunter2") {
			t.Errorf("%s: %d", said, r.Status)
		}
	}
	// The provider no longer knows us: nobody who signs in could do anything about that.
	w.Server.Parts.Account.SSO = sso.New(sso.Config{Issuer: issuer, ClientID: "storeglass", Secret: "another", Name: "Fernhollow", Redirect: account.SSOCallback(w.Server.Base)})
	if r := comes(w, w.Browser(), "/sign-in/sso", "ada-there"); r.Status != http.StatusServiceUnavailable || !strings.Contains(w.Log.String(), "invalid_client") {
		t.Errorf("%d: %s", r.Status, w.Log.String())
	}
}

// A browser may have been handed to someone else between question and answer.
func TestAnAnswerIsForThePersonWhoAsked(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	provider(w, everyone)
	bo, err := w.Access.CreatePerson(t.Context(), "bo@example.com", "", "")
	w.Must(err)
	boLink, _, err := w.SignIn.CreateLink(t.Context(), bo, 0)
	w.Must(err)
	b := w.SignedIn()
	asked, _ := strings.CutPrefix(b.Send("/account/identities/connect").Header.Get("Refresh"), "0; url=")
	confirms := b.Get("/account/confirm/sso").Header.Get("Location")
	b.Post("/sign-in", url.Values{"token": {boLink}}) // what other tabs have asked stays open
	for name, address := range map[string]string{"connect": asked, "confirm": confirms} {
		if r := b.Get(there(w, address, "bo-there").RequestURI()); r.Status != http.StatusConflict {
			t.Errorf("%s, answered by someone else: %d", name, r.Status)
		}
	}
	if n := w.Column(`select count(*)::text from identities`)[0]; n != "0" {
		t.Errorf("%s identities were connected", n)
	}
	if r := comes(w, w.Browser(), "/sign-in/sso", "bo-there"); r.Header.Get("Location") != "/" {
		t.Fatalf("%d", r.Status)
	}
	ada := w.SignedIn()
	before := ada.Session()
	if r := comes(w, ada, "/account/confirm/sso", "bo-there"); r.Status != http.StatusConflict || ada.Session() != before {
		t.Errorf("confirmed with another's identity: %d", r.Status)
	}
	for _, path := range []string{"/sign-in/sso", "/account/confirm/sso"} {
		if r := comes(w, w.SignedInAs(bo), path+"?next=//evil.example", "bo-there"); r.Header.Get("Location") != "/" {
			t.Errorf("%s leads to %q", path, r.Header.Get("Location"))
		}
	}
}

// What a browser alone would refuse: cookies when returning from another site, forms that lead
// to one.
func TestSingleSignOnWorksInABrowser(t *testing.T) {
	t.Parallel()
	w, tab, _ := passkeyWorld(t)
	issuer := provider(w, everyone)
	open := func(path string) { tab.Show(t, w.HTTP.URL+path, 1440, "light") }
	location := func() string { return browsertest.Eval[string](t, tab, "location.href") }
	there := func() {
		t.Helper()
		ctx, cancel := context.WithTimeout(tab.Ctx, time.Minute)
		defer cancel()
		login := chromedp.CSS(`[name="login"]`) // of the page after the one that leads on
		w.Must(chromedp.Do(ctx, chromedp.WaitVisible(login), chromedp.SetValue(login, "other"), chromedp.SetValue(chromedp.CSS(`[name="password"]`), "x")))
		if at := location(); !strings.HasPrefix(at, issuer+"/interaction/") {
			t.Fatalf("led to %s", at)
		}
		press(t, tab, `[type="submit"]`)
		press(t, tab, `[type="submit"]`) // consents
	}
	open("/sign-in/" + w.Link())
	press(t, tab, "main form button")
	open("/account")
	press(t, tab, `form[action="/account/identities/connect"] button`)
	there()
	if at := location(); at != w.HTTP.URL+"/account?done=connected" || !strings.Contains(pageText(t, tab), "private@example.net") {
		t.Fatalf("at %s: %s", at, pageText(t, tab))
	}
	signOut(t, tab)
	open("/sign-in?next=/account")
	press(t, tab, `a[href^="/sign-in/sso"]`) // still signed in there
	if at := location(); at != w.HTTP.URL+"/account" || !strings.Contains(pageText(t, tab), "by single sign-on with Fernhollow") {
		t.Errorf("at %s: %s", at, pageText(t, tab))
	}
	for _, said := range tab.Said() {
		if strings.Contains(said, "Content Security Policy") {
			t.Errorf("the console says %q", said)
		}
	}
}

// What a provider says about a person is checked like what they type: an invalid address
// vouches for nobody, and isn't our error.
func TestSingleSignOnTakesNoAddressThatCanNotBeStored(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	w.SignedIn()
	provider(w, claims{
		"nul":  {"email": "ada\x00@example.com", "email_verified": true, "name": "Ada"},
		"long": {"email": strings.Repeat("a", 3000) + "@example.com", "email_verified": true},
	})
	for _, login := range []string{"nul", "long"} {
		if r := comes(w, w.Browser(), "/sign-in/sso", login); r.Status != http.StatusForbidden || !strings.Contains(r.Body, "hasn’t verified") {
			t.Errorf("%s: %d: %s", login, r.Status, w.Log.String())
		}
	}
}
