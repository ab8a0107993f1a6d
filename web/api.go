package web

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/storeglass/storeglass/internal/report"
)

// apiHandlers answer the JSON API, from the values that the pages show.
type apiHandlers struct {
	*Site
	reports *reportsHandlers
	version string
	// description is the API's own, made once.
	description func() *document
}

func newAPI(at *Site, reports *reportsHandlers, version string) *apiHandlers {
	s := &apiHandlers{Site: at, reports: reports, version: version}
	s.description = s.describe()
	return s
}

// takes refuses parameters that the address does not know: a mistyped window
// would else be answered with the usual one, and nobody would notice. Each
// parameter is taken once.
func takes(c *call, known ...string) error {
	q := c.QueryParams()
	for _, name := range slices.Sorted(maps.Keys(q)) {
		if !slices.Contains(known, name) {
			if slices.Contains(windowParams, name) {
				return badRequest(name, "This answer has no window to choose: leave "+name+" out.")
			}
			return badRequest(name, fmt.Sprintf("%q is not a parameter here. Known: %s.", name, orNone(known)))
		}
		if len(q[name]) > 1 {
			return badRequest(name, name+" is given more than once.")
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
func (s *apiHandlers) windowed(c *call, more ...string) (report.Overview, error) {
	if err := takes(c, slices.Concat(windowParams, more)...); err != nil {
		return report.Overview{}, err
	}
	now := s.now()
	choice, err := c.choice(now)
	if err != nil {
		return report.Overview{}, err
	}
	return s.reports.overview(c, choice, now)
}

// windowless makes the overview for answers in which no window can be chosen.
func (s *apiHandlers) windowless(c *call) (report.Overview, error) {
	if err := takes(c); err != nil {
		return report.Overview{}, err
	}
	now := s.now()
	choice, err := c.choice(now)
	if err != nil {
		return report.Overview{}, err
	}
	return s.reports.overview(c, choice, now)
}

// panelOr answers the numbers, or, where there are none, only the reason: an
// empty panel's zero values must not be taken for numbers.
func panelOr(c *call, p report.Panel, numbers any) error {
	if p.Empty != nil {
		return c.answer(p)
	}
	return c.answer(numbers)
}

// ownProvenance is the provenance of what Storeglass says about itself.
func ownProvenance(what string, now time.Time) report.Provenance {
	return report.Provenance{Endpoint: what, Basis: report.Own, FetchedAt: now, FetchedLast: now}
}
