package sandbox

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/apis/sandbox/world"
)

// seen reads every offer with its priority over HTTP, as a client that knows nothing of edits.
func seen(t *testing.T, w *served, slug string) map[string]gotOffer {
	t.Helper()
	out := map[string]gotOffer{}
	for _, label := range world.PlacementLabels {
		for _, o := range walk(t, w, slug, byPriority(label)) {
			out[o.ID] = o
		}
	}
	return out
}

// differences are between two readings, in the form of Changes.
func differences(before, after map[string]gotOffer) (out []string) {
	tell := func(id string, kind ChangeKind, b, a string) {
		if b != a {
			out = append(out, fmt.Sprint(id, " ", kind, " ", b, " → ", a))
		}
	}
	for id, b := range before {
		a, still := after[id]
		if !still {
			tell(id, Deleted, b.Name, "")
			continue
		}
		tell(id, Renamed, b.Name, a.Name)
		tell(id, Restatused, b.Status, a.Status)
		tell(id, Moved, strconv.Itoa(b.Priority), strconv.Itoa(a.Priority))
		tell(id, ABSwitched, strconv.FormatBool(b.ABTest), strconv.FormatBool(a.ABTest))
	}
	for id, a := range after {
		if _, was := before[id]; !was {
			tell(id, Created, "", a.Name)
		}
	}
	slices.Sort(out)
	return out
}

func TestChangesAreExactlyWhatAReaderSeesFromDayToDay(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{Vast: true, Hostile: true})
	for _, st := range w.Stores() {
		w.clock.at = newClock(ordinaryDay).at
		before := seen(t, w, st.Slug)
		for range 4 {
			from := w.clock.now()
			w.clock.forward(24 * time.Hour)
			after := seen(t, w, st.Slug)
			var told []string
			for _, c := range w.Changes(st.Slug, from, w.clock.now()) {
				told = append(told, fmt.Sprint(c.OfferID, " ", c.Kind, " ", c.Before, " → ", c.After))
			}
			slices.Sort(told)
			same(t, told, differences(before, after), st.Slug, w.clock.now())
			before = after
		}
		same(t, 0, len(w.Changes(st.Slug, w.clock.now(), w.clock.now())))
	}
}

func TestTheMerchantOfFernhollowDoesOneOfEverythingOnTheNextDay(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	from := w.clock.now()
	var got []string
	for _, c := range w.Changes("fernhollow", from, from.Add(24*time.Hour)) {
		if c.Kind != Moved {
			got = append(got, fmt.Sprintf("%s: %s → %s", c.Kind, c.Before, c.After))
		}
	}
	slices.Sort(got)
	same(t, []string{
		"ab-test: false → true",
		"deleted: Stove fuel → ",
		"renamed: Ridge bottle 750 ml → Ridge bottle 1 litre",
		"restatused: expired → active",
	}, got)
	stove, kit, map_ := named(t, w, "fernhollow", "Stove fuel"), named(t, w, "fernhollow", "Boot care kit"), named(t, w, "fernhollow", "Map case")
	lamp, bottle := named(t, w, "fernhollow", "Headlamp spare batteries"), named(t, w, "fernhollow", "Ridge bottle 750 ml")
	old := setupOf(t, w, "fernhollow", kit)
	count := data[gotCount](t, w.upsell("fernhollow", "/data/offers/count"))
	w.clock.forward(24 * time.Hour)

	hold(t, *old.Priority != 1)
	same(t, int64(1), *setupOf(t, w, "fernhollow", kit).Priority)
	same(t, kit, data[gotOffers](t, w.upsell("fernhollow", byPriority("Post-purchase upsell"))).Offers[0].ID)
	same(t, `{"success":true,"data":null}`, w.upsell("fernhollow", "/data/offer/"+stove).body)
	back := setupOf(t, w, "fernhollow", map_)
	same(t, "active", back.Status)
	hold(t, back.EndDate == nil && strings.HasPrefix(back.StartDate, "2026-11-21"), back.StartDate)
	same(t, true, *setupOf(t, w, "fernhollow", lamp).ABTest)
	hold(t, stagesOf(t, w, "fernhollow", lamp).Stages[0].ABTest != nil)
	same(t, "Ridge bottle 1 litre", stagesOf(t, w, "fernhollow", bottle).OfferName)
	same(t, 1, data[gotOffers](t, w.upsell("fernhollow", "/data/offers?query=1+LITRE")).Total)
	same(t, 0, data[gotOffers](t, w.upsell("fernhollow", "/data/offers?query=750")).Total)
	top := data[gotOffers](t, w.upsell("fernhollow", "/data/analytics/top?limit=50")).Offers
	same(t, "Ridge bottle 1 litre", top[slices.IndexFunc(top, func(o gotOffer) bool { return o.ID == bottle })].Name)
	later := data[gotCount](t, w.upsell("fernhollow", "/data/offers/count"))
	same(t, count.Total-1, later.Total)
	same(t, count.ByStatus["active"]+1, later.ByStatus["active"])
}

func TestN17AnOfferDeletedByHandStaysInTheRankingWithoutALink(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	from, id := w.clock.now(), named(t, w, "fernhollow", "Dry bag 5 l")
	w.clock.forward(5 * 24 * time.Hour)
	hold(t, slices.ContainsFunc(w.Changes("fernhollow", from, w.clock.now()), func(c Change) bool {
		return c == Change{Deleted, id, "Thank you page upsell", "Dry bag 5 l", ""}
	}))
	for _, o := range every(t, w, "fernhollow") {
		hold(t, o.ID != id, "it is listed no more")
	}
	top := data[gotOffers](t, w.upsell("fernhollow", "/data/analytics/top?limit=50")).Offers
	row := top[slices.IndexFunc(top, func(o gotOffer) bool { return o.ID == id })]
	hold(t, row.IsDeleted != nil && row.URL == nil && row.Revenue.IsPositive(), row)
}

func TestTheVastStoreHasThreeDifferencesADay(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{Vast: true})
	at := w.clock.now()
	want := [][]ChangeKind{{ABSwitched, Deleted, Renamed}, {Moved, Moved, Renamed}, {ABSwitched, Renamed, Restatused}}
	for day := range 30 {
		next := at.Add(24 * time.Hour)
		var kinds []ChangeKind
		for _, c := range w.Changes("penrose", at, next) {
			kinds = append(kinds, c.Kind)
		}
		slices.Sort(kinds)
		same(t, want[day%3], kinds, "", next)
		at = next
	}
}

func TestAnEditChangesNoDayBeforeIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{Vast: true})
	late := newWorld(t, Config{Vast: true})
	late.clock.forward(40 * 24 * time.Hour)
	for _, slug := range append(slices.Clone(sellers), "penrose") {
		day := lastDay
		for _, p := range []string{"/data/analytics/summary", "/data/analytics/stats"} {
			a, b := w.upsell(slug, p+span(day, day)), late.upsell(slug, p+span(day, day))
			if p == "/data/analytics/summary" {
				same(t, a.body, b.body, slug)
				continue
			}
			same(t, data[gotStats](t, a).Placements, data[gotStats](t, b).Placements, slug)
		}
	}
}
