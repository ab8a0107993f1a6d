package account_test

import (
	"context"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/webauthn"
	"github.com/chromedp/chromedp"

	"github.com/storeglass/storeglass/internal/browsertest"
	"github.com/storeglass/storeglass/web/webtest"
)

// passkeyWorld is a world at an address that supports passkeys, and a browser with its own
// authenticator.
func passkeyWorld(t *testing.T) (*webtest.World, *browsertest.Tab, webauthn.AuthenticatorID) {
	t.Helper()
	w := webtest.NewWorldForBrowsers(t, "")
	tab := browsertest.Open(t)
	_, err := chromedp.Call(tab.Ctx, webauthn.Enable, webauthn.EnableParams{})
	w.Must(err)
	made, err := chromedp.Call(tab.Ctx, webauthn.AddVirtualAuthenticator, webauthn.AddVirtualAuthenticatorParams{Options: &webauthn.VirtualAuthenticatorOptions{
		Protocol: webauthn.AuthenticatorProtocolCtap2, Transport: webauthn.AuthenticatorTransportInternal,
		HasResidentKey: true, HasUserVerification: true, IsUserVerified: true, AutomaticPresenceSimulation: true,
	}})
	w.Must(err)
	return w, tab, made.AuthenticatorID
}

// press clicks the selected element, and waits for the page that it leads to.
func press(t *testing.T, tab *browsertest.Tab, selector string) (path string) {
	t.Helper()
	tab.Press(t, selector)
	return browsertest.Eval[string](t, tab, "location.pathname")
}

// signOut waits for the sign-out to finish: a page requested earlier would cancel it.
func signOut(t *testing.T, tab *browsertest.Tab) {
	t.Helper()
	ctx, cancel := context.WithTimeout(tab.Ctx, time.Minute)
	defer cancel()
	if _, err := chromedp.RunResponse(ctx, chromedp.Evaluate[chromedp.Void](`document.querySelector('form[action="/sign-out"]').submit()`)); err != nil {
		t.Fatalf("sign out: %v %v", err, tab.Said())
	}
}

const (
	addPasskey = `[data-passkey="/account/passkeys/add"] button`
	usePasskey = `[data-passkey="/sign-in/passkey"] button`
)

func pageText(t *testing.T, tab *browsertest.Tab) string {
	t.Helper()
	return browsertest.Eval[string](t, tab, "document.body.innerText")
}

func TestPasskeyIsMadeInABrowserAndSignsInByItself(t *testing.T) {
	t.Parallel()
	w, tab, authenticator := passkeyWorld(t)
	w.HasPassword()
	open := func(path string) { tab.Show(t, w.HTTP.URL+path, 1440, "light") }
	open("/sign-in/" + w.Link())
	if at := press(t, tab, "main form button"); at != "/stores/acme" {
		t.Fatalf("signed in at %s", at)
	}
	open("/account")
	if at := press(t, tab, addPasskey); at != "/account/passkeys/add" || !strings.Contains(pageText(t, tab), "Save these recovery codes") {
		t.Fatalf("at %s: %s", at, pageText(t, tab))
	}
	open("/account")
	if text := pageText(t, tab); !strings.Contains(text, "Passkey of Chrome on Linux") || !strings.Contains(text, "never used") || !strings.Contains(text, "10 codes left") {
		t.Errorf("the account says %s", text)
	}
	signOut := func() {
		signOut(t, tab)
		open("/sign-in?next=/stores/acme")
	}

	signOut()
	if at := press(t, tab, usePasskey); at != "/stores/acme" {
		t.Fatalf("by passkey: at %s: %s", at, pageText(t, tab))
	}
	open("/account")
	if text := pageText(t, tab); !strings.Contains(text, "by passkey") || strings.Contains(text, "never used") {
		t.Errorf("the account says %s", text)
	}

	signOut()
	fill := func(field, text string) {
		t.Helper()
		w.Must(chromedp.Do(tab.Ctx, chromedp.SetValue(chromedp.CSS("#f-"+field), text)))
	}
	fill("email", "ada@example.com")
	fill("password", webtest.GoodPassword)
	if at := press(t, tab, `form[action="/sign-in"] button`); at != "/sign-in/code" {
		t.Fatalf("after a password: at %s", at)
	}
	if at := press(t, tab, `[data-passkey="/sign-in/code/passkey"] button`); at != "/stores/acme" {
		t.Fatalf("second step: at %s: %s", at, pageText(t, tab))
	}

	w.Clock.Add(2 * time.Hour)
	open("/account/confirm?next=/account/password")
	if at := press(t, tab, `[data-passkey="/account/confirm/passkey"] button`); at != "/account/password" {
		t.Fatalf("confirmed: at %s: %s", at, pageText(t, tab))
	}

	signOut()
	_, err := chromedp.Call(tab.Ctx, webauthn.SetUserVerified, webauthn.SetUserVerifiedParams{AuthenticatorID: authenticator, IsUserVerified: false})
	w.Must(err)
	ctx, cancel := context.WithTimeout(tab.Ctx, time.Minute)
	defer cancel()
	tab.Aim(t)
	w.Must(chromedp.Do(ctx, chromedp.Click(chromedp.CSS(usePasskey)), chromedp.WaitVisible(chromedp.CSS("[data-problem]"))))
	if text := pageText(t, tab); !strings.Contains(text, "No passkey was used") {
		t.Errorf("without finger, face or PIN: %s", text)
	}
	for _, said := range tab.Said() {
		if !strings.Contains(said, "Clear-Site-Data") { // sent at each sign-out
			t.Errorf("the console says %q", said)
		}
	}
}

