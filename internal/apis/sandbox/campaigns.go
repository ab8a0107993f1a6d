package sandbox

import (
	"slices"
	"strconv"
	"strings"
)

// campaignPlan is a free-gift campaign, or one that comes back, in day numbers.
type campaignPlan struct {
	name, kind, page, code string
	start, end             int // first and last day; end 0 is no end
	lead                   int // days between creation and start; 0 is 1
	gone                   int // day of its soft deletion; 0 is never
	every                  int
	from                   int64   // least order total in minor units
	rate                   float64 // chance that such an order takes the gift
	oddID                  string  // instead of the ordinary id
}

// campaign is one gift campaign of a store.
type campaign struct {
	campaignPlan
	id      string
	created int
	off     bool   // switched off by hand
	written *setup // what a write made of it; nil when none did
}

// gifts lists every campaign created up to a moment, oldest first, as the writes until then left it.
func (sh *shop) gifts(until moment) []campaign {
	var out []campaign
	for _, plan := range sh.campaigns {
		for round := 0; ; round++ {
			c := campaign{campaignPlan: plan}
			if plan.end == 0 {
				c.end = forever
			} else {
				c.end += round * plan.every
			}
			if plan.gone == 0 {
				c.gone = forever
			}
			c.start += round * plan.every
			c.created = c.start - max(1, plan.lead)
			if c.created > until.day {
				break
			}
			c.id = plan.oddID
			if c.id == "" {
				c.id = madeUp(sh.seed, 16, sh.slug, "campaign", plan.name, strconv.Itoa(round))
			}
			c.name = strings.ReplaceAll(plan.name, "{year}", strconv.Itoa(sh.date(c.start).Year))
			out = append(out, c)
			if plan.every == 0 {
				break
			}
		}
	}
	out = sh.desk.apply(out, until)
	slices.SortStableFunc(out, func(a, b campaign) int { return a.created - b.created })
	return out
}

// shift is a part of a day and the campaigns whose gift an order in it may take.
type shift struct {
	until   int // its last minute
	running []campaign
}

// shifts divides a day where a write changed its campaigns: orders of the minutes after it meet what it left.
func (sh *shop) shifts(day int) []shift {
	var out []shift
	as := moment{day - 1, minutesADay}
	for _, minute := range sh.desk.minutes(day) {
		out = append(out, shift{minute, sh.running(as, day)})
		as = moment{day, minute}
	}
	return append(out, shift{minutesADay, sh.running(as, day)})
}

// running lists what is active on a day, as it stood at a moment.
func (sh *shop) running(as moment, day int) []campaign {
	return slices.DeleteFunc(sh.gifts(as), func(c campaign) bool { return c.status(day) != "active" })
}

// status is one of the three; a soft-deleted campaign has none and the app treats it as gone. What is switched off has expired.
func (c *campaign) status(day int) string {
	switch {
	case day >= c.gone:
		return "deleted"
	case c.off, day > c.end:
		return "expired"
	case day < c.start:
		return "scheduled"
	}
	return "active"
}
