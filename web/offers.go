package web

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"time"

	"github.com/a-h/templ"

	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/views"
)

// offers makes the one value that the list, its files and the JSON API show.
func (s *Server) offers(c *call, f report.OfferFilter, now time.Time) (report.OfferList, error) {
	stored, err := s.db.Offers(c.Request().Context(), c.store, f, now)
	if err != nil {
		return report.OfferList{}, err
	}
	return report.NewOfferList(stored, f, now), nil
}

// offersPage is the offer list; all of what is asked is in the address. A filter
// that can't be asked shows what could be read of it, with the reason.
func (s *Server) offersPage(c *call) error {
	now := c.minute()
	filter, err := report.ParseOfferFilter(c.QueryParams())
	wrong := (*report.ChoiceError)(nil)
	if err != nil && !errors.As(err, &wrong) {
		return err
	}
	view := func(b views.Base) (templ.Component, error) {
		b.Title = "Offers"
		list, err := s.offers(c, filter, now)
		return views.Offers(views.OffersPage{
			Base: b, List: list, Slug: c.store.Slug, FilterError: wrong, SyncHref: storePath(c.store.Slug) + "/sync",
		}), err
	}
	status := http.StatusOK
	switch {
	case wrong != nil:
		status = http.StatusBadRequest
	case filter.Query != "" || !filter.Placement.Known() && filter.Placement != "":
		// What was searched for stands in the page: it is not packed.
	default:
		return c.storePage(filter.Values().Encode(), view)
	}
	page, err := view(s.basis(c, ""))
	if err != nil {
		return err
	}
	return c.pageWithStatus(status, page)
}

// offer makes the one value that the offer's page, its files and the JSON API show.
func (s *Server) offer(ctx context.Context, c *call, choice report.Choice, now time.Time) (report.OfferDetail, error) {
	id, err := c.pathID()
	if err != nil {
		return report.OfferDetail{}, err
	}
	stored, err := s.db.Offer(ctx, c.store, id, choice, now)
	if err != nil {
		return report.OfferDetail{}, err
	}
	return report.NewOfferDetail(stored, choice, now), nil
}

// maxID bounds an id in the address.
const maxID = 200

// pathID is the id in the address: any text that a service may have sent.
func (c *call) pathID() (string, error) {
	id, err := c.Param("id"), error(nil)
	if c.Request().URL.RawPath != "" { // then the router has matched the path as it was escaped
		id, err = url.PathUnescape(id)
	}
	if err != nil || !storable(id) || id == "" || len(id) > maxID {
		return "", errNotFound
	}
	return id, nil
}

// offerPage is one offer.
func (s *Server) offerPage(c *call) error {
	return c.windowPage(func(b views.Base, choice report.Choice, wrong *report.ChoiceError) (templ.Component, error) {
		d, err := s.offer(c.Request().Context(), c, choice, c.minute())
		b.Title = d.Offer.Name
		return views.Offer(views.OfferPage{Base: b, Detail: d, ChoiceError: wrong, SyncHref: storePath(c.store.Slug) + "/sync"}), err
	})
}
