package stores

import (
	_ "embed"
	"slices"
	"strings"
	"time"

	"github.com/storeglass/storeglass/internal/report"
)

// zoneNames are the clocks of the world, one for each country and part of one: the
// names of the time zone database's zone.tab, and UTC.
//
//go:embed zones.txt
var zoneNames string

// ZoneChoice is a clock that a store can be on.
type ZoneChoice struct {
	// Name is the IANA name, City its last part for people.
	Name, City string
	// Clock is what it shows now: by it a person knows their own.
	Clock string
}

// ZoneGroup is the clocks of a part of the world.
type ZoneGroup struct {
	Area  string
	Zones []ZoneChoice
}

// ZoneChoices are the clocks to choose from, by part of the world, with the time that
// each shows now. also, if not empty, is one that must be among them: services name
// clocks by older names too.
func ZoneChoices(now time.Time, also string) []ZoneGroup {
	names := strings.Fields(zoneNames)
	if report.IsTimezone(also) && !slices.Contains(names, also) {
		names = append(names, also)
		slices.Sort(names)
	}
	var groups []ZoneGroup
	for _, name := range names {
		loc, err := report.Zone(name)
		if err != nil { // this machine's database of clocks is older than our list
			continue
		}
		area, city, found := strings.Cut(name, "/")
		if !found {
			area, city = "Other", name
		}
		i := slices.IndexFunc(groups, func(g ZoneGroup) bool { return g.Area == area })
		if i < 0 {
			groups, i = append(groups, ZoneGroup{Area: area}), len(groups)
		}
		city = strings.ReplaceAll(strings.ReplaceAll(city, "_", " "), "/", ", ")
		groups[i].Zones = append(groups[i].Zones, ZoneChoice{Name: name, City: city, Clock: now.In(loc).Format("15:04")})
	}
	return groups
}
