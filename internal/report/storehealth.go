package report

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/golang-sql/civil"
)

// HealthGroup sorts stores by what they need.
type HealthGroup string

// The groups, in the order of the list.
const (
	// HealthPerson: trying again can't help.
	HealthPerson HealthGroup = "person"
	// HealthLate: pulls go on and bring nothing new.
	HealthLate HealthGroup = "late"
	// HealthFilling: the past is still being pulled.
	HealthFilling HealthGroup = "filling"
	HealthWorking HealthGroup = "working"
	// HealthPaused: a person chose so.
	HealthPaused HealthGroup = "paused"
)

// HealthGroups lists the groups in the order of the list.
var HealthGroups = []HealthGroup{HealthPerson, HealthLate, HealthFilling, HealthWorking, HealthPaused}

// Label is the group as a heading; empty for one that there is not.
func (g HealthGroup) Label() string {
	switch g {
	case HealthPerson:
		return "Needs attention"
	case HealthLate:
		return "Late"
	case HealthFilling:
		return "Filling in"
	case HealthWorking:
		return "Working"
	case HealthPaused:
		return "Paused"
	}
	return ""
}

// StoreHealth is how a store stands, in words.
type StoreHealth struct {
	Group HealthGroup
	// Sign is "person", "waiting", "filling", "off", "none" or "active".
	Sign string
	// Words say what weighs most; Also what else is to be known.
	Words string
	Also  []string
	// need is the reason of a store that needs attention, since when where that is known.
	need  need
	since civil.Date
}

// In is what weighs most, in a language.
func (h StoreHealth) In(t Tongue) string {
	if h.need == needsNothing {
		return h.Words
	}
	return h.need.words(t, h.since)
}

func (n need) words(t Tongue, since civil.Date) string {
	if !since.IsValid() {
		return t.Words().StoreNeeds(n, "")
	}
	return t.Words().StoreNeeds(n, t.Day(since))
}

// needs puts the reason for a person behind those that weigh more.
func (h *StoreHealth) needs(n need, sign string, since civil.Date) {
	if h.Words == "" {
		h.need, h.since = n, since
	}
	h.add(HealthPerson, sign, n.words(English, since))
}

// add puts a word behind those that weigh more.
func (h *StoreHealth) add(group HealthGroup, sign, words string) {
	if h.Words != "" {
		h.Also = append(h.Also, words)
		return
	}
	h.Group, h.Sign, h.Words = group, sign, words
}

// StoredStore is what is kept of a store whatever window is asked for: the rows that
// its health and freshness are made of.
type StoredStore struct {
	Store       Store
	Location    *time.Location
	Paused      bool
	Credentials []StoredCredential
	// UpsellAt and GiftAt are the newest good answers; zero when there is none.
	UpsellAt, GiftAt time.Time
	// LastDay is the last whole day; zero when there is none. DaysStored of DaysPlanned
	// days of history are there, DaysLeft are still to be asked for.
	LastDay                           civil.Date
	DaysStored, DaysPlanned, DaysLeft int
	Coverage                          []StoredCover
	Gift                              GiftSetup
	Groups                            []StoreGroup
	Tags                              []string
	Suspects                          []Suspect
}

// StoreGroup is a group of stores by name.
type StoreGroup struct {
	ID   int64
	Name string
}

func (s StoredStore) Credential(service string) *StoredCredential {
	for i, c := range s.Credentials {
		if c.Service == service {
			return &s.Credentials[i]
		}
	}
	return nil
}

// pulledAt is the age of the store's days: gifts that still come in make no day younger.
func (s StoredStore) pulledAt() time.Time {
	if s.UpsellAt.IsZero() {
		return s.GiftAt
	}
	return s.UpsellAt
}

// stopped reports whether no newer upsell numbers come before somebody does something.
func (s StoredStore) stopped() bool {
	c := s.Credential("upsell")
	return s.Paused || c != nil && c.Stopped()
}

// refused reports whether a service refuses the store's token and may be asked again.
func (s StoredStore) refused() bool {
	return !s.Paused && slices.ContainsFunc(s.Credentials, StoredCredential.Recheckable)
}

