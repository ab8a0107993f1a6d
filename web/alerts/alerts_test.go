package alerts_test

import (
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/web/webtest"
)

// told records that a person was notified of the outage.
func told(w *webtest.World, alert string, person int64, state, said string) {
	w.T.Helper()
	w.Exec(`insert into alert_notices (alert_id, store_id, kind, person_id, created_at, at, state, reason)
		select id, store_id, 'opened', $2, opened_at, '2026-11-20 14:12Z', $3, to_jsonb($4::text) from alerts where id = $1::text::bigint`, alert, person, state, said)
}

func TestAnOutageIsShownWithWhatWasSeenAndWhoWasTold(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	w.Watched()
	b := w.SignedIn()
	noor, err := w.Access.CreatePerson(t.Context(), "noor@example.com", "Noor", access.Viewer)
	w.Must(err)
	w.Must(w.Access.GrantPerson(t.Context(), noor.ID, webtest.Own))
	id := w.Outage("rate-fell", "upsells")
	told(w, id, w.Person.ID, "sent", "")
	told(w, id, noor.ID, "waiting", "quiet hours until 07:00")
	for _, path := range []string{"/alerts", "/stores/acme/alerts"} {
		r := b.Get(path)
		w.Has(r, "Trouble with upsells", "Success rate fell", "It was 6.1% on 19 Nov 2026.", "since 20 Nov", "today", "Amount not known", "Day 19 Nov 2026", "That day 6.1%", "See the days", "you by mail on 20 Nov", locale.Name("Noor")+" by mail (quiet hours until 07:00)", "Inbox 1 , 1 open")
		w.HasNot(r, "Nothing is open", "Many true", "many true")
		if !strings.Contains(r.Body, `href="/stores/acme/sync"`) {
			t.Errorf("%s leads nowhere", path)
		}
	}
	// A viewer doesn't see who else was notified.
	r := w.SignedInAs(noor).Get("/alerts")
	w.Has(r, "you by mail (quiet hours until 07:00)", "1 other person")
	w.HasNot(r, "Ada")
}

// A server was updated or rolled back: an unknown alert must not cause an error page.
func TestAnAlertOfAnotherVersionIsShownAsWellAsCanBe(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	w.Watched()
	w.Exec(`insert into alerts (store_id, rule, subject, since, opened_at, title, text, evidence, href)
		select s.id, v.rule, v.subject, $1, $1, v.title, v.text, v.evidence, '' from stores s, (values
			('no-such-rule', '', '{"id": "alert.no_such"}'::jsonb, '[{"id": "alert.no_such"}]'::jsonb, '[1]'::jsonb),
			('drift', '', '{"id": "alert.campaign.ends"}', '{"id": 1}', '{"reported": {"money": "x"}, "stitched": null}'),
			('plan', '1', '[]', '"x"', '"y"'),
			('plan', '2', '{"id": "alert.plan.trial", "args": {"day": {"day": "2026-11-25"}}}', '["said"]', '{"ends": {"day": "2026-11-25", "year": true}}')
		) v (rule, subject, title, text, evidence) where s.slug = 'acme'`, w.Clock.Now())
	w.Exec(`insert into alert_notices (alert_id, store_id, kind, person_id, created_at, at, state, reason) select id, store_id, 'opened', $1, opened_at, opened_at, 'waiting', '{"id": "alert.no_such"}' from alerts`, w.Person.ID)
	b := w.SignedIn()
	for _, path := range []string{"/alerts", "/stores/acme/alerts"} {
		w.Has(b.Get(path), "An alert of a kind that no longer exists", "Totals don’t match daily data", "Gift trial ends on 25 Nov", "said", "Ends 25 Nov 2026", "Not notified yet: you by mail.")
	}
	for _, path := range []string{"/alerts.csv", "/alerts.xlsx", "/stores/acme"} {
		if r := b.Get(path); r.Status != http.StatusOK {
			t.Errorf("%s answers %d", path, r.Status)
		}
	}
	b.Send("/account/language", "language", "de")
	w.Has(b.Get("/alerts"), "Eine Warnung einer Art, die es nicht mehr gibt", "Summen passen nicht zu den Tageswerten", "Geschenk-Testphase endet am 25. Nov.", "Endet 25. Nov. 2026")
}

