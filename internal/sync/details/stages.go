package details

import (
	"cmp"

	"github.com/storeglass/storeglass/internal/apis/upsell"
	"github.com/storeglass/storeglass/internal/report/offers"
)

// StagesBody is what an offer sells, as reports store it. Stages refer to the next one by its
// label, whatever the service calls it.
func StagesBody(d upsell.Stages) offers.StagesBody {
	body := offers.StagesBody{OfferName: d.OfferName, Stages: make([]offers.StageBody, len(d.Stages)), Currency: string(d.Currency)}
	parents := d.Parents()
	for i, s := range d.Stages {
		b := &body.Stages[i]
		b.Products, b.Bundle = stageProducts(s.Products), bundle(s.BundleDeal)
		if s.Label != nil {
			b.Label, b.Follows, b.Branch = labelOf(*s.Label), s.Label.Follows, string(s.Label.Outcome)
			if at := parents[i]; at >= 0 {
				b.Follows = labelOf(*d.Stages[at].Label)
			}
		}
		if s.ABTest != nil {
			for n, arm := range s.ABTest.Arms {
				b.Arms = append(b.Arms, stageArm(arm, n+1))
			}
			if len(b.Arms) == 0 { // a test whose arms were not found is still a test
				b.Arms = []offers.StageArm{{Raw: string(s.ABTest.Raw)}}
			}
		}
		if len(b.Products) == 0 && b.Bundle == nil && len(b.Arms) == 0 {
			b.Raw = string(s.Raw)
		}
	}
	return body
}

// labelOf is a stage's name or, without one, what other stages call it.
func labelOf(l upsell.StageLabel) string { return cmp.Or(l.Name, l.ID) }

func stageArm(arm upsell.Arm, number int) offers.StageArm {
	out := offers.StageArm{Name: arm.Name, Number: number, Share: arm.Share, Products: stageProducts(arm.Products), Bundle: bundle(arm.BundleDeal)}
	if len(out.Products) == 0 && out.Bundle == nil {
		out.Raw = string(arm.Raw)
	}
	return out
}

func stageProducts(in []upsell.StageProduct) []offers.StageProduct {
	var out []offers.StageProduct
	for _, p := range in {
		out = append(out, offers.StageProduct{Title: cmp.Or(p.Title, p.ID), DiscountType: p.DiscountType, DiscountValue: string(p.Discount)})
	}
	return out
}

func bundle(in *upsell.BundleDeal) *offers.Bundle {
	if in == nil {
		return nil
	}
	out := &offers.Bundle{Type: in.Type, DiscountType: in.DiscountType, Tiers: []offers.BundleTier{}}
	for _, t := range in.Tiers {
		parts := offers.TierParts{Name: t.Name, Quantity: t.Quantity, DiscountType: t.DiscountType, DiscountValue: string(t.Discount)}
		if t.Discount != "" && parts.DiscountType == "" { // then the bundle's applies
			parts.DiscountType = in.DiscountType
		}
		tier := offers.BundleTier{Parts: &parts}
		if parts == (offers.TierParts{}) {
			tier = offers.BundleTier{Raw: string(t.Raw)}
		}
		out.Tiers = append(out.Tiers, tier)
	}
	return out
}
