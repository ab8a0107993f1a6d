package report

import (
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/fact"
)

// UpsellPulls says whether newer upsell numbers of a store can come.
type UpsellPulls struct {
	// Pulled: they are asked for, as a credential exists and no person paused the store.
	Pulled bool
	// RefusedAt is when the service refused the credential; zero while it takes it.
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

// Awaited is the last day of a week that a mail waits for until the moment given; the
// zero time is no limit. Nothing can come where nobody asks, or where the credential was
// refused before the week began and has not been renewed. A day that ends on the store's
// clock after that moment is not waited for (N72).
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

// Lacks reports whether days up to one are not in a number's window, or not stored.
func (p Provenance) Lacks(last civil.Date) bool {
	if p.Window == nil || p.Window.End.Before(last) || p.Has(FlagPartial) {
		return true
	}
	return len(p.Missing) > 0 && !p.Missing[0].After(last)
}

// Ahead are the days of a week behind the number's window: they are not over yet.
func (p Provenance) Ahead(week Window) (days []civil.Date) {
	for day := p.Window.End.AddDays(1); !day.After(week.End); day = day.AddDays(1) {
		days = append(days, day)
	}
	return days
}
