package weekly

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/access/limit"
	"github.com/storeglass/storeglass/internal/access/seal"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/mail/mailtest"
	"github.com/storeglass/storeglass/internal/report/stores"
	"github.com/storeglass/storeglass/internal/report/weekly"
)

// subscriptions uses the world's database for pages too. Package web tests what pages may see.
func (w *world) subscriptions() *SubscriptionService {
	return &SubscriptionService{
		DB: w.DB, Pages: w.DB, Audit: audit.New(w.DB, w.Now), Composer: w.Composer, Sender: w.Courier.Sender,
		Base: &url.URL{Scheme: "https", Host: "shop.example"}, Now: w.Now, Log: quiet,
	}
}

// person adds someone with an account who holds the shop.
func (w *world) person(name string, role access.Role) int64 {
	w.t.Helper()
	a := access.New(w.DB, w.Now)
	p, err := a.CreatePerson(w.t.Context(), name+"@example.com", name, role)
	w.must(err)
	w.must(a.GrantPerson(w.t.Context(), p.ID, "acme"))
	return p.ID
}

func wanted(address string) weekly.Form {
	f := weekly.NewForm()
	f.Slug, f.Address = "acme", address
	return f
}

// refused returns what a refusal says about a field.
func (w *world) refused(err error, field string) string {
	w.t.Helper()
	no, ok := errors.AsType[*stores.Refusal](err)
	if !ok {
		w.t.Fatalf("no refusal: %v", err)
	}
	if no.Reasons[field] == "" {
		w.t.Errorf("nothing is said of %q: %v", field, no.Reasons)
	}
	return no.Reasons[field]
}

var secretInText = regexp.MustCompile(`/snapshots/confirm/([A-Za-z0-9_-]{43})`)

// asked is the secret in the one mail that arrived.
func (w *world) asked() string {
	w.t.Helper()
	mails := w.arrived()
	if len(mails) != 1 {
		w.t.Fatalf("%d mails arrived", len(mails))
	}
	text := strings.ReplaceAll(mails[0].Raw, "=\r\n", "")
	found := secretInText.FindStringSubmatch(text)
	if found == nil {
		w.t.Fatalf("no link in:\n%s", mails[0].Raw)
	}
	return found[1]
}

func TestAPersonsOwnSubscriptionBeginsAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	m, ada := w.subscriptions(), w.person("ada", access.Viewer)
	id, err := m.Subscribe(t.Context(), ada, wanted(""))
	w.must(err)
	_, err = m.Subscribe(t.Context(), ada, wanted(""))
	w.refused(err, "")
	all := weekly.NewForm()
	_, err = m.Subscribe(t.Context(), ada, all)
	w.refused(err, "zone")
	all.Zone = "Europe/Vienna"
	_, err = m.Subscribe(t.Context(), ada, all)
	w.must(err)
	changed := wanted("")
	changed.Weekday, changed.Hour, changed.Zone = 7, 23, "Asia/Tokyo"
	w.must(m.Change(t.Context(), ada, id, changed))
	w.equal("subscriptions", w.rows(`select weekday || ' ' || hour || ' ' || coalesce(zone, 'the shop''s') || ' ' || (confirmed_at is not null) from subscriptions order by id`),
		"7 23 the shop's true", "1 8 Europe/Vienna true")
	w.must(m.End(t.Context(), ada, id))
	if err := m.End(t.Context(), ada, id); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("ended twice: %v", err)
	}
	w.equal("ended", w.rows(`select end_cause from subscriptions where ended_at is not null`), "reader")
	w.equal("on record", w.rows(`select action from audit where action like 'mail.%' order by id`), "mail.subscribed", "mail.subscribed", "mail.changed", "mail.ended")
}

