package stores

import (
	"cmp"
	"math"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report/stores"
	"github.com/storeglass/storeglass/views/components/form"
)

// ServiceInput is the form fields of one service. The token isn't among them: it is never sent
// back to the page.
type ServiceInput struct {
	Service, Address string
	// Wrong says why the service was not connected.
	form.Wrong
	// Answered: the service accepted the token, but something else prevented saving.
	Answered bool
	// Optional: the form may leave this service out.
	Optional bool
}

// StoreInput is the form fields of a store as they were typed.
type StoreInput struct {
	Slug, Name, Timezone, HistoryDays string
	// Opened identifies what was stored when the form was opened; empty for a new store.
	Opened string
	// Wrong says what is wrong with a field, by its name.
	Wrong map[string]string
	// Zones are the clocks to choose from.
	Zones []stores.ZoneGroup
	// Named is the clock that the gift service names; empty if it names none.
	Named string
	// Sure is the clock that the person chose again after being told that the service names
	// another.
	Sure string
	// Pace is how many calls a minute may load the history.
	Pace int
}

// where says where in a service's app its address and token are.
func where(l locale.Locale, service string) []string {
	return []string{l.T("connect.where." + service + ".open"), l.T("connect.where." + service + ".address"), l.T("connect.where." + service + ".token")}
}

// fact is one line of what a service said.
type fact struct{ name, value, note string }

// factsOf are what a service said of its shop, in words.
func factsOf(l locale.Locale, c stores.CheckedService) []fact {
	said := func(value string) string { return cmp.Or(value, l.T("stores.row.not_reported")) }
	facts := []fact{{l.T("connect.shop"), said(c.Domain), ""}}
	if c.Service == "upsell" {
		facts = append(facts, fact{l.T("offers.title"), l.T("connect.offers", "n", c.Offers), ""})
	} else {
		plan := fact{l.T("sync.pull.gift_plan"), said(c.Plan), ""}
		if c.Paid != nil && !*c.Paid {
			plan.note = l.T("connect.not_paid")
		}
		facts = append(facts, plan)
		if c.ActiveCampaigns != nil {
			facts = append(facts, fact{l.T("gift.campaigns.title"), l.T("connect.active_now", "n", *c.ActiveCampaigns), ""})
		}
	}
	facts = append(facts, fact{l.T("stores.currency"), said(c.Currency), ""})
	if c.Service == "gift" {
		facts = append(facts, fact{l.T("connect.zone"), said(c.Timezone), ""})
	}
	return append(facts,
		fact{l.T("connect.address"), c.Address, ""},
		fact{l.T("connect.token." + c.Service), endsIn(l, c.Tail), ""},
		fact{l.T("connect.access"), l.T("stores.service.level." + c.Service), ""})
}

// endsIn shows the end of a token, to tell tokens apart.
func endsIn(l locale.Locale, tail string) string {
	if tail == "" {
		return l.T("connect.too_short")
	}
	return l.T("connect.ends_in", "tail", tail)
}

// since is a moment as a day on the store's clock, "20 Nov 2026".
func since(l locale.Locale, t, now time.Time) string {
	if t.IsZero() {
		return "–"
	}
	return l.DayYear(civil.DateOf(t.In(now.Location())))
}

// fillTime says how long a history of the suggested length takes to load.
func (in StoreInput) fillTime(l locale.Locale) string {
	const callsADay = 3
	minutes := math.Ceil(float64(stores.DefaultHistoryDays*callsADay) / float64(in.Pace))
	return l.T("connect.history_help", "calls", callsADay, "days", l.Days(stores.DefaultHistoryDays), "minutes", l.T("problem.wait.minutes", "n", int64(minutes)))
}

// differs reports whether the chosen clock differs from the one that the gift service names.
func (in StoreInput) differs() bool {
	return in.Named != "" && in.Timezone != "" && in.Timezone != in.Named && in.Wrong["timezone"] == ""
}

// Unconfirmed reports whether the chosen clock differs from the one that the gift service
// names, and the person hasn't confirmed it yet.
func (in StoreInput) Unconfirmed() bool { return in.differs() && in.Sure != in.Timezone }

// clockHelp says what the clock is for.
func (in StoreInput) clockHelp(l locale.Locale, isNew bool) string {
	switch {
	case !isNew:
		return l.T("connect.zone_help.changed")
	case in.Named != "":
		return l.T("connect.zone_help.named")
	}
	return l.T("connect.zone_help.unnamed")
}
