package web

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/access"
)

// watched says that somebody looks at the stores.
func (w *world) watched() {
	w.t.Helper()
	w.exec(`insert into alert_looks (store_id, next_at) select id, $1 from stores on conflict (store_id) do update set next_at = $1`, w.clock.now())
}

// outage is one that is under way in the own store; it returns its id.
func (w *world) outage(rule, subject string) (id string) {
	w.t.Helper()
	return w.column(`insert into alerts (store_id, rule, subject, since, opened_at, title, text, href, evidence)
		select id, '` + rule + `', '` + subject + `', '2026-11-20 14:00Z', '2026-11-20 14:10Z', 'Trouble with ` + subject + `', 'It was 6.1% on 19 Nov 2026.', '/stores/acme/sync', '{"day": "2026-11-19", "figure": "6.1%", "many": "true"}'
		from stores where slug = 'acme' returning id::text`)[0]
}

// told notes that somebody was told of the outage.
func (w *world) told(alert string, person int64, state, said string) {
	w.t.Helper()
	w.exec(`insert into alert_notices (alert_id, store_id, kind, person_id, created_at, at, state, told)
		select id, store_id, 'opened', $2, opened_at, '2026-11-20 14:12Z', $3, $4 from alerts where id = $1::text::bigint`, alert, person, state, said)
}

func TestAnOutageIsShownWithWhatWasSeenAndWhoWasTold(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.watched()
	b := w.signedIn()
	noor, err := w.access.CreatePerson(t.Context(), "noor@example.com", "Noor", access.Viewer)
	w.must(err)
	w.must(w.access.GrantPerson(t.Context(), noor.ID, own))
	id := w.outage("rate-fell", "upsells")
	w.told(id, w.person.ID, "sent", "")
	w.told(id, noor.ID, "waiting", "quiet hours until 07:00")
	for _, path := range []string{"/alerts", "/stores/acme/alerts"} {
		r := b.get(path)
		w.has(r, "Trouble with upsells", "Success rate fell", "It was 6.1% on 19 Nov 2026.", "1 hour ago", "Day 19 Nov 2026", "Was 6.1%", "See the days", "you by mail on 20 Nov", "Noor by mail (quiet hours until 07:00)", "Alerts 1 , 1 open")
		w.hasNot(r, "No alert is open", "Many true", "many true")
		if !strings.Contains(r.body, `href="/stores/acme/sync"`) {
			t.Errorf("%s leads nowhere", path)
		}
	}
	// A viewer is not told who else is.
	r := w.signedInAs(noor).get("/alerts")
	w.has(r, "you by mail (quiet hours until 07:00)", "1 other reader")
	w.hasNot(r, "Ada")
}

func TestWhyNothingStandsThereIsSaid(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.signedIn()
	w.has(b.get("/alerts"), "Alerts are not being watched", "is it running?")
	w.watched()
	r := b.get("/alerts")
	w.has(r, "No alert yet")
	w.hasNot(r, "not being watched")
	all, err := w.access.CreatePerson(t.Context(), "noor@example.com", "Noor", access.Viewer)
	w.must(err)
	w.must(w.access.GrantPerson(t.Context(), all.ID, access.AllStores))
	many := w.signedInAs(all)
	for _, c := range []struct {
		b         *browser
		path, now string
	}{{b, "/alerts", "/stores/acme/sync"}, {b, "/stores/acme/alerts", "/stores/acme/sync"}, {many, "/alerts", "/?health=person"}} {
		r := c.b.get(c.path)
		w.has(r, "See what needs attention now")
		if !strings.Contains(r.body, `class="link" href="`+c.now+`"`) || c.b.get(c.now).status != http.StatusOK {
			t.Errorf("%s doesn't lead to what needs attention now", c.path)
		}
	}
	w.has(b.get("/alerts?rule=drift"), "No alert matches")
	id := w.outage("drift", "30")
	w.exec(`update alerts set closed_at = '2026-11-20 15:00Z', end_cause = 'recovered' where id = $1::text::bigint`, id)
	w.has(b.get("/alerts"), "No alert is open.", "Recovered", "1 hour", "nobody was told")
	w.clock.add(31 * time.Minute)
	w.has(b.get("/alerts"), "Alerts are not being watched", "nobody looks at the moment")
	for _, query := range []string{"?rule=nothing", "?state=closed", "?store=%3Cb%3E"} {
		if r := b.get("/alerts" + query); r.status != http.StatusBadRequest || !strings.Contains(r.body, "choose from the list") {
			t.Errorf("%s: %d", query, r.status)
		}
	}
}

