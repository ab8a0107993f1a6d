package sso_test

import (
	"crypto/rand"
	"crypto/rsa"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"github.com/storeglass/storeglass/internal/access/accesstest"
	"github.com/storeglass/storeglass/internal/access/sso"
)

// liar is a provider that answers whatever the test wants. Honest answers are tested with
// a real provider, in package web.
type liar struct {
	*httptest.Server
	t *testing.T

	mu sync.Mutex
	// key signs its id tokens, keys are those that it publishes.
	key  signingKey
	keys []signingKey
	// token answers a code with the claims of an id token, or with an error.
	token func() (status int, claims map[string]any, fault string)
	// info are the claims of its userinfo endpoint, in addition to the id token's.
	info map[string]any
	// signs makes an id token; nil signs it correctly.
	signs func(claims []byte) string
	asked int
}

type signingKey struct {
	id  string
	key *rsa.PrivateKey
}

func newKey(t *testing.T, id string) signingKey {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	return signingKey{id, key}
}

func newLiar(t *testing.T) *liar {
	t.Helper()
	l := &liar{t: t, key: newKey(t, "first")}
	l.keys = []signingKey{l.key}
	mux := http.NewServeMux()
	mux.HandleFunc("/.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		l.answer(w, http.StatusOK, map[string]any{
			"issuer": l.URL, "authorization_endpoint": l.URL + "/auth", "token_endpoint": l.URL + "/token", "jwks_uri": l.URL + "/keys",
			"userinfo_endpoint": l.URL + "/info", "id_token_signing_alg_values_supported": []string{"RS256", "HS256", "none"},
		})
	})
	mux.HandleFunc("/keys", func(w http.ResponseWriter, _ *http.Request) {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.asked++
		var set jose.JSONWebKeySet
		for _, k := range l.keys {
			set.Keys = append(set.Keys, jose.JSONWebKey{Key: k.key.Public(), KeyID: k.id, Algorithm: "RS256", Use: "sig"})
		}
		l.answer(w, http.StatusOK, set)
	})
	mux.HandleFunc("/token", func(w http.ResponseWriter, _ *http.Request) {
		l.mu.Lock()
		defer l.mu.Unlock()
		status, claims, fault := l.token()
		if fault != "" {
			l.answer(w, status, map[string]any{"error": fault, "error_description": "hunter2"})
			return
		}
		l.answer(w, status, map[string]any{"access_token": "a", "token_type": "Bearer", "id_token": l.signed(claims)})
	})
	mux.HandleFunc("/info", func(w http.ResponseWriter, _ *http.Request) { l.answer(w, http.StatusOK, l.info) })
	l.Server = httptest.NewServer(mux)
	t.Cleanup(l.Close)
	return l
}

func (l *liar) answer(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	if err := json.NewEncoder(w).Encode(v); err != nil {
		l.t.Error(err)
	}
}

func (l *liar) signed(claims map[string]any) string {
	text, err := json.Marshal(claims)
	if err != nil {
		l.t.Error(err)
	}
	if l.signs != nil {
		return l.signs(text)
	}
	return l.sign(jose.SigningKey{Algorithm: jose.RS256, Key: jose.JSONWebKey{Key: l.key.key, KeyID: l.key.id}}, text)
}

func (l *liar) sign(key jose.SigningKey, text []byte) string {
	signer, err := jose.NewSigner(key, nil)
	if err != nil {
		l.t.Error(err)
		return ""
	}
	signed, err := signer.Sign(text)
	if err != nil {
		l.t.Error(err)
		return ""
	}
	token, err := signed.CompactSerialize()
	if err != nil {
		l.t.Error(err)
	}
	return token
}

// ssoWorld is a world in which someone has started a sign-in at the liar.
type ssoWorld struct {
	*accesstest.World
	*liar
	sso         *sso.Provider
	kept, state string
	claims      map[string]any
}

func newSSOWorld(t *testing.T) *ssoWorld {
	t.Helper()
	w := &ssoWorld{World: accesstest.New(t), liar: newLiar(t)}
	w.sso = sso.New(sso.Config{Issuer: w.URL, ClientID: "storeglass", Secret: "hunter2", Name: "Liar", Redirect: "https://reports.example.com/back", Now: w.Clock.Now})
	w.setOut(t, "")
	return w
}

