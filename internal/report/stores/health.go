package stores

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
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

// Rank is the group's place in the order of the list.
func (g HealthGroup) Rank() int { return slices.Index(HealthGroups, g) }

// Label is the group as a heading.
func (g HealthGroup) Label(l locale.Locale) string { return l.T("stores.health." + string(g)) }

// Health is how a store is, in words.
type Health struct {
	Group HealthGroup
	// Sign is "person", "waiting", "filling", "off", "none" or "active".
	Sign string
	// Words say what weighs most; Also what else is to be known.
	Words string
	Also  []string
	// need is the reason of a store that needs attention, since when where that is known.
	need  report.Need
	since civil.Date
}

// In is what weighs most, in a language.
func (h Health) In(l locale.Locale) string {
	if h.need == report.NeedsNothing {
		return h.Words
	}
	return h.need.In(l, h.since)
}

// needs puts the reason for a person behind those that weigh more.
func (h *Health) needs(l locale.Locale, n report.Need, sign string, since civil.Date) {
	if h.Words == "" {
		h.need, h.since = n, since
	}
	h.add(HealthPerson, sign, n.In(l, since))
}

// add puts a word behind those that weigh more.
func (h *Health) add(group HealthGroup, sign, words string) {
	if h.Words != "" {
		h.Also = append(h.Also, words)
		return
	}
	h.Group, h.Sign, h.Words = group, sign, words
}

// Stored is what is kept of a store whatever window is asked for: the rows that
// its health and freshness are made of.
type Stored struct {
	Store       report.Store
	Location    *time.Location
	Paused      bool
	Credentials []report.StoredCredential
	// UpsellAt and GiftAt are the newest good answers; zero when there is none.
	UpsellAt, GiftAt time.Time
	// LastDay is the last whole day; zero when there is none. DaysStored of DaysPlanned
	// days of history are there, DaysLeft are still to be asked for.
	LastDay                           civil.Date
	DaysStored, DaysPlanned, DaysLeft int
	Coverage                          []report.StoredCover
	Gift                              GiftSetup
	Groups                            []Group
	Tags                              []string
	Suspects                          []report.Suspect
}

// Group is a group of stores by name.
type Group struct {
	ID   int64
	Name string
}

func (s Stored) Credential(service string) *report.StoredCredential {
	for i, c := range s.Credentials {
		if c.Service == service {
			return &s.Credentials[i]
		}
	}
	return nil
}

// PulledAt is the age of the store's days: gifts that still come in make no day younger.
func (s Stored) PulledAt() time.Time {
	if s.UpsellAt.IsZero() {
		return s.GiftAt
	}
	return s.UpsellAt
}

// Stopped reports whether no newer upsell numbers come before somebody does something.
func (s Stored) Stopped() bool {
	c := s.Credential("upsell")
	return s.Paused || c != nil && c.Stopped()
}

// Refused reports whether a service refuses the store's token and may be asked again.
func (s Stored) Refused() bool {
	return !s.Paused && slices.ContainsFunc(s.Credentials, report.StoredCredential.Recheckable)
}

func (s Stored) Filling() bool {
	return s.Credential("upsell") != nil && !s.Stopped() && (!s.LastDay.IsValid() || s.DaysLeft > 0 || len(s.Coverage) == 0)
}

// Status says first what needs attention, then what is late or under way, then how
// the placements are.
func (s Stored) Status(l locale.Locale, f report.Freshness, now time.Time) Health {
	var h Health
	today := report.Today(now, s.Location)
	if len(s.Credentials) == 0 {
		h.needs(l, report.NeedsServices, "none", civil.Date{})
		return h
	}
	for _, c := range s.Credentials {
		if c.NeedsPerson() {
			h.needs(l, report.Refusal(c), c.Sign(), refusedOn(c, s.Location))
		}
	}
	for _, c := range s.Credentials {
		if c.Stopped() && !c.NeedsPerson() {
			h.add(HealthLate, c.Sign(), c.Short(l, now, s.Location))
		}
	}
	warnings := s.giftWarnings(l, today)
	for _, w := range warnings {
		if w.need != report.NeedsNothing {
			h.needs(l, w.need, "waiting", civil.Date{})
		}
	}
	switch upsell := s.Credential("upsell"); {
	case s.Paused:
		h.add(HealthPaused, "none", HealthPaused.Label(l))
	case upsell == nil || s.Stopped():
	case f.State == "stale":
		h.add(HealthLate, "waiting", lateWords(l, f, now, today))
	case s.Filling() && s.DaysPlanned > 0:
		h.add(HealthFilling, "filling", l.T("stores.stands.stored", "stored", s.DaysStored, "n", s.DaysPlanned))
	case s.Filling():
		h.add(HealthFilling, "filling", HealthFilling.Label(l))
	}
	switch {
	case s.Credential("upsell") == nil:
		h.add(HealthWorking, "none", l.T("stores.stands.gifts_only"))
	case len(s.Coverage) > 0:
		words, sign := coverWords(l, s.Coverage)
		h.add(HealthWorking, sign, words)
	}
	for _, w := range warnings {
		if w.need == report.NeedsNothing {
			h.add(HealthWorking, "waiting", w.words)
		}
	}
	if h.Words == "" {
		h.add(HealthFilling, "filling", HealthFilling.Label(l))
	}
	return h
}

