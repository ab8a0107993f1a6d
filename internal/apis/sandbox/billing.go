package sandbox

import (
	"sync"
	"time"

	"github.com/golang-sql/civil"
)

// billing is whether a store has a plan of the gift app. The zero one is as its giftPlan says.
type billing struct {
	mu     sync.Mutex
	lapsed bool
	paid   bool      // the trial was paid for
	trial  time.Time // when a trial ends that was set by hand
}

// LapsePlan ends a store's plan of the gift app. As the document says, the next request with any Store API key of the store is answered
// NO_PLAN and revokes every one of them; later ones are unknown.
func (s *Server) LapsePlan(slug string) {
	s.shop(slug).billing.change(func(b *billing) { b.lapsed = true })
}

// EndTrial says when the trial of a store ends, which /plan tells until then. From that moment on the plan has lapsed.
func (s *Server) EndTrial(slug string, at time.Time) {
	s.shop(slug).billing.change(func(b *billing) { b.lapsed, b.paid, b.trial = false, false, at })
}

// RestorePlan pays for a store's plan. Keys that were revoked meanwhile stay unknown: Renew gives new ones.
func (s *Server) RestorePlan(slug string) {
	s.shop(slug).billing.change(func(b *billing) { b.lapsed, b.paid, b.trial = false, true, time.Time{} })
}

func (b *billing) change(do func(*billing)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	do(b)
}

// good tells whether the store has a plan.
func (b *billing) good(at time.Time) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return !b.lapsed && (b.trial.IsZero() || at.Before(b.trial))
}

// trialEnd is when the running trial ends, if there is one. One that nobody set ends a month after the current one.
func (sh *shop) trialEnd(month civil.Date) (string, bool) {
	sh.billing.mu.Lock()
	defer sh.billing.mu.Unlock()
	switch b := &sh.billing; {
	case !b.trial.IsZero():
		return b.trial.UTC().Format(platformTime), true
	case sh.gift.trial && !b.paid:
		return sh.monthStart(month, 2), true
	}
	return "", false
}
