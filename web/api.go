package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/storeglass/storeglass/internal/report"
)

// answer sends a value of the JSON API.
func (c *call) answer(v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("write answer: %w", err)
	}
	return c.send(newDocument("application/json", b.Bytes()))
}

// windowParams choose a window; they are taken only where the answer has one.
var windowParams = []string{"window", "start", "end", "compare"}

// takes refuses parameters that the address does not know: a mistyped window
// would else be answered with the usual one, and nobody would notice. Each
// parameter is taken once.
func (c *call) takes(known ...string) error {
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

// choice reads the window in the address on the store's clock. Errors say what is wrong.
func (c *call) choice(now time.Time) (report.Choice, error) {
	if c.link != nil {
		return c.linkChoice(now)
	}
	return report.ParseChoice(c.QueryParams(), now, c.store.Location(), c.store.FirstDay)
}

// windowed makes the overview for the window in the address.
func (s *Server) windowed(c *call, more ...string) (report.Overview, error) {
	if err := c.takes(slices.Concat(windowParams, more)...); err != nil {
		return report.Overview{}, err
	}
	now := s.now()
	choice, err := c.choice(now)
	if err != nil {
		return report.Overview{}, err
	}
	return s.overview(c, choice, now)
}

// windowless makes the overview for answers in which no window can be chosen.
func (s *Server) windowless(c *call) (report.Overview, error) {
	if err := c.takes(); err != nil {
		return report.Overview{}, err
	}
	now := s.now()
	choice, err := c.choice(now)
	if err != nil {
		return report.Overview{}, err
	}
	return s.overview(c, choice, now)
}

// panelOr answers the numbers, or, where there are none, only the reason: an
// empty panel's zero values must not be taken for numbers.
func (c *call) panelOr(p report.Panel, numbers any) error {
	if p.Empty != nil {
		return c.answer(p)
	}
	return c.answer(numbers)
}

// list is never null in JSON.
func list[T any](in []T) []T {
	if in == nil {
		return []T{}
	}
	return in
}

// ownProvenance is the provenance of what Storeglass says about itself.
func ownProvenance(what string, now time.Time) report.Provenance {
	return report.Provenance{Endpoint: what, Basis: report.Own, FetchedAt: now, FetchedLast: now}
}
