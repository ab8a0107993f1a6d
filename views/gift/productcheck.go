package gift

import (
	"strings"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report/offers"
)

func verdictSign(can *bool) string {
	switch {
	case can == nil:
		return "none"
	case *can:
		return "active"
	}
	return "person"
}

func verdictWords(l locale.Locale, can *bool) string {
	switch {
	case can == nil:
		return l.T("gift.products.verdict.unknown")
	case *can:
		return l.T("gift.products.verdict.yes")
	}
	return l.T("gift.products.verdict.no")
}

// stockWords is a variant's stock by its state, never by its quantity: without stock counting
// there is none, and the variant is always available (N56).
func stockWords(l locale.Locale, v offers.CheckedVariant) string {
	state := strings.ReplaceAll(v.StockStatus, "_", " ")
	if locale.Has("gift.stock.state." + v.StockStatus) {
		state = l.T("gift.stock.state." + v.StockStatus)
	}
	switch {
	case v.StockStatus == "" && v.Quantity == nil:
		return l.T("gift.stock.not_reported")
	case v.StockStatus == "":
		return l.T("gift.stock.counted_alone", "n", *v.Quantity)
	case v.StockStatus == "not_tracked", v.Quantity == nil:
		return state
	}
	return l.T("gift.stock.counted", "state", state, "n", *v.Quantity)
}

// productFacts are the product's other facts.
func productFacts(l locale.Locale, p offers.CheckedProduct) string {
	var out []string
	if p.Status != "" {
		out = append(out, l.T("gift.products.status", "status", productStatus(l, p.Status)))
	}
	switch {
	case p.Published == nil:
	case *p.Published:
		out = append(out, l.T("gift.products.published"))
	default:
		out = append(out, l.T("gift.products.unpublished"))
	}
	if p.VariantCount != nil && p.GiftableCount != nil {
		out = append(out, l.T("gift.products.variants_can_be_given", "can", *p.GiftableCount, "n", *p.VariantCount))
	}
	switch {
	case p.TracksInventory != nil && !*p.TracksInventory:
		out = append(out, l.T("gift.products.untracked"))
	case p.TotalInventory != nil:
		out = append(out, l.T("gift.products.in_stock", "n", *p.TotalInventory))
	}
	if len(out) == 0 {
		return l.T("gift.products.no_details")
	}
	return strings.Join(out, " · ")
}

// productStatus is a product's status in words; unknown ones are shown as sent.
func productStatus(l locale.Locale, raw string) string {
	if !locale.Has("gift.products.state." + raw) {
		return locale.Name(raw)
	}
	return l.T("gift.products.state." + raw)
}
