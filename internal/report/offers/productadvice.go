package offers

import (
	"strings"

	"github.com/storeglass/storeglass/internal/report"

	"github.com/storeglass/storeglass/internal/locale"
)

// ProductQuery names a product by the platform's global id or by its title. With neither, the service
// returns its best sellers.
type ProductQuery struct {
	ID   string `json:"product_id,omitempty"`
	Name string `json:"product_name,omitempty"`
}

// ParseProduct parses what someone typed: text like gid://shop/Product/1 is an id, anything else a title.
func ParseProduct(text string) ProductQuery {
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, "gid://") {
		return ProductQuery{ID: text}
	}
	return ProductQuery{Name: text}
}

// ProductRecommendations is what sells well with a product (GET /data/products/recommendations). It's
// requested on demand, shown right away and not stored.
type ProductRecommendations struct {
	Provenance report.Provenance `json:"provenance"`
	Of         ProductQuery      `json:"asked"`
	RecommendationsBody
}

// Words are an offer's recommendation texts, worded for a product.
func (r ProductRecommendations) Words(l locale.Locale) (title, text, listed string) {
	title, text, listed = r.RecommendationsBody.Words(l)
	if r.Shape == ShapeBestSellers {
		listed = l.T("offers.instead.of_the_store_product")
	}
	return title, text, listed
}
