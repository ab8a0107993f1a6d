package alert_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-smtp"

	"github.com/storeglass/storeglass/internal/fact"
)

func TestABrokenChannelStopsNoOtherAndIsSwitchedOffWithAWord(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ada := w.person("ada")
	broken := w.channel(ada, fact.Webhook, "/broken")
	w.channel(ada, fact.Webhook, "/hook")
	w.answer = func(path string) int { return map[bool]int{true: 500, false: 200}[path == "/broken"] }
	w.refuse()
	w.round()
	w.equal("mail", w.mails(), opened)
	first := w.received()
	slices.Sort(first)
	if len(first) != 2 || !strings.HasPrefix(first[0], "/broken 500 msg_") || !strings.HasPrefix(first[1], "/hook 200 msg_") {
		t.Fatalf("%q", first)
	}
	w.later(2 * time.Minute)
	if again := w.received(); len(again) != 1 || again[0] != first[0] {
		t.Errorf("a repeat is another message: %q, then %q", first[0], again)
	}
	for range 30 {
		w.later(6 * time.Hour)
		w.exec(`update credentials set state = 'good' where service = 'upsell'`)
		w.later(time.Minute)
		w.refuse()
		w.later(time.Minute)
	}
	w.equal("the channel", w.rows(`select off_cause from alert_channels where id = $1`, broken), "failing")
	told := 0
	for _, m := range w.mails() {
		if m == "ada@example.com: Alerts no longer go to webhook of the shop" {
			told++
		}
	}
	if told != 1 {
		t.Errorf("its owner was told %d times", told)
	}
	w.received()
	w.later(24 * time.Hour)
	for _, g := range w.received() {
		if strings.HasPrefix(g, "/broken") {
			t.Errorf("%s after it was switched off", g)
		}
	}
	if w.rows(`select count(*)::text from alert_channels where off_at is null`)[0] != "1" {
		t.Error("the other channel was switched off too")
	}
}

// A mail server that is slow to confirm gets the mail once. If the process that waited dies,
// the server gets the same mail again, after it has had time to answer.
func TestAMailThatIsNotAnsweredYetIsLeftAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.person("ada")
	w.refuse()
	w.must(w.Check(t.Context()))
	w.must(w.Pack(t.Context()))
	w.exec(`update alert_letters set held_until = $1, claim = claim + 1`, w.clock().Add(11*time.Minute))
	ids := w.rows(`select message_id from alert_letters`)
	w.at(w.clock().Add(10 * time.Minute))
	w.must(w.Deliver(t.Context()))
	w.equal("mails while it may still answer", w.mails())
	w.at(w.clock().Add(time.Minute))
	w.must(w.Deliver(t.Context()))
	got := <-w.server.Got
	if id := strings.Trim(w.header(got.Raw).Get("Message-ID"), "<>"); id != ids[0] {
		t.Errorf("sent as %s, first as %s", id, ids[0])
	}
	w.equal("letters", w.rows(`select state || ' ' || (body is null) from alert_letters`), "sent true")
}

// A job was wrongly taken for dead, and another has started its message since. Only the
// later one may record the result.
func TestOnlyWhoBeganAMessageLastWritesItsEnd(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ada := w.person("ada")
	w.channel(ada, fact.Webhook, "/hook")
	later := w.clock().Add(time.Hour)
	w.answer = func(string) int {
		w.exec(`update alert_letters set claim = claim + 1, next_at = $1 where channel_id is not null`, later)
		return 200
	}
	w.refuse()
	w.round()
	w.equal("the channel's message", w.rows(`select state || ' ' || (body is null) from alert_letters where channel_id is not null`), "ready false")
}

func TestAMailServerThatIsAwayHarmsNobodyAndNoChannelWaitsForIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ada := w.person("ada")
	w.channel(ada, fact.Webhook, "/hook")
	w.server.AtReader = func(string) error { return &smtp.SMTPError{Code: 451, Message: "later"} }
	w.refuse()
	w.round()
	w.equal("messages", w.events(), "/hook alert.opened")
	w.server.AtReader = nil
	for range 3 {
		w.later(10 * time.Minute)
	}
	w.equal("mails", w.mails(), opened)
}

func TestGarbageInARowStopsNoOtherStore(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.person("ada")
	var bad int64
	w.must(w.DB.Pool.QueryRow(t.Context(), `insert into stores (slug, name, timezone) values ('bad', 'Bad', 'Mars/Olympus') returning id`).Scan(&bad))
	w.exec(`insert into gift_health (store_id, section, body, fetched_at) values ($1, 'theme', '"x"', $2), ($1, 'issues', '{"a": [1]}', $2)`, w.store, w.clock())
	w.exec(`insert into gift_plans (store_id, body, fetched_at) values ($1, '[1, 2]', $2)`, w.store, w.clock())
	w.exec(`insert into alert_checks (store_id, worked) values ($1, '"x"')`, w.store)
	w.exec(`insert into alerts (store_id, rule, subject, since, opened_at, title, text, evidence) values ($1, 'no-such-rule', '', $2, $2, '"x"', '"x"', '[1]'), ($1, 'campaign-ending', '7', $2, $2, '[]', '{"id": 1}', '"y"')`, w.store, w.clock())
	w.refuse()
	if err := w.Check(t.Context()); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("check store %d", bad)) {
		t.Errorf("%v", err)
	}
	w.must(w.Pack(t.Context()))
	w.must(w.Deliver(t.Context()))
	w.equal("mails", w.mails(), opened)
	w.equal("what no rule knows any more", w.rows(`select end_cause from alerts where rule = 'no-such-rule'`), "gone")
}

func TestHostileNamesBreakNoMailAndNoMessage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ada := w.person("ada")
	w.channel(ada, fact.Slack, "/slack")
	w.exec(`update stores set name = $1`, "A\r\nBcc: eve@example.com\r\n\r\n<script>alert(1)</script>\u202e")
	w.exec(`update credentials set paused_said = 'x'`)
	w.refuse()
	w.exec(`update credentials set paused_said = '</p><img src=x onerror=alert(1)> <!channel> =cmd()' where service = 'upsell'`)
	w.round()
	m := <-w.server.Got
	h := w.header(m.Raw)
	if h.Get("Bcc") != "" || m.To != "ada@example.com" || strings.ContainsAny(decoded(h.Get("Subject")), "\r\n\u202e") {
		t.Errorf("headers %v", h)
	}
	if strings.Contains(m.Raw, "<script>") && !strings.Contains(m.Raw, "&lt;script&gt;") || strings.Contains(m.Raw, "<img src=x") && !strings.Contains(m.Raw, "&lt;img") {
		t.Error(m.Raw)
	}
	for _, g := range w.received() {
		if !json.Valid([]byte(strings.SplitN(g, " ", 4)[3])) || strings.Contains(g, "<!channel>") {
			t.Error(g)
		}
	}
}

func TestNothingSecretOfAChannelIsLoggedOrKeptInTheClear(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ada := w.person("ada")
	w.channel(ada, fact.Webhook, "/services/cnry00001cnry00002")
	w.answer = func(string) int { return 500 }
	w.refuse()
	w.round()
	text := w.log.String() + strings.Join(w.rows(`select to_jsonb(c)::text from alert_channels c union all select to_jsonb(l)::text from alert_letters l union all select to_jsonb(n)::text from alert_notices n`), "\n")
	if strings.Contains(text, "cnry0000") {
		t.Error(text)
	}
	if !strings.Contains(text, "alert.hook.answered") {
		t.Error("nobody is notified what went wrong")
	}
}
