package api

import (
	"errors"
	"strings"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report/offers"
	"github.com/storeglass/storeglass/web/reports"
	"github.com/storeglass/storeglass/web/site"
)

// apiRecommendations answers what goes with a product by asking the service at once. Without a
// product the service names its best sellers.
func (s *Handlers) apiRecommendations(c *site.Call) error {
	if err := takes(c, "product_id", "product_name"); err != nil {
		return err
	}
	of := offers.ProductQuery{ID: c.QueryParam("product_id"), Name: strings.TrimSpace(c.QueryParam("product_name"))}
	field := "product_id"
	if of.ID == "" {
		field = "product_name"
	}
	if of.ID != "" && of.Name != "" {
		return site.BadRequest(field, "Name a product by product_id or by product_name, not by both.")
	}
	if reason := reports.RefuseProduct(locale.English, of); reason != "" {
		return site.BadRequest(field, reason)
	}
	got, err := s.reports.Recommend(c, of)
	if err != nil {
		return apiCallError(err)
	}
	for i := range got.Triggers {
		t := &got.Triggers[i]
		t.Evidence, t.Padding = site.List(t.Evidence), site.List(t.Padding)
	}
	return c.Answer(got)
}

// apiCallError turns a failed call for a person into a problem.
func apiCallError(err error) error {
	if refused, ok := errors.AsType[*offers.CallError](err); ok {
		return site.NotAnswered(refused.Error())
	}
	return err
}
