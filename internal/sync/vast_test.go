package pulls_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/apis/sandbox"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	reportoffers "github.com/storeglass/storeglass/internal/report/offers"
	"github.com/storeglass/storeglass/internal/report/overview"
	pulls "github.com/storeglass/storeglass/internal/sync"
)

const vastShop = "penrose"

// vastStore is a world of the store with 1,840 offers, with nothing due but
// the count, the running days and the inventory.
func vastStore(t *testing.T, o options) *world {
	t.Helper()
	o.vast = true
	w := newWorld(t, o)
	w.add(vastShop, 1)
	w.snooze("summary.window", "30", "prev30", "7", "prev7", "90", "prev90")
	w.snooze("stats.window", "30", "prev30", "7", "prev7", "90", "prev90")
	w.snooze("top.highest", "30", "7", "90")
	w.snooze("top.lowest", "30", "7", "90")
	w.snooze("offers.priority", "post_purchase", "thank_you", "coupon", "order_status")
	return w
}

// snooze keeps pulls that were never made from becoming due.
func (w *world) snooze(pull string, subjects ...string) {
	w.t.Helper()
	w.exec(`insert into ledger (store_id, pull, subject, service, due_at) select id, $1, unnest($2::text[]), 'upsell', null from stores`, pull, subjects)
}

// asked counts the requests of the upsell service since a mark by path.
func (w *world) asked(since int) map[string]int {
	out := map[string]int{}
	for _, path := range w.arrivals(sandbox.Upsell, since) {
		path, _, _ = strings.Cut(path, "?")
		if strings.HasPrefix(path, "/data/offer/") {
			path = "/data/offer/{id}" + strings.TrimPrefix(path[len("/data/offer/"):], strings.Split(path[len("/data/offer/"):], "/")[0])
		}
		out[path]++
	}
	return out
}

// offers is the inventory as a page reads it.
func (w *world) offers(slug string, f report.OfferFilter) reportoffers.List {
	w.t.Helper()
	stored, err := w.db.Offers(context.Background(), w.seen(slug))
	if err != nil {
		w.t.Fatal(err)
	}
	list := reportoffers.NewList(locale.English, stored, f, w.clock.Now())
	reportoffers.NewTable(locale.English, &list, report.Choice{}, overview.TopOffers{}, nil, nil)
	return list
}

func leastPages(offers int) int { return (offers + 19) / 20 }

// The list of a store with 1,840 offers shows 1,000 of them. Its slices show all, and take no
// more calls than one unlimited list would.
func TestEveryOfferBeyondTheClampIsFound_N9(t *testing.T) {
	t.Parallel()
	w := vastStore(t, options{at: settledTime})
	w.sync(vastShop)
	const all = 1840
	equal(t, "walk", w.walk(), walk{Calls: leastPages(all), Listed: -1, Counted: all, Seen: all, Finished: true, Whole: true})
	equal(t, "offers stored", get[int](w, `select count(*) from offers`), all)
	pages := w.pages(0)
	equal(t, "pages asked for", len(pages), leastPages(all))
	for _, p := range pages {
		if !strings.Contains(p, "upsell") && !strings.HasPrefix(p, "Coupon offer") {
			t.Errorf("page %s is of no placement", p)
		}
	}
	list := w.offers(vastShop, report.OfferFilter{})
	equal(t, "verified", list.Verified.Words, "All 1,840 offers loaded")
	equal(t, "never earned, and listed all the same (N11)", get[int](w, `select count(*) from offers where revenue = 0`) > 0, true)
	equal(t, "coupons with revenue (N13)", get[int](w, `select count(*) from offers where placement = 'Coupon offer' and revenue is not null`), 0)
	equal(t, "first seen", get[int](w, `select count(*) from offer_events where kind = 'first_seen'`), all)
	t.Logf("%d offers: %d calls, the least is %d", all, list.Verified.Calls, leastPages(all))
}

// Offers of a placement that the documentation doesn't name are in no slice by placement.
func TestOffersOfAnUnknownPlacementBeyondTheClampAreFound_N9_N31(t *testing.T) {
	t.Parallel()
	w := vastStore(t, options{at: settledTime})
	unknown := replaced(`"type":"Order status page upsell"`, `"type":"Cart drawer upsell"`)
	for _, path := range []string{"/data/offers", "/data/offers/count"} {
		w.sandbox.Break(sandbox.Upsell, vastShop, sandbox.Fault{Path: path, Edit: unknown})
	}
	w.sync(vastShop)
	const all = 1840
	equal(t, "offers stored", get[int](w, `select count(*) from offers`), all)
	equal(t, "of the unknown placement", get[int](w, `select count(*) from offers where placement = 'Cart drawer upsell'`), all/4)
	equal(t, "verified", w.offers(vastShop, report.OfferFilter{}).Verified.Words, "All 1,840 offers loaded")
	if calls := w.walk().Calls; calls > leastPages(all)+3 {
		t.Errorf("%d calls, the least is %d and each of the three statuses may cost one more", calls, leastPages(all))
	}
}

