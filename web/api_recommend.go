package web

import (
	"errors"
	"strings"

	"github.com/storeglass/storeglass/internal/report"
)

// apiRecommendations answers what goes with a product, asked of the service at once.
// Without a product the service names its best sellers.
func (s *apiHandlers) apiRecommendations(c *call) error {
	if err := takes(c, "product_id", "product_name"); err != nil {
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
	got, err := s.reports.recommend(c, of)
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
