package weekly

import (
	"context"
	"errors"
	"io"
	"log/slog"
	netmail "net/mail"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-smtp"

	"github.com/storeglass/storeglass/internal/jobs"
	"github.com/storeglass/storeglass/internal/mail"
	"github.com/storeglass/storeglass/internal/mail/mailtest"
)

var quiet = slog.New(slog.NewTextHandler(io.Discard, nil))

func sorted(s []string) []string {
	slices.Sort(s)
	return s
}

func refuses(code int, enhanced ...int) *smtp.SMTPError {
	return &smtp.SMTPError{Code: code, EnhancedCode: smtp.EnhancedCode{enhanced[0], enhanced[1], enhanced[2]}, Message: "no"}
}

func TestAMailGoesOutOnceAtItsHour(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.reader("ada", "ben")
	w.round()
	w.equal("an hour before", to(w.arrived()))
	w.later(time.Hour)
	w.round()
	w.round()
	mails := w.arrived()
	w.equal("at the hour", to(mails), "ada", "ben")
	w.equal("the row's id", w.rows(`select message_id from deliveries where address = $1`, mails[0].To), messageID(t, mails[0]))
	if got := head(t, mails[0]).Get("List-Unsubscribe-Post"); got != "List-Unsubscribe=One-Click" {
		t.Errorf("List-Unsubscribe-Post: %q", got)
	}
	w.equal("what is kept of it", w.rows(`select state || ' ' || subject from deliveries where body = convert_to($1, 'UTF8') and written_at = $2`, mails[0].Raw, w.Now()), "sent Week of 2026-11-09")
}

func TestAnOutageOverTheHourSkipsNoWeekAndSendsTheNewest(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.reader("ada")
	w.later(15 * 24 * time.Hour)
	w.round()
	w.equal("after two weeks", to(w.arrived()), "ada")
	w.equal("weeks", w.states(), "ada 2026-11-09 folded 0", "ada 2026-11-16 folded 0", "ada 2026-11-23 sent 0")
}

