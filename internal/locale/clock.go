package locale

import (
	"strings"
	"unicode/utf8"
)

// Clock names an IANA zone's time: "New York time", "New Yorker Zeit", "heure de New York", "UTC". How
// the city's name is inflected is grammar, so it's in Go and not in a catalog.
func (l Locale) Clock(timezone string) string {
	if timezone == "" || timezone == "UTC" || strings.HasPrefix(timezone, "Etc/") {
		return "UTC"
	}
	city := l.City(timezone)
	switch l {
	case German:
		if last, _ := utf8.DecodeLastRuneInString(city); strings.ContainsRune("aeiouyäöüéãszx)", last) {
			return "Zeit von " + city
		}
		return city + "er Zeit"
	case French:
		switch rest, le := strings.CutPrefix(city, "Le "); {
		case le:
			return "heure du " + rest
		case strings.IndexAny(city, "AÁÂEÉIÎOU") == 0:
			return "heure d’" + city
		}
		return "heure de " + city
	case Spanish:
		return "hora de " + city
	}
	return city + " time"
}