// answerOf has the page's browser answer the server's challenge, and returns the answer instead
// of posting it.
const answerOf = `(async () => {
	const b = (t) => Uint8Array.from(atob(t.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
	const s = (x) => btoa(String.fromCharCode(...new Uint8Array(x))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
	const { publicKey } = await (await fetch("/sign-in/passkey/options", { method: "POST" })).json();
	const c = await navigator.credentials.get({ publicKey: { ...publicKey, challenge: b(publicKey.challenge) } });
	const r = c.response;
	return JSON.stringify({ id: c.id, rawId: s(c.rawId), type: c.type, clientExtensionResults: {}, response: {
		clientDataJSON: s(r.clientDataJSON), authenticatorData: s(r.authenticatorData), signature: s(r.signature), userHandle: s(r.userHandle) } });
})()`

func TestPasskeysAnswerCountsOnceWhereItWasAskedForAndSoon(t *testing.T) {
	t.Parallel()
	w, tab, _ := passkeyWorld(t)
	open := func(path string) { tab.Show(t, w.HTTP.URL+path, 1440, "light") }
	open("/sign-in/" + w.Link())
	press(t, tab, "main form button")
	open("/account")
	press(t, tab, addPasskey)
	open("/account")
	signOut(t, tab)
	open("/sign-in")
	post := func(answer string) string {
		return browsertest.Eval[string](t, tab, `fetch("/sign-in/passkey", {method: "POST", redirect: "manual", body: new URLSearchParams({credential: `+"`"+answer+"`"+`})}).then((r) => r.type + " " + r.status)`)
	}
	stranger := w.Browser()
	if r := stranger.Do("POST", "/sign-in/passkey/options", nil, nil); r.Status != 200 || r.Header.Get("Content-Type") != "application/json" || !strings.Contains(r.Body, `"userVerification":"required"`) {
		t.Fatalf("%d %s", r.Status, r.Body)
	}
	answer := browsertest.Eval[string](t, tab, answerOf)
	for name, credential := range map[string]string{"another browser's question": answer, "the same, again": answer, "garbage": "{}", "nothing": ""} {
		if r := stranger.Post("/sign-in/passkey", url.Values{"credential": {credential}}); r.Status != http.StatusUnprocessableEntity || !strings.Contains(r.Body, "doesn’t sign in here") {
			t.Errorf("%s: %d", name, r.Status)
		}
	}
	twice := browsertest.Eval[string](t, tab, `Promise.all([1, 2].map(() => fetch("/sign-in/passkey", {method: "POST", redirect: "manual", body: new URLSearchParams({credential: `+"`"+answer+"`"+`})}).then((r) => r.type + " " + r.status))).then((all) => all.sort().join(", "))`)
	if twice != "basic 422, opaqueredirect 0" {
		t.Errorf("the right answer, twice at the same moment: %s", twice)
	}
	if got := post(answer); got != "basic 422" {
		t.Errorf("the same answer again: %s", got)
	}
	open("/account") // of two concurrent answers, the wrong one's cookie may have come last
	if browsertest.Eval[bool](t, tab, `!!document.querySelector('form[action="/sign-out"]')`) {
		signOut(t, tab)
	}
	open("/sign-in")
	late := browsertest.Eval[string](t, tab, answerOf)
	w.Clock.Add(5 * time.Minute)
	if got := post(late); got != "basic 422" {
		t.Errorf("after five minutes: %s", got)
	}
	w.Must(w.Access.DisablePerson(t.Context(), w.Person.ID))
	if got := post(browsertest.Eval[string](t, tab, answerOf)); got != "basic 422" {
		t.Errorf("of a disabled person: %s", got)
	}
}

