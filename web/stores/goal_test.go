package stores_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/web/webtest"
)

// The store of the world sold 100.25 on each of 39 days up to 19 November but the 3rd.
func TestAGoalIsSetAndShownWhereTheNumbersAre(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.SignedIn()
	w.Audit()
	w.HasNot(b.Get("/stores/acme"), "November goal")
	r := b.Send("/stores/acme/settings/goal", "kind", "value", "amount", "4,000", "from", "2026-11-01")
	if r.Status != 303 || r.Header.Get("Location") != "/stores/acme/settings?done=goal#goal" {
		t.Fatalf("%d %q", r.Status, r.Header.Get("Location"))
	}
	w.Recorded("person ada@example.com store.goal-set acme 4000 USD from 2026-11")
	w.Has(b.Get("/stores/acme/settings?done=goal"), "Goal saved.", "$4,000 a month, since November 2026", "Ada")
	w.Has(b.Get("/stores/acme"), "November goal", "11 days left", "$1,805 of $4,000", "On pace for about $3.01k, about $993 short.",
		"1 – 19 Nov 2026 · upsold value · added up from daily data.", "3 Nov is missing. The pace includes an estimate for it.")

	var answer struct {
		Sold, State string
		Pace        struct{ Expected string }
	}
	w.Must(json.Unmarshal([]byte(w.APIClient(w.Token(webtest.Own)).Get("/api/v1/stores/acme/goal").Body), &answer))
	if answer.Sold != "1804.5" || answer.State != "at_risk" || answer.Pace.Expected != "3007.5" {
		t.Errorf("the API says %+v", answer)
	}
	agency := w.Agency()
	w.Has(agency.Get("/"), "75%", "of $4,000", "no goal set")
	file := strings.Split(agency.Get("/stores.csv").Body, "\n")
	if !strings.Contains(file[1], "at_risk") || !strings.Contains(file[0], "goal_estimate_low") {
		t.Errorf("the file says %s", file[1])
	}
	w.HasNot(w.Browser().Get(w.Share(nil)), "goal", "4,000")

	r = b.Send("/stores/acme/settings/goal", "kind", "none", "amount", "", "from", "2026-11-01")
	if r.Status != 303 {
		t.Fatal(r.Status)
	}
	w.HasNot(b.Get("/stores/acme"), "November goal")
	if kept := len(w.StoredTexts(`select kind from goals`)); kept != 2 {
		t.Errorf("%d changes are kept", kept)
	}
}

func TestAGoalThatMeansNothingIsRefusedInWords(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.SignedIn()
	for name, c := range map[string]struct{ kind, amount, from, want string }{
		"words":              {"value", "a lot", "2026-11-01", "Write an amount such as 25,000."},
		"nothing":            {"value", "0", "2026-11-01", "Write an amount above 0"},
		"a fraction":         {"orders", "10.5", "2026-11-01", "Write a whole number such as 1,200."},
		"thousandths":        {"value", "10.125", "2026-11-01", "Write at most 2 decimals."},
		"too much":           {"value", "1000000000000", "2026-11-01", "Write an amount below 1,000,000,000,000."},
		"a month before":     {"value", "10", "2026-10-01", "Choose this month or one of the next eleven."},
		"a day that is none": {"value", "10", "2026-11-02", "Choose this month or one of the next eleven."},
		"another kind":       {"x", "10", "2026-11-01", "Choose what to count."},
	} {
		r := b.Send("/stores/acme/settings/goal", "kind", c.kind, "amount", c.amount, "from", c.from)
		if r.Status != 422 {
			t.Errorf("%s: %d", name, r.Status)
		}
		w.Has(r, c.want)
	}
	if got := w.StoredTexts(`select kind from goals`); len(got) > 0 {
		t.Errorf("saved %q", got)
	}
}

func TestAGoalIsSetByThoseAloneWhoMayChangeTheStore(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	for role, want := range map[access.Role]int{access.Viewer: 403, access.Agency: 403, access.Merchant: 303} {
		p, err := w.Access.CreatePerson(t.Context(), string(role)+"@example.com", "", role)
		w.Must(err)
		w.Must(w.Access.GrantPerson(t.Context(), p.ID, webtest.Own))
		b := w.SignedInAs(p)
		if got := b.Send("/stores/acme/settings/goal", "kind", "orders", "amount", "90", "from", "2026-12-01").Status; got != want {
			t.Errorf("%s: %d, want %d", role, got, want)
		}
		if role == access.Viewer {
			w.HasNot(b.Get("/stores/acme"), "Set a goal")
		}
	}
}