func TestAMuteHoldsForWhomItSaysAndUntilItsEnd(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.watched()
	viewer, err := w.access.CreatePerson(t.Context(), "noor@example.com", "Noor", access.Viewer)
	w.must(err)
	w.must(w.access.GrantPerson(t.Context(), viewer.ID, own))
	b, other := w.signedIn(), w.signedInAs(viewer)
	id := w.outage("rate-fell", "upsells")
	w.outage("drift", "30")
	w.audit()
	count := func(b *browser) string {
		t.Helper()
		if n := regexp.MustCompile(`, (\d+) open`).FindStringSubmatch(b.get("/alerts").body); n != nil {
			return n[1]
		}
		return "0"
	}
	mute := func(b *browser, reach, life string) response {
		return b.submit("/alerts/mutes", url.Values{"alert": {id}, "reach": {reach}, "life": {life}})
	}
	for _, c := range []struct{ reach, life, mine, theirs, says string }{
		{"this-mine", "day", "1", "2", "Muted for you until 21 Nov 2026"},
		{"rule-mine", "week", "1", "2", "until 27 Nov 2026"},
		{"everywhere-mine", "ever", "1", "2", "Muted for you for good, with all of its kind."},
		{"this-all", "week", "1", "1", "Muted for everybody until 27 Nov 2026"},
		{"rule-all", "ever", "1", "1", "Muted for everybody for good, with all of its kind."},
	} {
		if r := mute(b, c.reach, c.life); r.header.Get("Location") != "/alerts?done=muted" {
			t.Fatalf("%s: %d", c.reach, r.status)
		}
		r := b.get("/alerts")
		w.has(r, "Trouble with upsells", c.says)
		if mine, theirs := count(b), count(other); mine != c.mine || theirs != c.theirs {
			t.Errorf("%s: %s open for who muted and %s for the other", c.reach, mine, theirs)
		}
		if found := strings.Contains(other.get("/alerts?state=muted").body, "Trouble with upsells"); found != (c.theirs == "1") {
			t.Errorf("%s: the other finds it muted: %v", c.reach, found)
		}
		end := w.column(`select id::text from alert_mutes where ended_at is null`)[0]
		if strings.HasSuffix(c.reach, "-all") {
			if r := other.submit("/alerts/mutes/"+end+"/end", nil); r.status != http.StatusNotFound {
				t.Errorf("a viewer ends a mute for everybody: %d", r.status)
			}
		} else if r := other.submit("/alerts/mutes/"+end+"/end", nil); r.status != http.StatusNotFound {
			t.Errorf("somebody ends another’s mute: %d", r.status)
		}
		if r := b.submit("/alerts/mutes/"+end+"/end", url.Values{"at": {"acme"}}); r.header.Get("Location") != "/stores/acme/alerts?done=unmuted" {
			t.Errorf("%s: %d %s", c.reach, r.status, r.header.Get("Location"))
		}
	}
	w.recorded(
		"person ada@example.com alert.muted acme Success rate fell until 27 Nov 2026, 15:30", "person ada@example.com alert.unmuted acme Success rate fell",
		"person ada@example.com alert.muted acme Success rate fell for good", "person ada@example.com alert.unmuted acme Success rate fell",
	)
	for _, reach := range []string{"this-all", "rule-all"} {
		if r := mute(other, reach, "ever"); r.status != http.StatusForbidden {
			t.Errorf("a viewer mutes for everybody: %d", r.status)
		}
	}
	for _, c := range [][2]string{{"everywhere-all", "day"}, {"", "day"}, {"this-mine", ""}, {"this-mine", "x"}} {
		if r := mute(b, c[0], c[1]); r.status != http.StatusBadRequest {
			t.Errorf("%q: %d", c, r.status)
		}
	}
	mute(b, "this-mine", "day")
	w.clock.add(25 * time.Hour)
	if n := count(b); n != "2" {
		t.Errorf("%s open after the mute’s end", n)
	}
}