func (s StoredStore) filling() bool {
	return s.Credential("upsell") != nil && !s.stopped() && (!s.LastDay.IsValid() || s.DaysLeft > 0 || len(s.Coverage) == 0)
}

// status says first what needs attention, then what is late or under way, then how
// the placements stand.
func (s StoredStore) status(f Freshness, now time.Time) StoreHealth {
	var h StoreHealth
	today := Today(now, s.Location)
	if len(s.Credentials) == 0 {
		h.needs(needsServices, "none", civil.Date{})
		return h
	}
	for _, c := range s.Credentials {
		if c.NeedsPerson() {
			h.needs(refusal(c), c.Sign(), refusedOn(c, s.Location))
		}
	}
	for _, c := range s.Credentials {
		if c.Stopped() && !c.NeedsPerson() {
			h.add(HealthLate, c.Sign(), c.short(now, s.Location))
		}
	}
	warnings := s.giftWarnings(today)
	for _, w := range warnings {
		if w.need != needsNothing {
			h.needs(w.need, "waiting", civil.Date{})
		}
	}
	switch upsell := s.Credential("upsell"); {
	case s.Paused:
		h.add(HealthPaused, "none", "Paused")
	case upsell == nil || s.stopped():
	case f.State == "stale":
		h.add(HealthLate, "waiting", lateWords(f, now, today))
	case s.filling() && s.DaysPlanned > 0:
		h.add(HealthFilling, "filling", fmt.Sprintf("%d of %s stored", s.DaysStored, DaysWord(s.DaysPlanned)))
	case s.filling():
		h.add(HealthFilling, "filling", "Filling in")
	}
	switch {
	case s.Credential("upsell") == nil:
		h.add(HealthWorking, "none", "Free gifts only")
	case len(s.Coverage) > 0:
		words, sign := coverWords(s.Coverage)
		h.add(HealthWorking, sign, words)
	}
	for _, w := range warnings {
		if w.need == needsNothing {
			h.add(HealthWorking, "waiting", w.words)
		}
	}
	if h.Words == "" {
		h.add(HealthFilling, "filling", "Filling in")
	}
	return h
}

// RefusedWords say in one line which credential stopped, why, and since when.
func RefusedWords(c StoredCredential, loc *time.Location) string {
	return refusal(c).words(English, refusedOn(c, loc))
}

// refusedOn is the day on which it stopped; zero where that is not known.
func refusedOn(c StoredCredential, loc *time.Location) civil.Date {
	if c.PausedAt.IsZero() {
		return civil.Date{}
	}
	return civil.DateOf(c.PausedAt.In(loc))
}

