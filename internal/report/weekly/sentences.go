package weekly

import "github.com/storeglass/storeglass/internal/report"

func notCompared(o report.Overview) string {
	s, w := o.Summary, o.Tongue.Words()
	switch {
	case len(s.Provenance.Missing) > 0:
		return w.T("weekly.reason.days_missing")
	case !s.Provenance.Comparable():
		return w.T("weekly.reason.not_over")
	case s.Previous != nil && s.Previous.Currency != s.Currency:
		return w.T("weekly.reason.currency")
	}
	return w.T("weekly.reason.not_stored", "dates", o.Tongue.Dates(*o.Choice.Against))
}

// weekNamed is the week in a sentence: empty for the last one.
func weekNamed(o report.Overview) string {
	if ago := o.Choice.Today.DaysSince(o.Choice.Window.End); ago >= 1 && ago <= 7 {
		return ""
	}
	return o.Tongue.Dates(o.Choice.Window)
}

func noOffersExist(o report.Overview) bool {
	return o.Top.Empty != nil && o.Top.Empty.Cause == report.CauseNoOffers || o.Placements.ShopOfferCount != nil && *o.Placements.ShopOfferCount == 0
}

// headline is the week in one sentence.
func headline(o report.Overview) string {
	s, t, w, week := o.Summary, o.Tongue, o.Tongue.Words(), weekNamed(o)
	value := t.Money(s.TotalUpsoldValue, s.Currency).String()
	nothing := s.TotalUpsoldValue.IsZero() && s.TotalUpsoldOrders == 0
	switch {
	case s.Empty != nil && noOffersExist(o):
		return w.NoOfferYet(week)
	case s.Empty != nil:
		return w.NoNumbersYet(week)
	case s.Counted() < 7:
		return w.BroughtOn(value, s.Counted(), week)
	}
	c := s.Comparable()
	switch {
	case nothing && noOffersExist(o) && (c == nil || c.TotalUpsoldValue.IsZero()):
		return w.NoOfferYet(week)
	case nothing && c != nil && !c.TotalUpsoldValue.IsZero():
		return w.SoldNothingAfter(t.Money(c.TotalUpsoldValue, c.Currency).String(), week)
	case nothing:
		return w.SoldNothing(week)
	case c == nil:
		return w.Brought(value, week)
	}
	switch d := t.Change(&s.TotalUpsoldValue, &c.TotalUpsoldValue); d.Direction {
	case report.Up, report.Down:
		return w.BroughtMore(value, d, week)
	case report.Level:
		return w.BroughtAsMuch(value, week)
	}
	return w.BroughtAfterNothing(value, week)
}

// subject follows the store's name.
func subject(o report.Overview) string {
	s, w, dates := o.Summary, o.Tongue.Words(), o.Tongue.DatesShort(o.Choice.Window)
	value := o.Tongue.Money(s.TotalUpsoldValue, s.Currency).String()
	switch {
	case s.Empty != nil && !noOffersExist(o):
		return w.T("weekly.subject.no_numbers", "dates", dates)
	case noOffersExist(o) && s.TotalUpsoldValue.IsZero():
		return w.T("weekly.subject.no_offers", "dates", dates)
	case s.Counted() < 7:
		return w.T("weekly.subject.brought_on", "value", value, "days", s.Counted(), "dates", dates)
	}
	return w.T("weekly.subject.brought", "value", value, "dates", dates)
}
