package alert_test

import (
	"mime"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-smtp"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/dbtest"
	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/mail/mailtest"
)

func decoded(header string) string {
	text, err := new(mime.WordDecoder).DecodeHeader(header)
	if err != nil {
		return header
	}
	return text
}

const (
	opened    = "ada@example.com: Acme: Upsell token refused"
	recovered = "ada@example.com: Acme: resolved: Upsell app answers again"
)

func TestAnOutageIsToldOnceAndItsRecoveryOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ada := w.person("ada")
	w.channel(ada, fact.Webhook, "/hook")
	w.channel(ada, fact.Slack, "/slack")
	w.round()
	w.equal("while all is well", w.mails())
	w.refuse()
	for range 5 {
		w.round()
		w.later(20 * time.Minute)
	}
	w.equal("mails of the outage", w.mails(), opened)
	w.equal("messages of the outage", w.events(), "/hook alert.opened", "/slack ")
	w.resume()
	for range 3 {
		w.later(20 * time.Minute)
	}
	w.equal("mails of the recovery", w.mails(), recovered)
	w.equal("messages of the recovery", w.events(), "/hook alert.recovered", "/slack ")
	w.equal("rows", w.rows(`select rule || ' ' || subject || ' ' || end_cause from alerts`), "credential upsell recovered")
	w.equal("notices", w.rows(`select kind || ' ' || state || ' ' || count(*) from alert_notices group by kind, state order by 1`), "opened sent 3", "recovered sent 3")
}

func TestARecoveryIsInTheThreadOfItsOutage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.person("ada")
	w.refuse()
	w.round()
	first := w.header((<-w.server.Got).Raw)
	w.resume()
	w.later(time.Hour)
	raw := (<-w.server.Got).Raw
	second := w.header(raw)
	if first.Get("Message-ID") == "" || second.Get("References") != first.Get("Message-ID") || second.Get("In-Reply-To") != first.Get("Message-ID") || second.Get("Auto-Submitted") != "auto-generated" {
		t.Errorf("%v after %v", second, first)
	}
	for _, want := range []string{"https://shop.example/alerts?store=", "https://shop.example/alerts/settings", "text/plain", "text/html"} {
		if !strings.Contains(strings.ReplaceAll(raw, "=\r\n", ""), strings.ReplaceAll(want, "=", "=3D")) {
			t.Errorf("the mail lacks %s:\n%s", want, raw)
		}
	}
}

func TestWhoWantsNoRecoveriesIsToldOfOutagesAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.exec(`insert into alert_settings (person_id, recoveries) values ($1, false)`, w.person("ada"))
	w.refuse()
	w.round()
	w.resume()
	w.later(time.Hour)
	w.equal("mails", w.mails(), opened)
}

func TestTwoWorkersAtOnceTellOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ada := w.person("ada")
	w.channel(ada, fact.Webhook, "/hook")
	for range 4 {
		w.engine(w.another(db.From(dbtest.As(t, w.DB.Pool, db.Worker), 60)))
	}
	w.refuse()
	w.until("told", `select state from alert_notices where kind = 'opened'`, "sent", "sent")
	w.equal("mails", w.mails(), opened)
	w.equal("messages", w.events(), "/hook alert.opened")
	w.at(w.clock().Add(time.Hour))
	w.resume()
	w.until("told", `select state from alert_notices where kind = 'recovered'`, "sent", "sent")
	w.equal("mails", w.mails(), recovered)
	w.equal("messages", w.events(), "/hook alert.recovered")
	if strings.Contains(w.log.String(), "level=ERROR") {
		t.Error(w.log)
	}
}

func TestOnlyThoseAreToldWhoHoldTheStoreAndWantToKnow(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.person("ada")
	w.exec(`update people set role = 'admin' where id = $1`, w.person("root"))
	w.exec(`delete from grants where person_id = $1`, w.person("stranger"))
	w.exec(`update people set disabled_at = now() where id = $1`, w.person("gone"))
	w.exec(`update people set joined_at = null where id = $1`, w.person("invited"))
	w.exec(`insert into alert_settings (person_id, mail) values ($1, false)`, w.person("silent"))
	w.exec(`insert into alert_preferences (person_id, rule, mail) values ($1, 'credential', false)`, w.person("choosy"))
	w.exec(`insert into suppressions (address, cause) values ('bounced@example.com', '"x"')`)
	w.person("bounced")
	north := w.rows(`insert into groups (name) values ('North') returning id::text`)[0]
	w.exec(`insert into group_stores (group_id, store_id) values ($1::text::bigint, $2)`, north, w.store)
	grouped := w.person("grouped")
	w.exec(`delete from grants where person_id = $1`, grouped)
	w.exec(`insert into grants (person_id, group_id) values ($1, $2::text::bigint)`, grouped, north)
	w.refuse()
	w.round()
	w.equal("told", w.mails(), opened, "grouped@example.com: Acme: Upsell token refused", "root@example.com: Acme: Upsell token refused")
}

