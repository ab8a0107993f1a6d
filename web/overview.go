package web

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"time"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/views"
)

// overview makes the one value that the page, the files and the JSON API show.
func (s *Server) overview(ctx context.Context, store db.ScopedStore, choice report.Choice, now time.Time) (report.Overview, error) {
	stored, err := s.db.Stored(ctx, store, choice, now)
	if err != nil {
		return report.Overview{}, err
	}
	return report.NewOverview(stored, choice, now), nil
}

// overviewPage is a store's first page. It is rendered once for each reader,
// window, revision of the store and minute.
func (s *Server) overviewPage(c *call) error {
	now := c.minute()
	choice, err := report.ParseChoice(c.QueryParams(), now, c.store.Location(), c.store.FirstDay)
	if wrong := (*report.ChoiceError)(nil); errors.As(err, &wrong) {
		return s.overviewWithout(c, wrong)
	}
	if err != nil {
		return err
	}
	key := pageKey{
		slug: c.store.Slug, revision: c.store.Revision, query: choice.Query().Encode(),
		minute: now.Unix(), reader: readerOf(c),
	}
	d := s.cache.get(key)
	if d == nil {
		page, err := s.overviewView(c, choice, now)
		if err != nil {
			return err
		}
		if d, err = c.render(views.Overview(page)); err != nil {
			return err
		}
		s.cache.put(key, d)
	}
	return c.send(d)
}

// overviewWithout answers a window that can't be shown: the usual one stands in
// its place, with the reason beside the picker.
func (s *Server) overviewWithout(c *call, wrong *report.ChoiceError) error {
	now := c.minute()
	choice, err := report.ParseChoice(url.Values{}, now, c.store.Location(), c.store.FirstDay)
	if err != nil {
		return err
	}
	page, err := s.overviewView(c, choice, now)
	if err != nil {
		return err
	}
	page.ChoiceError = wrong
	return c.pageWithStatus(http.StatusBadRequest, views.Overview(page))
}

func (s *Server) overviewView(c *call, choice report.Choice, now time.Time) (views.OverviewPage, error) {
	o, err := s.overview(c.Request().Context(), c.store, choice, now)
	if err != nil {
		return views.OverviewPage{}, err
	}
	return views.OverviewPage{Base: s.basis(c, "Overview"), Overview: o, SyncHref: storePath(c.store.Slug) + "/sync"}, nil
}
