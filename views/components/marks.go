package components

import (
	"cmp"
	"strings"
	"unicode/utf8"

	"github.com/a-h/templ"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
)

// Tone says whether more is better. Views have no color.
type Tone bool

const (
	MoreIsGood Tone = true
	Plain      Tone = false
)

func deltaClass(d locale.Delta, tone Tone) string {
	switch {
	case d.Direction == locale.Up && tone == MoreIsGood:
		return "delta good"
	case d.Direction == locale.Down && tone == MoreIsGood:
		return "delta bad"
	case d.Direction == locale.Up, d.Direction == locale.Down, d.Direction == locale.Level:
		return "delta"
	}
	return "delta none"
}

// FigureClass is a value's class: a value of many characters uses a smaller font, so that it
// stays on one line next to others.
func FigureClass(class string, f locale.Figure, stale bool) string {
	if utf8.RuneCountInString(f.String()) > 11 {
		class += " v-long"
	}
	if stale {
		class += " stale-value"
	}
	return class
}

// FigureText is a number with its quiet part: cents, percent sign. No space may come between
// the two. If its box is too narrow, it breaks beside the currency.
func FigureText(f locale.Figure) templ.Component {
	m := make(Markup, 0, 64)
	part := func(text string) {
		if before, after, found := strings.Cut(text, "\u00a0"); found {
			m.Put("", before+"\u00a0", "<wbr>")
			text = after
		}
		m.Put("", text)
	}
	part(f.Main)
	if f.Muted != "" {
		m.Put(`<span class="quiet">`)
		part(f.Muted)
		m.Put(`</span>`)
	}
	return m.Component()
}

// Delta is a change: arrow, amount, word.
func Delta(d locale.Delta, tone Tone) templ.Component {
	if d.Direction == "" {
		return templ.NopComponent
	}
	m := make(Markup, 0, 128)
	m.Put(`<span class="`, deltaClass(d, tone), `">`)
	switch d.Direction {
	case locale.Up:
		m.Put(`<svg aria-hidden="true"><use href="#i-up"></use></svg>`)
	case locale.Down:
		m.Put(`<svg aria-hidden="true"><use href="#i-down"></use></svg>`)
	case locale.Level:
		m.Put("= ")
	}
	if d.Amount != "" {
		m.Put("", d.Amount+" ", `<span class="word">`, d.Word, `</span></span>`)
	} else {
		m.Put("", d.Word, `</span>`)
	}
	return m.Component()
}

// Badge is a short word in a box. kind is "", "line", "good", "warn" or "bad".
func Badge(kind, text string) templ.Component {
	m := make(Markup, 0, 64)
	m.Put(` <span class="`, badgeClass(kind), `">`, text, `</span>`)
	return m.Component()
}

func badgeClass(kind string) string {
	switch kind {
	case "line":
		return "tag tag-line"
	case "good":
		return "tag tag-good"
	case "warn":
		return "tag tag-warn"
	case "bad":
		return "tag tag-bad"
	}
	return "tag"
}

// StateSign is only the icon of a state; the word is next to it. state is "active",
// "scheduled", "expired", "off", "waiting", "slot", "person", "filling" or "none"; any other is
// drawn as "none".
func StateSign(state string) templ.Component {
	m := make(Markup, 0, 96)
	m.stateSign(state)
	return m.Component()
}

func (m *Markup) stateSign(state string) {
	symbol := state
	switch state {
	case "active", "scheduled", "expired", "off", "waiting", "person", "filling":
	case "slot":
		symbol = "filling"
	default:
		state, symbol = "none", "expired"
	}
	m.Put(`<svg class="dot st-`, state, `" aria-hidden="true"><use href="#st-`, symbol, `"></use></svg>`)
}

// State is a state's sign with its word.
func State(state, word string) templ.Component {
	m := make(Markup, 0, 160)
	m.Put(`<span class="state">`)
	m.stateSign(state)
	m.Put("", word, `</span>`)
	return m.Component()
}

// Shape is a placement's shape in its color; its name is next to it.
func Shape(p report.Placement) templ.Component {
	m := make(Markup, 0, 96)
	m.Put(`<svg class="shape p-`, p.Key(), `" aria-hidden="true"><use href="#p-`, p.Key(), `"></use></svg>`)
	return m.Component()
}

// OfferStatus maps a raw status to its state sign and word; one that the
// documents don't name is shown as sent (N31).
func OfferStatus(l locale.Locale, raw string) (state, word string) {
	switch raw {
	case "active", "scheduled", "expired":
		return raw, l.T("common.status." + raw)
	}
	return "none", raw
}

// Status is an offer's or a campaign's status; unknown draws a dash.
func Status(l locale.Locale, raw string, unknown bool) templ.Component {
	if raw == "" || unknown {
		return Markup(`<span class="q">–</span>`).Component()
	}
	return State(OfferStatus(l, raw))
}

// Icon draws a symbol of the sprite; it is decorative, the word is next to it.
func Icon(class, id string) templ.Component {
	m := make(Markup, 0, 96)
	m.Put(`<svg class="`, class, `" aria-hidden="true"><use href="#`, id, `"></use></svg>`)
	return m.Component()
}

// Named is a name, or text saying that there is none.
func Named(l locale.Locale, name string) string { return cmp.Or(name, l.T("common.no_name")) }
