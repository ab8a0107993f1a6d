package sandbox

import (
	"net/url"
	"strings"
	"testing"

	"github.com/shopspring/decimal"
)

type (
	gotProduct struct {
		ID, Title     string
		DiscountType  *string
		DiscountValue *decimal.Decimal
	}
	gotBundle struct {
		Type, DiscountType string
		Tiers              []struct {
			Quantity      int
			DiscountValue decimal.Decimal
		}
	}
	gotGoods struct {
		Products   []gotProduct
		BundleDeal *gotBundle
	}
	gotStage struct {
		gotGoods
		Stage  *struct{ Label, Follows, When string }
		ABTest *struct {
			Name     string
			Variants []struct {
				Label        string
				TrafficShare int
				gotGoods
			}
		}
	}
	gotStages struct {
		OfferName, Currency string
		Stages              []gotStage
	}
)

func stagesOf(t *testing.T, w *served, slug, id string) gotStages {
	t.Helper()
	return data[gotStages](t, w.upsell(slug, "/data/offer/"+url.PathEscape(id)+"/stages"))
}

// sold is every product that a stage or an arm of its test sells.
func (s gotStage) sold() []gotProduct {
	out := s.Products
	if s.ABTest != nil {
		for _, v := range s.ABTest.Variants {
			out = append(out, v.Products...)
		}
	}
	return out
}

func TestOnlyPostPurchaseHasAFunnelAndTheOthersHaveOneStage(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{Hostile: true})
	longest, branches := 0, map[string]int{}
	for _, slug := range []string{"fernhollow", "lumen", "kumo", "grim"} {
		for _, o := range every(t, w, slug) {
			got := stagesOf(t, w, slug, o.ID)
			same(t, o.Name, got.OfferName)
			same(t, w.store(slug).Currency, got.Currency)
			if o.Type != "Post-purchase upsell" {
				same(t, 1, len(got.Stages), o.Name)
				hold(t, got.Stages[0].Stage == nil, "the label is for funnels only")
				continue
			}
			longest = max(longest, len(got.Stages))
			before := map[string]bool{}
			taken := map[string]bool{}
			for i, s := range got.Stages {
				same(t, i == 0, s.Stage.Follows == "", "the first follows nothing")
				same(t, i == 0, s.Stage.When == "")
				hold(t, i == 0 || before[s.Stage.Follows], "what is followed was named before", s.Stage.Follows)
				hold(t, i == 0 || s.Stage.When == "accepted" || s.Stage.When == "declined", s.Stage.When)
				hold(t, !before[s.Stage.Label], "labels are unique")
				hold(t, !taken[s.Stage.Follows+s.Stage.When], "one branch each way")
				before[s.Stage.Label], taken[s.Stage.Follows+s.Stage.When] = true, true
				branches[s.Stage.When]++
			}
		}
	}
	same(t, 5, longest)
	hold(t, branches["accepted"] > 3 && branches["declined"] > 3, branches)
}

func TestN33EveryProductStatesItsDiscountAndNoPriceIsGiven(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	kinds := map[string]int{}
	for _, slug := range []string{"fernhollow", "lumen", "kumo"} {
		for _, o := range every(t, w, slug) {
			body := w.upsell(slug, "/data/offer/"+o.ID+"/stages").body
			hold(t, !strings.Contains(strings.ToLower(body), "price"), body)
			own := 0
			for _, s := range stagesOf(t, w, slug, o.ID).Stages {
				for _, p := range s.sold() {
					hold(t, p.DiscountType != nil && p.DiscountValue != nil, "stated even when there is none", o.Name)
					same(t, *p.DiscountType == "none", p.DiscountValue.IsZero(), o.Name)
					kinds[*p.DiscountType]++
					if *p.DiscountType != "none" {
						own++
					}
				}
				same(t, o.Type == "Coupon offer", len(s.sold()) == 0, "a coupon has no product slot")
			}
			set := setupOf(t, w, slug, o.ID)
			same(t, own == 0, set.DiscountType != nil, "the offer's own only when no product carries one", o.Name)
			same(t, own == 0, set.DiscountValue != nil)
			if set.DiscountType != nil {
				kinds["offer "+*set.DiscountType]++
			}
		}
	}
	for _, kind := range []string{"none", "percentage", "fixed_amount", "offer none", "offer percentage", "offer fixed_amount", "offer free_shipping"} {
		hold(t, kinds[kind] > 0, kind, kinds)
	}
}

func TestAnABTestReplacesProductsAndBundleOfItsStage(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{Hostile: true})
	tests, later := 0, 0
	for _, slug := range []string{"fernhollow", "lumen", "kumo", "grim"} {
		for _, o := range every(t, w, slug) {
			tested := 0
			for i, s := range stagesOf(t, w, slug, o.ID).Stages {
				if s.ABTest == nil {
					continue
				}
				tested++
				hold(t, s.Products == nil && s.BundleDeal == nil, "replaced", o.Name)
				same(t, 2, len(s.ABTest.Variants))
				same(t, 100, s.ABTest.Variants[0].TrafficShare+s.ABTest.Variants[1].TrafficShare)
				if i > 0 {
					later++
				}
			}
			want := 0
			if o.ABTest {
				want, tests = 1, tests+1
			}
			same(t, want, tested, o.Name)
		}
	}
	hold(t, tests > 5 && later > 0, tests, later)
}

func TestABundleIsThereOnlyWhenLiveAndHasTiers(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	kinds, without := map[string]int{}, 0
	for _, slug := range []string{"fernhollow", "lumen", "kumo"} {
		for _, o := range every(t, w, slug) {
			for _, s := range stagesOf(t, w, slug, o.ID).Stages {
				bundle := s.BundleDeal
				if s.ABTest != nil {
					bundle = s.ABTest.Variants[0].BundleDeal
				}
				if bundle == nil {
					without++
					continue
				}
				same(t, "active", o.Status, "a bundle is live with its offer")
				kinds[bundle.Type]++
				hold(t, len(bundle.Tiers) > 0)
				for i, tier := range bundle.Tiers {
					hold(t, tier.Quantity > 1 && tier.DiscountValue.IsPositive())
					hold(t, i == 0 || tier.Quantity > bundle.Tiers[i-1].Quantity, "tiers rise")
				}
			}
		}
	}
	hold(t, kinds["quantity_break"] > 0 && kinds["bundle"] > 0 && without > 10, kinds, without)
}
