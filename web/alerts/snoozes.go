package alerts

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/views/alerts"
	"github.com/storeglass/storeglass/views/components/form"
	"github.com/storeglass/storeglass/web/site"
)

// Ways to snooze, as forms send them.
const (
	snoozeThisMine  = "this-mine"
	snoozeThisAll   = "this-all"
	snoozeRuleMine  = "rule-mine"
	snoozeRuleAll   = "rule-all"
	snoozeEveryMine = "everywhere-mine"
)

var snoozeReaches = map[string]db.NewSnooze{
	snoozeThisMine:  {Reach: db.SnoozeThis},
	snoozeThisAll:   {Reach: db.SnoozeThis, Everyone: true},
	snoozeRuleMine:  {Reach: db.SnoozeRule},
	snoozeRuleAll:   {Reach: db.SnoozeRule, Everyone: true},
	snoozeEveryMine: {Reach: db.SnoozeRuleEverywhere},
}

// reaches are the scopes in which the person may snooze the alert.
func reaches(c *site.Call, l db.ListedAlert) []form.Choice {
	rule := ruleTitle(c.Locale(), l.Rule)
	out := []form.Choice{{Value: snoozeThisMine, Label: c.T("alerts.snooze.reach.this_mine")}}
	if c.May(access.Share) {
		out = append(out, form.Choice{Value: snoozeThisAll, Label: c.T("alerts.snooze.reach.this_all")})
	}
	out = append(out, form.Choice{Value: snoozeRuleMine, Label: c.T("alerts.snooze.reach.rule_mine", "rule", rule)})
	if c.May(access.Share) {
		out = append(out, form.Choice{Value: snoozeRuleAll, Label: c.T("alerts.snooze.reach.rule_all", "rule", rule)})
	}
	return append(out, form.Choice{Value: snoozeEveryMine, Label: c.T("alerts.snooze.reach.everywhere_mine", "rule", rule)})
}

func snoozeRow(c *site.Call, m sqlc.ShownSnoozesRow) alerts.SnoozeRow {
	r := alerts.SnoozeRow{What: c.T("alerts.snoozes.every_alert"), Where: c.T("alerts.snoozes.every_store"), Whom: c.T("alerts.snoozes.for_you"), Until: c.T("alerts.snoozes.no_end"), MadeBy: m.MadeBy}
	switch {
	case m.Until == nil:
	case c.Store.Slug != "":
		day, at := dayTime(c.Locale(), m.Until.In(c.Store.Location()))
		r.Until = c.T("alerts.snoozes.until_time", "day", day, "time", at)
	default:
		day, at := dayTime(c.Locale(), m.Until.UTC())
		r.Until = c.T("alerts.snoozes.until_utc", "day", day, "time", at)
	}
	if m.Rule != nil {
		r.What = ruleTitle(c.Locale(), *m.Rule)
	}
	var title locale.Message
	_ = json.Unmarshal(m.Title, &title) // can't fail
	if said, ok := title.Said(c.Locale()); ok {
		r.What = said
	}
	if m.Slug != "" {
		r.Where = c.T("alerts.snoozes.in_store", "store", locale.Name(m.StoreName))
	}
	if m.PersonID == nil {
		r.Whom = c.T("alerts.snoozes.for_all")
	} else {
		r.MadeBy = ""
	}
	if m.PersonID != nil || c.May(access.Share) {
		r.Action = site.AlertsPath + "/snoozes/" + strconv.FormatInt(m.ID, 10) + "/end"
	}
	return r
}

func (s *Handlers) snoozeAlert(c *site.Call) error {
	f := c.Form()
	id, err := strconv.ParseInt(f.Get("alert"), 10, 64)
	if err != nil {
		return site.ErrNotFound
	}
	m, ok := snoozeReaches[f.Get("reach")]
	if !ok {
		return s.showAlerts(c, http.StatusBadRequest, "", c.T("alerts.snooze.choose_what"))
	}
	if m.Everyone && !c.May(access.Share) {
		return site.ErrNoRight
	}
	m.Alert = id
	switch f.Get("life") {
	case "day":
		m.Until = new(c.Now.AddDate(0, 0, 1))
	case "week":
		m.Until = new(c.Now.AddDate(0, 0, 7))
	case "ever":
	default:
		return s.showAlerts(c, http.StatusBadRequest, "", c.T("alerts.snooze.choose_life"))
	}
	principal := c.AlertPrincipal()
	err = s.DB.Snooze(c.Request().Context(), principal, m, func(ctx context.Context, q *sqlc.Queries, of sqlc.ShownAlertRow) error {
		if !m.Everyone {
			return nil
		}
		return s.Audit.RecordIn(ctx, q, audit.Event{Action: audit.AlertSnoozed, Store: of.Slug, Details: append(recordedRule(of.Rule), untilRecorded(m.Until))})
	})
	if errors.Is(err, db.ErrTooManySnoozes) {
		return s.showAlerts(c, http.StatusConflict, "", c.T("alerts.snooze.too_many", "n", db.MaxSnoozes))
	}
	if m.Everyone {
		return s.handled(c, err, "snoozed")
	}
	return s.handled(c, err, "snoozed_mine")
}

func (s *Handlers) endSnooze(c *site.Call, id int64) error {
	err := s.DB.EndSnooze(c.Request().Context(), c.AlertPrincipal(), id, c.May(access.Share), func(ctx context.Context, q *sqlc.Queries, of sqlc.EndSnoozeRow) error {
		if of.PersonID != nil {
			return nil
		}
		return s.Audit.RecordIn(ctx, q, audit.Event{Action: audit.AlertSnoozeEnded, Store: of.Slug, Details: recordedRule(db.OrZero(of.Rule))})
	})
	return s.handled(c, err, "snooze_ended")
}

func recordedRule(key string) locale.Sentences {
	return locale.Sentences{locale.M("alerts.rule." + key + ".title")}
}

// untilRecorded is the end of a snooze in the audit log.
func untilRecorded(until *time.Time) locale.Message {
	if until == nil {
		return locale.M("audit.detail.permanently")
	}
	return locale.M("audit.detail.until", "at", locale.Moment{At: *until})
}
