package weekly

import (
	"context"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/pdf"
	"github.com/storeglass/storeglass/internal/report"
)

// sold stores the days of that week and of the week before, each with an answer of the
// upsell service.
func (w *world) sold(first civil.Date) {
	w.t.Helper()
	w.exec(`insert into credentials (store_id, service, base_url, token_sealed, key_id, budget, state) values ($1::bigint, 'upsell', 'https://upsell.example', '', '', convert_to('b' || $1::bigint, 'UTF8'), 'good')
		on conflict do nothing`, w.store)
	w.exec(`insert into summaries (store_id, window_start, window_end, total_upsold_value, total_upsold_orders, total_orders, upsell_success_rate, offer_views, currency, source, asked_start, asked_end, partial, fetched_at)
		select $1, d, d, 1000 + 10 * n, 40, 300, 0.13, 900, 'USD', 'merchant', d, d, false, $3
		from generate_series(0, 13) n, lateral (select $2::date - 7 + n as d) x`, w.store, first.In(time.UTC), w.Now())
	w.exec(`update stores set revision = revision + 1, currency = 'USD' where id = $1`, w.store)
}

var november9 = civil.Date{Year: 2026, Month: time.November, Day: 9}

func (w *world) edit() {
	w.Composer = &Editor{DB: w.DB, Base: w.Base}
}

func TestTheWeeksNumbersArriveWithTheirChart(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.edit()
	w.sold(november9)
	w.reader("ada")
	w.later(time.Hour)
	w.round()
	mails := w.arrived()
	w.equal("arrived", to(mails), "ada")
	raw := strings.ReplaceAll(strings.ReplaceAll(mails[0].Raw, "=\r\n", ""), "=C2=A0", " ")
	token := tokenIn(t, mails[0])
	for _, part := range []string{
		"<title>Acme: $7,700.00 from upsells, 9", "Mon 9 Nov: $1,070.00 (week before $1,000.00)", "Sent to ada@example.com on Mondays, 08:00 New York time.",
		"https://shop.example/stores/acme?", "Content-Id: <days-dark>",
		"Open in a browser: https://shop.example/mail/" + token, "Stop these mails: https://shop.example/unsubscribe/" + token,
	} {
		if !strings.Contains(raw, part) {
			t.Errorf("no %q in\n%s", part, raw[:min(len(raw), 4000)])
		}
	}
	if strings.Contains(raw, "Change:") {
		t.Error("someone without an account can change nothing in ours")
	}
}

func TestAMailWaitsForTheDaysOfItsWeek(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.edit()
	w.sold(november9)
	w.exec(`delete from summaries where window_start = '2026-11-15'`)
	w.reader("ada")
	w.later(time.Hour)
	w.round()
	w.equal("with a day missing", w.rows(`select state || ': ' || (reason ->> 'id') from deliveries`), "waiting: mails.sent.cause.waiting")
	w.exec(`insert into summaries select (jsonb_populate_record(s, '{"window_start": "2026-11-15", "window_end": "2026-11-15"}')).* from summaries s where window_start = '2026-11-14'`)
	w.exec(`update stores set revision = revision + 1`)
	w.later(lookAgain)
	w.round()
	w.equal("once it is there", to(w.arrived()), "ada")
}

// asker is an Asker made of a function.
type asker func(report.Question) bool

func (a asker) WantWindow(_ context.Context, _ db.ScopedStore, q report.Question, _ time.Time) (bool, error) {
	return a(q), nil
}

// On a Tuesday, the week that ended on Sunday isn't among the nightly windows, so its ranking
// may never have been requested.
func TestAMailHasItsWeekAskedAboutAndWaitsForTheAnswer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.sold(november9)
	var asked []report.Question
	for _, coming := range []bool{true, false} {
		e := &Editor{DB: w.DB, Base: w.Base, Asker: asker(func(q report.Question) bool {
			asked = append(asked, q)
			return coming
		})}
		tuesday := monday.AddDate(0, 0, 1)
		c, err := e.Compose(t.Context(), Order{StoreID: &w.store, Week: Week{november9}, Location: time.UTC, Language: "en", Now: tuesday, Until: tuesday.Add(patience)})
		w.must(err)
		w.equal("it waits", []string{fmt.Sprint(c.Asked, !c.Complete)}, fmt.Sprint(coming, coming))
		c, err = e.Compose(t.Context(), Order{StoreID: &w.store, Week: Week{november9}, Location: time.UTC, Language: "en", Now: tuesday})
		w.must(err)
		w.equal("what is written at once waits for nothing", []string{fmt.Sprint(c.Asked)}, "false")
	}
	w.equal("asked", []string{fmt.Sprint(asked)}, "[{{2026-11-09 2026-11-15} [upsell] false} {{2026-11-09 2026-11-15} [upsell] false}]")
}

