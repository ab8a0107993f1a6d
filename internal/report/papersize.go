package report

import (
	_ "embed"
	"slices"
	"strings"

	"github.com/storeglass/storeglass/internal/locale"
)

// letterZones are the clocks of the countries that write on Letter after CLDR (BZ, CA, CL, CO, CR, GT, MX, NI,
// PA, PH, PR, SV, US, VE), by every name that they have in the IANA database.
//
//go:embed letter.txt
var letterZones string

// letterCurrencies are the currencies of those countries.
var letterCurrencies = []string{"BZD", "CAD", "CLP", "COP", "CRC", "GTQ", "MXN", "NIO", "PAB", "PHP", "SVC", "USD", "VES"}

// OnLetter reports whether readers of the language in the country of that clock print on
// Letter; all others print on A4. Nobody whose language is German does. A clock of no
// country, such as UTC, leaves it to the currency.
func OnLetter(l locale.Locale, zone, currency string) bool {
	switch {
	case l == locale.German:
		return false
	case strings.Contains(zone, "/") && !strings.HasPrefix(zone, "Etc/"):
		return slices.Contains(strings.Fields(letterZones), zone)
	}
	return slices.Contains(strings.Fields(letterZones), zone) || slices.Contains(letterCurrencies, currency)
}
