package stores

import (
	"slices"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
)

// HealthGroup sorts stores by what they need.
type HealthGroup string

// The groups, in the order of the list.
const (
	// HealthPerson: something in the inbox is open.
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

// Health is how a store is, in a few words.
type Health struct {
	Group HealthGroup
	// Sign is "person", "waiting", "filling", "off", "none" or "active".
	Sign string
	// Words say what weighs most; Note since when, or what else is to be known.
	Words, Note string
	// ToDo is the first thing to do of the store's inbox, and More how many more there are; empty
	// where nothing is.
	ToDo string
	More int
}

// Line is Words with Note.
func (h Health) Line() string {
	if h.Note == "" {
		return h.Words
	}
	return h.Words + " · " + h.Note
}

// needs says what weighs most of the open alerts, and what to do about it.
func (h *Health) needs(l locale.Locale, s Stored, now time.Time) {
	sign := "waiting"
	switch s.Need.Kind() {
	case "error":
		sign = "person"
	case "off":
		sign = "off"
	}
	words, _ := s.Need.Say(l)
	if locale.Has("stores.short." + s.Need.Rule) {
		words = l.T("stores.short." + s.Need.Rule)
	}
	h.add(HealthPerson, sign, words)
	h.Note, _ = s.Need.SinceIn(l, now, s.Store.Timezone)
	h.ToDo, _ = s.Need.ToDo(l)
	h.More = s.Alerts - 1
}

// add puts a word behind those that weigh more. That the placements are live goes without saying
// beside anything else.
func (h *Health) add(group HealthGroup, sign, words string) {
	switch {
	case h.Words == "":
		h.Group, h.Sign, h.Words = group, sign, words
	case h.Note == "" && sign != "active":
		h.Note = words
	}
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
	// Alerts counts the open rows of the store's inbox that the reader didn't snooze; Need is
	// what weighs most of them.
	Alerts   int
	Need     report.OpenAlert
	Groups   []Group
	Tags     []string
	Suspects []report.Suspect
	// Goal is that of the current month, where the list is sorted or narrowed by it.
	Goal *report.StoredGoal
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

// Stopped reports whether no newer upsell numbers come before someone does something.
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

// Status says first what needs attention, as the inbox has it, then what is late or under
// way, then how the placements stand.
func (s Stored) Status(l locale.Locale, f report.Freshness, now time.Time) Health {
	var h Health
	if s.Alerts > 0 {
		h.needs(l, s, now)
	}
	if len(s.Credentials) == 0 {
		if s.Alerts == 0 { // snoozed, or not checked yet
			h.add(HealthLate, "none", l.T("store.need.services"))
		}
		return h
	}
	for _, c := range s.Credentials {
		if c.Stopped() && s.Alerts == 0 {
			words, since := c.Short(l, now, s.Location)
			h.add(HealthLate, c.Sign(), words)
			h.add(HealthLate, c.Sign(), since)
		}
	}
	switch upsell := s.Credential("upsell"); {
	case s.Paused:
		h.add(HealthPaused, "none", HealthPaused.Label(l))
	case upsell == nil || s.Stopped():
	case f.State == "stale":
		h.add(HealthLate, "waiting", l.T("stores.short.sync-stale"))
		if f.DataTo != nil {
			h.add(HealthLate, "waiting", l.T("stores.fresh.to", "day", l.Day(*f.DataTo)))
		}
	case s.Filling() && s.DaysPlanned > 0:
		h.add(HealthFilling, "filling", l.T("stores.state.stored", "stored", s.DaysStored, "n", s.DaysPlanned))
	case s.Filling():
		h.add(HealthFilling, "filling", HealthFilling.Label(l))
	}
	switch {
	case s.Credential("upsell") == nil:
		h.add(HealthWorking, "none", l.T("stores.state.gifts_only"))
	case len(s.Coverage) > 0:
		h.covered(l, s.Coverage)
	}
	if h.Words == "" {
		h.add(HealthFilling, "filling", HealthFilling.Label(l))
	}
	return h
}

// covered says how the placements are: live, switched off, never created.
func (h *Health) covered(l locale.Locale, rows []report.StoredCover) {
	off, never, total := 0, 0, int64(0)
	for _, c := range rows {
		total += c.TotalCount
		switch {
		case c.ActiveCount > 0:
		case c.TotalCount > 0:
			off++
		default:
			never++
		}
	}
	switch {
	case total == 0:
		h.add(HealthWorking, "none", l.T("stores.state.no_offers"))
		return
	case off > 0:
		h.add(HealthWorking, "off", l.T("stores.state.off", "n", off))
	default:
		h.add(HealthWorking, "active", l.T("stores.state.live"))
	}
	if never > 0 {
		h.add(HealthWorking, "none", l.T("stores.state.never", "n", never))
	}
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
