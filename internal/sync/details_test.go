package pulls_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/apis/sandbox"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	reportoffers "github.com/storeglass/storeglass/internal/report/offers"
)

// detailed is a world with the store fernhollow and the details of every offer.
func detailed(t *testing.T, o options) *world {
	t.Helper()
	o.details = true
	return listed(t, o)
}

var detailTables = []string{"offer_setups", "offer_stages", "offer_recommendations"}

// body reads a stored body.
func body[T any](w *world, table, id string) T {
	w.t.Helper()
	var v T
	if err := json.Unmarshal(get[[]byte](w, `select body from `+table+` where offer_id = $1`, id), &v); err != nil {
		w.t.Fatalf("%s of %s: %v", table, id, err)
	}
	return v
}

// detail is what an offer's page shows.
func (w *world) detail(slug, id string) (reportoffers.StoredDetail, error) {
	w.t.Helper()
	store := w.seen(slug)
	choice, err := report.ParseChoice(nil, w.clock.Now(), store.Location(), store.FirstDay)
	if err != nil {
		w.t.Fatal(err)
	}
	return w.db.Offer(context.Background(), store, id, choice)
}

func TestEveryListedOfferIsAskedForInDetail(t *testing.T) {
	t.Parallel()
	w := detailed(t, options{at: settledTime})
	offers := get[int](w, `select count(*) from offers`)
	for _, table := range detailTables {
		equal(t, table, get[int](w, `select count(*) from `+table), offers)
	}
	equal(t, "asked again at once", get[int](w, `select count(*) from ledger where pull like 'offer.%' and due_at <= $1`, settledTime), 0)
	id := get[string](w, `select offer_id from offers where placement = 'Post-purchase upsell' order by offer_id limit 1`)
	stored, err := w.detail("fernhollow", id)
	if err != nil {
		t.Fatal(err)
	}
	now := w.clock.Now()
	store := w.seen("fernhollow")
	choice, _ := report.ParseChoice(nil, now, store.Location(), store.FirstDay)
	page := reportoffers.NewDetail(locale.English, stored, choice, now)
	if page.Setup.Empty != nil || page.Stages.Empty != nil || page.Recommendations.Empty != nil {
		t.Errorf("panels are empty: %+v, %+v, %+v", page.Setup.Empty, page.Stages.Empty, page.Recommendations.Empty)
	}
	equal(t, "name", page.Setup.Name, page.Offer.Name)
	equal(t, "offers with more than one stage, but post-purchase", get[int](w, `
		select count(*) from offer_stages s join offers o using (store_id, offer_id)
		where jsonb_array_length(s.body -> 'stages') <> 1 and o.placement <> 'Post-purchase upsell'`), 0)
	equal(t, "post-purchase offers with a funnel", get[int](w, `
		select count(*) from offer_stages s join offers o using (store_id, offer_id)
		where jsonb_array_length(s.body -> 'stages') > 1 and o.placement = 'Post-purchase upsell'`) > 0, true)
	equal(t, "set-ups with a deleted trigger", get[int](w, `select count(*) from offer_setups where deleted_triggers > 0`) > 0, true)
	equal(t, "set-ups whose count of deleted triggers is another", get[int](w, `
		select count(*) from offer_setups s
		where deleted_triggers <> (
			select count(*) from jsonb_array_elements(s.body -> 'conditions') c, jsonb_array_elements(c -> 'names') n where n -> 'deleted' = 'true'
		)`), 0)
	equal(t, "shapes of coupons", get[string](w, `
		select string_agg(distinct r.body ->> 'shape', ' ') from offer_recommendations r join offers o using (store_id, offer_id)
		where o.placement = 'Coupon offer'`), "no_slot")
}

