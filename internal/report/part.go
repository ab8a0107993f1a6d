package report

import (
	"slices"
	"strconv"

	"github.com/storeglass/storeglass/internal/locale"
)

// PartName names a part of a new store's first data.
type PartName string

// The parts, in the order in which they complete.
const (
	PartWeek    PartName = "7_days"
	PartOffers  PartName = "offers"
	PartMonth   PartName = "30_days"
	PartQuarter PartName = "90_days"
	PartAll     PartName = "all_days"
)

// Part is a part of a new store's first data that is still to come, and when it will be complete at the
// pace the budget allows.
type Part struct {
	Service string   `json:"service"`
	Name    PartName `json:"part"`
	// Days is how many days the part covers; 0 for a list.
	Days int `json:"days,omitempty"`
	// Calls counts all calls before the part is complete, including those for other things.
	Calls   int `json:"calls_left"`
	Seconds int `json:"seconds_left"`
}

// Title is the part's name for people.
func (p Part) Title(l locale.Locale) string {
	of := "last"
	switch p.Name {
	case PartOffers:
		return l.T("sync.part.offers")
	case PartAll:
		of = "all"
	}
	if p.Service == "gift" {
		return l.T("sync.part.gift_"+of, "n", p.Days)
	}
	return l.T("sync.part.upsell_"+of, "n", p.Days)
}

// When says how long it takes: "in about 2 minutes". It rounds as people would: to 10 seconds, half
// minutes, then minutes.
func (p Part) When(l locale.Locale) string {
	switch s := p.Seconds; {
	case s >= 55 && s < 65:
		return l.T("sync.part.minutes", "n", 1)
	case s < 95:
		return l.T("sync.part.seconds", "n", max(10, (s+5)/10*10))
	case s < 285 && (s+15)/30%2 == 1:
		return l.T("sync.part.half_minutes", "minutes", strconv.Itoa((s+15)/60))
	case s < 285:
		return l.T("sync.part.minutes", "n", (s+15)/60)
	default:
		return l.T("sync.part.minutes", "n", (s+30)/60)
	}
}

// PartOf is the upsell part with that name; nil once it's complete.
func PartOf(parts []Part, name PartName) *Part {
	i := slices.IndexFunc(parts, func(p Part) bool { return p.Service == "upsell" && p.Name == name })
	if i < 0 {
		return nil
	}
	return &parts[i]
}
