package report

import "github.com/golang-sql/civil"

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

// events are the starts and ends of offers and gift campaigns within the window.
func (b Builder) events() []Event {
	out := b.In.Events
	add := func(c Campaign, day *civil.Date, start bool) {
		if day != nil && b.Choice.Window.Contains(*day) {
			out = append(out, Event{Day: *day, Start: start, Gift: true, Name: c.Name})
		}
	}
	for _, c := range b.In.Campaigns {
		add(c, c.Start, true)
		add(c, c.End, false)
	}
	return out
}
