package stores

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/stores"
)

// ServiceInput is the form fields of one service. The token is never among them: what
// was typed there does not come back.
type ServiceInput struct {
	Service, Address string
	// Problem says why the service was not connected; empty when it was not asked.
	Problem string
	// Answered: it was right, and nothing came of it because of something else.
	Answered bool
	// Optional: the form may leave this service out.
	Optional bool
}

// StoreInput is the form fields of a store as they were typed.
type StoreInput struct {
	Slug, Name, Timezone, HistoryDays string
	// Wrong says what is wrong with a field, by its name.
	Wrong map[string]string
	// Zones are the clocks to choose from.
	Zones []stores.ZoneGroup
	// Named is the clock that the gift service names; empty when it does not.
	Named string
	// Sure is the clock that was chosen against the one named, once that was pointed out.
	Sure string
}

// TokenName is what a service calls what it is reached with.
func TokenName(service string) string {
	if service == "gift" {
		return "gift key"
	}
	return "upsell token"
}

func tokenLabel(service string) string {
	if service == "gift" {
		return "Key"
	}
	return "Token"
}

// where says where in a service's app its address and token are to be found.
func where(service string) []string {
	if service == "gift" {
		return []string{
			"In the gift app open the settings, then Store API.",
			"Copy the base address from there.",
			"Create a key of the level “read” and copy it. A key for the assistant (MCP) does not work here.",
		}
	}
	return []string{
		"In the upsell app open the settings, then Developer Tools.",
		"Copy the base address from there: it belongs to your shop.",
		"Create a token and copy it. It can only read.",
	}
}

// fact is one line of what a service said.
type fact struct{ name, value, note string }

// factsOf are what a service said of its shop, in words.
func factsOf(c stores.CheckedService) []fact {
	facts := []fact{{"Shop", cmp.Or(c.Domain, "not said"), ""}}
	if c.Service == "upsell" {
		facts = append(facts, fact{"Offers", report.Plural(c.Offers, "offer", "offers") + ", in any status", ""})
	} else {
		plan := fact{"Plan", cmp.Or(c.Plan, "not said"), ""}
		if c.Paid != nil && !*c.Paid {
			plan.note = "Not paid. When its trial ends, the service revokes every key of the store."
		}
		facts = append(facts, plan)
		if c.ActiveCampaigns != nil {
			facts = append(facts, fact{"Campaigns", report.Plural(*c.ActiveCampaigns, "campaign runs", "campaigns run") + " now", ""})
		}
	}
	facts = append(facts, fact{"Currency", cmp.Or(c.Currency, "not said"), ""})
	if c.Service == "gift" {
		facts = append(facts, fact{"Time zone", cmp.Or(c.Timezone, "not said"), ""})
	}
	facts = append(facts, fact{"Address", c.Address, ""}, fact{tokenLabel(c.Service), endsIn(c.Tail), ""})
	if c.Service == "gift" {
		return append(facts, fact{"May", "read everything that is shown", "The service does not say whether it may also write. It need not."})
	}
	return append(facts, fact{"May", "read only", "No upsell token can do more."})
}

// endsIn is how a person tells one token from another.
func endsIn(tail string) string {
	if tail == "" {
		return "too short to show its end"
	}
	return "ends in " + tail
}

// since is a moment as a day on the store's clock, "20 Nov 2026".
func since(t time.Time, now time.Time) string {
	if t.IsZero() {
		return "–"
	}
	return t.In(now.Location()).Format("2 Jan 2006")
}

// untoldWords name what a service could not tell just now.
func untoldWords(untold []string) string {
	return "Could not be asked just now: " + strings.Join(untold, ", ") + ". The first pulls tell it."
}

// fillTime says how long the wanted history takes to fill at the documented pace.
func fillTime() string {
	const callsADay, pace = 3, 50
	minutes := (stores.DefaultHistoryDays*callsADay + pace - 1) / pace
	return "Each day takes 3 calls: " + strconv.Itoa(stores.DefaultHistoryDays) + " days fill up in about " + strconv.Itoa(minutes) + " minutes. Today and the last 30 days come first."
}

// differs reports whether the clock chosen is not the one that the gift service names.
func (in StoreInput) differs() bool {
	return in.Named != "" && in.Timezone != "" && in.Timezone != in.Named && in.Wrong["timezone"] == ""
}

// Unconfirmed reports whether another clock than the one that the gift service names
// was chosen, and nobody said yet that it is meant.
func (in StoreInput) Unconfirmed() bool { return in.differs() && in.Sure != in.Timezone }

func (in StoreInput) differsWords() string {
	return "The gift service says " + in.Named + ". By " + locale.English.Clock(in.Timezone) + " days begin at another hour than there, and the days of the two services would not be the same."
}

// clockHelp says what the clock is for.
func (in StoreInput) clockHelp(isNew bool) string {
	switch {
	case !isNew:
		return "Stored days stay as they are: they are the service’s own. With another clock today and the last seven days are pulled again."
	case in.Named != "":
		return "As the gift service names it. The store’s days begin and end by it."
	}
	return "No service named it. The store’s days begin and end by it: choose the clock of the shop’s settings. The times are those of now."
}
