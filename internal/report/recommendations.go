package report

// The shapes of an answer on what to offer instead.
const (
	ShapeBoughtTogether = "bought_together"
	ShapeBestSellers    = "best_sellers"
	ShapeCandidates     = "candidates"
	ShapeNoSlot         = "no_slot"
)

// RecommendationWords says what an answer without co-purchase numbers is: its
// heading, what is true, and what its list is. All three are empty for evidence.
// Four shapes, five causes; none of the lists is evidence (N36).
func (r RecommendationsBody) Words() (title, text, listed string) {
	const sellers = "Best sellers of the whole store. Nothing says that they sell with this offer."
	switch r.Shape {
	case ShapeBoughtTogether:
		if len(r.Triggers) == 0 {
			return "No trigger product was looked up", "The service answered without naming one.", ""
		}
		return "", "", ""
	case ShapeNoSlot:
		return "A coupon offer has no product slot", "It gives a code, not a product, so there is nothing to offer instead.", ""
	case ShapeCandidates:
		return "Several products have this name", "The service can’t tell which one is meant, so it looked up none.", "Products of that name. One must be chosen before there is evidence."
	case ShapeBestSellers:
		title, text = bestSellerWords(r.Cause)
		return title, text, sellers
	}
	return "An answer the documents do not describe", "The service answered in a shape that is not known (" + isolated(shapeOr(r.Shape)) + ").", ""
}

func bestSellerWords(cause string) (title, text string) {
	switch cause {
	case "nothing_named":
		return "No offer and no product was named", "The service was asked about nothing in particular, so it named its best sellers."
	case "no_product_trigger":
		return "This offer’s triggers name no product", "It shows after every order, or by collections, tags or an order value, so no co-purchases can be looked up."
	case "triggers_deleted":
		return "Every trigger product was deleted", "The products that trigger this offer no longer exist, so no co-purchases can be looked up."
	case "product_deleted":
		return "The product no longer exists", "The product that was asked about was deleted, so no co-purchases can be looked up."
	case "no_match":
		return "No product has this name", "The name that was asked about matches no product, so no co-purchases can be looked up."
	}
	return "Best sellers, for a reason that is not known", "The service did not say why it has no co-purchases."
}

func shapeOr(s string) string {
	if s == "" {
		return "no shape"
	}
	return s
}

// MostBought is the highest number of orders with both, for the bars of one trigger.
func (t RecommendationTrigger) MostBought() int64 {
	most := int64(0)
	for _, p := range t.Evidence {
		if p.CoPurchased != nil {
			most = max(most, *p.CoPurchased)
		}
	}
	return most
}

// LeftOutWords says which trigger products have no row, and the rule of six.
func (r RecommendationsBody) LeftOutWords() string {
	text := ""
	add := func(s string) {
		if s != "" && text != "" {
			text += " "
		}
		text += s
	}
	if r.Deleted != "" {
		add("No longer there, so without a row: " + isolated(r.Deleted) + ".")
	}
	if r.Omitted != "" {
		add("More trigger products than were looked up: " + isolated(r.Omitted) + ".")
	}
	if r.Shape == ShapeBoughtTogether && len(r.Triggers) > 0 {
		add("At most 6 suggestions per trigger; evidence comes first.")
	}
	return text
}
