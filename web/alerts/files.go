package alerts

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/locale"
	reportalerts "github.com/storeglass/storeglass/internal/report/alerts"
	"github.com/storeglass/storeglass/views/alerts"
	"github.com/storeglass/storeglass/web/site"
)

// alertsFile is the filtered list, the open ones first.
func (s *Handlers) alertsFile(c *site.Call) (site.Table, error) {
	f, principal, problem := alertQuery(c)
	if problem != "" {
		return site.Table{}, site.BadRequest("", problem)
	}
	ctx := c.Request().Context()
	var listed []db.ListedAlert
	if f.State != alerts.Resolved {
		open, _, err := s.DB.OpenAlerts(ctx, principal, alertFileSize)
		if err != nil {
			return site.Table{}, err
		}
		for _, l := range open {
			if l.Snooze != nil || f.State != alerts.Snoozed {
				listed = append(listed, l)
			}
		}
	}
	if f.State == "" || f.State == alerts.Resolved {
		past, err := s.DB.PastAlerts(ctx, principal, rulesOf(f), time.Time{}, 0, alertFileSize+1)
		if err != nil {
			return site.Table{}, err
		}
		if len(past) > alertFileSize {
			return site.Table{}, site.BadRequest("", "More than "+strconv.Itoa(alertFileSize)+" listed match. Choose a store or a kind, so that the file is whole.")
		}
		listed = append(listed, past...)
	}
	listed = slices.DeleteFunc(listed, func(l db.ListedAlert) bool {
		do, why := l.Open().ToDo(locale.English)
		line, _ := l.Open().Say(locale.English)
		return !f.Matches(string(reportalerts.GroupOf(l.Rule)), do, why, line, l.Store)
	})
	return alertsTable(c, listed, f), nil
}

func alertsTable(c *site.Call, listed []db.ListedAlert, f alerts.Filter) site.Table {
	t := site.Table{
		Title:   "Inbox, what is open first",
		Columns: []string{"store", "name", "rule", "rule_words", "group", "state", "snoozed", "to_do", "what", "text", "effect", "evidence", "assigned_to", "since", "opened_at", "closed_at", "done_by", "told"},
		About:   [][2]string{{"As of", c.Now.UTC().Format(time.RFC3339)}},
	}
	for _, line := range [][2]string{{"Store", f.Store}, {"Kind", f.Group}, {"State", f.State}} {
		if line[1] != "" {
			t.About = append(t.About, line)
		}
	}
	for _, l := range listed {
		state := "open"
		switch {
		case l.DoneBy != "":
			state = "done"
		case l.EndCause != nil:
			state = *l.EndCause
		}
		do, _ := l.Open().ToDo(locale.English)
		effect, how := l.Open().EffectIn(locale.English)
		title, text := l.Open().Say(locale.English)
		var pairs []string
		for _, e := range evidence(locale.English, l.Evidence) {
			pairs = append(pairs, e[0]+": "+e[1])
		}
		t.Rows = append(t.Rows, []site.Cell{
			site.TextCell(l.Slug), site.TextCell(l.Store), site.TextCell(l.Rule), site.TextCell(ruleTitle(locale.English, l.Rule)), site.TextCell(string(reportalerts.GroupOf(l.Rule))), site.TextCell(state), site.YesCell(l.Snooze != nil),
			site.TextCell(do), site.TextCell(title), site.TextCell(text), site.TextCell(strings.TrimSuffix(effect+", "+how, ", ")),
			site.TextCell(strings.Join(pairs, "; ")), site.TextCell(l.AssignedTo), site.TimeCell(l.Since), site.TimeOrNone(l.OpenedAt), site.TimeOrNone(l.EndedAt), site.TextCell(l.DoneBy), site.TextCell(strings.Join(notifiedLines(c, locale.English, l, time.UTC), " ")),
		})
	}
	return t
}
