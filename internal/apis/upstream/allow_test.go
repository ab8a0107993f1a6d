package upstream_test

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/apis/upstream/upstreamtest"
	"github.com/storeglass/storeglass/internal/apis/upstream/upstreamtest/must"
)

func allow(t testing.TB, text string) upstream.AllowList {
	t.Helper()
	list, err := upstream.ParseAllow(text)
	must.NoError(t, err)
	return list
}

func TestEveryWrongEntryOfTheAllowListIsReported(t *testing.T) {
	t.Parallel()
	_, err := upstream.ParseAllow("127.0.0.1, https://a.example, 10.0.0.0/40 b.example:0, *.c.example,300.1.1.1, c.example:, d.example:080, e.example:65536, [::1]8080, [::1]x80, [::1, f.example:80:80, g.example:*")
	must.ErrorContains(t, err, `"https://a.example"`, `"10.0.0.0/40"`, `"b.example:0"`, `"*.c.example"`, `"300.1.1.1"`, `"c.example:"`, `"d.example:080"`, `"e.example:65536"`, `"[::1]8080"`, `"[::1]x80"`, `"[::1"`, `"f.example:80:80"`, `"g.example:*"`,
		"without scheme or path")
	must.NotContains(t, err.Error(), `"127.0.0.1"`)
	for _, good := range []string{"", " , ", "a.example\tb.example\nc.example", "127.0.0.1", "[::1]", "10.0.0.0/8,fd00::/8", "Sandbox.Internal.", "localhost", "my_host", "::1", "b.example:80", "[::1]:8081", "[fd00::/8]:8080", "10.0.0.0/8:8080"} {
		_, err := upstream.ParseAllow(good)
		must.NoError(t, err, good)
	}
}

func TestBaseAddressThatNoTokenShouldBeSentToIsRefused(t *testing.T) {
	t.Parallel()
	cases := map[string]struct{ raw, allow, says string }{
		"empty":                  {"", "", "is no address"},
		"path only":              {"/api/v1", "", `"/api/v1" is no address`},
		"no scheme":              {"shop.example/api", "", "is no address"},
		"ftp":                    {"ftp://shop.example", "", "use https"},
		"script":                 {"javascript:alert(1)", "", "is no address"},
		"file":                   {"file:///etc/passwd", "", "is no address"},
		"user":                   {"https://me:pass@shop.example", "", "take them out"},
		"query":                  {"https://shop.example/?token=1", "", "up to the question mark"},
		"bare query":             {"https://shop.example/?", "", "up to the question mark"},
		"fragment":               {"https://shop.example/#x", "", "up to the #"},
		"bare fragment":          {"https://shop.example/#", "", "up to the #"},
		"plain http":             {"http://shop.example", "", "allow it with DASHBOARD_UPSTREAM_ALLOW=shop.example"},
		"http, other allowed":    {"http://shop.example", "other.example", "is not https"},
		"http to localhost":      {"http://localhost:8080", "10.0.0.0/8", "is not https"},
		"http, loopback allowed": {"http://shop.example:8080", "127.0.0.1 ::1", "is not https"},
		"loopback":               {"http://127.0.0.1:8080/api", "", "upstream address 127.0.0.1 is not public: allow it with DASHBOARD_UPSTREAM_ALLOW=127.0.0.1:8080"},
		"loopback by https":      {"https://127.0.0.1", "10.0.0.0/8", "127.0.0.1 is not public"},
		"metadata":               {"https://169.254.169.254/latest", "", "is not public"},
		"IPv6 loopback":          {"https://[::1]:8443", "", "DASHBOARD_UPSTREAM_ALLOW=[::1]:8443"},
		"mapped":                 {"https://[::ffff:10.0.0.1]", "", "is not public"},
		"public address, http":   {"http://1.1.1.1", "", "is not https"},
		"spaces in host":         {"https://shop example", "", "is no address"},
		"unparsable with user":   {"https://me:secret@[shop", "", `"[shop" is no address`},
		"port only":              {"https://:443", "", "has no host"},
		"control characters":     {"https://shop.example/\x1b[31m", "", "is no address"},
		"another scheme's case":  {"gopher://shop.example", "", "use https"},
		"short loopback":         {"https://127.1", "", "has no proper host"},
		"hexadecimal":            {"https://0x7f000001", "", "has no proper host"},
		"wide digits":            {"https://１２７.０.０.１", "", "has no proper host"},
		"port of another kind":   {"https://shop.example:5432", "", "use 443 or 8443, or allow it with DASHBOARD_UPSTREAM_ALLOW=shop.example:5432"},
		"port in another form":   {"https://shop.example:0443", "", "use 443 or 8443"},
		"another port of a name": {"http://sandbox.internal:81", "sandbox.internal", "allow it with DASHBOARD_UPSTREAM_ALLOW=sandbox.internal:81"},
		"another than the named": {"http://sandbox.internal:82", "sandbox.internal:81", "allow it with DASHBOARD_UPSTREAM_ALLOW=sandbox.internal:82"},
		"only its named port":    {"http://sandbox.internal", "sandbox.internal:81", "allow it with DASHBOARD_UPSTREAM_ALLOW=sandbox.internal"},
		"database in a network":  {"http://10.1.2.3:5432", "10.0.0.0/8", "allow it with DASHBOARD_UPSTREAM_ALLOW=10.1.2.3:5432"},
		"another in a network":   {"http://10.1.2.3:5432", "10.0.0.0/8:8080", "allow it with DASHBOARD_UPSTREAM_ALLOW=10.1.2.3:5432"},
		"another of localhost":   {"http://localhost:5432", "127.0.0.1:8081", "is not https"},
		"docker by address":      {"http://127.0.0.1:2375", "127.0.0.1", "allow it with DASHBOARD_UPSTREAM_ALLOW=127.0.0.1:2375"},
		"mail server":            {"http://127.0.0.1:25", "127.0.0.1", "allow it with DASHBOARD_UPSTREAM_ALLOW=127.0.0.1:25"},
		"unprivileged at most":   {"http://127.0.0.1:1023", "127.0.0.1", "DASHBOARD_UPSTREAM_ALLOW=127.0.0.1:1023"},
		"unusual https":          {"https://shop.example:9443", "", "use 443 or 8443, or allow it with DASHBOARD_UPSTREAM_ALLOW=shop.example:9443"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := upstream.CheckBase(c.raw, allow(t, c.allow))
			must.ErrorContains(t, err, c.says)
			if strings.Contains(c.says, upstream.AllowSetting) { // what to write comes last, in full
				must.True(t, strings.HasSuffix(err.Error(), c.says), err.Error())
			}
			for _, never := range []string{"pass@", "secret", "\x1b"} {
				must.NotContains(t, err.Error(), never)
			}
		})
	}
}