func TestQuietHoursHoldAndWhatIsOverByThenIsNotTold(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ada := w.person("ada")
	w.exec(`insert into alert_settings (person_id, quiet_from, quiet_to, zone) values ($1, 22 * 60, 7 * 60, 'Europe/Berlin')`, ada)
	w.at(time.Date(2026, 11, 20, 22, 0, 0, 0, time.UTC)) // 23:00 in Berlin
	w.pulled()
	w.refuse()
	w.round()
	w.equal("at night", w.mails())
	w.equal("waits", w.rows(`select state || ': ' || (reason ->> 'id') || (reason -> 'args')::text from alert_notices`), `waiting: alert.unsent.quiet{"time": {"clock": 420}}`)
	w.at(time.Date(2026, 11, 21, 5, 59, 0, 0, time.UTC))
	w.round()
	w.equal("at 6:59", w.mails())
	w.at(time.Date(2026, 11, 21, 6, 0, 0, 0, time.UTC))
	w.round()
	w.equal("at 7:00", w.mails(), opened)
	w.at(time.Date(2026, 11, 21, 23, 0, 0, 0, time.UTC))
	w.resume()
	w.round()
	w.equal("recovered at night", w.mails())
	w.at(time.Date(2026, 11, 22, 7, 0, 0, 0, time.UTC))
	w.pulled()
	w.round()
	w.equal("told of it in the morning", w.mails(), recovered)

	w.at(time.Date(2026, 11, 22, 23, 0, 0, 0, time.UTC))
	w.refuse()
	w.round()
	w.at(w.clock().Add(time.Hour))
	w.resume()
	w.round()
	w.at(time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC))
	w.pulled()
	w.round()
	w.equal("of an outage within one night", w.mails())
	w.equal("its notice", w.rows(`select kind || ' ' || state from alert_notices where alert_id = (select max(id) from alerts)`), "opened dropped")
}

// Clocks go forward across the end of quiet hours, or back across it. In both nights the
// notice goes out once, when the clock shows the end.
func TestQuietHoursEndWhenTheClockShowsIt(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ night, still, over time.Time }{
		"put forward over the end": {time.Date(2027, 3, 27, 23, 0, 0, 0, time.UTC), time.Date(2027, 3, 28, 0, 59, 0, 0, time.UTC), time.Date(2027, 3, 28, 1, 0, 0, 0, time.UTC)},
		"put back over the end":    {time.Date(2026, 10, 24, 22, 0, 0, 0, time.UTC), time.Date(2026, 10, 25, 0, 29, 0, 0, time.UTC), time.Date(2026, 10, 25, 0, 30, 0, 0, time.UTC)},
	} {
		w := newWorld(t)
		w.exec(`insert into alert_settings (person_id, quiet_from, quiet_to, zone) values ($1, 22 * 60, 2 * 60 + 30, 'Europe/Berlin')`, w.person("ada"))
		w.at(c.night)
		w.pulled()
		w.refuse()
		w.round()
		w.at(c.still)
		w.round()
		w.equal(name+": still", w.mails())
		w.at(c.over)
		w.round()
		for range 5 {
			w.later(15 * time.Minute)
		}
		w.equal(name+": over", w.mails(), opened)
	}
}

