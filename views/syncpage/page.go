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
	// PauseAction and ResumeAction are the addresses the buttons post to; empty for what
	// the reader may not do.
	PauseAction, ResumeAction string
	// CheckAction has refused tokens checked now; empty where none is, or the reader may not.
	CheckAction string
	// Notice says what the last action did; empty when there was none.
	Notice string
}
