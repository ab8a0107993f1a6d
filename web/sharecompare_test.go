package web_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/access/sharing"
	"github.com/storeglass/storeglass/web/webtest"
)

func TestALinkComparesOnlyIfItsMakerChoseSo(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	w.Exec(`update summaries set total_upsold_value = 60, total_upsold_orders = 2, total_orders = 20 where store_id = (select id from stores where slug = $1) and window_start = window_end and window_start between '2026-11-06' and '2026-11-12'`, webtest.Own)
	w.Exec(`update offer_setups set starts_on = '2026-11-14' where offer_id = 'acme-offer-1'`)
	week := func(compares bool) func(*sharing.Draft) {
		return func(n *sharing.Draft) {
			n.Compares = compares
			n.Window = sharing.Window{Start: civil.Date{Year: 2026, Month: 11, Day: 13}, End: civil.Date{Year: 2026, Month: 11, Day: 19}}
		}
	}
	for name, c := range map[string]struct {
		link     string
		compares bool
	}{
		"one that compares": {w.Share(week(true)), true},
		"any other":         {w.Share(week(false)), false},
	} {
		reader := w.Browser()
		page := webtest.Words(reader.Get(c.link))
		if strings.Contains(page, "6 – 12 Nov") != c.compares || strings.Contains(page, "Why it changed") != c.compares {
			t.Errorf("%s: the page tells of the week before: %v", name, !c.compares)
		}
		if offer := webtest.Words(reader.Get(c.link + "/offers/acme-offer-1")); !strings.Contains(offer, "It started on 14 Nov.") {
			t.Errorf("%s: the offer’s page says: %.400s", name, offer)
		}
		var got struct {
			Answer struct {
				Verdict struct{ What string }
				Drivers struct {
					Change json.Number
					Parts  []any
				}
			}
			Summary struct{ Previous any }
			History struct{ Against []any }
		}
		body := reader.Get(c.link + "/overview.json").Body
		w.Must(json.Unmarshal([]byte(body), &got))
		if got.Answer.Verdict.What == "" || (len(got.Answer.Drivers.Parts) == 3) != c.compares || (got.Summary.Previous != nil) != c.compares || (len(got.History.Against) == 7) != c.compares {
			t.Errorf("%s: %+v", name, got)
		}
		for _, path := range []string{"", "/placements", "/offers", "/offers?open=acme-offer-1", "/gift", "/overview.json", "/history.csv"} {
			if text := webtest.WholeText(reader.Get(c.link + path)); regexp.MustCompile(`2026-11-05|\b5 Nov 2026`).MatchString(text) {
				t.Errorf("%s: %s tells of a day before both weeks", name, path)
			}
		}
	}
}

func TestTheFormOfALinkComparesNothingUnlessTicked(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.SignedIn()
	if form := b.Get("/stores/acme/shares/new"); !strings.Contains(form.Body, `name="compares" value="yes">`) {
		t.Error("the choice is not there, or is made already")
	}
	form := wantedShare(w)
	b.Post("/stores/acme/shares", form)
	w.HasNot(b.Get("/stores/acme/shares"), "with what is next")
	form.Set("compares", "yes")
	form.Set("plans", "yes")
	b.Post("/stores/acme/shares", form)
	if got := w.StoredTexts(`select compares::text from shares order by id`); len(got) != 2 || got[0] != "false" || got[1] != "true" {
		t.Errorf("made %v", got)
	}
	w.Has(b.Get("/stores/acme/shares"), "7 days, rolling, compared, with what is next")
}

func TestALinkSaysItsMessageAndWhatIsNextOnlyIfItsMakerChoseSo(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	w.Exec(`insert into gift_campaigns (store_id, campaign_id, name, status, type, target_page, start_date, end_date, position, first_seen_at, last_listed_at)
		select id, 'later', 'Winter welcome', 'scheduled', 'free_gift', 'cart', '2026-12-01', '2027-03-01', 9, now(), now() from stores where slug = $1`, webtest.Own)
	w.Exec(`insert into notes (store_id, first_day, last_day, text, for_clients, written_at)
		select id, day::date, day::date, text, clients, now() from stores, (values ('2026-11-24', 'You: pick a mug', true), ('2026-11-25', 'Ask Ines for less', false), ('2026-12-21', 'Too far ahead', true)) n (day, text, clients) where slug = $1`, webtest.Own)
	fixed := func(message string, plans bool) string {
		return w.Share(func(n *sharing.Draft) {
			n.Message, n.Plans = message, plans
			n.Window = sharing.Window{Start: civil.Date{Year: 2026, Month: 11, Day: 13}, End: civil.Date{Year: 2026, Month: 11, Day: 19}}
		})
	}
	said, silent := fixed("A good week, Ines.", true), fixed("", false)
	reader := w.Browser()
	w.Has(reader.Get(said), "A good week, Ines.", "What is next", "Winter welcome", "24 Nov You: pick a mug")
	w.HasNot(reader.Get(said), "Ask Ines", "Too far ahead")
	w.HasNot(reader.Get(silent), "A good week", "What is next", "Winter welcome", "pick a mug")
	for link, want := range map[string]bool{said: true, silent: false} {
		if r := reader.Get(link + "/overview.json"); strings.Contains(r.Body, `"message":"A good week, Ines."`) != want {
			t.Errorf("the message is in the JSON of %s: want %v: %.300s", link, want, r.Body)
		}
	}
}

func TestAMessageOfALinkHasALength(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.SignedIn()
	form := wantedShare(w)
	form.Set("message", strings.Repeat("é", sharing.MaxMessage+1))
	w.Has(b.Post("/stores/acme/shares", form), "Write at most 1,000 characters.")
}