func TestASnoozeHoldsBackAndWhatIsStillWrongIsSaidAfterwards(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ada, bob := w.person("ada"), w.person("bob")
	w.channel(ada, fact.Webhook, "/hook")
	w.exec(`insert into alert_snoozes (rule, person_id, until) values ('credential', $1, $2)`, ada, noon.Add(time.Hour))
	w.exec(`insert into alert_snoozes (rule, person_id) values ('embed-off', $1)`, bob)
	w.refuse()
	w.round()
	w.equal("while snoozed for ada", w.mails(), "bob@example.com: Acme: Upsell token refused")
	w.equal("channels", w.events(), "/hook alert.opened")
	w.later(2 * time.Hour)
	w.equal("afterwards", w.mails(), opened)

	w.resume()
	w.later(time.Hour)
	w.mails()
	w.received()
	w.exec(`insert into alert_snoozes (store_id, rule, subject) values ($1, 'credential', 'upsell')`, w.store)
	w.refuse()
	w.later(time.Minute)
	w.equal("snoozed for everyone", append(w.mails(), w.events()...))
	w.exec(`update alert_snoozes set ended_at = now()`)
	w.later(time.Minute)
	w.equal("ended", w.mails(), opened, "bob@example.com: Acme: Upsell token refused")
}

func TestWhatComesAndGoesIsToldOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.person("ada")
	plan := func(exceeded bool) {
		w.exec(`insert into gift_plans (store_id, body, fetched_at) values ($1, jsonb_build_object('campaigns_exceeded', $2::boolean), $3)
			on conflict (store_id) do update set body = excluded.body, fetched_at = excluded.fetched_at`, w.store, exceeded, w.clock())
	}
	for n := range 40 {
		w.at(w.clock().Add(5 * time.Minute))
		plan(n%3 != 2)
		w.pulled()
		w.round()
	}
	w.equal("while it flaps", w.mails(), "ada@example.com: Acme: More gift campaigns than the plan allows")
	plan(false)
	for range 20 {
		w.later(5 * time.Minute)
	}
	w.equal("calm", w.mails(), "ada@example.com: Acme: resolved: The gift plan covers your campaigns again")
}

func TestSeveralAlertsOfOnePersonAreOneMail(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.person("ada")
	w.refuse()
	w.exec(`insert into gift_plans (store_id, body, fetched_at) values ($1, '{"campaigns_exceeded": true}', $2)`, w.store, w.clock())
	w.round()
	w.equal("mails", w.mails(), "ada@example.com: Acme: 2 alerts")

	w.resume()
	w.exec(`update gift_plans set body = '{"campaigns_exceeded": false}', fetched_at = $1`, w.clock())
	w.must(w.Check(t.Context()))
	w.at(w.clock().Add(2 * time.Hour))
	w.exec(`update gift_plans set fetched_at = $1`, w.clock())
	w.pulled()
	w.round()
	w.equal("mails of their end", w.mails(), "ada@example.com: Acme: 2 alerts resolved")
}

