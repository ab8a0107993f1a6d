package components

import (
	"cmp"
	"maps"
	"net/url"
	"slices"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/views/components/form"
)

// Picker is the window picker: presets, a custom range and what to compare
// with. All of it is links and one GET form, so the choice is in the address
// bar and works without JavaScript.
type Picker struct {
	Path   string
	Choice report.Choice
	// Error is why the requested window is invalid; nil if it is valid.
	Error *report.ChoiceError
	// Keep are the address's other parameters.
	Keep url.Values
	// Only are the named windows that can be chosen; nil means all.
	Only []report.Preset
}

// presets are the presets that can be chosen, in order.
func (p Picker) presets() []report.PresetChoice {
	return slices.DeleteFunc(slices.Clone(report.Presets), func(each report.PresetChoice) bool {
		return p.Only != nil && !slices.Contains(p.Only, each.Preset)
	})
}

// PresetName is the name of a preset: "30 days".
func PresetName(l locale.Locale, p report.Preset) string { return l.T("window.preset." + string(p)) }

// kept are a form's hidden fields.
func (p Picker) kept() []form.Kept {
	out := form.KeptOf(p.Keep)
	for _, name := range ownParams {
		if value := p.Choice.Query().Get(name); value != "" {
			out = append(out, form.Kept{Name: name, Value: value})
		}
	}
	return out
}

// ownParams are choices that stay when the window changes.
var ownParams = []string{"compare", "group"}

// presetHref keeps the comparison and the grouping.
func (p Picker) presetHref(preset report.Preset) string {
	q := url.Values{}
	if preset != report.Last30 {
		q.Set("window", string(preset))
	}
	for _, name := range ownParams {
		if value := p.Choice.Query().Get(name); value != "" {
			q.Set(name, value)
		}
	}
	return p.href(q)
}

// compareHref keeps the window.
func (p Picker) compareHref(c report.Comparison) string {
	q := p.Choice.Query()
	q.Del("compare")
	whole := p.Choice.Preset == report.AllTime || p.Choice.Preset == report.TodayOnly
	if c != report.ComparePrevious || whole { // those two have no comparison by default
		q.Set("compare", string(c))
	}
	return p.href(q)
}

func (p Picker) href(q url.Values) string {
	maps.Copy(q, p.Keep)
	return WithQuery(p.Path, q)
}

// ends are the dates in the form: the chosen ones, or invalid ones that were requested, if a
// date field can hold them.
func (p Picker) ends() (start, end string) {
	if p.Error != nil && p.Error.Start+p.Error.End != "" {
		return dateOrNone(p.Error.Start), dateOrNone(p.Error.End)
	}
	return p.Choice.Window.Start.String(), p.Choice.Window.End.String()
}

func dateOrNone(written string) string {
	if _, err := civil.ParseDate(written); err != nil {
		return ""
	}
	return written
}

// current names the chosen window.
func (p Picker) current(l locale.Locale) string {
	if w := p.Choice.Window; p.Choice.Preset == report.Custom {
		return l.DatesNear(w.Start, w.End, p.Choice.Today)
	}
	return PresetName(l, cmp.Or(p.Choice.Preset, report.Last30))
}

// barred reports whether the choice is in the bar.
func (p Picker) barred() bool {
	return slices.ContainsFunc(report.Presets, func(each report.PresetChoice) bool {
		return each.Bar && each.Preset == p.Choice.Preset
	})
}

// against names the comparison: "previous 30 days".
func (p Picker) against(l locale.Locale, c report.Comparison) string {
	switch {
	case c != report.ComparePrevious:
		return l.T("window.comparison." + string(c))
	case p.Choice.WholeMonths() == 1:
		return l.T("window.month_before")
	case p.Choice.WholeMonths() == 3:
		return l.T("window.quarter_before")
	case p.Choice.Window.Days() > 1:
		return l.T("window.days_before", "n", p.Choice.Window.Days())
	}
	return l.T("window.day_before")
}

// wrong says why the requested window is invalid.
func (p Picker) wrong(l locale.Locale) string {
	return l.T("window.wrong", "reason", p.Error.Reason.In(l))
}