func TestBaseAddressThatIsPublicOrAllowedIsTaken(t *testing.T) {
	t.Parallel()
	cases := map[string]struct{ raw, allow, want string }{
		"public":                {"https://shop.example/api/v1", "", "https://shop.example/api/v1"},
		"trailing slash":        {" https://shop.example/api/v1/ ", "", "https://shop.example/api/v1"},
		"no path":               {"https://shop.example:8443/", "", "https://shop.example:8443"},
		"escaped path":          {"https://shop.example/a%2Fb/", "", "https://shop.example/a%2Fb"},
		"upper-case scheme":     {"HTTPS://Shop.Example", "", "https://Shop.Example"},
		"http by name":          {"http://Sandbox.Internal:81/x", "sandbox.internal:81", "http://Sandbox.Internal:81/x"},
		"http by network":       {"http://10.1.2.3", "10.0.0.0/8", "http://10.1.2.3"},
		"http by address":       {"http://[::1]:80", "::1", "http://[::1]:80"},
		"http's own port":       {"http://10.1.2.3", "10.0.0.0/8:80", "http://10.1.2.3"},
		"https's own port":      {"https://10.1.2.3", "10.0.0.0/8:443", "https://10.1.2.3"},
		"first unprivileged":    {"http://10.1.2.3:1024", "10.1.2.3", "http://10.1.2.3:1024"},
		"localhost by address":  {"http://localhost:80", "127.0.0.1", "http://localhost:80"},
		"localhost by IPv6":     {"http://localhost:80", "::1", "http://localhost:80"},
		"plain by mapped":       {"https://127.0.0.1", "::ffff:127.0.0.1", "https://127.0.0.1"},
		"digits and a zone":     {"https://shop9.example", "fe80::1%eth0", "https://shop9.example"},
		"mapped by plain":       {"https://[::ffff:127.0.0.1]", "127.0.0.1", "https://[::ffff:127.0.0.1]"},
		"public address, https": {"https://1.1.1.1", "", "https://1.1.1.1"},
		"allowed with its port": {"https://shop.example:9443", "shop.example:9443", "https://shop.example:9443"},
		"listed, port of https": {"https://shop.example:8443", "shop.example:9443", "https://shop.example:8443"},
		"port in a network":     {"http://10.1.2.3:8080", "10.0.0.0/8:8080", "http://10.1.2.3:8080"},
		"IPv6 with its port":    {"http://[::1]:8081", "[::1]:8081", "http://[::1]:8081"},
		"IPv6 network and port": {"http://[fd00::1]:8081", "[fd00::/8]:8081", "http://[fd00::1]:8081"},
		"port of a web server":  {"http://127.0.0.1:38081", "127.0.0.1", "http://127.0.0.1:38081"},
		"web port of a name":    {"http://sandbox:8081", "sandbox", "http://sandbox:8081"},
		"registered letters":    {"https://xn--bcher-kva.example", "", "https://xn--bcher-kva.example"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			base, err := upstream.CheckBase(c.raw, allow(t, c.allow))
			must.NoError(t, err)
			must.Equal(t, c.want, base.String())
		})
	}
}

