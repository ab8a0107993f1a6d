package components

import (
	"net/url"
	"slices"

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
	// Error is why the asked window is not one; nil when it is.
	Error *report.ChoiceError
	// Keep is what else the address says; it stays.
	Keep url.Values
	// Only are the named windows that can be chosen; nil is all.
	Only []report.Preset
}

// preset is a named window of the picker.
type preset struct {
	Preset report.Preset
	Label  string
	Bar    bool
}

// presets are those that can be chosen, in order.
func (p Picker) presets() []preset {
	var out []preset
	for _, each := range report.Presets {
		if p.Only == nil || slices.Contains(p.Only, each.Preset) {
			out = append(out, preset(each))
		}
	}
	return out
}

// kept is what a form hands on unseen.
func (p Picker) kept() []form.Kept {
	out := form.KeptOf(p.Keep)
	if compare := p.Choice.Query().Get("compare"); compare != "" {
		out = append(out, form.Kept{Name: "compare", Value: compare})
	}
	return out
}

// presetHref keeps what is compared with.
func (p Picker) presetHref(preset report.Preset) string {
	q := url.Values{}
	if preset != report.Last30 {
		q.Set("window", string(preset))
	}
	if compare := p.Choice.Query().Get("compare"); compare != "" {
		q.Set("compare", compare)
	}
	return p.href(q)
}

// compareHref keeps the window.
func (p Picker) compareHref(c report.Comparison) string {
	q := p.Choice.Query()
	q.Del("compare")
	whole := p.Choice.Preset == report.AllTime || p.Choice.Preset == report.TodayOnly
	if c != report.ComparePrevious || whole { // those two are compared with nothing unless asked
		q.Set("compare", string(c))
	}
	return p.href(q)
}

func (p Picker) href(q url.Values) string {
	for name, values := range p.Keep {
		q[name] = values
	}
	return WithQuery(p.Path, q)
}

// current names the chosen window.
func (p Picker) current() string {
	if p.Choice.Preset == report.Custom {
		return p.Choice.Window.Near(p.Choice.Today)
	}
	for _, preset := range report.Presets {
		if preset.Preset == p.Choice.Preset {
			return preset.Label
		}
	}
	return "30 days"
}

// barred reports whether the choice stands in the bar.
func (p Picker) barred() bool {
	for _, preset := range report.Presets {
		if preset.Preset == p.Choice.Preset {
			return preset.Bar
		}
	}
	return false
}

// against names the comparison: "previous 30 days".
func (p Picker) against(c report.Comparison) string {
	if c == report.ComparePrevious {
		if p.Choice.Preset == report.LastMonth {
			return "the month before"
		}
		if days := p.Choice.Window.Days(); days > 1 {
			return "previous " + locale.English.Days(days)
		}
		return "the day before"
	}
	for _, each := range report.Comparisons {
		if each.Comparison == c {
			return each.Label
		}
	}
	return "nothing"
}
