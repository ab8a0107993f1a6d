package report

import (
	"strings"
	"testing"
)

func TestPaperFollowsTheReadersCountryAndLanguage(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		tongue         Tongue
		zone, currency string
		letter         bool
	}{
		"English in New York":           {English, "America/New_York", "USD", true},
		"whatever the currency":         {English, "America/New_York", "EUR", true},
		"by an older name":              {English, "US/Pacific", "USD", true},
		"English in London, in dollars": {English, "Europe/London", "USD", false},
		"French in Montreal":            {French, "America/Toronto", "CAD", true},
		"French in Paris":               {French, "Europe/Paris", "EUR", false},
		"Spanish in Mexico":             {Spanish, "America/Mexico_City", "MXN", true},
		"Spanish in Chile":              {Spanish, "America/Santiago", "CLP", true},
		"Spanish in Venezuela":          {Spanish, "America/Caracas", "VES", true},
		"Spanish in Argentina":          {Spanish, "America/Argentina/Buenos_Aires", "USD", false},
		"English in the Philippines":    {English, "Asia/Manila", "PHP", true},
		"English in Brazil":             {English, "America/Sao_Paulo", "BRL", false},
		"German in New York":            {German, "America/New_York", "USD", false},
		"no country, dollars":           {English, "UTC", "USD", true},
		"no country by another name":    {English, "Etc/GMT+5", "USD", true},
		"no country, euros":             {English, "UTC", "EUR", false},
		"nothing known":                 {English, "", "", false},
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
