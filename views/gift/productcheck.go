package gift

import (
	"strings"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
)

func productName(p report.CheckedProduct) string {
	if p.Title == "" {
		return p.Handle
	}
	return p.Title
}

func verdictSign(can *bool) string {
	switch {
	case can == nil:
		return "none"
	case *can:
		return "active"
	}
	return "person"
}

func verdictWords(can *bool) string {
	switch {
	case can == nil:
		return "no verdict sent"
	case *can:
		return "can be given"
	}
	return "can’t be given"
}

// stockWords is a variant's stock by its state, never by its quantity: where stock
// is not counted there is none, and the variant is always available (N56).
func stockWords(v report.CheckedVariant) string {
	switch {
	case v.StockStatus == "not_tracked":
		return "always available: its stock is not counted"
	case v.StockStatus == "" && v.Quantity == nil:
		return "not sent"
	case v.StockStatus == "":
		return "state not sent; " + locale.English.Count(*v.Quantity) + " counted"
	}
	text := strings.ReplaceAll(v.StockStatus, "_", " ")
	if v.Quantity != nil {
		text += ", " + locale.English.Count(*v.Quantity) + " counted"
	}
	return text
}

// productFacts are what else was said of the product.
func productFacts(p report.CheckedProduct) string {
	var out []string
	if p.Status != "" {
		out = append(out, "status "+p.Status)
	}
	if p.Published != nil {
		out = append(out, map[bool]string{true: "published in the online store", false: "not published in the online store"}[*p.Published])
	}
	if p.VariantCount != nil && p.GiftableCount != nil {
		out = append(out, locale.English.Count(*p.GiftableCount)+" of "+report.Plural(*p.VariantCount, "variant", "variants")+" can be given")
	}
	switch {
	case p.TracksInventory != nil && !*p.TracksInventory:
		out = append(out, "stock not counted")
	case p.TotalInventory != nil:
		out = append(out, locale.English.Count(*p.TotalInventory)+" in stock")
	}
	if len(out) == 0 {
		return "Nothing else was sent."
	}
	return strings.ToUpper(out[0][:1]) + strings.Join(out, " · ")[1:] + "."
}
