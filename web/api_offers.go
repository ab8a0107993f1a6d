package web

import (
	"strings"

	"github.com/storeglass/storeglass/internal/report"
)

// apiOffers answers the list; the counts by placement are left out of it.
func (s *apiHandlers) apiOffers(c *call) error {
	if err := takes(c, report.OfferParams...); err != nil {
		return err
	}
	f, err := offerFilter(c)
	if err != nil {
		return err
	}
	l, err := s.reports.offers(c, f, s.now())
	if err != nil {
		return err
	}
	if l.Empty != nil && l.Empty.Cause == report.CauseNoMatch { // an empty list is an answer
		l.Empty = nil
	}
	l.Rows = list(l.Rows)
	return panelOr(c, l.Panel, l)
}

// detail makes the offer in the address for answers about it.
func (s *apiHandlers) detail(c *call, known ...string) (report.OfferDetail, error) {
	if err := takes(c, known...); err != nil {
		return report.OfferDetail{}, err
	}
	now := s.now()
	choice, err := c.choice(now)
	if err != nil {
		return report.OfferDetail{}, err
	}
	return s.reports.offer(c, choice, now)
}

// offerAnswer is one offer: its row, its figures of the window, its set-up, and
// what changed. A part without an answer holds only its reason.
type offerAnswer struct {
	Provenance report.Provenance   `json:"provenance"`
	Offer      report.OfferListRow `json:"offer"`
	Results    any                 `json:"results"`
	Setup      any                 `json:"setup"`
	Events     []report.OfferEvent `json:"events"`
}

// setupAnswer is a set-up with what was not sent left out, and in words.
type setupAnswer struct {
	report.Panel
	report.SetupBody
	Words setupWords `json:"words"`
}

type setupWords struct {
	Trigger  string `json:"trigger"`
	Discount string `json:"discount"`
	Schedule string `json:"schedule"`
}

func (s *apiHandlers) apiOffer(c *call) error {
	d, err := s.detail(c, windowParams...)
	if err != nil {
		return err
	}
	out := offerAnswer{Provenance: d.Listed(), Offer: d.Offer, Events: list(d.Events), Results: d.Results.Panel, Setup: d.Setup.Panel}
	if d.Results.Empty == nil {
		out.Results = d.Results
	}
	if d.Setup.Empty == nil {
		body := d.Setup.SetupBody
		body.Conditions = list(body.Conditions)
		trigger := d.Setup.TriggerWords()
		if text := d.Setup.TriggerSentence(); text != "" {
			trigger += ". " + text
		}
		out.Setup = setupAnswer{d.Setup.Panel, body, setupWords{
			plainWords(trigger), plainWords(d.Setup.DiscountWords()), plainWords(d.Setup.ScheduleWords(report.Today(d.Now, c.store.Location()))),
		}}
	}
	return c.answer(out)
}

// plainWords leaves out the signs that keep a name from turning the text around
// it on a page.
func plainWords(s string) string {
	return strings.NewReplacer("\u2068", "", "\u2069", "").Replace(s)
}

func (s *apiHandlers) apiOfferStages(c *call) error {
	d, err := s.detail(c)
	if err != nil {
		return err
	}
	d.Stages.Stages = list(d.Stages.Stages)
	for i := range d.Stages.Stages {
		stage := &d.Stages.Stages[i]
		nullTiers(stage.Bundle)
		for j := range stage.Arms {
			nullTiers(stage.Arms[j].Bundle)
		}
	}
	return panelOr(c, d.Stages.Panel, d.Stages)
}

func nullTiers(b *report.Bundle) {
	if b != nil {
		b.Tiers = list(b.Tiers)
	}
}

func (s *apiHandlers) apiOfferRecommendations(c *call) error {
	d, err := s.detail(c)
	if err != nil {
		return err
	}
	for i := range d.Recommendations.Triggers {
		t := &d.Recommendations.Triggers[i]
		t.Evidence, t.Padding = list(t.Evidence), list(t.Padding)
	}
	return panelOr(c, d.Recommendations.Panel, d.Recommendations)
}

func (s *apiHandlers) apiOfferHistory(c *call) error {
	d, err := s.detail(c, windowParams...)
	if err != nil {
		return err
	}
	d.History.Days = list(d.History.Days)
	return panelOr(c, d.History.Panel, d.History)
}
