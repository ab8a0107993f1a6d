package report

import (
	"time"

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
func (c ChangedDay) Words() string {
	return c.Day.In(time.UTC).Format("Mon 2 Jan") + ": was " + Money(c.Was, c.WasCurrency).String() +
		" in the last mail, is now " + Money(c.Is, c.IsCurrency).String() + "."
}
