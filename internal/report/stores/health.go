package stores

import (
	"slices"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
)

// HealthGroup groups stores by what they need.
type HealthGroup string

// The groups, in the list's order.
const (
	// HealthPerson: there are open alerts.
	HealthPerson HealthGroup = "person"
	// HealthLate: pulls run, but bring nothing new.
	HealthLate HealthGroup = "late"
	// HealthFilling: the history is still being pulled.
	HealthFilling HealthGroup = "filling"
	HealthWorking HealthGroup = "working"
	// HealthPaused: someone paused it, or disconnected its upsell app.
	HealthPaused HealthGroup = "paused"
)

// HealthGroups lists the groups in the list's order.
var HealthGroups = []HealthGroup{HealthPerson, HealthLate, HealthFilling, HealthWorking, HealthPaused}

// Rank is the group's position in the list's order.
func (g HealthGroup) Rank() int { return slices.Index(HealthGroups, g) }

// Label is the group's heading.
func (g HealthGroup) Label(l locale.Locale) string { return l.T("stores.health." + string(g)) }

// Health is a store's state in a few words.
type Health struct {
	Group HealthGroup
	// Sign is "person", "waiting", "filling", "off", "none" or "active".
	Sign string
	// Words is the most important thing; Note says since when, or what else matters.
	Words, Note string
	// ToDo is the first thing to do in the store's inbox, More how many more there are; empty if there
	// is nothing to do.
	ToDo string
	More int
}

// Line is Words followed by Note.
func (h Health) Line() string {
	if h.Note == "" {
		return h.Words
	}
	return h.Words + " · " + h.Note
}

// needs describes the most important open alert and what to do about it.
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

// add appends words after more important ones. That placements are live is only mentioned if there is
// nothing else to say.
func (h *Health) add(group HealthGroup, sign, words string) {
	switch {
	case h.Words == "":
		h.Group, h.Sign, h.Words = group, sign, words
	case h.Note == "" && sign != "active":
		h.Note = words
	}
}

// Stored is what is known of a store regardless of the window: the rows behind its health and freshness.
type Stored struct {
	Store       report.Store
	Location    *time.Location
	Paused      bool
	Credentials []report.StoredCredential
	// UpsellAt and GiftAt are when the newest good answers came; zero if there is none.
	UpsellAt, GiftAt time.Time
	// LastDay is the last whole day; zero if there is none. DaysStored of the DaysPlanned days of
	// history are stored, DaysLeft are still to be pulled.
	LastDay                           civil.Date
	DaysStored, DaysPlanned, DaysLeft int
	Coverage                          []report.StoredCover
	// Alerts counts the store's open alerts that the reader hasn't snoozed; Need is the most important one.
	Alerts   int
	Need     report.OpenAlert
	Groups   []Group
	Tags     []string
	Suspects []report.Suspect
	// Goal is the current month's, set if the list is sorted or filtered by it.
	Goal *report.StoredGoal
}

// Group is a named group of stores.
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

// PulledAt is when the store's days were pulled; gift data that still arrives doesn't make them newer.
func (s Stored) PulledAt() time.Time {
	if s.UpsellAt.IsZero() {
		return s.GiftAt
	}
	return s.UpsellAt
}

// Disconnected reports whether someone disconnected the upsell app. Its numbers stay.
func (s Stored) Disconnected() bool { return s.Credential("upsell") == nil && !s.UpsellAt.IsZero() }

// HasUpsells reports whether the upsell app is connected, or was.
func (s Stored) HasUpsells() bool { return s.Credential("upsell") != nil || !s.UpsellAt.IsZero() }

// Stopped reports whether no newer upsell numbers will come until someone acts.
func (s Stored) Stopped() bool {
	c := s.Credential("upsell")
	return s.Paused || s.Disconnected() || c != nil && c.Stopped()
}

// Refused reports whether a service refuses the store's token and may be called again.
func (s Stored) Refused() bool {
	return !s.Paused && slices.ContainsFunc(s.Credentials, report.StoredCredential.Recheckable)
}

func (s Stored) Filling() bool {
	return s.Credential("upsell") != nil && !s.Stopped() && (!s.LastDay.IsValid() || s.DaysLeft > 0)
}

// Status puts what needs attention first, as in the inbox, then what is late or in progress, then the
// state of the placements.
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
	case s.Disconnected():
		h.add(HealthPaused, "none", l.T("stores.state.disconnected"))
		if f.DataTo != nil {
			h.add(HealthPaused, "none", l.T("stores.fresh.to", "day", l.Day(*f.DataTo)))
		}
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
	if h.Words == "" { // the service lists no placement
		h.add(HealthWorking, "none", HealthWorking.Label(l))
	}
	return h
}

// covered describes the placements: live, switched off, never created.
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

// Freshness is the age of the store's days, and what is in progress.
func (s Stored) Freshness(l locale.Locale, now time.Time) report.Freshness {
	today := report.Today(now, s.Location)
	f := report.NewFreshness(l, s.PulledAt(), s.LastDay, now, today)
	f.Off = s.Paused || s.Disconnected()
	f.Words = l.T("stores.fresh.nothing")
	updated := ""
	if f.PulledAt != nil {
		updated = ", " + l.T("common.updated", "ago", l.Age(now, *f.PulledAt))
		f.Words = l.T("stores.fresh.no_day") + updated
	}
	if f.DataTo != nil {
		f.Words = l.T("stores.fresh.to", "day", l.Day(*f.DataTo)) + updated
	}
	switch {
	case f.PulledAt == nil:
	case len(s.Credentials) == 0:
		f.State, f.Words = "stale", l.T("stores.fresh.stopped")+updated
	case !s.HasUpsells():
		f.Words = l.T("stores.fresh.gifts_only") + updated
	case s.Stopped():
		f.State = "failed"
		if f.Off {
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
