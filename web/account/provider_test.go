package account_test

import (
	"bufio"
	"encoding/json"
	"html"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os/exec"
	"strings"

	"github.com/storeglass/storeglass/internal/access/sso"
	"github.com/storeglass/storeglass/web/account"
	"github.com/storeglass/storeglass/web/webtest"
)

// claims are the provider's claims about its people, by login.
type claims map[string]map[string]any

// provider runs a real OpenID Connect provider until the test ends, and configures the world's
// server for it.
func provider(w *webtest.World, people claims) (issuer string) {
	w.T.Helper()
	said, err := json.Marshal(people)
	w.Must(err)
	redirect := account.SSOCallback(w.Server.Base)
	node := exec.Command("node", "testdata/provider.mjs", string(said), redirect)
	stdin, err := node.StdinPipe()
	w.Must(err)
	stdout, err := node.StdoutPipe()
	w.Must(err)
	var stderr webtest.SafeBuffer
	node.Stderr = &stderr
	w.Must(node.Start())
	w.T.Cleanup(func() {
		stdin.Close()
		_ = node.Wait()
	})
	issuer, err = bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		w.T.Fatalf("the provider does not start (npm ci installs it): %v %s", err, stderr.String())
	}
	issuer = strings.TrimSpace(issuer)
	knows(w, issuer, redirect)
	return issuer
}

func knows(w *webtest.World, issuer, redirect string) {
	w.Server.Parts.Account.SSO = sso.New(sso.Config{
		Issuer: issuer, ClientID: "storeglass", Secret: "a secret of the client, for tests", Name: "Fernhollow", Redirect: redirect, Now: w.Clock.Now,
	})
}

// there is a browser at the provider, which signs in and consents as a person would, and stops
// before it returns.
func there(w *webtest.World, address, login string) (back *url.URL) {
	w.T.Helper()
	jar, err := cookiejar.New(nil)
	w.Must(err)
	client := &http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	at, err := url.Parse(address)
	w.Must(err)
	for range 20 {
		if "http://"+at.Host == w.Server.Base.String() {
			return at
		}
		var resp *http.Response
		if strings.HasPrefix(at.Path, "/interaction/") {
			page, err := client.Get(at.String())
			w.Must(err)
			page.Body.Close()
			form := url.Values{"prompt": {"login"}, "login": {login}, "password": {"x"}}
			if jarHas(jar, at, "asked") {
				form = url.Values{"prompt": {"consent"}}
			}
			jar.SetCookies(at, []*http.Cookie{{Name: "asked", Value: "yes", Path: "/"}})
			resp, err = client.PostForm(at.String(), form)
			w.Must(err)
		} else {
			resp, err = client.Get(at.String())
			w.Must(err)
		}
		resp.Body.Close()
		next := resp.Header.Get("Location")
		if next == "" {
			w.T.Fatalf("%s answers %d", at, resp.StatusCode)
		}
		at, err = at.Parse(next)
		w.Must(err)
	}
	w.T.Fatal("the provider leads in circles")
	return nil
}

func jarHas(jar http.CookieJar, at *url.URL, name string) bool {
	for _, c := range jar.Cookies(at) {
		if c.Name == name {
			return true
		}
	}
	return false
}

// connects goes from the account to the provider, and comes back.
func connects(w *webtest.World, b *webtest.Browser, login string) webtest.Response {
	w.T.Helper()
	r := b.Send("/account/identities/connect")
	address, leads := strings.CutPrefix(r.Header.Get("Refresh"), "0; url=")
	if r.Status != http.StatusOK || !leads || !strings.Contains(r.Body, html.EscapeString(address)) {
		w.T.Fatalf("connect: %d, Refresh %q", r.Status, r.Header.Get("Refresh"))
	}
	return b.Get(there(w, address, login).RequestURI())
}

// comes goes all the way there and back.
func comes(w *webtest.World, b *webtest.Browser, from, login string) webtest.Response {
	w.T.Helper()
	r := b.Get(from)
	if r.Status != http.StatusSeeOther {
		w.T.Fatalf("%s: %d", from, r.Status)
	}
	return b.Get(there(w, r.Header.Get("Location"), login).RequestURI())
}

var everyone = claims{
	"ada-there": {"email": "Ada@Example.com", "email_verified": true, "name": "Ada There"},
	"ada-again": {"email": "ada@example.com", "email_verified": true},
	"unsure":    {"email": "ada@example.com", "email_verified": false},
	"silent":    {"name": "Nobody"},
	"eve-there": {"email": "eve@example.com", "email_verified": true},
	"bo-there":  {"email": "bo@example.com", "email_verified": true, "name": "Bo Smith"},
	"other":     {"email": "private@example.net", "email_verified": true},
}