func TestManyReadersOfAStoreCostOneDrawing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.sold(november9)
	e := &Editor{DB: w.DB, Base: w.Base}
	order := Order{StoreID: &w.store, Week: Week{november9}, Location: time.UTC, Language: "en", Now: w.Now()}
	compose := func(to string) Content {
		t.Helper()
		o := order
		o.To = to
		c, err := e.Compose(t.Context(), o)
		if err != nil {
			t.Error(err)
		}
		return c
	}
	same := func(a, b Content) bool { return &a.Pictures[0].PNG[0] == &b.Pictures[0].PNG[0] }
	readers := make([]Content, 20)
	var all sync.WaitGroup
	for i := range readers {
		all.Go(func() { readers[i] = compose("ada@example.com") })
	}
	all.Wait()
	other := compose("ben@example.com")
	for _, c := range readers {
		if !same(c, other) {
			t.Fatal("drawn twice")
		}
	}
	if !strings.Contains(other.Text, "ben@example.com") || strings.Contains(other.HTML, "ada@example.com") {
		t.Errorf("the foot of another reader:\n%s", other.Text)
	}
	for _, change := range []string{
		`update stores set revision = revision + 1`,
		`insert into branding (name) values ('Northwind')`,
	} {
		w.exec(change)
		if after := compose("ben@example.com"); same(after, other) {
			t.Errorf("after %s it is still the earlier drawing", change)
		}
	}
	for i := range 3 * mostEditions {
		order.Week = Week{november9.AddDays(-7 * i)}
		compose("ada@example.com")
	}
	if len(e.kept) > mostEditions {
		t.Errorf("%d are kept", len(e.kept))
	}
}

func TestOnlyReadersWithAnAccountGetPrivateNotes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.sold(november9)
	w.exec(`insert into notes (store_id, first_day, last_day, text, for_clients) values ($1, '2026-11-10', '2026-11-11', 'The sale', true), ($1, '2026-11-12', '2026-11-12', 'A quiet word', false), ($1, '2026-11-16', '2026-11-16', 'Next week', true)`, w.store)
	e := &Editor{DB: w.DB, Base: w.Base}
	person := int64(1)
	for name, c := range map[string]struct {
		person *int64
		text   string
	}{
		"with an account": {&person, "* 10 – 11 Nov: The sale\n* 12 Nov: A quiet word (Private)\n\n"},
		"without":         {nil, "* 10 – 11 Nov: The sale\n\n"},
	} {
		got, err := e.Compose(t.Context(), Order{StoreID: &w.store, PersonID: c.person, Week: Week{november9}, Location: time.UTC, Language: "en", Now: w.Now()})
		w.must(err)
		if !strings.Contains(got.Text, "Notes\n-----\n"+c.text) || strings.Contains(got.HTML, "A quiet word") != (c.person != nil) || strings.Contains(got.Text+got.HTML, "Next week") {
			t.Errorf("%s:\n%s", name, got.Text)
		}
	}
}

func TestAMailThatCouldNotBeMadeIsMadeAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.sold(november9)
	e := &Editor{DB: w.DB, Base: w.Base}
	o := Order{StoreID: &w.store, Week: Week{november9}, Location: time.UTC, Language: "en", Now: w.Now()}
	w.exec(`insert into branding (name, logo) values ('Northwind', 'no picture')`)
	if _, err := e.Compose(t.Context(), o); err == nil {
		t.Fatal("a logo that is no picture was drawn")
	}
	w.exec(`update branding set logo = null`) // without a new revision
	if _, err := e.Compose(t.Context(), o); err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := e.Compose(ctx, o); err == nil {
		t.Error("composed for someone who had gone")
	}
}

func TestTheMailAboutAllStoresHoldsThoseOfItsReaderAtThatMoment(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.edit()
	w.sold(november9)
	w.exec(`insert into stores (slug, name, timezone) values ('birch', 'Birch', 'UTC'), ('cedar', 'Cedar', 'UTC')`)
	w.exec(`insert into people (email, name) values ('ada@example.com', 'Ada')`)
	w.exec(`insert into grants (person_id, store_id) select p.id, s.id from people p, stores s where s.slug <> 'cedar'`)
	w.exec(`insert into subscriptions (person_id, zone, confirmed_at) select id, 'America/New_York', $1::timestamptz from people`, w.Now())
	w.exec(`delete from grants where store_id in (select id from stores where slug = 'birch')`)
	w.later(time.Hour)
	w.round()
	mails := w.arrived()
	w.equal("arrived", to(mails), "ada")
	for name, want := range map[string]bool{"Acme": true, "Birch": false, "Cedar": false, "https://shop.example/snapshots": true} {
		if strings.Contains(mails[0].Raw, name) != want {
			t.Errorf("%s in the mail: %v", name, !want)
		}
	}
}

