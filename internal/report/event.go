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
