package offers

import (
	"github.com/storeglass/storeglass/internal/report"
)

// ProductCheck is what the gift service says about products of a store: whether
// each can be given away (GET /products). It is asked for by a person, answered
// at once and not stored.
type ProductCheck struct {
	Provenance report.Provenance `json:"provenance"`
	// Requested are the handles that were asked for, in the order they were given.
	Requested []string `json:"requested"`
	// NotFound are those that the store has no product for (N57).
	NotFound []string         `json:"not_found"`
	Products []CheckedProduct `json:"products"`
}

// CheckedProduct is the verdict on one product. What was not sent is nil.
type CheckedProduct struct {
	Handle string `json:"handle"`
	Title  string `json:"title"`
	// Status is the product's, raw: "active", "draft".
	Status string `json:"status"`
	// CanBeGifted is the service's verdict.
	CanBeGifted *bool `json:"can_be_gifted"`
	// TracksInventory false: the stock is not counted; TotalInventory is then nil, which is not 0 (N56).
	TracksInventory *bool  `json:"tracks_inventory"`
	TotalInventory  *int64 `json:"total_inventory"`
	Published       *bool  `json:"published_on_online_store"`
	VariantCount    *int64 `json:"variant_count"`
	GiftableCount   *int64 `json:"giftable_variant_count"`
	// Issues are the service's reasons, in its words.
	Issues   []string         `json:"issues"`
	Variants []CheckedVariant `json:"variants"`
}

// CheckedVariant is the verdict on one variant.
type CheckedVariant struct {
	Title    string `json:"title"`
	Giftable *bool  `json:"giftable"`
	// StockStatus is raw; "not_tracked" means always available (N56). It decides, never the quantity.
	StockStatus string `json:"stock_status"`
	Quantity    *int64 `json:"inventory_quantity"`
	Policy      string `json:"inventory_policy,omitempty"`
}
