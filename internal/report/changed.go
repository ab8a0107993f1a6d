package report

import (
	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"
)

// ChangedDay is a day whose upsold value is another than an earlier mail said.
type ChangedDay struct {
	Day                     civil.Date
	Was, Is                 decimal.Decimal
	WasCurrency, IsCurrency string
}

// Words are "Wed 4 Nov: was $1,402.00 in the last mail, is now $1,380.00."
func (c ChangedDay) Words(t Tongue) string {
	return t.Words().T("weekly.changed_since", "day", t.Weekday(c.Day), "was", t.Money(c.Was, c.WasCurrency).String(), "is", t.Money(c.Is, c.IsCurrency).String())
}