// Pages list and count current problems at once: only the messages wait.
func TestAProblemIsListedAndCountedBeforeAnyoneIsTold(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	w.Watched()
	w.Exec(`insert into alerts (store_id, rule, subject, since, seen_at, title, text)
		select id, 'embed-off', '', $1, $1, '{"id": "alert.widget.off"}', '[]' from stores where slug = 'acme'`, w.Clock.Now())
	b := w.SignedIn()
	for _, path := range []string{"/alerts", "/stores/acme/alerts"} {
		w.Has(b.Get(path), "Inbox 1", "Messages go out if this lasts until")
	}
	w.Has(b.Get("/stores/acme"), "Inbox 1", "The gift widget can’t appear")
	w.Has(b.Get("/alerts.csv"), "Messages go out if this lasts until")
}

func TestWhyNothingStandsThereIsSaid(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.SignedIn()
	w.Has(b.Get("/alerts"), "Alerts aren’t being checked", "Is the worker running?")
	w.Watched()
	r := b.Get("/alerts")
	w.Has(r, "Nothing to do")
	w.HasNot(r, "being checked")
	w.Has(b.Get("/alerts?group=data"), "Nothing matches")
	none := b.Get("/alerts?q=zzz")
	w.Has(none, "Nothing matches")
	w.HasNot(none, "Nothing to do")
	id := w.Outage("drift", "30")
	w.Exec(`update alerts set closed_at = '2026-11-20 15:00Z', end_cause = 'recovered' where id = $1::text::bigint`, id)
	w.Has(b.Get("/alerts"), "Nothing is open.", "Resolved", "open for 1 hour", "ended by itself")
	w.Clock.Add(31 * time.Minute)
	w.Has(b.Get("/alerts"), "Alerts aren’t being checked", "nothing is being checked right now")
	for _, query := range []string{"?group=nothing", "?state=closed", "?store=%3Cb%3E"} {
		if r := b.Get("/alerts" + query); r.Status != http.StatusBadRequest || !strings.Contains(r.Body, "from the list") {
			t.Errorf("%s: %d", query, r.Status)
		}
	}
}

