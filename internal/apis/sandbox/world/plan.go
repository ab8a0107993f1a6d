package world

import (
	"sync"
	"time"

	"github.com/golang-sql/civil"
)

// Billing is whether a store has a plan of the gift app. The zero value follows the store's
// giftPlan.
type Billing struct {
	mu     sync.Mutex
	Lapsed bool
	Paid   bool      // the trial was paid for
	Trial  time.Time // end of a trial that was set by hand
}

func (b *Billing) Change(do func(*Billing)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	do(b)
}

// Good reports whether the store has a plan.
func (b *Billing) Good(at time.Time) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return !b.Lapsed && (b.Trial.IsZero() || at.Before(b.Trial))
}

// TrialEnd is when the running trial ends, if there is one. Unless set by hand, it ends a month after the current
// one.
func (sh *Shop) TrialEnd(month civil.Date) (string, bool) {
	sh.Billing.mu.Lock()
	defer sh.Billing.mu.Unlock()
	switch b := &sh.Billing; {
	case !b.Trial.IsZero():
		return b.Trial.UTC().Format(PlatformTime), true
	case sh.Gift.Trial && !b.Paid:
		return sh.MonthStart(month, 2), true
	}
	return "", false
}

// giftPlan is the gift app's side of a store.
type giftPlan struct {
	Plan, Platform string
	Trial          bool  // nothing is paid yet
	CampaignLimit  int   // 0 means unlimited
	RevenueLimit   int64 // minor units a month; 0 means unlimited
	Theme          string
	Blocks, Embed  bool     // the theme supports app blocks; the embed is turned on
	Languages      []string // the store's own first; empty means a plain install without its own texts, widgets and settings
}

const PlatformTime = "2006-01-02T15:04:05.000Z"

// MonthStart is the first moment of a month on the store's clock, on months after the first.
func (sh *Shop) MonthStart(first civil.Date, on int) string {
	return time.Date(first.Year, first.Month+time.Month(on), 1, 0, 0, 0, 0, sh.loc).UTC().Format(PlatformTime)
}
