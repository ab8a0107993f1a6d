package main

import (
	"github.com/storeglass/storeglass/internal/snapshot"
)

// editor writes the weekly mails.
func (h *house) editor() *snapshot.Editor {
	return &snapshot.Editor{DB: h.db, Base: h.base()}
}
