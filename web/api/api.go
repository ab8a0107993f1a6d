package api

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/web/reports"
	"github.com/storeglass/storeglass/web/site"
)

// Handlers answer the JSON API, from the values that the pages show.
type Handlers struct {
	*site.Site
	reports *reports.Handlers
	version string
	// description is the API's own, made once.
	description func() *site.Document
}

// New makes the handlers of this part of the site.
func New(at *site.Site, reports *reports.Handlers, version string) *Handlers {
	s := &Handlers{Site: at, reports: reports, version: version}
	s.description = s.describe()
	return s
}

// takes refuses parameters that the address does not know: a mistyped window
// would else be answered with the usual one, and nobody would notice. Each
// parameter is taken once.
func takes(c *site.Call, known ...string) error {
	q := c.QueryParams()
	for _, name := range slices.Sorted(maps.Keys(q)) {
		if !slices.Contains(known, name) {
			if slices.Contains(site.WindowParams, name) {
				return site.BadRequest(name, "This answer has no window to choose: leave "+name+" out.")
			}
			return site.BadRequest(name, fmt.Sprintf("%q is not a parameter here. Known: %s.", name, orNone(known)))
		}
		if len(q[name]) > 1 {
			return site.BadRequest(name, name+" is given more than once.")
		}
	}
	return nil
}

func orNone(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

// windowed makes the overview for the window in the address.
func (s *Handlers) windowed(c *site.Call, more ...string) (report.Overview, error) {
	if err := takes(c, slices.Concat(site.WindowParams, more)...); err != nil {
		return report.Overview{}, err
	}
	now := s.Now()
	choice, err := c.Choice(now)
	if err != nil {
		return report.Overview{}, err
	}
	return s.reports.Overview(c, choice, now)
}

// windowless makes the overview for answers in which no window can be chosen.
func (s *Handlers) windowless(c *site.Call) (report.Overview, error) {
	if err := takes(c); err != nil {
		return report.Overview{}, err
	}
	now := s.Now()
	choice, err := c.Choice(now)
	if err != nil {
		return report.Overview{}, err
	}
	return s.reports.Overview(c, choice, now)
}

// panelOr answers the numbers, or, where there are none, only the reason: an
// empty panel's zero values must not be taken for numbers.
func panelOr(c *site.Call, p report.Panel, numbers any) error {
	if p.Empty != nil {
		return c.Answer(p)
	}
	return c.Answer(numbers)
}

// ownProvenance is the provenance of what Storeglass says about itself.
func ownProvenance(what string, now time.Time) report.Provenance {
	return report.Provenance{Endpoint: what, Basis: report.Own, FetchedAt: now, FetchedLast: now}
}
