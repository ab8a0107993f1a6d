package main

import (
	"bytes"
	"context"
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/storeglass/storeglass/cmd/dashboard/cli"
	"github.com/storeglass/storeglass/internal/apis/gift"
	"github.com/storeglass/storeglass/internal/apis/sandbox"
	"github.com/storeglass/storeglass/internal/apis/upstream"
)

// freeGate lets every call through, for what tests do without the program.
type freeGate struct{}

func (freeGate) Enter(context.Context) (upstream.Slot, error) { return freeGate{}, nil }
func (freeGate) Leave(context.Context, upstream.Observed)     {}

// access is what a client of the shop's gift service needs, apart from a gate.
func (s *giftShop) access(t *testing.T) (transport *upstream.Transport, base *url.URL, key upstream.Secret) {
	t.Helper()
	allow, err := upstream.ParseAllow("127.0.0.1")
	if err != nil {
		t.Fatal(err)
	}
	if base, err = url.Parse(s.base); err != nil {
		t.Fatal(err)
	}
	transport = upstream.NewTransport(upstream.Options{Allow: allow})
	t.Cleanup(transport.Close)
	return transport, base, upstream.NewSecret(s.store.GiftDeleteKey)
}

// socks writes a file with a campaign of the store, with the given name.
func (s *giftShop) socks(t *testing.T, name string) (file string) {
	t.Helper()
	transport, base, key := s.access(t)
	found, err := gift.New(transport, base, key, freeGate{}).Find(t.Context(), gift.GiftProducts, "")
	if err != nil {
		t.Fatal(err)
	}
	var product struct{ ID string }
	if err := json.Unmarshal(found.Data.List[0].Raw, &product); err != nil {
		t.Fatal(err)
	}
	body, err := json.Marshal(map[string]any{
		"name": name, "type": "order_value", "targetPage": "cart",
		"triggerConditions": map[string]any{"minimumOrderValue": 50},
		"giftProducts":      map[string]any{"products": []any{map[string]any{"productId": product.ID}}},
		"discountSettings":  map[string]any{},
		"schedule":          map[string]any{"startDate": time.Now().AddDate(0, 0, 3).Format(time.DateOnly)},
	})
	if err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(t.TempDir(), "campaign.json")
	if err := os.WriteFile(file, body, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func (s *giftShop) campaigns(t *testing.T) string {
	t.Helper()
	return good(t, s.env, "gift", "campaigns", "list", "--store", "acme")
}

// asked runs a command at a terminal. When it asks, meanwhile runs, and then the answer is
// typed.
func (s *giftShop) asked(t *testing.T, answer string, meanwhile func(), args ...string) outcome {
	t.Helper()
	return s.askedOf(t, "campaigns", answer, meanwhile, args...)
}

func (s *giftShop) askedOf(t *testing.T, group, answer string, meanwhile func(), args ...string) outcome {
	t.Helper()
	stdin, typ := terminal(t)
	var stdout bytes.Buffer
	stderr, ended, code := newLines(), make(chan struct{}), 0
	p := &cli.Program{Args: append([]string{"gift", group}, args...), Env: s.with(s.store.GiftDeleteKey), Stdin: stdin, Stdout: &stdout, Stderr: stderr}
	go func() {
		defer close(ended)
		code = runCommand(t.Context(), p)
	}()
	if _, ok := stderr.after(t.Context(), "This ", ended); ok {
		if meanwhile != nil {
			meanwhile()
		}
		typ(answer + "\n")
	}
	<-ended
	return outcome{stdout.String(), stderr.String(), code}
}

func TestACampaignIsCreatedAfterItsPreviewAndAYes(t *testing.T) {
	t.Parallel()
	s := openGiftShop(t, sandbox.Config{})
	file := s.socks(t, "Socks by a person")
	o := s.asked(t, "yes", func() {
		if strings.Contains(s.campaigns(t), "Socks by a person") {
			t.Error("it is there before the yes")
		}
	}, "create", "--store", "acme", "--file", file)
	preview, done, _ := strings.Cut(o.stdout, "\nThe campaign is created.\n")
	if o.code != exitOK || !strings.Contains(preview, "name: Socks by a person\n") || !strings.Contains(done, "name: Socks by a person\n") {
		t.Errorf("%+v", o)
	}
	if o.stderr != "This creates a campaign at acme.\nType yes to go on: " {
		t.Errorf("asked %q", o.stderr)
	}
	if strings.Contains(o.stdout, "confirmationToken") || strings.Contains(o.stdout, "gct_") {
		t.Error("the token is shown")
	}
	if !strings.Contains(s.campaigns(t), "Socks by a person") || s.wrote() != 2 {
		t.Errorf("%d writes, and\n%s", s.wrote(), s.campaigns(t))
	}
}

func TestAnythingButYesChangesNothing(t *testing.T) {
	t.Parallel()
	s := openGiftShop(t, sandbox.Config{})
	file := s.socks(t, "Never")
	before := s.campaigns(t)
	for _, answer := range []string{"no", "", "y", "YES please"} {
		o := s.asked(t, answer, nil, "create", "--store", "acme", "--file", file)
		if o.code != exitFailed || !strings.HasSuffix(o.stderr, "dashboard: not confirmed: nothing was changed\n") || !strings.Contains(o.stdout, "Never") {
			t.Errorf("%q: %+v", answer, o)
		}
	}
	if after := s.campaigns(t); after != before || s.wrote() != 4 {
		t.Errorf("%d writes, and\n%s", s.wrote(), after)
	}
}

func TestAScriptSaysYesBeforehand(t *testing.T) {
	t.Parallel()
	s := openGiftShop(t, sandbox.Config{})
	env, file, id := s.with(s.store.GiftDeleteKey), s.socks(t, "Socks by a script"), s.first(t)
	if got := good(t, env, "gift", "campaigns", "create", "--store", "acme", "--file", file, "--yes"); !strings.Contains(got, "\nThe campaign is created.\n") {
		t.Error(got)
	}
	edit := filepath.Join(t.TempDir(), "edit.json")
	if err := os.WriteFile(edit, []byte(`{"name":"Mugs by a script"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	before := s.campaigns(t)
	preview := good(t, env, "gift", "campaigns", "preview", "--store", "acme", "--file", edit, id)
	if !strings.Contains(preview, "name: Mugs by a script\n") || s.campaigns(t) != before {
		t.Errorf("a preview wrote, or shows\n%s", preview)
	}
	got := good(t, env, "gift", "campaigns", "edit", "--store", "acme", "--file", edit, "--yes", id)
	if !strings.HasPrefix(got, preview[:strings.Index(preview, "\n")]) || !strings.Contains(got, "\nThe campaign is changed.\n") || !strings.Contains(s.campaigns(t), "Mugs by a script") {
		t.Error(got)
	}
	for _, state := range []string{"off", "on", "off"} {
		got := good(t, env, "gift", "campaigns", state, "--store", "acme", "--yes", id)
		if !strings.Contains(got, "\nThe campaign is turned "+state+".\n") || !strings.HasPrefix(got, "found: true\n") {
			t.Error(got)
		}
	}
	got = good(t, env, "gift", "campaigns", "delete", "--store", "acme", "--yes", id)
	if !strings.Contains(got, "Mugs by a script") || !strings.Contains(got, "\nThe campaign is deleted.\n") || strings.Contains(s.campaigns(t), id) {
		t.Error(got)
	}
}

func TestABodyMayComeThroughAPipe(t *testing.T) {
	t.Parallel()
	s := openGiftShop(t, sandbox.Config{})
	body, err := os.ReadFile(s.socks(t, "Piped"))
	if err != nil {
		t.Fatal(err)
	}
	piped := func(body string, args ...string) outcome {
		var stdout, stderr bytes.Buffer
		p := &cli.Program{Args: append([]string{"gift", "campaigns"}, args...), Env: s.with(s.store.GiftWriteKey), Stdin: strings.NewReader(body), Stdout: &stdout, Stderr: &stderr}
		code := runCommand(t.Context(), p)
		return outcome{stdout.String(), stderr.String(), code}
	}
	if o := piped(string(body), "preview", "--store", "acme"); o.code != exitOK || !strings.Contains(o.stdout, "name: Piped\n") {
		t.Errorf("%+v", o)
	}
	if o := piped(string(body), "create", "--store", "acme", "--yes"); o.code != exitOK || !strings.Contains(o.stdout, "\nThe campaign is created.\n") {
		t.Errorf("%+v", o)
	}
	wrote := s.wrote()
	for _, body := range []string{"", "null", "[]", `"a"`, `{"a":1`, `{"a":1} {}`, `{"a":1,"a":2}`, strings.Repeat(" ", 1<<20) + "{}"} {
		o := piped(body, "create", "--store", "acme", "--yes")
		want := "dashboard: standard input is not a JSON object: write the fields as {…}, 1 MiB at most. Nothing was changed\n"
		if o.code != exitUsage || o.stderr != want {
			t.Errorf("%.20q: %+v", body, o)
		}
	}
	refused(t, exitUsage, s.env, "dashboard: --file \"/nowhere/x.json\" can't be read: no such file or directory\n",
		"gift", "campaigns", "preview", "--store", "acme", "--file", "/nowhere/x.json")
	if o := s.asked(t, "", nil, "preview", "--store", "acme"); o.code != exitUsage || !strings.HasPrefix(o.stderr, "dashboard: no input: ") {
		t.Errorf("%+v", o)
	}
	if s.wrote() != wrote {
		t.Error("something was sent")
	}
}

// movedClock is a clock that tests move.
type movedClock struct {
	mu sync.Mutex
	by time.Duration
}

func (c *movedClock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return time.Now().Add(c.by)
}

func (c *movedClock) forward(by time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.by += by
}

func TestAnOldConfirmationIsRefused(t *testing.T) {
	t.Parallel()
	var clock movedClock
	s := openGiftShop(t, sandbox.Config{Now: clock.now})
	o := s.asked(t, "yes", func() { clock.forward(time.Hour) }, "create", "--store", "acme", "--file", s.socks(t, "Too late"))
	if o.code != exitFailed || !strings.Contains(o.stderr, "dashboard: the gift service refused the change: ") ||
		!strings.HasSuffix(o.stderr, ". Nothing was changed; run the command again for a new preview\n") {
		t.Errorf("%+v", o)
	}
	if strings.Contains(s.campaigns(t), "Too late") {
		t.Error("it was created")
	}
}

func TestACampaignThatChangedSinceItsPreviewIsLeftAlone(t *testing.T) {
	t.Parallel()
	s := openGiftShop(t, sandbox.Config{})
	id, edit := s.first(t), filepath.Join(t.TempDir(), "edit.json")
	if err := os.WriteFile(edit, []byte(`{"targetPage":"product"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	transport, base, key := s.access(t)
	w := gift.NewWriter(transport, base, key, freeGate{})
	for name, args := range map[string][]string{
		"edited since one":   {"edit", "--store", "acme", "--file", edit, id},
		"edited since other": {"delete", "--store", "acme", id},
	} {
		o := s.asked(t, "yes", func() {
			p, err := w.PreviewEdit(t.Context(), id, []byte(`{"name":"`+name+`"}`))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := w.ApplyEdit(t.Context(), p); err != nil {
				t.Fatal(err)
			}
		}, args...)
		if o.code != exitFailed || !strings.Contains(o.stderr, "dashboard: the gift service refused the change: ") {
			t.Errorf("%s: %+v", name, o)
		}
		if all := s.campaigns(t); !strings.Contains(all, id) || !strings.Contains(all, name) {
			t.Errorf("%s: left is\n%s", name, all)
		}
	}
}

func TestAKeyThatMayNotWriteIsToldWhatToDo(t *testing.T) {
	t.Parallel()
	s := openGiftShop(t, sandbox.Config{})
	id, file := s.first(t), s.socks(t, "Never")
	for _, c := range []struct {
		env  []string
		args []string
	}{
		{s.env, []string{"create", "--store", "acme", "--file", file, "--yes"}},
		{s.with(s.store.GiftKey), []string{"off", "--store", "acme", "--yes", id}},
		{s.with(s.store.GiftWriteKey), []string{"delete", "--store", "acme", "--yes", id}},
	} {
		o := run(t, c.env, append([]string{"gift", "campaigns"}, c.args...)...)
		if o.code != exitFailed || !strings.HasPrefix(o.stderr, "dashboard: the gift key may not do this (403 INSUFFICIENT_SCOPE") ||
			!strings.HasSuffix(o.stderr, "raise its access level in the app's settings, Store API; the key stays the same. "+
				"Or set STORE_GIFT_TOKEN to a key that has the level: write to change campaigns and widgets, delete to delete campaigns\n") {
			t.Errorf("%v: %+v", c.args, o)
		}
	}
	if !strings.Contains(s.campaigns(t), id) {
		t.Error("the campaign is gone")
	}
}

func TestN54_NothingIsAskedOfACampaignThatIsNotFound(t *testing.T) {
	t.Parallel()
	s := openGiftShop(t, sandbox.Config{})
	file := s.socks(t, "x")
	for _, args := range [][]string{{"edit", "--file", file}, {"preview", "--file", file}, {"on"}, {"off"}, {"delete"}} {
		o := s.asked(t, "yes", nil, append(args, "--store", "acme", "nope")...)
		if o.code != exitFailed || o.stdout != "" || o.stderr != "dashboard: acme has no campaign \"nope\": `dashboard gift campaigns list --store acme` lists them\n" {
			t.Errorf("%v: %+v", args, o)
		}
	}
}

func TestTheLimitOfWritesSaysWhen(t *testing.T) {
	t.Parallel()
	s := openGiftShop(t, sandbox.Config{Limit: 60})
	transport, base, key := s.access(t)
	w := gift.NewWriter(transport, base, key, freeGate{})
	for range 20 {
		if _, err := w.PreviewDeletion(t.Context(), "nope"); err != nil {
			t.Fatal(err)
		}
	}
	o := run(t, s.with(s.store.GiftDeleteKey), "gift", "campaigns", "delete", "--store", "acme", "--yes", "nope")
	if o.code != exitFailed || !strings.HasPrefix(o.stderr, "dashboard: the gift service takes 20 writes a minute with one key, and each change is two: try again after ") || !strings.HasSuffix(o.stderr, " UTC\n") {
		t.Errorf("%+v", o)
	}
	good(t, s.with(s.store.GiftDeleteKey), "gift", "campaigns", "list", "--store", "acme")
}

func TestAWriteWhoseReplyIsLostIsNotCalledDone(t *testing.T) {
	t.Parallel()
	s := openGiftShop(t, sandbox.Config{})
	id := s.first(t)
	for name, f := range map[string]sandbox.Fault{"the line broke": {Drop: true}, "no reply of the service": {Body: "<html>"}} {
		f.Path = "/campaigns/" + id + "/status"
		s.box.Break(sandbox.Gift, s.store.Slug, f)
		o := run(t, s.with(s.store.GiftWriteKey), "gift", "campaigns", "off", "--store", "acme", "--yes", id)
		s.box.Clear(sandbox.Gift, s.store.Slug)
		if o.code != exitFailed || strings.Contains(o.stdout, "is turned") ||
			!strings.Contains(o.stderr, "dashboard: whether it was done is not known: look with `dashboard gift campaigns list --store acme` before trying again\n") {
			t.Errorf("%s: %+v", name, o)
		}
	}
	if n := s.wrote(); n != 2 {
		t.Errorf("%d writes were sent, want each once", n)
	}
}

func TestWhatTheServiceRefusesIsSaidInItsWords(t *testing.T) {
	t.Parallel()
	s := openGiftShop(t, sandbox.Config{})
	file := filepath.Join(t.TempDir(), "odd.json")
	if err := os.WriteFile(file, []byte(`{"name":"x","type":"odd"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	o := run(t, s.with(s.store.GiftWriteKey), "gift", "campaigns", "create", "--store", "acme", "--yes", "--file", file)
	if o.code != exitFailed || o.stdout != "" || !strings.HasPrefix(o.stderr, "dashboard: the gift service refuses this: ") || !strings.HasSuffix(o.stderr, ". Nothing was changed\n") {
		t.Errorf("%+v", o)
	}
}
