package web

import (
	"errors"
	"net/http"
	"strings"

	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/views/offers"
)

// maxProductLen bounds a product's name or id.
const maxProductLen = 255

// recommendPage is the form that asks what goes with a product.
func (s *reportsHandlers) recommendPage(c *call) error {
	return c.page(offers.Recommend(s.recommendForm(c)))
}

func (s *reportsHandlers) recommendForm(c *call) offers.RecommendPage {
	return offers.RecommendPage{Base: s.pageBase(c, "What goes with a product"), OffersHref: storePath(c.store.Slug) + "/offers"}
}

// showRecommendations answers the form. A form without a product leads back to itself.
func (s *reportsHandlers) showRecommendations(c *call) error {
	page := s.recommendForm(c)
	page.Product = strings.TrimSpace(c.form().Get("product"))
	if page.Product == "" {
		return s.seeOther(c, page.Path)
	}
	of, status := report.ParseProduct(page.Product), http.StatusOK
	if page.Problem = refuseProduct(of); page.Problem != "" {
		return c.pageWithStatus(http.StatusBadRequest, offers.Recommend(page))
	}
	got, err := s.recommend(c, of)
	refused := (*CallError)(nil)
	switch {
	case errors.As(err, &refused):
		page.Problem, status = refused.Reason, http.StatusServiceUnavailable
	case err != nil:
		return err
	default:
		page.Answer = &got
	}
	return c.pageWithStatus(status, offers.Recommend(page))
}

func (s *reportsHandlers) recommend(c *call, of report.ProductQuery) (report.ProductRecommendations, error) {
	if s.products == nil {
		return report.ProductRecommendations{}, errNoCaller
	}
	return s.products.Recommend(c.Request().Context(), c.store.Slug, of)
}

// refuseProduct says why a product can't be asked about; "" when it can.
func refuseProduct(of report.ProductQuery) string {
	text := of.ID + of.Name
	switch {
	case len(text) > maxProductLen:
		return "This is no product's name: it has more than 255 characters, or some that no name has."
	case of.ID != "" && !productID(of.ID):
		return "This is no product id: it must look like gid://shopify/Product/123."
	}
	return ""
}

// productID reports whether an id has the form gid://<platform>/Product/<id>.
func productID(id string) bool {
	rest, ok := strings.CutPrefix(id, "gid://")
	platform, number, found := strings.Cut(rest, "/Product/")
	return ok && found && platform != "" && number != "" && !strings.ContainsAny(platform+number, "/ ")
}
