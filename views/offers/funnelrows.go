package offers

import (
	"strconv"
	"unicode/utf8"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report/offers"
)

// The branches of a stage share its height by their content, in rows of about a line of text:
// each is about as high as it needs to be, however deep the others are. The rows are equally
// high, so where a branch begins and ends is known without measuring. If an estimate is too
// high, there is just some space left.
const (
	// endRows are the rows of a branch that ends.
	endRows = 2
	// frameRows are a stage's title, padding and distance from the next.
	frameRows = 4
	// maxRows is how many rows the styles know (app.css).
	maxRows = 40
)

// columns is how many letters fit in a line of a stage, by its distance from the first.
var columns = [...]int{34, 34, 29, 23, 23}

func nodeRows(l locale.Locale, n offers.FunnelNode, depth int) int {
	own, behind := stageRows(l, n, columns[min(depth, len(columns)-1)]), 0
	for _, t := range twigs(l, n, depth) {
		behind += t.Rows
	}
	return min(max(own, behind), maxRows)
}

func stageRows(l locale.Locale, n offers.FunnelNode, columns int) int {
	s := n.Stage
	rows := frameRows + goodsRows(l, s.Products, s.Bundle, s.Raw, columns) + lines(n.Note, columns)
	for _, arm := range s.Arms {
		rows += 2 + goodsRows(l, arm.Products, arm.Bundle, arm.Raw, columns-4)
	}
	return rows
}

func goodsRows(l locale.Locale, products []offers.StageProduct, bundle *offers.Bundle, raw string, columns int) int {
	rows := lines(raw, columns)
	for _, each := range products {
		rows += lines(each.Title+"  "+offers.DiscountWords(l, each.DiscountType, each.DiscountValue, "USD"), columns)
	}
	if bundle != nil {
		rows += 1 + len(bundle.Tiers)
	}
	return rows
}

func lines(text string, columns int) int {
	return (utf8.RuneCountInString(text) + columns - 1) / columns
}

// share places the branches below each other.
func share(twigs []twig) []twig {
	total := 0
	for i := range twigs {
		twigs[i].Above = total
		total += twigs[i].Rows
	}
	for i := range twigs {
		twigs[i].At, twigs[i].Of, twigs[i].Total = i, len(twigs), total
	}
	return twigs
}

// span is the class of a branch by its rows.
func (t twig) span() string { return "row-span-" + strconv.Itoa(t.Rows) }
