package alerts_test

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/web/webtest"
)

const thresholdsPath = "/stores/acme/alerts/thresholds"

func TestAThresholdIsPreviewedThenSetAndDeletedByThoseWhoMayShare(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	w.Watched()
	// 20 weeks of 100 orders; two Fridays sold half.
	w.Exec(`delete from summaries where window_start = window_end`)
	w.Exec(`insert into summaries (store_id, window_start, window_end, asked_start, asked_end, total_upsold_value, total_upsold_orders, total_orders, currency, source, partial, flags, fetched_at)
		select s.id, d, d, d, d, case when d in ('2026-10-09', '2026-11-06') then 100 else 200 end, 10, 100, 'USD', 'x', false, '{}', now()
		from stores s, generate_series('2026-07-01', '2026-11-19', interval '1 day') d where s.slug = 'acme'`)
	noor, err := w.Access.CreatePerson(t.Context(), "noor@example.com", "Noor", access.Viewer)
	w.Must(err)
	w.Must(w.Access.GrantPerson(t.Context(), noor.ID, webtest.Own))
	ada, vera := w.SignedIn(), w.SignedInAs(noor)
	fill := url.Values{"what": {"value"}, "kind": {"fall"}, "amount": {"40"}, "least_orders": {"50"}}
	with := func(name, value string) url.Values {
		out := url.Values{}
		for k, v := range fill {
			out[k] = v
		}
		out.Set(name, value)
		return out
	}

	r := ada.Submit(thresholdsPath, with("do", "preview"))
	w.Has(r, "Preview: Upsold value: 40% or more below usual", "It would have fired 2 times in the last 90 days: 9 Oct and 6 Nov.", "This store has no threshold yet")
	ada.Submit(thresholdsPath, with("least_orders", "101"))
	w.Has(ada.Get(thresholdsPath), "It would not have fired: on each of the last 90 days, fewer than 101 orders were expected.", "from 101 expected orders a day")
	for field, value := range map[string]string{"what": "nothing", "kind": "rise", "amount": "101", "least_orders": "-1"} {
		if r := ada.Submit(thresholdsPath, with(field, value)); r.Status != http.StatusUnprocessableEntity || webtest.WrongField(r) != field {
			t.Errorf("%s %s gives %d", field, value, r.Status)
		}
	}
	if r := ada.Submit(thresholdsPath, fill); r.Status != http.StatusSeeOther {
		t.Fatalf("setting one gives %d", r.Status)
	}
	id := w.StoredTexts(`select max(id)::text from thresholds`)[0]

	// A viewer sees it, but can't change anything.
	r = vera.Get(thresholdsPath)
	w.Has(r, "Upsold value: 40% or more below usual", "It would have fired 2 times")
	w.HasNot(r, "New threshold", "Delete", "Edit")
	for _, path := range []string{thresholdsPath, thresholdsPath + "/" + id, thresholdsPath + "/" + id + "/delete"} {
		if r := vera.Submit(path, fill); r.Status != http.StatusForbidden {
			t.Errorf("a viewer's %s gives %d", path, r.Status)
		}
	}

	// Changing it in its form ends its alert, which was about the old threshold.
	w.Exec(`insert into alerts (store_id, rule, subject, since, opened_at, title, text) select id, 'threshold', $1, '2026-11-19', '2026-11-20', '{"text": "Low"}', '[]' from stores where slug = 'acme'`, id)
	r = ada.Get(thresholdsPath + "?edit=" + id)
	w.Has(r, "Edit threshold", "Preview: Upsold value: 40% or more below usual")
	inMarkup(t, r, `name="amount" value="40"`)
	if r := ada.Submit(thresholdsPath+"/"+id, with("amount", "0")); r.Status != http.StatusUnprocessableEntity {
		t.Errorf("changing it to nothing gives %d", r.Status)
	}
	if r := ada.Submit(thresholdsPath+"/"+id, with("amount", "45")); !strings.HasSuffix(r.Header.Get("Location"), "?done=changed") {
		t.Errorf("changing it gives %d", r.Status)
	}
	if got := w.StoredTexts(`select done_by::text from alerts where subject = $1 and done_at is not null`, id); len(got) != 1 {
		t.Errorf("the alert of the earlier one is done: %q", got)
	}
	for _, r := range []webtest.Response{ada.Get(thresholdsPath + "?edit=" + id), ada.Submit(thresholdsPath+"/"+id, fill), ada.Get(thresholdsPath + "?edit=x")} {
		if r.Status != http.StatusNotFound {
			t.Errorf("editing one that is gone gives %d", r.Status)
		}
	}
	r = ada.Submit(thresholdsPath+"/"+id, fill)
	w.Has(r, "New threshold", "This threshold was changed or deleted after you opened it.", "Upsold value: 45% or more below usual")
	inMarkup(t, r, `name="amount" value="40"`)
	id = w.StoredTexts(`select max(id)::text from thresholds`)[0]

	// Its alert leaves the inbox with it.
	w.Exec(`insert into alerts (store_id, rule, subject, since, opened_at, title, text) select id, 'threshold', $1, '2026-11-19', '2026-11-20', '{"text": "Low"}', '[]' from stores where slug = 'acme'`, id)
	ada.Send(thresholdsPath + "/" + id + "/delete")
	records := strings.Join(w.Audit(), "\n")
	for action, amount := range map[string]string{"set": "40", "changed": "45", "deleted": "45"} {
		if want := "person ada@example.com alert.threshold-" + action + " acme Upsold value: " + amount + "% or more below usual"; !strings.Contains(records, want) {
			t.Errorf("not recorded: %s\n%s", want, records)
		}
	}
	if got := w.StoredTexts(`select done_by::text from alerts where subject = $1 and done_at is not null`, id); len(got) != 1 {
		t.Errorf("its alert is done: %q", got)
	}
	if r := ada.Submit(thresholdsPath+"/"+id+"/delete", url.Values{}); r.Status != http.StatusNotFound {
		t.Errorf("deleting it again gives %d", r.Status)
	}
}

