package report

import (
	"strings"
	"testing"

	"github.com/storeglass/storeglass/internal/locale"
)

func TestPaperFollowsTheReadersCountryAndLanguage(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		tongue         locale.Locale
		zone, currency string
		letter         bool
	}{
		"English in New York":           {locale.English, "America/New_York", "USD", true},
		"whatever the currency":         {locale.English, "America/New_York", "EUR", true},
		"by an older name":              {locale.English, "US/Pacific", "USD", true},
		"English in London, in dollars": {locale.English, "Europe/London", "USD", false},
		"French in Montreal":            {locale.French, "America/Toronto", "CAD", true},
		"French in Paris":               {locale.French, "Europe/Paris", "EUR", false},
		"Spanish in Mexico":             {locale.Spanish, "America/Mexico_City", "MXN", true},
		"Spanish in Chile":              {locale.Spanish, "America/Santiago", "CLP", true},
		"Spanish in Venezuela":          {locale.Spanish, "America/Caracas", "VES", true},
		"Spanish in Argentina":          {locale.Spanish, "America/Argentina/Buenos_Aires", "USD", false},
		"English in the Philippines":    {locale.English, "Asia/Manila", "PHP", true},
		"English in Brazil":             {locale.English, "America/Sao_Paulo", "BRL", false},
		"German in New York":            {locale.German, "America/New_York", "USD", false},
		"no country, dollars":           {locale.English, "UTC", "USD", true},
		"no country by another name":    {locale.English, "Etc/GMT+5", "USD", true},
		"no country, euros":             {locale.English, "UTC", "EUR", false},
		"nothing known":                 {locale.English, "", "", false},
	} {
		if got := OnLetter(c.tongue, c.zone, c.currency); got != c.letter {
			t.Errorf("%s: Letter is %v", name, got)
		}
	}
	for zone := range strings.FieldsSeq(letterZones) {
		if !IsTimezone(zone) {
			t.Errorf("%s is no clock", zone)
		}
	}
}
