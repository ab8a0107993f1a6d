package report

import (
	_ "embed"
	"strings"
	"sync"
)

// cityNames are the cities of the clocks in [stores.zoneNames] where a language calls them
// otherwise than the time zone database: language, zone and name, from CLDR 45.
//
//go:embed cities.txt
var cityNames string

var cities = sync.OnceValue(func() map[string]string {
	names := map[string]string{}
	for line := range strings.Lines(cityNames) {
		f := strings.SplitN(strings.TrimSpace(line), " ", 3)
		names[f[0]+" "+f[1]] = f[2]
	}
	return names
})

// city is what the language calls the city of a zone: "New York", "Wien".
func (t Tongue) city(timezone string) string {
	if name, ok := cities()[t.Code()+" "+timezone]; ok {
		return name
	}
	return strings.ReplaceAll(timezone[strings.LastIndexByte(timezone, '/')+1:], "_", " ")
}