func TestAStoreHasSoManyThresholdsAndNoMore(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.SignedIn()
	fill := url.Values{"what": {"orders"}, "kind": {"day"}, "amount": {"5"}, "least_orders": {"0"}}
	for n := range db.MaxThresholds {
		fill.Set("amount", strconv.Itoa(20+n))
		b.Submit(thresholdsPath, fill)
	}
	fill.Set("amount", "5")
	if r := b.Submit(thresholdsPath, fill); r.Status != http.StatusConflict {
		t.Errorf("one too many gives %d", r.Status)
	}
	if got := w.StoredTexts(`select count(*)::text from thresholds`); got[0] != "10" {
		t.Errorf("%s thresholds are kept", got[0])
	}
}

// A button pressed twice sends the form twice at once.
func TestAThresholdIsSetOnceHoweverOftenItsFormIsSent(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.SignedIn()
	fill := url.Values{"what": {"orders"}, "kind": {"day"}, "amount": {"5"}, "least_orders": {"0"}}
	var sent sync.WaitGroup
	for range 4 {
		sent.Go(func() {
			if r := b.Submit(thresholdsPath, fill); !strings.HasSuffix(r.Header.Get("Location"), "?done=set") {
				t.Errorf("%d %s", r.Status, r.Body)
			}
		})
	}
	sent.Wait()
	fill.Set("amount", "6")
	b.Submit(thresholdsPath, fill)
	if got := w.StoredTexts(`select amount::text from thresholds order by id`); !slices.Equal(got, []string{"5", "6"}) {
		t.Errorf("the thresholds are %q", got)
	}
}

func TestTheThresholdsOfAStoreAreReachedFromItsInboxAndFromTheSettings(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.SignedIn()
	if r := b.Get("/stores/acme/alerts"); !strings.Contains(r.Body, `href="`+thresholdsPath+`"`) {
		t.Error("the inbox of the store leads nowhere")
	}
	w.Has(b.Get("/alerts/settings"), "Show thresholds")
	if to := b.Get("/alerts/thresholds?store=acme").Header.Get("Location"); to != thresholdsPath {
		t.Errorf("choosing it leads to %q", to)
	}
}

