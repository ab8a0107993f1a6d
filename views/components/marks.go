package components

import (
	"cmp"
	"unicode/utf8"

	"github.com/storeglass/storeglass/internal/locale"
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

// stateSign is the class of a state's icon and its symbol.
func stateSign(state string) (class, symbol string) {
	switch state {
	case "active", "scheduled", "expired", "off", "waiting", "person", "filling":
		return "dot st-" + state, "st-" + state
	case "slot":
		return "dot st-slot", "st-filling"
	}
	return "dot st-none", "st-expired"
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

// Named is a name, or text saying that there is none.
func Named(l locale.Locale, name string) string { return cmp.Or(name, l.T("common.no_name")) }