func TestHistoryIsPagedAndItsFilesAreWhole(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.watched()
	w.exec(`insert into alerts (store_id, rule, subject, since, opened_at, closed_at, end_cause, title, text)
		select s.id, case when n % 2 = 0 then 'drift' else 'plan' end, n::text, $1::timestamptz - n * interval '1 hour', $1::timestamptz - n * interval '1 hour', $1::timestamptz - n * interval '1 minute', 'recovered', 'Number ' || n || '.', ''
		from stores s, generate_series(1, 120) n where s.slug = 'acme'`, w.clock.now().Add(-24*time.Hour))
	w.outage("drift", "open")
	b := w.signedIn()
	number := regexp.MustCompile(`Number (\d+)\.`)
	var all []string
	path := "/alerts"
	for pages := 0; path != ""; pages++ {
		r := b.get(path)
		for _, n := range number.FindAllStringSubmatch(r.body, -1) {
			all = append(all, n[1])
		}
		next := regexp.MustCompile(`rel="next" href="([^"]+)"`).FindStringSubmatch(r.body)
		if path = ""; next != nil {
			path = next[1]
			w.exec(`insert into alerts (store_id, rule, subject, since, opened_at, closed_at, end_cause, title, text) select id, 'plan', 'new' || $2::integer, $1, $1, $1, 'gone', '', '' from stores where slug = 'acme'`, w.clock.now(), pages)
		}
	}
	var want []string
	for n := 1; n <= 120; n++ {
		want = append(want, fmt.Sprint(n))
	}
	if strings.Join(all, " ") != strings.Join(want, " ") {
		t.Errorf("the pages hold %v", all)
	}
	file := b.get("/alerts.csv?rule=drift&store=acme")
	if n := len(number.FindAllString(file.body, -1)); n != 60 || !strings.Contains(file.body, "Trouble with open") {
		t.Errorf("the file holds %d", n)
	}
	if n := len(number.FindAllString(b.get("/alerts.csv?state=open").body, -1)); n != 0 {
		t.Errorf("the file of the open ones holds %d that are over", n)
	}
}

func TestHowOneIsToldIsOnesOwn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.signedIn()
	r := b.get("/alerts/settings")
	w.has(r, "ada@example.com", "This server sends no mails yet")
	for _, want := range []string{`name="mail" value="true" checked`, `value="credential" checked`, `value="drift">`, `name="campaign_days" value="3"`, `value="UTC" selected`} {
		if !strings.Contains(r.body, want) {
			t.Errorf("the form lacks %s", want)
		}
	}
	form := func() url.Values {
		return url.Values{"mail": {"true"}, "rule": {"credential", "drift"}, "quiet": {"true"}, "from": {"22:30"}, "to": {"06:15"}, "zone": {"Asia/Tokyo"}, "campaign_days": {"7"}}
	}
	if r := b.submit("/alerts/settings", form()); r.header.Get("Location") != "/alerts/settings?done=saved" {
		t.Fatalf("%d", r.status)
	}
	r = b.get("/alerts/settings?done=saved")
	for _, want := range []string{`value="credential" checked`, `value="drift" checked`, `value="plan">`, `name="from" value="22:30"`, `name="to" value="06:15"`, `value="Asia/Tokyo" selected`, `name="campaign_days" value="7"`, `name="recoveries" value="true">`} {
		if !strings.Contains(r.body, want) {
			t.Errorf("the form lacks %s", want)
		}
	}
	if kept := w.column(`select rule || ' ' || mail from alert_preferences where rule in ('drift', 'plan', 'credential') order by 1`); strings.Join(kept, ", ") != "drift true, plan false" {
		t.Errorf("kept %q", kept)
	}
	for field, wrong := range map[string]string{"from": "06:15", "to": "late", "zone": "Local", "campaign_days": "31", "rule": "nothing"} {
		f := form()
		f.Set(field, wrong)
		if r := b.submit("/alerts/settings", f); r.status != http.StatusUnprocessableEntity || !strings.Contains(r.body, `role="alert"`) {
			t.Errorf("%s %s: %d", field, wrong, r.status)
		}
	}
	other, err := w.access.CreatePerson(t.Context(), "noor@example.com", "Noor", access.Viewer)
	w.must(err)
	r = w.signedInAs(other).get("/alerts/settings")
	w.has(r, "Channels are for agency members")
	w.hasNot(r, "Add a channel", "06:15")
}

