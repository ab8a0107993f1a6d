package alerts

import (
	"cmp"
	"context"
	"strconv"

	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/web/site"
)

// assignAlert assigns an alert to a person, or to nobody.
func (s *Handlers) assignAlert(c *site.Call, id int64) error {
	var person *int64
	if text := c.Form().Get("person"); text != "" {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return site.ErrNotFound
		}
		person = &n
	}
	err := s.DB.AssignAlert(c.Request().Context(), c.AlertPrincipal(), id, person, func(ctx context.Context, q *sqlc.Queries, of sqlc.AssignAlertRow) error {
		return s.Audit.RecordIn(ctx, q, audit.Event{Action: audit.AlertAssigned, Store: of.Slug, Subject: ruleTitle(locale.English, of.Rule) + " to " + cmp.Or(of.Name, "nobody")})
	})
	return s.handled(c, err, "assigned")
}

// endAlert notes that an alert is done, or that it isn't.
func (s *Handlers) endAlert(done bool) func(*site.Call, int64) error {
	action, says := audit.AlertDone, "ended"
	if !done {
		action, says = audit.AlertReopened, "opened"
	}
	return func(c *site.Call, id int64) error {
		err := s.DB.EndAlert(c.Request().Context(), c.AlertPrincipal(), id, done, func(ctx context.Context, q *sqlc.Queries, of sqlc.EndAlertRow) error {
			return s.Audit.RecordIn(ctx, q, audit.Event{Action: action, Store: of.Slug, Subject: ruleTitle(locale.English, of.Rule)})
		})
		return s.handled(c, err, says)
	}
}

// handled redirects back to the inbox that the form came from: of all stores, or of one.
func (s *Handlers) handled(c *site.Call, err error, done string) error {
	path := site.AlertsPath
	if slug := c.Form().Get("at"); site.SlugForm.MatchString(slug) {
		path = site.StorePath(slug) + site.AlertsPath
	}
	return s.Then(c, err, path+"?done="+done)
}
