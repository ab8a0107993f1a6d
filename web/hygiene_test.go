package web_test

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/storeglass/storeglass/web"
	"github.com/storeglass/storeglass/web/mails"
	"github.com/storeglass/storeglass/web/site"
	"github.com/storeglass/storeglass/web/webtest"
)

// answers requests every route without credentials, as the person and with the token, with the
// table's method and with others.
func answers(w *webtest.World, look func(who string, r site.Route, method string, got webtest.Response)) {
	w.T.Helper()
	token := w.Token(webtest.Own)
	w.OwnLink()
	for _, r := range w.Server.Routes() {
		person := w.SignedIn() // some routes end the session
		form := url.Values{"csrf": {w.CSRF()}}
		for who, b := range map[string]*webtest.Browser{"nobody": w.Browser(), "person": person, "token": w.APIClient(token)} {
			for _, method := range []string{r.Method, "HEAD", "OPTIONS", "PUT"} {
				var sent url.Values
				if method == "POST" {
					sent = form
				}
				look(who, r, method, b.Do(method, webtest.Address(r, webtest.Own), sent, nil))
			}
		}
	}
}

// ofFrames are the headers of the page with a mail in frames, and of the mail in them.
var ofFrames = map[string]map[string]string{
	"/stores/:slug/snapshot":      {"Content-Security-Policy": mails.FramingPolicy},
	"/stores/:slug/snapshot/test": {"Content-Security-Policy": mails.FramingPolicy},
	"/stores/:slug/snapshot/mail": {"Content-Security-Policy": mails.PreviewPolicy, "X-Frame-Options": "SAMEORIGIN"},
}

func TestEveryAnswerOfEveryRouteCarriesTheHeadersThatKeepItHarmless(t *testing.T) {
	t.Parallel()
	for base, hsts := range map[string]string{"http://localhost:8080": "", "https://reports.example.com": "max-age=31536000; includeSubDomains"} {
		t.Run(base, func(t *testing.T) {
			t.Parallel()
			w := webtest.NewWorldAt(t, base)
			want := map[string]string{
				"Content-Security-Policy": site.Policy, "X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Referrer-Policy": "same-origin",
				"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin", "X-Robots-Tag": "noindex, nofollow",
				"Strict-Transport-Security": hsts,
				// No header reveals who may read across origins, or what software runs here.
				"Access-Control-Allow-Origin": "", "Access-Control-Allow-Credentials": "", "Server": "", "X-Powered-By": "", "Via": "",
			}
			answers(w, func(who string, r site.Route, method string, got webtest.Response) {
				about := fmt.Sprintf("%s: %s %s (%d)", who, method, r.Path, got.Status)
				for name, value := range want {
					if framed, ok := ofFrames[r.Path][name]; ok && (got.Status == http.StatusOK || got.Status == http.StatusUnprocessableEntity) {
						value = framed
					}
					if stricter, ok := web.ShareHeaders[name]; ok && r.Admits == site.AdmitShare {
						value = stricter[0]
					}
					if all := got.Header.Values(name); strings.Join(all, "|") != value {
						t.Errorf("%s: %s is %q, want %q", about, name, all, value)
					}
				}
				for _, name := range []string{"Permissions-Policy", "X-Request-Id"} {
					if got.Header.Get(name) == "" {
						t.Errorf("%s lacks %s", about, name)
					}
				}
				keeping := got.Header.Get("Cache-Control")
				switch {
				case r.Path == "/static/*" && got.Status == 200:
					if keeping != "public, max-age=31536000, immutable" {
						t.Errorf("%s: a file that never changes is kept as %q", about, keeping)
					}
				case got.Status >= 300 && got.Status != 304, len(got.Header.Values("Set-Cookie")) > 0, r.Admits == site.AdmitAll:
					if keeping != "no-store" {
						t.Errorf("%s: kept as %q", about, keeping)
					}
				case keeping != "no-store" && keeping != "private, no-cache":
					t.Errorf("%s: kept as %q", about, keeping)
				}
				kind := got.Header.Get("Content-Type")
				if got.Body != "" && kind == "" || strings.HasPrefix(kind, "text/") && !strings.Contains(strings.ToLower(kind), "charset=utf-8") {
					t.Errorf("%s: content type %q", about, kind)
				}
				if file := got.Header.Get("Content-Disposition"); isFile.MatchString(r.Path) && got.Status == 200 && !strings.HasPrefix(file, "attachment; filename=") {
					t.Errorf("%s: disposition %q", about, file)
				}
				for _, cookie := range got.Header.Values("Set-Cookie") {
					for _, part := range []string{"; Path=/", "; HttpOnly", "; SameSite="} {
						if !strings.Contains(cookie, part) {
							t.Errorf("%s: cookie %q lacks %q", about, cookie, part)
						}
					}
					if strings.Contains(cookie, "Domain=") || hsts != "" && !(strings.HasPrefix(cookie, "__Host-") && strings.Contains(cookie, "; Secure")) {
						t.Errorf("%s: cookie %q", about, cookie)
					}
				}
			})
		})
	}
	for _, part := range []string{"default-src 'none'", "object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'", "form-action 'self'", "require-trusted-types-for 'script'"} {
		if !strings.Contains(site.Policy, part) {
			t.Errorf("the policy lacks %s", part)
		}
	}
	gallery, err := os.ReadFile("../views/browser_test.go")
	if err != nil || !strings.Contains(strings.ReplaceAll(string(gallery), "\" +\n\t\"", ""), "const policy = "+strconv.Quote(site.Policy)) {
		t.Errorf("the pages are tried under another policy than they are served with (%v)", err)
	}
	for _, part := range []string{"unsafe", "*", "http:", "https:", "data:", "blob:"} {
		if strings.Contains(site.Policy, part) {
			t.Errorf("the policy allows %s", part)
		}
	}
}

