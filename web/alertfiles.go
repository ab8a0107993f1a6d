package web

import (
	"strconv"
	"strings"
	"time"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/views/alerts"
)

// alertsFile sends the filtered listed as a file, the open ones first.
func (s *alertsHandlers) alertsFile(ending, contentType string, write func(table) ([]byte, error)) func(*call) error {
	return func(c *call) error {
		f, asker, problem := alertQuery(c)
		if problem != "" {
			return badRequest("", problem)
		}
		ctx := c.Request().Context()
		var listed []db.ListedAlert
		if f.State != alerts.Recovered {
			open, err := s.db.OpenAlerts(ctx, asker, f.Rule, alertFileSize)
			if err != nil {
				return err
			}
			for _, l := range open {
				if f.State != alerts.Muted || l.Mute != nil {
					listed = append(listed, l)
				}
			}
		}
		if f.State == "" || f.State == alerts.Recovered {
			past, err := s.db.PastAlerts(ctx, asker, f.Rule, time.Time{}, 0, alertFileSize+1)
			if err != nil {
				return err
			}
			if len(past) > alertFileSize {
				return badRequest("", "More than "+strconv.Itoa(alertFileSize)+" listed match. Choose a store or a kind, so that the file is whole.")
			}
			listed = append(listed, past...)
		}
		body, err := write(alertsTable(c, listed, f))
		if err != nil {
			return err
		}
		return s.sendFile(c, "alerts"+ending, newDocument(contentType, body))
	}
}

func alertsTable(c *call, listed []db.ListedAlert, f alerts.Filter) table {
	t := table{
		title:   "Alerts, the open ones first",
		columns: []string{"store", "name", "rule", "rule_words", "state", "muted", "what", "text", "evidence", "since", "opened_at", "closed_at", "told"},
		about:   [][2]string{{"As of", c.now.UTC().Format(time.RFC3339)}},
	}
	for _, line := range [][2]string{{"Store", f.Store}, {"Rule", f.Rule}, {"State", f.State}} {
		if line[1] != "" {
			t.about = append(t.about, line)
		}
	}
	for _, l := range listed {
		state := "open"
		if l.EndCause != nil {
			state = *l.EndCause
		}
		var pairs []string
		for _, e := range evidence(l.Evidence) {
			pairs = append(pairs, e[0]+": "+e[1])
		}
		t.rows = append(t.rows, []cell{
			textCell(l.Slug), textCell(l.Store), textCell(l.Rule), textCell(ruleTitle(l.Rule)), textCell(state), yesCell(l.Mute != nil), textCell(l.Title), textCell(l.Text),
			textCell(strings.Join(pairs, "; ")), timeCell(l.Since), timeCell(l.OpenedAt), timeOrNone(l.ClosedAt), textCell(strings.Join(toldLines(c, l, time.UTC), " ")),
		})
	}
	return t
}