func TestASnoozeHoldsForWhomItSaysAndUntilItsEnd(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	w.Watched()
	viewer, err := w.Access.CreatePerson(t.Context(), "noor@example.com", "Noor", access.Viewer)
	w.Must(err)
	w.Must(w.Access.GrantPerson(t.Context(), viewer.ID, webtest.Own))
	b, other := w.SignedIn(), w.SignedInAs(viewer)
	id := w.Outage("rate-fell", "upsells")
	w.Outage("drift", "30")
	w.Audit()
	count := func(b *webtest.Browser) string {
		t.Helper()
		if n := regexp.MustCompile(`, (\d+) open`).FindStringSubmatch(b.Get("/alerts").Body); n != nil {
			return n[1]
		}
		return "0"
	}
	snooze := func(b *webtest.Browser, reach, life string) webtest.Response {
		return b.Submit("/alerts/snoozes", url.Values{"alert": {id}, "reach": {reach}, "life": {life}})
	}
	for _, c := range []struct{ reach, life, done, mine, theirs, says string }{
		{"this-mine", "day", "snoozed_mine", "1", "2", "Snoozed for you until 21 Nov 2026"},
		{"rule-mine", "week", "snoozed_mine", "1", "2", "until 27 Nov 2026"},
		{"everywhere-mine", "ever", "snoozed_mine", "1", "2", "All of this kind are snoozed for you until you end it."},
		{"this-all", "week", "snoozed", "1", "1", "Snoozed for everyone until 27 Nov 2026"},
		{"rule-all", "ever", "snoozed", "1", "1", "All of this kind are snoozed for everyone until someone ends it."},
	} {
		if r := snooze(b, c.reach, c.life); r.Header.Get("Location") != "/alerts?done="+c.done {
			t.Fatalf("%s: %d", c.reach, r.Status)
		}
		r := b.Get("/alerts?state=snoozed")
		w.Has(r, "Trouble with upsells", c.says)
		if mine, theirs := count(b), count(other); mine != c.mine || theirs != c.theirs {
			t.Errorf("%s: %s open for who snoozed and %s for the other", c.reach, mine, theirs)
		}
		if found := strings.Contains(other.Get("/alerts?state=snoozed").Body, "Trouble with upsells"); found != (c.theirs == "1") {
			t.Errorf("%s: the other finds it snoozed: %v", c.reach, found)
		}
		end := w.Column(`select id::text from alert_snoozes where ended_at is null`)[0]
		if strings.HasSuffix(c.reach, "-all") {
			if r := other.Submit("/alerts/snoozes/"+end+"/end", nil); r.Status != http.StatusNotFound {
				t.Errorf("a viewer ends a snooze for everyone: %d", r.Status)
			}
		} else if r := other.Submit("/alerts/snoozes/"+end+"/end", nil); r.Status != http.StatusNotFound {
			t.Errorf("someone ends another’s snooze: %d", r.Status)
		}
		if r := b.Submit("/alerts/snoozes/"+end+"/end", url.Values{"at": {"acme"}}); r.Header.Get("Location") != "/stores/acme/alerts?done=snooze_ended" {
			t.Errorf("%s: %d %s", c.reach, r.Status, r.Header.Get("Location"))
		}
	}
	w.Recorded(
		"person ada@example.com alert.snoozed acme Success rate fell, until 27 Nov, 15:30", "person ada@example.com alert.snooze-ended acme Success rate fell",
		"person ada@example.com alert.snoozed acme Success rate fell, until ended", "person ada@example.com alert.snooze-ended acme Success rate fell",
	)
	snooze(b, "this-mine", "ever")
	snooze(b, "this-mine", "week") // in another tab
	if live := w.Column(`select until::text from alert_snoozes where ended_at is null`); len(live) != 1 || !strings.HasPrefix(live[0], "2026-11-27") {
		t.Errorf("snoozed twice, until %v", live)
	}
	b.Submit("/alerts/snoozes/"+w.Column(`select id::text from alert_snoozes where ended_at is null`)[0]+"/end", nil)
	for _, reach := range []string{"this-all", "rule-all"} {
		if r := snooze(other, reach, "ever"); r.Status != http.StatusForbidden {
			t.Errorf("a viewer snoozes for everyone: %d", r.Status)
		}
	}
	for _, c := range [][2]string{{"everywhere-all", "day"}, {"", "day"}, {"this-mine", ""}, {"this-mine", "x"}} {
		if r := snooze(b, c[0], c[1]); r.Status != http.StatusBadRequest {
			t.Errorf("%q: %d", c, r.Status)
		}
	}
	snooze(b, "this-mine", "day")
	w.Clock.Add(25 * time.Hour)
	if n := count(b); n != "2" {
		t.Errorf("%s open after the snooze’s end", n)
	}
}

// Tab, chips, title, store and list count the same rows, and so does the header.
func TestN73TheInboxCountsOneList(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	w.Watched()
	w.Outage("rate-fell", "upsells")
	w.Outage("drift", "30")
	w.Outage("embed-off", "")
	b := w.SignedIn()
	r := b.Get("/alerts")
	w.Has(r, "Inbox 3 , 3 open", "3 things to do.", "Open 3", "Snoozed 0", "Resolved 0", "All 3", "Broken 1", "Money 1", "Offers 0", "Data 1", "3 open")
	if n := strings.Count(r.Body, `class="inbox-row`); n != 3 {
		t.Errorf("%d rows", n)
	}
	r = b.Get("/alerts?group=money")
	w.Has(r, "Trouble with upsells", "All 3")
	w.HasNot(r, "Trouble with 30")
	r = b.Get("/alerts?q=with+30")
	w.Has(r, "Trouble with 30", "All 1", "Open 1")
	w.HasNot(r, "Trouble with upsells", "Resolved 0")
}

