package alerts

import (
	"strconv"
	"strings"
	"time"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/views/alerts"
	"github.com/storeglass/storeglass/web/site"
)

// alertsFile sends the filtered listed as a file, the open ones first.
func (s *Handlers) alertsFile(ending, contentType string, write func(site.Table) ([]byte, error)) func(*site.Call) error {
	return func(c *site.Call) error {
		f, principal, problem := alertQuery(c)
		if problem != "" {
			return site.BadRequest("", problem)
		}
		ctx := c.Request().Context()
		var listed []db.ListedAlert
		if f.State != alerts.Recovered {
			open, _, err := s.DB.OpenAlerts(ctx, principal, alertFileSize)
			if err != nil {
				return err
			}
			for _, l := range open {
				if (f.Rule == "" || f.Rule == l.Rule) && (f.State != alerts.Muted || l.Mute != nil) {
					listed = append(listed, l)
				}
			}
		}
		if f.State == "" || f.State == alerts.Recovered {
			past, err := s.DB.PastAlerts(ctx, principal, rulesOf(f), time.Time{}, 0, alertFileSize+1)
			if err != nil {
				return err
			}
			if len(past) > alertFileSize {
				return site.BadRequest("", "More than "+strconv.Itoa(alertFileSize)+" listed match. Choose a store or a kind, so that the file is whole.")
			}
			listed = append(listed, past...)
		}
		body, err := write(alertsTable(c, listed, f))
		if err != nil {
			return err
		}
		return s.SendFile(c, "alerts"+ending, site.NewDocument(contentType, body))
	}
}

func alertsTable(c *site.Call, listed []db.ListedAlert, f alerts.Filter) site.Table {
	t := site.Table{
		Title:   "Alerts, the open ones first",
		Columns: []string{"store", "name", "rule", "rule_words", "state", "muted", "what", "text", "evidence", "since", "opened_at", "closed_at", "told"},
		About:   [][2]string{{"As of", c.Now.UTC().Format(time.RFC3339)}},
	}
	for _, line := range [][2]string{{"Store", f.Store}, {"Rule", f.Rule}, {"State", f.State}} {
		if line[1] != "" {
			t.About = append(t.About, line)
		}
	}
	for _, l := range listed {
		state := "open"
		if l.EndCause != nil {
			state = *l.EndCause
		}
		title, text := l.Open().Say(locale.English)
		var pairs []string
		for _, e := range evidence(locale.English, l.Evidence) {
			pairs = append(pairs, e[0]+": "+e[1])
		}
		t.Rows = append(t.Rows, []site.Cell{
			site.TextCell(l.Slug), site.TextCell(l.Store), site.TextCell(l.Rule), site.TextCell(ruleTitle(locale.English, l.Rule)), site.TextCell(state), site.YesCell(l.Mute != nil), site.TextCell(title), site.TextCell(text),
			site.TextCell(strings.Join(pairs, "; ")), site.TimeCell(l.Since), site.TimeOrNone(l.OpenedAt), site.TimeOrNone(l.EndedAt), site.TextCell(strings.Join(toldLines(c, locale.English, l, time.UTC), " ")),
		})
	}
	return t
}
