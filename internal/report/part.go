package report

import (
	"slices"
	"strconv"
	"strings"
)

// PartName names a part of what a store begins with.
type PartName string

// The parts, in the order in which they are complete.
const (
	PartWeek    PartName = "7_days"
	PartOffers  PartName = "offers"
	PartMonth   PartName = "30_days"
	PartQuarter PartName = "90_days"
	PartAll     PartName = "all_days"
)

// Part is a part of what a store begins with that is still to come, and when it will
// be complete at the pace that the budget allows.
type Part struct {
	Service string   `json:"service"`
	Name    PartName `json:"part"`
	// Days is how many days the part covers; 0 for a list.
	Days int `json:"days,omitempty"`
	// Calls are all that go before the part is complete, those of other things too.
	Calls   int `json:"calls_left"`
	Seconds int `json:"seconds_left"`
}

// Title names the part for people.
func (p Part) Title() string {
	title := "Last " + strconv.Itoa(p.Days) + " days"
	switch p.Name {
	case PartOffers:
		title = "Offer list"
	case PartAll:
		title = "All " + strconv.Itoa(p.Days) + " days"
	}
	if p.Service == "gift" {
		return "Gift, " + strings.ToLower(title[:1]) + title[1:]
	}
	return title
}

// When says how long it takes: "in about 2 minutes".
func (p Part) When() string { return "in about " + waitWords(p.Seconds) }

// waitWords round a wait as people would: 10 seconds, half minutes, minutes.
func waitWords(seconds int) string {
	switch {
	case seconds >= 55 && seconds < 65:
		return "1 minute"
	case seconds < 95:
		return strconv.Itoa(max(10, (seconds+5)/10*10)) + " seconds"
	case seconds < 285:
		halves := (seconds + 15) / 30
		words := strconv.Itoa(halves / 2)
		if halves%2 == 1 {
			words += "½"
		}
		return words + " minutes"
	}
	return Plural(int64((seconds+30)/60), "minute", "minutes")
}

// PartOf is the upsell part of that name, nil when it has come.
func PartOf(parts []Part, name PartName) *Part {
	i := slices.IndexFunc(parts, func(p Part) bool { return p.Service == "upsell" && p.Name == name })
	if i < 0 {
		return nil
	}
	return &parts[i]
}

// history is the last part of the days, which ends the filling.
func history(parts []Part) (last Part) {
	for _, p := range parts {
		if p.Service == "upsell" && p.Days > 0 && p.Seconds >= last.Seconds {
			last = p
		}
	}
	return last
}