// A seventh of the offers is asked for each night, and each of them within a week; one that
// changed is asked for at once.
func TestDetailsRotateThroughTheWeekAndChangesComeAtOnce(t *testing.T) {
	t.Parallel()
	w := detailed(t, options{at: settledTime})
	offers := get[int](w, `select count(*) from offers`)
	asked := map[string]int{}
	for night := 1; night <= 7; night++ {
		w.clock.set(settledTime.AddDate(0, 0, night))
		// The days before tonight aren't part of this test.
		w.exec(`update ledger set due_at = null where pull like '%.day' or pull like '%.window' or pull in ('top.highest', 'top.lowest')`)
		from := w.mark()
		w.sync("fernhollow")
		if night == 1 {
			w.sameNames(t)
		}
		n := 0
		for _, path := range w.arrivals(sandbox.Upsell, from) {
			if id, ok := strings.CutPrefix(path, "/data/offer/"); ok && strings.HasSuffix(id, "/stages") {
				asked[strings.TrimSuffix(id, "/stages")]++
				n++
			}
		}
		if n > offers/2+6 {
			t.Errorf("night %d asks for %d of %d offers", night, n, offers)
		}
	}
	still := get[[]string](w, `select array_agg(offer_id order by offer_id) from offers where not deleted and unlisted_at is null`)
	for _, id := range still {
		if asked[id] == 0 {
			t.Errorf("%s was not asked for within a week", id)
		}
	}
	equal(t, "gone offers that are still asked for", get[int](w, `
		select count(*) from ledger l join offers o on o.store_id = l.store_id and o.offer_id = l.subject
		where l.pull like 'offer.%' and l.due_at is not null and (o.deleted or o.unlisted_at is not null)`), 0)
}

// sameNames expects that offers renamed in the first night were asked for that same night.
func (w *world) sameNames(t *testing.T) {
	t.Helper()
	renamed := 0
	for _, c := range w.sandbox.Changes("fernhollow", settledTime, w.clock.Now()) {
		if c.Kind != sandbox.Renamed {
			continue
		}
		renamed++
		equal(t, "set-up of what was renamed", body[reportoffers.SetupBody](w, "offer_setups", c.OfferID).Name, c.After)
		for _, pull := range []string{"offer.setup", "offer.stages", "offer.recommendations"} {
			equal(t, pull, w.row(pull, c.OfferID).LastGood.Equal(w.clock.Now()), true)
		}
	}
	if renamed == 0 {
		t.Error("the test needs an offer that was renamed")
	}
}

// The service answers that it has no such offer: that's an answer, not an error, and the
// inventory still decides what the offer is.
func TestAnOfferThatTheServiceDoesNotKnowIsNeitherErrorNorDeletion_N32(t *testing.T) {
	t.Parallel()
	w := detailed(t, options{at: settledTime})
	id := get[string](w, `select offer_id from offers order by offer_id limit 1`)
	offer := w.dump([]string{"offers"})
	for _, path := range []string{"/data/offer/" + id, "/data/products"} {
		w.sandbox.Break(sandbox.Upsell, "fernhollow", sandbox.Fault{Path: path, Body: `{"success":true,"data":null}`})
	}
	w.exec(`update ledger set due_at = '2020-01-01' where pull like 'offer.%' and subject = $1`, id)
	w.sync("fernhollow")
	same(t, w.dump([]string{"offers"}), offer)
	for _, table := range detailTables {
		equal(t, table, string(get[[]byte](w, `select body from `+table+` where offer_id = $1`, id)), "null")
	}
	r := w.row("offer.setup", id)
	equal(t, "ledger", r.Outcome+", "+r.Text, "good, the app has no such offer")
	equal(t, "events", len(w.events()), 0)
	if stored, err := w.detail("fernhollow", id); err != nil || string(stored.Setup.Body) != "null" {
		t.Errorf("the page reads %v, %v", stored.Setup, err)
	}
}

// A missing field isn't "none".
func TestAnAbsentFieldIsNotStoredAsNone_N33(t *testing.T) {
	t.Parallel()
	w := detailed(t, options{at: settledTime})
	without := get[string](w, `select offer_id from offer_setups where body -> 'discount_type' is null order by offer_id limit 1`)
	setup := body[reportoffers.SetupBody](w, "offer_setups", without)
	equal(t, "discount", setup.DiscountType+setup.DiscountValue, "")
	endless := get[string](w, `select offer_id from offer_setups where body -> 'end_date' is null order by offer_id limit 1`)
	equal(t, "end", body[reportoffers.SetupBody](w, "offer_setups", endless).EndDate, "")
	equal(t, "end day", get[int](w, `select count(*) from offer_setups where offer_id = $1 and ends_on is null and starts_on is not null`, endless), 1)

	w.sandbox.Break(sandbox.Upsell, "fernhollow", sandbox.Fault{Path: "/data/offer/" + without + "/stages", Body: `{"success":true,"data":{"offerName":"A","currency":"USD","stages":[{"products":[{"title":"Rope"},{"title":"Axe","discountType":"none","discountValue":0}]},{}]}}`, ContentType: "application/json"})
	w.exec(`update ledger set due_at = '2020-01-01' where pull = 'offer.stages' and subject = $1`, without)
	w.sync("fernhollow")
	stages := body[reportoffers.StagesBody](w, "offer_stages", without).Stages
	equal(t, "not stated, and none", stages[0].Products, []reportoffers.StageProduct{{Title: "Rope"}, {Title: "Axe", DiscountType: "none", DiscountValue: "0"}})
	if s := stages[1]; s.Products != nil || s.Bundle != nil || s.Arms != nil || s.Raw != "{}" {
		t.Errorf("a stage without anything is %+v", s)
	}
}

