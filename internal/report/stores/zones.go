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

// zoneNames are the world's time zones, one for each country or part of one: the names in the time zone
// database's zone.tab, and UTC.
//
//go:embed zones.txt
var zoneNames string

// ZoneChoice is a time zone that a store can use.
type ZoneChoice struct {
	// Name is the IANA name, City the place's usual name.
	Name, City string
	// Clock is the current time there, so that people can recognize their own zone.
	Clock string
}

// ZoneGroup is the time zones of a part of the world.
type ZoneGroup struct {
	Area  string
	Zones []ZoneChoice
}

// ZoneChoices are the time zones to choose from, by part of the world and by city, each with its
// current time. also, if not empty, is included in any case: services sometimes use older names.
func ZoneChoices(l locale.Locale, now time.Time, also string) []ZoneGroup {
	names := strings.Fields(zoneNames)
	if report.IsTimezone(also) && !slices.Contains(names, also) {
		names = append(names, also)
		slices.Sort(names)
	}
	var groups []ZoneGroup
	for _, name := range names {
		loc, err := report.Zone(name)
		if err != nil { // this machine's time zone database is older than our list
			continue
		}
		area, place, found := strings.Cut(name, "/")
		if !found {
			area = "rest"
		}
		label, city := area, l.City(name)
		if locale.Has("connect.area." + strings.ToLower(area)) { // services also use names such as US/Eastern
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