func TestNobodyGetsWhatTheyMayNotSee(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	m, ada, ben := w.subscriptions(), w.person("ada", access.Viewer), w.person("ben", access.Merchant)
	mine, err := m.Subscribe(t.Context(), ben, wanted(""))
	w.must(err)
	theirs, err := m.Subscribe(t.Context(), ben, wanted("carol@example.net"))
	w.must(err)
	adas, err := m.Subscribe(t.Context(), ada, wanted(""))
	w.must(err)
	w.exec(`insert into stores (slug, name, timezone, history_days) values ('other', 'Other', 'UTC', 90)`)
	w.exec(`insert into suppressions (address, cause) values ('erin@example.net', '"550 nobody"')`)
	other := wanted("")
	other.Slug = "other"
	for what, err := range map[string]error{
		"a store of someone else":  second(m.Subscribe(t.Context(), ada, other)),
		"no store":                 second(m.Subscribe(t.Context(), ada, weekly.Form{Slug: "nowhere", Language: "en", Weekday: 1})),
		"asking without the right": second(m.Subscribe(t.Context(), ada, wanted("dora@example.net"))),
		"changing another's":       m.Change(t.Context(), ada, mine, wanted("")),
		"ending another's":         m.End(t.Context(), ada, mine),
		"ending a viewer's own":    m.End(t.Context(), ben, adas),
		"ending an address's":      m.End(t.Context(), ada, theirs),
		"asking again":             m.AskAgain(t.Context(), ada, theirs),
		"ending nothing":           m.End(t.Context(), ben, 987654),
		"listing the suppressed":   second(m.Suppressions(t.Context(), ben)),
		"freeing an address":       m.LiftSuppression(t.Context(), ben, "erin@example.net"),
	} {
		if !errors.Is(err, db.ErrNotFound) {
			t.Errorf("%s: %v", what, err)
		}
	}
	w.equal("still suppressed", w.rows(`select address from suppressions`), "erin@example.net")
	w.must(m.End(t.Context(), ben, theirs))
	w.exec(`delete from grants where person_id = $1`, ben)
	if err := m.End(t.Context(), ben, mine); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("without a grant: %v", err)
	}
}

func second[T any](_ T, err error) error { return err }

func TestAnAddressGetsMailsOnlyOnceItHasSaidYes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	m, ben := w.subscriptions(), w.person("ben", access.Merchant)
	_, err := m.Subscribe(t.Context(), ben, wanted("Carol@Example.net"))
	w.must(err)
	token := w.asked()
	w.equal("kept of the secret", w.rows(`select encode(confirm_hash, 'hex') from subscriptions where strpos(subscriptions::text, $1) > 0`, token))
	w.later(7*24*time.Hour - time.Hour)
	w.round()
	if got := w.arrived(); len(got) != 0 {
		t.Fatalf("%d mails to who has not said yes", len(got))
	}
	offer, err := m.Asked(t.Context(), token)
	w.must(err)
	if offer.Store != "Acme" || offer.By != "ben" || offer.Address != "carol@example.net" || offer.Confirmed {
		t.Errorf("asked: %+v", offer)
	}
	for range 2 {
		w.must(m.Confirm(t.Context(), token))
	}
	w.later(7 * 24 * time.Hour)
	w.round()
	w.equal("the week after", to(w.arrived()), "carol")
	if offer, err := m.Asked(t.Context(), token); err != nil || !offer.Confirmed {
		t.Errorf("asked again what was confirmed: %+v, %v", offer, err)
	}
	w.equal("on record", w.rows(`select action || ' ' || subject from audit where action like 'mail.%' order by id`), "mail.asked carol@example.net", "mail.confirmed carol@example.net")
}

func TestAnAddressIsAskedOnceADayAndForAWeek(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	m, ben := w.subscriptions(), w.person("ben", access.Merchant)
	id, err := m.Subscribe(t.Context(), ben, wanted("carol@münchen.example"))
	w.must(err)
	first := w.asked()
	w.later(23 * time.Hour)
	w.refused(second(m.Subscribe(t.Context(), ben, wanted("CAROL@xn--mnchen-3ya.example"))), "address")
	w.refused(m.AskAgain(t.Context(), ben, id), "address")
	w.must(m.End(t.Context(), ben, id)) // ending it doesn't allow asking again sooner
	w.refused(second(m.Subscribe(t.Context(), ben, wanted("carol@münchen.example"))), "address")
	if err := m.Confirm(t.Context(), first); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("confirmed what has ended: %v", err)
	}
	w.later(2 * time.Hour)
	id, err = m.Subscribe(t.Context(), ben, wanted("carol@münchen.example"))
	w.must(err)
	again := w.asked()
	w.later(7 * 24 * time.Hour)
	if err := m.Confirm(t.Context(), again); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("confirmed after a week: %v", err)
	}
	w.must(m.AskAgain(t.Context(), ben, id))
	newest := w.asked()
	if err := m.Confirm(t.Context(), again); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("the secret before works: %v", err)
	}
	w.must(m.Confirm(t.Context(), newest))
	w.refused(m.AskAgain(t.Context(), ben, id), "")
	w.later(25 * time.Hour)
	w.refused(second(m.Subscribe(t.Context(), ben, wanted("carol@münchen.example"))), "address")
	w.equal("mails to who has said yes", to(w.arrived()))
}

