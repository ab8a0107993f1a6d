package weekly

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	netmail "net/mail"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/mail"
	"github.com/storeglass/storeglass/internal/mail/mailtest"
	"github.com/storeglass/storeglass/internal/report/weekly"
)

const week = 7 * 24 * time.Hour

// soldInWeeks stores numbers for the last n weeks before the clock.
func (w *world) soldInWeeks(n int) {
	w.t.Helper()
	w.exec(`insert into summaries (store_id, window_start, window_end, total_upsold_value, total_upsold_orders, total_orders, currency, source, asked_start, asked_end, partial, fetched_at)
		select s.id, d, d, 100, 4, 30, 'USD', 'merchant', d, d, false, $3 from stores s, generate_series(0, 7 * $1::integer - 1) n, lateral (select $2::date - 1 - n as d) x`,
		n, civil.DateOf(w.Now()).In(time.UTC), w.Now())
	w.exec(`update stores set revision = revision + 1, currency = 'USD'`)
}

// broken is a courier whose server can't be reached.
func (w *world) broken() *mail.Courier {
	w.t.Helper()
	s, err := mail.New(&url.URL{Scheme: "smtp", Host: "127.0.0.1:1"}, netmail.Address{Address: "reports@example.com"})
	w.must(err)
	return mail.NewCourier(s)
}

// backlog leaves 22 weeks of unsent mails; only the newest eight weeks have numbers.
func (w *world) backlog() {
	w.t.Helper()
	working := w.Courier
	w.Courier = w.broken()
	w.later(time.Hour)
	for i := range 22 {
		if i > 0 {
			w.later(week)
		}
		if i == 21 {
			w.soldInWeeks(8)
		}
		_, err := w.Schedule(w.t.Context())
		w.must(err)
		if err := w.Deliver(w.t.Context()); err == nil {
			w.t.Fatalf("week %d: nobody said that the server is away", i)
		}
	}
	w.Courier = working
}

func (w *world) parts(m mailtest.Mail) weekly.WrittenMail {
	w.t.Helper()
	out := weekly.WrittenMail{Pictures: map[string][]byte{}}
	w.must(unpack(&out, []byte(m.Raw)))
	out.Text = strings.ReplaceAll(out.Text, "\r\n", "\n")
	return out
}

func TestABacklogIsOneMailThatLinksToTheOthers(t *testing.T) {
	t.Parallel()
	for name, weeks := range map[string]int{"the server was away": 22, "the program was away": 1} {
		w := newWorld(t)
		w.edit()
		w.reader("ada")
		if weeks == 22 {
			w.backlog()
		} else {
			w.later(time.Hour + 21*week)
			w.soldInWeeks(8)
		}
		w.later(time.Second)
		w.round()
		w.round()
		mails := w.arrived()
		w.equal(name+": arrived", to(mails), "ada")
		w.equal(name+": rows", w.rows(`select state || ' ' || (folded_into is not null) || ' ' || count(*) from deliveries group by state, folded_into is not null order by 1`), "folded true 21", "sent false 1")
		w.equal(name+": texts of the folded", w.rows(`select id::text from deliveries where state = 'folded' and body is not null`))
		w.equal(name+": explained", w.rows(`select count(*) || ' ' || coalesce(reason ->> 'id', reason #>> '{}') from deliveries group by reason order by 1`), "14 mails.sent.cause.no_numbers", "8 ")
		token, m := tokenIn(t, mails[0]), w.parts(mails[0])
		list := "https://shop.example/mail/" + token + "/weeks"
		if !strings.Contains(m.Text, "We couldn’t send 7 earlier reports. They are here:\n* ") || !strings.Contains(m.Text, "\n* All 7 reports: "+list+"\n") {
			t.Errorf("%s: it says\n%s", name, m.Text)
		}
		named := regexp.MustCompile(regexp.QuoteMeta(list)+`/[0-9-]{10}`).FindAllString(m.Text, -1)
		if len(named) != mostNamed {
			t.Errorf("%s: it names %v", name, named)
		}
		for _, link := range append(named, list) {
			if !strings.Contains(m.HTML, `href="`+link+`"`) {
				t.Errorf("%s: the HTML lacks %s", name, link)
			}
		}
		room := w.subscriptions()
		listed, err := room.Weeks(t.Context(), token)
		w.must(err)
		if len(listed) != 7 {
			t.Errorf("%s: listed %v", name, listed)
		}
		for i, each := range listed {
			opened, err := room.Week(t.Context(), token, each.Start)
			w.must(err)
			if !strings.Contains(opened.HTML, "$700.00") || !strings.Contains(opened.HTML, `src="`+each.Start.String()+`/days.png"`) || len(opened.Pictures["days"]) == 0 {
				t.Errorf("%s: %s opens as %.300s", name, each, opened.Text)
			}
			if i < mostNamed && !strings.HasSuffix(named[i], each.Start.String()) {
				t.Errorf("%s: named is %s, listed %s", name, named[i], each.Start)
			}
		}
		w.later(week)
		w.round()
		if again := w.arrived(); len(again) != 1 || strings.Contains(w.parts(again[0]).Text, "could not send") {
			t.Errorf("%s: the week after: %v", name, to(again))
		}
	}
}

