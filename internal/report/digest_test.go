package report

import (
	"fmt"
	"strings"
	"testing"
)

var digestWeek = span("2026-11-09", "2026-11-15")

// agency holds stores of every kind in the week of 9 – 15 Nov 2026: each has 100 and ten
// upsold orders a day, unless said otherwise.
func agency(t *testing.T) []kept {
	t.Helper()
	grew := keptStore(t, "grew", "America/New_York", "USD", noon)
	grew.answered(digestWeek, "910.50", 91, 700)
	fell := keptStore(t, "fell", "Asia/Tokyo", "JPY", noon)
	fell.answered(digestWeek, "350", 35, 700)
	tiny := keptStore(t, "tiny", "Europe/Berlin", "EUR", noon)
	for i := range tiny.days {
		tiny.days[i].TotalUpsoldOrders = 0
	}
	tiny.answered(digestWeek, "9000", 3, 700)
	same := keptStore(t, "same", "Europe/Berlin", "EUR", noon)
	gap := keptStore(t, "gap", "Europe/Berlin", "EUR", noon)
	gap.without("2026-11-11")
	late := keptStore(t, "late", "Europe/Berlin", "EUR", noon)
	late.Credentials[0] = StoredCredential{Service: "upsell", State: "paused", Cause: "token", PausedAt: noon.AddDate(0, 0, -20)}
	late.until("2026-10-31")
	return []kept{grew, fell, tiny, same, gap, late}
}

func digestOf(t *testing.T, stores ...kept) Week {
	t.Helper()
	return NewDigest(English, list(t, DigestQuery(digestWeek.Start).Values().Encode(), noon, stores...))
}

// said is the digest in lines.
func said(w Week) string {
	lines := []string{w.Subject, w.Headline, w.Window, w.Compared, w.Preheader}
	for _, f := range w.Figures {
		lines = append(lines, f.Name+": "+f.Value+" "+f.Change())
	}
	for _, t := range w.Tables {
		lines = append(lines, "== "+t.Title+" ("+t.Note+")")
		for _, r := range t.Rows {
			lines = append(lines, r.Name+": "+r.Value+", "+r.Under+", "+r.Change())
		}
	}
	for _, t := range w.Todos {
		lines = append(lines, "! "+t.Title+": "+t.Text)
	}
	return strings.Join(append(lines, w.Missing...), "\n")
}

func TestADigestSetsStoresSideBySideAndAddsNothingUp(t *testing.T) {
	t.Parallel()
	equal(t, "digest", said(digestOf(t, agency(t)...)), `6 stores: 2 earned more, 1 less, 9 – 15 Nov
2 of 4 stores earned more than the week before; 1 store needs a person.
9 – 15 Nov 2026 · 7 days · each store on its own clock · 3 as reported, 2 stitched
compared with 2 – 8 Nov 2026 · 7 days
Grew ↑ 30.1% more, Fell ↓ 50.0% less. 9 – 15 Nov 2026 · 7 days · each store on its own clock · 3 as reported, 2 stitched
All stores: 6 
Earned more: 2 of 4 compared
Earned less: 1 of 4 compared
Need a person: 1 of 6 stores
== Grew most (Upsold value)
Grew: $910.50, was $700.00, ↑ 30.1% more
== Fell most (Upsold value)
Fell: ¥350, was ¥700, ↓ 50.0% less
== All stores (side by side, never summed)
Fell: ¥350, 35 upsold orders · 5.0% of 700, ↓ 50.0% less
Gap: €600.00, 60 upsold orders · 10.0% of 600 · 6 of 7 days, not compared
Grew: $910.50, 91 upsold orders · 13.0% of 700, ↑ 30.1% more
Late: no numbers, , –
Same: €700.00, 70 upsold orders · 10.0% of 700, = no change
Tiny: €9,000.00, 3 upsold orders · 0.4% of 700, ↑ 1,186% more
! Late: Upsell token refused since 31 Oct.
Gap: 11 Nov is missing; its value is higher by what was sold then.
Late: no day of this week is stored.`)
}

func TestADigestOfOneStoreOrNoneIsASentence(t *testing.T) {
	t.Parallel()
	all := agency(t)
	equal(t, "nobody's", digestOf(t).Headline, "No store is open to you.")
	equal(t, "one", digestOf(t, all[0]).Headline, "Your store earned more than the week before.")
	equal(t, "one that fell", digestOf(t, all[1]).Headline, "Your store earned less than the week before.")
	equal(t, "nothing to compare", digestOf(t, all[5]).Headline, "No store can be compared with the week before yet; 1 store needs a person.")
}

func TestADigestWaitsForStoresThatWorkAndForNoOthers(t *testing.T) {
	t.Parallel()
	all := agency(t)
	equal(t, "with a gap", digestOf(t, all[0], all[4]).Complete, false)
	equal(t, "with a store that needs a person", digestOf(t, all[0], all[5]).Complete, true)
	equal(t, "of nobody", digestOf(t).Complete, true)
}

func TestADigestSaysWhyAStoreNeedsAPersonInItsLanguage(t *testing.T) {
	t.Parallel()
	p := list(t, DigestQuery(digestWeek.Start).Values().Encode(), noon, agency(t)...)
	for tongue, want := range map[Tongue]string{
		English: "Upsell token refused since 31 Oct.", German: "Upsell-Token abgelehnt seit 31. Okt.", French: "Jeton upsell refusé depuis le 31 oct.", Spanish: "Token de upsell rechazado desde el 31 oct.",
	} {
		w := NewDigest(tongue, p)
		equal(t, tongue.Code()+" to-dos", len(w.Todos), 1)
		equal(t, tongue.Code(), w.Todos[0].Text, want)
	}
}

func TestALongDigestSaysHowManyStoresAreOnThePage(t *testing.T) {
	t.Parallel()
	var many []kept
	for i := range 53 {
		many = append(many, keptStore(t, fmt.Sprintf("s%02d", i), "Europe/Berlin", "EUR", noon))
	}
	d := digestOf(t, many...)
	table := d.Tables[len(d.Tables)-1]
	equal(t, "rows", len(table.Rows), 40)
	equal(t, "the rest", table.Note, "the first 40 by name; 13 more on the page")
	equal(t, "all count", d.Figures[0].Value, "53")
}
