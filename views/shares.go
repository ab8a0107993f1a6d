package views

import (
	"strings"

	"github.com/a-h/templ"

	"github.com/storeglass/storeglass/internal/report"
)

// SharesPage lists a store's share links, for who looks after them.
type SharesPage struct {
	Base
	Rows    []ShareRow
	NewHref string
	// Notice says what was just done, Problem why it was not; both may be empty.
	Notice, Problem string
}

// ShareRow is one share link; its address is not known any more.
type ShareRow struct {
	Label, MadeBy, Made string
	// Shows are its pages, Days its window, in words.
	Shows, Days string
	Password    bool
	// Sign chooses the sign before State, which tells until when it works, or why not.
	Sign, State string
	// Opened is how often, Last when for the last time; empty when never.
	Opened int64
	Last   string
	// Action revokes it; empty for one that works no more.
	Action string
}

// NewSharePage is the form of a share link.
type NewSharePage struct {
	Base
	// Action is the address the form posts to, BackHref the list.
	Action, BackHref string
	Form             ShareForm
	Pages            []ShareChoice
	// Latest is the last day a link may work on, Today the store's day.
	Today, Latest string
	// Field is the one that is wrong, Problem says why; both are empty at first.
	Field, Problem string
}

// wrong marks an input of the field if that is the wrong one; help describes it besides.
func (p NewSharePage) wrong(field string, help ...string) templ.Attributes {
	out := invalid(p.Field == field)
	if p.Field == field {
		help = append([]string{"h-problem"}, help...)
	}
	if len(help) > 0 {
		out["aria-describedby"] = strings.Join(help, " ")
	}
	return out
}

// ShareForm is what was typed; never the password.
type ShareForm struct {
	Label string
	Pages []string
	// Fixed: the days from Start to End; else those of Preset.
	Fixed              bool
	Preset, Start, End string
	Until              string
}

// ShareChoice is a page that a link can show.
type ShareChoice struct{ Value, Label, Says string }

// ShareDays is a link's window in words.
func ShareDays(preset string, w report.Window) string {
	if preset == "" {
		return w.Label()
	}
	for _, p := range report.Presets {
		if string(p.Preset) == preset {
			return p.Label + ", moving"
		}
	}
	return preset
}

// SharePasswordPage asks a reader of a share link for its password. It names neither
// the store nor what the link shows.
type SharePasswordPage struct {
	Base
	// Action is the address the form posts to, Next where to go afterwards.
	Action, Next string
	// Problem says why the last try failed; empty when none did.
	Problem string
}
