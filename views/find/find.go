// Package find shows search results.
package find

import (
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/components/form"
)

// Page is the list of what was found.
type Page struct {
	components.Base
	// Query is the search term; empty lists what is close at hand.
	Query string
	// In is "stores" if only stores were searched, and At the page that the results lead to, as
	// an address below a store's.
	In, At  string
	Results []Result
}

// Result is one thing that was found.
type Result struct {
	Name string
	// Of is what it belongs to: a page's store, a store's currency.
	Of   string
	Href string
}

// said is how many were found.
func (p Page) said() string {
	if len(p.Results) == 0 {
		return p.T("find.none", "text", locale.Name(p.Query))
	}
	return p.T("find.found", "n", len(p.Results))
}

// kept are the hidden fields that go with the next search.
func (p Page) kept() []form.Kept {
	return append([]form.Kept{{Name: "in", Value: p.In}, {Name: "at", Value: p.At}}, p.Reader.WindowFields()...)
}
