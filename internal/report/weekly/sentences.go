package weekly

import (
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/answers"
	"github.com/storeglass/storeglass/internal/report/overview"
)

func notCompared(o overview.Overview) string {
	s, l := o.Summary, o.Locale
	switch {
	case len(s.Provenance.Missing) > 0:
		return l.T("weekly.reason.days_missing")
	case !s.Provenance.Comparable():
		return l.T("weekly.reason.not_over")
	case s.Previous != nil && s.Previous.Currency != s.Currency:
		return l.T("weekly.reason.currency")
	}
	return l.T("weekly.reason.not_stored", "dates", l.Dates(o.Choice.Against.Start, o.Choice.Against.End))
}

// comparedWith names the comparison, with a whole week or with fewer days.
func comparedWith(l locale.Locale, window string, week bool) string {
	if week {
		return l.T("weekly.compared.week", "window", window)
	}
	return l.T("weekly.compared.days", "window", window)
}

func noOffersExist(o overview.Overview) bool {
	return o.Top.Empty != nil && o.Top.Empty.Cause == report.CauseNoOffers || o.Placements.ShopOfferCount != nil && *o.Placements.ShopOfferCount == 0
}

// headline sums up the week in one sentence: the overview's verdict, or why there is none.
func headline(o overview.Overview, v answers.Verdict) string {
	s, l := o.Summary, o.Locale
	which := "week"
	if ago := o.Choice.Today.DaysSince(o.Choice.Window.End); ago >= 1 && ago <= 7 {
		which = "last_week"
	}
	c := s.Comparable()
	soldBefore := c != nil && !c.TotalUpsoldValue.IsZero()
	switch week := l.Dates(o.Choice.Window.Start, o.Choice.Window.End); {
	case noOffersExist(o) && !soldBefore && (s.Empty != nil || s.TotalUpsoldValue.IsZero() && s.TotalUpsoldOrders == 0 && s.Counted() == o.Choice.Window.Days()):
		return l.T("weekly.no_offer_yet."+which, "week", week)
	case s.Empty != nil:
		return l.T("weekly.no_numbers_yet."+which, "week", week)
	}
	return v.What.In(l)
}

// subject follows the store's name.
func subject(o overview.Overview) string {
	s, l := o.Summary, o.Locale
	dates := l.DatesShort(o.Choice.Window.Start, o.Choice.Window.End)
	value := l.Money(s.TotalUpsoldValue, s.Currency).String()
	switch {
	case s.Empty != nil && !noOffersExist(o):
		return l.T("weekly.subject.no_numbers", "dates", dates)
	case noOffersExist(o) && s.TotalUpsoldValue.IsZero():
		return l.T("weekly.subject.no_offers", "dates", dates)
	case s.Counted() < 7:
		return l.T("weekly.subject.brought_on", "value", value, "days", s.Counted(), "dates", dates)
	}
	return l.T("weekly.subject.brought", "value", value, "dates", dates)
}
