package alerts_test

import (
	"net/http"
	"net/url"
	"strings"
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
		if r := ada.Submit(thresholdsPath, with(field, value)); r.Status != http.StatusUnprocessableEntity || !strings.Contains(r.Body, `aria-invalid="true"`) {
			t.Errorf("%s %s gives %d", field, value, r.Status)
		}
	}
	if r := ada.Submit(thresholdsPath, fill); r.Status != http.StatusSeeOther {
		t.Fatalf("setting one gives %d", r.Status)
	}
	id := w.StoredTexts(`select max(id)::text from thresholds`)[0]

	// A viewer sees it, and may do nothing.
	r = vera.Get(thresholdsPath)
	w.Has(r, "Upsold value: 40% or more below usual", "It would have fired 2 times")
	w.HasNot(r, "New threshold", "Delete")
	for _, path := range []string{thresholdsPath, thresholdsPath + "/" + id + "/delete"} {
		if r := vera.Submit(path, fill); r.Status != http.StatusForbidden {
			t.Errorf("a viewer's %s gives %d", path, r.Status)
		}
	}

	// Its alert leaves the inbox with it.
	w.Exec(`insert into alerts (store_id, rule, subject, since, opened_at, title, text) select id, 'threshold', $1, '2026-11-19', '2026-11-20', '{"text": "Low"}', '[]' from stores where slug = 'acme'`, id)
	ada.Send(thresholdsPath + "/" + id + "/delete")
	records := strings.Join(w.Audit(), "\n")
	for _, action := range []string{"set", "deleted"} {
		if want := "person ada@example.com alert.threshold-" + action + " acme Upsold value: 40% or more below usual"; !strings.Contains(records, want) {
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
	for range db.MaxThresholds {
		b.Submit(thresholdsPath, fill)
	}
	if r := b.Submit(thresholdsPath, fill); r.Status != http.StatusConflict {
		t.Errorf("one too many gives %d", r.Status)
	}
	if got := w.StoredTexts(`select count(*)::text from thresholds`); got[0] != "10" {
		t.Errorf("%s thresholds are kept", got[0])
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
