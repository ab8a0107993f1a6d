package pulls_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/storeglass/storeglass/internal/apis/sandbox"
	"github.com/storeglass/storeglass/internal/report"
	reportoffers "github.com/storeglass/storeglass/internal/report/offers"
)

// nextDay is after the night in which the sandbox's merchants made their changes.
var nextDay = settledTime.Add(24 * time.Hour)

// events are the offers' changes since the first sync: "renamed Gaiters: Gaiters > Dry bag".
func (w *world) events() []string {
	w.t.Helper()
	rows, err := w.db.Pool.Query(context.Background(), `
		select e.kind || ' ' || e.offer_id || ': ' || e.before || ' > ' || e.after
		from offer_events e where e.at > $1 order by 1`, settledTime)
	if err != nil {
		w.t.Fatal(err)
	}
	out, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		w.t.Fatal(err)
	}
	return out
}

// done is what the sandbox says was changed in a store's offers meanwhile, as events.
func (w *world) done(slug string) []string {
	kinds := map[sandbox.ChangeKind]string{
		sandbox.Created: "first_seen", sandbox.Deleted: "unlisted", sandbox.Renamed: "renamed", sandbox.Restatused: "status",
		sandbox.Moved: "priority", sandbox.ABSwitched: "ab_test",
	}
	var out []string
	for _, c := range w.sandbox.Changes(slug, settledTime, w.clock.Now()) {
		if c.Kind == sandbox.Deleted { // we only know that it is no longer listed
			c.Before = ""
		}
		out = append(out, fmt.Sprintf("%s %s: %s > %s", kinds[c.Kind], c.OfferID, c.Before, c.After))
	}
	slices.Sort(out)
	return out
}

// The next day reports every change made to the offers, and nothing else.
func TestALaterDayTellsWhatChangedAboutEachOffer(t *testing.T) {
	t.Parallel()
	for _, slug := range []string{"fernhollow", "lumen", "kumo"} {
		t.Run(slug, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, options{at: settledTime})
			w.add(slug, 1)
			w.sync(slug)
			w.clock.set(nextDay)
			w.sync(slug)
			want := w.done(slug)
			if len(want) == 0 {
				t.Fatal("nothing was done: the test needs changes")
			}
			sameStrings(t, w.events(), want)
			deleted := slices.DeleteFunc(slices.Clone(want), func(e string) bool { return !strings.HasPrefix(e, "unlisted") })
			equal(t, "offers no longer listed, and none deleted", get[int](w, `select count(*) from offers where unlisted_at = $1 and not deleted`, nextDay), len(deleted))
			equal(t, "whole", w.walk().Whole, true)

			before := w.events()
			w.wakeAll()
			w.sync(slug)
			sameStrings(t, w.events(), before) // pulled again, nothing is reported twice
		})
	}
}

// On a day with three changes the walk costs as much as ever, because no order of the list
// brings a rename to the front. Only the details of what changed are asked for.
func TestALaterDayOfTheVastStoreCostsItsPagesAndWhatChanged(t *testing.T) {
	t.Parallel()
	w := vastStore(t, options{at: settledTime})
	w.sync(vastShop)
	w.exec(`drop trigger no_details on ledger`)
	w.clock.set(nextDay)
	from := w.mark()
	w.sync(vastShop)
	asked, changes := w.asked(from), w.sandbox.Changes(vastShop, settledTime, nextDay)
	equal(t, "changes", len(changes), 3)
	equal(t, "pages", asked["/data/offers"], leastPages(1839))
	for _, detail := range []string{"/data/offer/{id}", "/data/offer/{id}/stages", "/data/products/recommendations"} {
		equal(t, detail, asked[detail], 2) // one renamed, one under test; the deleted one isn't asked for
	}
	sameStrings(t, w.events(), w.done(vastShop))
	equal(t, "verified", w.offers(vastShop, report.OfferFilter{}).Verified.Words, "All 1,839 offers loaded")
	t.Logf("a day with %d changes: %d pages, %d details", len(changes), asked["/data/offers"], 6)
}

