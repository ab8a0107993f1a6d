package sandbox

import (
	"time"

	"github.com/storeglass/storeglass/internal/apis/sandbox/world"
)

// LapsePlan ends a store's plan of the gift app. As the document says, the next request with any Store API key of the store is answered
// NO_PLAN and revokes every one of them; later ones are unknown.
func (s *Server) LapsePlan(slug string) {
	s.shop(slug).Billing.Change(func(b *world.Billing) { b.Lapsed = true })
}

// EndTrial says when the trial of a store ends, which /plan tells until then. From that moment on the plan has lapsed.
func (s *Server) EndTrial(slug string, at time.Time) {
	s.shop(slug).Billing.Change(func(b *world.Billing) { b.Lapsed, b.Paid, b.Trial = false, false, at })
}

// RestorePlan pays for a store's plan. Keys that were revoked meanwhile stay unknown: Renew gives new ones.
func (s *Server) RestorePlan(slug string) {
	s.shop(slug).Billing.Change(func(b *world.Billing) { b.Lapsed, b.Paid, b.Trial = false, true, time.Time{} })
}
