package locale

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"
)

func TestAKeptArgumentIsWrittenAsEachLanguageWritesIt(t *testing.T) {
	t.Parallel()
	day := civil.Date{Year: 2026, Month: 11, Day: 20}
	amount := decimal.RequireFromString("1402.50")
	for name, c := range map[string]struct {
		arg  any
		want [4]string
	}{
		"text":    {"Tote", [4]string{"Tote", "Tote", "Tote", "Tote"}},
		"count":   {12000, [4]string{"12,000", "12.000", "12\u202f000", "12.000"}},
		"decimal": {amount, [4]string{"1,402.5", "1.402,5", "1\u202f402,5", "1402,5"}},
		"money":   {Money{Amount: amount, Currency: "EUR"}, [4]string{"€1,402.50", "1.402,50\u00a0€", "1\u202f402,50\u00a0€", "1402,50\u00a0€"}},
		"rounded": {Money{amount, "EUR", true}, [4]string{"€1,403", "1.403\u00a0€", "1\u202f403\u00a0€", "1403\u00a0€"}},
		"share":   {Share{decimal.RequireFromString("0.155")}, [4]string{"15.5%", "15,5\u00a0%", "15,5\u00a0%", "15,5\u00a0%"}},
		"percent": {Percent{70}, [4]string{"70%", "70\u00a0%", "70\u00a0%", "70\u00a0%"}},
		"day":     {Day{day, false}, [4]string{"20 Nov", "20. Nov.", "20 nov.", "20 de nov."}},
		"year":    {Day{day, true}, [4]string{"20 Nov 2026", "20. Nov. 2026", "20 nov. 2026", "20 de nov. de 2026"}},
		"period":  {Period{day.AddDays(-1), day}, [4]string{"19 – 20 Nov 2026", "19.–20. Nov. 2026", "du 19 au 20 nov. 2026", "del 19 al 20 de nov. de 2026"}},
		"moment":  {Moment{time.Date(2026, 11, 21, 4, 30, 0, 0, time.UTC), "America/New_York"}, [4]string{"20 Nov, 23:30", "20. Nov., 23:30", "20 nov., 23\u00a0h\u00a030", "20 de nov., 23:30"}},
		"clock":   {Clock{420}, [4]string{"07:00", "07:00", "7\u00a0h", "07:00"}},
		"message": {M("unit.days", "n", 3), [4]string{"3 days", "3 Tage", "3 jours", "3 días"}},
	} {
		kept, err := json.Marshal(M("unit.quoted", "name", c.arg))
		if err != nil {
			t.Fatal(name, err)
		}
		var m Message
		if err := json.Unmarshal(kept, &m); err != nil {
			t.Fatal(name, err)
		}
		for _, l := range All() {
			if got := m.Args.In(l, "name"); got != c.want[l] {
				t.Errorf("%s in %s: %q, want %q; kept as %s", name, l.Code(), got, c.want[l], kept)
			}
		}
	}
}

func TestWhatCannotBeSaidIsNotSaid(t *testing.T) {
	t.Parallel()
	for kept, want := range map[string]string{
		`{"id": "unit.days", "args": {"n": 3}}`:                              "3 days",
		`"as it was"`:                                                        "as it was",
		`{"id": "unit.days"}`:                                                "",
		`{"id": "unit.days", "args": {"n": {"what": 3}}}`:                    "",
		`{"id": "unit.days", "args": {"n": 1.5}}`:                            "",
		`{"id": "no.such_message", "args": {"n": 3}}`:                        "",
		`{"id": "unit.quoted", "args": {"name": {"id": "no.such_message"}}}`: "",
		`{"id": "unit.quoted", "args": {"name": {"day": "yesterday"}}}`:      "",
		`{"id": 7}`: "", `[1]`: "", `null`: "", `""`: "", `{}`: "",
	} {
		var m Message
		if err := json.Unmarshal([]byte(kept), &m); err != nil {
			t.Error(kept, err)
		}
		if got, ok := m.Said(English); got != want || ok != (want != "") {
			t.Errorf("%s says %q, %v", kept, got, ok)
		}
	}
	var s Sentences
	if err := json.Unmarshal([]byte(`[{"id": "no.such_message"}, "One.", {"id": "unit.days", "args": {"n": 3}}]`), &s); err != nil || s.In(English) != "One. 3 days" {
		t.Errorf("%q, %v", s.In(English), err)
	}
}