// setOut begins a sign-in, with valid claims for its answer.
func (w *ssoWorld) setOut(t *testing.T, purpose string) {
	t.Helper()
	address, kept, err := w.sso.Begin(t.Context(), w.kept, sso.Asked{Purpose: purpose}, purpose == "confirm")
	if err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	now := w.Clock.Now()
	w.kept, w.state = kept, u.Query().Get("state")
	w.claims = map[string]any{
		"iss": w.URL, "aud": "storeglass", "sub": "ada-there", "nonce": u.Query().Get("nonce"), "iat": now.Unix(), "exp": now.Add(time.Hour).Unix(),
		"auth_time": now.Unix(), "email": "ada@example.com", "email_verified": true, "name": "Ada",
	}
	w.token = func() (int, map[string]any, string) { return http.StatusOK, w.claims, "" }
}

func (w *ssoWorld) comesBack(t *testing.T) (sso.Identity, error) {
	t.Helper()
	return w.answers(t, url.Values{"state": {w.state}, "code": {"c"}})
}

func (w *ssoWorld) answers(t *testing.T, answer url.Values) (sso.Identity, error) {
	t.Helper()
	asked, keep, err := w.sso.Take(w.kept, answer)
	if err != nil {
		return sso.Identity{}, err
	}
	w.kept = keep
	return w.sso.Finish(t.Context(), asked, answer)
}

func TestProvidersLiesAreNotBelieved(t *testing.T) {
	t.Parallel()
	says := func(name string, value any) func(*ssoWorld) {
		return func(w *ssoWorld) { w.claims[name] = value }
	}
	for name, c := range map[string]struct {
		lie  func(w *ssoWorld)
		want error
	}{
		"the truth":              {func(*ssoWorld) {}, nil},
		"another nonce":          {says("nonce", "of another sign-in"), accesstest.Refusal("account.problem.sso_late")},
		"no nonce":               {func(w *ssoWorld) { delete(w.claims, "nonce") }, accesstest.Refusal("account.problem.sso_late")},
		"for another program":    {says("aud", "other"), accesstest.Refusal("account.problem.sso_silent")},
		"for nobody":             {func(w *ssoWorld) { delete(w.claims, "aud") }, accesstest.Refusal("account.problem.sso_silent")},
		"given to another":       {func(w *ssoWorld) { w.claims["aud"], w.claims["azp"] = []string{"other", "storeglass"}, "other" }, accesstest.Refusal("account.problem.sso_silent")},
		"of another provider":    {says("iss", "https://login.example.com"), accesstest.Refusal("account.problem.sso_silent")},
		"expired":                {func(w *ssoWorld) { w.claims["exp"] = w.Clock.Now().Add(-time.Second).Unix() }, accesstest.Refusal("account.problem.sso_silent")},
		"without an end":         {func(w *ssoWorld) { delete(w.claims, "exp") }, accesstest.Refusal("account.problem.sso_silent")},
		"not yet":                {func(w *ssoWorld) { w.claims["nbf"] = w.Clock.Now().Add(time.Hour).Unix() }, accesstest.Refusal("account.problem.sso_silent")},
		"no id token":            {func(w *ssoWorld) { w.signs = func([]byte) string { return "" } }, accesstest.Refusal("account.problem.sso_silent")},
		"signed by a stranger":   {func(w *ssoWorld) { w.key = newKey(t, "first") }, accesstest.Refusal("account.problem.sso_silent")},
		"by a key never shown":   {func(w *ssoWorld) { w.key = newKey(t, "second") }, accesstest.Refusal("account.problem.sso_silent")},
		"not signed":             {func(w *ssoWorld) { w.signs = unsigned }, accesstest.Refusal("account.problem.sso_silent")},
		"by the shared secret":   {func(w *ssoWorld) { w.signs = w.byTheSecret }, accesstest.Refusal("account.problem.sso_silent")},
		"claims of another kind": {says("email", 7), accesstest.Refusal("account.problem.sso_silent")},
		"someone else, if asked": {func(w *ssoWorld) {
			delete(w.claims, "email")
			w.info = map[string]any{"sub": "eve", "email": "ada@example.com", "email_verified": true}
		}, accesstest.Refusal("account.problem.sso_silent")},
		"too long a subject":      {says("sub", strings.Repeat("a", 256)), accesstest.Refusal("account.problem.sso_unverified")},
		"a subject with newlines": {says("sub", "ada\nthere"), accesstest.Refusal("account.problem.sso_unverified")},
		"more than we read": {func(w *ssoWorld) {
			delete(w.claims, "email")
			w.info = map[string]any{"email": "ada@example.com", "picture": strings.Repeat("a", 1<<20), "sub": "ada-there"}
		}, accesstest.Refusal("account.problem.sso_silent")},
		"the code is not taken": {func(w *ssoWorld) {
			w.token = func() (int, map[string]any, string) { return http.StatusBadRequest, nil, "invalid_grant" }
		}, accesstest.Refusal("account.problem.sso_late")},
		"we are not known": {func(w *ssoWorld) {
			w.token = func() (int, map[string]any, string) { return http.StatusUnauthorized, nil, "invalid_client" }
		}, accesstest.Refusal("account.problem.sso_silent")},
		"it is broken": {func(w *ssoWorld) {
			w.token = func() (int, map[string]any, string) { return http.StatusInternalServerError, nil, "server_error" }
		}, accesstest.Refusal("account.problem.sso_silent")},
		"it has gone": {func(w *ssoWorld) { w.Close() }, accesstest.Refusal("account.problem.sso_silent")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newSSOWorld(t)
			c.lie(w)
			id, err := w.comesBack(t)
			if c.want == nil {
				if err != nil || id.Subject != "ada-there" || id.Email != "ada@example.com" || !id.Verified {
					t.Errorf("%+v, %v", id, err)
				}
				return
			}
			if !errors.Is(err, c.want) || id != (sso.Identity{}) {
				t.Errorf("%+v, %v", id, err)
			}
			if err != nil && strings.Contains(err.Error(), "hunter2") {
				t.Errorf("the error holds a secret: %v", err)
			}
		})
	}
}