var passkeyID = regexp.MustCompile(`action="/account/passkeys/rename">.*?name="id" value="(\d+)"`)

func TestPasskeysAreRenamedAndRemovedByTheirOwner(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.SignedIn()
	w.Exec(`insert into passkeys (person_id, name, credential_id, credential)
		select id, v.name, v.name::bytea, '{}' from people, (values ('Old'), ('Second')) as v (name) where email = 'ada@example.com' order by v.name`)
	found := passkeyID.FindStringSubmatch(b.Get("/account").Body)
	if found == nil {
		t.Fatal("not listed")
	}
	bo, err := w.Access.CreatePerson(t.Context(), "bo@example.com", "", "")
	w.Must(err)
	secret, _, err := w.SignIn.CreateLink(t.Context(), bo, 0)
	w.Must(err)
	stranger := w.Browser()
	stranger.Post("/sign-in", url.Values{"token": {secret}})
	for _, path := range []string{"/account/passkeys/rename", "/account/passkeys/remove"} {
		if r := stranger.Send(path, "id", found[1], "name", "Mine"); r.Header.Get("Location") != "/account" {
			t.Errorf("a stranger's %s: %d", path, r.Status)
		}
	}
	if !strings.Contains(b.Get("/account").Body, "<bdi>Old</bdi>") {
		t.Error("a stranger changed it")
	}
	b.Send("/account/passkeys/rename", "id", found[1], "name", "  My\u202e key ")
	if page := b.Get("/account").Body; !strings.Contains(page, "<bdi>My") || strings.Contains(page, "\u202e") {
		t.Error("not renamed")
	}
	if r := b.Send("/account/passkeys/remove", "id", found[1]); r.Header.Get("Location") != "/account?done=passkey-removed" {
		t.Errorf("%d", r.Status)
	}
	if left := w.Column(`select name from passkeys`); !slices.Equal(left, []string{"Second"}) {
		t.Errorf("left is %q, want the second passkey alone", left)
	}
}

func TestSiteWithoutANameOrHTTPSHasNoPasskeysAndSaysWhy(t *testing.T) {
	t.Parallel()
	for base, says := range map[string]string{"http://192.0.2.7:8080": "address is a number (192.0.2.7)", "http://reports.example.com": "Passkeys need https"} {
		w := webtest.NewWorldAt(t, base)
		b := w.SignedIn()
		if page := b.Get("/account").Body; !strings.Contains(page, says) || strings.Contains(page, "data-passkey") {
			t.Errorf("%s: the account does not say why", base)
		}
		if strings.Contains(w.Browser().Get("/sign-in").Body, "data-passkey") {
			t.Errorf("%s: passkeys are offered", base)
		}
		if r := w.Browser().Do("POST", "/sign-in/passkey/options", nil, nil); r.Status != http.StatusNotFound {
			t.Errorf("%s: %d", base, r.Status)
		}
	}
}

func TestPasskeyWhoseCounterGoesBackIsRefusedAndRecorded(t *testing.T) {
	t.Parallel()
	w, tab, authenticator := passkeyWorld(t)
	open := func(path string) { tab.Show(t, w.HTTP.URL+path, 1440, "light") }
	open("/sign-in/" + w.Link())
	press(t, tab, "main form button")
	open("/account")
	press(t, tab, addPasskey)
	signOut := func() {
		open("/account")
		signOut(t, tab)
		open("/sign-in?next=/account")
	}
	held := func() webauthn.Credential {
		t.Helper()
		found, err := chromedp.Call(tab.Ctx, webauthn.GetCredentials, webauthn.GetCredentialsParams{AuthenticatorID: authenticator})
		w.Must(err)
		if len(found.Credentials) != 1 {
			t.Fatalf("the authenticator holds %d passkeys", len(found.Credentials))
		}
		return *found.Credentials[0]
	}
	signOut()
	copied := held() // as it was before the sign-in
	if at := press(t, tab, usePasskey); at != "/account" {
		t.Fatalf("the passkey itself: at %s: %s", at, pageText(t, tab))
	}
	signOut()
	if now := held(); now.SignCount <= copied.SignCount {
		t.Fatalf("the counter went from %v to %v", copied.SignCount, now.SignCount)
	}
	_, err := chromedp.Call(tab.Ctx, webauthn.ClearCredentials, webauthn.ClearCredentialsParams{AuthenticatorID: authenticator})
	w.Must(err)
	// Fields of the protocol's type that this authenticator doesn't know are left out. The copy
	// increments its counter when it answers, so it is behind the one already seen.
	add := cdp.Command[map[string]any, cdp.Empty]{Method: webauthn.CommandAddCredential}
	_, err = chromedp.Call(tab.Ctx, add, map[string]any{"authenticatorId": authenticator, "credential": map[string]any{
		"credentialId": copied.CredentialID, "isResidentCredential": true, "rpId": copied.RpID, "userHandle": copied.UserHandle,
		"privateKey": copied.PrivateKey, "signCount": copied.SignCount - 1,
	}})
	w.Must(err)
	w.Audit()
	if at := press(t, tab, usePasskey); at != "/sign-in/passkey" || !strings.Contains(pageText(t, tab), "doesn’t sign in here") {
		t.Errorf("the copy: at %s: %s", at, pageText(t, tab))
	}
	w.Recorded("counted sign-in.passkey-copied ada@example.com")
}

