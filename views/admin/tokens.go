package admin

import (
	"time"

	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/components/form"
)

// TokensPage lists tokens of the JSON API, for anyone who manages people.
type TokensPage struct {
	components.Base
	Rows []TokenRow
	// NewHref leads to the form of a new one.
	NewHref string
	// Notice says what the last action did, Problem why it failed; both may be empty.
	Notice, Problem string
}

// TokenRow is a token in the list.
type TokenRow struct {
	Name, MadeBy, Reads string
	Made, Used, Revoked time.Time
	// Until is when it expires. Ended says why it no longer works although it wasn't revoked.
	Until time.Time
	Ended string
	// Action is the address that revokes it; empty if it is revoked.
	Action string
}

// NewTokenPage is the form of a new token.
type NewTokenPage struct {
	components.Base
	// Name is what was typed, and Days how long it lasts, as the form's value; empty means a
	// year.
	Name, Days string
	Reach      ReachChoice
	// Wrong says why the last try failed.
	form.Wrong
}

// lives are the choices of how long a token lasts.
func (p NewTokenPage) lives() []form.Choice {
	return []form.Choice{{Value: "30", Label: p.Locale.Days(30)}, {Value: "90", Label: p.Locale.Days(90)}, {Value: "365", Label: p.T("tokens.new.year")}}
}
