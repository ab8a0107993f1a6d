package reports

import (
	"errors"
	"net/url"
	"time"

	"github.com/a-h/templ"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/answers"
	reportoffers "github.com/storeglass/storeglass/internal/report/offers"
	"github.com/storeglass/storeglass/internal/report/overview"
	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/offers"
	"github.com/storeglass/storeglass/web/site"
)

// Offers makes the value shown by the list, its files and the JSON API: the offers that match
// the filter, with their results in the window.
func (s *Handlers) Offers(c *site.Call, f report.OfferFilter, choice report.Choice, now time.Time) (reportoffers.List, reportoffers.Table, error) {
	l, t, _, err := s.offersOf(c, f, choice, now)
	return l, t, err
}

// offersOf also returns the window's summary.
func (s *Handlers) offersOf(c *site.Call, f report.OfferFilter, choice report.Choice, now time.Time) (l reportoffers.List, t reportoffers.Table, sum overview.Summary, err error) {
	if err := s.findSoldNothing(c, &f, now); err != nil {
		return l, t, sum, err
	}
	inventory, err := s.DB.Offers(c.Request().Context(), c.Store)
	if err != nil {
		return l, t, sum, err
	}
	stored, err := s.stored(c, choice, nil, "upsell")
	if err != nil {
		return l, t, sum, err
	}
	in := locale.From(c.Request().Context())
	l, o := reportoffers.NewList(in, inventory, f, now), overview.New(in, stored, choice, now)
	if shared := c.SharedView(choice); shared != nil {
		l, o = shared.Offers(l), shared.Overview(o)
	}
	t = reportoffers.NewTable(in, &l, choice, o.Top, o.TopBefore, stored.Events)
	t.Asking = stored.Asking
	return l, t, o.Summary, nil
}

// findSoldNothing names the offers that sold nothing in the filter's window: exactly those that
// the overview's to-do counts (N73).
func (s *Handlers) findSoldNothing(c *site.Call, f *report.OfferFilter, now time.Time) error {
	if f.SoldNothing == nil {
		return nil
	}
	loc, err := report.Zone(c.Store.Timezone)
	if err != nil {
		return err
	}
	choice := report.Choice{Preset: report.Custom, Window: *f.SoldNothing, Comparison: report.CompareNone, Today: report.Today(now, loc)}
	stored, err := s.DB.Stored(c.Request().Context(), c.Store, choice, nil)
	if err != nil {
		return err
	}
	f.IDs, _ = overview.SoldNothing(stored, choice, now)
	return nil
}

// readFilter reads the offer list's filter. If it returns an error, the filter still has
// everything that was valid, to show it again.
func readFilter(c *site.Call, choice report.Choice) (report.OfferFilter, error) {
	f, err := report.ParseOfferFilter(c.QueryParams())
	shared := c.SharedView(choice)
	if shared == nil {
		return f, err
	}
	if wrong := shared.OfferError(f); wrong != nil && err == nil {
		err = wrong
	}
	return shared.Within(f), err
}

// Offer makes the value shown by the offer's page, its files and the JSON API.
func (s *Handlers) Offer(c *site.Call, choice report.Choice, now time.Time) (reportoffers.Detail, error) {
	id, err := pathID(c)
	if err != nil {
		return reportoffers.Detail{}, err
	}
	stored, err := s.DB.Offer(c.Request().Context(), c.Store, id, choice)
	if err != nil {
		return reportoffers.Detail{}, err
	}
	d := reportoffers.NewDetail(locale.From(c.Request().Context()), stored, choice, now)
	if shared := c.SharedView(choice); shared != nil {
		var ok bool
		if d, ok = shared.Offer(d); !ok {
			return reportoffers.Detail{}, site.ErrNotShared
		}
	}
	return d, nil
}

// maxID limits the length of an id in the address.
const maxID = 200

// pathID is the id in the address: any text that a service may have sent.
func pathID(c *site.Call) (string, error) {
	id, err := c.Param("id"), error(nil)
	if c.Request().URL.RawPath != "" { // then the router has matched the escaped path
		id, err = url.PathUnescape(id)
	}
	if err != nil || id == "" || len(id) > maxID {
		return "", site.ErrNotFound
	}
	return id, nil
}

func (s *Handlers) OfferPage(c *site.Call) error {
	return windowPage(c, func(b components.Base, choice report.Choice, wrong *report.ChoiceError) (templ.Component, error) {
		d, err := s.Offer(c, choice, c.Minute())
		if err != nil {
			return nil, err
		}
		d, asking, err := s.answered(c, d, choice, c.Minute())
		b.Title = d.Offer.Name
		if asking {
			b.Refresh = site.RefreshFirst
		}
		if err == nil && c.Link == nil && s.Queue != nil && (d.Missing() || d.Old()) {
			pulls, wrong := s.Queue.Want(c.Request().Context(), c.Store, d.Offer.ID, c.Now)
			if wrong != nil {
				return nil, wrong
			}
			if pulls > 0 || d.Missing() {
				b.Refresh = site.RefreshFirst
			}
		}
		return offers.Offer(offers.OfferPage{Base: b, Detail: d, Asking: asking, ChoiceError: wrong, SyncHref: c.SyncHref()}), err
	})
}

// answered adds what happened to the offer in the window, with the same numbers as its row in the list.
// If the app can answer the window and hasn't, it is asked.
func (s *Handlers) answered(c *site.Call, d reportoffers.Detail, choice report.Choice, now time.Time) (reportoffers.Detail, bool, error) {
	stored, err := s.stored(c, choice, nil, "upsell")
	if err != nil {
		return d, false, err
	}
	o, shared := overview.New(c.Locale(), stored, choice, now), c.SharedView(choice)
	if shared != nil {
		o = shared.Overview(o)
	}
	d = d.Answered(o, stored.Events)
	d.Answer.Around, err = s.around(c, choice, o.Summary, d.Answer.Events)
	return d, stored.Asking, err
}

// around compares the days around starts and ends. Readers of a share link see only the days of the link.
func (s *Handlers) around(c *site.Call, choice report.Choice, sum overview.Summary, events []report.Event) ([]answers.BeforeAfter, error) {
	if len(events) == 0 {
		return nil, nil
	}
	in := answers.Input{Choice: choice, Summary: sum, Events: events}
	if err := s.DB.ReadAround(c.Request().Context(), c.Store, &in); err != nil {
		return nil, err
	}
	around := answers.New(in).Events
	if shared := c.SharedView(choice); shared != nil {
		around = shared.Around(around)
	}
	return around, nil
}

// OfferFilter reads the filter of the offer list for files and the JSON API, which refuse an
// invalid filter.
func OfferFilter(c *site.Call, choice report.Choice) (report.OfferFilter, error) {
	f, err := readFilter(c, choice)
	if wrong, ok := errors.AsType[*report.ChoiceError](err); ok {
		return f, site.BadRequest(wrong.Field, "For "+wrong.Field+", "+wrong.Reason.In(locale.English)+".")
	}
	return f, err
}
