package world

import (
	"slices"
	"strconv"
	"strings"
)

// CampaignPlan is a free-gift campaign, or one that repeats, in day numbers.
type CampaignPlan struct {
	Name, Kind, Page, Code string
	Start, End             int // first and last day; 0 means no end
	lead                   int // days between creation and start; 0 means 1
	gone                   int // day of its soft deletion; 0 means never
	every                  int
	from                   int64   // least order total in minor units
	Rate                   float64 // chance that such an order takes the gift
	oddID                  string  // used instead of the ordinary id
}

// Campaign is one gift campaign of a store.
type Campaign struct {
	CampaignPlan
	Id      string
	created int
	Off     bool   // turned off by hand
	written *Setup // what a write made of it; nil if none did
}

// Gifts lists every campaign created up to a moment, oldest first, as the writes until then left it.
func (sh *Shop) Gifts(until Moment) []Campaign {
	var out []Campaign
	for _, plan := range sh.campaigns {
		for round := 0; ; round++ {
			c := Campaign{CampaignPlan: plan}
			if plan.End == 0 {
				c.End = Forever
			} else {
				c.End += round * plan.every
			}
			if plan.gone == 0 {
				c.gone = Forever
			}
			c.Start += round * plan.every
			c.created = c.Start - max(1, plan.lead)
			if c.created > until.Day {
				break
			}
			c.Id = plan.oddID
			if c.Id == "" {
				c.Id = MadeUp(sh.Seed, 16, sh.Slug, "campaign", plan.Name, strconv.Itoa(round))
			}
			c.Name = strings.ReplaceAll(plan.Name, "{year}", strconv.Itoa(sh.Date(c.Start).Year))
			out = append(out, c)
			if plan.every == 0 {
				break
			}
		}
	}
	out = sh.Desk.apply(out, until)
	slices.SortStableFunc(out, func(a, b Campaign) int { return a.created - b.created })
	return out
}

// shift is a part of a day with the campaigns that orders in it may take gifts from.
type shift struct {
	until   int // its last minute
	running []Campaign
}

// shifts splits a day where a write changed its campaigns: later orders see the new state.
func (sh *Shop) shifts(day int) []shift {
	var out []shift
	as := Moment{day - 1, minutesADay}
	for _, minute := range sh.Desk.minutes(day) {
		out = append(out, shift{minute, sh.running(as, day)})
		as = Moment{day, minute}
	}
	return append(out, shift{minutesADay, sh.running(as, day)})
}

// running lists what is active on a day, as known at a moment.
func (sh *Shop) running(as Moment, day int) []Campaign {
	return slices.DeleteFunc(sh.Gifts(as), func(c Campaign) bool { return c.Status(day) != "active" })
}

// Status is one of the three; a soft-deleted campaign has none, and the app treats it as gone. A campaign turned off
// counts as expired.
func (c *Campaign) Status(day int) string {
	switch {
	case day >= c.gone:
		return "deleted"
	case c.Off, day > c.End:
		return "expired"
	case day < c.Start:
		return "scheduled"
	}
	return "active"
}
