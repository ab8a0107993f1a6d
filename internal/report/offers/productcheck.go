package offers

import (
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
)

// ProductCheck is what the gift service says about some of a store's products: whether each can be
// given away (GET /products). It's requested on demand, shown right away and not stored.
type ProductCheck struct {
	Provenance report.Provenance `json:"provenance"`
	// Requested are the requested handles, in the order given.
	Requested []string `json:"requested"`
	// NotFound are the handles that the store has no product for (N57).
	NotFound []string         `json:"not_found"`
	Products []CheckedProduct `json:"products"`
}

// CheckedProduct is the verdict on one product. Fields that weren't sent are nil.
type CheckedProduct struct {
	Handle string `json:"handle"`
	Title  string `json:"title"`
	// Status is the product's status, raw: "active", "draft".
	Status string `json:"status"`
	// CanBeGifted is the service's verdict.
	CanBeGifted *bool `json:"can_be_gifted"`
	// TracksInventory is false if stock isn't counted; TotalInventory is then nil, which isn't 0 (N56).
	TracksInventory *bool  `json:"tracks_inventory"`
	TotalInventory  *int64 `json:"total_inventory"`
	Published       *bool  `json:"published_on_online_store"`
	VariantCount    *int64 `json:"variant_count"`
	GiftableCount   *int64 `json:"giftable_variant_count"`
	// Issues are the service's reasons, in its own words.
	Issues   []string         `json:"issues"`
	Variants []CheckedVariant `json:"variants"`
}

// CheckedVariant is the verdict on one variant.
type CheckedVariant struct {
	Title    string `json:"title"`
	Giftable *bool  `json:"giftable"`
	// StockStatus is raw; "not_tracked" means always available (N56). Go by it, never by the quantity.
	StockStatus string `json:"stock_status"`
	Quantity    *int64 `json:"inventory_quantity"`
	Policy      string `json:"inventory_policy,omitempty"`
}

// CallError is why a service that was asked at once gave no answer: Said is for the person who asked, Cause for
// the log.
type CallError struct {
	Said  locale.Sentences
	Cause error
}

func (e *CallError) Error() string { return e.Said.In(locale.English) }
func (e *CallError) Unwrap() error { return e.Cause }
