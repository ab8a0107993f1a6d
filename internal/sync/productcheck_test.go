package pulls_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/apis/sandbox"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report/offers"
	pulls "github.com/storeglass/storeglass/internal/sync"
)

// handles are the handles of ten products that the shop could give away.
func (w *world) handles() []string {
	w.t.Helper()
	for _, s := range w.sandbox.Stores() {
		if s.Slug != shop {
			continue
		}
		req, err := http.NewRequestWithContext(context.Background(), http.MethodGet, w.http.URL+s.GiftPath+"/gift-products", nil)
		if err != nil {
			w.t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+s.GiftKey)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			w.t.Fatal(err)
		}
		defer func() { _ = resp.Body.Close() }()
		var reply struct {
			Data struct {
				// The documentation doesn't name the list; the sandbox's stores use two names
				// for it.
				Candidates, Results []struct{ Handle string }
			}
		}
		if err := json.NewDecoder(resp.Body).Decode(&reply); err != nil {
			w.t.Fatal(err)
		}
		var out []string
		for _, p := range slices.Concat(reply.Data.Candidates, reply.Data.Results) {
			out = append(out, p.Handle)
		}
		if len(out) == 0 {
			w.t.Fatal("the shop has no products")
		}
		return out
	}
	w.t.Fatal("the sandbox has no such shop")
	return nil
}

func TestProductsAreCheckedFiftyAtATimeAndNothingIsStored_N57(t *testing.T) {
	t.Parallel()
	w := synced(t, options{rateLimit: 60})
	known := w.handles()
	var unknown []string
	for i := range 60 {
		unknown = append(unknown, fmt.Sprint("no-such-product-", i))
	}
	asked := slices.Concat(unknown[:30], known, unknown[30:])
	tables := append([]string{"ledger", "replies", "credentials"}, numberTables...)
	before, from := w.dump(tables), w.mark()
	got, err := w.syncer.CheckProducts(context.Background(), shop, asked)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "calls", len(w.arrivals(sandbox.Gift, from)), 2)
	equal(t, "requested", got.Requested, asked)
	equal(t, "not found", got.NotFound, unknown)
	var found []string
	for _, p := range got.Products {
		found = append(found, p.Handle)
	}
	slices.Sort(found)
	slices.Sort(known)
	equal(t, "found", found, known)
	p := got.Provenance
	if p.Replies != 2 || p.FetchedAt.IsZero() || p.FetchedLast.Before(p.FetchedAt) || p.Timezone != "Europe/Berlin" {
		t.Errorf("provenance %+v", p)
	}
	same(t, w.dump(tables), before)
	equal(t, "calls counted", get[int](w, `select count(*) from budget_slots where lane = 'interactive' and held_until > now()`) >= 2, true)
}

func TestAnUncountedStockIsNoneAndAvailable_N56(t *testing.T) {
	t.Parallel()
	w := synced(t, options{rateLimit: 60})
	w.sandbox.Break(sandbox.Gift, shop, sandbox.Fault{Path: "/products", Body: `{"success":true,"error":null,"data":{"requested":1,"found":1,"notFound":[],"products":[
		{"handle":"mug","status":"active","totalInventory":0,"tracksInventory":false,"variants":[
			{"title":"Green","stockStatus":"not_tracked","giftable":true,"inventoryQuantity":0,"inventoryPolicy":null}],
		"canBeGifted":true,"issues":[]}]}}`})
	got, err := w.syncer.CheckProducts(context.Background(), shop, []string{"mug"})
	if err != nil {
		t.Fatal(err)
	}
	p := got.Products[0]
	if v := p.Variants[0]; p.TotalInventory != nil || v.Quantity != nil || !*v.Giftable || !*p.CanBeGifted {
		t.Errorf("%+v of %+v: an uncounted stock became a number", v, p)
	}
}

