package api

import (
	"slices"
	"strings"
	"time"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/offers"
	"github.com/storeglass/storeglass/web/reports"
	"github.com/storeglass/storeglass/web/site"
)

// listedOffer is an offer of the list, with what it did in the window.
type listedOffer struct {
	offers.Row
	reports.OfferFigures
}

// apiOffers answers the list; the counts by placement are left out of it.
func (s *Handlers) apiOffers(c *site.Call) error {
	var l offers.List
	t, err := asked(s, c, slices.Concat(report.OfferParams, waitingParams), func(choice report.Choice, now time.Time) (t offers.Table, asking bool, err error) {
		f, err := reports.OfferFilter(c, choice)
		if err != nil {
			return t, false, err
		}
		l, t, err = s.reports.Offers(c, f, choice, now)
		return t, t.Asking, err
	})
	if err != nil {
		return err
	}
	rows := make([]listedOffer, len(t.Rows))
	for i, r := range t.Rows {
		rows[i] = listedOffer{r.Row, reports.FiguresOf(r)}
	}
	answer := reports.NewOffersJSON(l, t, rows)
	return panelOr(c, nil, answer.Panel, answer)
}

// detail makes the offer in the address for answers about it.
func (s *Handlers) detail(c *site.Call, known ...string) (offers.Detail, error) {
	return asked(s, c, known, func(choice report.Choice, now time.Time) (offers.Detail, bool, error) {
		d, err := s.reports.Offer(c, choice, now)
		return d, false, err
	})
}

// offerAnswer is one offer: its row, its figures of the window, its set-up, and
// what changed. A part without an answer holds only its reason.
type offerAnswer struct {
	Provenance report.Provenance `json:"provenance"`
	Offer      offers.Row        `json:"offer"`
	Results    any               `json:"results"`
	Setup      any               `json:"setup"`
	Events     []offers.Event    `json:"events"`
}

// setupAnswer is a set-up in words, without what wasn't sent.
type setupAnswer struct {
	report.Panel
	offers.SetupBody
	Words setupWords `json:"words"`
}

type setupWords struct {
	Trigger  string `json:"trigger"`
	Discount string `json:"discount"`
	Schedule string `json:"schedule"`
}

func (s *Handlers) apiOffer(c *site.Call) error {
	d, err := s.detail(c, site.WindowParams...)
	if err != nil {
		return err
	}
	out := offerAnswer{Provenance: d.Listed(), Offer: d.Offer, Events: site.List(d.Events), Results: d.Results.Panel, Setup: d.Setup.Panel}
	if d.Results.Empty == nil {
		out.Results = d.Results
	}
	if d.Setup.Empty == nil {
		body := d.Setup.SetupBody
		body.Conditions = site.List(body.Conditions)
		trigger := d.Setup.TriggerWords(locale.English)
		if text := d.Setup.TriggerSentence(locale.English); text != "" {
			trigger += ". " + text
		}
		out.Setup = setupAnswer{d.Setup.Panel, body, setupWords{
			plainWords(trigger), plainWords(d.Setup.DiscountWords(locale.English)), plainWords(d.Setup.ScheduleWords(locale.English, d.Now)),
		}}
	}
	return c.Answer(out)
}

// plainWords leaves out the signs that isolate a name's writing direction on a page.
func plainWords(s string) string {
	return strings.NewReplacer("\u2068", "", "\u2069", "").Replace(s)
}

func (s *Handlers) apiOfferStages(c *site.Call) error {
	d, err := s.detail(c)
	if err != nil {
		return err
	}
	d.Stages.Stages = site.List(d.Stages.Stages)
	for i := range d.Stages.Stages {
		stage := &d.Stages.Stages[i]
		nullTiers(stage.Bundle)
		for j := range stage.Arms {
			nullTiers(stage.Arms[j].Bundle)
		}
	}
	return panelOr(c, nil, d.Stages.Panel, d.Stages)
}

func nullTiers(b *offers.Bundle) {
	if b != nil {
		b.Tiers = site.List(b.Tiers)
	}
}

func (s *Handlers) apiOfferRecommendations(c *site.Call) error {
	d, err := s.detail(c)
	if err != nil {
		return err
	}
	for i := range d.Recommendations.Triggers {
		t := &d.Recommendations.Triggers[i]
		t.Evidence, t.Padding = site.List(t.Evidence), site.List(t.Padding)
	}
	return panelOr(c, nil, d.Recommendations.Panel, d.Recommendations)
}

func (s *Handlers) apiOfferHistory(c *site.Call) error {
	d, err := s.detail(c, site.WindowParams...)
	if err != nil {
		return err
	}
	d.History.Days = site.List(d.History.Days)
	return panelOr(c, nil, d.History.Panel, d.History)
}