func TestABacklogWithoutNumbersSaysNothingOfIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.edit()
	w.reader("ada")
	w.later(time.Hour + 5*week)
	w.soldInWeeks(1)
	w.round()
	mails := w.arrived()
	w.equal("arrived", to(mails), "ada")
	if m := w.parts(mails[0]); strings.Contains(m.Text, "could not send") {
		t.Errorf("it says\n%s", m.Text)
	}
	if _, err := w.subscriptions().Weeks(t.Context(), tokenIn(t, mails[0])); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("its list: %v", err)
	}
}

// The weeks that a mail covers are done when it is sent, and owed again when it fails.
func TestWhatAFailedMailStoodForIsOwedAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.edit()
	w.reader("ada")
	w.later(time.Hour + 3*week)
	w.soldInWeeks(6)
	refused := true
	w.server.AtMail = func(mailtest.Mail) error {
		if refused {
			refused = false
			return refuses(554, 5, 6, 0)
		}
		return nil
	}
	w.round()
	mails := w.arrived()
	w.equal("arrived", to(mails), "ada")
	w.equal("rows", w.states(), "ada 2026-11-09 folded 0", "ada 2026-11-16 folded 0", "ada 2026-11-23 sent 0", "ada 2026-11-30 refused 0")
	if m := w.parts(mails[0]); !strings.Contains(m.Text, "We couldn’t send 2 earlier reports.") || !strings.Contains(m.Text, "23 – 29 Nov 2026") {
		t.Errorf("it says\n%s", m.Text)
	}
}

// The newest of the weeks it covered is written again, with the numbers known by then.
func TestWhatAFailedMailStoodForIsWrittenAnew(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.reader("ada")
	w.server.AtReader = func(string) error { return refuses(451, 4, 2, 0) }
	w.later(time.Hour)
	w.round() // written, and put off
	w.later(week)
	_, err := w.Schedule(t.Context())
	w.must(err)
	w.equal("covered", w.states(), "ada 2026-11-09 ready 1", "ada 2026-11-16 waiting 0")
	w.exec(`update deliveries set next_at = next_at + interval '30 days' where state = 'ready'`)
	w.server.AtReader, w.server.AtMail = nil, func(mailtest.Mail) error { return refuses(554, 5, 6, 0) }
	var carrier int64
	w.must(w.DB.Pool.QueryRow(t.Context(), `select id from deliveries where state = 'waiting'`).Scan(&carrier))
	w.must(w.deliver(t.Context(), carrier))
	w.equal("refused", w.rows(`select state from deliveries where id = $1`, carrier), "refused")
	w.equal("owed again", w.rows(`select week::text from deliveries where state = 'waiting' and folded_into is null and body is null and written_at is null and next_at = $1 and reason = '""'`, w.Now()), "2026-11-09")
}

// A mail that was never handed over is folded into a newer one, together with the weeks it
// covers. A mail that may have arrived isn't, and the newer one doesn't call it unsent.
func TestAMailThatMayHaveArrivedGoesByItself(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.edit()
	w.reader("ada")
	w.soldInWeeks(2)
	w.server.AtReader = func(string) error { return refuses(451, 4, 2, 0) }
	w.later(time.Hour)
	w.round()
	w.server.AtReader = nil
	// A process that died after the server had the mail leaves an unfinished try.
	w.exec(`insert into delivery_tries (delivery_id, n, began_at) select id, tries + 1, $1 from deliveries`, w.Now())
	w.exec(`update deliveries set tries = tries + 1, next_at = $1::timestamptz`, w.Now().Add(week))
	first := w.rows(`select convert_from(body, 'UTF8') from deliveries`)
	w.later(week)
	w.round()
	mails := w.arrived()
	w.equal("arrived", to(mails), "ada", "ada")
	w.equal("rows", w.states(), "ada 2026-11-09 sent 1", "ada 2026-11-16 sent 0")
	if mails[0].Raw != first[0] && mails[1].Raw != first[0] {
		t.Error("the repeat is another mail")
	}
	for _, m := range mails {
		if strings.Contains(w.parts(m).Text, "could not send") {
			t.Error("it says that one was not sent that may have been")
		}
	}
}

