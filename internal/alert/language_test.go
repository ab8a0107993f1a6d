package alert_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/storeglass/storeglass/internal/alert"
	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/locale"
)

func TestEachReaderIsToldInTheirLanguage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ids := map[string]int64{}
	for _, language := range []string{"en", "de", "fr", "es"} {
		ids[language] = w.person(language)
		w.exec(`update people set language = $2 where id = $1`, ids[language], language)
	}
	w.person("none")
	w.channel(ids["de"], fact.Slack, "/slack")
	w.channel(ids["de"], fact.Webhook, "/hook")
	w.exec(`insert into gift_campaigns (store_id, campaign_id, name, status, type, target_page, end_date, position, first_seen_at, last_listed_at)
		values ($1, '7', 'Tote', 'active', '', '', '2026-11-22', 0, $2, $2)`, w.store, noon)
	w.exec(`insert into gift_campaign_lists (store_id, total, capped, fetched_at) values ($1, 1, false, $2)`, w.store, noon)
	w.round()
	w.equal("subjects", w.mails(),
		"de@example.com: Acme: „Tote“ endet am 22. Nov.",
		"en@example.com: Acme: “Tote” ends on 22 Nov",
		"es@example.com: Acme: «Tote» termina el 22 de nov.",
		// A no-break space becomes a plain one where the header is folded.
		"fr@example.com: Acme\u00a0: « Tote » se termine le 22 nov.",
		"none@example.com: Acme: “Tote” ends on 22 Nov")
	got := w.received()
	slices.Sort(got)
	if len(got) != 2 || !strings.Contains(got[0], `"title":"“Tote” ends on 22 Nov"`) || !strings.Contains(got[0], `"rule_title":"A gift campaign ends soon"`) {
		t.Errorf("webhooks are in English: %q", got)
	}
	if !strings.Contains(got[1], "Die Geschenkkampagne endet in 2 Tagen.") || !strings.Contains(got[1], "Warnung öffnen oder zurückstellen") {
		t.Errorf("a channel speaks its owner’s language: %q", got)
	}
}

// After an update or rollback, alerts stored by another version still say something useful.
func TestAnAlertOfAnotherVersionIsTold(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ada := w.person("ada")
	w.exec(`with a as (insert into alerts (store_id, rule, subject, since, opened_at, title, text) values
			($1, 'campaign-ending', '7', $2, $2, '{"id": "alert.campaign.ends", "args": {"name": {"who": 1}}}', '[{"id": "alert.no_such"}]'),
			($1, 'no-such-rule', '', $2, $2, '{"id": "alert.no_such"}', '{"id": 1}') returning id)
		insert into alert_notices (alert_id, store_id, kind, person_id, created_at, at) select id, $1, 'opened', $3, $2, $2 from a`, w.store, noon, ada)
	w.must(w.Deliver(t.Context()))
	m := <-w.server.Got
	for _, want := range []string{"A gift campaign ends soon", "An active campaign", "An alert of a kind that no longer exists"} {
		if !strings.Contains(strings.ReplaceAll(m.Raw, "=\r\n", ""), want) {
			t.Errorf("the mail lacks %q:\n%s", want, m.Raw)
		}
	}
}

func TestASubjectCountsOpenAndResolvedAlertsInEveryLanguage(t *testing.T) {
	t.Parallel()
	opened, resolved := alert.Item{Event: alert.Opened, Store: "Acme"}, alert.Item{Event: alert.Recovered, Store: "Acme"}
	for l, want := range map[locale.Locale][2]string{
		locale.English: {"Acme: 1 alert, 2 resolved", "Acme: 2 alerts, 1 resolved"}, locale.German: {"Acme: 1 Warnung, 2 behoben", "Acme: 2 Warnungen, 1 behoben"},
		locale.French: {"Acme\u00a0: 1 alerte, 2 résolues", "Acme\u00a0: 2 alertes, 1 résolue"}, locale.Spanish: {"Acme: 1 alerta, 2 resueltas", "Acme: 2 alertas, 1 resuelta"},
	} {
		got := [2]string{alert.Subject(l, []alert.Item{opened, resolved, resolved}), alert.Subject(l, []alert.Item{opened, opened, resolved})}
		if got != want {
			t.Errorf("%s: %q, want %q", l.Code(), got, want)
		}
	}
}