// Without a count, the first page's total says that the list won't show everything: it isn't read to its
// end before its slices.
func TestAListThatWillNotShowEverythingIsSlicedAfterAPage_N8_N9(t *testing.T) {
	t.Parallel()
	w := vastStore(t, options{at: settledTime})
	w.sandbox.Break(sandbox.Upsell, vastShop, sandbox.Fault{Path: "/data/offers/count", Cause: sandbox.CountFailed})
	w.runStore(vastShop)
	sameStrings(t, w.pages(0)[:2], []string{"1", "Post-purchase upsell 1"})
	equal(t, "offers stored", get[int](w, `select count(*) from offers`), 1840)
}

// One page of each kind of slice is wrong; the rest of the walk isn't affected.
func TestASliceThatTheServiceDidNotFilterIsNotStored_N30(t *testing.T) {
	t.Parallel()
	w := vastStore(t, options{at: settledTime})
	w.sandbox.Break(sandbox.Upsell, vastShop, sandbox.Fault{Path: "/data/offers/count"})
	w.sandbox.Break(sandbox.Upsell, vastShop, sandbox.Fault{Path: "/data/offers", Edit: replaced(`"scope":"filtered","placement":"Post-purchase upsell"`, `"scope":"shop"`)})
	w.runStore(vastShop)
	equal(t, "offers stored", get[int](w, `select count(*) from offers`), 0)
	equal(t, "ledger", w.one("offers").Outcome+": "+w.one("offers").Text, "quarantined: Reply breaks the contract: the reply does not say that it is filtered as asked")
	equal(t, "finished", w.walk().Finished, false)

	w.sandbox.Clear(sandbox.Upsell, vastShop)
	w.wake("offers")
	w.sync(vastShop)
	equal(t, "seen", w.walk().Seen, 1840)
	equal(t, "walks", get[int](w, `select count(*) from offer_walks`), 1)
}

// A slice that stays wrong doesn't hold up the inventory forever: a day later a new walk
// begins.
func TestAWalkThatCantGoOnIsGivenUp(t *testing.T) {
	t.Parallel()
	w := listed(t, options{at: settledTime})
	w.exec(`insert into offer_walks (store_id, started_at) select id, $1 from stores`, settledTime.Add(-24*time.Hour))
	w.wake("offers")
	w.sync("fernhollow")
	equal(t, "walks", get[int](w, `select count(*) from offer_walks `), 2)
	equal(t, "the last is whole", w.walk().Whole, true)
}

