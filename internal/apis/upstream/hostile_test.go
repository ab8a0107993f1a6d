package upstream_test

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/apis/upstream/upstreamtest"
	"github.com/storeglass/storeglass/internal/apis/upstream/upstreamtest/must"
)

// errStopped keeps a test from reaching a public address.
var errStopped = errors.New("stopped before it was connected to")

// attempts makes transports that connect to nothing and record the addresses they would have
// used.
type attempts struct {
	mu sync.Mutex
	to []string
}

func (a *attempts) note(address string) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	host, _, _ := net.SplitHostPort(address)
	a.to = append(a.to, host)
	return errStopped
}

// public are the addresses among a name's answers that may be connected to.
var public = []string{"93.184.216.34", "2606:4700:4700::1111"}

func TestNoHostileAddressIsConnectedTo(t *testing.T) {
	t.Parallel()
	decoy := upstreamtest.NewDecoy(t)
	// However an address is misread, its name resolves to the decoy.
	names := (&upstreamtest.Names{Else: upstreamtest.Records{"127.0.0.1", "::1"}}).Start(t)
	tried := 0
	for _, raw := range upstreamtest.HostileAddresses() {
		tried++
		raw = decoy.At(raw)
		base, err := upstream.CheckBase(raw, upstream.AllowList{})
		if err == nil {
			t.Errorf("%q was taken for %s", raw, base)
		} else if strings.ContainsAny(err.Error(), "\r\n\x00\t") {
			t.Errorf("%q: the refusal repeats control characters: %q", raw, err)
		}
		// The second check by itself: an address that got into the database another way.
		base, err = url.Parse(raw)
		if err != nil {
			continue
		}
		seen := call(t, base, names.Resolver())
		if slices.ContainsFunc(seen, func(to string) bool { return to != "1.1.1.1" && !slices.Contains(public, to) }) {
			t.Errorf("%q would be connected to at %q", raw, seen)
		}
	}
	if decoy.Came() != 0 {
		t.Errorf("%d connections came", decoy.Came())
	}
	if tried < 60 {
		t.Fatalf("only %d addresses", tried)
	}
	t.Logf("%d addresses, 0 connections", tried)
}

func TestANameIsConnectedToOnlyWhereItIsPublic(t *testing.T) {
	t.Parallel()
	for raw, answers := range upstreamtest.HostileNames() {
		t.Run(raw, func(t *testing.T) {
			t.Parallel()
			base, err := upstream.CheckBase(raw, upstream.AllowList{})
			must.NoError(t, err, "the name alone looks public")
			names := &upstreamtest.Names{Zone: maps.Clone(upstreamtest.HostileZone)}
			may := []string{}
			if answers != nil {
				names.Zone[base.Hostname()] = answers
				for _, answer := range answers {
					for _, r := range answer {
						if slices.Contains(public, r) {
							may = append(may, r)
						}
					}
				}
			}
			names.Start(t)
			for range 3 { // the names whose answers change do so from one question to the next
				for _, to := range call(t, base, names.Resolver()) {
					if !slices.Contains(may, to) {
						t.Errorf("would be connected to at %s; public are %q", to, may)
					}
				}
			}
		})
	}
}

// call makes a call, including retries, without connecting, and returns the addresses it would
// have used.
func call(t *testing.T, base *url.URL, resolver *net.Resolver) []string {
	t.Helper()
	seen := &attempts{}
	options := upstreamtest.Options(t)
	options.Allow, options.Resolver = upstream.AllowList{}, resolver
	transport := upstream.NewWatchedTransport(options, seen.note)
	defer transport.Close()
	gate := &upstreamtest.Gate{}
	_, err := upstream.Get[row](t.Context(), client(transport, base, gate), "pull x", "/x", nil)
	if err == nil {
		t.Errorf("%s answered", base)
	}
	return seen.to
}

