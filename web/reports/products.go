package reports

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"unicode"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report/offers"
	"github.com/storeglass/storeglass/views/components/form"
	"github.com/storeglass/storeglass/views/gift"
	"github.com/storeglass/storeglass/web/site"
)

// ServiceCaller asks a store's services at once, within the calls reserved for people. Nothing
// is stored. A *offers.CallError is for the person who asked.
type ServiceCaller interface {
	// CheckProducts asks whether products can be given away, for any number of handles.
	CheckProducts(ctx context.Context, slug string, handles []string) (offers.ProductCheck, error)
	// Recommend asks what goes with a product.
	Recommend(ctx context.Context, slug string, of offers.ProductQuery) (offers.ProductRecommendations, error)
}

// What one check may ask for: four calls' worth.
const (
	maxHandles   = 200
	maxHandleLen = 255
)

// giftProductsPage is the form of the product check.
func (s *Handlers) giftProductsPage(c *site.Call) error {
	return c.Page(gift.Products(s.productsPage(c)))
}

func (s *Handlers) productsPage(c *site.Call) gift.ProductsPage {
	return gift.ProductsPage{Base: s.PageBase(c, c.Locale().T("gift.products.title")), GiftHref: site.StorePath(c.Store.Slug) + "/gift"}
}

// checkGiftProducts answers the form with the verdicts. A form without handles
// leads back to itself.
func (s *Handlers) checkGiftProducts(c *site.Call) error {
	page := s.productsPage(c)
	page.Handles = c.Form().Get("handles")
	handles := HandlesIn(page.Handles)
	if len(handles) == 0 {
		return s.SeeOther(c, page.Path)
	}
	if problem := RefuseHandles(c.Locale(), handles); problem != "" {
		page.Wrong = form.Wrong{Field: "handles", Problem: problem}
		return c.PageWithStatus(http.StatusBadRequest, gift.Products(page))
	}
	check, err := s.CheckProducts(c, handles)
	problem, status, err := outcome(c, err)
	if err != nil {
		return err
	}
	if page.Wrong.Problem = problem; problem == "" {
		page.Check = &check
	}
	// The page contains what was typed, so it isn't compressed.
	return c.PageWithStatus(status, gift.Products(page))
}

// outcome is the problem and the status that a page shows after a call to a service: "" and 200
// if it worked. Any other error is returned.
func outcome(c *site.Call, err error) (problem string, status int, _ error) {
	if refused, ok := errors.AsType[*offers.CallError](err); ok {
		return refused.Said.In(c.Locale()), http.StatusServiceUnavailable, nil
	}
	return "", http.StatusOK, err
}

func (s *Handlers) CheckProducts(c *site.Call, handles []string) (offers.ProductCheck, error) {
	if s.Products == nil {
		return offers.ProductCheck{}, errNoCaller
	}
	return s.Products.CheckProducts(c.Request().Context(), c.Store.Slug, handles)
}

// errNoCaller: without the key that decrypts tokens, services can't be called.
var errNoCaller = &offers.CallError{Said: locale.Sentences{locale.M("call.no_way")}}

// HandlesIn reads handles from lines and commas, each once.
func HandlesIn(text string) []string {
	var out []string
	for _, h := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || unicode.IsSpace(r) }) {
		if !slices.Contains(out, h) {
			out = append(out, h)
		}
	}
	return out
}

// RefuseHandles says why the handles can't be asked for; "" if they can.
func RefuseHandles(l locale.Locale, handles []string) string {
	if len(handles) > maxHandles {
		return l.T("gift.products.too_many", "n", len(handles), "most", maxHandles)
	}
	for _, h := range handles {
		if len(h) > maxHandleLen {
			return l.T("gift.products.not_a_handle")
		}
	}
	return ""
}
