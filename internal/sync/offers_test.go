package sync_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/storeglass/storeglass/internal/apis/sandbox"
	storesync "github.com/storeglass/storeglass/internal/sync"
)

// pages are the pages of the offer list that were asked for since a mark.
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
		if q.Get("sort") != "oldest" {
			w.t.Errorf("the list is walked by %q, want the order in which no row moves (N10)", q.Get("sort"))
		}
		out = append(out, q.Get("page"))
	}
	return out
}

// walk is how far the newest walk over the offers has come.
type walk struct {
	NextPage, Listed, Counted, Seen int
	Finished, Clamped               bool
}

func (w *world) walk() walk {
	w.t.Helper()
	var k walk
	err := w.db.Pool.QueryRow(context.Background(), `
		select next_page, coalesce(listed_total, -1), coalesce(counted, -1), coalesce(seen, -1), finished_at is not null, clamped
		from offer_walks order by id desc limit 1`).Scan(&k.NextPage, &k.Listed, &k.Counted, &k.Seen, &k.Finished, &k.Clamped)
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

// runStore runs a store to its end, whatever fails.
func (w *world) runStore(slug string) {
	w.t.Helper()
	if _, err := w.syncer.Run(context.Background(), slug, storesync.RunOptions{}); err != nil {
		w.t.Fatal(err)
	}
}

// page makes an edit of one page's answer.
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

// listed is a world of the rich store, whose offers fill two pages.
func listed(t *testing.T, o options) *world {
	t.Helper()
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
	// Page 2's total counts from page 2 on: the first page's stays.
	equal(t, "walk", w.walk(), walk{NextPage: 3, Listed: offers, Counted: offers, Seen: offers, Finished: true})

	// A total that lies changes nothing: hasMore is what is paged on.
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

func TestTheWalkStopsWhereTheServiceWouldRepeatItself_N9(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{vast: true})
	w.add("penrose", 1)
	w.exec(`insert into ledger (store_id, pull, subject, service, due_at)
		select s.id, p, d, 'upsell', null from stores s, unnest(array['summary.window', 'stats.window', 'top.highest', 'top.lowest']) p,
			unnest(array['30', 'prev30', '7', 'prev7', '90', 'prev90']) d`) // the walk alone
	w.sync("penrose")
	sameStrings(t, w.pages(0), numbered(1, 50))
	equal(t, "walk", w.walk(), walk{NextPage: 51, Listed: 1840, Counted: 1840, Seen: 1000, Finished: true, Clamped: true})
	equal(t, "offers stored", get[int](w, `select count(*) from offers`), 1000)
	equal(t, "the campaign list met its cap (N51)", get[bool](w, `select capped from gift_campaign_lists`), true)
}

func TestAKilledWalkGoesOnWhereItStood_N10(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{vast: true})
	w.add("penrose", 1)
	w.exec(`insert into ledger (store_id, pull, subject, service, due_at)
		select s.id, p, d, 'upsell', null from stores s, unnest(array['summary.window', 'stats.window', 'top.highest', 'top.lowest']) p,
			unnest(array['30', 'prev30', '7', 'prev7', '90', 'prev90']) d`)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	_, err := w.syncer.Run(ctx, "penrose", storesync.RunOptions{Progress: func(p storesync.Progress) {
		if p.Pull == "offers" && p.Text == "page 3" {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("the run was not stopped: %v", err)
	}
	equal(t, "finished", w.walk().Finished, false)
	reached := w.pages(0)
	if len(reached) < 3 || len(reached) > 4 {
		t.Fatalf("stopped after the pages %v", reached)
	}
	from, next := w.mark(), w.walk().NextPage
	w.sync("penrose")
	sameStrings(t, w.pages(from), numbered(next, 50))
	equal(t, "walks", get[int](w, `select count(*) from offer_walks`), 1)
	equal(t, "seen", w.walk().Seen, 1000)
}

func TestARowThatStandsTwiceIsStoredOnce_N10(t *testing.T) {
	t.Parallel()
	w := listed(t, options{})
	offers := get[int](w, `select count(*) from offers`)
	w.sandbox.Break(sandbox.Upsell, "fernhollow", sandbox.Fault{Path: "/data/offers", Edit: page(func(d map[string]any) {
		if rows, ok := d["offers"].([]any); ok {
			d["offers"] = append(rows, rows[0], rows[1])
		}
	})})
	w.wake("offers")
	w.sync("fernhollow")
	equal(t, "offers", get[int](w, `select count(*) from offers`), offers)
	equal(t, "seen", w.walk().Seen, offers)
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

func TestADeletedRowNeverOverwritesAnInventoryRow_N17(t *testing.T) {
	t.Parallel()
	w := listed(t, options{})
	numbers := w.dump([]string{"offers"}, "last_listed_at", "last_walk")
	id := get[string](w, `select offer_id from offers order by first_seen_at, offer_id limit 1`)
	w.sandbox.Break(sandbox.Upsell, "fernhollow", sandbox.Fault{Path: "/data/offers", Edit: page(func(d map[string]any) {
		rows, _ := d["offers"].([]any)
		for _, r := range rows {
			if row := r.(map[string]any); row["id"] == id {
				row["isDeleted"], row["name"], row["revenue"] = true, "Gone", 1
				delete(row, "url")
			}
		}
	})})
	w.wake("offers")
	w.sync("fernhollow")
	same(t, w.dump([]string{"offers"}, "last_listed_at", "last_walk"), numbers)
}

func sameStrings(t *testing.T, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
