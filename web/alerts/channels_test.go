package alerts_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/storeglass/storeglass/web/webtest"
)

func TestAChannelsAddressAndSecretAreShownNowhere(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorldThatMayCall(t, "http://localhost:8080", "127.0.0.1")
	type message struct{ signature, body string }
	got, status := make(chan message, 10), http.StatusOK
	receiver := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got <- message{r.Header.Get("webhook-signature"), string(body)}
		rw.WriteHeader(status)
		_, _ = io.WriteString(rw, "no such hook "+r.URL.Path)
	}))
	defer receiver.Close()
	const path = "/in/T0CANARY/B0CANARY"
	b := w.SignedIn()
	w.Audit()
	form := url.Values{"kind": {"webhook"}, "name": {" Our program "}, "address": {receiver.URL + path}, "store": {"acme"}, "rules": {"own"}, "rule": {"drift", "credential"}}
	r := b.Submit("/alerts/channels", form)
	shown := regexp.MustCompile(`value="(whsec_[^"]+)"`).FindStringSubmatch(r.Body)
	if r.Status != http.StatusOK || shown == nil || r.Header.Get("Cache-Control") != "no-store" {
		t.Fatalf("%d %s", r.Status, r.Body)
	}
	at := "/alerts/channels/" + w.Column(`select id::text from alert_channels`)[0]
	list := b.Get("/alerts/settings")
	w.Has(list, "Our program", "Signed webhook at 127.0.0.1", "Acme Foods", " On ")
	r = b.Submit(at+"/test", nil)
	w.Has(r, "The test arrived")
	if m := <-got; !strings.HasPrefix(m.signature, "v1,") || !strings.Contains(m.body, `"event":"channel.test"`) {
		t.Errorf("the receiver got %+v", m)
	}
	status = http.StatusGone
	failed := b.Submit(at+"/test", nil)
	w.Has(failed, "The test didn’t arrive", "410")
	<-got
	renewed := b.Submit(at+"/secret", nil)
	again := regexp.MustCompile(`value="(whsec_[^"]+)"`).FindStringSubmatch(renewed.Body)
	if again == nil || again[1] == shown[1] {
		t.Errorf("the new secret: %d", renewed.Status)
	}
	for what, to := range map[string]string{"off": "off", "on": "on"} {
		if r := b.Submit(at+"/"+what, nil); r.Header.Get("Location") != "/alerts/settings?done="+to {
			t.Errorf("%s: %d", what, r.Status)
		}
	}
	for _, each := range []webtest.Response{list, r, failed, b.Get("/alerts/settings")} {
		for _, secret := range []string{"CANARY", "whsec_"} {
			if strings.Contains(each.Body, secret) {
				t.Errorf("a page holds %s", secret)
			}
		}
	}
	if in := w.Column(`select encode(sealed, 'escape') || reason::text || host from alert_channels`)[0]; strings.Contains(in, "CANARY") || strings.Contains(in, "whsec") {
		t.Error("the row holds it in the clear")
	}
	for name, change := range map[string][2]string{
		"an address within": {"address", "https://10.0.0.1/in"}, "plain http": {"address", "http://hooks.example.com/CANARY"}, "no address": {"address", "hooks.example.com"},
		"no name": {"name", " "}, "a kind that is not": {"kind", "mail"}, "a rule that is not": {"rule", "nothing"},
	} {
		f := url.Values{"kind": {"slack"}, "name": {"Shop"}, "address": {"https://hooks.example.com/CANARY"}, "rules": {"own"}, "rule": {"drift"}}
		f.Set(change[0], change[1])
		if r := b.Submit("/alerts/channels", f); r.Status != http.StatusUnprocessableEntity || strings.Contains(r.Body, "CANARY") {
			t.Errorf("%s: %d", name, r.Status)
		} else if wrong := webtest.WrongField(r); change[0] != "kind" && !strings.HasPrefix(wrong, change[0]) {
			t.Errorf("%s: the wrong field is %q", name, wrong)
		}
	}
	_, other := w.Admin("root@example.com")
	for _, what := range []string{"", "/test", "/secret", "/on", "/off", "/remove"} {
		if r := other.Submit(at+what, url.Values{"revision": {"0"}, "name": {"Mine"}, "rules": {"usual"}}); r.Status != http.StatusNotFound {
			t.Errorf("%s of another’s channel: %d", what, r.Status)
		}
	}
	if r := other.Get(at); r.Status != http.StatusNotFound {
		t.Errorf("the form of another’s channel: %d", r.Status)
	}
	if r := b.Submit(at+"/remove", nil); r.Header.Get("Location") != "/alerts/settings?done=removed" {
		t.Errorf("%d", r.Status)
	}
	if n := w.Column(`select count(*)::text from alert_channels`)[0]; n != "0" {
		t.Errorf("%s channels", n)
	}
	for _, line := range w.Audit() {
		if strings.Contains(line, "CANARY") || strings.Contains(line, "whsec") {
			t.Errorf("recorded %s", line)
		}
	}
	if strings.Contains(w.Log.String(), "CANARY") {
		t.Error("the log holds the address")
	}
}