func TestAnAllowedNetworkOpensNoOther(t *testing.T) {
	t.Parallel()
	decoy := upstreamtest.NewDecoy(t)
	list := allow(t, "10.0.0.0/8, sandbox.internal, 192.168.7.0/24")
	cases := map[string]struct{ raw, leads string }{
		"an address beside it":          {"https://11.0.0.1.example:PORT", "127.0.0.1"},
		"loopback beside it":            {"http://127.0.0.1:PORT", "127.0.0.1"},
		"a name that ends in the host":  {"https://evil-sandbox.internal", "127.0.0.1"},
		"a name below the host":         {"https://x.sandbox.internal", "127.0.0.1"},
		"a name that begins with it":    {"https://sandbox.internal.evil.example", "127.0.0.1"},
		"the host as a path":            {"https://evil.example/sandbox.internal", "127.0.0.1"},
		"the host as a user":            {"https://sandbox.internal@127.0.0.1:PORT", "127.0.0.1"},
		"the network as a name":         {"https://10.0.0.1.evil.example", "127.0.0.1"},
		"the network in hexadecimal":    {"http://0x0a000001:PORT", "127.0.0.1"},
		"the network in another prefix": {"https://[64:ff9b::a00:1]:PORT", "127.0.0.1"},
		"the next network":              {"http://192.168.8.1:PORT", "127.0.0.1"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			raw := decoy.At(c.raw)
			base, err := upstream.CheckBase(raw, list)
			if err != nil {
				if base, err = url.Parse(raw); err != nil {
					return
				}
			}
			base.User = nil
			seen := &attempts{}
			options := upstreamtest.Options(t)
			options.Allow, options.Resolver = list, (&upstreamtest.Names{Else: upstreamtest.Records{c.leads}}).Start(t).Resolver()
			transport := upstream.NewWatchedTransport(options, seen.note)
			defer transport.Close()
			_, err = upstream.Get[row](t.Context(), client(transport, base, &upstreamtest.Gate{}), "pull x", "/x", nil)
			if err == nil || len(seen.to) > 0 {
				t.Errorf("%s: %v, would be connected to at %q", raw, err, seen.to)
			}
		})
	}
	if decoy.Came() != 0 {
		t.Errorf("%d connections came", decoy.Came())
	}
}

func TestNoRedirectIsFollowed(t *testing.T) {
	t.Parallel()
	decoy := upstreamtest.NewDecoy(t)
	targets := []string{
		"http://127.0.0.1:PORT/x", "https://127.0.0.1:PORT/x", "//127.0.0.1:PORT/x", "http://[::1]:PORT/", "http://localhost:PORT", "http://169.254.169.254/latest/meta-data/",
		"/elsewhere", "https://shop.example/x", "file:///etc/passwd", "gopher://127.0.0.1:PORT/_x", "http://0x7f.1:PORT", `\\127.0.0.1:PORT`, "http://user:pass@127.0.0.1:PORT", "\x01", "",
	}
	headers := map[string]string{
		"Location": "", "Refresh": "0; url=", "Content-Location": "", "Alt-Svc": `h2="127.0.0.1:PORT"; ma=86400, h3=":PORT"; `, "Link": "<>; rel=preload; ",
	}
	for _, status := range []int{200, 201, 300, 301, 302, 303, 304, 305, 306, 307, 308, 399, 401, 407, 421, 503} {
		for name, before := range headers {
			var replies []upstreamtest.Reply
			for _, target := range targets {
				replies = append(replies, upstreamtest.Reply{
					Status: status, Header: map[string]string{name: decoy.At(before + target), "Retry-After": "1"}, Body: `{"success":false,"message":"moved"}`,
				})
			}
			service := upstreamtest.Serve(t, replies...)
			watch := &upstreamtest.Watch{}
			transport := upstreamtest.Transport(t)
			for range targets {
				_, err := upstream.Get[row](watch.Context(t.Context()), client(transport, service.Base(t), &upstreamtest.Gate{}), "pull x", "/x", nil)
				must.True(t, err != nil, status, name)
			}
			for _, to := range watch.Connected() {
				must.Equal(t, service.Listener.Addr().String(), to, status, name)
			}
			for _, r := range service.Requests() {
				must.Equal(t, "/x", r.RequestURI, status, name)
				must.Equal(t, service.Listener.Addr().String(), r.Host, status, name)
			}
		}
	}
	must.Equal(t, 0, decoy.Came())
}

