package pulls

import "github.com/shopspring/decimal"

func number(text string) *decimal.Decimal {
	if text == "" {
		return nil
	}
	d := decimal.RequireFromString(text)
	return &d
}