// The reader can answer while the person who asked changes the mail, and either can be first.
func TestWhatWasDecidedMeanwhileStands(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change    string
		confirmed int64
	}{
		"nothing changed":    {`select`, 1},
		"confirmed":          {`update subscriptions set confirmed_at = created_at`, 0},
		"ended":              {`update subscriptions set ended_at = created_at, end_cause = 'reader'`, 0},
		"asked again":        {`update subscriptions set confirm_hash = 'another'`, 0},
		"its week is over":   {`update subscriptions set confirm_until = created_at`, 0},
		"its mail came back": {`update subscriptions set confirm_until = null, confirm_hash = null`, 0},
	} {
		w := newWorld(t)
		m, ben, q := w.subscriptions(), w.person("ben", access.Merchant), w.DB.Queries()
		id, err := m.Subscribe(t.Context(), ben, wanted("carol@example.net"))
		w.must(err)
		token := w.asked()
		w.exec(c.change)
		before := w.rows(`select subscriptions::text from subscriptions`)
		n, err := q.ConfirmSubscription(t.Context(), sqlc.ConfirmSubscriptionParams{ID: id, Hash: seal.HashSecret(token), Now: w.Now()})
		w.must(err)
		if n != c.confirmed {
			t.Errorf("%s: %d confirmed", name, n)
		}
		if c.confirmed == 1 {
			continue
		}
		if name == "confirmed" || name == "asked again" {
			w.must(q.NotAsked(t.Context(), sqlc.NotAskedParams{ID: id, Hash: seal.HashSecret(token)}))
		}
		if name == "ended" {
			_, err = q.EndSubscription(t.Context(), sqlc.EndSubscriptionParams{ID: id, Now: w.Now(), Cause: "removed"})
			w.must(err)
			_, err = q.ChangeSubscription(t.Context(), sqlc.ChangeSubscriptionParams{ID: id, Weekday: 5, Language: "de"})
			w.must(err)
		}
		w.equal(name, w.rows(`select subscriptions::text from subscriptions`), before...)
	}
}

func TestALinkToConfirmDoesNothingForARemovedStore(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	m := w.subscriptions()
	_, err := m.Subscribe(t.Context(), w.person("ben", access.Merchant), wanted("carol@example.net"))
	w.must(err)
	token := w.asked()
	w.exec(`update stores set removed_at = now()`)
	if err := m.Confirm(t.Context(), token); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("confirmed: %v", err)
	}
}

func TestAnOperatorSubscribesOnlyWhoMaySeeTheStore(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	m := w.subscriptions()
	w.exec(`insert into people (email, name, disabled_at) values ('gone@example.com', 'Gone', now()), ('none@example.com', 'None', null)`)
	w.refused(second(m.SubscribeReader(t.Context(), wanted("Gone@example.com"))), "address")
	if _, err := m.SubscribeReader(t.Context(), wanted("none@example.com")); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("without a grant: %v", err)
	}
	if err := m.UnsubscribeReader(t.Context(), "none@example.com", "acme"); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("without a subscription: %v", err)
	}
	w.equal("subscriptions", w.rows(`select id::text from subscriptions`))
	_, err := m.SubscribeReader(t.Context(), wanted("Carol@München.example"))
	w.must(err)
	w.must(m.UnsubscribeReader(t.Context(), "Carol@xn--mnchen-3ya.Example", "acme"))
}

func TestAnOperatorEndsTheSubscriptionThatIsNotOver(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	m := w.subscriptions()
	w.person("ada", access.Viewer)
	for range 3 {
		_, err := m.SubscribeReader(t.Context(), wanted("ada@example.com"))
		w.must(err)
		w.must(m.UnsubscribeReader(t.Context(), "ada@example.com", "acme"))
	}
	w.equal("still running", w.rows(`select id::text from subscriptions where ended_at is null`))
}

func TestAMailAboutAllStoresIsSentAgainByItsReaderAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	m, ada, ben := w.subscriptions(), w.person("ada", access.Admin), w.person("ben", access.Merchant)
	w.exec(`insert into subscriptions (person_id, zone, confirmed_at) values ($1, 'Europe/Vienna', $2)`, ben, w.Now())
	w.exec(`insert into deliveries (subscription_id, week, due_at, next_at, message_id, state, sent_at) select id, '2026-11-09', $1, $1, 'x', 'sent', $1 from subscriptions`, w.Now())
	if err := m.Resend(t.Context(), ada, 1); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("by an administrator: %v", err)
	}
	w.must(m.Resend(t.Context(), ben, 1))
}

