package details

import (
	"cmp"

	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/apis/upsell"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/report/offers"
)

// CauseUnknown is a reason for showing best sellers that the service has not documented.
const CauseUnknown = "unknown"

// RecommendationsBody keeps the four shapes apart, and keeps evidence apart from padding (N36).
func RecommendationsBody(r upsell.Recommendations) offers.RecommendationsBody {
	switch r := r.(type) {
	case upsell.BoughtTogether:
		body := offers.RecommendationsBody{
			Shape: offers.ShapeBoughtTogether, Currency: string(r.Currency),
			OmittedTriggers: missing(r.OmittedTriggers), DeletedTriggers: missing(r.DeletedTriggers),
		}
		for _, t := range r.Triggers {
			body.Triggers = append(body.Triggers, trigger(t))
		}
		return body
	case upsell.BestSellers:
		return offers.RecommendationsBody{
			Shape: offers.ShapeBestSellers, Cause: causeWord(r.Cause), Products: picks(r.Products),
			DeletedTriggers: missing(r.DeletedTriggers), Currency: string(r.Currency),
		}
	case upsell.Candidates:
		return offers.RecommendationsBody{Shape: offers.ShapeCandidates, Products: picks(r.Products), Currency: string(r.Currency)}
	}
	return offers.RecommendationsBody{Shape: offers.ShapeNoSlot}
}

func trigger(t upsell.Trigger) offers.RecommendationTrigger {
	out := offers.RecommendationTrigger{
		Title: cmp.Or(t.Title, string(t.ID)), Evidence: make([]offers.RecommendedProduct, 0, len(t.BoughtTogether)), Padding: picks(t.SameCategoryPicks),
	}
	for _, p := range t.BoughtTogether {
		row := product(p.ID, p.Title, p.Price)
		row.CoPurchased, row.PastRevenue = &p.CoPurchasedOrders, p.PastRevenue
		out.Evidence = append(out.Evidence, row)
	}
	return out
}

func picks(in []upsell.Pick) []offers.RecommendedProduct {
	out := make([]offers.RecommendedProduct, 0, len(in))
	for _, p := range in {
		out = append(out, product(p.ID, p.Title, p.Price))
	}
	return out
}

func product(id upstream.ID, title string, price *decimal.Decimal) offers.RecommendedProduct {
	return offers.RecommendedProduct{ID: string(id), Title: cmp.Or(title, string(id)), Price: price}
}

func causeWord(c upsell.Cause) string {
	switch c {
	case upsell.NothingNamed:
		return "nothing_named"
	case upsell.NoProductTrigger:
		return "no_product_trigger"
	case upsell.TriggersDeleted:
		return "triggers_deleted"
	case upsell.ProductDeleted:
		return "product_deleted"
	case upsell.NoMatch:
		return "no_match"
	}
	return CauseUnknown
}

// missing lists trigger products that have no row, by title where the reply lists them.
func missing(m *upsell.Missing) *offers.MissingTriggers {
	if m == nil {
		return nil
	}
	out := &offers.MissingTriggers{Count: m.Count}
	for _, r := range m.Products {
		out.Names = append(out.Names, titleOf(r))
	}
	return out
}