func TestANewerMailCoversOnlyWhatNobodyIsSending(t *testing.T) {
	t.Parallel()
	const oldest, middle, newest = `update deliveries set %s where week = '2026-11-09'`, `update deliveries set %s where week = '2026-11-16'`, `update deliveries set %s where week = '2026-11-23'`
	held, tried := "held_until = due_at + interval '60 days'", "tries = 2"
	for name, c := range map[string]struct {
		change []string
		// covers are the weeks that are covered, each with the week of the mail that covers it.
		covers []string
	}{
		"nobody has any":                    {nil, []string{"09 by 23", "16 by 23"}},
		"the oldest is with a process":      {[]string{fmt.Sprintf(oldest, held)}, []string{"16 by 23"}},
		"the one that had it has died":      {[]string{fmt.Sprintf(oldest, "held_until = due_at")}, []string{"09 by 23", "16 by 23"}},
		"the newest is with a process":      {[]string{fmt.Sprintf(newest, held)}, nil},
		"the newest is written":             {[]string{fmt.Sprintf(newest, "state = 'ready', body = '', address = ''")}, nil},
		"the one that covers the oldest is": {[]string{`update deliveries set folded_into = (select id from deliveries where week = '2026-11-16') where week = '2026-11-09'`, fmt.Sprintf(middle, held)}, []string{"09 by 16"}},
		"the oldest was cut off, and later put off": {[]string{
			fmt.Sprintf(oldest, tried), `insert into delivery_tries (delivery_id, n, began_at) select id, 1, due_at from deliveries where week = '2026-11-09'`,
			`insert into delivery_tries (delivery_id, n, began_at, ended_at, outcome) select id, 2, due_at, due_at, 'later' from deliveries where week = '2026-11-09'`,
		}, []string{"16 by 23"}},
	} {
		w := newWorld(t)
		w.reader("ada")
		w.exec(`insert into deliveries (subscription_id, store_id, week, due_at, next_at, message_id)
			select id, store_id, first::date, $1, $1, first::date from subscriptions, generate_series('2026-11-09'::timestamp, '2026-11-23', '7 days') first`, monday)
		for _, change := range c.change {
			w.exec(change)
		}
		w.later(time.Hour + 2*week)
		_, err := w.Schedule(t.Context())
		w.must(err)
		w.equal(name, w.rows(`select to_char(d.week, 'DD') || ' by ' || to_char(c.week, 'DD') from deliveries d join deliveries c on c.id = d.folded_into order by d.week`), c.covers...)
	}
}

// That needs no newer week: several mails are due.
func TestAMailThatWasWithAProcessIsCoveredOnceItIsFree(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.owed()
	w.exec(`update deliveries set held_until = due_at + interval '8 days' where id = $1`, id)
	for range 2 {
		w.later(week)
		_, err := w.Schedule(t.Context())
		w.must(err)
	}
	w.exec(`update deliveries set held_until = due_at + interval '30 days', folded_into = null where week = '2026-11-16'`)
	_, err := w.Schedule(t.Context())
	w.must(err)
	w.exec(`update deliveries set held_until = null`)
	_, err = w.Schedule(t.Context())
	w.must(err)
	w.equal("covered", w.rows(`select week::text from deliveries where folded_into is not null order by week`), "2026-11-09", "2026-11-16")
}