func TestAnAlertMailLooksLikeTheBrandAndSaysWhereToEndIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.person("ada")
	w.exec(`insert into branding (name, accent) values ('Northwind', '#7a2ea0')`)
	w.refuse()
	w.round()
	raw := (<-w.server.Got).Raw
	h := w.header(raw)
	for name, want := range map[string]string{
		"From": `"Northwind" <reports@example.com>`, "List-Id": "<alerts.example.com>", "List-Unsubscribe": "<" + stopLink.FindString(raw) + ">", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
	} {
		if got := h.Get(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	html := strings.ReplaceAll(strings.ReplaceAll(raw, "=\r\n", ""), "=3D", "=")
	if !strings.Contains(html, "<bdi>Northwind</bdi>") || strings.Contains(html, "#0e6259") {
		t.Error(html)
	}
	mailtest.Buttons(t, html, 1)
	if !strings.Contains(html, `/stores/acme/sync"`) || !strings.Contains(html, ">See the updates</a>") {
		t.Error("the button doesn't say where it leads")
	}
}

func TestAnOutageOfManyStoresIsOneMail(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ada := w.person("ada")
	w.channel(ada, fact.Slack, "/slack")
	w.exec(`update people set role = 'admin'`)
	w.exec(`update alert_channels set store_id = null`)
	w.exec(`with s as (insert into stores (slug, name, timezone) select 's' || n, 'Shop ' || n, 'UTC' from generate_series(1, 120) n returning id)
		insert into credentials (store_id, service, base_url, token_sealed, key_id, budget, state) select id, 'upsell', 'https://x', '', '', '', 'good' from s`)
	w.refuse()
	w.round()
	m := <-w.server.Got
	if got := w.subject(m.Raw); got != "Acme, Shop 1 and 119 more stores: 121 alerts" {
		t.Errorf("subject %q", got)
	}
	if !strings.Contains(m.Raw, "And 91 more: https://shop.example/alerts") || len(m.Raw) > 102<<10 {
		t.Errorf("%d bytes", len(m.Raw))
	}
	w.equal("other mails", w.mails())
	w.equal("messages", w.events(), "/slack ")
	w.equal("notices", w.rows(`select state || ' ' || count(*) from alert_notices group by state`), "sent 242")
}

// However many stores an outage affects and whenever each joins, a person gets one message
// about it, one about its end, and none about a token. Tokens still refused after that alert as usual.
func TestN70AnOutageIsOneMessageForAllStores_N37(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ada := w.person("ada")
	w.exec(`update people set role = 'admin'`)
	w.channel(ada, fact.Webhook, "/hook")
	w.exec(`update alert_channels set store_id = null`)
	for _, slug := range []string{"birch", "cedar", "dogwood"} {
		w.exec(`with s as (insert into stores (slug, name, timezone) values ($1, $1, 'UTC') returning id)
			insert into credentials (store_id, service, base_url, token_sealed, key_id, budget, state) select id, 'upsell', 'https://x.example', '', '', '', 'good' from s`, slug)
	}
	set := func(credentials, where string) {
		w.exec(`update credentials c set ` + credentials + ` from stores s where s.id = c.store_id and c.service = 'upsell' and ` + where)
		w.exec(`update stores set revision = revision + 1`)
	}
	began, later := w.clock(), func(minutes int) { w.at(w.clock().Add(time.Duration(minutes) * time.Minute)); w.round() }
	refused := `paused_cause = 'token', paused_said = 'Invalid token', paused_at = '` + began.Format(time.RFC3339) + `', next_probe_at = '` + began.Add(24*time.Hour).Format(time.RFC3339) + `'`
	set(`state = 'doubtful', `+refused, `true`)
	later(1)
	w.equal("while it may pass", w.mails())
	set(`outage_since = c.paused_at`, `s.slug <> 'dogwood'`)
	later(1)
	later(12)
	w.equal("mails", w.mails(), "ada@example.com: Acme: Upsell app is refusing the tokens of many stores")
	w.equal("messages", w.events(), "/hook alert.opened")
	set(`outage_since = c.paused_at`, `s.slug = 'dogwood'`)
	later(1)
	later(12)
	w.equal("one that joins", w.mails())
	w.equal("one that joins", w.events())
	w.equal("open alerts", w.rows(`select rule || ' ' || count(*) from alerts where opened_at is not null and closed_at is null group by rule`), "outage 4")

	set(`state = 'good', paused_cause = null, paused_said = null, paused_at = null, next_probe_at = null, outage_since = null`, `s.slug <> 'cedar'`)
	set(`outage_since = null`, `s.slug = 'cedar'`)
	later(1)
	w.equal("its end", w.mails(), "ada@example.com: Acme: resolved: Upsell app answers again")
	w.equal("its end", w.events(), "/hook alert.recovered")
	set(`state = 'paused'`, `s.slug = 'cedar'`)
	later(10)
	w.equal("what is still refused", w.mails(), "ada@example.com: cedar: Upsell token refused")
}

func TestAChannelSaysWhatItsOwnerMaySee(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ada := w.person("ada")
	w.channel(ada, fact.Webhook, "/hook")
	w.channel(w.person("bob"), fact.Webhook, "/bob")
	w.exec(`delete from grants where person_id = $1`, ada)
	reader := w.person("reader")
	w.channel(reader, fact.Webhook, "/reader")
	w.exec(`update people set role = 'viewer' where id = $1`, reader) // who may no longer share anything
	w.refuse()
	w.round()
	w.equal("told", w.events(), "/bob alert.opened")
}

func TestWhoLosesTheStoreMeanwhileGetsNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ada := w.person("ada")
	w.channel(ada, fact.Webhook, "/hook")
	w.refuse()
	w.must(w.Check(t.Context()))
	w.must(w.Pack(t.Context()))
	w.exec(`delete from grants where person_id = $1`, ada)
	w.must(w.Deliver(t.Context()))
	w.equal("told", append(w.mails(), w.events()...))
	w.equal("notices", w.rows(`select distinct state from alert_notices`), "dropped")
}

