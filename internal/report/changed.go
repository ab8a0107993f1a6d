package report

import (
	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/locale"
)

// ChangedDay is a day whose upsold value differs from what an earlier mail said.
type ChangedDay struct {
	Day                     civil.Date
	Was, Is                 decimal.Decimal
	WasCurrency, IsCurrency string
}

// In puts it in words: "Wed 4 Nov: was $1,402.00 in the last mail, is now $1,380.00."
func (c ChangedDay) In(l locale.Locale) string {
	return l.T("weekly.changed_since", "day", l.Weekday(c.Day), "was", l.Money(c.Was, c.WasCurrency).String(), "is", l.Money(c.Is, c.IsCurrency).String())
}