func TestAThresholdWatchesOneOfferByItsStoredDays(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	w.Exec(`delete from summaries where window_start = window_end`)
	w.Exec(`delete from top_lists where window_start = window_end`)
	w.Exec(`delete from top_offers where window_start = window_end`)
	w.Exec(`insert into summaries (store_id, window_start, window_end, asked_start, asked_end, total_upsold_value, total_upsold_orders, total_orders, currency, source, partial, flags, fetched_at)
		select s.id, d, d, d, d, 200, 10, 100, 'USD', 'x', false, '{}', now()
		from stores s, generate_series('2026-07-01', '2026-11-19', interval '1 day') d where s.slug = 'acme'`)
	// The socks sold every day since October except one; that day's ranking is complete, and a list of 3 Nov was
	// cut.
	w.Exec(`insert into offers (store_id, offer_id, name, status, placement, ab_test, first_seen_at, last_listed_at, last_walk)
		select stores.id, o.id, o.name, o.status, o.placement, false, now(), now(), 1
		from stores, (values ('socks/1', 'Trail socks', 'active', 'Thank you page upsell'), ('pad', 'Sit pad', 'expired', 'Thank you page upsell'), ('code', 'Ten off', 'active', 'Coupon offer')) o (id, name, status, placement)
		where slug = 'acme'`)
	w.Exec(`insert into top_lists (store_id, window_start, window_end, direction, row_limit, row_count, currency, partial, whole, fetched_at)
		select stores.id, d, d, 'highest', 50, 1, 'USD', false, d <> '2026-11-03', now() from stores, generate_series('2026-08-01', '2026-11-19', interval '1 day') d where slug = 'acme'`)
	w.Exec(`insert into top_offers (store_id, window_start, window_end, direction, place, offer_id, name, placement, status, ab_test, revenue, claims, deleted)
		select stores.id, d, d, 'highest', 1, 'socks/1', 'Trail socks', 'Thank you page upsell', 'active', false, 80, 4, false
		from stores, generate_series('2026-10-01', '2026-11-19', interval '1 day') d where slug = 'acme' and d not in ('2026-11-03', '2026-11-12')`)
	b := w.SignedIn()
	fill := url.Values{"what": {"offer/socks/1"}, "kind": {"day"}, "amount": {"50"}, "least_orders": {"0"}, "do": {"preview"}}

	r := b.Get(thresholdsPath)
	w.Has(r, "Trail socks")
	w.HasNot(r, "Sit pad", "Ten off")
	inMarkup(t, b.Get(thresholdsPath+"?offer=pad"), `value="offer/pad" selected`)
	inMarkup(t, b.Get("/stores/acme/offers/pad"), `href="`+thresholdsPath+`?offer=pad#new-threshold"`)
	viewer, err := w.Access.CreatePerson(t.Context(), "noor@example.com", "Noor", access.Viewer)
	w.Must(err)
	w.Must(w.Access.GrantPerson(t.Context(), viewer.ID, webtest.Own))
	for of, reader := range map[string]*webtest.Browser{"pad": w.SignedInAs(viewer), "code": b} {
		if r := reader.Get("/stores/acme/offers/" + of); r.Status != http.StatusOK || strings.Contains(r.Body, "thresholds?offer") {
			t.Errorf("%s: %d, and a threshold is offered to who may not set it, or for what can't be watched", of, r.Status)
		}
	}
	r = b.Submit(thresholdsPath, fill)
	w.Has(r, "Preview: Upsold value, \u2068Trail socks\u2069: below $50.00 on one day", "It would have fired once in the last 90 days: 12 Nov.",
		"41 days couldn’t be checked: they don’t show what this offer earned")
	for what, says := range map[string]string{"offer/pad": "Too few stored days show what this offer earned.", "offer/code": "Choose a figure from the list.", "offer/none": "Choose a figure from the list."} {
		fill.Set("what", what)
		w.Has(b.Submit(thresholdsPath, fill), says)
	}
	fill.Del("do")
	fill.Set("what", "offer/socks/1")
	b.Submit(thresholdsPath, fill)
	r = b.Get(thresholdsPath + "?edit=" + w.StoredTexts(`select max(id)::text from thresholds`)[0])
	inMarkup(t, r, `value="offer/socks/1" selected`, `name="amount" value="50"`)
}

func inMarkup(t *testing.T, r webtest.Response, want ...string) {
	t.Helper()
	for _, each := range want {
		if !strings.Contains(r.Body, each) {
			t.Errorf("%q is not in: %s", each, r.Body)
		}
	}
}
