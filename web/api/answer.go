package api

import (
	"time"

	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/answers"
	"github.com/storeglass/storeglass/internal/report/overview"
	"github.com/storeglass/storeglass/web/reports"
	"github.com/storeglass/storeglass/web/site"
)

// apiAnswer answers what happened in a window, and why.
func (s *Handlers) apiAnswer(c *site.Call) error {
	var why answers.Answer
	o, err := asked(s, c, waitingParams, func(choice report.Choice, now time.Time) (o overview.Overview, asking bool, err error) {
		o, why, err = s.reports.Explained(c, choice, now, "upsell")
		return o, o.Asking, err
	})
	if err != nil {
		return err
	}
	return panelOr(c, nil, o.Summary.Panel, reports.AnswerJSON(o, why))
}
