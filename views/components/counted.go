package components

import (
	"strconv"

	"github.com/a-h/templ"
)

// Counts marks a link that shows a number: the list behind it must have that many rows.
func Counts(n int64) templ.Attributes {
	return templ.Attributes{"data-count": strconv.FormatInt(n, 10)}
}

// Rows marks a row of a list that such a link leads to: it means n rows, and a folded
// row has several.
func Rows(n int) templ.Attributes { return templ.Attributes{"data-rows": strconv.Itoa(n)} }
