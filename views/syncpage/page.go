// Package syncpage shows what is pulled when, within which budget, and what is stored.
package syncpage

import (
	"github.com/storeglass/storeglass/internal/report/ledger"
	"github.com/storeglass/storeglass/views/components"
)

func (p Page) state() string {
	switch {
	case p.Sync.Person > 0 && !p.Sync.Paused:
		return "person"
	}
	return p.Sync.Freshness.Sign()
}

// Page is a store's Sync page (picture 09).
type Page struct {
	components.Base
	Sync ledger.Page
	// PauseAction and ResumeAction are the addresses the buttons post to; empty if the reader
	// may not do that.
	PauseAction, ResumeAction string
	// CheckAction has refused tokens checked now; empty if there are none, or the reader may
	// not.
	CheckAction string
	// Notice says what the last action did; empty if there was none.
	Notice string
}
