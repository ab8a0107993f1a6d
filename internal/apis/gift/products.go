package gift

import (
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/storeglass/storeglass/internal/apis/upstream"
)

// MaxHandles is how many handles one product check takes.
const MaxHandles = 50

// Chunks splits handles, in their order, into as many checks as they need (N57).
func Chunks(handles []string) [][]string { return slices.Collect(slices.Chunk(handles, MaxHandles)) }

// Products are checks whether products can be given away (GET /products).
type Products struct {
	Requested Handles `json:"requested"`
	Found     Handles `json:"found"`
	// NotFound are handles that no product of the store has (N57).
	NotFound Handles   `json:"notFound" required:"true"`
	Products []Product `json:"products" required:"true"`
}

// Handles are product handles, or only how many there are: which of the two the
// service sends is not shown.
type Handles struct {
	// Count is nil when the reply says neither.
	Count *int64
	// Names are the handles, where they came.
	Names []string
}

// DecodeRaw takes a whole number or a list of texts.
func (h *Handles) DecodeRaw(value []byte) error {
	if jsontext.Value(value).Kind() == '0' {
		count, err := upstream.Decode[int64](value)
		*h = Handles{Count: &count}
		return err
	}
	names, err := upstream.Decode[[]string](value)
	count := int64(len(names))
	*h = Handles{Count: &count, Names: names}
	return err
}

// Product is one product with its verdict: CanBeGifted, by Issues and the variants'
// StockStatus and Giftable. Quantities are for reading and decide nothing (rule 5).
type Product struct {
	// ID, Handle and Title are "" when the reply does not say; the document does not
	// list them.
	ID     upstream.Text `json:"id"`
	Handle upstream.Text `json:"handle"`
	Title  upstream.Text `json:"title"`
	Status upstream.Text `json:"status"`
	// TotalInventory is without a count where nothing is tracked; that is not 0 (N56).
	TotalInventory         Quantity  `json:"totalInventory"`
	TracksInventory        *bool     `json:"tracksInventory"`
	PublishedOnOnlineStore *bool     `json:"publishedOnOnlineStore"`
	Variants               []Variant `json:"variants" required:"true"`
	VariantCount           *int64    `json:"variantCount"`
	GiftableVariantCount   *int64    `json:"giftableVariantCount"`
	CanBeGifted            bool      `json:"canBeGifted" required:"true"`
	// Issues are in the service's words; their shape is not shown.
	Issues []Notice `json:"issues" required:"true"`
}

// Variant is one variant of a product.
type Variant struct {
	ID          upstream.Text `json:"id"`
	Title       upstream.Text `json:"title"`
	StockStatus StockStatus   `json:"stockStatus" required:"true"`
	Giftable    bool          `json:"giftable" required:"true"`
	// InventoryQuantity and InventoryPolicy are null for a variant that is not
	// tracked: it has no count, which is not a count of 0 (N56).
	InventoryQuantity Quantity `json:"inventoryQuantity"`
	InventoryPolicy   *string  `json:"inventoryPolicy"`
}

// StockStatus is a verdict on stock as the service wrote it. Only one is shown.
type StockStatus string

// NotTracked: stock is not counted, so the variant is always available (rule 5).
const NotTracked StockStatus = "not_tracked"

// Quantity is a number of pieces, or none: null and "" are both "not counted".
type Quantity struct {
	// Count is nil when there is no number. It may be below 0 where a shop oversells.
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
