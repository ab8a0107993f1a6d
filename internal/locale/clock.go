package locale

import (
	"strings"
	"unicode/utf8"
)

// Clock names the clock of an IANA zone: "New York time", "New Yorker Zeit", "heure de
// New York", "UTC". How a city's name bends is grammar, so it is here and in no catalog.
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
