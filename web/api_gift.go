package web

import (
	"encoding/json"

	"github.com/storeglass/storeglass/internal/report"
)

// giftOf makes the gift page's value for an answer; known are the parameters that
// it takes.
func (s *apiHandlers) giftOf(c *call, known ...string) (report.Gift, error) {
	if err := takes(c, known...); err != nil {
		return report.Gift{}, err
	}
	now := s.now()
	choice, err := c.choice(now)
	if err != nil {
		return report.Gift{}, err
	}
	return s.reports.gift(c, choice, now)
}

func (s *apiHandlers) apiGiftAnalytics(c *call) error {
	g, err := s.giftOf(c, windowParams...)
	if err != nil {
		return err
	}
	return panelOr(c, g.Analytics.Panel, g.Analytics)
}

func (s *apiHandlers) apiGiftHistory(c *call) error {
	g, err := s.giftOf(c, windowParams...)
	if err != nil {
		return err
	}
	return panelOr(c, g.History.Panel, g.History)
}

func (s *apiHandlers) apiGiftCampaigns(c *call) error {
	g, err := s.giftOf(c)
	if err != nil {
		return err
	}
	return panelOr(c, g.Campaigns.Panel, g.Campaigns)
}

// configurationAnswer is a campaign's configuration as it came.
type configurationAnswer struct {
	report.Panel
	Found bool            `json:"found"`
	Body  json.RawMessage `json:"body"`
}

func (s *apiHandlers) apiGiftCampaign(c *call) error {
	if err := takes(c); err != nil {
		return err
	}
	g, err := s.reports.giftCampaign(c, s.now())
	if err != nil {
		return err
	}
	out := struct {
		Provenance    report.Provenance `json:"provenance"`
		Campaign      report.Campaign   `json:"campaign"`
		Configuration any               `json:"configuration"`
	}{g.Listed.Provenance, g.Campaign, g.Configuration.Panel}
	if g.Configuration.Empty == nil {
		out.Configuration = configurationAnswer{g.Configuration.Panel, g.Configuration.Found, g.Configuration.Body}
	}
	return c.answer(out)
}

func (s *apiHandlers) apiGiftHealth(c *call) error {
	g, err := s.giftOf(c)
	if err != nil {
		return err
	}
	g.Health.Issues, g.Health.Errors = list(g.Health.Issues), list(g.Health.Errors)
	return panelOr(c, g.Health.Panel, g.Health)
}

func (s *apiHandlers) apiGiftPlan(c *call) error {
	g, err := s.giftOf(c)
	if err != nil {
		return err
	}
	return panelOr(c, g.Plan.Panel, g.Plan)
}