func TestProxiesOfTheEnvironmentAreIgnored(t *testing.T) {
	const child = "STOREGLASS_TEST_PROXY"
	if os.Getenv(child) == "" { // the standard library reads them only once per process
		t.Parallel()
		decoy := upstreamtest.NewDecoy(t)
		self := exec.Command(os.Args[0], "-test.run=^TestProxiesOfTheEnvironmentAreIgnored$", "-test.count=1")
		self.Env = append(os.Environ(), child+"=yes")
		for _, name := range []string{"HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"} {
			self.Env = append(self.Env, name+"="+decoy.At("http://127.0.0.1:PORT"))
		}
		out, err := self.CombinedOutput()
		must.NoError(t, err, string(out))
		must.Equal(t, 0, decoy.Came())
		return
	}
	service := upstreamtest.Serve(t, upstreamtest.OK(`{"n":1}`))
	request := httptest.NewRequest(http.MethodGet, "http://shop.example/", nil)
	proxy, err := http.ProxyFromEnvironment(request)
	must.NoError(t, err)
	must.True(t, proxy != nil, "the environment names a proxy")
	options := upstreamtest.Options(t)
	options.Allow = allow(t, "shop.example")
	options.Resolver = (&upstreamtest.Names{Else: upstreamtest.Records{"127.0.0.1"}}).Start(t).Resolver()
	base := &url.URL{Scheme: "http", Host: "shop.example:" + service.Base(t).Port()}
	_, err = upstream.Get[row](t.Context(), client(upstream.NewTransport(options), base, &upstreamtest.Gate{}), "pull x", "/x", nil)
	must.NoError(t, err)
	must.Equal(t, 1, len(service.Requests()))
}

func TestAServiceMustProveItsNameByACertificate(t *testing.T) {
	t.Parallel()
	service := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte(`{"success":true,"data":{"n":1}}`))
	}))
	service.Config.ErrorLog = log.New(io.Discard, "", 0)
	service.StartTLS()
	t.Cleanup(service.Close)
	old := httptest.NewUnstartedServer(service.Config.Handler)
	old.Config.ErrorLog = log.New(io.Discard, "", 0)
	old.TLS = &tls.Config{MaxVersion: tls.VersionTLS11, MinVersion: tls.VersionTLS10}
	old.StartTLS()
	t.Cleanup(old.Close)
	known := x509.NewCertPool()
	known.AddCert(service.Certificate())
	at := func(host string, server *httptest.Server) string {
		_, port, _ := net.SplitHostPort(server.Listener.Addr().String())
		return "https://" + host + ":" + port
	}
	for name, c := range map[string]struct {
		address string
		roots   *x509.CertPool
		says    string
	}{
		"its own name":             {at("example.com", service), known, ""}, // for which the test's certificate is made
		"another name":             {at("shop.test", service), known, "certificate"},
		"nobody vouches for it":    {at("example.com", service), x509.NewCertPool(), "certificate"},
		"the machine's own roots":  {at("example.com", service), nil, "certificate"},
		"an old version of TLS":    {at("example.com", old), known, "version"},
		"no TLS behind an https":   {"https://" + upstreamtest.Serve(t, good).Listener.Addr().String(), known, "TLS handshake"},
		"http at a port for https": {strings.Replace(at("example.com", service), "https:", "http:", 1), known, "400"},
	} {
		options := upstreamtest.Options(t)
		options.Allow, options.RootCAs = allow(t, "example.com, shop.test, 127.0.0.1"), c.roots
		options.Resolver = (&upstreamtest.Names{Else: upstreamtest.Records{"127.0.0.1"}}).Start(t).Resolver()
		base, err := upstream.CheckBase(c.address, options.Allow)
		must.NoError(t, err)
		transport := upstream.NewTransport(options)
		_, err = upstream.Get[row](t.Context(), client(transport, base, &upstreamtest.Gate{}), "pull x", "/x", nil)
		transport.Close()
		if c.says == "" {
			must.NoError(t, err, name)
		} else {
			must.ErrorContains(t, err, c.says)
		}
	}
}
