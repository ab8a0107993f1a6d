package sandbox

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/shopspring/decimal"
)

type (
	gotRow struct {
		ID, Title         string
		Price             *decimal.Decimal
		CoPurchasedOrders *int64
		PastRevenue       *decimal.Decimal
	}
	gotRecommendations struct {
		Triggers []struct {
			ID, Title                         string
			BoughtTogether, SameCategoryPicks []gotRow
		}
		OmittedTriggers, DeletedTriggers []gotResource
		Currency                         *string
		ShopBestSellers                  []gotRow
		BestSellersOnly, NothingNamed    *bool
		HasProductTrigger                *bool
		NamedProduct                     *string
		Candidates                       []gotResource
		HoldsUpsellProducts, CouponOffer *bool
	}
)

func recommended(t *testing.T, w *served, slug, query string) gotRecommendations {
	t.Helper()
	return data[gotRecommendations](t, w.upsell(slug, "/data/products/recommendations?"+query))
}

// shape says which of the four shapes an answer has, by the key that is present, and which
// cause.
func shape(r gotRecommendations) (out string) {
	if r.Triggers != nil {
		out += "bought together"
	}
	if r.ShopBestSellers != nil {
		out += "best sellers:"
		if r.NothingNamed != nil {
			out += " nothing named"
		}
		if r.HasProductTrigger != nil && !*r.HasProductTrigger {
			out += " no product trigger"
		}
		if r.HasProductTrigger != nil && *r.HasProductTrigger && r.DeletedTriggers != nil {
			out += " all deleted"
		}
		if r.NamedProduct != nil {
			out += " " + *r.NamedProduct
		}
	}
	if r.Candidates != nil {
		out += "candidates"
	}
	if r.HoldsUpsellProducts != nil {
		out += "no slot"
	}
	return out
}

func TestN36FourShapesAndFiveCauses(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	offer := func(name string) string { return "offerId=" + named(t, w, "fernhollow", name) }
	product := "productId=" + url.QueryEscape(recommended(t, w, "fernhollow", "productName=Gaiters").Triggers[0].ID)
	cases := map[string]struct{ query, want string }{
		"an offer":                       {offer("Trail socks, second pair"), "bought together"},
		"an offer, some deleted":         {offer("Ridge bottle 750 ml"), "bought together"},
		"a product":                      {product, "bought together"},
		"a title":                        {"productName=gaiters", "bought together"},
		"the offer comes first":          {offer("Free shipping next time") + "&" + product, "no slot"},
		"the product before its title":   {product + "&productName=zzz", "bought together"},
		"nothing":                        {"", "best sellers: nothing named"},
		"an offer without conditions":    {offer("Boot care kit"), "best sellers: no product trigger"},
		"an offer on collections":        {offer("Merino liner gloves"), "best sellers: no product trigger"},
		"an offer on an order value":     {offer("Sit pad"), "best sellers: no product trigger"},
		"an offer of deleted ones":       {offer("Pole tips"), "best sellers: all deleted"},
		"a deleted product":              {"productId=gid://shop/Product/1", "best sellers: deleted"},
		"no id at all":                   {"productId=12", "best sellers: deleted"},
		"another store's product":        {"productId=" + url.QueryEscape(recommended(t, w, "lumen", "").ShopBestSellers[0].ID), "best sellers: deleted"},
		"a title of none":                {"productName=zzz", "best sellers: no_match"},
		"a title of two":                 {"productName=Rain+cover", "candidates"},
		"a part of several titles":       {"productName=trail", "candidates"},
		"a coupon":                       {offer("10% off your next order"), "no slot"},
		"an order status offer, expired": {offer("Gaiters"), "best sellers: no product trigger"},
	}
	for name, c := range cases {
		same(t, c.want, shape(recommended(t, w, "fernhollow", c.query)), name)
	}
	same(t, `{"success":true,"data":{"holdsUpsellProducts":false,"couponOffer":true}}`,
		w.upsell("fernhollow", "/data/products/recommendations?"+offer("10% off your next order")).body)
}