func TestWhoLosesOneStoreMeanwhileIsToldOfTheOthers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ada := w.person("ada")
	w.channel(ada, fact.Slack, "/slack")
	w.exec(`update alert_channels set store_id = null`)
	w.exec(`with s as (insert into stores (slug, name, timezone) values ('birch', 'Birch', 'UTC') returning id), g as (insert into grants (person_id, store_id) select $1, id from s)
		insert into credentials (store_id, service, base_url, token_sealed, key_id, budget, state) select id, 'upsell', 'https://x.example', '', '', '', 'good' from s`, ada)
	w.server.AtReader = func(string) error { return &smtp.SMTPError{Code: 451, Message: "later"} }
	w.answer = func(string) int { return 500 }
	w.refuse()
	w.round()
	w.equal("put off", w.rows(`select state || ' ' || failures from alert_letters`), "ready 1", "ready 1")
	w.server.AtReader, w.answer = nil, nil
	w.received()
	w.exec(`delete from grants where store_id <> $1`, w.store)
	w.at(w.clock().Add(5 * time.Minute))
	w.must(w.Deliver(t.Context()))
	w.equal("mails", w.mails(), opened)
	if got := w.received(); len(got) != 1 || !strings.Contains(got[0], "Acme") || strings.Contains(got[0], "Birch") {
		t.Errorf("messages: %q", got)
	}
	w.equal("notices", w.rows(`select s.slug || ' ' || n.state || ': ' || coalesce(n.reason ->> 'id', n.reason #>> '{}') from alert_notices n join stores s on s.id = n.store_id group by 1 order by 1`),
		"acme sent: ", "birch dropped: alert.unsent.no_access")
}

func TestACampaignIsToldOfAsEarlyAsItsReaderWants(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ada := w.person("ada")
	w.person("bob")
	w.exec(`insert into alert_settings (person_id, campaign_days) values ($1, 7)`, ada)
	w.exec(`insert into gift_campaigns (store_id, campaign_id, name, status, type, target_page, end_date, position, first_seen_at, last_listed_at)
		values ($1, '7', 'Tote', 'active', '', '', '2026-11-26', 0, $2, $2)`, w.store, noon)
	list := func() {
		w.exec(`insert into gift_campaign_lists (store_id, total, capped, fetched_at) values ($1, 1, false, $2) on conflict (store_id) do update set fetched_at = excluded.fetched_at`, w.store, w.clock())
		w.exec(`update gift_campaigns set last_listed_at = $1`, w.clock())
	}
	list()
	w.round()
	w.equal("six days before", w.mails(), "ada@example.com: Acme: “Tote” ends on 26 Nov")
	w.at(noon.AddDate(0, 0, 3))
	list()
	w.pulled()
	w.round()
	w.equal("three days before", w.mails(), "bob@example.com: Acme: “Tote” ends on 26 Nov")
	w.at(noon.AddDate(0, 0, 7))
	list()
	w.pulled()
	w.round()
	w.equal("when it has ended", w.mails())
	w.equal("its row", w.rows(`select end_cause from alerts`), "gone")
}

func TestAThresholdHasOneAlertWhichEndsWithIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.person("ada")
	w.exec(`insert into summaries (store_id, window_start, window_end, asked_start, asked_end, total_upsold_value, total_upsold_orders, total_orders, currency, source, partial, flags, fetched_at)
		values ($1, '2026-11-19', '2026-11-19', '2026-11-19', '2026-11-19', 90, 9, 100, 'USD', 'x', false, '{}', now())`, w.store)
	pages := dbtest.Open(t, w.url) // the worker's role can't set thresholds
	_, err := pages.Exec(t.Context(), `insert into thresholds (store_id, metric, kind, amount, currency, least_orders, set_at) select id, 'value', 'day', 100, 'USD', 0, now() from stores`)
	w.must(err)
	w.round()
	w.equal("told", w.mails(), "ada@example.com: Acme: Upsold value: below $100.00 on one day")
	w.later(time.Hour)
	w.equal("told again", w.mails())
	w.equal("open", w.rows(`select subject from alerts where closed_at is null`), w.rows(`select id::text from thresholds`)...)
	_, err = pages.Exec(t.Context(), `delete from thresholds`)
	w.must(err)
	w.later(time.Hour)
	w.equal("ended", w.rows(`select end_cause from alerts`), "gone")
	w.equal("told of its end", w.mails())
}
