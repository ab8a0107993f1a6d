package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"unicode"

	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/views/gift"
)

// ServiceCaller asks a store's services at once, within the calls that are kept for
// people. Nothing is stored. A *CallError is for the person who asked.
type ServiceCaller interface {
	// CheckProducts asks whether products can be given away, for any number of handles.
	CheckProducts(ctx context.Context, slug string, handles []string) (report.ProductCheck, error)
	// Recommend asks what goes with a product.
	Recommend(ctx context.Context, slug string, of report.ProductQuery) (report.ProductRecommendations, error)
}

// CallError is why a service gave no answer, in words for the asker.
type CallError struct{ Reason string }

func (e *CallError) Error() string { return e.Reason }

// What one check may ask for: four calls' worth.
const (
	maxHandles   = 200
	maxHandleLen = 255
)

// giftProductsPage is the form of the product check.
func (s *reportsHandlers) giftProductsPage(c *call) error {
	return c.page(gift.Products(s.productsPage(c)))
}

func (s *reportsHandlers) productsPage(c *call) gift.ProductsPage {
	return gift.ProductsPage{Base: s.pageBase(c, "Product check"), GiftHref: storePath(c.store.Slug) + "/gift"}
}

// checkGiftProducts answers the form with the verdicts. A form without handles
// leads back to itself.
func (s *reportsHandlers) checkGiftProducts(c *call) error {
	page := s.productsPage(c)
	page.Handles = c.form().Get("handles")
	handles := handlesIn(page.Handles)
	if len(handles) == 0 {
		return s.seeOther(c, page.Path)
	}
	status := http.StatusOK
	if page.Problem = refuseHandles(handles); page.Problem != "" {
		status = http.StatusBadRequest
	} else {
		check, err := s.checkProducts(c, handles)
		refused := (*CallError)(nil)
		switch {
		case errors.As(err, &refused):
			page.Problem, status = refused.Reason, http.StatusServiceUnavailable
		case err != nil:
			return err
		default:
			page.Check = &check
		}
	}
	// What was typed stands in the page: it is not compressed.
	return c.pageWithStatus(status, gift.Products(page))
}

func (s *reportsHandlers) checkProducts(c *call, handles []string) (report.ProductCheck, error) {
	if s.products == nil {
		return report.ProductCheck{}, errNoCaller
	}
	return s.products.CheckProducts(c.Request().Context(), c.store.Slug, handles)
}

// errNoCaller: without the key to the tokens there is no way to a service.
var errNoCaller = &CallError{"This server only shows pages and has no way to the services."}

// handlesIn reads handles from lines and commas, each once.
func handlesIn(text string) []string {
	var out []string
	for _, h := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || unicode.IsSpace(r) }) {
		if !slices.Contains(out, h) {
			out = append(out, h)
		}
	}
	return out
}

// refuseHandles says why the handles can't be asked for; "" when they can.
func refuseHandles(handles []string) string {
	if len(handles) > maxHandles {
		return fmt.Sprintf("That is %d handles; at most %d are checked at once.", len(handles), maxHandles)
	}
	for _, h := range handles {
		if len(h) > maxHandleLen {
			return "One of these is no handle: it is the part of a product’s address after /products/."
		}
	}
	return ""
}