func TestSuggestionsAreSixATriggerAndEvidenceComesFirst(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{Vast: true, Hostile: true})
	full, padded, noHistory, nothing := 0, 0, 0, 0
	for _, sh := range w.shops {
		for _, it := range sh.Stock {
			r := recommended(t, w, sh.Slug, "productId="+url.QueryEscape(it.Id))
			same(t, 1, len(r.Triggers))
			same(t, sh.Currency, *r.Currency)
			tr := r.Triggers[0]
			same(t, []string{it.Id, it.Title}, []string{tr.ID, tr.Title})
			hold(t, tr.BoughtTogether != nil && tr.SameCategoryPicks != nil, "empty, never absent")
			n := len(tr.BoughtTogether) + len(tr.SameCategoryPicks)
			hold(t, n <= 6, n)
			seen := map[string]bool{it.Id: true}
			for i, row := range tr.BoughtTogether {
				hold(t, !seen[row.ID], "once over both lists")
				seen[row.ID] = true
				hold(t, *row.CoPurchasedOrders > 0)
				hold(t, i == 0 || *tr.BoughtTogether[i-1].CoPurchasedOrders >= *row.CoPurchasedOrders)
				equalMoney(t, row.Price.Mul(decimal.NewFromInt(*row.CoPurchasedOrders)), *row.PastRevenue, "revenue")
				other := recommended(t, w, sh.Slug, "productId="+url.QueryEscape(row.ID)).Triggers[0].BoughtTogether
				if back := slices.IndexFunc(other, func(o gotRow) bool { return o.ID == it.Id }); back >= 0 {
					same(t, *row.CoPurchasedOrders, *other[back].CoPurchasedOrders, "together is the same from both sides")
				}
			}
			for _, row := range tr.SameCategoryPicks {
				hold(t, !seen[row.ID], "once over both lists")
				seen[row.ID] = true
				hold(t, row.CoPurchasedOrders == nil && row.PastRevenue == nil, "padding has no numbers")
			}
			switch {
			case n == 0:
				nothing++
			case len(tr.BoughtTogether) == 6:
				full++
			case len(tr.BoughtTogether) == 0:
				noHistory++
			case len(tr.SameCategoryPicks) > 0:
				padded++
			}
		}
	}
	hold(t, full > 0 && padded > 0 && noHistory > 0 && nothing > 0, full, padded, noHistory, nothing)
}

func TestOmittedAndDeletedTriggersAreNamed(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	for _, slug := range []string{"fernhollow", "lumen", "kumo"} {
		omitted, deleted := 0, 0
		for _, o := range every(t, w, slug) {
			r := recommended(t, w, slug, "offerId="+o.ID)
			if r.Triggers == nil {
				continue
			}
			set := setupOf(t, w, slug, o.ID)
			var got []string
			for _, tr := range r.Triggers {
				got = append(got, tr.ID)
			}
			for _, tr := range r.OmittedTriggers {
				got = append(got, tr.ID)
				omitted++
			}
			same(t, triggerIDs(set), got, "the offer's own trigger products", o.Name)
			hold(t, len(r.Triggers) <= lookedUpMax)
			for _, tr := range r.DeletedTriggers {
				hold(t, tr.IsDeleted)
				deleted++
			}
		}
		same(t, slug != "lumen", deleted > 0, slug, "deleted")
		hold(t, omitted > 0, slug, "omitted")
	}
}

func TestN36BestSellersAreFiveAtMostAndTheSameWhateverTheCause(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	for slug, want := range map[string]int{"fernhollow": 5, "lumen": 5, "kumo": 5, "wattle": 3} {
		r := recommended(t, w, slug, "")
		same(t, want, len(r.ShopBestSellers))
		same(t, true, *r.BestSellersOnly)
		same(t, r.ShopBestSellers, recommended(t, w, slug, "productName=zzz").ShopBestSellers)
		for _, row := range r.ShopBestSellers {
			hold(t, row.CoPurchasedOrders == nil && row.Price.IsPositive() && strings.HasPrefix(row.ID, "gid://shop/Product/"), row)
		}
	}
}

func TestACandidateIsPickedByItsID(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	two := recommended(t, w, "fernhollow", "productName=RAIN+cover").Candidates
	same(t, 2, len(two))
	same(t, two[0].Title, two[1].Title)
	for _, c := range two {
		same(t, c.ID, recommended(t, w, "fernhollow", "productId="+url.QueryEscape(c.ID)).Triggers[0].ID)
	}
}
