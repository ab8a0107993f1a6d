// Package find shows what was found by its name.
package find

import (
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/views/components"
)

// Page is the list of what was found.
type Page struct {
	components.Base
	// Query is what was asked for; empty lists what is near.
	Query string
	// In is "stores" where only stores were looked for, and At the page of theirs that the
	// results lead to, as an address below a store's.
	In, At  string
	Results []Result
}

// Result is one thing that was found.
type Result struct {
	Name string
	// Of says whose it is: a page's store, a store's currency.
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
func (p Page) kept() (fields [][2]string) {
	for _, f := range append([][2]string{{"in", p.In}, {"at", p.At}}, components.WindowFields(p.Reader.Window)...) {
		if f[1] != "" {
			fields = append(fields, f)
		}
	}
	return fields
}
