package offers

import (
	"github.com/storeglass/storeglass/internal/report/offers"
	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/components/form"
)

// ProductID is what a product's id looks like.
const ProductID = "gid://shopify/Product/123"

// RecommendPage asks what goes with a product.
type RecommendPage struct {
	components.Base
	// Product is what was typed; Answer is nil before the first question.
	Product string
	Answer  *offers.ProductRecommendations
	// Wrong is why that failed.
	Wrong      form.Wrong
	OffersHref string
}

// heading names the product that the answer is about.
func (p RecommendPage) heading() string {
	if len(p.Answer.Triggers) == 1 && p.Answer.Triggers[0].Title != "" {
		return p.T("offers.advice.with", "product", p.Answer.Triggers[0].Title)
	}
	return p.T("offers.advice.with", "product", p.Product)
}