func TestNoRouteTakesAPostOfAnotherSite(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.SignedIn()
	form := url.Values{"csrf": {w.CSRF()}, "token": {w.Link()}}
	posts := 0
	for _, r := range w.Server.Routes() {
		// Mail programs end subscriptions themselves, by the secret in the address alone (RFC 8058).
		if r.Method != "POST" || r.Path == "/sign-out" || r.Path == site.UnsubscribePath+":token" {
			continue
		}
		posts++
		for name, header := range map[string]http.Header{
			"another site":            {"Sec-Fetch-Site": {"cross-site"}},
			"a neighbour":             {"Sec-Fetch-Site": {"same-site"}},
			"an old browser":          {"Origin": {"https://evil.example"}},
			"a page without origin":   {"Origin": {"null"}},
			"our host by another way": {"Origin": {"https://localhost:9"}},
		} {
			if got := b.Do("POST", webtest.Address(r, webtest.Own), form, header); got.Status != http.StatusForbidden {
				t.Errorf("%s of %s: %d", r.Path, name, got.Status)
			}
		}
	}
	if posts < 4 {
		t.Fatalf("only %d routes take posts", posts)
	}
}

func TestHeadersOfThePrincipalChangeNeitherLinksNorRoutes(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.SignedIn()
	evil := http.Header{
		"Host": {"attacker.test"}, "X-Forwarded-Host": {"attacker.test"}, "X-Forwarded-Server": {"attacker.test"}, "X-Host": {"attacker.test"}, "Forwarded": {"host=attacker.test;proto=https"},
		"X-Forwarded-Proto": {"https"}, "X-Original-Url": {"/livez"}, "X-Rewrite-Url": {"/livez"}, "X-Http-Method-Override": {"POST"}, "X-Method-Override": {"DELETE"},
		"X-Forwarded-Prefix": {"//attacker.test"}, "Referer": {"https://attacker.test/"}, "Origin": {"https://attacker.test"}, "Accept-Language": {"attacker.test"},
	}
	api := w.APIClient(w.Token(webtest.Own))
	signedIn := cookies(b)
	for _, r := range w.Server.Routes() {
		if r.Method != "GET" || r.Path == "/livez" || isFile.MatchString(r.Path) {
			continue
		}
		for who, b := range map[string]*webtest.Browser{"person": b, "nobody": w.Browser(), "token": api} {
			header := maps.Clone(evil)
			if who == "person" { // a browser would send no cookie to another host
				header.Set("Cookie", signedIn)
			}
			plain, got := b.Get(webtest.Address(r, webtest.Own)), b.Do("GET", webtest.Address(r, webtest.Own), nil, header)
			if got.Status != plain.Status || got.Header.Get("Location") != plain.Header.Get("Location") || got.Body == "ok\n" {
				t.Errorf("%s: %s gives %d to %q, before %d to %q", who, r.Path, got.Status, got.Header.Get("Location"), plain.Status, plain.Header.Get("Location"))
			}
			if strings.Contains(got.Body, "attacker.test") || strings.Contains(fmt.Sprint(got.Header), "attacker.test") {
				t.Errorf("%s: %s repeats what was sent", who, r.Path)
			}
		}
	}
}