// unsigned is an id token with the algorithm "none".
func unsigned(claims []byte) string {
	part := base64.RawURLEncoding.EncodeToString
	return part([]byte(`{"alg":"none","kid":"first"}`)) + "." + part(claims) + "."
}

// byTheSecret signs with the shared client secret.
func (w *ssoWorld) byTheSecret(claims []byte) string {
	return w.sign(jose.SigningKey{Algorithm: jose.HS256, Key: []byte(strings.Repeat("hunter2", 8))}, claims)
}

func TestProviderOfAnotherNameIsNotAsked(t *testing.T) {
	t.Parallel()
	w := newSSOWorld(t)
	named := strings.Replace(w.URL, "127.0.0.1", "localhost", 1) // the same server under another name
	other := sso.New(sso.Config{Issuer: named, ClientID: "storeglass", Name: "Liar"})
	_, _, err := other.Begin(t.Context(), "", sso.Asked{}, false)
	accesstest.Wants(t, err, accesstest.Refusal("account.problem.sso_silent"))
	accesstest.Wants(t, other.Ask(t.Context()), accesstest.Refusal("account.problem.sso_silent"))
}

func TestProvidersKeysAreReadAgainWhenTheyChange(t *testing.T) {
	t.Parallel()
	w := newSSOWorld(t)
	if _, err := w.comesBack(t); err != nil {
		t.Fatal(err)
	}
	w.setOut(t, "")
	if _, err := w.comesBack(t); err != nil || w.asked != 1 {
		t.Errorf("the same key again: %v, asked %d times", err, w.asked)
	}
	w.mu.Lock()
	w.key = newKey(t, "second")
	w.keys = []signingKey{w.key}
	w.mu.Unlock()
	w.setOut(t, "")
	if _, err := w.comesBack(t); err != nil || w.asked != 2 {
		t.Errorf("another key: %v, asked %d times", err, w.asked)
	}
}

func TestProviderMayTellTheAddressOnlyWhenAsked(t *testing.T) {
	t.Parallel()
	w := newSSOWorld(t)
	delete(w.claims, "email")
	delete(w.claims, "email_verified")
	w.info = map[string]any{"sub": "ada-there", "email": "ada@example.com", "email_verified": "true"} // a string, as some providers send it
	if id, err := w.comesBack(t); err != nil || id.Email != "ada@example.com" || !id.Verified {
		t.Errorf("%+v, %v", id, err)
	}
	for name, verified := range map[string]any{"no": false, "the word no": "false", "nothing": nil, "another word": "yes"} {
		w.setOut(t, "")
		w.claims["email_verified"] = verified
		if id, err := w.comesBack(t); err != nil || id.Verified {
			t.Errorf("%s: %+v, %v", name, id, err)
		}
	}
}

