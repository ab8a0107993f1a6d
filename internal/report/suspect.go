package report

import "time"

// Suspect is a range of days, at least one of which changed after it was stored. They are being pulled again.
type Suspect struct {
	Service string // "upsell" or "gift"
	Days    Window
	// NoticedAt is when an answer first revealed it.
	NoticedAt time.Time
	// Unexplained: all the days were pulled again, and the difference is still there.
	Unexplained bool
}

// touches reports whether the suspect may make a number of this provenance wrong: the number covers one
// of the days and hasn't been answered as a whole since.
func (s Suspect) touches(p Provenance, service string) bool {
	if s.Service != service || p.Window == nil || !p.Window.Overlaps(s.Days) {
		return false
	}
	return p.Basis != Reported || p.FetchedAt.Before(s.NoticedAt)
}

// Suspected flags a number that covers a changed day that hasn't been pulled again yet (N61), or days
// that don't add up to what the service reports for them.
func (b Builder) Suspected(p Provenance, service string) Provenance {
	for _, s := range b.In.Suspects {
		switch {
		case !s.touches(p, service):
		case s.Unexplained:
			p = p.With(FlagDrift)
		default:
			p = p.With(FlagChanged)
		}
	}
	return p
}
