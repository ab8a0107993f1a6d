package report

import (
	"time"

	"github.com/golang-sql/civil"
)

// CredentialState is how a credential stands with its service.
type CredentialState string

// The states. Pulls use a credential that is unchecked or good, and no other.
const (
	CredentialUnchecked CredentialState = "unchecked"
	CredentialGood      CredentialState = "good"
	// CredentialDoubtful: refused, which may pass: it is asked about by itself.
	CredentialDoubtful CredentialState = "doubtful"
	// CredentialPaused: the refusal has lasted, or only a person can end it.
	CredentialPaused CredentialState = "paused"
)

// StoredCredential is what is kept of a credential, without its token.
type StoredCredential struct {
	Service string
	// Host is that of the service's address.
	Host  string
	State CredentialState
	// Cause is a word for code, Text a sentence for people; both are of the first refusal.
	Cause, Text string
	// PausedAt is when it was first refused; zero while it is not.
	PausedAt time.Time
	// NextProbe is when it is asked about again; zero: only by a person, since a call
	// could make the service revoke its keys.
	NextProbe time.Time
	// OutageSince is since when its service refuses many stores; zero: it doesn't.
	OutageSince time.Time
}

// Stopped reports whether no pull uses it.
func (c StoredCredential) Stopped() bool {
	return c.State == CredentialDoubtful || c.State == CredentialPaused
}

// Recheckable reports whether it is refused, and a person may have it asked about now.
func (c StoredCredential) Recheckable() bool { return c.Stopped() && !c.NextProbe.IsZero() }

// NeedsPerson reports whether the refusal has lasted so long that a person should look.
func (c StoredCredential) NeedsPerson() bool { return c.State == CredentialPaused }

// Outage reports whether its service refuses many stores: then nothing says that this
// one's token is wrong.
func (c StoredCredential) Outage() bool { return c.Stopped() && !c.OutageSince.IsZero() }

// Sign is the sign of its state, the same on every page.
func (c StoredCredential) Sign() string {
	switch c.State {
	case CredentialPaused:
		return "person"
	case CredentialDoubtful:
		return "waiting"
	case CredentialUnchecked:
		return "filling"
	}
	return "active"
}

// Words say of a stopped credential what happened, since when, when it is checked again
// and what to do, on the clock of loc.
func (c StoredCredential) Words(now time.Time, loc *time.Location) string {
	switch {
	case c.Outage():
		return OutageText + " It began " + timeWords(c.OutageSince, now, loc) + ". " + c.NextCheck(now, loc)
	case c.State == CredentialDoubtful:
		return serviceToken(c.Service) + " was refused " + timeWords(c.PausedAt, now, loc) + ", which often passes. Nothing to do yet. " + c.NextCheck(now, loc)
	case c.NextProbe.IsZero():
		return c.Text
	}
	return c.Text + " " + c.NextCheck(now, loc)
}

// Short is Words for a table cell, of one that no person is needed for yet.
func (c StoredCredential) Short(now time.Time, loc *time.Location) string {
	if c.Outage() {
		return UpsellOrGift(c.Service) + " service is refusing many stores since " + clockWords(c.OutageSince, now, loc)
	}
	words := Refusal(c).In(English, civil.Date{}) + " since " + clockWords(c.PausedAt, now, loc)
	if c.NextProbe.After(now) {
		words += ", checked again at " + clockWords(c.NextProbe, now, loc)
	}
	return words
}

// OutageText is what an outage of a service means, in one place for pages, alerts and
// the command line.
const OutageText = "The service is refusing many stores’ tokens: likely a problem on its side. Nothing to do yet."

// NextCheck says when it is checked again; empty where only a person may.
func (c StoredCredential) NextCheck(now time.Time, loc *time.Location) string {
	switch {
	case c.NextProbe.IsZero():
		return ""
	case !c.NextProbe.After(now):
		return "Storeglass is about to check it again."
	}
	return "Storeglass checks again " + timeWords(c.NextProbe, now, loc) + " and continues as soon as it is accepted."
}

// timeWords is a time of today, or a day and its time.
func timeWords(t, now time.Time, loc *time.Location) string {
	if on := civil.DateOf(t.In(loc)); on != civil.DateOf(now.In(loc)) {
		return "on " + DayShort(on) + " at " + t.In(loc).Format("15:04")
	}
	return "at " + t.In(loc).Format("15:04")
}

// clockWords is timeWords for the end of a phrase: "14:02", "21 Nov, 14:02".
func clockWords(t, now time.Time, loc *time.Location) string {
	if on := civil.DateOf(t.In(loc)); on != civil.DateOf(now.In(loc)) {
		return DayShort(on) + ", " + t.In(loc).Format("15:04")
	}
	return t.In(loc).Format("15:04")
}

func serviceToken(service string) string {
	if service == "gift" {
		return "The gift key"
	}
	return "The upsell token"
}

func UpsellOrGift(service string) string {
	if service == "gift" {
		return "Gift"
	}
	return "Upsell"
}

func Refusal(c StoredCredential) Need {
	switch {
	case c.Service == "upsell" && (c.Cause == "wrong_shop" || c.Cause == "address"):
		return needsUpsellAddress
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