func TestWhoConfirmsAtTheProviderHasSignedInThereAnew(t *testing.T) {
	t.Parallel()
	w := newSSOWorld(t)
	for name, c := range map[string]struct {
		at   any
		want error
	}{
		"now":            {w.Clock.Now().Unix(), nil},
		"this morning":   {w.Clock.Now().Add(-3 * time.Hour).Unix(), accesstest.Refusal("account.problem.sso_late")},
		"it doesn't say": {nil, accesstest.Refusal("account.problem.sso_late")},
	} {
		w.setOut(t, "confirm")
		w.claims["auth_time"] = c.at
		if _, err := w.comesBack(t); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestWhatAProviderSaysInsteadOfACode(t *testing.T) {
	t.Parallel()
	w := newSSOWorld(t)
	for said, want := range map[string]error{
		"access_denied": accesstest.Refusal("account.problem.sso_denied"), "login_required": accesstest.Refusal("account.problem.sso_denied"), "anything else": accesstest.Refusal("account.problem.sso_denied"),
		"server_error": accesstest.Refusal("account.problem.sso_silent"), "temporarily_unavailable": accesstest.Refusal("account.problem.sso_silent"),
	} {
		w.setOut(t, "")
		_, err := w.answers(t, url.Values{"state": {"another"}, "error": {said}})
		accesstest.Wants(t, err, accesstest.Refusal("account.problem.sso_late"))
		_, err = w.answers(t, url.Values{"state": {w.state}, "error": {said}})
		accesstest.Wants(t, err, want)
	}
}

func TestAnAddressThatIsNoneIsNotVerified(t *testing.T) {
	t.Parallel()
	w := newSSOWorld(t)
	for _, typed := range []string{"", "ada", "Ada <ada@example.com>", strings.Repeat("a", 320) + "@example.com"} {
		w.setOut(t, "")
		w.claims["email"], w.info = typed, map[string]any{"sub": "ada-there"}
		if id, err := w.comesBack(t); err != nil || id.Subject != "ada-there" || id.Email != "" || id.Verified {
			t.Errorf("%.30s: %+v, %v", typed, id, err)
		}
	}
}

func TestAnAnswerCountsOnceAndOnlyFromItsProvider(t *testing.T) {
	t.Parallel()
	w := newSSOWorld(t) // whose provider doesn't promise to name itself
	for iss, want := range map[string]error{w.URL: nil, "": nil, "https://login.example.com": accesstest.Refusal("account.problem.sso_late")} {
		w.setOut(t, "")
		answer := url.Values{"state": {w.state}, "code": {"c"}, "iss": {iss}}
		if _, err := w.answers(t, answer); !errors.Is(err, want) {
			t.Errorf("from %q: %v", iss, err)
		}
		_, err := w.answers(t, answer) // the provider would accept its code again
		accesstest.Wants(t, err, accesstest.Refusal("account.problem.sso_late"))
	}
	w.setOut(t, "")
	w.Clock.Add(-time.Second)
	_, err := w.comesBack(t)
	accesstest.Wants(t, err, accesstest.Refusal("account.problem.sso_late")) // asked in the future
}

func TestABrowserKeepsTheNewestQuestionsThatCanStillBeAnswered(t *testing.T) {
	t.Parallel()
	w := newSSOWorld(t)
	var states []string
	for range 12 {
		address, kept, err := w.sso.Begin(t.Context(), w.kept, sso.Asked{}, false)
		if err != nil {
			t.Fatal(err)
		}
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		w.kept, states = kept, append(states, u.Query().Get("state"))
	}
	kept := func(state string) bool {
		_, _, err := w.sso.Take(w.kept, url.Values{"state": {state}})
		return err == nil
	}
	if kept(states[1]) || !kept(states[2]) || !kept(states[11]) {
		t.Error("not the ten newest are kept")
	}
	w.Clock.Add(10 * time.Minute)
	w.setOut(t, "")
	if kept(states[11]) || !kept(w.state) {
		t.Error("what is too old is kept")
	}
}
