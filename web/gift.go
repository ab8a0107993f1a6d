package web

import (
	"context"
	"time"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/report"
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