func TestAKilledWalkGoesOnWhereItStood_N10(t *testing.T) {
	t.Parallel()
	w := vastStore(t, options{at: settledTime})
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	_, err := w.syncer.Run(ctx, vastShop, pulls.RunOptions{Progress: func(p pulls.Progress) {
		if p.Pull == "offers" && p.Text == "page 3, Thank you page upsell" {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("the run was not stopped: %v", err)
	}
	equal(t, "finished", w.walk().Finished, false)
	before := w.pages(0)
	from := w.mark()
	w.sync(vastShop)
	rest := w.pages(from)
	all := slices.Concat(before, rest)
	slices.Sort(all)
	equal(t, "pages asked for twice", len(all)-len(slices.Compact(all)) <= 1, true) // at most the call under way
	equal(t, "walks", get[int](w, `select count(*) from offer_walks`), 1)
	equal(t, "seen", w.walk().Seen, 1840)
	equal(t, "whole", w.walk().Whole, true)
}

// While we page through the list, rows move in every order except oldest first.
func TestRowsThatMoveBetweenPagesAreNotMissed_N10(t *testing.T) {
	t.Parallel()
	w := vastStore(t, options{at: settledTime, shuffle: true})
	w.sync(vastShop)
	equal(t, "walk", w.walk(), walk{Calls: 92, Listed: -1, Counted: 1840, Seen: 1840, Finished: true, Whole: true})
}

// Rows move in the stable order, too: the walk notices that it missed some, and nothing already
// stored is taken to be gone. It is taken again, at once and an hour later, but not for ever.
func TestAWalkThatMissedRowsSaysSoAndDeletesNothing_N10(t *testing.T) {
	t.Parallel()
	w := listedByTheSecond(t)
	before := get[int](w, `select count(*) from offers`)
	w.sandbox.Break(sandbox.Upsell, "fernhollow", sandbox.Fault{Path: "/data/offers", Cause: sandbox.Moving})
	w.clock.set(settledTime.Add(10 * time.Minute))
	w.wake("offers")
	from := w.mark()
	w.sync("fernhollow")
	k := w.walk()
	equal(t, "walk", k, walk{Calls: 2, Listed: before, Counted: before, Seen: before - 1, Finished: true})
	equal(t, "counts asked to settle it and the next one", w.asked(from)["/data/offers/count"], 2)
	sameStrings(t, w.pages(from), []string{"1", "2", "1", "2"})
	equal(t, "offers", get[int](w, `select count(*) from offers where unlisted_at is null and not deleted`), before)
	equal(t, "events", get[int](w, `select count(*) from offer_events where kind <> 'first_seen'`), 0)
	equal(t, "words", w.offers("fernhollow", report.OfferFilter{}).Verified.Words, fmt.Sprintf("%d offers loaded, but the app counts %d; checked again at the next update", before-1, before))
	for hour, pages := range []int{0, 2, 0, 0, 0} {
		w.clock.set(settledTime.Add(time.Hour*time.Duration(hour) + 30*time.Minute))
		from = w.mark()
		w.sync("fernhollow")
		equal(t, fmt.Sprintf("pages %d hours later", hour), len(w.pages(from)), pages)
	}
}

func TestAWalkIsTakenAgainOnceRowsRest_N10(t *testing.T) {
	t.Parallel()
	w := listedByTheSecond(t)
	w.sandbox.Break(sandbox.Upsell, "fernhollow", sandbox.Fault{Path: "/data/offers", Cause: sandbox.Moving, Times: 2})
	w.clock.set(settledTime.Add(10 * time.Minute))
	w.wake("offers")
	from := w.mark()
	w.sync("fernhollow")
	sameStrings(t, w.pages(from), []string{"1", "2", "1", "2"})
	equal(t, "whole", w.walk().Whole, true)
}

// listedByTheSecond is listed in a world where each call takes a second.
func listedByTheSecond(t *testing.T) (w *world) {
	t.Helper()
	return listed(t, options{at: settledTime, front: func(services http.Handler) http.Handler {
		return http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
			services.ServeHTTP(out, r)
			if w != nil {
				w.clock.set(w.clock.Now().Add(time.Second))
			}
		})
	}})
}

// The count is from before an offer was made: it is asked for again and completes the walk.
func TestACountThatIsOlderThanTheWalkIsAskedAgain_N7_N10(t *testing.T) {
	t.Parallel()
	w := listed(t, options{at: settledTime})
	offers := get[int](w, `select count(*) from offers`)
	w.exec(`update offer_counts set total = total - 1, fetched_at = fetched_at - interval '10 minutes' where placement = ''`)
	w.sandbox.Break(sandbox.Upsell, "fernhollow", sandbox.Fault{Path: "/data/offers/count", Cause: sandbox.CountFailed, Times: 1})
	w.wake("offers")
	w.runStore("fernhollow")
	equal(t, "whole by the old count", w.walk(), walk{Calls: 2, Listed: offers, Counted: offers - 1, Seen: offers, Finished: true})
	equal(t, "a failed count is no count", w.one("offer_count").Outcome, "quarantined")
	w.wake("offer_count")
	w.sync("fernhollow")
	equal(t, "whole by the new one", w.walk(), walk{Calls: 2, Listed: offers, Counted: offers, Seen: offers, Finished: true, Whole: true})
}

// A service that doesn't name the order it lists in, for a store with more offers of one status
// than a list shows: the walk from the newest end meets the one from the oldest.
func TestAStatusOfMoreThanAThousandIsListedFromBothEnds_N9(t *testing.T) {
	t.Parallel()
	for name, sorts := range map[string]bool{"in one order": true, "without an order": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, options{at: settledTime, vast: true})
			w.http.Config.Handler = onePlacement(w.sandbox, sorts)
			w.add(vastShop, 1)
			w.snooze("offers.priority", "post_purchase", "thank_you", "coupon", "order_status") // which reveal other placements
			w.sync(vastShop)
			k := w.walk()
			if sorts {
				equal(t, "walk", k, walk{Calls: 92, Listed: -1, Counted: 1840, Seen: 1840, Finished: true, Whole: true})
				return
			}
			equal(t, "seen", [2]int{k.Seen, k.Counted}, [2]int{1000, 1840})
			equal(t, "said to be cut", k.Clamped, true)
			equal(t, "words", w.offers(vastShop, report.OfferFilter{}).Verified.Words, "1,000 of 1,840 offers loaded; the app doesn’t list the rest")
		})
	}
}

// onePlacement is a service whose offers are all active coupons; sorts says whether it can list
// them from the other end.
func onePlacement(inner http.Handler, sorts bool) http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/data/offers") && !strings.HasSuffix(r.URL.Path, "/data/offers/count") {
			inner.ServeHTTP(rw, r)
			return
		}
		q := r.URL.Query()
		filter := map[string]any{"scope": "filtered", "placement": q.Get("type"), "status": q.Get("status"), "abTest": q.Get("abTest") == "true"}
		for _, name := range []string{"type", "status", "abTest"} {
			q.Del(name)
		}
		if !sorts {
			q.Set("sort", "oldest")
		}
		r.URL.RawQuery = q.Encode()
		reply := httptest.NewRecorder()
		inner.ServeHTTP(reply, r)
		body := page(func(d map[string]any) {
			if d["byType"] != nil {
				d["byType"] = []any{map[string]any{"type": "Coupon offer", "count": d["total"], "byStatus": map[string]any{"active": d["total"], "scheduled": 0, "expired": 0}}}
				return
			}
			d["appliedFilter"] = filter
			for _, row := range d["offers"].([]any) {
				offer := row.(map[string]any)
				offer["type"], offer["status"], offer["abTest"] = "Coupon offer", "active", true
			}
		})(reply.Body.Bytes())
		rw.Header().Set("Content-Type", "application/json")
		_, _ = rw.Write(body)
	})
}
