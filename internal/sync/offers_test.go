package pulls_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/storeglass/storeglass/internal/apis/sandbox"
	pulls "github.com/storeglass/storeglass/internal/sync"
)

// pages are the pages of the offer list requested since a mark: "3" of the whole list, "Coupon
// offer active 3" of a slice.
func (w *world) pages(since int) []string {
	w.t.Helper()
	var out []string
	for _, path := range w.arrivals(sandbox.Upsell, since) {
		at, query, _ := strings.Cut(path, "?")
		if at != "/data/offers" {
			continue
		}
		q, err := url.ParseQuery(query)
		if err != nil {
			w.t.Fatal(err)
		}
		page := q.Get("page")
		if q.Get("sort") != "oldest" {
			page = q.Get("sort") + " " + page
		}
		words := strings.Join([]string{q.Get("type"), q.Get("status"), q.Get("abTest"), page}, " ")
		out = append(out, strings.Join(strings.Fields(words), " "))
	}
	return out
}

// walk is the progress of the newest walk over the offers.
type walk struct {
	Calls, Listed, Counted, Seen int
	Finished, Whole, Clamped     bool
}

func (w *world) walk() walk {
	w.t.Helper()
	var k walk
	err := w.db.Pool.QueryRow(context.Background(), `
		select calls, coalesce(listed_total, -1), coalesce(counted, -1), coalesce(seen, -1), finished_at is not null, whole, clamped
		from offer_walks order by id desc limit 1`).Scan(&k.Calls, &k.Listed, &k.Counted, &k.Seen, &k.Finished, &k.Whole, &k.Clamped)
	if err != nil {
		w.t.Fatal(err)
	}
	return k
}

func numbered(from, to int) []string {
	var out []string
	for n := from; n <= to; n++ {
		out = append(out, fmt.Sprint(n))
	}
	return out
}

// runStore syncs a store to the end, even if pulls fail.
func (w *world) runStore(slug string) {
	w.t.Helper()
	if _, err := w.syncer.Run(context.Background(), slug, pulls.RunOptions{}); err != nil {
		w.t.Fatal(err)
	}
}

// page makes an edit for one page's answer.
func page(change func(data map[string]any)) func([]byte) []byte {
	return func(body []byte) []byte {
		var reply map[string]any
		if err := json.Unmarshal(body, &reply); err != nil {
			panic(err)
		}
		change(reply["data"].(map[string]any))
		out, err := json.Marshal(reply)
		if err != nil {
			panic(err)
		}
		return out
	}
}

// listed is a world with fernhollow, whose offers fill two pages at settledTime.
func listed(t *testing.T, o options) *world {
	t.Helper()
	if o.at.IsZero() {
		o.at = settledTime
	}
	w := newWorld(t, o)
	w.add("fernhollow", 1)
	w.sync("fernhollow")
	return w
}

func TestTheWalkPagesOnHasMoreAndTrustsOnlyTheFirstTotal_N8(t *testing.T) {
	t.Parallel()
	w := listed(t, options{})
	offers := get[int](w, `select count(*) from offers`)
	if offers <= 20 || offers > 40 {
		t.Fatalf("%d offers are stored; the test needs two pages", offers)
	}
	sameStrings(t, w.pages(0), numbered(1, 2))
	// Page 2 counts its total from page 2 on, so the first page's total stays.
	equal(t, "walk", w.walk(), walk{Calls: 2, Listed: offers, Counted: offers, Seen: offers, Finished: true, Whole: true})

	// A wrong total changes nothing: paging follows hasMore.
	w.sandbox.Break(sandbox.Upsell, "fernhollow", sandbox.Fault{Path: "/data/offers", Edit: page(func(d map[string]any) {
		if d["hasMore"] != nil {
			d["total"] = 0
		}
	})})
	w.wake("offers")
	from := w.mark()
	w.sync("fernhollow")
	sameStrings(t, w.pages(from), numbered(1, 2))
	equal(t, "seen", w.walk().Seen, offers)
}

func TestARowThatStandsTwiceIsStoredOnce_N10(t *testing.T) {
	t.Parallel()
	w := listed(t, options{})
	offers := get[int](w, `select count(*) from offers`)
	w.sandbox.Break(sandbox.Upsell, "fernhollow", sandbox.Fault{Path: "/data/offers", Edit: page(func(d map[string]any) {
		if rows, ok := d["offers"].([]any); ok {
			d["offers"] = append(rows, rows[0], rows[len(rows)-1])
		}
	})})
	w.wake("offers")
	w.sync("fernhollow")
	equal(t, "offers", get[int](w, `select count(*) from offers`), offers)
	equal(t, "seen", w.walk().Seen, offers)
}

// A service that always promises another page is not asked for fifty, neither for the whole list nor for a
// display order.
func TestPagingEndsWithAPageThatBringsNothing_N9(t *testing.T) {
	t.Parallel()
	for name, repeats := range map[string]bool{"empty": false, "repeated": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := listed(t, options{})
			offers := get[int](w, `select count(*) from offers`)
			var last sync.Map // by the placement of a display order; nil of the whole list
			w.sandbox.Break(sandbox.Upsell, "fernhollow", sandbox.Fault{Path: "/data/offers", Edit: page(func(d map[string]any) {
				rows, ok := d["offers"].([]any)
				if !ok {
					return
				}
				d["hasMore"] = true
				switch list := d["appliedFilter"].(map[string]any)["placement"]; {
				case len(rows) > 0:
					last.Store(list, rows)
				case repeats:
					d["offers"], _ = last.Load(list)
				}
			})})
			w.wake("offers")
			w.wake("offers.priority")
			from := w.mark()
			w.sync("fernhollow")
			sameStrings(t, w.pages(from), numbered(1, 3))
			equal(t, "walk", w.walk(), walk{Calls: 3, Listed: offers, Counted: offers, Seen: offers, Finished: true, Whole: true})
			equal(t, "pages of the four display orders", w.asked(from)["/data/offers/by-priority"], 8)
			equal(t, "offers without a place", get[int](w, `select count(*) from offers where priority is null`), 0)
		})
	}
}

