package report

import "github.com/golang-sql/civil"

func (n Need) In(t Tongue, since civil.Date) string {
	if !since.IsValid() {
		return t.Words().StoreNeeds(n, "")
	}
	return t.Words().StoreNeeds(n, t.Day(since))
}
