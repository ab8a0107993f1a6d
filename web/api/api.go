package api

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/overview"
	"github.com/storeglass/storeglass/web/reports"
	"github.com/storeglass/storeglass/web/site"
)

// Handlers serve the JSON API, with the same values as the pages.
type Handlers struct {
	*site.Site
	reports *reports.Handlers
	version string
	// description is the API's own, made once.
	description func() *site.Document
}

func New(at *site.Site, reports *reports.Handlers, version string) *Handlers {
	s := &Handlers{Site: at, reports: reports, version: version}
	s.description = sync.OnceValue(s.describe)
	return s
}

// takes refuses unknown parameters: otherwise a mistyped window would silently get the default
// one. Each parameter may appear once.
func takes(c *site.Call, known ...string) error {
	q := c.QueryParams()
	for _, name := range slices.Sorted(maps.Keys(q)) {
		if !slices.Contains(known, name) {
			if slices.Contains(site.WindowParams, name) {
				return site.BadRequest(name, "This answer has no window to choose: leave "+name+" out.")
			}
			return site.BadRequest(name, fmt.Sprintf("%q is not a parameter here. Known: %s.", name, cmp.Or(strings.Join(known, ", "), "none")))
		}
		if len(q[name]) > 1 {
			return site.BadRequest(name, name+" is given more than once.")
		}
	}
	return nil
}

// asked makes an answer for the window in the address. With the wait parameter it retries until
// no service's answer is pending or the time is up. known are the parameters that the address
// takes.
func asked[T any](s *Handlers, c *site.Call, known []string, answer func(report.Choice, time.Time) (made T, asking bool, err error)) (made T, err error) {
	if err := takes(c, known...); err != nil {
		return made, err
	}
	return waited(s, c, func(now time.Time) (made T, asking bool, err error) {
		choice, err := c.Choice(now)
		if err != nil {
			return made, false, err
		}
		return answer(choice, now)
	})
}

// overview makes the overview for the window in the address. services are the ones to ask about
// it.
func (s *Handlers) overview(c *site.Call, known []string, services ...string) (overview.Overview, error) {
	return asked(s, c, known, func(choice report.Choice, now time.Time) (overview.Overview, bool, error) {
		o, err := s.reports.Overview(c, choice, now, services...)
		return o, o.Asking, err
	})
}

// answered makes the overview for answers that the upsell service can give for the window.
func (s *Handlers) answered(c *site.Call) (overview.Overview, error) {
	return s.overview(c, waitingParams, "upsell")
}

// windowless makes the overview for answers without a choice of window.
func (s *Handlers) windowless(c *site.Call) (overview.Overview, error) { return s.overview(c, nil) }

// How long a program can wait for a service's answer, in seconds, and how often we look.
const (
	waitParam   = "wait"
	longestWait = 30
	lookEvery   = 500 * time.Millisecond
)

// waitingParams are the parameters of an answer that may ask a service.
var waitingParams = slices.Concat(site.WindowParams, []string{waitParam})

// waited makes an answer again until no service's answer is pending or the time of the wait
// parameter is up.
func waited[T any](s *Handlers, c *site.Call, answer func(now time.Time) (made T, asking bool, err error)) (T, error) {
	seconds, err := strconv.Atoi(cmp.Or(c.QueryParam(waitParam), "0"))
	if err != nil || seconds < 0 || seconds > longestWait {
		var none T
		return none, site.BadRequest(waitParam, fmt.Sprintf("Write the seconds to wait, 0 to %d.", longestWait))
	}
	ctx, cancel := context.WithTimeout(c.Request().Context(), time.Duration(seconds)*time.Second)
	defer cancel()
	for {
		made, asking, err := answer(s.Now())
		if err != nil || !asking {
			return made, err
		}
		select {
		case <-ctx.Done():
			return made, nil
		case <-time.After(lookEvery):
			c.LookAgain()
		}
	}
}

// panelOr sends the numbers or, if there are none, only the reason, so that an empty panel's
// zeros aren't taken for numbers. If err is set, it is returned.
func panelOr(c *site.Call, err error, p report.Panel, numbers any) error {
	switch {
	case err != nil:
		return err
	case p.Empty != nil:
		return c.Answer(p)
	}
	return c.Answer(numbers)
}

// ownProvenance is the provenance of what Storeglass says about itself: as of the minute, so that an
// answer asked for again has the same ETag.
func ownProvenance(what string, now time.Time) report.Provenance {
	now = now.Truncate(time.Minute)
	return report.Provenance{Endpoint: what, Basis: report.Own, FetchedAt: now, FetchedLast: now}
}
