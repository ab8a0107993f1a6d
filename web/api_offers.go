package web

import (
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/report"
)

// storable reports whether the database can hold the text.
func storable(s string) bool { return utf8.ValidString(s) && !strings.ContainsRune(s, 0) }

// offerFilter reads the filter of the offer list for files and the JSON API, which
// refuse what can't be asked.
func (c *call) offerFilter() (report.OfferFilter, error) {
	f, err := c.readFilter()
	if wrong := (*report.ChoiceError)(nil); errors.As(err, &wrong) {
		return f, badRequest(wrong.Field, "For "+wrong.Field+", "+wrong.Reason+".")
	}
	return f, err
}

// apiOffers answers the list; the counts by placement are left out of it.
func (s *Server) apiOffers(c *call) error {
	if err := c.takes(report.OfferParams...); err != nil {
		return err
	}
	f, err := c.offerFilter()
	if err != nil {
		return err
	}
	l, err := s.offers(c, f, s.now())
	if err != nil {
		return err
	}
	if l.Empty != nil && l.Empty.Cause == report.CauseNoMatch { // an empty list is an answer
		l.Empty = nil
	}
	l.Rows = list(l.Rows)
	return c.panelOr(l.Panel, l)
}

// detail makes the offer in the address for answers about it.
func (s *Server) detail(c *call, known ...string) (report.OfferDetail, error) {
	if err := c.takes(known...); err != nil {
		return report.OfferDetail{}, err
	}
	now := s.now()
	choice, err := c.choice(now)
	if err != nil {
		return report.OfferDetail{}, err
	}
	return s.offer(c, choice, now)
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

func (s *Server) apiOffer(c *call) error {
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

func (s *Server) apiOfferStages(c *call) error {
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
	return c.panelOr(d.Stages.Panel, d.Stages)
}

func nullTiers(b *report.Bundle) {
	if b != nil {
		b.Tiers = list(b.Tiers)
	}
}

func (s *Server) apiOfferRecommendations(c *call) error {
	d, err := s.detail(c)
	if err != nil {
		return err
	}
	for i := range d.Recommendations.Triggers {
		t := &d.Recommendations.Triggers[i]
		t.Evidence, t.Padding = list(t.Evidence), list(t.Padding)
	}
	return c.panelOr(d.Recommendations.Panel, d.Recommendations)
}

func (s *Server) apiOfferHistory(c *call) error {
	d, err := s.detail(c, windowParams...)
	if err != nil {
		return err
	}
	d.History.Days = list(d.History.Days)
	return c.panelOr(d.History.Panel, d.History)
}

// offersTable is every offer that the filter keeps, not one page of them.
func offersTable(s *Server, c *call) (table, error) {
	f, err := c.offerFilter()
	if err != nil {
		return table{}, err
	}
	t := table{
		title: "Offers as listed; all-time values, never to be summed over placements",
		columns: append([]string{
			"store", "offer_id", "offer", "placement", "status", "ab_test", "display_order", "created_at_as_sent", "currency",
			"revenue_all_time", "revenue_reported", "deleted", "unlisted", "first_seen_at", "last_listed_at", "url",
		}, provenanceColumns...),
	}
	if c.link != nil {
		t.title = "Offers as listed"
	}
	now := c.minute()
	for f.Page = 1; ; f.Page++ {
		l, err := s.offers(c, f, now)
		if err != nil {
			return table{}, err
		}
		t.about = append(aboutProvenance(c.store.Store, l.Provenance), [2]string{"Complete", l.Verified.Words})
		for _, r := range l.Rows {
			t.rows = append(t.rows, append([]cell{
				textCell(c.store.Slug), textCell(r.ID), textCell(r.Name), textCell(string(r.Placement)), textCell(r.Status), yesCell(r.ABTest),
				orderCell(r.Priority), textCell(r.CreatedAt), textCell(r.Currency), moneyOrNone(r.RevenueAllTime, r.Currency), yesCell(r.RevenueAllTime != nil),
				yesCell(r.Deleted), yesCell(r.Unlisted), timeCell(r.FirstSeen), timeCell(r.LastListed), textCell(r.URL),
			}, provenanceCells(l.Provenance)...))
		}
		if f.Page >= l.Pages || len(l.Rows) == 0 {
			return t, nil
		}
	}
}

func orderCell(n *int) cell {
	if n == nil {
		return cell{}
	}
	return countCell(int64(*n))
}

// offerHistoryTable is one row a day of one offer.
func offerHistoryTable(s *Server, c *call) (table, error) {
	now := c.minute()
	choice, err := c.choice(now)
	if err != nil {
		return table{}, err
	}
	d, err := s.offer(c, choice, now)
	if err != nil {
		return table{}, err
	}
	h := d.History
	t := table{
		title:   "One offer by day",
		columns: append([]string{"store", "offer_id", "offer", "placement", "day", "stored", "currency", "revenue", "claims"}, provenanceColumns...),
		about:   append(aboutProvenance(d.Store, h.Provenance), [2]string{"Offer", d.Offer.Name}),
	}
	if h.Empty != nil {
		t.about = append(t.about, [2]string{"No days", h.Empty.Title + ". " + h.Empty.Text})
	}
	for _, day := range h.Days {
		var revenue *decimal.Decimal
		if day.Stored {
			revenue = day.Revenue
		}
		t.rows = append(t.rows, append([]cell{
			textCell(d.Store.Slug), textCell(d.Offer.ID), textCell(d.Offer.Name), textCell(string(d.Offer.Placement)), dayCell(day.Day), yesCell(day.Stored),
			textCell(h.Currency), moneyOrNone(revenue, h.Currency), countOrNone(day.Claims),
		}, provenanceCells(h.Provenance)...))
	}
	return t, nil
}
