package report

import (
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/fact"
)

// UpsellPulls says whether newer upsell numbers can still arrive for a store.
type UpsellPulls struct {
	// Pulled: there is a credential and nobody paused the store.
	Pulled bool
	// RefusedAt is when the service refused the credential; zero while it accepts it.
	RefusedAt time.Time
}

func PullsOf(credentials []StoredCredential, paused bool) (p UpsellPulls) {
	for _, c := range credentials {
		if c.Service != "upsell" {
			continue
		}
		p.Pulled = !paused
		if c.State == fact.CredentialPaused {
			p.RefusedAt = c.PausedAt
		}
	}
	return p
}

// Awaited is the last day of the week that a mail waits for, until the given moment; a zero time means
// no limit. Nothing can arrive if nothing is being pulled, or if the credential was refused before the
// week began and hasn't been renewed. A day that ends after that moment on the store's clock isn't
// waited for (N72).
func (p UpsellPulls) Awaited(week Window, timezone string, until time.Time) (last civil.Date, ok bool) {
	loc, err := Zone(timezone)
	if err != nil || !p.Pulled || !p.RefusedAt.IsZero() && p.RefusedAt.Before(week.Start.In(loc)) {
		return last, false
	}
	last = week.End
	if !until.IsZero() {
		if over := Today(until, loc).AddDays(-1); over.Before(last) {
			last = over
		}
	}
	return last, !last.Before(week.Start)
}

// Lacks reports whether any day up to last is outside the number's window or not stored.
func (p Provenance) Lacks(last civil.Date) bool {
	if p.Window == nil || p.Window.End.Before(last) || p.Has(FlagPartial) {
		return true
	}
	return len(p.Missing) > 0 && !p.Missing[0].After(last)
}

// Ahead lists the week's days after the number's window: they aren't over yet.
func (p Provenance) Ahead(week Window) (days []civil.Date) {
	for day := p.Window.End.AddDays(1); !day.After(week.End); day = day.AddDays(1) {
		days = append(days, day)
	}
	return days
}
