package trend

import (
	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/views/components"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report/overview"
	"github.com/storeglass/storeglass/views/components/chart"
)

// tip is a point's tooltip: its numbers, their difference, what is compared, and what happened.
func (t Panel) tip(l locale.Locale, m metric, i int) chart.Tip {
	p, against := t.points()[i], t.against()
	tip := chart.Tip{Title: t.pointTitle(l, p)}
	value := m.at(p)
	row := chart.TipRow{Tone: chart.TipNow, Name: l.T("chart.tip.now", "day", t.shortName(l, p)), Value: l.T("chart.missing")}
	switch {
	case value == nil:
	case p.Partial:
		row.Value = l.T("chart.value_so_far", "value", m.words(*value))
	case p.Repaired:
		row.Value = l.T("chart.value_filled_in", "value", m.words(*value))
	default:
		row.Value = m.words(*value)
	}
	tip.Rows = append(tip.Rows, row)
	compared := i < len(against)
	if compared {
		name := l.T("chart.tip.then", "day", t.shortName(l, against[i]))
		if (p.Part() || against[i].Part()) && p.DaysCounted != against[i].DaysCounted {
			value = nil // a week that lacks days is less than a whole one for no other reason
		}
		tip.Rows = append(tip.Rows, chart.CompareTip(l, name, value, m.at(against[i]), m.words, m.difference)...)
	}
	for _, g := range t.Trend.Goals {
		if goal := goalAt(g, p); goal != nil && g.Orders == m.orders {
			tip.Rows = append(tip.Rows, chart.TipRow{Tone: chart.TipGoal, Name: l.T("chart.tip.goal"), Value: m.words(*goal)})
		}
	}
	tip.Notes = t.basis(l, p, compared && m.at(against[i]) != nil)
	if compared && p.Until == nil {
		tip.Notes = append(chart.WeekdayTip(l, p.Day, against[i].Day), tip.Notes...)
	}
	tip.Notes = append(tip.Notes, t.happened(l, p)...)
	return tip
}

// basis says where the point's numbers come from.
func (t Panel) basis(l locale.Locale, p overview.DayPoint, compared bool) (notes []string) {
	switch {
	case p.Partial:
		notes = append(notes, l.T("chart.tip.today"))
	case !p.Stored || p.Repaired:
	case p.Until != nil:
		notes = append(notes, l.T("chart.tip.added"))
		if len(p.Missing) > 0 {
			notes = append(notes, l.T("chart.missing_days", "n", len(p.Missing), "days", components.MissingWords(l, p.Missing, civil.DateOf(t.Now))))
		}
	case compared:
		notes = append(notes, l.T("chart.tip.both"))
	default:
		notes = append(notes, l.T("chart.tip.reported"))
	}
	if p.Revised {
		notes = append(notes, l.T("chart.tip.revised"))
	}
	return notes
}

// mostNamed is how many things that happened at one point are named in its tip.
const mostNamed = 3

// happened are the starts, ends and notes of a point.
func (t Panel) happened(l locale.Locale, p overview.DayPoint) (notes []string) {
	for _, n := range t.Trend.Notes {
		if !n.End.Before(p.Day) && !n.Start.After(p.Last()) {
			notes = append(notes, l.T("chart.tip.note", "text", cut(n.Text)))
		}
	}
	more := 0
	for _, m := range t.Trend.Marks {
		switch {
		case m.Day.Before(p.Day) || m.Day.After(p.Last()):
		case len(notes) == mostNamed:
			more++
		default:
			notes = append(notes, cut(markText(l, m)))
		}
	}
	if more > 0 {
		notes = append(notes, l.T("chart.tip.more", "n", more))
	}
	return notes
}

// cut limits a text to two lines of a tooltip.
func cut(text string) string {
	if letters := []rune(text); len(letters) > 90 {
		return string(letters[:88]) + "…"
	}
	return text
}

// pointTitle names a point in full.
func (t Panel) pointTitle(l locale.Locale, p overview.DayPoint) string {
	if p.Until != nil {
		return t.pointName(l, p)
	}
	return l.DayLong(p.Day)
}

// shortName names a point with its weekday, and with its year if it isn't this year.
func (t Panel) shortName(l locale.Locale, p overview.DayPoint) string {
	switch today := civil.DateOf(t.Now); {
	case p.Until != nil:
		return l.DatesNear(p.Day, *p.Until, today)
	case p.Day.Year != today.Year:
		return l.WeekdayYear(p.Day)
	}
	return l.Weekday(p.Day)
}