func TestAnAlertIsAssignedDoneAndOpenedAgain(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	w.Watched()
	noor, err := w.Access.CreatePerson(t.Context(), "noor@example.com", "Noor", access.Viewer)
	w.Must(err)
	w.Must(w.Access.GrantPerson(t.Context(), noor.ID, webtest.Own))
	stranger, err := w.Access.CreatePerson(t.Context(), "sol@example.com", "Sol", access.Viewer)
	w.Must(err)
	id := w.Outage("embed-off", "")
	b, viewer := w.SignedIn(), w.SignedInAs(noor)
	w.Audit()
	at := "/alerts/" + id
	if r := b.Submit(at+"/assign", url.Values{"person": {fmt.Sprint(noor.ID)}}); r.Header.Get("Location") != "/alerts?done=assigned" {
		t.Fatalf("assign: %d", r.Status)
	}
	w.Has(b.Get("/alerts?done=assigned"), "Assigned to "+locale.Name("Noor"), "Assigned.")
	if r := b.Submit(at+"/assign", url.Values{"person": {fmt.Sprint(stranger.ID)}}); r.Status != http.StatusNotFound {
		t.Errorf("to someone who may not see the store: %d", r.Status)
	}
	for _, what := range []string{"/assign", "/done", "/open"} {
		if r := viewer.Submit(at+what, nil); r.Status != http.StatusForbidden {
			t.Errorf("a viewer: %s %d", what, r.Status)
		}
	}
	if r := b.Submit(at+"/done", url.Values{"at": {"acme"}}); r.Header.Get("Location") != "/stores/acme/alerts?done=ended" {
		t.Fatalf("done: %d", r.Status)
	}
	r := b.Get("/alerts")
	w.Has(r, "Nothing is open.", "done by", "Reopen", "Resolved 1")
	w.HasNot(r, ", 1 open")
	w.Has(b.Get("/alerts.csv"), ",done,")
	if r := b.Submit(at+"/open", nil); r.Header.Get("Location") != "/alerts?done=opened" {
		t.Fatalf("open: %d", r.Status)
	}
	w.Has(b.Get("/alerts"), "Inbox 1 , 1 open")
	w.Recorded(
		"person ada@example.com alert.assigned acme App embed is off to Noor",
		"person ada@example.com alert.done acme App embed is off", "person ada@example.com export.downloaded alerts.csv", "person ada@example.com alert.reopened acme App embed is off",
	)
}

func TestHistoryIsPagedAndItsFilesAreWhole(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	w.Watched()
	w.Exec(`insert into alerts (store_id, rule, subject, since, opened_at, closed_at, end_cause, title, text)
		select s.id, case when n % 2 = 0 then 'drift' else 'plan' end, n::text, $1::timestamptz - n * interval '1 hour', $1::timestamptz - n * interval '1 hour', $1::timestamptz - n * interval '1 minute', 'recovered', to_jsonb('Number ' || n || '.'), '[]'
		from stores s, generate_series(1, 120) n where s.slug = 'acme'`, w.Clock.Now().Add(-24*time.Hour))
	w.Outage("drift", "open")
	b := w.SignedIn()
	number := regexp.MustCompile(`Number (\d+)\.`)
	var all []string
	path := "/alerts?state=resolved"
	for pages := 0; path != ""; pages++ {
		r := b.Get(path)
		for _, n := range number.FindAllStringSubmatch(r.Body, -1) {
			all = append(all, n[1])
		}
		next := regexp.MustCompile(`rel="next" href="([^"]+)"`).FindStringSubmatch(r.Body)
		if path = ""; next != nil {
			path = html.UnescapeString(next[1])
			w.Exec(`insert into alerts (store_id, rule, subject, since, opened_at, closed_at, end_cause, title, text) select id, 'plan', 'new' || $2::integer, $1, $1, $1, 'gone', '""', '[]' from stores where slug = 'acme'`, w.Clock.Now(), pages)
		}
	}
	var want []string
	for n := 1; n <= 120; n++ {
		want = append(want, fmt.Sprint(n))
	}
	if strings.Join(all, " ") != strings.Join(want, " ") {
		t.Errorf("the pages hold %v", all)
	}
	file := b.Get("/alerts.csv?group=data&store=acme")
	if n := strings.Count(file.Body, "\nacme,"); n != 61 || !strings.Contains(file.Body, "Trouble with open") {
		t.Errorf("the file holds %d", n)
	}
	if n := len(number.FindAllString(b.Get("/alerts.csv?state=open").Body, -1)); n != 0 {
		t.Errorf("the file of the open ones holds %d that are over", n)
	}
}

