package upsell

import (
	"errors"

	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/apis/upstream"
)

// Windowed is what every reply about a window has besides its numbers.
type Windowed struct {
	// Currency is the currency of every money field.
	Currency upstream.Currency `json:"currency" required:"true"`
	// AppliedWindow is the window that the numbers cover, whatever was asked for.
	AppliedWindow Window `json:"appliedWindow" required:"true"`
	// ShopDomain is the store that the data belongs to, "" if not given (N35).
	ShopDomain string `json:"shopDomain"`
}

func (w Windowed) applied() Window { return w.AppliedWindow }

// Summary is the shop's roll-up for a window (GET /data/analytics/summary).
type Summary struct {
	// TotalUpsoldValue is upsold revenue in the window, in Currency.
	TotalUpsoldValue decimal.Decimal `json:"totalUpsoldValue" required:"true"`
	// TotalUpsoldOrders counts orders that accepted an upsell.
	TotalUpsoldOrders int64 `json:"totalUpsoldOrders" required:"true"`
	// TotalOrders counts all orders of the store.
	TotalOrders int64 `json:"totalOrders" required:"true"`
	// UpsellSuccessRate is TotalUpsoldOrders / TotalOrders, a fraction of all
	// orders, not of views. nil if the reply has none; recompute it (N18, N19).
	UpsellSuccessRate *decimal.Decimal `json:"upsellSuccessRate"`
	// AverageUpsoldValue is upsold value per upsold order, in Currency; nil when the reply has
	// none. For any other window, recompute it (N2).
	AverageUpsoldValue *decimal.Decimal `json:"averageUpsoldValue"`
	// OfferViews counts impressions of all four placements; nil if the reply has none.
	OfferViews *int64 `json:"offerViews"`
	Windowed
}

// Stats is one row per placement for a window (GET /data/analytics/stats). The
// rows share no denominator and must never be added up (rule 1, N14).
type Stats struct {
	Placements []PlacementStats `json:"placements" required:"true"`
	// ShopOfferCount counts the store's offers in any status: 0 means that the store never made
	// an offer, as opposed to offers without results (rule 3, N15).
	ShopOfferCount int64 `json:"shopOfferCount" required:"true"`
	Windowed
}

// PlacementStats is one placement's results in a window. For [PostPurchase], impressions and
// claims are for the first upsell only, but revenue is for every step: never compute a rate
// from the two.
type PlacementStats struct {
	Placement   Placement `json:"placement" required:"true"`
	Impressions int64     `json:"impressions" required:"true"`
	Claims      int64     `json:"claims" required:"true"`
	// Revenue is money in the reply's currency. nil means not reported, as on [Coupon] rows;
	// nil never means 0 (rule 2, N13).
	Revenue *decimal.Decimal `json:"revenue"`
}

// Order is which end of the revenue ranking comes first.
type Order string

// The documented orders. Lowest starts with the lowest earner among those that earned
// something: it isn't the worst offer (N16).
const (
	Highest Order = "highest"
	Lowest  Order = "lowest"
)

// Top is offers ranked by revenue in a window (GET /data/analytics/top).
type Top struct {
	// Offers are in the service's order. Revenue, Claims and AcceptanceRate are for the window
	// here, unlike in lists (N12). Deleted offers may be among them (N17).
	Offers []Offer `json:"offers" required:"true"`
	// ShopOfferCount counts the store's offers in any status (N15).
	ShopOfferCount int64 `json:"shopOfferCount" required:"true"`
	Windowed
}

// Validate refuses a ranking with rows that lack what they are ranked by.
func (t Top) Validate() error {
	for _, offer := range t.Offers {
		if offer.Revenue == nil || offer.Claims == nil {
			return errors.New("a ranked offer has no revenue or claims")
		}
	}
	return nil
}

// Coverage is which placements have an active offer (GET /data/analytics/coverage).
type Coverage struct {
	Placements []PlacementCoverage `json:"placements" required:"true"`
	// Windowed's window only applies to RecentRevenue (rule 3, N29).
	Windowed
}

// PlacementCoverage is one placement's state now.
type PlacementCoverage struct {
	Placement Placement `json:"placement" required:"true"`
	HasActive bool      `json:"hasActive" required:"true"`
	// ActiveCount is 0 both if no offers were made and if all are off; TotalCount tells which
	// (rule 1, N15).
	ActiveCount int64 `json:"activeCount" required:"true"`
	TotalCount  int64 `json:"totalCount" required:"true"`
	// RecentRevenue is the revenue in the applied window. nil means not reported, as on
	// [Coupon] rows (rule 2, N13).
	RecentRevenue *decimal.Decimal `json:"recentRevenue"`
}

// Lifetime is the totals of all time (GET /data/analytics/lifetime).
type Lifetime struct {
	// TotalRevenue is upsold revenue of all time, in Currency.
	TotalRevenue decimal.Decimal `json:"totalRevenue" required:"true"`
	// OfferViews counts impressions.
	OfferViews int64 `json:"offerViews" required:"true"`
	// UpsoldOrders counts orders that accepted an upsell.
	UpsoldOrders int64 `json:"upsoldOrders" required:"true"`
	// ConversionRate is UpsoldOrders / OfferViews, a fraction of views, so a different rate
	// than Summary.UpsellSuccessRate (N18). nil if the reply has none.
	ConversionRate *decimal.Decimal `json:"conversionRate"`
	// RevenuePerVisit is TotalRevenue / OfferViews, in Currency. nil if the reply has none.
	RevenuePerVisit *decimal.Decimal  `json:"revenuePerVisit"`
	Currency        upstream.Currency `json:"currency" required:"true"`
	// ShopDomain is the store that the data belongs to, "" if not given (N35).
	ShopDomain string `json:"shopDomain"`
}
