package snapshot

import (
	"strings"
	"testing"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/report"
)

func TestADigestHoldsTheStoresThatItsReaderMaySeeNow(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.exec(`insert into stores (slug, name, timezone, history_days) values ('other', 'Other', 'Asia/Tokyo', 90), ('foreign', 'Foreign', 'UTC', 90)`)
	w.exec(`insert into people (email, name, role) values ('ada@example.com', 'Ada', 'agency')`)
	w.exec(`insert into grants (person_id, store_id) select p.id, s.id from people p, stores s where s.slug in ('acme', 'other')`)
	stores := func() string {
		d, err := ReadDigest(t.Context(), w.DB, 1, civil.Date{Year: 2026, Month: 11, Day: 9}, monday, time.Time{}, report.English)
		w.must(err)
		var names []string
		for _, table := range d.Tables {
			for _, r := range table.Rows {
				names = append(names, r.Name)
			}
		}
		return d.Store.Name + ": " + strings.Join(names, ", ")
	}
	if got := stores(); got != "2 stores: Acme, Other" {
		t.Errorf("the digest is about %s", got)
	}
	w.exec(`delete from grants where store_id = $1`, w.store)
	if got := stores(); got != "1 store: Other" {
		t.Errorf("without a grant the digest is about %s", got)
	}
	w.exec(`update people set disabled_at = now()`)
	if got := stores(); got != "0 stores: " {
		t.Errorf("the digest of somebody who was disabled is about %s", got)
	}
}

func TestADigestGoesOnlyToWhoHoldsAStoreAndLeadsToTheSameList(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.edit()
	w.exec(`insert into people (email, name, role) values ('ada@example.com', 'Ada', 'agency'), ('bob@example.com', 'Bob', 'agency')`)
	w.exec(`insert into grants (person_id, store_id) values (1, $1)`, w.store)
	w.exec(`insert into subscriptions (person_id, zone, confirmed_at) select id, 'America/New_York', $1 from people`, w.Now())
	w.sold(november9)
	w.later(time.Hour)
	w.round()
	mails := w.arrived()
	w.equal("arrived", to(mails), "ada")
	raw := strings.ReplaceAll(strings.ReplaceAll(mails[0].Raw, "=\r\n", ""), "=C2=A0", " ")
	for _, part := range []string{"Your store earned more than the week before.", "Open the stores: https://shop.example/?by=3Dnothing&end=3D2026-11-15&start=3D2026-11-09", "https://shop.example/stores/acme?end=3D2026-11-15&start=3D2026-11-09"} {
		if !strings.Contains(raw, part) {
			t.Errorf("no %q in\n%s", part, raw[:min(len(raw), 6000)])
		}
	}
	w.equal("states", w.states(), "ada 2026-11-09 sent 0", "bob 2026-11-09 ended 0")
}