func refusal(c StoredCredential) need {
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

// lateWords say what is old: the pulls, or the days that they bring.
func lateWords(f Freshness, now time.Time, today civil.Date) string {
	if f.PulledAt != nil && now.Sub(*f.PulledAt) <= overdue && f.DataTo != nil {
		return "Late: no day since " + DayShort(*f.DataTo)
	}
	if f.PulledAt == nil {
		return "Late"
	}
	return "Late: last pull " + Age(now, *f.PulledAt)
}

// coverWords say how the placements stand: live, switched off, never created.
func coverWords(rows []StoredCover) (words, sign string) {
	off, never, total := 0, []string{}, int64(0)
	for _, c := range rows {
		total += c.TotalCount
		switch {
		case c.ActiveCount > 0:
		case c.TotalCount > 0:
			off++
		default:
			never = append(never, strings.TrimSuffix(string(c.Placement), " offer"))
		}
	}
	switch {
	case total == 0:
		return "No offers yet", "none"
	case off == 0 && len(never) == 0:
		return "All placements live", "active"
	case off == 0 && len(never) == 1:
		return never[0] + " never created", "none"
	case off == 0:
		return fmt.Sprintf("%d placements never created", len(never)), "none"
	}
	words = Plural(int64(off), "placement", "placements") + " switched off"
	if len(never) > 0 {
		words += fmt.Sprintf(", %d never created", len(never))
	}
	return words, "off"
}

// giftWarning is what the gift service says that keeps gifts from working, or will.
type giftWarning struct {
	// need: gifts can't appear until somebody does something; else words say what is to
	// be known.
	need  need
	words string
}

// TrialSoon is how many days before its end a trial is told of.
const TrialSoon = 7

// GiftSetup is what weighs of the gift service's setup health and plan.
type GiftSetup struct {
	// hidden: the widget can't appear; idle: no campaign is active; other: there is
	// another problem.
	hidden, idle, other bool
	// crowded: more campaigns than the plan allows; spent: its revenue limit is reached.
	crowded, spent bool
	// trialEnds is the day as the service wrote it; empty when the plan is paid.
	trialEnds string
}

// ReadGiftSetup takes it from the stored replies; plan is nil where there is none.
func ReadGiftSetup(health []StoredHealth, plan *StoredJSON) GiftSetup {
	var g GiftSetup
	for _, c := range (Builder{In: Stored{Health: health}}).Health().Checks() {
		if c.State != CheckBad {
			continue
		}
		switch c.Code {
		case "APP_EMBED_DISABLED", "THEME_NOT_OS2":
			g.hidden = true
		case "NO_CAMPAIGN", "NO_ACTIVE_CAMPAIGN":
			g.idle = true
		default:
			g.other = true
		}
	}
	var p PlanBody
	if plan == nil || json.Unmarshal(plan.Body, &p) != nil {
		return g
	}
	g.crowded = p.CampaignsExceeded
	if l, u := p.RevenueLimit, p.RevenueUsed; l != nil && u != nil && !p.RevenueUnlimited {
		g.spent = l.IsPositive() && u.GreaterThanOrEqual(*l)
	}
	if p.Paid == nil || !*p.Paid {
		g.trialEnds = p.TrialEndsAt
	}
	return g
}

// giftWarnings say first what keeps gifts from appearing.
func (s StoredStore) giftWarnings(today civil.Date) []giftWarning {
	key := s.Credential("gift")
	if key == nil || key.Stopped() {
		return nil
	}
	var out []giftWarning
	warn := func(is bool, w giftWarning) {
		if is {
			out = append(out, w)
		}
	}
	warn(s.Gift.hidden, giftWarning{need: needsEmbed})
	warn(s.Gift.crowded, giftWarning{need: needsCampaigns})
	warn(s.Gift.spent, giftWarning{need: needsRevenue})
	if end, ok := (Builder{In: Stored{Store: s.Store}}).dayOf(s.Gift.trialEnds); ok && !end.Before(today) && end.DaysSince(today) <= TrialSoon {
		warn(true, giftWarning{words: "Gift trial ends " + DayShort(end)})
	}
	warn(s.Gift.idle, giftWarning{words: "No active gift campaign"})
	warn(s.Gift.other, giftWarning{words: "Gift set-up has a problem"})
	return out
}

// freshness is as old as what the store has of its days, and says what is under way.
func (s StoredStore) freshness(now time.Time, rateLimit int) Freshness {
	today := Today(now, s.Location)
	f := NewFreshness(s.pulledAt(), s.LastDay, now, today)
	f.Paused = s.Paused
	switch upsell := s.Credential("upsell"); {
	case f.PulledAt == nil:
	case len(s.Credentials) == 0:
		f.State, f.Words = "stale", "Nothing is pulled, last pull "+Age(now, *f.PulledAt)
	case upsell == nil:
		f.Words = "Gifts alone, pulled " + Age(now, *f.PulledAt)
	case s.stopped():
		f.State = "failed"
		if s.Paused {
			f.State = "stale"
		}
		f.Words = "Last good pull " + Age(now, *f.PulledAt)
		if f.DataTo != nil {
			f.Words = "Data to " + DayShort(*f.DataTo) + ", last good pull " + Age(now, *f.PulledAt)
		}
	case f.State == "good" && s.filling():
		f.State = "filling"
		if f.DataTo != nil && s.DaysLeft > 0 {
			f.Words = "Data to " + DayShort(*f.DataTo) + ", filling the past"
		}
	}
	return f
}

// in reports whether the store is in the group.
func (s StoredStore) in(group int64) bool {
	return slices.ContainsFunc(s.Groups, func(g StoreGroup) bool { return g.ID == group })
}
