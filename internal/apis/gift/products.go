package gift

import (
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/storeglass/storeglass/internal/apis/upstream"
)

// MaxHandles is how many handles one product check takes.
const MaxHandles = 50

// Chunks splits handles, in their order, into as many checks as needed (N57).
func Chunks(handles []string) [][]string { return slices.Collect(slices.Chunk(handles, MaxHandles)) }

// Products are checks whether products can be given away (GET /products).
type Products struct {
	// NotFound are handles without a product in the store (N57).
	NotFound Handles   `json:"notFound" required:"true"`
	Products []Product `json:"products" required:"true"`
}

// Handles are product handles; nil if the service sends only their number, since it isn't
// documented which one it sends.
type Handles []string

// DecodeRaw takes a whole number or a list of texts.
func (h *Handles) DecodeRaw(value []byte) (err error) {
	*h = nil
	if jsontext.Value(value).Kind() == '0' {
		_, err = upstream.Decode[int64](value)
		return err
	}
	*h, err = upstream.Decode[[]string](value)
	return err
}

// Product is one product with its verdict: CanBeGifted, based on Issues and the variants'
// StockStatus and Giftable. Quantities are informational and decide nothing (rule 5).
type Product struct {
	// ID, Handle and Title are "" if the reply leaves them out; they aren't documented.
	ID     upstream.Text `json:"id"`
	Handle upstream.Text `json:"handle"`
	Title  upstream.Text `json:"title"`
	Status upstream.Text `json:"status"`
	// TotalInventory has no count if nothing is tracked, which isn't 0 (N56).
	TotalInventory         Quantity  `json:"totalInventory"`
	TracksInventory        *bool     `json:"tracksInventory"`
	PublishedOnOnlineStore *bool     `json:"publishedOnOnlineStore"`
	Variants               []Variant `json:"variants" required:"true"`
	VariantCount           *int64    `json:"variantCount"`
	GiftableVariantCount   *int64    `json:"giftableVariantCount"`
	CanBeGifted            bool      `json:"canBeGifted" required:"true"`
	// Issues are in the service's words; their shape isn't documented.
	Issues []Notice `json:"issues" required:"true"`
}

// Variant is one variant of a product.
type Variant struct {
	ID          upstream.Text `json:"id"`
	Title       upstream.Text `json:"title"`
	StockStatus StockStatus   `json:"stockStatus" required:"true"`
	Giftable    bool          `json:"giftable" required:"true"`
	// InventoryQuantity and InventoryPolicy are null if the variant isn't tracked: it has no
	// count, which isn't 0 (N56).
	InventoryQuantity Quantity `json:"inventoryQuantity"`
	InventoryPolicy   *string  `json:"inventoryPolicy"`
}

// StockStatus is a verdict on stock as the service wrote it. Only one value is documented.
type StockStatus string

// NotTracked means that stock isn't counted, so the variant is always available (rule 5).
const NotTracked StockStatus = "not_tracked"

// Quantity is a number of pieces, or no number: null and "" both mean "not counted".
type Quantity struct {
	// Count is nil if there is no number. It may be negative if a shop oversells.
	Count *int64
}

// DecodeRaw takes a whole number or an empty text.
func (q *Quantity) DecodeRaw(value []byte) error {
	*q = Quantity{}
	if string(value) == `""` {
		return nil
	}
	count, err := upstream.Decode[int64](value)
	if err == nil {
		q.Count = &count
	}
	return err
}