// A channel's form keeps what is left empty, changes what is typed, and names what changed in
// the audit log without secrets.
func TestAChannelIsEditedAndItsAddressStaysSecret(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorldThatMayCall(t, "http://localhost:8080", "127.0.0.1")
	got := make(chan string, 10)
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		got <- r.URL.Path + " " + r.Header.Get("webhook-signature")[:3]
	}))
	defer receiver.Close()
	b := w.SignedIn()
	if r := b.Submit("/alerts/channels", url.Values{"kind": {"webhook"}, "name": {"Program"}, "address": {receiver.URL + "/CANARY1"}, "store": {"acme"}, "rules": {"usual"}}); r.Status != http.StatusOK {
		t.Fatalf("%d", r.Status)
	}
	at := "/alerts/channels/" + w.Column(`select id::text from alert_channels`)[0]
	host := strings.TrimPrefix(receiver.URL, "http://")
	if !strings.Contains(b.Get("/alerts/settings").Body, `href="`+at+`"`) {
		t.Error("no link leads to the form")
	}
	secret := w.Column(`select sealed::text from alert_channels`)[0]
	w.Audit()
	form := func(revision string, change ...string) url.Values {
		f := url.Values{"revision": {revision}, "name": {"Program"}, "store": {"acme"}, "rules": {"usual"}}
		for i := 0; i < len(change); i += 2 {
			f[change[i]] = strings.Fields(change[i+1])
		}
		return f
	}
	save := func(f url.Values, done string) {
		t.Helper()
		if r := b.Submit(at, f); r.Header.Get("Location") != "/alerts/settings?done="+done {
			t.Fatalf("%v: %d %s", f, r.Status, r.Body)
		}
	}
	page := b.Get(at)
	for _, want := range []string{`name="revision" value="0"`, `value="Program"`, `value="acme" selected`, `name="rules" value="usual" checked`, "Signed webhook at ", "Leave it empty to keep it"} {
		if !strings.Contains(page.Body, want) {
			t.Errorf("the form lacks %s", want)
		}
	}
	save(form("0", "name", "Renamed", "store", "", "rules", "own", "rule", "drift credential"), "changed")
	if now := w.Column(`select name || ' ' || coalesce(store_id, 0) || ' ' || array_to_string(rules, ',') || ' ' || revision from alert_channels`)[0]; now != "Renamed 0 drift,credential 1" {
		t.Errorf("kept %s", now)
	}
	if w.Column(`select sealed::text from alert_channels`)[0] != secret {
		t.Error("an empty address did not keep the one that is stored")
	}
	save(form("1", "name", "Renamed", "store", "", "rules", "own", "rule", "drift credential"), "changed") // nothing
	save(form("1", "address", receiver.URL+"/CANARY2"), "moved")
	w.Has(b.Get("/alerts/settings?done=moved"), "Messages go to the new address")
	w.Has(b.Submit(at+"/test", nil), "The test arrived")
	if to := <-got; to != "/CANARY2 v1," {
		t.Errorf("the test went to %s", to)
	}

	// another window, opened before the last change
	stale := b.Submit(at, form("1", "name", "Stale"))
	if stale.Status != http.StatusConflict || !strings.Contains(stale.Body, "changed in another window") || !strings.Contains(stale.Body, `name="revision" value="2"`) || strings.Contains(stale.Body, "Stale") {
		t.Errorf("an old form: %d", stale.Status)
	}
	for name, f := range map[string]url.Values{
		"an address within": form("2", "address", "https://10.0.0.1/CANARY"), "plain http": form("2", "address", "http://hooks.example.com/CANARY"),
		"no name": form("2", "name", ""), "a rule that is not": form("2", "rules", "own", "rule", "nothing"), "no rule": form("2", "rules", "own"),
	} {
		if r := b.Submit(at, f); r.Status != http.StatusUnprocessableEntity || strings.Contains(r.Body, "CANARY") || !strings.Contains(r.Body, `name="revision" value="2"`) {
			t.Errorf("%s: %d", name, r.Status)
		}
	}
	if r := b.Submit(at, form("x")); r.Status != http.StatusConflict {
		t.Errorf("no revision: %d", r.Status)
	}
	if r := b.Submit(at, form("2", "store", "birch")); r.Status != http.StatusNotFound {
		t.Errorf("a store of someone else: %d", r.Status)
	}
	if now := w.Column(`select name || ' ' || revision from alert_channels`)[0]; now != "Program 2" {
		t.Errorf("kept %s", now)
	}
	w.Recorded(
		"person ada@example.com channel.changed Program, at "+host+", now called Renamed, other stores, other alerts",
		"person ada@example.com channel.changed acme Renamed, at "+host+", now called Program, now at "+host+", other stores, other alerts",
		"person ada@example.com channel.tested Program, at "+host,
	)
	if all := page.Body + stale.Body + b.Get(at).Body + w.Log.String(); strings.Contains(all, "CANARY") || strings.Contains(all, "whsec_") {
		t.Error("the address or the secret is shown")
	}
}
