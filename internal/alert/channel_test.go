package alert_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unicode"

	"github.com/storeglass/storeglass/internal/access/seal"
	"github.com/storeglass/storeglass/internal/alert"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/locale"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

func allowLocal(t testing.TB) upstream.Options {
	t.Helper()
	list, err := upstream.ParseAllow("127.0.0.1")
	if err != nil {
		t.Fatal(err)
	}
	return upstream.Options{Allow: list}
}

// The example from Standard Webhooks, so that receivers accept our signatures.
func TestAMessageIsSignedAsStandardWebhooksSays(t *testing.T) {
	t.Parallel()
	got, err := alert.Sign("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "msg_p5jXN8AQM9LWM0D4loKWxJek", "1614265330", []byte(`{"test": 2432232314}`))
	if err != nil || got != "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=" {
		t.Errorf("%s, %v", got, err)
	}
}

func TestAWebhookArrivesWithItsHeaders(t *testing.T) {
	t.Parallel()
	type arrived struct {
		header http.Header
		body   []byte
	}
	got := make(chan arrived, 1)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got <- arrived{r.Header, body}
	}))
	defer server.Close()
	where := alert.Where{Address: server.URL + "/in?key=1", Secret: alert.NewSecret()}
	body, err := alert.HookBody("msg_1", alert.Item{ID: 7, Event: alert.Opened, Slug: "acme", Store: "Acme", Rule: "embed-off", Title: "The gift widget can’t appear", Since: noon, OpenedAt: noon})
	if err != nil {
		t.Fatal(err)
	}
	if err := alert.NewHooks(allowLocal(t)).Send(t.Context(), where, "msg_1", body, noon); err != nil {
		t.Fatal(err)
	}
	a := <-got
	want, _ := alert.Sign(where.Secret, "msg_1", fmt.Sprint(noon.Unix()), a.body)
	if a.header.Get("webhook-id") != "msg_1" || a.header.Get("webhook-timestamp") != fmt.Sprint(noon.Unix()) || a.header.Get("webhook-signature") != want || a.header.Get("Content-Type") != "application/json" {
		t.Errorf("headers %v", a.header)
	}
	var read map[string]any
	if err := json.Unmarshal(a.body, &read); err != nil || read["event"] != "alert.opened" || read["rule"] != "embed-off" || read["closed_at"] != nil {
		t.Errorf("%s", a.body)
	}
}

func TestARedirectIsNotFollowedAndAHugeAnswerIsCut(t *testing.T) {
	t.Parallel()
	var followed atomic.Int32
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { followed.Add(1) }))
	defer elsewhere.Close()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/away" {
			http.Redirect(w, r, elsewhere.URL, http.StatusTemporaryRedirect)
			return
		}
		w.Header().Set("Retry-After", "90")
		w.WriteHeader(http.StatusTooManyRequests)
		for range 1 << 10 {
			if _, err := io.WriteString(w, strings.Repeat("x\n", 1<<10)); err != nil {
				return
			}
		}
	}))
	defer server.Close()
	hooks := alert.NewHooks(allowLocal(t))
	err := hooks.Send(t.Context(), alert.Where{Address: server.URL + "/away"}, "1", nil, noon)
	if e, ok := errors.AsType[*alert.HookError](err); !ok || e.Status != 307 || !e.Final() || followed.Load() != 0 {
		t.Errorf("%v, followed %d", err, followed.Load())
	}
	err = hooks.Send(t.Context(), alert.Where{Address: server.URL}, "1", nil, noon)
	if e, ok := errors.AsType[*alert.HookError](err); !ok || e.Final() || e.After != 90*time.Second || len(e.Error()) > 400 {
		t.Errorf("%v", err)
	}
}

func TestNoHostileAddressIsConnectedTo(t *testing.T) {
	t.Parallel()
	var connections atomic.Int32
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	server.Config.ConnState = func(net.Conn, http.ConnState) { connections.Add(1) }
	server.Start()
	defer server.Close()
	_, port, _ := net.SplitHostPort(server.Listener.Addr().String())
	hooks := alert.NewHooks(upstream.Options{})
	for _, address := range []string{
		server.URL, "https://127.0.0.1:" + port, "http://localhost:" + port, "https://localhost:8443", "https://[::1]:8443/", "https://[::ffff:127.0.0.1]/", "https://0.0.0.0/",
		"https://127.1/", "https://2130706433/", "https://0x7f000001/", "https://017700000001/", "https://169.254.169.254/latest/meta-data", "https://10.0.0.1/", "https://192.168.0.1:8443/",
		"https://[fd00:ec2::254]/", "https://[64:ff9b::7f00:1]/", "https://user:pass@hooks.example/", "gopher://127.0.0.1/", "file:///etc/passwd", "unix:///run/x", "//127.0.0.1/", "https://hooks.example:25/",
		"https://hooks.example/#@127.0.0.1", "https://127.0.0.1\\@hooks.example/", "https://hooks.example%00.evil/", "", " ", "https://", "javascript:alert(1)", "https://ⓛocalhost/",
	} {
		err := hooks.Send(t.Context(), alert.Where{Address: address}, "1", nil, noon)
		if _, ok := errors.AsType[*alert.HookError](err); !ok {
			t.Errorf("%q: %v", address, err)
		}
	}
	if n := connections.Load(); n != 0 {
		t.Errorf("%d connections", n)
	}
}

