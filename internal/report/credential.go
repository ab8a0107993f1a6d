package report

import (
	"strings"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/locale"
)

// StoredCredential is what is kept of a credential, without its token.
type StoredCredential struct {
	Service string
	// Host is that of the service's address.
	Host  string
	State fact.CredentialState
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
	return c.State == fact.CredentialDoubtful || c.State == fact.CredentialPaused
}

// Recheckable reports whether it is refused, and a person may have it asked about now.
func (c StoredCredential) Recheckable() bool { return c.Stopped() && !c.NextProbe.IsZero() }

// NeedsPerson reports whether the refusal has lasted so long that a person should look.
func (c StoredCredential) NeedsPerson() bool { return c.State == fact.CredentialPaused }

// Outage reports whether its service refuses many stores: then nothing says that this
// one's token is wrong.
func (c StoredCredential) Outage() bool { return c.Stopped() && !c.OutageSince.IsZero() }

// Sign is the sign of its state, the same on every page.
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

// Words say of a stopped credential what happened, since when, when it is checked again
// and what to do, in the reader's language and on the clock of loc.
func (c StoredCredential) Words(l locale.Locale, now time.Time, loc *time.Location) string {
	words := c.advice(l)
	switch {
	case c.Outage():
		words = l.T("stores.credential.outage", "at", timeWords(l, c.OutageSince, now, loc))
	case c.State == fact.CredentialDoubtful:
		words = l.T("stores.credential.doubtful."+c.Service, "at", timeWords(l, c.PausedAt, now, loc))
	}
	return strings.TrimSpace(words + " " + c.NextCheck(l, now, loc))
}

// advice is what a person can do about it. What was stored names the service's own words,
// in English; other readers get it by its cause.
func (c StoredCredential) advice(l locale.Locale) string {
	if l == locale.English {
		return c.Text
	}
	cause := strings.ToLower(c.Cause)
	if !locale.Has("state.advice." + c.Service + "." + cause) {
		cause = "refused"
	}
	return l.T("state.advice." + c.Service + "." + cause)
}

// Short is Words for a table cell, of one that no person is needed for yet: what happened and
// since when.
func (c StoredCredential) Short(l locale.Locale, now time.Time, loc *time.Location) (words, since string) {
	if c.Outage() {
		return l.T("stores.short.outage"), l.T("stores.credential.since", "at", clockWords(l, c.OutageSince, now, loc))
	}
	return l.T("store.need." + string(Refusal(c))), l.T("stores.credential.since", "at", clockWords(l, c.PausedAt, now, loc))
}

// Advice is what a person can do about it, with what the service said. What has no
// message, such as a wrong address, is as it was stored.
func (c StoredCredential) Advice() locale.Sentences {
	id := "state.advice." + c.Service + "."
	cause := strings.ToLower(c.Cause)
	switch {
	case cause == "address" && c.Text != "":
		return locale.Sentences{locale.Text(c.Text)}
	case !locale.Has(id + cause):
		cause = "refused"
	}
	out := locale.Sentences{locale.M(id + cause)}
	if _, quoted, ok := strings.Cut(c.Text, "(“"); ok {
		said, _, _ := strings.Cut(quoted, "”)")
		out = append(out, locale.M("alert.credential.said", "text", said))
	}
	return out
}

// NextCheck says when it is checked again; empty where only a person may.
func (c StoredCredential) NextCheck(l locale.Locale, now time.Time, loc *time.Location) string {
	switch {
	case c.NextProbe.IsZero():
		return ""
	case !c.NextProbe.After(now):
		return l.T("stores.credential.checks_now")
	}
	return l.T("stores.credential.checks_again", "at", timeWords(l, c.NextProbe, now, loc))
}

// timeWords is a time of today, or a day and its time: "at 14:02", "on 21 Nov at 14:02".
func timeWords(l locale.Locale, t, now time.Time, loc *time.Location) string {
	local := t.In(loc)
	if on := civil.DateOf(local); on != civil.DateOf(now.In(loc)) {
		return l.T("stores.credential.on_at", "day", l.Day(on), "time", l.Time(local))
	}
	return l.T("stores.credential.at", "time", l.Time(local))
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