func TestAPasskeyProvesNobodyButItsOwner(t *testing.T) {
	t.Parallel()
	w, tab, _ := passkeyWorld(t)
	w.HasPassword()
	open := func(path string) { tab.Show(t, w.HTTP.URL+path, 1440, "light") }
	bo, err := w.Access.CreatePerson(t.Context(), "bo@example.com", "", "")
	w.Must(err)
	link, _, err := w.SignIn.CreateLink(t.Context(), bo, 0)
	w.Must(err)
	open("/sign-in/" + link)
	press(t, tab, "main form button")
	open("/account")
	press(t, tab, addPasskey) // Bo's, the only one in this browser
	open("/account")
	signOut(t, tab)

	open("/sign-in")
	fill := func(field, text string) {
		t.Helper()
		w.Must(chromedp.Do(tab.Ctx, chromedp.SetValue(chromedp.CSS("#f-"+field), text)))
	}
	w.Exec(`insert into passkeys (person_id, name, credential_id, credential) values ($1, 'Elsewhere', 'x', '{}')`, w.Person.ID)
	fill("email", "ada@example.com")
	fill("password", webtest.GoodPassword)
	press(t, tab, `form[action="/sign-in"] button`)
	if at := press(t, tab, `[data-passkey="/sign-in/code/passkey"] button`); at != "/sign-in/code/passkey" || sessionsOf(w, w.Person.ID) != 0 {
		t.Fatalf("as the second step: at %s, %d sessions", at, sessionsOf(w, w.Person.ID))
	}
	w.Exec(`delete from passkeys where name = 'Elsewhere'`)
	open("/sign-in")
	fill("email", "ada@example.com")
	fill("password", webtest.GoodPassword)
	press(t, tab, `form[action="/sign-in"] button`)
	w.Exec(`insert into passkeys (person_id, name, credential_id, credential) values ($1, 'Elsewhere', 'x', '{}')`, w.Person.ID)
	open("/account/confirm")
	if at := press(t, tab, `[data-passkey="/account/confirm/passkey"] button`); at != "/account/confirm/passkey" || sessionsOf(w, bo.ID) != 0 {
		t.Errorf("to confirm: at %s, %d sessions", at, sessionsOf(w, bo.ID))
	}

	signOut(t, tab)
	open("/sign-in?next=/account")
	browsertest.Eval[string](t, tab, `document.querySelector('[data-passkey="/sign-in/passkey"] [name="next"]').value = "//evil.example"`)
	if at := press(t, tab, usePasskey); at != "/" || sessionsOf(w, bo.ID) != 1 || browsertest.Eval[string](t, tab, "location.hostname") != "localhost" {
		t.Errorf("signed in, with a forged next: at %s", at)
	}
}

func TestThirtyStartsAtOnceFromOneAddress(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	knows(w, "http://127.0.0.1:1", w.HTTP.URL) // a provider that doesn't answer
	for i := range 31 {
		r := w.Browser().Do("POST", "/sign-in/passkey/options", nil, nil)
		if want := map[bool]int{true: http.StatusOK, false: http.StatusTooManyRequests}[i < 30]; r.Status != want {
			t.Errorf("start %d: %d", i+1, r.Status)
		}
	}
	if r := w.Browser().Get("/sign-in/sso"); r.Status != http.StatusTooManyRequests {
		t.Errorf("at the provider: %d", r.Status)
	}
}