// A list of one status isn't asked for fifty pages either.
func TestAListOfOneStatusEndsWithAnEmptyPage_N9(t *testing.T) {
	t.Parallel()
	w := listed(t, options{})
	w.exec(`insert into offer_walks (store_id, started_at) select id, $1 from stores`, settledTime)
	w.exec(`
		insert into offer_slices (walk_id, n, status, sort)
		select max(w.id), s.n, s.status, 'oldest'
		from offer_walks w, unnest(array['active', 'scheduled', 'expired']) with ordinality as s (status, n)
		group by s.n, s.status`)
	w.sandbox.Break(sandbox.Upsell, "fernhollow", sandbox.Fault{Path: "/data/offers", Edit: replaced(`"hasMore":false`, `"hasMore":true`)})
	w.wake("offers")
	from := w.mark()
	w.sync("fernhollow")
	sameStrings(t, w.pages(from), []string{"active 1", "active 2", "scheduled 1", "scheduled 2", "expired 1", "expired 2"})
	equal(t, "whole", w.walk().Whole, true)
}

func TestAnOfferThatIsNoLongerListedIsNotDeleted_N10_N11(t *testing.T) {
	t.Parallel()
	w := listed(t, options{})
	before := get[int](w, `select count(*) from offers where not deleted`)
	w.sandbox.Break(sandbox.Upsell, "fernhollow", sandbox.Fault{Path: "/data/offers", Edit: page(func(d map[string]any) {
		if rows, ok := d["offers"].([]any); ok {
			d["offers"] = rows[1:]
		}
	})})
	w.wake("offers")
	w.sync("fernhollow")
	equal(t, "offers", get[int](w, `select count(*) from offers where not deleted`), before)
	k := w.walk()
	if k.Seen != before-2 || k.Counted != before {
		t.Errorf("the walk saw %d of the %d counted, want two fewer to be noticed", k.Seen, k.Counted)
	}
}

func TestAListThatIsFilteredUnaskedIsNotStored_N30(t *testing.T) {
	t.Parallel()
	w := listed(t, options{})
	numbers := w.dump([]string{"offers"})
	w.sandbox.Break(sandbox.Upsell, "fernhollow", sandbox.Fault{Path: "/data/offers", Edit: replaced(`"scope":"shop"`, `"scope":"filtered","status":"active"`)})
	w.wake("offers")
	w.runStore("fernhollow")
	same(t, w.dump([]string{"offers"}), numbers)
	equal(t, "ledger", w.one("offers").Outcome+": "+w.one("offers").Text, "quarantined: Reply breaks the contract: the reply is filtered though nothing was asked to be")
}

func TestADisplayOrderOfAnotherPlacementIsNotStored_N30(t *testing.T) {
	t.Parallel()
	w := listed(t, options{})
	numbers := w.dump([]string{"offers"})
	w.sandbox.Break(sandbox.Upsell, "fernhollow", sandbox.Fault{Path: "/data/offers/by-priority", Edit: page(func(d map[string]any) {
		d["appliedFilter"] = map[string]any{"scope": "filtered", "placement": "Another"}
		for i, r := range d["offers"].([]any) {
			r.(map[string]any)["priority"] = 90 + i
		}
	})})
	w.wake("offers.priority")
	w.runStore("fernhollow")
	same(t, w.dump([]string{"offers"}), numbers)
	said := w.row("offers.priority", "coupon")
	equal(t, "ledger", said.Outcome+": "+said.Text, "quarantined: Reply breaks the contract: the reply does not say that it is of the placement asked for")
}

func TestADeletedRowNeverOverwritesAnInventoryRow_N17(t *testing.T) {
	t.Parallel()
	w := listed(t, options{})
	numbers := w.dump([]string{"offers"}, "last_listed_at", "last_walk", "priority_walk")
	id := get[string](w, `select offer_id from offers order by first_seen_at, offer_id limit 1`)
	w.sandbox.Break(sandbox.Upsell, "fernhollow", sandbox.Fault{Path: "/data/offers", Edit: page(func(d map[string]any) {
		rows, _ := d["offers"].([]any)
		for _, r := range rows {
			if row := r.(map[string]any); row["id"] == id {
				row["isDeleted"], row["name"], row["revenue"] = true, "Gone", 1
				delete(row, "url")
				if row["priority"] != nil {
					row["priority"] = 99
				}
			}
		}
	})})
	w.wake("offers", "offers.priority")
	w.sync("fernhollow")
	same(t, w.dump([]string{"offers"}, "last_listed_at", "last_walk", "priority_walk"), numbers)
	equal(t, "the walk saw the others", w.walk().Seen, get[int](w, `select count(*) - 1 from offers`))
}

func sameStrings(t *testing.T, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
