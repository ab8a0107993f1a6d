package stores

import (
	_ "embed"
	"slices"
	"strings"
	"time"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
)

// zoneNames are the clocks of the world, one for each country and part of one: the
// names of the time zone database's zone.tab, and UTC.
//
//go:embed zones.txt
var zoneNames string

// ZoneChoice is a clock that a store can be on.
type ZoneChoice struct {
	// Name is the IANA name, City what people call the place.
	Name, City string
	// Clock is what it shows now: by it a person knows their own.
	Clock string
}

// ZoneGroup is the clocks of a part of the world.
type ZoneGroup struct {
	Area  string
	Zones []ZoneChoice
}

// ZoneChoices are the clocks to choose from, by part of the world and by city, with the time
// that each shows now. also, if not empty, is one that must be among them: services name
// clocks by older names too.
func ZoneChoices(l locale.Locale, now time.Time, also string) []ZoneGroup {
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
		area, place, found := strings.Cut(name, "/")
		if !found {
			area = "rest"
		}
		label, city := area, l.City(name)
		if locale.Has("connect.area." + strings.ToLower(area)) { // services name clocks such as US/Eastern too
			label = l.T("connect.area." + strings.ToLower(area))
		}
		if region, _, within := strings.Cut(place, "/"); within { // Indiana, Knox
			city = strings.ReplaceAll(region, "_", " ") + ", " + city
		}
		i := slices.IndexFunc(groups, func(g ZoneGroup) bool { return g.Area == label })
		if i < 0 {
			groups, i = append(groups, ZoneGroup{Area: label}), len(groups)
		}
		groups[i].Zones = append(groups[i].Zones, ZoneChoice{Name: name, City: city, Clock: l.Time(now.In(loc))})
	}
	order := collate.New(language.Make(l.Code()))
	for _, g := range groups {
		slices.SortStableFunc(g.Zones, func(a, b ZoneChoice) int { return order.CompareString(a.City, b.City) })
	}
	return groups
}