func TestHowOneIsToldIsOnesOwn(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.SignedIn()
	r := b.Get("/alerts/settings")
	w.Has(r, "ada@example.com", "This server doesn’t send mail yet")
	for _, want := range []string{`name="mail" value="true" checked`, `value="credential" checked`, `value="drift">`, `name="campaign_days" value="3"`, `value="UTC" selected`} {
		if !strings.Contains(r.Body, want) {
			t.Errorf("the form lacks %s", want)
		}
	}
	form := func() url.Values {
		return url.Values{"mail": {"true"}, "rule": {"credential", "drift"}, "quiet": {"true"}, "from": {"22:30"}, "to": {"06:15"}, "zone": {"Asia/Tokyo"}, "campaign_days": {"7"}}
	}
	if r := b.Submit("/alerts/settings", form()); r.Header.Get("Location") != "/alerts/settings?done=saved" {
		t.Fatalf("%d", r.Status)
	}
	r = b.Get("/alerts/settings?done=saved")
	for _, want := range []string{`value="credential" checked`, `value="drift" checked`, `value="plan">`, `name="from" value="22:30"`, `name="to" value="06:15"`, `value="Asia/Tokyo" selected`, `name="campaign_days" value="7"`, `name="recoveries" value="true">`} {
		if !strings.Contains(r.Body, want) {
			t.Errorf("the form lacks %s", want)
		}
	}
	if kept := w.Column(`select rule || ' ' || mail from alert_preferences where rule in ('drift', 'plan', 'credential') order by 1`); strings.Join(kept, ", ") != "drift true, plan false" {
		t.Errorf("kept %q", kept)
	}
	marked := map[string]string{"from": "quiet", "to": "quiet", "zone": "zone", "campaign_days": "campaign_days"}
	for field, wrong := range map[string]string{"from": "06:15", "to": "late", "zone": "Local", "campaign_days": "31", "rule": "nothing"} {
		f := form()
		f.Set(field, wrong)
		if r := b.Submit("/alerts/settings", f); r.Status != http.StatusUnprocessableEntity || webtest.WrongField(r) != marked[field] {
			t.Errorf("%s %s: %d, marks %q", field, wrong, r.Status, webtest.WrongField(r))
		}
	}
	opened := webtest.OpenedWith(r)
	changed := func(days string) webtest.Response {
		f := form()
		f.Set("campaign_days", days)
		f.Set("opened", opened)
		return b.Submit("/alerts/settings", f)
	}
	if r, again := changed("8"), changed("8"); r.Status != http.StatusSeeOther || again.Status != http.StatusSeeOther {
		t.Errorf("changed, and sent twice: %d, %d", r.Status, again.Status)
	}
	if r = changed("9"); r.Status != http.StatusConflict || !strings.Contains(r.Body, `name="campaign_days" value="8"`) || webtest.OpenedWith(r) == opened {
		t.Errorf("changed in another window: %d, or not what is stored", r.Status)
	}
	w.Has(r, "These settings were changed in another window")
	if opened = webtest.OpenedWith(r); changed("9").Status != http.StatusSeeOther {
		t.Error("the form that shows what is stored can't be saved")
	}
	other, err := w.Access.CreatePerson(t.Context(), "noor@example.com", "Noor", access.Viewer)
	w.Must(err)
	r = w.SignedInAs(other).Get("/alerts/settings")
	w.Has(r, "Channels are for agency members")
	w.HasNot(r, "Add a channel", "06:15")
}