func TestTwoWorkersAtOnceSendEachMailOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	names := readers(60)
	w.reader(names...)
	w.later(time.Hour)
	other := *w.Sender
	var both sync.WaitGroup
	for _, p := range []*Sender{w.Sender, &other} {
		both.Go(func() {
			if _, err := p.Schedule(t.Context()); err != nil {
				t.Error(err)
			}
			if err := p.Deliver(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	both.Wait()
	w.round() // what one of them found due after the other had looked
	w.equal("arrived", to(w.arrived()), names...)
}

func TestABrokenRecipientStopsNobody(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	names := append(readers(20), "breaks", "busy", "full", "gone", "ruled")
	w.reader(names...)
	w.server.AtReader = func(to string) error {
		switch name, _, _ := strings.Cut(to, "@"); name {
		case "gone":
			return refuses(550, 5, 1, 1)
		case "ruled":
			return refuses(554, 5, 7, 1)
		case "busy":
			return refuses(451, 4, 2, 0)
		case "breaks":
			return errors.New("the connection breaks")
		}
		return nil
	}
	w.server.AtMail = func(m mailtest.Mail) error {
		if strings.HasPrefix(m.To, "full@") {
			return refuses(552, 5, 3, 4)
		}
		return nil
	}
	w.later(time.Hour)
	w.round()
	w.equal("the others' mails", to(w.arrived()), readers(20)...)
	w.equal("those of the broken", w.states()[:5], "breaks 2026-11-09 ready 0", "busy 2026-11-09 ready 1", "full 2026-11-09 refused 0", "gone 2026-11-09 refused 0", "reader00 2026-11-09 sent 0")
	w.equal("suppressed", w.rows(`select address || ': ' || (cause #>> '{}') from suppressions`), "gone@example.com: RCPT: 550 5.1.1 no")

	for range jobs.MostFailures {
		w.later(jobs.MostBackoff)
		w.round()
	}
	w.equal("a day and more later", w.rows(`select split_part(address, '@', 1) || ' ' || state || ' ' || failures from deliveries where state not in ('sent', 'refused') order by 1`),
		"breaks ready 0", "busy given up 12", "ruled given up 12")
	w.equal("arrived meanwhile", to(w.arrived()))
	w.equal("the texts of what never went", w.rows(`select address from deliveries where state in ('refused', 'given up') and body is not null`))

	w.at(monday.Add(7 * 24 * time.Hour))
	w.round()
	w.equal("the week after", w.rows(`select state from deliveries d join subscriptions s on s.id = d.subscription_id where s.address like 'gone@%' order by week`), "refused", "suppressed")
}

func TestTroubleWithTheServerHarmsNoSubscription(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.reader(readers(6)...)
	w.later(time.Hour)
	_, err := w.Schedule(t.Context())
	w.must(err)
	untouched := func(what string) {
		t.Helper()
		w.equal(what, w.rows(`select distinct state || ' ' || failures || ' ' || (held_until is null) from deliveries where state <> 'waiting'`), "ready 0 true")
		w.equal(what+": suppressed", w.rows(`select address from suppressions`))
	}
	working := w.Courier
	dead, err := mail.New(&url.URL{Scheme: "smtp", Host: "127.0.0.1:1"}, netmail.Address{Address: "reports@example.com"})
	w.must(err)
	w.Courier = mail.NewCourier(dead)
	for range 20 {
		if err := w.Deliver(t.Context()); err == nil {
			t.Fatal("nobody listens, and nobody says so")
		}
		w.later(jobs.MostBackoff)
	}
	untouched("nobody listens")
	w.Courier = working
	w.server.AtReader = func(string) error { return errors.New("the connection breaks") }
	for range 20 {
		_ = w.Deliver(t.Context())
		w.later(jobs.MostBackoff)
	}
	untouched("each conversation breaks")
	w.Courier = mail.NewCourier(working.Sender) // the previous one still leaves the server alone for a while
	w.server.AtReader = func(string) error { return refuses(550, 5, 7, 1) }
	w.must(w.Deliver(t.Context()))
	w.equal("who may not send is not told who is there", w.rows(`select address from suppressions`))
	w.server.AtReader = nil
	w.later(jobs.MostBackoff)
	w.round()
	w.equal("arrived in the end", to(w.arrived()), readers(6)...)
}

func TestAMailThatCantBeWrittenStopsNobody(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.reader("ada")
	w.exec(`insert into stores (slug, name, timezone) values ('broken', 'Broken', 'America/New_York')`)
	w.exec(`insert into subscriptions (store_id, address, confirmed_at) select id, 'ben@example.com', $1::timestamptz from stores where slug = 'broken'`, w.Now())
	w.Composer = composer(func(o Order) (Content, error) {
		if *o.StoreID != w.store {
			panic("a fault of the composer")
		}
		return plain{}.Compose(t.Context(), o)
	})
	w.later(time.Hour)
	w.round()
	w.equal("arrived", to(w.arrived()), "ada")
	w.equal("rows", w.states(), "ada 2026-11-09 sent 0", "ben 2026-11-09 waiting 1")
}

func TestAMailWaitsForItsDataUpToALimit(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.reader("ada")
	asked := 0
	w.Composer = composer(func(o Order) (Content, error) {
		asked++
		c, err := plain{}.Compose(t.Context(), o)
		c.Complete = false
		return c, err
	})
	w.later(time.Hour)
	w.round()
	w.later(patience - time.Second)
	w.round()
	w.equal("before the limit", to(w.arrived()))
	w.later(time.Second)
	w.round()
	w.equal("at the limit", to(w.arrived()), "ada")
	if asked != 3 {
		t.Errorf("looked %d times", asked)
	}
}

func TestARepeatIsTheSameMail(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.reader("ada")
	var mu sync.Mutex
	var raws []string
	w.server.AtMail = func(m mailtest.Mail) error {
		mu.Lock()
		defer mu.Unlock()
		if raws = append(raws, m.Raw); len(raws) < 3 {
			return errors.New("the connection breaks before the answer")
		}
		return nil
	}
	w.later(time.Hour)
	for range 4 {
		w.round()
		w.later(time.Hour)
	}
	if len(raws) != 3 || raws[0] != raws[1] || raws[1] != raws[2] {
		t.Errorf("%d mails:\n%s", len(raws), strings.Join(raws, "\n---\n"))
	}
	w.equal("the log", w.rows(`select n || ' ' || outcome from delivery_tries order by n`), "1 connection", "2 connection", "3 sent")
}

func TestOnlyWhoMaySeeAStoreGetsItsMail(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.exec(`insert into people (email, name, role, disabled_at) values ('admin@example.com', 'A', 'admin', null), ('every@example.com', 'E', 'viewer', null),
		('group@example.com', 'G', 'viewer', null), ('held@example.com', 'H', 'viewer', null), ('left@example.com', 'L', 'viewer', null), ('shut@example.com', 'S', 'viewer', now())`)
	w.exec(`insert into groups (name) values ('North')`)
	w.exec(`insert into group_stores (group_id, store_id) select id, $1 from groups`, w.store)
	w.exec(`insert into grants (person_id, store_id) select id, $1 from people where name in ('H', 'S')`, w.store)
	w.exec(`insert into grants (person_id) select id from people where name = 'E'`)
	w.exec(`insert into grants (person_id, group_id) select p.id, g.id from people p, groups g where p.name = 'G'`)
	w.exec(`insert into subscriptions (person_id, store_id, confirmed_at) select id, $1, $2::timestamptz from people`, w.store, w.Now())
	w.later(time.Hour)
	w.round()
	w.equal("arrived", to(w.arrived()), "admin", "every", "group", "held")
	w.equal("rows", w.states()[4:], "left 2026-11-09 ended 0", "shut 2026-11-09 ended 0")
}

func TestWhatEndsWhileAMailIsWrittenKeepsItFromGoingOut(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]string{
		"the subscription": `update subscriptions set ended_at = now(), end_cause = 'reader'`,
		"the access":       `delete from grants`,
	} {
		w := newWorld(t)
		w.exec(`insert into people (email, name) values ('ada@example.com', 'Ada')`)
		w.exec(`insert into grants (person_id, store_id) select id, $1 from people`, w.store)
		w.exec(`insert into subscriptions (person_id, store_id, confirmed_at) select id, $1, $2::timestamptz from people`, w.store, w.Now())
		w.Composer = composer(func(o Order) (Content, error) {
			w.exec(change)
			return plain{}.Compose(t.Context(), o)
		})
		w.later(time.Hour)
		w.round()
		w.round()
		w.equal(name+": arrived", to(w.arrived()))
		w.equal(name+": tries", w.rows(`select n::text from delivery_tries`))
		w.equal(name+": the mail", w.states(), "ada 2026-11-09 ended 0")
	}
}

func TestASuppressedAddressGetsNoMailHoweverItsAccountSpellsIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.exec(`insert into people (email, name, role) values ('Ada@Example.com', 'Ada', 'admin')`)
	w.exec(`insert into subscriptions (person_id, store_id, confirmed_at) select id, $1, $2::timestamptz from people`, w.store, w.Now())
	w.exec(`insert into suppressions (address, cause) values ('ada@example.com', '"550 nobody"')`)
	w.later(time.Hour)
	w.round()
	w.equal("arrived", to(w.arrived()))
	w.equal("the mail", w.states(), "Ada 2026-11-09 suppressed 0")
}

func TestMailsOfARemovedStoreWaitForItsReturn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.reader("ada")
	w.later(time.Hour)
	_, err := w.Schedule(t.Context())
	w.must(err)
	w.exec(`update stores set removed_at = now()`)
	w.round()
	w.later(week)
	w.round()
	w.equal("while it is removed", to(w.arrived()))
	w.equal("owed meanwhile", w.states(), "ada 2026-11-09 waiting 0")
	w.exec(`update stores set removed_at = null`)
	w.round()
	w.equal("brought back", to(w.arrived()), "ada")
}

