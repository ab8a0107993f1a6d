package web

import "github.com/storeglass/storeglass/internal/report"

func (s *Server) apiGiftAnalytics(c *call) error {
	o, err := s.windowed(c)
	if err != nil {
		return err
	}
	return c.panelOr(o.Gift.Panel, o.Gift)
}

func (s *Server) apiGiftHistory(c *call) error {
	if err := c.takes(windowParams...); err != nil {
		return err
	}
	now := s.now()
	choice, err := c.choice(now)
	if err != nil {
		return err
	}
	stored, err := s.db.Stored(c.Request().Context(), c.store, choice, now)
	if err != nil {
		return err
	}
	h := report.NewGiftHistory(stored, choice, now)
	h.Days = list(h.Days)
	return c.panelOr(h.Panel, h)
}

func (s *Server) apiGiftCampaigns(c *call) error {
	o, err := s.windowless(c)
	if err != nil {
		return err
	}
	o.Campaigns.Campaigns = list(o.Campaigns.Campaigns)
	return c.panelOr(o.Campaigns.Panel, o.Campaigns)
}

func (s *Server) apiGiftHealth(c *call) error {
	o, err := s.windowless(c)
	if err != nil {
		return err
	}
	o.Health.Issues, o.Health.Errors = list(o.Health.Issues), list(o.Health.Errors)
	return c.panelOr(o.Health.Panel, o.Health)
}

func (s *Server) apiGiftPlan(c *call) error {
	o, err := s.windowless(c)
	if err != nil {
		return err
	}
	o.Plan.Issues = list(o.Plan.Issues)
	return c.panelOr(o.Plan.Panel, o.Plan)
}
