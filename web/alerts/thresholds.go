package alerts

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	reportalerts "github.com/storeglass/storeglass/internal/report/alerts"
	"github.com/storeglass/storeglass/views/alerts"
	"github.com/storeglass/storeglass/web/site"
)

// thresholdsHref leads to the thresholds of a store, or to the page for choosing a store.
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
// Its form is for a new one, for an offer if the address names one, or for the one to edit.
func (s *Handlers) thresholdsPage(c *site.Call) error {
	page := alerts.ThresholdsPage{Form: reportalerts.NewThresholdForm()}
	if offer := c.QueryParam("offer"); offer != "" {
		page.Form = reportalerts.WatchOffer(offer)
	}
	if c.QueryParam("edit") != "" {
		id, err := strconv.ParseInt(c.QueryParam("edit"), 10, 64)
		if err != nil || id <= 0 {
			return site.ErrNotFound
		}
		page.Editing = id
	}
	page.Notice = c.Done("alerts.threshold.done.")
	return s.showThresholds(c, http.StatusOK, page, nil)
}

// showThresholds shows the page, with the preview of an unsaved threshold, if any. When
// editing, the form is filled in from the stored one unless it was already filled in.
func (s *Handlers) showThresholds(c *site.Call, status int, page alerts.ThresholdsPage, preview *reportalerts.Threshold) error {
	today := report.Today(c.Now, c.Store.Location())
	stored, err := s.DB.Thresholds(c.Request().Context(), c.Store, page.Form.OfferID(), reportalerts.PreviewHistory(today))
	if err != nil {
		return err
	}
	page.Base, page.Currency, page.Offers = s.PageBase(c, c.T("alerts.threshold.title")), c.Store.Store.Currency, stored.Offers
	page.Path, page.InboxHref = site.ThresholdsPath(c.Store.Slug), site.StorePath(c.Store.Slug)+site.AlertsPath
	page.May, page.Most = c.May(access.Share), db.MaxThresholds
	for _, t := range stored.Thresholds {
		page.Rows = append(page.Rows, alerts.ThresholdRow{Threshold: t, Preview: t.Preview(today, stored.Days), Location: c.Store.Location()})
	}
	if preview != nil {
		page.Preview = &alerts.ThresholdRow{Threshold: *preview, Preview: preview.Preview(today, stored.Days)}
	}
	if opening := c.Request().Method == http.MethodGet; !page.ReadEdited(opening) {
		if opening {
			return site.ErrNotFound
		}
		// Another tab or person has changed or deleted it: what was typed can be set as a new one.
		page.Editing, page.Problem = 0, c.T("alerts.threshold.gone")
	}
	return c.PageWithStatus(status, alerts.Thresholds(page))
}

// setThreshold saves a threshold, or previews how often it would have opened an alert.
func (s *Handlers) setThreshold(c *site.Call) error {
	return s.keepThreshold(c, 0, func(t reportalerts.Threshold, page alerts.ThresholdsPage) error {
		record := s.Audit.Recording(audit.Event{Action: audit.ThresholdSet, Store: c.Store.Slug, Subject: t.Says().In(locale.English)})
		err := s.DB.SetThreshold(c.Request().Context(), c.Store, t, c.Visit.Person.ID, record)
		if errors.Is(err, db.ErrNotFound) {
			page.Problem = c.T("alerts.threshold.full", "n", db.MaxThresholds)
			return s.showThresholds(c, http.StatusConflict, page, &t)
		}
		return s.Then(c, err, site.ThresholdsPath(c.Store.Slug)+"?done=set")
	})
}

// changeThreshold changes a threshold, which ends its alert: the next check opens another if
// the figure is below the new one, too.
func (s *Handlers) changeThreshold(c *site.Call, id int64) error {
	return s.keepThreshold(c, id, func(t reportalerts.Threshold, page alerts.ThresholdsPage) error {
		err := s.DB.ChangeThreshold(c.Request().Context(), c.Store, id, t, c.Visit.Person.ID, func(ctx context.Context, q *sqlc.Queries, was reportalerts.Threshold) error {
			return s.Audit.RecordIn(ctx, q, audit.Event{
				Action: audit.ThresholdChanged, Store: c.Store.Slug, Subject: t.Says().In(locale.English),
				Details: locale.Sentences{locale.M("alerts.threshold.was", "threshold", was.Says())},
			})
		})
		if errors.Is(err, db.ErrNotFound) {
			return s.showThresholds(c, http.StatusNotFound, page, &t)
		}
		return s.Then(c, err, site.ThresholdsPath(c.Store.Slug)+"?done=changed")
	})
}

// keepThreshold reads the form and saves it, unless something is wrong or only a preview is
// wanted. id is the threshold to change; 0 means a new one.
func (s *Handlers) keepThreshold(c *site.Call, id int64, keep func(reportalerts.Threshold, alerts.ThresholdsPage) error) error {
	f := c.Form()
	page := alerts.ThresholdsPage{
		Editing: id, Form: reportalerts.ThresholdForm{What: f.Get("what"), Kind: f.Get("kind"), Amount: f.Get("amount"), LeastOrders: f.Get("least_orders")},
	}
	offers, err := s.DB.WatchableOffers(c.Request().Context(), c.Store, page.Form.OfferID())
	if err != nil {
		return err
	}
	t, field, problem := page.Form.Read(c.Locale(), c.Store.Store.Currency, offers)
	if page.Field, page.Problem = field, problem; problem != "" {
		return s.showThresholds(c, http.StatusUnprocessableEntity, page, nil)
	}
	if f.Get("do") == "preview" {
		return s.showThresholds(c, http.StatusOK, page, &t)
	}
	t.SetAt = c.Now
	return keep(t, page)
}

// deleteThreshold deletes a threshold, which ends its alert.
func (s *Handlers) deleteThreshold(c *site.Call, id int64) error {
	err := s.DB.DeleteThreshold(c.Request().Context(), c.Store, id, c.Visit.Person.ID, c.Now, func(ctx context.Context, q *sqlc.Queries, t reportalerts.Threshold) error {
		return s.Audit.RecordIn(ctx, q, audit.Event{Action: audit.ThresholdGone, Store: c.Store.Slug, Subject: t.Says().In(locale.English)})
	})
	return s.Then(c, err, site.ThresholdsPath(c.Store.Slug)+"?done=deleted")
}
