package report

import "time"

// Suspect is a range of days; at least one changed after it was stored, and
// is being pulled again.
type Suspect struct {
	Service string // "upsell" or "gift"
	Days    Window
	// NoticedAt is when an answer first showed it.
	NoticedAt time.Time
	// Unexplained: all days were pulled again and the difference stayed.
	Unexplained bool
}

// touches reports whether a number of this provenance may be off because of the
// suspect: it covers one of the days, and was not answered as a whole since.
func (s Suspect) touches(p Provenance, service string) bool {
	if s.Service != service || p.Window == nil || !p.Window.Overlaps(s.Days) {
		return false
	}
	return p.Basis != Reported || p.FetchedAt.Before(s.NoticedAt)
}

// Suspected flags a number that covers a day that changed and was not pulled again yet
// (N61), or days that don't add up to what the service says of them.
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