func TestWhyProductsCantBeCheckedIsSaidInWords_N40_N41(t *testing.T) {
	t.Parallel()
	refused := func(status int, code string) sandbox.Fault {
		return sandbox.Fault{Status: status, Body: `{"success":false,"data":null,"error":{"code":"` + code + `","message":"said so"}}`}
	}
	for name, c := range map[string]struct {
		fault  sandbox.Fault
		before func(*world)
		words  string
		calls  int
		paused string
	}{
		"no plan":     {sandbox.Fault{Cause: sandbox.NoPlan}, nil, "This store is no longer on a paid gift plan", 1, "paused NO_PLAN"},
		"uninstalled": {sandbox.Fault{Cause: sandbox.Uninstalled}, nil, "The gift app was uninstalled", 1, "paused APP_UNINSTALLED"},
		"revoked":     {sandbox.Fault{Cause: sandbox.Revoked}, nil, "The gift key was refused", 1, "doubtful INVALID_KEY"},
		"scope":       {refused(403, "INSUFFICIENT_SCOPE"), nil, "The key’s access level is too low", 1, "paused INSUFFICIENT_SCOPE"},
		"bad input":   {refused(400, "INVALID_INPUT"), nil, "The gift app doesn’t accept these handles: said so.", 1, ""},
		"too many":    {sandbox.Fault{Cause: sandbox.Limited}, nil, "The gift app asks us to wait. Try again in 61 seconds.", 1, ""},
		"down":        {sandbox.Fault{Cause: sandbox.Internal}, nil, "The gift app didn’t answer. Try again in a moment.", 3, ""},
		"broken":      {sandbox.Fault{Body: "{}"}, nil, "The gift app’s reply can’t be read.", 1, ""},
		"paused": {sandbox.Fault{}, func(w *world) {
			w.exec(`update credentials set state = 'paused', paused_said = 'Nobody paid.' where service = 'gift'`)
		}, "Access to the gift app is paused.", 0, ""},
		"trial lapsed": {sandbox.Fault{}, func(w *world) {
			w.exec(`update gift_plans set body = body || '{"is_paid": false, "trial_ends_at": "2020-01-31T00:00:00"}'`)
		}, locale.English.T("state.advice.gift.trial_lapsed"), 0, ""},
		"nothing is left": {sandbox.Fault{}, func(w *world) { w.exec(`update budget_slots set held_until = now() + interval '40 seconds'`) }, "This minute’s calls are used up. Try again in ", 0, ""},
		"not connected":   {sandbox.Fault{}, func(w *world) { w.exec(`delete from credentials where service = 'gift'`) }, "The gift app isn’t connected to this store.", 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := synced(t, options{rateLimit: 60})
			w.sandbox.Break(sandbox.Gift, shop, c.fault)
			if c.before != nil {
				c.before(w)
			}
			from := w.mark()
			_, err := w.syncer.CheckProducts(context.Background(), shop, []string{"mug"})
			refused, ok := errors.AsType[*offers.CallError](err)
			if !ok || !strings.HasPrefix(refused.Error(), c.words) {
				t.Fatalf("%v, want %q", err, c.words)
			}
			equal(t, "calls", len(w.arrivals(sandbox.Gift, from)), c.calls)
			if c.paused != "" {
				got := w.credential(shop, "gift")
				equal(t, "credential", got.State+" "+got.Cause, c.paused)
				equal(t, "what the service said is read, too", strings.Contains(refused.Error(), "“"+strings.TrimSuffix(got.Said, ".")+".”"), true)
			}
		})
	}
	_, err := synced(t, options{}).syncer.CheckProducts(context.Background(), "nobody", []string{"mug"})
	equal(t, "an unknown store", errors.Is(err, pulls.ErrUnknownStore), true)
}

// What the person sees, what the worker does next, and how many further calls it makes.
func TestAKeyThatACallWouldRevokeIsLeftAloneForAWholeDay_N40_N41(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fault sandbox.Fault
		cause string
		said  string
	}{
		"no plan":     {sandbox.Fault{Cause: sandbox.NoPlan}, "NO_PLAN", "The store is not on a paid plan."},
		"uninstalled": {sandbox.Fault{Cause: sandbox.Uninstalled}, "APP_UNINSTALLED", "The app is not installed on this store."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := synced(t, options{rateLimit: 60, at: settledTime})
			w.exec(`update budget_slots set held_until = 'epoch'`)
			w.sandbox.Break(sandbox.Gift, shop, c.fault)
			w.exec(`update ledger set due_at = '2020-01-01' where service = 'gift'`)
			w.exec(`delete from credentials where service = 'upsell'`)
			from := w.mark()
			w.run()
			equal(t, "calls until it stops", len(w.arrivals(sandbox.Gift, from)), 1)
			want := credential{"paused", c.cause, c.said}
			text := locale.English.T("state.advice.gift."+strings.ToLower(c.cause)) + " The app said: “" + c.said + "”"
			equal(t, "credential", w.credential(shop, "gift"), want)

			from = w.mark()
			for hour := range 25 {
				w.clock.set(settledTime.Add(time.Duration(hour) * time.Hour))
				due, err := w.db.Queries().DueCredentials(context.Background(), new(w.clock.Now()))
				if err != nil || len(due) > 0 {
					t.Fatalf("a tick would start %v, %v", due, err)
				}
				result := w.run()
				equal(t, "what a sync says", result.Failures, []string{"access to the gift app is paused: " + text})
			}
			equal(t, "calls over a day", len(w.arrivals(sandbox.Gift, from)), 0)
			equal(t, "the first cause", w.credential(shop, "gift"), want)
			equal(t, "shown on the page", w.overview("window=last_30_days").Gift.Trouble.Text, text)
		})
	}
}
