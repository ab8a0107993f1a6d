package report

import (
	"strings"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/locale"
)

// Need is why a service is refused, as a key of the catalogs.
type Need string

const (
	needsUpsellToken   Need = "upsell_token"
	needsUpsellAddress Need = "upsell_address"
	needsUpsellAccess  Need = "upsell_access"
	needsGiftKey       Need = "gift_key"
	needsGiftAddress   Need = "gift_address"
	needsGiftPlan      Need = "gift_plan"
	needsGiftTrial     Need = "gift_trial"
	needsGiftApp       Need = "gift_app"
)

// StoredCredential is what a page knows about a credential: everything but its token.
type StoredCredential struct {
	Service string
	// Host is the host of the service's URL.
	Host  string
	State fact.CredentialState
	// Cause is a code, and Said what the service said, in its own words; for a wrong address, it is the
	// address. Both come from the first refusal.
	Cause, Said string
	// PausedAt is when it was first refused; zero if it isn't.
	PausedAt time.Time
	// NextProbe is when it is checked again. Zero means only a person may trigger a check, since a call
	// could make the service revoke its keys.
	NextProbe time.Time
	// OutageSince is when its service began refusing many stores; zero if it isn't.
	OutageSince time.Time
}

// Stopped reports whether pulls have stopped using it.
func (c StoredCredential) Stopped() bool {
	return c.State == fact.CredentialDoubtful || c.State == fact.CredentialPaused
}

// Recheckable reports whether it is refused and a person may check it now.
func (c StoredCredential) Recheckable() bool { return c.Stopped() && !c.NextProbe.IsZero() }

// NeedsPerson reports whether the refusal has lasted long enough that a person should look.
func (c StoredCredential) NeedsPerson() bool { return c.State == fact.CredentialPaused }

// Outage reports whether its service refuses many stores: then this store's token is probably fine.
func (c StoredCredential) Outage() bool { return c.Stopped() && !c.OutageSince.IsZero() }

// Sign is the status sign, the same on every page.
func (c StoredCredential) Sign() string {
	switch c.State {
	case fact.CredentialPaused:
		return "person"
	case fact.CredentialDoubtful:
		return "waiting"
	case fact.CredentialUnchecked:
		return "filling"
	}
	return "active"
}

// Words say what happened to a stopped credential, since when, when it's checked again and what to do,
// in the reader's language and on the clock of loc.
func (c StoredCredential) Words(l locale.Locale, now time.Time, loc *time.Location) string {
	words := c.Advice().In(l)
	switch {
	case c.Outage():
		words = l.T("stores.credential.outage", "at", timeWords(l, c.OutageSince, now, loc))
	case c.State == fact.CredentialDoubtful:
		words = l.T("stores.credential.doubtful."+c.Service, "at", timeWords(l, c.PausedAt, now, loc))
	}
	return strings.TrimSpace(words + " " + c.NextCheck(l, now, loc))
}

// Short is Words for a table cell, for a credential that doesn't need a person yet: what happened and
// since when.
func (c StoredCredential) Short(l locale.Locale, now time.Time, loc *time.Location) (words, since string) {
	if c.Outage() {
		return l.T("stores.short.outage"), l.T("stores.credential.since", "at", clockWords(l, c.OutageSince, now, loc))
	}
	return l.T("store.need." + string(Refusal(c))), l.T("stores.credential.since", "at", clockWords(l, c.PausedAt, now, loc))
}

// Advice is what a person can do about a refusal, and what the service said.
func (c StoredCredential) Advice() locale.Sentences {
	cause := strings.ToLower(c.Cause)
	switch {
	case cause == "address":
		return locale.Sentences{locale.M("state.wrong_address", "address", c.Said)}
	case !locale.Has("state.advice." + c.Service + "." + cause):
		cause = "refused"
	}
	out := locale.Sentences{locale.M("state.advice." + c.Service + "." + cause)}
	if c.Said != "" {
		out = append(out, locale.M("alert.credential.said", "text", strings.TrimSuffix(c.Said, ".")))
	}
	return out
}

// NextCheck says when it is checked again; empty if only a person may trigger that.
func (c StoredCredential) NextCheck(l locale.Locale, now time.Time, loc *time.Location) string {
	switch {
	case c.NextProbe.IsZero():
		return ""
	case !c.NextProbe.After(now):
		return l.T("stores.credential.checks_now")
	}
	return l.T("stores.credential.checks_again", "at", timeWords(l, c.NextProbe, now, loc))
}

// timeWords is a time today, or a day with its time: "at 14:02", "on 21 Nov at 14:02". UTC is named:
// it is the command line's clock, where nothing else says whose it is.
func timeWords(l locale.Locale, t, now time.Time, loc *time.Location) string {
	local, zone := t.In(loc), ""
	if loc == time.UTC {
		zone = "_utc"
	}
	if on := civil.DateOf(local); on != civil.DateOf(now.In(loc)) {
		return l.T("stores.credential.on_at"+zone, "day", l.Day(on), "time", l.Time(local))
	}
	return l.T("stores.credential.at"+zone, "time", l.Time(local))
}

// clockWords is timeWords for the end of a phrase: "14:02", "21 Nov, 14:02".
func clockWords(l locale.Locale, t, now time.Time, loc *time.Location) string {
	local := t.In(loc)
	if on := civil.DateOf(local); on != civil.DateOf(now.In(loc)) {
		return l.T("common.stamp", "day", l.Day(on), "time", l.Time(local))
	}
	return l.Time(local)
}

func Refusal(c StoredCredential) Need {
	switch {
	case c.Service == "upsell" && (c.Cause == "wrong_shop" || c.Cause == "address"):
		return needsUpsellAddress
	case c.Service == "upsell" && c.Cause == "blocked":
		return needsUpsellAccess
	case c.Service == "upsell":
		return needsUpsellToken
	case c.Cause == "NO_PLAN":
		return needsGiftPlan
	case c.Cause == "trial_lapsed":
		return needsGiftTrial
	case c.Cause == "APP_UNINSTALLED":
		return needsGiftApp
	case c.Cause == "address":
		return needsGiftAddress
	}
	return needsGiftKey
}
