package api

import (
	"slices"
	"time"

	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/answers"
	"github.com/storeglass/storeglass/web/reports"
	"github.com/storeglass/storeglass/web/site"
)

// apiAnswer answers what happened in a window, and why.
func (s *Handlers) apiAnswer(c *site.Call) error {
	if err := takes(c, slices.Concat(site.WindowParams, []string{waitParam})...); err != nil {
		return err
	}
	var why answers.Answer
	o, err := waited(s, c, func(now time.Time) (o report.Overview, asking bool, err error) {
		choice, err := c.Choice(now)
		if err != nil {
			return o, false, err
		}
		o, why, err = s.reports.Explained(c, choice, now, "upsell")
		return o, o.Asking, err
	})
	if err != nil {
		return err
	}
	return panelOr(c, o.Summary.Panel, reports.AnswerJSON(o, why))
}
