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
func (s *Server) recommendPage(c *call) error { return c.page(offers.Recommend(s.recommendForm(c))) }

func (s *Server) recommendForm(c *call) offers.RecommendPage {
	return offers.RecommendPage{Base: s.basis(c, "What goes with a product"), OffersHref: storePath(c.store.Slug) + "/offers"}
}

// recommended answers the form. A form without a product leads back to itself.
func (s *Server) recommended(c *call) error {
	page := s.recommendForm(c)
	page.Product = strings.TrimSpace(c.FormValue("product"))
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

func (s *Server) recommend(c *call, of report.ProductQuery) (report.ProductRecommendations, error) {
	if s.products == nil {
		return report.ProductRecommendations{}, errNoCaller
	}
	return s.products.Recommend(c.Request().Context(), c.store.Slug, of)
}

// refuseProduct says why a product can't be asked about; "" when it can.
func refuseProduct(of report.ProductQuery) string {
	text := of.ID + of.Name
	switch {
	case len(text) > maxProductLen || !storable(text):
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

// apiRecommendations answers what goes with a product, asked of the service at once.
// Without a product the service names its best sellers.
func (s *Server) apiRecommendations(c *call) error {
	if err := c.takes("product_id", "product_name"); err != nil {
		return err
	}
	of := report.ProductQuery{ID: c.QueryParam("product_id"), Name: strings.TrimSpace(c.QueryParam("product_name"))}
	field := "product_id"
	if of.ID == "" {
		field = "product_name"
	}
	if of.ID != "" && of.Name != "" {
		return badRequest(field, "Name a product by product_id or by product_name, not by both.")
	}
	if reason := refuseProduct(of); reason != "" {
		return badRequest(field, reason)
	}
	got, err := s.recommend(c, of)
	if err != nil {
		return apiCallError(err)
	}
	for i := range got.Triggers {
		t := &got.Triggers[i]
		t.Evidence, t.Padding = list(t.Evidence), list(t.Padding)
	}
	return c.answer(got)
}

// apiCallError is a call for a person that failed, as a problem.
func apiCallError(err error) error {
	if refused := (*CallError)(nil); errors.As(err, &refused) {
		return notAnswered(refused.Reason)
	}
	return err
}
