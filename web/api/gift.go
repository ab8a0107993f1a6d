package api

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/gift"
	"github.com/storeglass/storeglass/web/site"
)

// giftOf makes the gift page's value for an answer; known are the parameters that
// it takes.
func (s *Handlers) giftOf(c *site.Call, known ...string) (gift.Page, error) {
	if err := takes(c, known...); err != nil {
		return gift.Page{}, err
	}
	now := s.Now()
	choice, err := c.Choice(now)
	if err != nil {
		return gift.Page{}, err
	}
	return s.reports.Gift(c, locale.English, choice, now)
}

func (s *Handlers) apiGiftAnalytics(c *site.Call) error {
	if err := takes(c, slices.Concat(site.WindowParams, []string{waitParam})...); err != nil {
		return err
	}
	g, err := waited(s, c, func(now time.Time) (g gift.Page, asking bool, err error) {
		choice, err := c.Choice(now)
		if err != nil {
			return g, false, err
		}
		g, err = s.reports.Gift(c, locale.English, choice, now, "gift")
		return g, g.Asking, err
	})
	if err != nil {
		return err
	}
	return panelOr(c, g.Analytics.Panel, g.Analytics)
}

func (s *Handlers) apiGiftHistory(c *site.Call) error {
	g, err := s.giftOf(c, site.WindowParams...)
	if err != nil {
		return err
	}
	return panelOr(c, g.History.Panel, g.History)
}

func (s *Handlers) apiGiftCampaigns(c *site.Call) error {
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
	g, err := s.giftOf(c)
	if err != nil {
		return err
	}
	g.Health.Issues, g.Health.Errors = site.List(g.Health.Issues), site.List(g.Health.Errors)
	return panelOr(c, g.Health.Panel, g.Health)
}

func (s *Handlers) apiGiftPlan(c *site.Call) error {
	g, err := s.giftOf(c)
	if err != nil {
		return err
	}
	return panelOr(c, g.Plan.Panel, g.Plan)
}
