package report

import (
	"fmt"
	"strings"
	"unicode"
)

func notCompared(o Overview) string {
	s := o.Summary
	switch {
	case len(s.Provenance.Missing) > 0:
		return "days of this week are missing"
	case !s.Provenance.Comparable():
		return "this week’s answer is not whole"
	case s.Previous != nil && s.Previous.Currency != s.Currency:
		return "the week before was in another currency"
	}
	return o.Choice.Against.Label() + " is not fully stored"
}

// when is the week in a sentence.
func when(o Overview) string {
	if ago := o.Choice.Today.DaysSince(o.Choice.Window.End); ago >= 1 && ago <= 7 {
		return "last week"
	}
	return "in the week of " + o.Choice.Window.Label()
}

func noOffersExist(o Overview) bool {
	return o.Top.Empty != nil && o.Top.Empty.Cause == CauseNoOffers || o.Placements.ShopOfferCount != nil && *o.Placements.ShopOfferCount == 0
}

// weekHeadline is the week in one sentence.
func weekHeadline(o Overview) string {
	s := o.Summary
	value := Money(s.TotalUpsoldValue, s.Currency).String()
	gaps, nothing := len(s.Provenance.Missing), s.TotalUpsoldValue.IsZero() && s.TotalUpsoldOrders == 0
	switch {
	case s.Empty != nil && noOffersExist(o):
		return "There is no offer yet, so upsells brought nothing " + when(o) + "."
	case s.Empty != nil:
		return "There are no upsell numbers " + strings.Replace(when(o), "last week", "of last week", 1) + " yet."
	case gaps > 0:
		return fmt.Sprintf("Upsells brought %s on %d of 7 days %s.", value, 7-gaps, strings.Replace(when(o), "last week", "of last week", 1))
	case nothing && noOffersExist(o):
		return "There is no offer yet, so upsells brought nothing " + when(o) + "."
	}
	c := s.Comparable()
	switch {
	case nothing && c != nil && !c.TotalUpsoldValue.IsZero():
		return "No upsell was sold " + when(o) + ", after " + Money(c.TotalUpsoldValue, c.Currency).String() + " the week before."
	case nothing:
		return "No upsell was sold " + when(o) + "."
	case c == nil:
		return "Upsells brought " + value + " " + when(o) + "."
	}
	switch d := Change(&s.TotalUpsoldValue, &c.TotalUpsoldValue); d.Direction {
	case Up, Down:
		return "Upsells brought " + value + " " + when(o) + ", " + d.Amount + " " + d.Word + " than the week before."
	case Level:
		return "Upsells brought " + value + " " + when(o) + ", as much as the week before."
	}
	return "Upsells brought " + value + " " + when(o) + "; the week before brought nothing."
}

// weekSubject follows the store's name.
func weekSubject(o Overview) string {
	s, dates := o.Summary, o.Choice.Window.Short()
	switch gaps := len(s.Provenance.Missing); {
	case s.Empty != nil && !noOffersExist(o):
		return "no upsell numbers yet for " + dates
	case noOffersExist(o):
		return "no offers yet, " + dates
	case gaps > 0:
		return fmt.Sprintf("%s from upsells on %d of 7 days, %s", Money(s.TotalUpsoldValue, s.Currency), 7-gaps, dates)
	}
	return Money(s.TotalUpsoldValue, s.Currency).String() + " from upsells, " + dates
}

func itOrThem(n int) string {
	if n == 1 {
		return "it"
	}
	return "them"
}

// oneLine takes a name as the services sent it onto one line of at most n
// characters, without signs that turn the direction of what follows.
func oneLine(text string, n int) string {
	text = strings.Join(strings.FieldsFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r)
	}), " ")
	text = strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.Bidi_Control) || r == '\u2028' || r == '\u2029' || r == unicode.ReplacementChar {
			return -1
		}
		return r
	}, text)
	if r := []rune(text); len(r) > n {
		text = strings.TrimSpace(string(r[:n-1])) + "…"
	}
	return text
}

// sentence ends with a full stop.
func sentence(text string) string {
	if text == "" || strings.HasSuffix(text, ".") {
		return text
	}
	return text + "."
}

func lowerFirst(text string) string {
	if text == "" {
		return text
	}
	return strings.ToLower(text[:1]) + text[1:]
}
