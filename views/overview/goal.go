package overview

import (
	"strings"

	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/views/components"
)

// goalShown reports whether the page says the store's progress toward its goal, or offers to
// set one. Clients never see it.
func (p Page) goalShown() bool { return p.Shared == nil && (p.Goal != nil || p.SettingsHref != "") }

// goalSource is the provenance of what was sold.
func (p Page) goalSource() components.Source {
	src := p.source("goal", "goal", p.Goal.Title().In(p.Locale), "", p.Goal.Provenance)
	src.Value, src.Code = p.Goal.Write(p.Locale, *p.Goal.Sold), p.Goal.Currency
	return src
}

// goalLeft is how much of the month is left.
func (p Page) goalLeft() string {
	if p.Goal.Left == 0 {
		return p.T("goal.over")
	}
	return p.T("goal.left", "n", p.Goal.Left)
}

// goalCounted says what was counted and on which days.
func (p Page) goalCounted() string {
	g, l := p.Goal, p.Locale
	if g.Provenance.Window == nil {
		return l.T("goal.card.none_counted", "month", g.MonthName())
	}
	w := *g.Provenance.Window
	return report.Sentence(strings.Join([]string{l.Dates(w.Start, w.End), g.Unit().In(l), g.Provenance.Basis.In(l)}, " · "))
}
