package stores

import (
	"time"

	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
)

// StoredService is what people may know about a store's connected service.
type StoredService struct {
	report.StoredCredential
	Address, Tail, Domain string
	// ConnectedAt is when the service was first connected, ReplacedAt when its token or address was
	// last replaced; zero if never.
	ConnectedAt, ReplacedAt time.Time
	// LastGoodAt is when the newest good answer came; zero if there was none.
	LastGoodAt time.Time
	// Timezone is the shop's time zone as the service last named it (gift); empty if unknown.
	Timezone string
}

// Service is one of the two services of a store, connected or not.
type Service struct {
	// Service is "upsell" or "gift".
	Service   string
	Connected bool
	StoredService
	// Sign shows its state: "active", "person", "filling" or "none".
	Sign string
	// Words is its state in a sentence.
	Words string
	// Level is what the token may do, if known.
	Level string
}

// Settings is everything on a store's Settings page.
type Settings struct {
	Store       report.Store
	HistoryDays int
	Paused      bool
	// Services are both services, the upsell service first.
	Services []Service
}

// Of returns the service with that name; nil if there is none.
func (s Settings) Of(service string) *Service {
	for i := range s.Services {
		if s.Services[i].Service == service {
			return &s.Services[i]
		}
	}
	return nil
}

// Services of a store, in the order of every page.
var serviceOrder = []string{"upsell", "gift"}

// NewSettings builds a store's Settings page in the reader's language.
func NewSettings(l locale.Locale, store report.Store, historyDays int, paused bool, stored []StoredService, now time.Time) Settings {
	s := Settings{Store: store, HistoryDays: historyDays, Paused: paused}
	for _, service := range serviceOrder {
		out := Service{Service: service, Sign: "none", Words: l.T("stores.service.none")}
		for _, c := range stored {
			if c.Service == service {
				out.Connected, out.StoredService = true, c
				out.Level = l.T("stores.service.level." + service) // no service reveals a key's level to someone who only reads with it
				out.Sign, out.Words = serviceState(l, c, store, paused, now)
			}
		}
		s.Services = append(s.Services, out)
	}
	return s
}

func serviceState(l locale.Locale, c StoredService, store report.Store, storePaused bool, now time.Time) (sign, words string) {
	updated := l.T("stores.service.nothing_yet")
	if !c.LastGoodAt.IsZero() {
		updated = l.T("common.updated", "ago", l.Age(now, c.LastGoodAt))
	}
	switch {
	case c.Stopped():
		return c.Sign(), c.Words(l, now, report.Builder{In: report.Stored{Store: store}}.OnStoreClock(now).Location())
	case storePaused:
		return "none", l.T("stores.service.paused", "updated", updated)
	case c.State == fact.CredentialUnchecked:
		return c.Sign(), l.T("stores.service.unchecked", "updated", updated)
	case c.LastGoodAt.IsZero():
		return "filling", l.T("stores.service.good", "updated", updated)
	}
	return c.Sign(), l.T("stores.service.good", "updated", updated)
}

// Removed is a removed store that can still be restored.
type Removed struct {
	report.Store
	// By is who removed it.
	By string
	// At is when it was removed, Until when its rows are deleted permanently.
	At, Until time.Time
}
