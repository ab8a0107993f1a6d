package reports

import (
	"net/http"
	"strings"

	"github.com/storeglass/storeglass/internal/locale"
	reportoffers "github.com/storeglass/storeglass/internal/report/offers"
	"github.com/storeglass/storeglass/views/components/form"
	"github.com/storeglass/storeglass/views/offers"
	"github.com/storeglass/storeglass/web/site"
)

// maxProductLen limits the length of a product's name or id.
const maxProductLen = 255

// recommendPage is the form that asks what goes with a product.
func (s *Handlers) recommendPage(c *site.Call) error {
	return c.Page(offers.Recommend(s.recommendForm(c)))
}

func (s *Handlers) recommendForm(c *site.Call) offers.RecommendPage {
	b := s.PageBase(c, "")
	b.Title = b.T("offers.advice.title")
	return offers.RecommendPage{Base: b, OffersHref: site.StorePath(c.Store.Slug) + "/offers"}
}

// showRecommendations answers the form. A form without a product leads back to itself.
func (s *Handlers) showRecommendations(c *site.Call) error {
	page := s.recommendForm(c)
	page.Product = strings.TrimSpace(c.Form().Get("product"))
	if page.Product == "" {
		return s.SeeOther(c, page.Path)
	}
	of := reportoffers.ParseProduct(page.Product)
	if problem := RefuseProduct(page.Locale, of); problem != "" {
		page.Wrong = form.Wrong{Field: "product", Problem: problem}
		return c.PageWithStatus(http.StatusBadRequest, offers.Recommend(page))
	}
	got, err := s.Recommend(c, of)
	problem, status, err := outcome(c, err)
	if err != nil {
		return err
	}
	if page.Wrong.Problem = problem; problem == "" {
		page.Answer = &got
	}
	return c.PageWithStatus(status, offers.Recommend(page))
}

func (s *Handlers) Recommend(c *site.Call, of reportoffers.ProductQuery) (reportoffers.ProductRecommendations, error) {
	if s.Products == nil {
		return reportoffers.ProductRecommendations{}, errNoCaller
	}
	return s.Products.Recommend(c.Request().Context(), c.Store.Slug, of)
}

// RefuseProduct says in l why a product can't be asked about; "" if it can.
func RefuseProduct(l locale.Locale, of reportoffers.ProductQuery) string {
	text := of.ID + of.Name
	switch {
	case len(text) > maxProductLen:
		return l.T("offers.advice.too_long")
	case of.ID != "" && !productID(of.ID):
		return l.T("offers.advice.not_an_id", "example", offers.ProductID)
	}
	return ""
}

// productID reports whether an id has the form gid://<platform>/Product/<id>.
func productID(id string) bool {
	rest, ok := strings.CutPrefix(id, "gid://")
	platform, number, found := strings.Cut(rest, "/Product/")
	return ok && found && platform != "" && number != "" && !strings.ContainsAny(platform+number, "/ ")
}
