package alert_test

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	netmail "net/mail"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-msgauth/dkim"
	"github.com/emersion/go-smtp"

	"github.com/storeglass/storeglass/internal/alert"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/mail"
	"github.com/storeglass/storeglass/internal/mail/mailtest"
)

// stopLink is the link that stops alert mails.
var stopLink = regexp.MustCompile(`https://shop.example/unsubscribe/[A-Za-z0-9_-]{43}`)

// away makes the mail server unreachable; the returned func brings it back.
func (w *world) away() (back func()) {
	w.t.Helper()
	working := w.Courier
	dead, err := mail.New(&url.URL{Scheme: "smtp", Host: "127.0.0.1:1"}, netmail.Address{Address: "reports@example.com"})
	w.must(err)
	w.Courier = mail.NewCourier(dead)
	return func() { w.Courier = working }
}

// tick is a round in which no mail can be delivered.
func (w *world) tick() {
	w.t.Helper()
	w.must(w.Check(w.t.Context()))
	w.must(w.Pack(w.t.Context()))
	_ = w.Deliver(w.t.Context())
}

func TestAfterADeadMailServerThereIsOneMailAboutWhatStillMatters(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.person("ada")
	back := w.away()
	for range 22 {
		w.refuse()
		w.tick()
		w.at(w.clock().Add(2 * time.Hour))
		w.resume()
		w.tick()
		w.at(w.clock().Add(7 * 24 * time.Hour))
		w.pulled()
		w.tick()
	}
	w.refuse()
	w.exec(`insert into gift_plans (store_id, body, fetched_at) values ($1, '{"campaigns_exceeded": true}', $2)`, w.store, w.clock())
	w.tick()
	back()
	for range 3 {
		w.at(w.clock().Add(10 * time.Minute))
		w.round()
	}
	w.equal("mails", w.mails(), "ada@example.com: Acme: 2 alerts")
	w.equal("notices that wait", w.rows(`select state from alert_notices where state in ('waiting', 'packed')`))
}

func TestAMailThatMayHaveArrivedIsNotPutIntoAnother(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.person("ada")
	w.refuse()
	w.must(w.Check(t.Context()))
	w.must(w.Pack(t.Context()))
	// A process that died while it handed the mail over leaves this state.
	w.exec(`update alert_letters set tries = 1, next_at = $1`, w.clock().Add(time.Minute))
	w.exec(`insert into gift_plans (store_id, body, fetched_at) values ($1, '{"campaigns_exceeded": true}', $2)`, w.store, w.clock())
	w.exec(`update stores set revision = revision + 1`)
	w.round()
	w.at(w.clock().Add(2 * time.Minute))
	w.round()
	if got := w.mails(); len(got) != 2 {
		t.Errorf("mails %q", got)
	}
	w.equal("letters", w.rows(`select distinct state from alert_letters`), "sent")
}

func TestMailsThatWereSwitchedOffAreNotSentAnyMore(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ada := w.person("ada")
	back := w.away()
	w.refuse()
	w.tick()
	back()
	w.exec(`insert into alert_settings (person_id, mail) values ($1, false)`, ada)
	w.at(w.clock().Add(10 * time.Minute))
	w.round()
	w.equal("mails", w.mails())
	w.equal("letters", w.rows(`select state from alert_letters`), "dropped")
}

func TestAnAlertMailIsSignedWithTheWayToEndIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	public, key, err := ed25519.GenerateKey(nil)
	w.must(err)
	signing, err := mail.New(&url.URL{Scheme: "smtp", Host: w.server.Addr}, netmail.Address{Address: "reports@example.com"}, mail.WithDKIM(mail.DKIM{Domain: "example.com", Selector: "reports", Key: key}))
	w.must(err)
	w.Courier = mail.NewCourier(signing)
	w.person("ada")
	w.refuse()
	w.round()
	raw := (<-w.server.Got).Raw
	verify := func(raw string) error {
		found, err := dkim.VerifyWithOptions(bytes.NewReader([]byte(raw)), &dkim.VerifyOptions{LookupTXT: func(string) ([]string, error) {
			return []string{"v=DKIM1; k=ed25519; p=" + base64.StdEncoding.EncodeToString(public)}, nil
		}})
		w.must(err)
		return found[0].Err
	}
	if err := verify(raw); err != nil {
		t.Errorf("as it came: %v", err)
	}
	for _, header := range []string{"List-Unsubscribe: <", "List-Unsubscribe-Post: "} {
		touched := strings.Replace(raw, header, header+"x", 1)
		if touched == raw || verify(touched) == nil {
			t.Errorf("with another %q it still holds", header)
		}
	}
}

func TestWhatAServerRepeatsOfTheLinkIsNotKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.person("ada")
	w.server.AtMail = func(m mailtest.Mail) error {
		return &smtp.SMTPError{Code: 554, EnhancedCode: smtp.EnhancedCode{5, 6, 0}, Message: "I don't like " + stopLink.FindString(m.Raw)}
	}
	w.refuse()
	w.must(w.Check(t.Context()))
	w.must(w.Pack(t.Context()))
	w.must(w.Deliver(t.Context()))
	for _, told := range w.rows(`select reason #>> '{}' from alert_letters union select reason #>> '{}' from alert_notices`) {
		if stopLink.MatchString(told) || !strings.Contains(told, "I don't like") {
			t.Errorf("kept: %s", told)
		}
	}
}

func TestNobodyIsOfferedToSnoozeWhatIsOver(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.person("ada")
	w.refuse()
	w.round()
	if raw := (<-w.server.Got).Raw; strings.Count(raw, "or snooze it") != 2 {
		t.Errorf("an open one: %s", raw)
	}
	w.resume()
	w.must(w.Check(t.Context()))
	w.later(2 * time.Hour)
	if raw := (<-w.server.Got).Raw; strings.Contains(raw, "or snooze it") || strings.Count(raw, "Open the alert") != 2 {
		t.Errorf("one that is over: %s", raw)
	}
	body, err := alert.SlackBody(locale.English, []alert.Item{{Event: alert.Recovered, AlertLink: "https://shop.example/alerts"}})
	if err != nil || strings.Contains(string(body), "or snooze it") || !strings.Contains(string(body), "Open the alert") {
		t.Errorf("one that is over, in a channel: %s, %v", body, err)
	}
}
