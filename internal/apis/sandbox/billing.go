package sandbox

import (
	"time"

	"github.com/storeglass/storeglass/internal/apis/sandbox/world"
)

// LapsePlan ends a store's plan of the gift app. As documented, the next request with any Store API key of the store
// gets NO_PLAN and revokes all of its keys; after that they are unknown.
func (s *Server) LapsePlan(slug string) {
	s.shop(slug).Billing.Change(func(b *world.Billing) { b.Lapsed = true })
}

// EndTrial sets when a store's trial ends, which /plan reports until then. After that the plan has lapsed.
func (s *Server) EndTrial(slug string, at time.Time) {
	s.shop(slug).Billing.Change(func(b *world.Billing) { b.Lapsed, b.Paid, b.Trial = false, false, at })
}

// RestorePlan pays for a store's plan. Revoked keys stay unknown: Renew gives new ones.
func (s *Server) RestorePlan(slug string) {
	s.shop(slug).Billing.Change(func(b *world.Billing) { b.Lapsed, b.Paid, b.Trial = false, true, time.Time{} })
}
