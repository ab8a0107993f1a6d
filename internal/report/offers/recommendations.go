package offers

import (
	"strings"

	"github.com/storeglass/storeglass/internal/report"

	"github.com/storeglass/storeglass/internal/locale"
)

// The shapes of a recommendations answer.
const (
	ShapeBoughtTogether = "bought_together"
	ShapeBestSellers    = "best_sellers"
	ShapeCandidates     = "candidates"
	ShapeNoSlot         = "no_slot"
)

// Words describes an answer without co-purchase numbers: its heading, the explanation, and what it
// lists. All three are empty for evidence. There are four shapes and five causes; none of the lists is
// evidence (N36).
func (r RecommendationsBody) Words(l locale.Locale) (title, text, listed string) {
	switch r.Shape {
	case ShapeBoughtTogether:
		if len(r.Triggers) == 0 {
			return l.T("offers.instead.no_trigger"), l.T("offers.instead.no_trigger_text"), ""
		}
		return "", "", ""
	case ShapeNoSlot:
		return l.T("offers.instead.no_slot"), l.T("offers.instead.no_slot_text"), ""
	case ShapeCandidates:
		return l.T("offers.instead.several"), l.T("offers.instead.several_text"), l.T("offers.instead.several_list")
	case ShapeBestSellers:
		cause := r.Cause
		switch cause {
		case "nothing_named", "no_product_trigger", "triggers_deleted", "product_deleted", "no_match":
		default:
			cause = "unknown"
		}
		return l.T("offers.best_sellers." + cause), l.T("offers.best_sellers." + cause + "_text"), l.T("offers.instead.of_the_store")
	}
	shape := report.Isolated(r.Shape)
	if r.Shape == "" {
		shape = l.T("offers.instead.no_shape")
	}
	return l.T("offers.instead.unknown_shape"), l.T("offers.instead.unknown_shape_text", "shape", shape), ""
}

// MostBought is the highest number of orders with both products, for the bars of one trigger.
func (t RecommendationTrigger) MostBought() int64 {
	most := int64(0)
	for _, p := range t.Evidence {
		if p.CoPurchased != nil {
			most = max(most, *p.CoPurchased)
		}
	}
	return most
}

// LeftOutWords says which trigger products have no row, and explains the limit of six.
func (r RecommendationsBody) LeftOutWords(l locale.Locale) string {
	var out []string
	if r.Deleted != "" {
		out = append(out, l.T("offers.instead.left_out.deleted", "names", report.Isolated(r.Deleted)))
	}
	if r.Omitted != "" {
		out = append(out, l.T("offers.instead.left_out.omitted", "names", report.Isolated(r.Omitted)))
	}
	if r.Shape == ShapeBoughtTogether && len(r.Triggers) > 0 {
		out = append(out, l.T("offers.instead.left_out.most"))
	}
	return strings.Join(out, " ")
}
