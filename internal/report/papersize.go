package report

import (
	_ "embed"
	"slices"
	"strings"

	"github.com/storeglass/storeglass/internal/locale"
)

// letterZones are the time zones of the countries that use Letter paper according to CLDR (BZ, CA, CL,
// CO, CR, GT, MX, NI, PA, PH, PR, SV, US, VE), under all their names in the IANA database.
//
//go:embed letter.txt
var letterZones string

// letterCurrencies are the currencies of those countries.
var letterCurrencies = []string{"BZD", "CAD", "CLP", "COP", "CRC", "GTQ", "MXN", "NIO", "PAB", "PHP", "SVC", "USD", "VES"}

// OnLetter reports whether readers of the language in that time zone's country print on Letter instead
// of A4. German readers never do. For a zone without a country, such as UTC, the currency decides.
func OnLetter(l locale.Locale, zone, currency string) bool {
	switch {
	case l == locale.German:
		return false
	case strings.Contains(zone, "/") && !strings.HasPrefix(zone, "Etc/"):
		return slices.Contains(strings.Fields(letterZones), zone)
	}
	return slices.Contains(strings.Fields(letterZones), zone) || slices.Contains(letterCurrencies, currency)
}
