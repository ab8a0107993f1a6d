package web

import (
	"errors"
	"net/http"
	"net/url"
	"time"

	"github.com/a-h/templ"

	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/share"
	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/offers"
)

// offers makes the one value that the list, its files and the JSON API show.
func (s *reportsHandlers) offers(c *call, f report.OfferFilter, now time.Time) (report.OfferList, error) {
	var told *share.View
	if c.link != nil {
		choice, err := c.choice(now)
		if err != nil {
			return report.OfferList{}, err
		}
		told = c.told(choice)
		f = told.Within(f)
	}
	if err := s.findSoldNothing(c, &f, now); err != nil {
		return report.OfferList{}, err
	}
	stored, err := s.db.Offers(c.Request().Context(), c.store, f, now)
	if err != nil {
		return report.OfferList{}, err
	}
	l := report.NewOfferList(stored, f, now)
	if told != nil {
		l = told.Offers(l)
	}
	return l, nil
}

// findSoldNothing names the offers that sold nothing in the filter's window: the very
// ones that the overview's to-do counts (N73).
func (s *reportsHandlers) findSoldNothing(c *call, f *report.OfferFilter, now time.Time) error {
	if f.SoldNothing == nil {
		return nil
	}
	loc, err := report.Zone(c.store.Timezone)
	if err != nil {
		return err
	}
	choice := report.Choice{Preset: report.Custom, Window: *f.SoldNothing, Comparison: report.CompareNone, Today: report.Today(now, loc)}
	stored, err := s.db.Stored(c.Request().Context(), c.store, choice, now)
	if err != nil {
		return err
	}
	f.IDs, _ = report.SoldNothing(stored, choice, now)
	return nil
}

// readFilter reads what was asked of the offer list. With an error the filter still
// holds everything that could be read and may be asked, to show it again.
func readFilter(c *call) (report.OfferFilter, error) {
	f, err := report.ParseOfferFilter(c.QueryParams())
	if err != nil || c.link == nil {
		return f, err
	}
	told := share.View{Fixed: c.link.Window.Fixed()}
	if wrong := told.OfferError(f); wrong != nil {
		return told.Within(f), wrong
	}
	return f, nil
}

// offersPage is the offer list; all of what is asked is in the address. A filter
// that can't be asked shows what could be read of it, with the reason.
func (s *reportsHandlers) offersPage(c *call) error {
	now := c.minute()
	filter, err := readFilter(c)
	wrong := (*report.ChoiceError)(nil)
	if err != nil && !errors.As(err, &wrong) {
		return err
	}
	view := func(b components.Base) (templ.Component, error) {
		b.Title = "Offers"
		list, err := s.offers(c, filter, now)
		if list.Verified.At.IsZero() && c.link == nil { // never read to its end
			var parts []report.Part
			if parts, err = c.coming(err); err != nil {
				return nil, err
			}
			if list.Coming = report.PartOf(parts, report.PartOffers); list.Coming != nil {
				b.Refresh = refreshFilling
			}
		}
		return offers.List(offers.ListPage{
			Base: b, List: list, FilterError: wrong, SyncHref: c.syncHref(), RecommendHref: c.home() + "/recommendations",
		}), err
	}
	status := http.StatusOK
	switch {
	case wrong != nil:
		status = http.StatusBadRequest
	case filter.Query != "" || !filter.Placement.Known() && filter.Placement != "":
		// What was searched for stands in the page: it is not compressed.
	default:
		return c.storePage(filter.Values().Encode(), view)
	}
	page, err := view(s.pageBase(c, ""))
	if err != nil {
		return err
	}
	return c.pageWithStatus(status, page)
}

// offer makes the one value that the offer's page, its files and the JSON API show.
func (s *reportsHandlers) offer(c *call, choice report.Choice, now time.Time) (report.OfferDetail, error) {
	id, err := pathID(c)
	if err != nil {
		return report.OfferDetail{}, err
	}
	stored, err := s.db.Offer(c.Request().Context(), c.store, id, choice, now)
	if err != nil {
		return report.OfferDetail{}, err
	}
	d := report.NewOfferDetail(stored, choice, now)
	if told := c.told(choice); told != nil {
		var ok bool
		if d, ok = told.Offer(d); !ok {
			return report.OfferDetail{}, errNotShared
		}
	}
	return d, nil
}

// maxID bounds an id in the address.
const maxID = 200

// pathID is the id in the address: any text that a service may have sent.
func pathID(c *call) (string, error) {
	id, err := c.Param("id"), error(nil)
	if c.Request().URL.RawPath != "" { // then the router has matched the path as it was escaped
		id, err = url.PathUnescape(id)
	}
	if err != nil || id == "" || len(id) > maxID {
		return "", errNotFound
	}
	return id, nil
}

// offerPage is one offer.
func (s *reportsHandlers) offerPage(c *call) error {
	return windowPage(c, func(b components.Base, choice report.Choice, wrong *report.ChoiceError) (templ.Component, error) {
		d, err := s.offer(c, choice, c.minute())
		b.Title = d.Offer.Name
		if err == nil && c.link == nil && s.queue != nil && (d.Missing() || d.Old()) {
			pulls, wrong := s.queue.Want(c.Request().Context(), c.store, d.Offer.ID, c.now)
			if wrong != nil {
				return nil, wrong
			}
			if pulls > 0 || d.Missing() {
				b.Refresh = refreshFirst
			}
		}
		return offers.Offer(offers.OfferPage{Base: b, Detail: d, ChoiceError: wrong, SyncHref: c.syncHref()}), err
	})
}

// offerFilter reads the filter of the offer list for files and the JSON API, which
// refuse what can't be asked.
func offerFilter(c *call) (report.OfferFilter, error) {
	f, err := readFilter(c)
	if wrong := (*report.ChoiceError)(nil); errors.As(err, &wrong) {
		return f, badRequest(wrong.Field, "For "+wrong.Field+", "+wrong.Reason+".")
	}
	return f, err
}