// The server has accepted the mail just as the program is asked to stop.
func TestARoundThatIsStoppedBringsTheMailInHandToItsEnd(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.reader(readers(20)...)
	w.later(time.Hour)
	_, err := w.Schedule(t.Context())
	w.must(err)
	ctx, stop := context.WithCancel(t.Context())
	w.server.AtMail = func(mailtest.Mail) error {
		stop()
		return nil
	}
	w.must(w.Deliver(ctx))
	first := to(w.arrived())
	if len(first) == 0 || len(first) > 4 {
		t.Errorf("%d mails went out after the stop, by four lines", len(first))
	}
	w.equal("those that had arrived", w.rows(`select split_part(address, '@', 1) from deliveries where state = 'sent' order by 1`), first...)
	w.equal("those that nobody let go of", w.rows(`select id::text from deliveries where held_until is not null`))
	w.must(w.Deliver(t.Context()))
	w.equal("in the end", sorted(append(first, to(w.arrived())...)), readers(20)...)
}

func TestWithoutHTTPSTheLinkStandsInTheFootAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Base = &url.URL{Scheme: "http", Host: "localhost:8080"}
	w.reader("ada")
	w.later(time.Hour)
	w.round()
	mails := w.arrived()
	w.equal("arrived", to(mails), "ada")
	if head(t, mails[0]).Get("List-Unsubscribe") != "" || !strings.Contains(strings.ReplaceAll(mails[0].Raw, "=\r\n", ""), "http://localhost:8080/unsubscribe/") {
		t.Errorf("arrived as\n%s", mails[0].Raw)
	}
}

func TestWhatAServerRepeatsOfALinkIsNotKept(t *testing.T) {
	t.Parallel()
	for _, scheme := range []string{"http", "https"} {
		w := newWorld(t)
		w.Base = &url.URL{Scheme: scheme, Host: "shop.example"}
		w.reader("ada")
		w.later(time.Hour)
		var secret string
		w.server.AtMail = func(m mailtest.Mail) error {
			_, rest, _ := strings.Cut(strings.ReplaceAll(m.Raw, "=\r\n", ""), "/unsubscribe/")
			secret = rest[:43]
			return &smtp.SMTPError{Code: 554, EnhancedCode: smtp.EnhancedCode{5, 6, 0}, Message: "I don't like /unsubscribe/" + secret}
		}
		w.round()
		told := w.rows(`select (d.reason #>> '{}') || ' ' || (t.reason #>> '{}') from deliveries d join delivery_tries t on t.delivery_id = d.id`)
		if len(told) != 1 || strings.Contains(told[0], secret) || !strings.Contains(told[0], "I don't like") {
			t.Errorf("%s: told %q", scheme, told)
		}
	}
}