func TestAMailSaysWhatChangedSinceTheLastOneOfItsReader(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.edit()
	w.sold(november9)
	w.reader("ada")
	w.later(time.Hour)
	w.round()
	w.equal("the first mail", to(w.arrived()), "ada")
	written := w.Now()
	change := func(day, value string, at time.Time) {
		w.exec(`with e as (select * from summaries where window_start = $1::text::date),
			r as (insert into revisions (store_id, pull, window_start, window_end, earlier, seen_at, replaced_at) select store_id, 'summary', window_start, window_end, to_jsonb(e), fetched_at, $3::timestamptz from e)
			update summaries set total_upsold_value = $2::text::numeric, fetched_at = $3::timestamptz, revised_at = $3::timestamptz where window_start = $1::text::date`, day, value, at)
	}
	change("2026-11-11", "1200", written.Add(time.Hour))
	change("2026-11-11", "1380", written.Add(2*time.Hour)) // changed twice
	change("2026-11-12", "1", written.Add(time.Hour))
	change("2026-11-12", "1100", written.Add(2*time.Hour)) // changed back
	change("2026-11-14", "900", written.Add(-time.Hour))   // already in the last mail
	change("2026-11-05", "900", written.Add(time.Hour))    // in the week before it
	w.sold(november9.AddDays(14))
	w.later(7 * 24 * time.Hour)
	w.round()
	const says = "* Wed 11 Nov: was $1,090.00 in the last mail, is now $1,380.00."
	mails := w.arrived()
	w.equal("the second mail", to(mails), "ada")
	text := strings.ReplaceAll(mails[0].Raw, "=\r\n", "")
	if !strings.Contains(text, says) || strings.Count(text, "in the last mail") != 2 { // once in the text and once in the HTML
		t.Errorf("no %q, or more, in\n%s", says, text[:4000])
	}
	w.later(time.Minute)
	w.reader("ben")
	w.later(7 * 24 * time.Hour)
	w.round()
	mails = w.arrived()
	w.equal("the third mail", to(mails), "ada", "ben")
	for _, m := range mails {
		if strings.Contains(m.Raw, "in the last mail") {
			t.Errorf("%s is told again, or of a mail that was not theirs", m.To)
		}
	}
}

// browser is a program that stands in for Chromium, and counts its runs.
func browser(t *testing.T, script string) (p *pdf.Printer, runs func() int) {
	t.Helper()
	path, ran := filepath.Join(t.TempDir(), "chromium"), filepath.Join(t.TempDir(), "ran")
	if err := os.WriteFile(path, []byte("#!/bin/sh\necho >> "+ran+"\n"+script), 0o700); err != nil {
		t.Fatal(err)
	}
	p, err := pdf.Find(path)
	if err != nil {
		t.Fatal(err)
	}
	return p, func() int {
		lines, _ := os.ReadFile(ran)
		return len(lines)
	}
}

func TestAPDFIsPrintedOnceForAllWhoWantIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.sold(november9)
	p, runs := browser(t, `for each; do case $each in --print-to-pdf=*) echo "%PDF-1.7 made" > "${each#--print-to-pdf=}";; esac; done`)
	w.Composer = &Editor{DB: w.DB, Base: w.Base, Printer: p, Log: w.Log}
	w.reader("ada")
	w.reader("ben")
	w.exec(`update subscriptions set pdf = true`)
	w.reader("cem")
	w.later(time.Hour)
	w.round()
	mails := w.arrived()
	w.equal("arrived", to(mails), "ada", "ben", "cem")
	for _, m := range mails {
		head := `Content-Disposition: attachment; filename="acme-2026-W46.pdf"`
		made := base64.StdEncoding.EncodeToString([]byte("%PDF-1.7 made\n"))
		if wants := m.To != "cem@example.com"; strings.Contains(m.Raw, head) != wants || strings.Contains(m.Raw, made) != wants {
			t.Errorf("the mail to %s has a PDF: %v", m.To, !wants)
		}
	}
	if n := runs(); n != 1 {
		t.Errorf("the browser ran %d times", n)
	}
}

func TestAMailGoesWithoutAPDFThatCantBeMadeAndSaysSo(t *testing.T) {
	t.Parallel()
	p, runs := browser(t, "exit 3\n")
	for name, printer := range map[string]*pdf.Printer{"none": nil, "a broken one": p} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.sold(november9)
			w.Composer = &Editor{DB: w.DB, Base: w.Base, Printer: printer, Log: w.Log}
			w.reader("ada")
			w.reader("ben")
			w.exec(`update subscriptions set pdf = true`)
			w.later(time.Hour)
			w.round()
			mails := w.arrived()
			w.equal("arrived", to(mails), "ada", "ben")
			for _, m := range mails {
				if !strings.Contains(m.Raw, "The PDF: creating it failed on this server.") || strings.Contains(m.Raw, "application/pdf") {
					t.Errorf("the mail says\n%s", m.Raw[:min(len(m.Raw), 3000)])
				}
			}
			if n := runs(); printer != nil && n != 1 {
				t.Errorf("the browser ran %d times", n)
			}
		})
	}
}
