package sandbox

import (
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/apis/sandbox/world"
)

type (
	gotResource struct {
		ID, Title string
		IsDeleted bool
	}
	gotCondition struct {
		Type, Operator        string
		Products, Collections []gotResource
		Tags                  []string
		Value                 *decimal.Decimal
		IsDeleted             bool
	}
	gotSetup struct {
		ID, Name, OfferName, Status, Type, StartDate, CreatedAt, Currency, URL string
		EndDate, DiscountType                                                  *string
		DiscountValue, Revenue, AcceptanceRate                                 *decimal.Decimal
		TriggerCriteria                                                        string
		TriggerConditions                                                      []gotCondition
		Claims, Priority                                                       *int64
		ABTest                                                                 *bool
	}
)

func setupOf(t *testing.T, w *served, slug, id string) gotSetup {
	t.Helper()
	return data[gotSetup](t, w.upsell(slug, "/data/offer/"+url.PathEscape(id)))
}

func TestSetupAgreesWithListsAndPriority(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{Hostile: true})
	for _, slug := range []string{"fernhollow", "lumen", "kumo", "grim"} {
		for _, label := range world.PlacementLabels {
			for _, o := range walk(t, w, slug, byPriority(label)) {
				s := setupOf(t, w, slug, o.ID)
				same(t, []string{o.ID, o.Name, o.Name, o.Status, o.Type, o.CreatedAt, *o.URL}, []string{s.ID, s.Name, s.OfferName, s.Status, s.Type, s.CreatedAt, s.URL})
				same(t, []any{o.ABTest, o.Priority, w.store(slug).Currency}, []any{*s.ABTest, int(*s.Priority), s.Currency})
				same(t, o.Revenue, s.Revenue, "N12, N13: of all time, and none for a coupon")
				same(t, true, s.Claims != nil && s.AcceptanceRate != nil)
				hold(t, s.StartDate > s.CreatedAt || s.StartDate[:10] > s.CreatedAt[:10], o.Name, s.StartDate, s.CreatedAt)
				same(t, s.Status == "expired", s.EndDate != nil && s.Status == "expired", "what is over has an end")
				same(t, len(s.TriggerConditions) > 0, s.TriggerCriteria == "set-conditions")
				same(t, len(s.TriggerConditions) == 0, s.TriggerCriteria == "no-condition")
			}
		}
	}
}

func TestN33AnEndIsThereOnlyWhenSwitchedOn(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	ends := map[string]string{}
	for _, o := range every(t, w, "fernhollow") {
		if s := setupOf(t, w, "fernhollow", o.ID); s.EndDate != nil {
			ends[o.Name] = *s.EndDate
		}
	}
	same(t, "2026-11-03T23:59:00", ends["Gaiters"])
	_, open := ends["Trail socks, second pair"]
	hold(t, !open)
	hold(t, !strings.Contains(w.upsell("fernhollow", "/data/offer/"+named(t, w, "fernhollow", "Dry bag 5 l")).body, "endDate"))
}

// named is the id of the offer with a name.
func named(t *testing.T, w *served, slug, name string) string {
	t.Helper()
	all := every(t, w, slug)
	i := slices.IndexFunc(all, func(o gotOffer) bool { return o.Name == name })
	hold(t, i >= 0, "no offer", name)
	return all[i].ID
}

func TestN32AnUnknownForeignOrDeletedOfferIsASuccessWithoutData(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	top := data[gotOffers](t, w.upsell("fernhollow", "/data/analytics/top?limit=50"+strings.Replace(span(firstDay, lastDay), "?", "&", 1)))
	deleted := top.Offers[slices.IndexFunc(top.Offers, func(o gotOffer) bool { return o.IsDeleted != nil })].ID
	for name, id := range map[string]string{"unknown": "nothing", "foreign": named(t, w, "lumen", "Hard case"), "deleted": deleted} {
		for _, path := range []string{"/data/offer/" + id, "/data/offer/" + id + "/stages", "/data/products/recommendations?offerId=" + id} {
			a := w.upsell("fernhollow", path)
			same(t, `200 {"success":true,"data":null}`, "200 "+a.body, name)
			same(t, 200, a.status)
		}
	}
	for _, path := range []string{"/data/offer", "/data/offer/x/stages/y", "/data/offer/x/arms"} {
		requireUpsellError(t, w.upsell("fernhollow", path), 404, "")
	}
}

func TestTriggerConditionsMarkWhatWasDeletedInsteadOfDroppingIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	kinds, deletedProducts, deletedCollections, none := map[string]int{}, 0, 0, 0
	for _, o := range every(t, w, "fernhollow") {
		s := setupOf(t, w, "fernhollow", o.ID)
		if len(s.TriggerConditions) == 0 {
			none++
		}
		for _, c := range s.TriggerConditions {
			kinds[c.Type]++
			gone := 0
			for _, r := range slices.Concat(c.Products, c.Collections) {
				hold(t, strings.HasPrefix(r.ID, "gid://shop/"), r.ID)
				same(t, r.IsDeleted, r.Title == "", "of a deleted one only the id is left")
				if r.IsDeleted {
					gone++
				}
			}
			same(t, gone > 0, c.IsDeleted)
			if c.Type == "products" {
				deletedProducts += gone
			} else {
				deletedCollections += gone
			}
			same(t, c.Type == "products", len(c.Products) > 0)
			same(t, c.Type == "collections", len(c.Collections) > 0)
			same(t, c.Type == "tags", len(c.Tags) > 0)
			same(t, c.Type == "order_value", c.Value != nil)
		}
		for _, p := range triggerIDs(s) {
			for _, st := range stagesOf(t, w, "fernhollow", o.ID).Stages {
				if st.Stage == nil || st.Stage.Follows == "" {
					hold(t, len(st.Products) == 0 || st.Products[0].ID != p, "a trigger is never what is upsold", o.Name)
				}
			}
		}
	}
	same(t, []string{"collections", "order_value", "products", "tags"}, slices.Sorted(maps.Keys(kinds)))
	hold(t, deletedProducts >= 3, deletedProducts)
	hold(t, deletedCollections >= 1, deletedCollections)
	hold(t, none >= 1, none)
}

// triggerIDs are the trigger products that still exist.
func triggerIDs(s gotSetup) (out []string) {
	for _, c := range s.TriggerConditions {
		for _, p := range c.Products {
			if !p.IsDeleted {
				out = append(out, p.ID)
			}
		}
	}
	return out
}