func TestNameThatResolvesToAPrivateAddressIsRefusedAtTheConnection(t *testing.T) {
	t.Parallel()
	service := upstreamtest.Serve(t, upstreamtest.OK(`{"n":1}`))
	port := service.Base(t).Port()
	options := upstreamtest.Options(t)
	options.Resolver = (&upstreamtest.Names{Else: upstreamtest.Records{"127.0.0.1"}}).Start(t).Resolver()

	call := func(host string, list upstream.AllowList) (error, *upstreamtest.Gate) {
		options.Allow = list
		gate := &upstreamtest.Gate{}
		base := &url.URL{Scheme: "http", Host: host + ":" + port}
		_, err := upstream.Get[row](t.Context(), client(upstream.NewTransport(options), base, gate), "pull x", "/x", nil)
		return err, gate
	}

	_, err := upstream.CheckBase("https://rebind.example", upstream.AllowList{})
	must.NoError(t, err, "the name alone looks public")

	err, gate := call("rebind.example", upstream.AllowList{})
	must.ErrorContains(t, err, "pull x: upstream address rebind.example (127.0.0.1) is not public: allow it with DASHBOARD_UPSTREAM_ALLOW=rebind.example:"+port)
	failure, _ := errors.AsType[*upstream.Failure](err)
	must.Equal(t, upstream.OurFault, failure.Kind)
	must.Equal(t, 1, failure.Attempts, "never retried")
	must.Equal(t, 0, len(service.Requests()))
	gate.Check(t, 1)

	for _, list := range []string{"rebind.example:1", "127.0.0.1:1"} {
		err, gate := call("rebind.example", allow(t, list))
		must.ErrorContains(t, err, "=rebind.example:"+port)
		gate.Check(t, 1)
	}
	for _, list := range []string{"rebind.example:" + port, "127.0.0.0/8:" + port, "rebind.example", "127.0.0.0/8"} {
		for _, host := range []string{"rebind.example", "Rebind.Example."} {
			err, gate := call(host, allow(t, list))
			must.NoError(t, err, host+" by "+list)
			gate.Check(t, 1)
		}
	}
}

func TestNotPublicNamesTheSettingThatHelps(t *testing.T) {
	t.Parallel()
	base := &url.URL{Scheme: "http", Host: "127.0.0.1:1"}
	gate := &upstreamtest.Gate{}
	_, err := upstream.Get[row](t.Context(), client(upstream.NewTransport(upstream.Options{}), base, gate), "pull x", "/x", nil)
	must.Equal(t, "pull x: upstream address 127.0.0.1 is not public: allow it with DASHBOARD_UPSTREAM_ALLOW=127.0.0.1:1", fmt.Sprint(err))
	must.True(t, !strings.Contains(err.Error(), "attempts"))
	gate.Check(t, 1)
}

func TestATargetMayHoldAQueryAndKeepsItsSlash(t *testing.T) {
	t.Parallel()
	target, err := upstream.CheckTarget("https://hooks.example/in/?key=a%2Fb", upstream.AllowList{})
	if err != nil || target.String() != "https://hooks.example/in/?key=a%2Fb" {
		t.Errorf("%v, %v", target, err)
	}
	for _, raw := range []string{"http://hooks.example/", "https://user:x@hooks.example/", "https://127.0.0.1/", "https://hooks.example:5432/", "https://hooks.example/#x", "file:///etc/passwd", "https://0x7f.1/"} {
		if _, err := upstream.CheckTarget(raw, upstream.AllowList{}); err == nil {
			t.Errorf("%s is taken", raw)
		}
	}
}
