package alerts

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	reportalerts "github.com/storeglass/storeglass/internal/report/alerts"
	"github.com/storeglass/storeglass/views/alerts"
	"github.com/storeglass/storeglass/web/site"
)

// thresholdsHref leads to the thresholds of a store, or to where one chooses the store.
func thresholdsHref(c *site.Call, slug string) string {
	switch {
	case slug != "":
		return site.ThresholdsPath(slug)
	case len(c.Visit.Stores) == 1:
		return site.ThresholdsPath(c.Visit.Stores[0].Slug)
	}
	return alertSettingsPath + "#thresholds"
}

// thresholdsOfStore leads to the thresholds of the store that was chosen.
func (s *Handlers) thresholdsOfStore(c *site.Call) error {
	slug := c.QueryParam("store")
	if !site.SlugForm.MatchString(slug) {
		return site.ErrNotFound
	}
	return s.SeeOther(c, site.ThresholdsPath(slug))
}

// thresholdsPage lists the store's thresholds, with how often each would have opened an alert.
func (s *Handlers) thresholdsPage(c *site.Call) error {
	page := alerts.ThresholdsPage{Form: reportalerts.NewThresholdForm()}
	switch done := c.QueryParam("done"); done {
	case "set", "deleted":
		page.Notice = c.T("alerts.threshold.done." + done)
	}
	return s.showThresholds(c, http.StatusOK, page, nil)
}

// showThresholds shows the page, with the preview of one that is not set yet, if any.
func (s *Handlers) showThresholds(c *site.Call, status int, page alerts.ThresholdsPage, preview *reportalerts.Threshold) error {
	today := report.Today(c.Now, c.Store.Location())
	all, days, stats, err := s.DB.Thresholds(c.Request().Context(), c.Store, reportalerts.PreviewHistory(today))
	if err != nil {
		return err
	}
	page.Base, page.Currency = s.PageBase(c, c.T("alerts.threshold.title")), c.Store.Store.Currency
	page.Path, page.InboxHref = site.ThresholdsPath(c.Store.Slug), site.StorePath(c.Store.Slug)+site.AlertsPath
	page.May, page.Most = c.May(access.Share), db.MaxThresholds
	for _, t := range all {
		page.Rows = append(page.Rows, alerts.ThresholdRow{Threshold: t, Preview: t.Preview(today, days, stats), Location: c.Store.Location()})
	}
	if preview != nil {
		page.Preview = &alerts.ThresholdRow{Threshold: *preview, Preview: preview.Preview(today, days, stats)}
	}
	return c.PageWithStatus(status, alerts.Thresholds(page))
}

// setThreshold keeps a threshold, or shows how often it would have opened an alert.
func (s *Handlers) setThreshold(c *site.Call) error {
	f := c.Form()
	page := alerts.ThresholdsPage{Form: reportalerts.ThresholdForm{What: f.Get("what"), Kind: f.Get("kind"), Amount: f.Get("amount"), LeastOrders: f.Get("least_orders")}}
	t, field, problem := page.Form.Read(c.Locale(), c.Store.Store.Currency)
	if page.Field, page.Problem = field, problem; problem != "" {
		return s.showThresholds(c, http.StatusUnprocessableEntity, page, nil)
	}
	if f.Get("do") == "preview" {
		return s.showThresholds(c, http.StatusOK, page, &t)
	}
	t.SetAt = c.Now
	record := s.Access.Recording(access.Event{Action: access.ThresholdSet, Store: c.Store.Slug, Subject: t.Says().In(locale.English)})
	switch err := s.DB.SetThreshold(c.Request().Context(), c.Store, t, c.Visit.Person.ID, record); {
	case errors.Is(err, db.ErrNotFound):
		page.Problem = c.T("alerts.threshold.full", "n", db.MaxThresholds)
		return s.showThresholds(c, http.StatusConflict, page, &t)
	case err != nil:
		return err
	}
	return s.SeeOther(c, site.ThresholdsPath(c.Store.Slug)+"?done=set")
}

// deleteThreshold deletes a threshold, which ends its alert.
func (s *Handlers) deleteThreshold(c *site.Call) error {
	id, err := strconv.ParseInt(c.Param("id"), 10, 64)
	if err != nil {
		return site.ErrNotFound
	}
	err = s.DB.DeleteThreshold(c.Request().Context(), c.Store, id, c.Visit.Person.ID, c.Now, func(ctx context.Context, q *db.Queries, t reportalerts.Threshold) error {
		return s.Access.RecordIn(ctx, q, access.Event{Action: access.ThresholdGone, Store: c.Store.Slug, Subject: t.Says().In(locale.English)})
	})
	if errors.Is(err, db.ErrNotFound) {
		return site.ErrNotFound
	}
	if err != nil {
		return err
	}
	return s.SeeOther(c, site.ThresholdsPath(c.Store.Slug)+"?done=deleted")
}