// A name that is public when it is saved and private when it is called must be refused.
func TestANameIsLookedAtWhenItIsCalled(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	resolver := &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		asked.Add(1)
		return nil, errors.New("no name server")
	}}
	hooks := alert.NewHooks(upstream.Options{Resolver: resolver})
	if _, err := hooks.Check("https://rebind.example/hook"); err != nil {
		t.Fatal(err)
	}
	if err := hooks.Send(t.Context(), alert.Where{Address: "https://rebind.example/hook"}, "1", nil, noon); err == nil || asked.Load() == 0 {
		t.Errorf("%v after %d look-ups", err, asked.Load())
	}
}

func TestNothingSecretOfAChannelIsTold(t *testing.T) {
	t.Parallel()
	const path, key = "/services/T000CANARY/B000CANARY/cAnArYcAnArY", "cnry0123456789"
	where := alert.Where{Secret: alert.NewSecret()}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.WriteHeader(http.StatusForbidden)
		fmt.Fprint(w, r.URL, r.RequestURI, where.Secret, r.Header, string(body))
	}))
	where.Address = server.URL + path + "?sig=" + key
	hooks := alert.NewHooks(allowLocal(t))
	told := []string{fmt.Sprint(hooks.Send(t.Context(), where, "1", []byte("x"), noon))}
	server.Close()
	told = append(told, fmt.Sprint(hooks.Send(t.Context(), where, "1", []byte("x"), noon)), fmt.Sprintf("%v %+v %#v %s", where, where, where, where),
		fmt.Sprint(alert.NewHooks(upstream.Options{}).Send(t.Context(), where, "1", nil, noon)))
	for _, text := range told {
		for _, secret := range []string{"CANARY", "cAnArY", key, where.Secret, strings.TrimPrefix(where.Secret, "whsec_")} {
			if strings.Contains(text, secret) {
				t.Errorf("%q tells %q", text, secret)
			}
		}
	}
}

func TestAChannelOpensInItsOwnRowOnly(t *testing.T) {
	t.Parallel()
	sealer, err := seal.NewSealer(strings.Repeat("k", 32))
	if err != nil {
		t.Fatal(err)
	}
	where := alert.Where{Address: "https://hooks.example/x", Secret: alert.NewSecret()}
	sealed, key, err := where.Seal(sealer, 7)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := alert.Open(sealer, sealed, key, 7); err != nil || got != where {
		t.Errorf("%v", err)
	}
	if _, err := alert.Open(sealer, sealed, key, 8); !errors.Is(err, seal.ErrSealed) {
		t.Errorf("another row opens it: %v", err)
	}
}

func TestASlackMessageCallsNobodyAndLinksToNothingThatOthersWrote(t *testing.T) {
	t.Parallel()
	body, err := alert.SlackBody(locale.English, []alert.Item{{
		Event: alert.Opened, Store: "<!channel> @everyone & co", Title: "“[win](http://evil.example)” ends <http://evil.example|here>", Text: "<@U1> \u202egnp", AlertLink: "https://shop.example/alerts",
	}})
	if err != nil {
		t.Fatal(err)
	}
	var read struct {
		Text   string
		Blocks []struct {
			Type string
			Text struct{ Type, Text string }
		}
	}
	if err := json.Unmarshal(body, &read); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"<", "@e", "@U", "http://", "](", "\u202e"} {
		if strings.Contains(read.Text, bad) {
			t.Errorf("the text %q holds %q", read.Text, bad)
		}
	}
	for _, b := range read.Blocks {
		if b.Text.Type == "mrkdwn" && b.Text.Text != "<https://shop.example/alerts|Open the alert, or snooze it>" {
			t.Errorf("%q is read for its signs", b.Text.Text)
		}
	}
	many, _ := alert.SlackBody(locale.English, make([]alert.Item, 300))
	if err := json.Unmarshal(many, &read); err != nil || len(read.Blocks) > 50 || len([]rune(read.Text)) > 3000 {
		t.Errorf("%d blocks, %d characters", len(read.Blocks), len(read.Text))
	}
}

// People who set channels up must learn nothing about the network this program runs in.
func TestAFailureNamesNoResolverAndNoInnerAddress(t *testing.T) {
	t.Parallel()
	lookup := func(err error) upstream.Options {
		return upstream.Options{Resolver: &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) { return nil, err }}}
	}
	secure := httptest.NewTLSServer(http.NotFoundHandler())
	defer secure.Close()
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	for name, c := range map[string]struct {
		options       upstream.Options
		address, want string
	}{
		"a resolver that fails":   {lookup(errors.New("dial udp 10.9.8.7:53: no route")), "https://hooks.example/", "The connection to the host broke."},
		"a private address":       {upstream.Options{}, "https://10.9.8.7/", "This address isn’t public, so nothing is sent there."},
		"nobody listens":          {allowLocal(t), gone.URL, "The host refused the connection."},
		"a certificate of nobody": {allowLocal(t), secure.URL, "The host’s certificate isn’t trusted"},
	} {
		err := alert.NewHooks(c.options).Send(t.Context(), alert.Where{Address: c.address}, "1", nil, noon)
		said, ok := errors.AsType[*alert.HookError](err)
		if !ok || !strings.HasPrefix(said.Error(), c.want) || said.Cause == "" {
			t.Errorf("%s: %v, for the log %q", name, err, said.Cause)
		}
		if strings.ContainsFunc(said.Error(), unicode.IsDigit) {
			t.Errorf("%s: %q names an address", name, said)
		}
	}
}
