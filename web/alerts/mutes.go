package alerts

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/views/alerts"
	"github.com/storeglass/storeglass/views/components/form"
	"github.com/storeglass/storeglass/web/site"
)

// Ways to mute, as forms send them.
const (
	muteThisMine  = "this-mine"
	muteThisAll   = "this-all"
	muteRuleMine  = "rule-mine"
	muteRuleAll   = "rule-all"
	muteEveryMine = "everywhere-mine"
)

var muteReaches = map[string]db.NewMute{
	muteThisMine:  {Reach: db.MuteThis},
	muteThisAll:   {Reach: db.MuteThis, Everybody: true},
	muteRuleMine:  {Reach: db.MuteRule},
	muteRuleAll:   {Reach: db.MuteRule, Everybody: true},
	muteEveryMine: {Reach: db.MuteRuleEverywhere},
}

// reaches are the ways in which the person may mute the alert.
func reaches(c *site.Call, l db.ListedAlert) []form.Choice {
	rule := "all of “" + ruleTitle(l.Rule) + "”"
	out := []form.Choice{{Value: muteThisMine, Label: "this, for me"}}
	if c.May(access.Share) {
		out = append(out, form.Choice{Value: muteThisAll, Label: "this, for everybody and every channel"})
	}
	out = append(out, form.Choice{Value: muteRuleMine, Label: rule + " in this store, for me"})
	if c.May(access.Share) {
		out = append(out, form.Choice{Value: muteRuleAll, Label: rule + " in this store, for everybody and every channel"})
	}
	return append(out, form.Choice{Value: muteEveryMine, Label: rule + " in every store, for me"})
}

func muteRow(c *site.Call, m db.ShownMutesRow) alerts.MuteRow {
	loc := time.UTC
	if c.Store.Slug != "" {
		loc = c.Store.Location()
	}
	r := alerts.MuteRow{What: "Every alert", Where: "in every store", Whom: "for you", Until: strings.TrimSpace(untilWords(m.Until, loc)), MadeBy: m.MadeBy}
	if m.Until != nil && loc == time.UTC {
		r.Until += " UTC"
	}
	if m.Rule != nil {
		r.What = ruleTitle(*m.Rule)
	}
	if m.Title != "" {
		r.What = m.Title
	}
	if m.Slug != "" {
		r.Where = "in " + m.StoreName
	}
	if m.PersonID == nil {
		r.Whom = "for everybody and every channel"
	} else {
		r.MadeBy = ""
	}
	if m.PersonID != nil || c.May(access.Share) {
		r.Action = site.AlertsPath + "/mutes/" + strconv.FormatInt(m.ID, 10) + "/end"
	}
	return r
}

// backToAlerts is the page that a form about alerts stood on.
func backToAlerts(c *site.Call, done string) string {
	path := site.AlertsPath
	if slug := c.Form().Get("at"); site.SlugForm.MatchString(slug) {
		path = site.StorePath(slug) + site.AlertsPath
	}
	return path + "?done=" + done
}

// muteAlert holds alerts back.
func (s *Handlers) muteAlert(c *site.Call) error {
	f := c.Form()
	id, err := strconv.ParseInt(f.Get("alert"), 10, 64)
	if err != nil {
		return site.ErrNotFound
	}
	m, ok := muteReaches[f.Get("reach")]
	if !ok {
		return s.showAlerts(c, http.StatusBadRequest, "", "Choose what is to be muted.")
	}
	if m.Everybody && !c.May(access.Share) {
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
		return s.showAlerts(c, http.StatusBadRequest, "", "Choose for how long.")
	}
	asker := c.AlertPrincipal()
	err = s.DB.Mute(c.Request().Context(), asker, m, func(ctx context.Context, q *db.Queries, of db.ShownAlertRow) error {
		if !m.Everybody {
			return nil
		}
		return s.Access.RecordIn(ctx, q, access.Event{Action: access.AlertMuted, Store: of.Slug, Subject: ruleTitle(of.Rule) + untilWords(m.Until, time.UTC)})
	})
	switch {
	case errors.Is(err, db.ErrNotFound):
		return site.ErrNotFound
	case errors.Is(err, db.ErrTooManyMutes):
		return s.showAlerts(c, http.StatusConflict, "", "Nothing was muted: you have "+strconv.Itoa(db.MaxMutes)+" mutes, which is as many as there can be. End one first.")
	case err != nil:
		return err
	}
	return s.SeeOther(c, backToAlerts(c, "muted"))
}

// endMute ends a mute.
func (s *Handlers) endMute(c *site.Call) error {
	id, err := strconv.ParseInt(c.Param("id"), 10, 64)
	if err != nil {
		return site.ErrNotFound
	}
	err = s.DB.EndMute(c.Request().Context(), c.AlertPrincipal(), id, c.May(access.Share), func(ctx context.Context, q *db.Queries, of db.EndMuteRow) error {
		if of.PersonID != nil {
			return nil
		}
		return s.Access.RecordIn(ctx, q, access.Event{Action: access.AlertUnmuted, Store: of.Slug, Subject: ruleTitle(orEmpty(of.Rule))})
	})
	if errors.Is(err, db.ErrNotFound) {
		return site.ErrNotFound
	}
	if err != nil {
		return err
	}
	return s.SeeOther(c, backToAlerts(c, "unmuted"))
}

func orEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
