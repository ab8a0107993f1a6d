package api

import (
	"encoding/json"
	"time"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/gift"
	"github.com/storeglass/storeglass/web/site"
)

// giftOf makes the Gifts page's value for an answer; known are the parameters that it takes,
// services the ones to ask about the window.
func (s *Handlers) giftOf(c *site.Call, known []string, services ...string) (gift.Page, error) {
	return asked(s, c, known, func(choice report.Choice, now time.Time) (gift.Page, bool, error) {
		g, err := s.reports.Gift(c, locale.English, choice, now, services...)
		return g, g.Asking, err
	})
}

func (s *Handlers) apiGiftAnalytics(c *site.Call) error {
	g, err := s.giftOf(c, waitingParams, "gift")
	return panelOr(c, err, g.Analytics.Panel, g.Analytics)
}

func (s *Handlers) apiGiftHistory(c *site.Call) error {
	g, err := s.giftOf(c, site.WindowParams)
	return panelOr(c, err, g.History.Panel, g.History)
}

func (s *Handlers) apiGiftCampaigns(c *site.Call) error {
	g, err := s.giftOf(c, nil)
	return panelOr(c, err, g.Campaigns.Panel, g.Campaigns)
}

// configurationAnswer is a campaign's configuration as it came.
type configurationAnswer struct {
	report.Panel
	Found bool            `json:"found"`
	Body  json.RawMessage `json:"body"`
}

func (s *Handlers) apiGiftCampaign(c *site.Call) error {
	if err := takes(c); err != nil {
		return err
	}
	g, err := s.reports.GiftCampaign(c, locale.English, s.Now())
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
	return c.Answer(out)
}

func (s *Handlers) apiGiftHealth(c *site.Call) error {
	g, err := s.giftOf(c, nil)
	if err != nil {
		return err
	}
	g.Health.Issues, g.Health.Errors = site.List(g.Health.Issues), site.List(g.Health.Errors)
	return panelOr(c, nil, g.Health.Panel, g.Health)
}

func (s *Handlers) apiGiftPlan(c *site.Call) error {
	g, err := s.giftOf(c, nil)
	return panelOr(c, err, g.Plan.Panel, g.Plan)
}