// An offer that one walk misses and a later one finds was never gone.
func TestAnOfferThatComesBackIsListedAgain_N11(t *testing.T) {
	t.Parallel()
	w := listed(t, options{at: settledTime})
	offers := get[int](w, `select count(*) from offers`)
	id := get[string](w, `select offer_id from offers order by offer_id limit 1`)
	without := page(func(d map[string]any) {
		if rows, ok := d["offers"].([]any); ok {
			d["offers"] = slices.DeleteFunc(rows, func(r any) bool { return r.(map[string]any)["id"] == id })
		} else {
			d["total"] = offers - 1
		}
	})
	w.sandbox.Break(sandbox.Upsell, "fernhollow", sandbox.Fault{Path: "/data/offers", Edit: without})
	w.clock.set(settledTime.Add(time.Minute))
	w.wake("offers", "offer_count", "offers.priority")
	w.sync("fernhollow")
	sameStrings(t, w.events(), []string{"unlisted " + id + ":  > "})
	list := w.offers("fernhollow", report.OfferFilter{})
	equal(t, "marked", slices.ContainsFunc(list.Rows, func(r reportoffers.Row) bool { return r.ID == id && r.Unlisted && !r.Deleted }), true)

	w.sandbox.Clear(sandbox.Upsell, "fernhollow")
	w.clock.set(settledTime.Add(2 * time.Minute))
	w.wake("offers", "offer_count")
	w.sync("fernhollow")
	sameStrings(t, w.events(), []string{"relisted " + id + ":  > ", "unlisted " + id + ":  > "})
	equal(t, "unlisted", get[int](w, `select count(*) from offers where unlisted_at is not null`), 0)
}

// A ranking may name a deleted offer: its inventory row is marked as deleted and keeps its
// data. The ranking's row never becomes an inventory row.
func TestADeletedRowOfARankingMarksTheOfferAndNothingElse_N17(t *testing.T) {
	t.Parallel()
	w := listed(t, options{at: settledTime})
	id := get[string](w, `select offer_id from top_offers where direction = 'highest' and not deleted order by window_end desc, place limit 1`)
	numbers := w.dump([]string{"offers"}, "deleted")
	w.sandbox.Break(sandbox.Upsell, "fernhollow", sandbox.Fault{Path: "/data/analytics/top", Edit: page(func(d map[string]any) {
		for _, r := range d["offers"].([]any) {
			if row := r.(map[string]any); row["id"] == id {
				row["isDeleted"], row["name"] = true, "Gone"
				delete(row, "url")
			}
		}
		d["offers"] = append(d["offers"].([]any), map[string]any{
			"id": "unheard-of", "name": "Never listed", "abTest": false, "isDeleted": true, "revenue": 1, "claims": 1, "acceptanceRate": 0.1,
		})
	})})
	w.clock.set(settledTime.Add(time.Minute))
	w.wake("top.highest")
	w.sync("fernhollow")
	same(t, w.dump([]string{"offers"}, "deleted"), numbers)
	equal(t, "deleted", get[[]string](w, `select array_agg(offer_id) from offers where deleted`), []string{id})
	sameStrings(t, w.events(), []string{"deleted " + id + ":  > "})
	w.wake("top.highest")
	w.sync("fernhollow")
	equal(t, "told once", len(w.events()), 1)
}

// An unknown status or placement is kept as it came and reported.
func TestAnUnknownStatusOfAnOfferIsKept_N31(t *testing.T) {
	t.Parallel()
	for name, first := range map[string]string{"the first page": "created_at_text", "the last page": "created_at_text desc"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := listed(t, options{at: settledTime})
			id := get[string](w, `select offer_id from offers order by `+first+` limit 1`)
			before := get[string](w, `select status from offers where offer_id = $1`, id)
			w.sandbox.Break(sandbox.Upsell, "fernhollow", sandbox.Fault{Path: "/data/offers", Edit: page(func(d map[string]any) {
				rows, _ := d["offers"].([]any)
				for _, r := range rows {
					if row := r.(map[string]any); row["id"] == id {
						row["status"] = "paused <b>by</b> hand"
					}
				}
			})})
			w.clock.set(settledTime.Add(time.Minute))
			w.wake("offers")
			w.sync("fernhollow")
			equal(t, "status", get[string](w, `select status from offers where offer_id = $1`, id), "paused <b>by</b> hand")
			equal(t, "flagged", w.one("offers").Text+" "+strings.Join(w.one("offers").Flags, " "), "page 2 unknown_value")
			sameStrings(t, w.events(), []string{"status " + id + ": " + before + " > paused <b>by</b> hand"})
		})
	}
}

// Priorities come from each placement's own order, and a move is reported.
func TestEachPlacementHasItsOwnOrder(t *testing.T) {
	t.Parallel()
	w := listed(t, options{at: settledTime})
	equal(t, "offers without a place", get[int](w, `select count(*) from offers where priority is null`), 0)
	equal(t, "orders that do not run from 1", get[int](w, `
		select count(*) from (select placement from offers group by placement having max(priority) <> count(*) or count(distinct priority) <> count(*)) p`), 0)
	list := w.offers("fernhollow", report.OfferFilter{Placement: report.PostPurchase, Sort: "priority"})
	for i, r := range list.Rows {
		equal(t, r.Name, *r.Priority, i+1)
	}
}
