package web

import (
	"time"

	"github.com/a-h/templ"

	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/gift"
)

// gift makes the one value that the Gifts page, its files and the JSON API show.
func (s *reportsHandlers) gift(c *call, choice report.Choice, now time.Time) (report.Gift, error) {
	stored, err := s.db.Gift(c.Request().Context(), c.store, choice, now)
	if err != nil {
		return report.Gift{}, err
	}
	g := report.NewGift(stored, choice, now)
	if told := c.told(choice); told != nil {
		g = told.Gift(g)
	}
	return g, nil
}

// giftCampaign makes the one value that a campaign's page and the JSON API show.
func (s *reportsHandlers) giftCampaign(c *call, now time.Time) (report.GiftCampaign, error) {
	id, err := pathID(c)
	if err != nil {
		return report.GiftCampaign{}, err
	}
	stored, err := s.db.GiftCampaign(c.Request().Context(), c.store, id, now)
	if err != nil {
		return report.GiftCampaign{}, err
	}
	g := report.NewGiftCampaign(stored, now)
	if c.link == nil {
		return g, nil
	}
	choice, err := c.choice(now)
	if err != nil {
		return report.GiftCampaign{}, err
	}
	g, ok := c.told(choice).Campaign(g)
	if !ok {
		return report.GiftCampaign{}, errNotShared
	}
	return g, nil
}

// giftPage is a store's Gifts page.
func (s *reportsHandlers) giftPage(c *call) error {
	return windowPage(c, func(b components.Base, choice report.Choice, wrong *report.ChoiceError) (templ.Component, error) {
		b.Title = "Gifts"
		g, err := s.gift(c, choice, c.minute())
		return gift.Show(gift.Page{Base: b, Gift: g, ChoiceError: wrong, SyncHref: c.syncHref(), CheckHref: c.home() + "/gift/products"}), err
	})
}

// giftCampaignPage is one gift campaign.
func (s *reportsHandlers) giftCampaignPage(c *call) error {
	return c.storePage("", func(b components.Base) (templ.Component, error) {
		d, err := s.giftCampaign(c, c.minute())
		b.Title = d.Campaign.Name
		return gift.Campaign(gift.CampaignPage{Base: b, Detail: d, GiftHref: c.home() + "/gift", SyncHref: c.syncHref()}), err
	})
}