func TestTheLinkOfAMailOpensNoWeekAfterIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.edit()
	w.reader("ada")
	w.later(time.Hour)
	w.soldInWeeks(1)
	w.round()
	token := tokenIn(t, w.arrived()[0])
	w.later(3 * week)
	w.soldInWeeks(3)
	w.round()
	w.equal("a week was covered since", w.rows(`select week::text from deliveries where folded_into is not null order by week`), "2026-11-16", "2026-11-23")
	if weeks, err := w.subscriptions().Weeks(t.Context(), token); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("%v, %v", weeks, err)
	}
	newest := tokenIn(t, w.arrived()[0])
	w.exec(`with another as (insert into subscriptions (store_id, address) select store_id, 'bob@example.net' from subscriptions returning id, store_id)
		insert into deliveries (subscription_id, store_id, week, due_at, next_at, message_id, state, folded_into)
		select id, store_id, '2026-11-09', now(), now(), 'x', 'folded', (select max(id) from deliveries where body is not null) from another`)
	if _, err := w.subscriptions().Week(t.Context(), newest, civil.Date{Year: 2026, Month: 11, Day: 9}); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("a week that it doesn't cover: %v", err)
	}
}

func TestAMailThatIsSentAgainIsNotFolded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.edit()
	w.reader("ada")
	w.later(time.Hour + 2*week)
	w.soldInWeeks(4)
	w.round()
	carrier := w.arrived()[0]
	w.exec(`update deliveries set next_at = $1`, w.Now())
	var oldest int64
	w.must(w.DB.Pool.QueryRow(t.Context(), `select id from deliveries where week = '2026-11-09'`).Scan(&oldest))
	w.must(Resend(t.Context(), w.DB.Queries(), oldest, w.Now()))
	w.later(week)
	w.round()
	w.equal("arrived", to(w.arrived()), "ada", "ada")
	w.equal("rows", w.states(), "ada 2026-11-09 sent 0", "ada 2026-11-16 folded 0", "ada 2026-11-23 sent 0", "ada 2026-11-30 sent 0")

	var sent int64
	w.must(w.DB.Pool.QueryRow(t.Context(), `select id from deliveries where week = '2026-11-23'`).Scan(&sent))
	w.must(Resend(t.Context(), w.DB.Queries(), sent, w.Now()))
	w.round()
	again := w.arrived()
	w.equal("the carrier again", to(again), "ada")
	if m := w.parts(again[0]); !strings.Contains(m.Text, "We couldn’t send 2 earlier reports.") {
		t.Errorf("it says\n%s", m.Text)
	}
	for _, m := range []mailtest.Mail{carrier, again[0]} {
		if _, err := w.subscriptions().Week(t.Context(), tokenIn(t, m), civil.Date{Year: 2026, Month: 11, Day: 16}); err != nil {
			t.Error(err)
		}
	}
}

// The mail that covered them may be sent again, too: it went out once, whatever becomes of it now.
func TestAMailThatIsSentAgainChangesNothingOfWhatItCovers(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		answer error
		state  string
	}{"sent": {nil, "sent"}, "refused": {refuses(554, 5, 6, 0), "refused"}} {
		w := newWorld(t)
		w.reader("ada")
		w.later(time.Hour + 2*week)
		w.round()
		ids := w.rows(`select id::text from deliveries order by week`)
		for _, id := range []string{ids[0], ids[2]} {
			n, err := strconv.ParseInt(id, 10, 64)
			w.must(err)
			w.must(Resend(t.Context(), w.DB.Queries(), n, w.Now()))
		}
		w.exec(`update deliveries set next_at = $1, reason = '"450 later"' where id = $2`, w.Now().Add(time.Hour), ids[0])
		w.arrived()
		w.server.AtMail = func(mailtest.Mail) error { return c.answer }
		w.round()
		w.equal(name+": rows", w.states(), "ada 2026-11-09 waiting 0", "ada 2026-11-16 folded 0", "ada 2026-11-23 "+c.state+" 0")
		w.equal(name+": the one that is sent again", w.rows(`select (folded_into is not null) || ' ' || (reason #>> '{}') from deliveries where id = $1`, ids[0]), "true 450 later")
		w.server.AtMail = nil
		w.arrived()
		w.later(time.Hour)
		w.round()
		w.equal(name+": at its hour", to(w.arrived()), "ada")
	}
}

func TestOnlyAFinishedMailIsSentAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.owed()
	again := func() error { return Resend(t.Context(), w.DB.Queries(), id, w.Now()) }
	if err := again(); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("on its way: %v", err)
	}
	w.round()
	w.must(again())
	w.round()
	if got := w.arrived(); len(got) != 2 || messageID(t, got[0]) == messageID(t, got[1]) {
		t.Errorf("%d mails arrived", len(got))
	}
	w.exec(`update deliveries set state = 'given up', sent_at = null, failures = 12, reason = '"450 later"'`)
	w.must(again())
	w.equal("it starts afresh", w.rows(`select state || ' ' || failures || (reason #>> '{}') from deliveries`), "waiting 0")
	w.round()
	w.exec(`update subscriptions set ended_at = now(), end_cause = 'reader'`)
	if err := again(); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("of an ended subscription: %v", err)
	}
}

