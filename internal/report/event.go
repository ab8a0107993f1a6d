package report

import (
	"slices"

	"github.com/golang-sql/civil"
)

// Event is the start or the end of an offer or a gift campaign.
type Event struct {
	Day   civil.Date `json:"day"`
	Start bool       `json:"start"` // false: an end
	Gift  bool       `json:"gift"`
	Name  string     `json:"name"`
	// OfferID and Placement are empty for a gift campaign.
	OfferID   string    `json:"offer_id,omitempty"`
	Placement Placement `json:"placement,omitempty"`
}

// Events are the starts and ends of offers and gift campaigns within the window.
func (b Builder) Events() []Event {
	out := slices.Clone(b.In.Events)
	add := func(c Campaign, day *civil.Date, start bool) {
		if day != nil && b.Choice.Window.Contains(*day) {
			out = append(out, Event{Day: *day, Start: start, Gift: true, Name: c.Name})
		}
	}
	for _, each := range b.In.Campaigns {
		c := b.Dated(each)
		add(c, c.Start, true)
		add(c, c.End, false)
	}
	return out
}

// Mark is a start or end on the timeline.
type Mark struct {
	Day   civil.Date `json:"day"`
	Start bool       `json:"start"` // false: an end
	Gift  bool       `json:"gift"`  // a gift campaign, drawn as an outline
	Name  string     `json:"name"`
	// Offers is how many started or ended that day; 0 for a campaign. Name is one of them.
	Offers int64 `json:"offers,omitempty"`
}

// CampaignMarks are the starts and ends of gift campaigns within the window.
func (b Builder) CampaignMarks(w Window) []Mark {
	marks := []Mark{}
	for _, c := range b.In.Campaigns {
		if c.LastListed != nil {
			continue
		}
		if d, ok := b.DayOf(c.StartDate); ok && w.Contains(d) {
			marks = append(marks, Mark{Day: d, Start: true, Gift: true, Name: c.Name})
		}
		if d, ok := b.DayOf(c.EndDate); ok && w.Contains(d) {
			marks = append(marks, Mark{Day: d, Gift: true, Name: c.Name})
		}
	}
	return marks
}

// Dated fills in the days of a campaign's dates on the store's clock.
func (b Builder) Dated(c Campaign) Campaign {
	c.Start, c.End = b.DayPtr(c.StartDate), b.DayPtr(c.EndDate)
	return c
}

// DayPtr is the day of a service's time on the store's clock; nil if it can't be read.
func (b Builder) DayPtr(sent string) *civil.Date {
	if d, ok := b.DayOf(sent); ok {
		return &d
	}
	return nil
}