func TestAStoresMailIsSentAgainByWhoMayShareItWhileItsReaderGetsMails(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	m, ada, ben := w.subscriptions(), w.person("ada", access.Viewer), w.person("ben", access.Merchant)
	id, err := m.Subscribe(t.Context(), ada, wanted(""))
	w.must(err)
	w.exec(`insert into deliveries (subscription_id, store_id, week, due_at, next_at, message_id, state, sent_at) select id, store_id, '2026-11-09', $1, $1, 'x', 'sent', $1 from subscriptions`, w.Now())
	w.exec(`insert into suppressions (address, cause) values ('ada@example.com', '"550 nobody"')`)
	w.refused(m.Resend(t.Context(), ben, 1), "")
	w.exec(`delete from suppressions`)
	w.exec(`update subscriptions set ended_at = now(), end_cause = 'reader' where id = $1`, id)
	if err := m.Resend(t.Context(), ben, 1); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("after its reader ended it: %v", err)
	}
	w.exec(`update subscriptions set ended_at = null, end_cause = null`)
	if err := m.Resend(t.Context(), ada, 1); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("by someone who only sees the store: %v", err)
	}
	w.must(m.Resend(t.Context(), ben, 1))
}

func TestAPersonMayHaveOnlySoManyAddressesAskedAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	m, ben := w.subscriptions(), w.person("ben", access.Merchant)
	ask := func(i int) error {
		return second(m.Subscribe(t.Context(), ben, wanted(fmt.Sprintf("reader%d@example.net", i))))
	}
	for i := range limit.Mail.Burst {
		w.must(ask(i))
	}
	if told := w.refused(ask(100), ""); !strings.Contains(told, "2") {
		t.Errorf("told %q", told)
	}
	if got := len(w.arrived()); got != limit.Mail.Burst {
		t.Errorf("%d were asked", got)
	}
	w.later(limit.Mail.Every)
	w.must(ask(100))
	for i := range limit.Mail.Burst + 1 { // the command line isn't limited
		w.must(second(m.SubscribeReader(t.Context(), wanted(fmt.Sprintf("other%d@example.net", i)))))
	}
}

func TestASuppressedAddressIsNotAsked(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	m, ben := w.subscriptions(), w.person("ben", access.Merchant)
	w.exec(`insert into suppressions (address, cause) values ('carol@example.net', '"550 nobody"')`)
	w.refused(second(m.Subscribe(t.Context(), ben, wanted("carol@example.net"))), "address")
	m.Sender = nil
	w.refused(second(m.Subscribe(t.Context(), ben, wanted("dora@example.net"))), "")
	w.refused(second(m.Subscribe(t.Context(), ben, wanted("ben@example.com"))), "address")
	w.exec(`update people set email = 'Ben@Example.com' where id = $1`, ben)
	w.refused(second(m.Subscribe(t.Context(), ben, wanted("ben@example.com"))), "address")
	w.refused(second(m.Subscribe(t.Context(), ben, wanted("Carol <carol@example.net>"))), "address")
	w.equal("kept", w.rows(`select address from subscriptions`))
	if got := w.arrived(); len(got) != 0 {
		t.Errorf("%d mails", len(got))
	}
}

func TestAnAskingThatDidNotGoOutSaysWhy(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	m, ben := w.subscriptions(), w.person("ben", access.Merchant)
	breaks, strict := mailtest.Start(t, mailtest.Plain), mailtest.Start(t, mailtest.Plain, mailtest.Auth)
	breaks.AtReader = func(string) error { return errors.New("the connection breaks") }
	for server, want := range map[string]string{
		"127.0.0.1:1": "can’t be reached",
		breaks.Addr:   "The connection to the mail server broke.",
		strict.Addr:   "The mail server refused the mail: MAIL: ",
	} {
		m.Sender = newSender(t, w.DB, server).Courier.Sender
		if got := w.refused(second(m.Subscribe(t.Context(), ben, wanted("carol@example.net"))), ""); !strings.Contains(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestAnAddressThatTheServerDoesNotHaveIsNotAskedAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	m, ben := w.subscriptions(), w.person("ben", access.Merchant)
	w.server.AtReader = func(string) error { return refuses(550, 5, 1, 1) }
	w.refused(second(m.Subscribe(t.Context(), ben, wanted("carol@example.net"))), "address")
	w.equal("suppressed", w.rows(`select address from suppressions`), "carol@example.net")
}

func TestAnAskingThatDidNotGoOutMayBeRepeated(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	m, ben := w.subscriptions(), w.person("ben", access.Merchant)
	working := m.Sender
	m.Sender = newSender(t, w.DB, "127.0.0.1:1").Courier.Sender
	w.refused(second(m.Subscribe(t.Context(), ben, wanted("carol@example.net"))), "")
	w.equal("asked", w.rows(`select address from subscriptions where confirm_until is not null`))
	m.Sender = working
	_, err := m.Subscribe(t.Context(), ben, wanted("carol@example.net"))
	w.must(err)
	w.must(m.Confirm(t.Context(), w.asked()))
}
