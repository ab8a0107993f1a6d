package main

import (
	"bytes"
	"net/mail"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/emersion/go-msgauth/dkim"

	"github.com/storeglass/storeglass/internal/mail/mailtest"
)

// withMail is the environment of a database with a mail server and a shop with data for the
// last two weeks, to which Ada subscribed before the last of them ended.
func withMail(t *testing.T) (env []string, smtp *mailtest.Server) {
	t.Helper()
	smtp = mailtest.Start(t, mailtest.Plain)
	env = append(emptyDatabase(t), "DASHBOARD_SMTP_URL=smtp://"+smtp.Addr, "DASHBOARD_MAIL_FROM=Storeglass <reports@example.com>", "DASHBOARD_BASE_URL=https://glass.example")
	execute(t, env, `
		with s as (
			insert into stores (slug, name, timezone, currency, history_days) values ('acme', 'Acme', 'UTC', 'USD', 90) returning id
		), c as (
			insert into credentials (store_id, service, base_url, token_sealed, key_id, budget, state) select id, 'upsell', 'https://127.0.0.1:1', '', '', '', 'paused' from s
		), u as (
			insert into subscriptions (store_id, address, hour, confirmed_at) select id, 'ada@example.com', 0, date_trunc('week', now() at time zone 'UTC') at time zone 'UTC' - interval '1 minute' from s
		)
		insert into summaries (store_id, window_start, window_end, total_upsold_value, total_upsold_orders, total_orders, upsell_success_rate, offer_views, currency, source, asked_start, asked_end, partial, fetched_at)
		select id, d, d, 100 * n, 40, 300, 0.13, 900, 'USD', 'merchant', d, d, false, now()
		from s, generate_series(1, 14) n, lateral (select date_trunc('week', now() at time zone 'UTC')::date - 15 + n as d) x`)
	return env, smtp
}

// arrived waits for a mail and returns its headers and its text, with the quoted-printable
// escapes that matter here resolved.
func arrived(t *testing.T, smtp *mailtest.Server) (mail.Header, string) {
	t.Helper()
	select {
	case m := <-smtp.Got:
		read, err := mail.ReadMessage(strings.NewReader(m.Raw))
		if err != nil {
			t.Fatal(err)
		}
		return read.Header, strings.NewReplacer("=\r\n", "", "=3D", "=", "=C2=A0", " ").Replace(m.Raw)
	case <-time.After(patience):
		t.Fatal("no mail arrived")
	}
	panic("unreachable")
}

func noMail(t *testing.T, smtp *mailtest.Server) {
	t.Helper()
	select {
	case m := <-smtp.Got:
		t.Errorf("another mail arrived: %s", m.Raw)
	default:
	}
}

func TestTheWorkerSendsTheWeeklyMailsThatAreDueOnce(t *testing.T) {
	t.Parallel()
	env, smtp := withMail(t)
	p := start(t, t.TempDir(), append(env, "DASHBOARD_SNAPSHOT_CRON=@every 1s"), "serve", "--role", "worker")
	head, text := arrived(t, smtp)
	// 800 + 900 + … + 1400
	for _, part := range []string{"Upsold value: $7,700.00", "$800.00 (week before $100.00)", "Sent to ada@example.com on Mondays, 00:00 UTC.", "https://glass.example/stores/acme?"} {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in\n%s", part, text[:min(len(text), 4000)])
		}
	}
	if !strings.HasPrefix(head.Get("List-Unsubscribe"), "<https://glass.example/unsubscribe/") || !strings.HasSuffix(head.Get("Message-Id"), "@example.com>") {
		t.Errorf("the head: %v", head)
	}
	p.signal(syscall.SIGTERM)
	if code, took := p.exit(); code != exitOK || took > 10*time.Second {
		t.Errorf("exit %d after %s\n%s", code, took, p.stderr)
	}
	again := start(t, t.TempDir(), append(env, anyPort...), "serve")
	again.after("Storeglass is at ")
	again.signal(syscall.SIGTERM)
	if code, _ := again.exit(); code != exitOK {
		t.Errorf("exit %d\n%s", code, again.stderr)
	}
	noMail(t, smtp)
}

// A server that keeps us waiting doesn't keep the program from stopping.
func TestAStopCutsAConversationThatDoesNotEnd(t *testing.T) {
	t.Parallel()
	env, smtp := withMail(t)
	asked, answer := make(chan struct{}), make(chan struct{})
	t.Cleanup(func() { close(answer) })
	smtp.AtReader = func(string) error {
		close(asked)
		<-answer
		return nil
	}
	p := start(t, t.TempDir(), env, "serve", "--role", "worker")
	select {
	case <-asked:
	case <-time.After(patience):
		t.Fatalf("nobody came\n%s", p.stderr)
	}
	p.signal(syscall.SIGTERM)
	if code, took := p.exit(); code != exitOK || took > 10*time.Second {
		t.Errorf("exit %d after %s\n%s", code, took, p.stderr)
	}
}

func TestMailsAreSignedAndTheDoctorLooksAfterIt(t *testing.T) {
	t.Parallel()
	env, smtp := withMail(t)
	path, record := mailtest.DKIMKey(t)
	signing := func(domain string) []string {
		return append(env, "DASHBOARD_DKIM_DOMAIN="+domain, "DASHBOARD_DKIM_SELECTOR=reports", "DASHBOARD_DKIM_KEY_FILE="+path)
	}
	good(t, signing("example.com"), "snapshot", "send")
	found, err := dkim.VerifyWithOptions(bytes.NewReader([]byte((<-smtp.Got).Raw)), &dkim.VerifyOptions{LookupTXT: func(name string) ([]string, error) {
		if name != "reports._domainkey.example.com" {
			t.Errorf("looked for %s", name)
		}
		return []string{record}, nil
	}})
	if err != nil || len(found) != 1 || found[0].Err != nil || found[0].Domain != "example.com" || !slices.Contains(found[0].HeaderKeys, "List-Unsubscribe") {
		t.Errorf("%+v, %v", found, err)
	}
	says(t, run(t, signing("example.com"), "doctor", "--offline"), "mail signature", "ok for example.com, not looked up")
	o := run(t, signing("elsewhere.example"), "doctor", "--offline")
	if line := o.line("mail signature"); !strings.HasPrefix(line, "DO receivers want the domain of the sender, example.com, and DASHBOARD_DKIM_DOMAIN is elsewhere.example") {
		t.Errorf("said %q", line)
	}
}
