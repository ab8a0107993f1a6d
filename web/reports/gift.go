package reports

import (
	"time"

	"github.com/a-h/templ"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	reportgift "github.com/storeglass/storeglass/internal/report/gift"
	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/gift"
	"github.com/storeglass/storeglass/web/site"
)

// Gift makes the value shown by the Gifts page, its files and the JSON API. Files and programs
// get English. The services are asked as for Overview.
func (s *Handlers) Gift(c *site.Call, l locale.Locale, choice report.Choice, now time.Time, services ...string) (reportgift.Page, error) {
	stored, err := s.DB.Gift(c.Request().Context(), c.Store, choice)
	if err != nil {
		return reportgift.Page{}, err
	}
	if stored.Asking, err = c.Ask(stored.Stored, choice, services...); err != nil {
		return reportgift.Page{}, err
	}
	g := reportgift.NewPage(l, stored, choice, now)
	if shared := c.SharedView(choice); shared != nil {
		g = shared.Gift(g)
	}
	return g, nil
}

// GiftCampaign makes the value shown by a campaign's page and the JSON API.
func (s *Handlers) GiftCampaign(c *site.Call, l locale.Locale, now time.Time) (reportgift.CampaignPage, error) {
	id, err := pathID(c)
	if err != nil {
		return reportgift.CampaignPage{}, err
	}
	stored, err := s.DB.GiftCampaign(c.Request().Context(), c.Store, id)
	if err != nil {
		return reportgift.CampaignPage{}, err
	}
	g := reportgift.NewCampaignPage(l, stored, now)
	if c.Link == nil {
		return g, nil
	}
	choice, err := c.Choice(now)
	if err != nil {
		return reportgift.CampaignPage{}, err
	}
	g, ok := c.SharedView(choice).Campaign(g)
	if !ok {
		return reportgift.CampaignPage{}, site.ErrNotShared
	}
	return g, nil
}

func (s *Handlers) GiftPage(c *site.Call) error {
	return windowPage(c, func(b components.Base, choice report.Choice, wrong *report.ChoiceError) (templ.Component, error) {
		b.Title = b.T("tab.gifts")
		g, err := s.Gift(c, b.Locale, choice, c.Minute(), "gift")
		if err == nil {
			err = c.Refreshing(&b, "/gift", choice.Query(), choice)
		}
		if g.Asking {
			b.Refresh = site.RefreshFirst
		}
		return gift.Show(gift.Page{Base: b, Gift: g, ChoiceError: wrong, SyncHref: c.SyncHref(), CheckHref: c.Home() + "/gift/products"}), err
	})
}

func (s *Handlers) GiftCampaignPage(c *site.Call) error {
	return c.StorePage("", func(b components.Base) (templ.Component, error) {
		d, err := s.GiftCampaign(c, b.Locale, c.Minute())
		b.Title = d.Campaign.Name
		return gift.Campaign(gift.CampaignPage{Base: b, Detail: d, GiftHref: c.Home() + "/gift", SyncHref: c.SyncHref()}), err
	})
}
