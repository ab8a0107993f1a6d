package web_test

import (
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/storeglass/storeglass/web"
	"github.com/storeglass/storeglass/web/webtest"
)

// tries posts n sign-ins over real HTTP, as many at once as there is room for, and
// counts their statuses.
func tries(w *webtest.World, n int, headers func(i int) http.Header, email func(i int) string) map[int]int {
	w.T.Helper()
	var statuses [600]atomic.Int64
	var next atomic.Int64
	var wg sync.WaitGroup
	transport := &http.Transport{MaxIdleConnsPerHost: 16}
	w.T.Cleanup(transport.CloseIdleConnections)
	for range 16 {
		wg.Go(func() {
			for i := int(next.Add(1)); i <= n; i = int(next.Add(1)) {
				body := url.Values{"email": {email(i)}, "password": {fmt.Sprintf("four other words %d", i)}}.Encode()
				r, err := http.NewRequestWithContext(w.T.Context(), "POST", w.HTTP.URL+"/sign-in", strings.NewReader(body))
				if err != nil {
					w.T.Error(err)
					return
				}
				r.Header = headers(i)
				r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
				resp, err := transport.RoundTrip(r)
				if err != nil {
					w.T.Error(err)
					return
				}
				resp.Body.Close()
				statuses[resp.StatusCode].Add(1)
			}
		})
	}
	wg.Wait()
	counts := map[int]int{}
	for status := range statuses {
		if c := int(statuses[status].Load()); c > 0 {
			counts[status] = c
		}
	}
	return counts
}

func forwarded(i int) http.Header {
	a := webtest.Rotating(i)
	return http.Header{
		"X-Forwarded-For": {a + ", " + webtest.Rotating(i+1)}, "Forwarded": {"for=" + a}, "X-Real-Ip": {a}, "True-Client-Ip": {a}, "Cf-Connecting-Ip": {a}, "X-Client-Ip": {a},
	}
}

// Ten thousand tries in four parts. The test's clock is stopped, so each limit lets exactly its burst through: 10
// for an account, 30 for an address, 100 for all together.
func TestTenThousandSignInTriesStayWithinTheLimits(t *testing.T) {
	t.Parallel()
	one := func(int) string { return "ada@example.com" }
	many := func(i int) string { return fmt.Sprintf("person%d@example.com", i) }
	for name, c := range map[string]struct {
		trusted bool // the forwarded address is trusted, so each try has its own
		email   func(int) string
		n       int
		most    int64
	}{
		"one account, forged addresses":   {false, one, 1_000, 10},
		"many accounts, forged addresses": {false, many, 7_000, 30},
		"one account, real addresses":     {true, one, 1_000, 10},
		"many accounts, real addresses":   {true, many, 1_000, 100},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := webtest.NewWorld(t)
			w.HasPassword()
			if c.trusted {
				w.Server.Echo.IPExtractor = web.IPExtractor([]netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")})
			}
			counts := tries(w, c.n, func(i int) http.Header {
				if c.trusted { // by the one proxy, of the person who came to it
					return http.Header{"X-Forwarded-For": {webtest.Rotating(i)}}
				}
				return forwarded(i)
			}, c.email)
			hashes := w.Server.Passwords.Count()
			t.Logf("%d tries: %d passwords hashed (at most %d), answers %v", c.n, hashes, c.most, counts)
			if hashes > c.most || hashes == 0 {
				t.Errorf("%d passwords hashed, want 1 to %d", hashes, c.most)
			}
			if counts[http.StatusUnprocessableEntity] != int(hashes) || counts[http.StatusTooManyRequests] != c.n-int(hashes) {
				t.Errorf("answers %v for %d hashes", counts, hashes)
			}
			var rows, records int
			w.Must(w.DB.Pool.QueryRow(t.Context(), `select (select count(*) from attempts), (select coalesce(sum(times), 0)::int from audit_counts where action = 'sign-in.failed')`).Scan(&rows, &records))
			if records != int(hashes) {
				t.Errorf("%d failed sign-ins are counted", records)
			}
			t.Logf("%d rows of attempts", rows)
			w.Clock.Add(2 * time.Minute)
			if r := w.Browser().SignIn("ada@example.com", webtest.GoodPassword); r.Status != http.StatusSeeOther {
				t.Errorf("the owner, two minutes later: %d", r.Status)
			}
		})
	}
}