// A recommendation for something other than what was asked isn't stored.
func TestARecommendationForNothingInParticularIsNotTheOffers_N30_N36(t *testing.T) {
	t.Parallel()
	w := detailed(t, options{at: settledTime})
	id := get[string](w, `select offer_id from offer_recommendations where body ->> 'shape' = 'bought_together' order by offer_id limit 1`)
	numbers := w.dump(detailTables)
	w.sandbox.Break(sandbox.Upsell, "fernhollow", sandbox.Fault{Path: "/data/products/recommendations", Body: `{"success":true,"data":{"shopBestSellers":[],"bestSellersOnly":true,"nothingNamed":true}}`, ContentType: "application/json"})
	w.exec(`update ledger set due_at = '2020-01-01' where pull = 'offer.recommendations' and subject = $1`, id)
	w.runStore("fernhollow")
	same(t, w.dump(detailTables), numbers)
	equal(t, "ledger", w.row("offer.recommendations", id).Outcome, "quarantined")
	b := body[reportoffers.RecommendationsBody](w, "offer_recommendations", id)
	for _, trigger := range b.Triggers {
		for _, p := range trigger.Padding {
			if p.CoPurchased != nil || p.PastRevenue != nil {
				t.Errorf("padding has evidence: %+v", p)
			}
		}
	}
}

// Another store's offer id, or a made-up one, isn't found: a store's pages show only its own
// offers.
func TestAnOfferOfAnotherStoreIsNotFound(t *testing.T) {
	t.Parallel()
	w := listed(t, options{at: settledTime})
	w.add(shop, 1)
	w.sync(shop)
	foreign := get[string](w, `select offer_id from offers o join stores s on s.id = o.store_id where s.slug = $1 limit 1`, shop)
	for _, id := range []string{foreign, "", "nonsense", "' or true --"} {
		if _, err := w.detail("fernhollow", id); !errors.Is(err, db.ErrNotFound) {
			t.Errorf("%q: %v, want not found", id, err)
		}
	}
	if _, err := w.detail(shop, foreign); err != nil {
		t.Errorf("in its own store: %v", err)
	}
}

// Details that can't be read change nothing: the last good ones are kept and shown, marked as
// old.
func TestABrokenDetailKeepsTheLastGoodOne_N4(t *testing.T) {
	t.Parallel()
	w := detailed(t, options{at: settledTime})
	numbers := w.dump(numberTables)
	for _, path := range []string{"/data/offer/", "/data/products"} {
		w.sandbox.Break(sandbox.Upsell, "fernhollow", sandbox.Fault{Path: path, Edit: func(b []byte) []byte { return b[:len(b)/2] }})
	}
	id := get[string](w, `select offer_id from offers where placement = 'Post-purchase upsell' order by offer_id limit 1`)
	w.clock.set(settledTime.Add(time.Minute))
	w.exec(`update ledger set due_at = '2020-01-01' where pull like 'offer.%' and subject = $1`, id)
	w.runStore("fernhollow")
	same(t, w.dump(numberTables), numbers)
	for _, pull := range []string{"offer.setup", "offer.stages", "offer.recommendations"} {
		r := w.row(pull, id)
		equal(t, pull, r.Outcome, "quarantined")
		equal(t, pull+": last good", r.LastGood.Equal(settledTime), true)
	}
	stored, err := w.detail("fernhollow", id)
	if err != nil {
		t.Fatal(err)
	}
	store := w.seen("fernhollow")
	choice, _ := report.ParseChoice(nil, w.clock.Now(), store.Location(), store.FirstDay)
	d := reportoffers.NewDetail(locale.English, stored, choice, w.clock.Now())
	equal(t, "still shown", d.Setup.Empty == nil && d.Setup.Name == d.Offer.Name, true)
	equal(t, "stale", d.Setup.Provenance.Has(report.FlagStale) || d.Setup.Trouble != nil, true)
}
