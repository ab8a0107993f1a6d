package views

import "github.com/storeglass/storeglass/internal/report"

func (p SyncView) state() string {
	switch {
	case p.Sync.Person > 0 && !p.Sync.Paused:
		return "person"
	}
	return p.Sync.Freshness.Sign()
}

// SyncView is a store's Sync page (picture 09).
type SyncView struct {
	Base
	Sync report.Sync
	// PullAction, PauseAction and ResumeAction are the addresses the buttons post to;
	// empty for what the reader may not do.
	PullAction, PauseAction, ResumeAction string
	// CheckAction has refused tokens checked now; empty where none is, or the reader may not.
	CheckAction string
	// Notice says what the last action did; empty when there was none.
	Notice string
}