func TestAnEarlierWeekOpensForWhoMaySeeItNow(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change string
		opens  bool
		birch  bool
	}{
		"nothing changed":     {`select`, true, true},
		"a store is lost":     {`delete from grants where store_id in (select id from stores where slug = 'birch')`, true, false},
		"a store is removed":  {`update stores set removed_at = now() where slug = 'birch'`, true, false},
		"all stores are lost": {`delete from grants`, false, false},
		"the person is ended": {`update people set disabled_at = now()`, false, false},
		"someone ended it":    {`update subscriptions set ended_at = now(), end_cause = 'removed'`, false, false},
		"60 days are over":    {`update deliveries set body = null`, false, false},
	} {
		w := newWorld(t)
		w.edit()
		w.exec(`insert into stores (slug, name, timezone) values ('birch', 'Birch', 'America/New_York')`)
		w.exec(`insert into people (email, name) values ('ada@example.com', 'Ada')`)
		w.exec(`insert into grants (person_id, store_id) select p.id, s.id from people p, stores s`)
		w.exec(`insert into subscriptions (person_id, zone, confirmed_at) select id, 'America/New_York', $1::timestamptz from people`, w.Now())
		w.later(time.Hour + 2*week)
		w.soldInWeeks(4)
		w.round()
		token := tokenIn(t, w.arrived()[0])
		w.exec(c.change)
		m, err := w.subscriptions().Week(t.Context(), token, civil.Date{Year: 2026, Month: 11, Day: 16})
		if (err == nil) != c.opens || err != nil && !errors.Is(err, db.ErrNotFound) {
			t.Errorf("%s: %v", name, err)
		}
		if strings.Contains(m.Text, "Birch") != c.birch {
			t.Errorf("%s: it shows\n%s", name, m.Text)
		}
	}
}

func TestABacklogIsToldInEveryLanguage(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]string{
		"en": "We couldn’t send 6 earlier reports. They are here:\n* 14 – 20 Dec: {L}/2026-12-14\n* 7 – 13 Dec: {L}/2026-12-07\n* 30 Nov – 6 Dec: {L}/2026-11-30\n* 23 – 29 Nov: {L}/2026-11-23\n* All 6 reports: {L}\n",
		"de": "6 frühere Berichte konnten nicht gesendet werden. Sie finden sie hier:\n* 14.–20. Dez.: {L}/2026-12-14\n* 7.–13. Dez.: {L}/2026-12-07\n* 30. Nov. – 6. Dez.: {L}/2026-11-30\n* 23.–29. Nov.: {L}/2026-11-23\n* Alle 6 Berichte: {L}\n",
		"fr": "6 rapports précédents n’ont pas pu être envoyés. Les voici\u00a0:\n* du 14 au 20 déc.\u00a0: {L}/2026-12-14\n* du 7 au 13 déc.\u00a0: {L}/2026-12-07\n* du 30 nov. au 6 déc.\u00a0: {L}/2026-11-30\n* du 23 au 29 nov.\u00a0: {L}/2026-11-23\n* Les 6 rapports\u00a0: {L}\n",
		"es": "No pudimos enviar 6 informes anteriores. Puede verlos aquí:\n* del 14 al 20 de dic.: {L}/2026-12-14\n* del 7 al 13 de dic.: {L}/2026-12-07\n* del 30 de nov. al 6 de dic.: {L}/2026-11-30\n* del 23 al 29 de nov.: {L}/2026-11-23\n* Los 6 informes: {L}\n",
	} {
		w := newWorld(t)
		w.edit()
		w.reader("ada")
		w.exec(`update subscriptions set language = $1`, code)
		w.later(time.Hour + 6*week)
		w.soldInWeeks(7)
		w.round()
		mails := w.arrived()
		w.equal(code+": arrived", to(mails), "ada")
		got := w.parts(mails[0]).Text
		want = strings.ReplaceAll(want, "{L}", "https://shop.example/mail/"+tokenIn(t, mails[0])+"/weeks")
		if !strings.Contains(got, want) {
			t.Errorf("%s: it says\n%s\nwant\n%s", code, got, want)
		}
	}
}