func TestForwardedHeadersOfStrangersChangeNothing(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	client := func(trusted []netip.Prefix, peer string, header http.Header) string {
		e := w.Server.Echo
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr = peer
		r.Header = header
		e.IPExtractor = web.IPExtractor(trusted)
		return e.NewContext(r, httptest.NewRecorder()).RealIP()
	}
	proxies := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")}
	for name, c := range map[string]struct {
		trusted []netip.Prefix
		peer    string
		header  http.Header
		want    string
	}{
		"no proxy is trusted":        {nil, "203.0.113.7:1", forwarded(1), "203.0.113.7"},
		"loopback is not trusted":    {nil, "127.0.0.1:1", forwarded(1), "127.0.0.1"},
		"private is not trusted":     {nil, "10.1.2.3:1", forwarded(1), "10.1.2.3"},
		"a stranger beside a proxy":  {proxies, "203.0.113.7:1", forwarded(1), "203.0.113.7"},
		"loopback beside a proxy":    {proxies, "127.0.0.1:1", forwarded(1), "127.0.0.1"},
		"link-local beside a proxy":  {proxies, "169.254.1.1:1", forwarded(1), "169.254.1.1"},
		"the same over IPv6":         {proxies, "[fe80::1]:1", forwarded(1), "fe80::1"},
		"another private network":    {proxies, "192.168.1.1:1", forwarded(1), "192.168.1.1"},
		"the proxy":                  {proxies, "10.1.2.3:1", http.Header{"X-Forwarded-For": {"203.0.113.9"}}, "203.0.113.9"},
		"the proxy, over IPv6":       {proxies, "[fd00::1]:1", http.Header{"X-Forwarded-For": {"2001:db8::9"}}, "2001:db8::9"},
		"two proxies":                {proxies, "10.1.2.3:1", http.Header{"X-Forwarded-For": {"203.0.113.9, 10.9.9.9"}}, "203.0.113.9"},
		"what the client made up":    {proxies, "10.1.2.3:1", http.Header{"X-Forwarded-For": {"1.1.1.1, 203.0.113.9"}}, "203.0.113.9"},
		"other headers of the proxy": {proxies, "10.1.2.3:1", http.Header{"X-Real-Ip": {"1.1.1.1"}, "Forwarded": {"for=1.1.1.1"}}, "10.1.2.3"},
	} {
		if got := client(c.trusted, c.peer, c.header); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func TestAProxyThatHidesItsReadersIsWarnedOfOnce(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		trusted, peer, path, header, says string
	}{
		"a proxy on the same machine": {"", "127.0.0.1:1", "/sign-in", "203.0.113.9", "set DASHBOARD_TRUSTED_PROXIES"},
		"another one":                 {"10.0.0.0/8", "192.168.0.2:1", "/sign-in", "203.0.113.9", "set DASHBOARD_TRUSTED_PROXIES"},
		"the trusted one":             {"10.0.0.0/8", "10.0.0.2:1", "/sign-in", "203.0.113.9", ""},
		"one that doesn't forward":    {"10.0.0.0/8", "10.0.0.2:1", "/sign-in", "", "sends no X-Forwarded-For"},
		"its health check":            {"10.0.0.0/8", "10.0.0.2:1", "/readyz", "", ""},
		"no proxy":                    {"", "127.0.0.1:1", "/sign-in", "", ""},
		"a stranger who makes it up":  {"", "203.0.113.7:1", "/sign-in", "203.0.113.9", ""},
	} {
		w := webtest.NewWorld(t)
		if c.trusted != "" {
			w.Server.Trusted = []netip.Prefix{netip.MustParsePrefix(c.trusted)}
		}
		for range 3 {
			r := httptest.NewRequest("GET", c.path, nil)
			r.RemoteAddr = c.peer
			if c.header != "" {
				r.Header.Set("X-Forwarded-For", c.header)
			}
			w.Server.Handler().ServeHTTP(httptest.NewRecorder(), r)
		}
		log := w.Log.String()
		if warnings := strings.Count(log, "limits count everyone as one address"); (warnings == 1) != (c.says != "") || warnings > 1 || !strings.Contains(log, c.says) {
			t.Errorf("%s: want one warning of %q in\n%s", name, c.says, log)
		}
	}
}

// pairs is how many tries of each kind are measured; use `-args -pairs 300` for meaningful
// figures.
var pairs = flag.Int("pairs", 10, "sign-in tries of each kind to measure")

// The time itself is only reported: what makes it equal is that the same work is done, which is
// counted.
func TestTryForNobodyDoesTheWorkOfATryForSomeone(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	w.HasPassword()
	took, bodies := map[string][]time.Duration{}, map[string]string{}
	try := func(kind, email string) {
		t.Helper()
		before := w.Server.Passwords.Count()
		c := w.Browser()
		start := time.Now()
		r := c.SignIn(email, webtest.OtherPassword)
		took[kind] = append(took[kind], time.Since(start))
		bodies[kind] = strings.ReplaceAll(r.Body, email, "…")
		if hashed := w.Server.Passwords.Count() - before; r.Status != http.StatusUnprocessableEntity || hashed != 1 {
			t.Fatalf("%s: %d, %d passwords hashed", email, r.Status, hashed)
		}
	}
	for i := range *pairs {
		w.Clock.Add(5 * time.Minute) // so that no limit is exceeded
		someone, nobody := func() { try("someone", "ada@example.com") }, func() { try("nobody", fmt.Sprintf("eve%d@example.com", i)) }
		if i%2 == 0 {
			someone()
			nobody()
		} else {
			nobody()
			someone()
		}
		if bodies["someone"] != bodies["nobody"] {
			t.Fatal("the pages can be told apart")
		}
	}
	for kind, all := range took {
		slices.Sort(all)
		t.Logf("%s: median %v, quarters %v and %v, of %d", kind, all[len(all)/2], all[len(all)/4], all[len(all)*3/4], len(all))
	}
}