func TestNoPathLeadsToAnotherSite(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	for _, path := range []string{"//evil.example", "//evil.example/..", "/\\evil.example", "///evil.example", "/%2f%2fevil.example", "/%5cevil.example", "/.//evil.example", "/stores//evil.example", "//evil.example/%2e%2e"} {
		for who, b := range map[string]*webtest.Browser{"nobody": w.Browser(), "person": w.SignedIn()} {
			got := raw(t, w, "GET "+path+" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nCookie: "+cookies(b)+"\r\n\r\n")
			to, err := url.Parse(got.Header.Get("Location"))
			if err != nil || to.Host != "" || strings.HasPrefix(to.Path, "//") || strings.HasPrefix(to.Path, `/\`) || to.IsAbs() {
				t.Errorf("%s: %s leads to %q", who, path, got.Header.Get("Location"))
			}
			if next := to.Query().Get("next"); next != "" && site.LocalPath(next) != next {
				t.Errorf("%s: %s leads on to %q", who, path, next)
			}
		}
	}
}

// cookies are what a browser would send.
func cookies(b *webtest.Browser) string {
	u, err := url.Parse(b.W.HTTP.URL)
	b.W.Must(err)
	var all []string
	for _, c := range b.Client.Jar.Cookies(u) {
		all = append(all, c.Name+"="+c.Value)
	}
	return strings.Join(all, "; ")
}

// raw sends bytes as they are to a server with the limits of the real one, and returns the
// first answer; status 0 means none.
func raw(t *testing.T, w *webtest.World, request string) webtest.Response {
	t.Helper()
	conn := dialled(t, w)
	_, _ = io.WriteString(conn, request) // the server may hang up early
	got, _ := nextAnswer(bufio.NewReader(conn))
	return got
}

// nextAnswer reads one answer off a connection.
func nextAnswer(from *bufio.Reader) (webtest.Response, bool) {
	got, err := http.ReadResponse(from, nil)
	if err != nil {
		return webtest.Response{}, false
	}
	defer got.Body.Close()
	body, _ := io.ReadAll(got.Body)
	return webtest.Response{Status: got.StatusCode, Header: got.Header, Body: string(body)}, true
}

// dialled is a connection to a server with the limits of the real one.
func dialled(t *testing.T, w *webtest.World) net.Conn {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	w.Must(err)
	server := w.Server.HTTPServer(l.Addr().String())
	go func() { _ = server.Serve(l) }()
	t.Cleanup(func() { _ = server.Close() })
	conn, err := net.Dial("tcp", l.Addr().String())
	w.Must(err)
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

func TestOddMethodsGetNothingBack(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.SignedIn()
	for _, method := range []string{"TRACE", "TRACK", "DEBUG", "CONNECT", "PROPFIND", "MOVE", "PURGE", "get", "OPTIONS", "X"} {
		for _, path := range []string{"/livez", "/stores/acme", "/static/app.css", "/nowhere", "/api/v1/stores", "*"} {
			got := raw(t, w, method+" "+path+" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX-Canary: tweet\r\nCookie: "+cookies(b)+"\r\n\r\n")
			if got.Status < 300 && got.Status > 0 && method != "OPTIONS" || strings.Contains(got.Body, "tweet") || got.Header.Get("X-Canary") != "" {
				t.Errorf("%s %s: %d %.200s", method, path, got.Status, got.Body)
			}
			if got.Status > 0 && got.Status != 400 && got.Header.Get("Content-Security-Policy") != site.Policy {
				t.Errorf("%s %s: %d without our headers", method, path, got.Status)
			}
		}
	}
}

// TestRequestsThatTwoServersWouldReadDifferentlyAreRefused sends requests that smuggle a second
// one past a proxy.
func TestRequestsThatTwoServersWouldReadDifferentlyAreRefused(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	const post = "POST /sign-in HTTP/1.1\r\nHost: localhost\r\n"
	const second = "GET /livez HTTP/1.1\r\nHost: localhost\r\nX: "
	for name, request := range map[string]string{
		"two lengths":                  post + "Content-Length: 3\r\nContent-Length: 40\r\n\r\nx=1" + second,
		"a list of lengths":            post + "Content-Length: 3, 40\r\n\r\nx=1" + second,
		"a signed length":              post + "Content-Length: +3\r\n\r\nx=1" + second,
		"a hexadecimal length":         post + "Content-Length: 0x3\r\n\r\nx=1" + second,
		"a negative length":            post + "Content-Length: -1\r\n\r\nx=1" + second,
		"a length with a blank inside": post + "Content-Length: 1 3\r\n\r\nx=1" + second,
		"a blank before the colon":     post + "Content-Length : 3\r\n\r\nx=1" + second,
		"chunked with a blank":         post + "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n" + second,
		"chunked by another name":      post + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n" + second,
		"chunked and more":             post + "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n" + second,
		"chunked twice":                post + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + second,
		"chunked behind a tab":         post + "Transfer-Encoding:\x0bchunked\r\n\r\n0\r\n\r\n" + second,
		"a chunk's size with a sign":   post + "Transfer-Encoding: chunked\r\n\r\n+3\r\nx=1\r\n0\r\n\r\n" + second,
		"a chunk's size in 0x":         post + "Transfer-Encoding: chunked\r\n\r\n0x3\r\nx=1\r\n0\r\n\r\n" + second,
		"a chunk that is too long":     post + "Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\nx=1\r\n0\r\n\r\n" + second,
		"no host":                      "GET /livez HTTP/1.1\r\n\r\n",
		"two hosts":                    "GET /livez HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n",
		"a host with a path":           "GET /livez HTTP/1.1\r\nHost: localhost/evil\r\n\r\n",
		"a name with a blank":          "GET /livez HTTP/1.1\r\nHost: localhost\r\nX Y: z\r\n\r\n",
		"a line end within a value":    "GET /livez HTTP/1.1\r\nHost: localhost\r\nX: a\rb\r\n\r\n",
		"a NUL":                        "GET /livez HTTP/1.1\r\nHost: localhost\r\nX: a\x00b\r\n\r\n",
		"a version that is none":       "GET /livez HTTP/9.9\r\nHost: localhost\r\n\r\n",
		"no version":                   "GET /livez\r\n\r\n",
		"a blank in the path":          "GET /livez /x HTTP/1.1\r\nHost: localhost\r\n\r\n",
		"headers without end":          "GET /livez HTTP/1.1\r\nHost: localhost\r\nX: " + strings.Repeat("x", 80<<10) + "\r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			conn := dialled(t, w)
			_, _ = io.WriteString(conn, request) // the server may hang up early
			if c, ok := conn.(*net.TCPConn); ok {
				_ = c.CloseWrite()
			}
			reader := bufio.NewReader(conn)
			for {
				got, ok := nextAnswer(reader)
				if !ok {
					return
				}
				if got.Status < 400 || got.Body == "ok\n" {
					t.Errorf("%d %.200s", got.Status, got.Body)
				}
			}
		})
	}
	t.Run("a length beside chunks counts for nothing", func(t *testing.T) {
		conn := dialled(t, w)
		_, err := io.WriteString(conn, "POST /sign-in HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n")
		w.Must(err)
		reader := bufio.NewReader(conn)
		if first, ok := nextAnswer(reader); !ok || first.Status < 400 {
			t.Errorf("the first: %d", first.Status)
		}
		if next, ok := nextAnswer(reader); ok && next.Status != 200 {
			t.Errorf("what follows the last chunk is another request, or the end: %d", next.Status)
		}
	})
}

func TestBodiesOfEveryFormAreBounded(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.SignedIn()
	csrf := w.CSRF()
	body := "csrf=" + csrf + strings.Repeat("&x=1", site.MaxForm/4) // no value is long
	parts := strings.Repeat("--b\r\nContent-Disposition: form-data; name=\"x\"\r\n\r\n"+strings.Repeat("1", 1000)+"\r\n", site.MaxForm/1000) + "--b--\r\n"
	for name, head := range map[string]string{
		"with its length": fmt.Sprintf("Content-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\n\r\n%s", len(body), body),
		"in chunks":       fmt.Sprintf("Content-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n", len(body), body),
		"in parts":        fmt.Sprintf("Content-Type: multipart/form-data; boundary=b\r\nX-CSRF-Token: %s\r\nContent-Length: %d\r\n\r\n%s", csrf, len(parts), parts),
	} {
		got := raw(t, w, "POST /stores/acme/refresh HTTP/1.1\r\nHost: localhost\r\nCookie: "+cookies(b)+"\r\n"+head)
		if got.Status != http.StatusRequestEntityTooLarge {
			t.Errorf("%s: %d", name, got.Status)
		}
	}
}

func TestASlowPrincipalIsNotWaitedForWithoutEnd(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	server := w.Server.HTTPServer("")
	if server.ReadHeaderTimeout <= 0 || server.ReadTimeout <= 0 || server.WriteTimeout <= 0 || server.IdleTimeout <= 0 || server.MaxHeaderBytes <= 0 || server.MaxHeaderBytes > 1<<20 {
		t.Errorf("a limit is missing: %+v", server)
	}
}

func TestSigningOutHasTheBrowserDropWhatItKept(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	r := w.SignedIn().Post("/sign-out", url.Values{"csrf": {w.CSRF()}})
	if got := r.Header.Get("Clear-Site-Data"); got != `"cache", "storage"` {
		t.Errorf("%q", got)
	}
}

func TestTheContactForVulnerabilitiesIsPublishedWhereOneIsSet(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	r := w.Browser().Get("/.well-known/security.txt")
	want := "Contact: mailto:security@example.com\nExpires: 2027-05-19T00:00:00Z\nPreferred-Languages: en\nCanonical: http://localhost:8080/.well-known/security.txt\n"
	if r.Status != 200 || r.Body != want || r.Header.Get("Content-Type") != "text/plain; charset=UTF-8" {
		t.Errorf("%d %q %q", r.Status, r.Header.Get("Content-Type"), r.Body)
	}
	w.Server.Contact = ""
	if r := w.Browser().Get("/.well-known/security.txt"); r.Status != 404 {
		t.Errorf("%d without a contact", r.Status)
	}
}

func TestTheGalleryIsNoPartOfAServer(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	w.Server.WithGallery = false
	for _, r := range w.Server.Routes() {
		if strings.HasPrefix(r.Path, "/gallery") {
			t.Errorf("%s is served", r.Path)
		}
	}
}

func TestAForwardedAddressIsBelievedFromTrustedProxiesOnly(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		trusted []netip.Prefix
		header  http.Header
		want    string
	}{
		"nobody is trusted":         {nil, http.Header{"X-Forwarded-For": {"203.0.113.9"}}, "127.0.0.1"},
		"others are trusted":        {[]netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}, http.Header{"X-Forwarded-For": {"203.0.113.9"}}, "127.0.0.1"},
		"the proxy is trusted":      {[]netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, http.Header{"X-Forwarded-For": {"203.0.113.9"}}, "203.0.113.9"},
		"what a client wrote ahead": {[]netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, http.Header{"X-Forwarded-For": {"198.51.100.1, 203.0.113.9"}}, "203.0.113.9"},
		"in a second line":          {[]netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, http.Header{"X-Forwarded-For": {"198.51.100.1", "203.0.113.9"}}, "203.0.113.9"},
		"a proxy behind a proxy":    {[]netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("10.0.0.0/8")}, http.Header{"X-Forwarded-For": {"203.0.113.9, 10.1.2.3"}}, "203.0.113.9"},
		"private, not trusted":      {[]netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, http.Header{"X-Forwarded-For": {"203.0.113.9, 192.168.0.1"}}, "192.168.0.1"},
		"another header":            {[]netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, http.Header{"X-Real-Ip": {"203.0.113.9"}, "Forwarded": {"for=203.0.113.9"}, "True-Client-Ip": {"203.0.113.9"}}, "127.0.0.1"},
		"no address":                {[]netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, http.Header{"X-Forwarded-For": {"<script>, unknown"}}, "127.0.0.1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := webtest.NewWorld(t)
			w.Server.Echo.IPExtractor = web.IPExtractor(c.trusted)
			w.Browser().Do("GET", "/livez", nil, c.header)
			if log := w.Log.String(); !strings.Contains(log, "client="+c.want+"\n") && !strings.Contains(log, "client="+c.want+" ") {
				t.Errorf("want %s: %s", c.want, log)
			}
		})
	}
}

var (
	inputs       = regexp.MustCompile(`<input\b[^>]*>`)
	secretInput  = regexp.MustCompile(`name="[^"]*(password|again|current)[^"]*"`)
	long         = regexp.MustCompile(`maxlength="[5-9][0-9]{2}"`) // more than any password may have
	autocomplete = regexp.MustCompile(`autocomplete="(current-password|new-password)"`)
)

func TestPasswordFieldsHideWhatIsTypedAndTakeWhatAManagerPastes(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	found := 0
	for who, b := range map[string]*webtest.Browser{"nobody": w.Browser(), "person": w.SignedIn()} {
		for _, r := range w.Server.Routes() {
			if r.Method != "GET" || isFile.MatchString(r.Path) || r.Admits == site.AdmitToken || r.Path == "/static/*" || r.Path == "/gallery/:name" {
				continue
			}
			for _, input := range inputs.FindAllString(b.Get(webtest.Address(r, webtest.Own)).Body, -1) {
				if !secretInput.MatchString(input) || strings.Contains(input, `type="checkbox"`) {
					continue
				}
				found++
				if !strings.Contains(input, `type="password"`) || !autocomplete.MatchString(input) || strings.Contains(input, " value=") || strings.Contains(input, "readonly") || !long.MatchString(input) {
					t.Errorf("%s: %s: %s", who, r.Path, input)
				}
			}
		}
	}
	if found < 2 {
		t.Fatalf("only %d fields for passwords", found)
	}
}

func TestScriptsKeepNothingInTheBrowserButTheAppearance(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("static/js/*.js")
	if err != nil || len(files) < 5 {
		t.Fatal(files, err)
	}
	kept := regexp.MustCompile(`(localStorage|sessionStorage|indexedDB|document\.cookie|caches)\b[^;\n]*`)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, use := range kept.FindAllString(string(text), -1) {
			if !strings.HasPrefix(use, "localStorage.") || !strings.Contains(use, `Item("theme"`) {
				t.Errorf("%s: %s", file, use)
			}
		}
	}
}