func TestAChannelsAddressAndSecretAreShownNowhere(t *testing.T) {
	t.Parallel()
	w := newWorldThatMayCall(t, "http://localhost:8080", "127.0.0.1")
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
	b := w.signedIn()
	w.audit()
	form := url.Values{"kind": {"webhook"}, "name": {" Our program "}, "address": {receiver.URL + path}, "store": {"acme"}, "rules": {"own"}, "rule": {"drift", "credential"}}
	r := b.submit("/alerts/channels", form)
	shown := regexp.MustCompile(`value="(whsec_[^"]+)"`).FindStringSubmatch(r.body)
	if r.status != http.StatusOK || shown == nil || r.header.Get("Cache-Control") != "no-store" {
		t.Fatalf("%d %s", r.status, r.body)
	}
	at := "/alerts/channels/" + w.column(`select id::text from alert_channels`)[0]
	list := b.get("/alerts/settings")
	w.has(list, "Our program", "Signed webhook at 127.0.0.1", "Acme Foods", "In use")
	r = b.submit(at+"/test", nil)
	w.has(r, "The test has arrived")
	if m := <-got; !strings.HasPrefix(m.signature, "v1,") || !strings.Contains(m.body, `"event":"channel.test"`) {
		t.Errorf("the receiver got %+v", m)
	}
	status = http.StatusGone
	failed := b.submit(at+"/test", nil)
	w.has(failed, "The test did not arrive", "410")
	<-got
	renewed := b.submit(at+"/secret", nil)
	again := regexp.MustCompile(`value="(whsec_[^"]+)"`).FindStringSubmatch(renewed.body)
	if again == nil || again[1] == shown[1] {
		t.Errorf("the new secret: %d", renewed.status)
	}
	for what, to := range map[string]string{"off": "off", "on": "on"} {
		if r := b.submit(at+"/"+what, nil); r.header.Get("Location") != "/alerts/settings?done="+to {
			t.Errorf("%s: %d", what, r.status)
		}
	}
	for _, each := range []response{list, r, failed, b.get("/alerts/settings")} {
		for _, secret := range []string{"CANARY", "whsec_"} {
			if strings.Contains(each.body, secret) {
				t.Errorf("a page holds %s", secret)
			}
		}
	}
	if in := w.column(`select encode(sealed, 'escape') || told || host from alert_channels`)[0]; strings.Contains(in, "CANARY") || strings.Contains(in, "whsec") {
		t.Error("the row holds it in the clear")
	}
	for name, change := range map[string][2]string{
		"an address within": {"address", "https://10.0.0.1/in"}, "plain http": {"address", "http://hooks.example.com/CANARY"}, "no address": {"address", "hooks.example.com"},
		"no name": {"name", " "}, "a kind that is not": {"kind", "mail"}, "a rule that is not": {"rule", "nothing"},
	} {
		f := url.Values{"kind": {"slack"}, "name": {"Shop"}, "address": {"https://hooks.example.com/CANARY"}, "rules": {"own"}, "rule": {"drift"}}
		f.Set(change[0], change[1])
		if r := b.submit("/alerts/channels", f); r.status != http.StatusUnprocessableEntity || strings.Contains(r.body, "CANARY") {
			t.Errorf("%s: %d", name, r.status)
		}
	}
	_, other := w.admin("root@example.com")
	for _, what := range []string{"", "/test", "/secret", "/on", "/off", "/remove"} {
		if r := other.submit(at+what, url.Values{"revision": {"0"}, "name": {"Mine"}, "rules": {"usual"}}); r.status != http.StatusNotFound {
			t.Errorf("%s of another’s channel: %d", what, r.status)
		}
	}
	if r := other.get(at); r.status != http.StatusNotFound {
		t.Errorf("the form of another’s channel: %d", r.status)
	}
	if r := b.submit(at+"/remove", nil); r.header.Get("Location") != "/alerts/settings?done=removed" {
		t.Errorf("%d", r.status)
	}
	if n := w.column(`select count(*)::text from alert_channels`)[0]; n != "0" {
		t.Errorf("%s channels", n)
	}
	for _, line := range w.audit() {
		if strings.Contains(line, "CANARY") || strings.Contains(line, "whsec") {
			t.Errorf("recorded %s", line)
		}
	}
	if strings.Contains(w.log.String(), "CANARY") {
		t.Error("the log holds the address")
	}
}

