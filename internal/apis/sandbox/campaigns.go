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
}

// campaign is one gift campaign of a store.
type campaign struct {
	campaignPlan
	id      string
	index   int
	created int
}

// gifts lists every campaign created up to the day, oldest first.
func (sh *shop) gifts(until int) []campaign {
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
			if c.created > until {
				break
			}
			c.id = madeUp(sh.seed, 16, sh.slug, "campaign", plan.name, strconv.Itoa(round))
			c.name = strings.ReplaceAll(plan.name, "{year}", strconv.Itoa(sh.date(c.start).Year))
			out = append(out, c)
			if plan.every == 0 {
				break
			}
		}
	}
	slices.SortStableFunc(out, func(a, b campaign) int { return a.created - b.created })
	for i := range out {
		out[i].index = i
	}
	return out
}

// campaignsRunning lists the campaigns whose gift an order of the day may take.
func (sh *shop) campaignsRunning(day int) []campaign {
	return slices.DeleteFunc(sh.gifts(day), func(c campaign) bool {
		return day < c.start || day > c.end || day >= c.gone
	})
}

// status is one of the three; a soft-deleted campaign has none and the app treats it as gone.
func (c *campaign) status(day int) string {
	switch {
	case day >= c.gone:
		return "deleted"
	case day < c.start:
		return "scheduled"
	case day > c.end:
		return "expired"
	}
	return "active"
}
