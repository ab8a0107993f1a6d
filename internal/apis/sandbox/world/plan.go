package world

import (
	"sync"
	"time"

	"github.com/golang-sql/civil"
)

// billing is whether a store has a plan of the gift app. The zero one is as its giftPlan says.
type Billing struct {
	mu     sync.Mutex
	Lapsed bool
	Paid   bool      // the trial was paid for
	Trial  time.Time // when a trial ends that was set by hand
}

func (b *Billing) Change(do func(*Billing)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	do(b)
}

// good reports whether the store has a plan.
func (b *Billing) Good(at time.Time) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return !b.Lapsed && (b.Trial.IsZero() || at.Before(b.Trial))
}

// trialEnd is when the running trial ends, if there is one. One that nobody set ends a month after the current one.
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
	CampaignLimit  int   // 0 is unlimited
	RevenueLimit   int64 // minor units a month; 0 is unlimited
	Theme          string
	Blocks, Embed  bool     // the theme supports app blocks; the embed is switched on
	Languages      []string // the store's own first; none is a plain install without wording, widgets and settings of its own
}

const PlatformTime = "2006-01-02T15:04:05.000Z"

// monthStart is the first moment of a month on the store's clock, so many months on.
func (sh *Shop) MonthStart(first civil.Date, on int) string {
	return time.Date(first.Year, first.Month+time.Month(on), 1, 0, 0, 0, 0, sh.loc).UTC().Format(PlatformTime)
}