// A channel's form keeps what is left empty, changes what is typed, and names what changed
// in the audit log without what is secret.
func TestAChannelIsEditedAndItsAddressStaysSecret(t *testing.T) {
	t.Parallel()
	w := newWorldThatMayCall(t, "http://localhost:8080", "127.0.0.1")
	got := make(chan string, 10)
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		got <- r.URL.Path + " " + r.Header.Get("webhook-signature")[:3]
	}))
	defer receiver.Close()
	b := w.signedIn()
	if r := b.submit("/alerts/channels", url.Values{"kind": {"webhook"}, "name": {"Program"}, "address": {receiver.URL + "/CANARY1"}, "store": {"acme"}, "rules": {"usual"}}); r.status != http.StatusOK {
		t.Fatalf("%d", r.status)
	}
	at := "/alerts/channels/" + w.column(`select id::text from alert_channels`)[0]
	host := strings.TrimPrefix(receiver.URL, "http://")
	if !strings.Contains(b.get("/alerts/settings").body, `href="`+at+`"`) {
		t.Error("no link leads to the form")
	}
	secret := w.column(`select sealed::text from alert_channels`)[0]
	w.audit()
	form := func(revision string, change ...string) url.Values {
		f := url.Values{"revision": {revision}, "name": {"Program"}, "store": {"acme"}, "rules": {"usual"}}
		for i := 0; i < len(change); i += 2 {
			f[change[i]] = strings.Fields(change[i+1])
		}
		return f
	}
	save := func(f url.Values, done string) {
		t.Helper()
		if r := b.submit(at, f); r.header.Get("Location") != "/alerts/settings?done="+done {
			t.Fatalf("%v: %d %s", f, r.status, r.body)
		}
	}
	page := b.get(at)
	for _, want := range []string{`name="revision" value="0"`, `value="Program"`, `value="acme" selected`, `name="rules" value="usual" checked`, "Signed webhook at ", "Leave it empty to keep it"} {
		if !strings.Contains(page.body, want) {
			t.Errorf("the form lacks %s", want)
		}
	}
	save(form("0", "name", "Renamed", "store", "", "rules", "own", "rule", "drift credential"), "changed")
	if now := w.column(`select name || ' ' || coalesce(store_id, 0) || ' ' || array_to_string(rules, ',') || ' ' || revision from alert_channels`)[0]; now != "Renamed 0 drift,credential 1" {
		t.Errorf("kept %s", now)
	}
	if w.column(`select sealed::text from alert_channels`)[0] != secret {
		t.Error("an empty address did not keep the one that is stored")
	}
	save(form("1", "name", "Renamed", "store", "", "rules", "own", "rule", "drift credential"), "changed") // nothing
	save(form("1", "address", receiver.URL+"/CANARY2"), "moved")
	w.has(b.get("/alerts/settings?done=moved"), "Messages go to the new address")
	w.has(b.submit(at+"/test", nil), "The test has arrived")
	if to := <-got; to != "/CANARY2 v1," {
		t.Errorf("the test went to %s", to)
	}

	// another window, opened before the last change
	stale := b.submit(at, form("1", "name", "Stale"))
	if stale.status != http.StatusConflict || !strings.Contains(stale.body, "changed in another window") || !strings.Contains(stale.body, `name="revision" value="2"`) || strings.Contains(stale.body, "Stale") {
		t.Errorf("an old form: %d", stale.status)
	}
	for name, f := range map[string]url.Values{
		"an address within": form("2", "address", "https://10.0.0.1/CANARY"), "plain http": form("2", "address", "http://hooks.example.com/CANARY"),
		"no name": form("2", "name", ""), "a rule that is not": form("2", "rules", "own", "rule", "nothing"), "no rule": form("2", "rules", "own"),
	} {
		if r := b.submit(at, f); r.status != http.StatusUnprocessableEntity || strings.Contains(r.body, "CANARY") || !strings.Contains(r.body, `name="revision" value="2"`) {
			t.Errorf("%s: %d", name, r.status)
		}
	}
	if r := b.submit(at, form("x")); r.status != http.StatusConflict {
		t.Errorf("no revision: %d", r.status)
	}
	if r := b.submit(at, form("2", "store", "birch")); r.status != http.StatusNotFound {
		t.Errorf("a store of somebody else: %d", r.status)
	}
	if now := w.column(`select name || ' ' || revision from alert_channels`)[0]; now != "Program 2" {
		t.Errorf("kept %s", now)
	}
	w.recorded(
		"person ada@example.com channel.changed name, store, alerts: Program at "+host+", now Renamed at "+host,
		"person ada@example.com channel.changed acme name, address, store, alerts: Renamed at "+host+", now Program at "+host,
		"person ada@example.com channel.tested Program at "+host,
	)
	if all := page.body + stale.body + b.get(at).body + w.log.String(); strings.Contains(all, "CANARY") || strings.Contains(all, "whsec_") {
		t.Error("the address or the secret is shown")
	}
}
