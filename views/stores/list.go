// Package stores shows a person's stores side by side and on a wall, their saved views,
// and how a store is connected, changed and removed.
package stores

import (
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/offers"
	"github.com/storeglass/storeglass/internal/report/portfolio"
	"github.com/storeglass/storeglass/views/components"
)

// ListPage is the list of the stores that a person may see (picture 05).
type ListPage struct {
	components.Base
	List portfolio.Portfolio
	// Error is why part of the query is invalid; nil if it is valid.
	Error *report.ChoiceError
	// Empty is set if the person sees no stores.
	Empty *report.Empty
	Views []SavedView
	// Plain is the address of the list without a query, which differs from Path if a saved view
	// opens by default.
	Plain string
	// SaveHref, ViewsHref and WallHref are the addresses of views and wallboard; empty if there
	// are none.
	SaveHref, ViewsHref, WallHref string
	// CheckAction has refused tokens checked now; empty if there are none, or the reader may
	// not.
	CheckAction string
	// MadeUp is how many made-up stores the reader may remove, by RemoveMadeUpAction.
	MadeUp             int
	RemoveMadeUpAction string
	// Notice says what was done last; empty for nothing.
	Notice string
	// ReplyHref is the address of the raw reply behind a number of a store; nil shows none.
	ReplyHref func(slug string, p report.Provenance) string
}

// WelcomePage is what the first admin sees before there is a store.
type WelcomePage struct {
	components.Base
	// ConnectHref leads to connecting a store, MadeUpAction adds made-up ones.
	ConnectHref, MadeUpAction string
}

// noMatch says that no store matches the filters.
func (p ListPage) noMatch() report.Empty {
	return report.Empty{
		Cause: offers.CauseNoMatch, Title: p.T("stores.no_match.title"),
		Text:   p.T("stores.no_match.text", "n", p.List.Known),
		Action: p.T("stores.no_match.action", "n", p.List.Known), Href: p.Plain,
	}
}

// ViewsPage is where a person's saved views are renamed, chosen to open first, and deleted.
type ViewsPage struct {
	components.Base
	Views []SavedView
	// Notice says what was done last; Problem why a form was refused, keeping what was typed.
	Notice, Problem string
	// ProblemID is the view whose form was refused; Name is what was typed there.
	ProblemID int64
	Name      string
}
