package report

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

func notCompared(o Overview) string {
	s, w := o.Summary, o.Tongue.Words()
	switch {
	case len(s.Provenance.Missing) > 0:
		return w.DaysAreMissing()
	case !s.Provenance.Comparable():
		return w.AnswerNotWhole()
	case s.Previous != nil && s.Previous.Currency != s.Currency:
		return w.OtherCurrency()
	}
	return w.NotFullyStored(o.Tongue.Dates(*o.Choice.Against))
}

// weekNamed is the week in a sentence: empty for the last one.
func weekNamed(o Overview) string {
	if ago := o.Choice.Today.DaysSince(o.Choice.Window.End); ago >= 1 && ago <= 7 {
		return ""
	}
	return o.Tongue.Dates(o.Choice.Window)
}

func noOffersExist(o Overview) bool {
	return o.Top.Empty != nil && o.Top.Empty.Cause == CauseNoOffers || o.Placements.ShopOfferCount != nil && *o.Placements.ShopOfferCount == 0
}

// weekHeadline is the week in one sentence.
func weekHeadline(o Overview) string {
	s, t, w, week := o.Summary, o.Tongue, o.Tongue.Words(), weekNamed(o)
	value := t.Money(s.TotalUpsoldValue, s.Currency).String()
	nothing := s.TotalUpsoldValue.IsZero() && s.TotalUpsoldOrders == 0
	switch {
	case s.Empty != nil && noOffersExist(o):
		return w.NoOfferYet(week)
	case s.Empty != nil:
		return w.NoNumbersYet(week)
	case s.counted() < 7:
		return w.BroughtOn(value, s.counted(), week)
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
	case Up, Down:
		return w.BroughtMore(value, d, week)
	case Level:
		return w.BroughtAsMuch(value, week)
	}
	return w.BroughtAfterNothing(value, week)
}

// weekSubject follows the store's name.
func weekSubject(o Overview) string {
	s, w, dates := o.Summary, o.Tongue.Words(), o.Tongue.DatesShort(o.Choice.Window)
	value := o.Tongue.Money(s.TotalUpsoldValue, s.Currency).String()
	switch {
	case s.Empty != nil && !noOffersExist(o):
		return w.SubjectNoNumbers(dates)
	case noOffersExist(o) && s.TotalUpsoldValue.IsZero():
		return w.SubjectNoOffers(dates)
	case s.counted() < 7:
		return w.SubjectOn(value, s.counted(), dates)
	}
	return w.Subject(value, dates)
}

// counted is how many days are in the numbers.
func (s Summary) counted() int { return s.Provenance.Window.Days() - len(s.Provenance.Missing) }

// OneLine takes a name as the services sent it onto one line of at most n
// characters, without signs that turn the direction of what follows.
func OneLine(text string, n int) string {
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
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToLower(first)) + text[size:]
}

func upperFirst(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}
