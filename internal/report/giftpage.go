package report

import (
	"slices"
	"strings"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/locale"
)

// Gift is everything on a store's Gifts page. Nothing on it is added to upsells (N3).
type Gift struct {
	Store     Store
	Now       time.Time // on the store's clock
	Choice    Choice
	Freshness Freshness
	// Trouble is set when the gift service needs attention: no call is made until then.
	Trouble   *Trouble
	Analytics GiftAnalytics
	// Today is the answer that holds the running day; nil when none was pulled today,
	// or when it is what Analytics shows.
	Today        *GiftAnalytics
	History      GiftHistory
	Health       SetupHealth
	Plan         Plan
	Campaigns    Campaigns
	Widgets      GiftWidgets
	Settings     SavedSettings
	Translations GiftTranslations
}

// StoredGiftPage is what the Gifts page is made of: the gift rows of Stored, and
// what no other page shows.
type StoredGiftPage struct {
	Stored
	// Today is the newest answer that holds the running day; nil when there is none.
	Today *StoredGift
	// LastGiftDay is the last day of the daily gift series; zero when none is stored.
	LastGiftDay civil.Date
	// Check is the nightly comparison of the chosen window; nil when not made.
	Check        *Check
	PlanDays     []StoredPlanDay
	Widgets      []StoredWidget
	Settings     *StoredFound
	Translations []StoredTranslation
}

// StoredFound is a stored answer that can be "there is none".
type StoredFound struct {
	Found bool
	StoredJSON
}

// NewGift makes everything on a store's Gifts page from its stored rows, in words of l.
func NewGift(l locale.Locale, in StoredGiftPage, c Choice, now time.Time) Gift {
	b := giftBuilder{Builder{In: in.Stored, Choice: c, Now: now, Locale: l}, in}
	g := Gift{
		Store: in.Store, Now: b.OnStoreClock(now), Choice: c,
		Freshness: b.freshness(), Trouble: b.giftTrouble(),
		Analytics: b.Gift(), History: b.giftHistory(), Health: b.Health(), Campaigns: b.campaigns(),
		Widgets: b.widgets(), Settings: b.settings(), Translations: b.translations(),
	}
	g.History.Provenance.Check = in.Check
	g.Plan = b.projected(b.plan(), in.PlanDays)
	if t := in.Today; t != nil && t.Window.End == c.Today && c.Window.End != c.Today {
		today := b.giftAnswer(b.todayAlone(*t))
		today.Provenance.Asked = nil
		today.Provenance.Flags = slices.DeleteFunc(slices.Clone(today.Provenance.Flags), func(f Flag) bool { return f == FlagWindowDiffers }) // it was asked for apart
		g.Today = &today
	}
	return g
}

// Nothing reports whether no panel has anything to show: then one says why.
func (g Gift) Nothing() bool {
	return g.Analytics.Empty != nil && g.History.Empty != nil && g.Health.Empty != nil && g.Plan.Empty != nil &&
		g.Campaigns.Empty != nil && g.Widgets.Empty != nil && g.Settings.Empty != nil && g.Translations.Empty != nil
}

// giftBuilder makes the panels of the Gifts page.
type giftBuilder struct {
	Builder
	page StoredGiftPage
}

// freshness is the gift service's own: upsells that still come in make no gift younger.
func (b giftBuilder) freshness() Freshness {
	var pulled time.Time
	for _, l := range b.In.Ledger {
		if l.Service == "gift" && l.LastGoodAt.After(pulled) {
			pulled = l.LastGoodAt
		}
	}
	f := NewFreshness(b.Locale, pulled, b.page.LastGiftDay, b.Now, b.Choice.Today)
	f.Paused = b.In.Paused
	if b.stopped("gift") {
		f.State = "failed"
	}
	return f
}

// giftTrouble is the page's banner: what happened, what helps, and what is shown
// meanwhile. nil while calls are made.
func (b giftBuilder) giftTrouble() *Trouble {
	for _, c := range b.In.Credentials {
		if c.Service != "gift" || !c.Stopped() {
			continue
		}
		t := b.refused(c)
		if cause := strings.ToLower(c.Cause); c.NeedsPerson() && locale.Has("gift.paused."+cause) {
			t.Title = b.T("gift.paused." + cause)
		}
		var good time.Time
		for _, l := range b.In.Ledger {
			if l.Service == "gift" && l.LastGoodAt.After(good) {
				good = l.LastGoodAt
			}
		}
		if !good.IsZero() {
			t.Text += " " + b.T("gift.stopped.last_good", "day", b.DayAt(good))
		}
		if c.NextProbe.IsZero() {
			t.Text += " " + b.T("gift.stopped.no_calls")
		}
		return &t
	}
	return nil
}