// refusedOn is the day on which it stopped; zero where that is not known.
func refusedOn(c report.StoredCredential, loc *time.Location) civil.Date {
	if c.PausedAt.IsZero() {
		return civil.Date{}
	}
	return civil.DateOf(c.PausedAt.In(loc))
}

// lateWords say what is old: the pulls, or the days that they bring.
func lateWords(l locale.Locale, f report.Freshness, now time.Time, today civil.Date) string {
	if f.PulledAt != nil && now.Sub(*f.PulledAt) <= report.Overdue && f.DataTo != nil {
		return l.T("stores.stands.late_days", "day", l.Day(*f.DataTo))
	}
	if f.PulledAt == nil {
		return HealthLate.Label(l)
	}
	return l.T("stores.stands.late_since", "ago", l.Age(now, *f.PulledAt))
}

// coverWords say how the placements are: live, switched off, never created.
func coverWords(l locale.Locale, rows []report.StoredCover) (words, sign string) {
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
		return l.T("stores.stands.no_offers"), "none"
	case off == 0 && len(never) == 0:
		return l.T("stores.stands.all_live"), "active"
	case off == 0 && len(never) == 1:
		return l.T("stores.stands.never_created", "placement", never[0]), "none"
	case off == 0:
		return l.T("stores.stands.some_never_created", "n", len(never)), "none"
	}
	if len(never) > 0 {
		return l.T("stores.stands.off_and_never", "n", off, "never", len(never)), "off"
	}
	return l.T("stores.stands.off", "n", off), "off"
}

// giftWarning is what the gift service says that keeps gifts from working, or will.
type giftWarning struct {
	// need: gifts can't appear until somebody does something; else words say what is to
	// be known.
	need  report.Need
	words string
}

// TrialSoon is how many days before its end a trial is announced.
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
func ReadGiftSetup(health []report.StoredHealth, plan *report.StoredJSON) GiftSetup {
	var g GiftSetup
	for _, c := range (report.Builder{In: report.Stored{Health: health}}).Health().Checks(locale.English) {
		if c.State != report.CheckBad {
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
	var p report.PlanBody
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
func (s Stored) giftWarnings(l locale.Locale, today civil.Date) []giftWarning {
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
	warn(s.Gift.hidden, giftWarning{need: report.NeedsEmbed})
	warn(s.Gift.crowded, giftWarning{need: report.NeedsCampaigns})
	warn(s.Gift.spent, giftWarning{need: report.NeedsRevenue})
	if end, ok := (report.Builder{In: report.Stored{Store: s.Store}}).DayOf(s.Gift.trialEnds); ok && !end.Before(today) && end.DaysSince(today) <= TrialSoon {
		warn(true, giftWarning{words: l.T("stores.stands.trial_ends", "day", l.Day(end))})
	}
	warn(s.Gift.idle, giftWarning{words: l.T("stores.stands.no_campaign")})
	warn(s.Gift.other, giftWarning{words: l.T("stores.stands.gift_problem")})
	return out
}

// Freshness is as old as what the store has of its days, and says what is under way.
func (s Stored) Freshness(l locale.Locale, now time.Time) report.Freshness {
	today := report.Today(now, s.Location)
	f := report.NewFreshness(l, s.PulledAt(), s.LastDay, now, today)
	f.Paused = s.Paused
	f.Words = l.T("stores.fresh.nothing")
	updated := ""
	if f.PulledAt != nil {
		updated = ", " + l.T("common.updated", "ago", l.Age(now, *f.PulledAt))
		f.Words = l.T("stores.fresh.no_day") + updated
	}
	if f.DataTo != nil {
		f.Words = l.T("stores.fresh.to", "day", l.Day(*f.DataTo)) + updated
	}
	switch upsell := s.Credential("upsell"); {
	case f.PulledAt == nil:
	case len(s.Credentials) == 0:
		f.State, f.Words = "stale", l.T("stores.fresh.stopped")+updated
	case upsell == nil:
		f.Words = l.T("stores.fresh.gifts_only") + updated
	case s.Stopped():
		f.State = "failed"
		if s.Paused {
			f.State = "stale"
		}
		if f.DataTo == nil {
			f.Words = l.T("stores.fresh.last_good") + updated
		}
	case f.State == "good" && s.Filling():
		f.State = "filling"
		if f.DataTo != nil && s.DaysLeft > 0 {
			f.Words = l.T("stores.fresh.to", "day", l.Day(*f.DataTo)) + ", " + l.T("stores.fresh.filling")
		}
	}
	return f
}

// In reports whether the store is in the group.
func (s Stored) In(group int64) bool {
	return slices.ContainsFunc(s.Groups, func(g Group) bool { return g.ID == group })
}
