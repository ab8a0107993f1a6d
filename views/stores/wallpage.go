package stores

import (
	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/report/portfolio"
	"github.com/storeglass/storeglass/views/components"
)

// WallPage is the list of stores for a screen on a wall: what needs attention first, then how
// fresh the numbers are, then the stores. It reloads every minute.
type WallPage struct {
	components.Base
	List portfolio.Portfolio
	// Name is the saved view's; empty means every store.
	Name string
	// Asks is the list's query in words.
	Asks string
	// Theme is "dark", "light" or "system"; Chosen: the address says so, not the browser.
	Theme  string
	Chosen bool
	// ListHref is the same list for a desk.
	ListHref string
	// SignedOut: the session has ended, so there are no numbers. SignInHref is the way back.
	SignedOut  bool
	SignInHref string
}

// title heads the screen.
func (p WallPage) title() string {
	switch {
	case p.SignedOut:
		return p.T("stores.wall.signed_out")
	case p.Name != "":
		return p.Name
	}
	return p.T("stores.title")
}

// asOf is when the page was made, with its date.
func (p WallPage) asOf() string {
	at := p.Now.UTC()
	return p.T("stores.wall.as_of", "time", p.Locale.Time(at), "day", p.Locale.DayYear(civil.DateOf(at)))
}
