package web

import (
	"bufio"
	"encoding/json"
	"html"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os/exec"
	"strings"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/web/account"
)

// claims are what the provider says of its people, by what they type as login.
type claims map[string]map[string]any

// provider runs a real OpenID Connect provider until the test ends, and has the
// world's server know it.
func (w *world) provider(people claims) (issuer string) {
	w.t.Helper()
	said, err := json.Marshal(people)
	w.must(err)
	redirect := account.SSOCallback(w.server.Base)
	node := exec.Command("node", "testdata/provider.mjs", string(said), redirect)
	stdin, err := node.StdinPipe()
	w.must(err)
	stdout, err := node.StdoutPipe()
	w.must(err)
	var stderr safeBuffer
	node.Stderr = &stderr
	w.must(node.Start())
	w.t.Cleanup(func() {
		stdin.Close()
		_ = node.Wait()
	})
	issuer, err = bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		w.t.Fatalf("the provider does not start (npm ci installs it): %v %s", err, stderr.String())
	}
	issuer = strings.TrimSpace(issuer)
	w.knows(issuer, redirect)
	return issuer
}

func (w *world) knows(issuer, redirect string) {
	w.server.parts.account.SSO = access.NewSSO(access.SSOConfig{
		Issuer: issuer, ClientID: "storeglass", Secret: "a secret of the client, for tests", Name: "Fernhollow", Redirect: redirect,
	})
}

// there is a browser at the provider, which signs in and agrees as a person would,
// and stops before it comes back.
func (w *world) there(address, login string) (back *url.URL) {
	w.t.Helper()
	jar, err := cookiejar.New(nil)
	w.must(err)
	client := &http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	at, err := url.Parse(address)
	w.must(err)
	for range 20 {
		if "http://"+at.Host == w.server.Base.String() {
			return at
		}
		var resp *http.Response
		if strings.HasPrefix(at.Path, "/interaction/") {
			page, err := client.Get(at.String())
			w.must(err)
			page.Body.Close()
			form := url.Values{"prompt": {"login"}, "login": {login}, "password": {"x"}}
			if jarHas(jar, at, "asked") {
				form = url.Values{"prompt": {"consent"}}
			}
			jar.SetCookies(at, []*http.Cookie{{Name: "asked", Value: "yes", Path: "/"}})
			resp, err = client.PostForm(at.String(), form)
			w.must(err)
		} else {
			resp, err = client.Get(at.String())
			w.must(err)
		}
		resp.Body.Close()
		next := resp.Header.Get("Location")
		if next == "" {
			w.t.Fatalf("%s answers %d", at, resp.StatusCode)
		}
		at, err = at.Parse(next)
		w.must(err)
	}
	w.t.Fatal("the provider leads in circles")
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
func (w *world) connects(b *browser, login string) response {
	w.t.Helper()
	r := b.send("/account/identities/connect")
	address, leads := strings.CutPrefix(r.header.Get("Refresh"), "0; url=")
	if r.status != http.StatusOK || !leads || !strings.Contains(r.body, html.EscapeString(address)) {
		w.t.Fatalf("connect: %d, Refresh %q", r.status, r.header.Get("Refresh"))
	}
	return b.get(w.there(address, login).RequestURI())
}

// comes is the whole way there and back.
func (w *world) comes(b *browser, from, login string) response {
	w.t.Helper()
	r := b.get(from)
	if r.status != http.StatusSeeOther {
		w.t.Fatalf("%s: %d", from, r.status)
	}
	return b.get(w.there(r.header.Get("Location"), login).RequestURI())
}

var everybody = claims{
	"ada-there": {"email": "Ada@Example.com", "email_verified": true, "name": "Ada There"},
	"ada-again": {"email": "ada@example.com", "email_verified": true},
	"unsure":    {"email": "ada@example.com", "email_verified": false},
	"silent":    {"name": "Nobody"},
	"eve-there": {"email": "eve@example.com", "email_verified": true},
	"bo-there":  {"email": "bo@example.com", "email_verified": true, "name": "Bo Smith"},
	"other":     {"email": "private@example.net", "email_verified": true},
}
