package locale

import (
	_ "embed"
	"strings"
	"sync"
)

// cityNames are cities that a language calls something else than the time zone database does: language,
// zone and name, from CLDR 45.
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

// City is the language's name for a zone's city: "New York", "Wien".
func (l Locale) City(timezone string) string {
	if name, ok := cities()[l.Code()+" "+timezone]; ok {
		return name
	}
	return strings.ReplaceAll(timezone[strings.LastIndexByte(timezone, '/')+1:], "_", " ")
}
