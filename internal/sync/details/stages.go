package details

import (
	"fmt"
	"strings"

	"github.com/storeglass/storeglass/internal/apis/upsell"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/offers"
)

// StagesBody is what an offer sells as the report keeps it: a stage follows
// another by its label, whatever the service calls that one by.
func StagesBody(d upsell.Stages) offers.StagesBody {
	body := offers.StagesBody{OfferName: d.OfferName, Stages: make([]offers.StageBody, len(d.Stages)), Currency: string(d.Currency)}
	parents := d.Parents()
	for i, s := range d.Stages {
		b := &body.Stages[i]
		currency := body.Currency
		b.Products, b.Bundle = stageProducts(s.Products), bundle(s.BundleDeal, currency)
		if s.Label != nil {
			b.Label, b.Follows, b.Branch = labelOf(*s.Label), s.Label.Follows, string(s.Label.Outcome)
			if at := parents[i]; at >= 0 {
				b.Follows = labelOf(*d.Stages[at].Label)
			}
		}
		if s.ABTest != nil {
			for n, arm := range s.ABTest.Arms {
				b.Arms = append(b.Arms, stageArm(arm, n, currency))
			}
			if len(b.Arms) == 0 { // a test whose arms were not found is still a test
				b.Arms = []offers.StageArm{{Name: "Under test", Raw: string(s.ABTest.Raw)}}
			}
		}
		if len(b.Products) == 0 && b.Bundle == nil && len(b.Arms) == 0 {
			b.Raw = string(s.Raw)
		}
	}
	return body
}

// labelOf is a stage's name or, without one, what other stages call it by.
func labelOf(l upsell.StageLabel) string {
	if l.Name != "" {
		return l.Name
	}
	return l.ID
}

func stageArm(arm upsell.Arm, n int, currency string) offers.StageArm {
	out := offers.StageArm{Name: arm.Name, Products: stageProducts(arm.Products), Bundle: bundle(arm.BundleDeal, currency)}
	if out.Name == "" {
		out.Name = fmt.Sprintf("Arm %d", n+1)
	}
	if arm.Share != "" {
		out.Name += ", share " + arm.Share
	}
	if len(out.Products) == 0 && out.Bundle == nil {
		out.Raw = string(arm.Raw)
	}
	return out
}

func stageProducts(in []upsell.StageProduct) []offers.StageProduct {
	var out []offers.StageProduct
	for _, p := range in {
		title := p.Title
		if title == "" {
			title = p.ID
		}
		out = append(out, offers.StageProduct{Title: title, DiscountType: p.DiscountType, DiscountValue: valueText(p.Discount)})
	}
	return out
}

func bundle(in *upsell.BundleDeal, currency string) *offers.Bundle {
	if in == nil {
		return nil
	}
	out := &offers.Bundle{Type: in.Type, DiscountType: in.DiscountType, Tiers: []offers.BundleTier{}}
	for _, t := range in.Tiers {
		words := tierWords(t, in.DiscountType, currency)
		tier := offers.BundleTier{Words: words}
		if words == "" {
			tier.Raw = string(t.Raw)
		}
		out.Tiers = append(out.Tiers, tier)
	}
	return out
}

// tierWords say a tier as far as it was understood: "3 items: 15% off". Empty when
// nothing of it was.
func tierWords(t upsell.BundleTier, kind, currency string) string {
	var parts []string
	if t.Name != "" {
		parts = append(parts, t.Name)
	}
	if t.Quantity != nil {
		parts = append(parts, report.Plural(*t.Quantity, "item", "items"))
	}
	words := strings.Join(parts, ", ")
	if t.DiscountType != "" {
		kind = t.DiscountType
	}
	if t.Discount == nil && t.DiscountType == "" {
		return words
	}
	discount := offers.DiscountWords(locale.English, kind, valueText(t.Discount), currency)
	if words == "" {
		return discount
	}
	return words + ": " + discount
}
