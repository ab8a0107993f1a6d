package web

import (
	"context"
	"time"

	"github.com/a-h/templ"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/views"
)

// gift makes the one value that the Gifts page, its files and the JSON API show.
func (s *Server) gift(ctx context.Context, store db.ScopedStore, choice report.Choice, now time.Time) (report.Gift, error) {
	stored, err := s.db.Gift(ctx, store, choice, now)
	if err != nil {
		return report.Gift{}, err
	}
	return report.NewGift(stored, choice, now), nil
}

// giftCampaign makes the one value that a campaign's page and the JSON API show.
func (s *Server) giftCampaign(c *call, now time.Time) (report.GiftCampaign, error) {
	id, err := c.pathID()
	if err != nil {
		return report.GiftCampaign{}, err
	}
	stored, err := s.db.GiftCampaign(c.Request().Context(), c.store, id, now)
	if err != nil {
		return report.GiftCampaign{}, err
	}
	return report.NewGiftCampaign(stored, now), nil
}

// giftPage is a store's Gifts page.
func (s *Server) giftPage(c *call) error {
	return c.windowPage(func(b views.Base, choice report.Choice, wrong *report.ChoiceError) (templ.Component, error) {
		b.Title = "Gifts"
		g, err := s.gift(c.Request().Context(), c.store, choice, c.minute())
		home := storePath(c.store.Slug)
		return views.Gifts(views.GiftPage{Base: b, Gift: g, ChoiceError: wrong, SyncHref: home + "/sync", CheckHref: home + "/gift/products"}), err
	})
}

// giftCampaignPage is one gift campaign.
func (s *Server) giftCampaignPage(c *call) error {
	return c.storePage("", func(b views.Base) (templ.Component, error) {
		d, err := s.giftCampaign(c, c.minute())
		b.Title = d.Campaign.Name
		home := storePath(c.store.Slug)
		return views.Campaign(views.CampaignPage{Base: b, Detail: d, GiftHref: home + "/gift", SyncHref: home + "/sync"}), err
	})
}
