package web

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"time"

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
	list, err := s.offers(c, filter, now)
	if err != nil {
		return err
	}
	home := storePath(c.store.Slug)
	page := views.OffersPage{Base: s.basis(c, "Offers"), List: list, Slug: c.store.Slug, FilterError: wrong, SyncHref: home + "/sync"}
	// What was searched for stands in the page: it is not packed beside the form token.
	if wrong != nil {
		return c.pageWithStatus(http.StatusBadRequest, views.Offers(page))
	}
	if filter.Query != "" || !filter.Placement.Known() && filter.Placement != "" {
		return c.pageWithStatus(http.StatusOK, views.Offers(page))
	}
	return c.page(views.Offers(page))
}

// offer makes the one value that the offer's page, its files and the JSON API show.
func (s *Server) offer(ctx context.Context, c *call, choice report.Choice, now time.Time) (report.OfferDetail, error) {
	id, err := c.offerID()
	if err != nil {
		return report.OfferDetail{}, err
	}
	stored, err := s.db.Offer(ctx, c.store, id, choice, now)
	if err != nil {
		return report.OfferDetail{}, err
	}
	return report.NewOfferDetail(stored, choice, now), nil
}

// maxOfferID bounds an id in the address.
const maxOfferID = 200

// offerID is the offer in the address: any text that the service may have sent.
func (c *call) offerID() (string, error) {
	id, err := c.Param("id"), error(nil)
	if c.Request().URL.RawPath != "" { // then the router has matched the path as it was escaped
		id, err = url.PathUnescape(id)
	}
	if err != nil || !storable(id) || id == "" || len(id) > maxOfferID {
		return "", errNotFound
	}
	return id, nil
}

// offerPage is one offer.
func (s *Server) offerPage(c *call) error {
	now := c.minute()
	choice, err := c.choice(now)
	wrong := (*report.ChoiceError)(nil)
	if errors.As(err, &wrong) {
		choice, err = report.ParseChoice(url.Values{}, now, c.store.Location(), c.store.FirstDay)
	}
	if err != nil {
		return err
	}
	d, err := s.offer(c.Request().Context(), c, choice, now)
	if err != nil {
		return err
	}
	page := views.OfferPage{Base: s.basis(c, d.Offer.Name), Detail: d, ChoiceError: wrong, SyncHref: storePath(c.store.Slug) + "/sync"}
	page.Path = c.Request().URL.EscapedPath()
	if wrong != nil {
		return c.pageWithStatus(http.StatusBadRequest, views.Offer(page))
	}
	return c.page(views.Offer(page))
}

// placementsPage shows the placements of the overview's window, larger.
func (s *Server) placementsPage(c *call) error {
	now := c.minute()
	choice, err := c.choice(now)
	wrong := (*report.ChoiceError)(nil)
	if errors.As(err, &wrong) {
		choice, err = report.ParseChoice(url.Values{}, now, c.store.Location(), c.store.FirstDay)
	}
	if err != nil {
		return err
	}
	view, err := s.overviewView(c, choice, now)
	if err != nil {
		return err
	}
	view.Title, view.ChoiceError = "Placements", wrong
	page := views.PlacementsPage{OverviewPage: view}
	if wrong != nil {
		return c.pageWithStatus(http.StatusBadRequest, views.Placements(page))
	}
	return c.page(views.Placements(page))
}
