package admin

import (
	"errors"
	"net/http"
	"strconv"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/views/admin"
	"github.com/storeglass/storeglass/web/site"
)

// errNoOffboarder is for a server that was wired without one.
var errNoOffboarder = site.NewProblem(503, "unavailable", "no_offboarder").Leading("people", "/people")

func reachPath(id int64) string { return site.PersonPath(id) + "/reach" }

// reachPage lists what one person can still reach.
func (s *Handlers) reachPage(c *site.Call) error { return s.showReach(c, http.StatusOK, "") }

func (s *Handlers) showReach(c *site.Call, status int, problem string) error {
	id, err := personID(c)
	if err != nil {
		return err
	}
	if s.Offboarder == nil {
		return errNoOffboarder
	}
	ctx := c.Request().Context()
	_, held, err := s.Offboarder.Holdings(ctx, c.Visit.Person.ID, id)
	if errors.Is(err, access.ErrNoPerson) {
		return site.ErrNotFound
	}
	if err != nil {
		return err
	}
	m, err := s.Access.Member(ctx, id)
	if err != nil {
		return err
	}
	page := admin.ReachPage{
		Base: s.adminBase(c, "What "+m.Name+" can still reach"), Name: m.Name, Email: m.Email, RoleWords: m.Role.Words(), State: stateOf(c.Locale(), m),
		Counts: access.CountHoldings(held), PersonHref: site.PersonPath(id), Action: site.PersonPath(id) + "/offboard", Disabled: m.Disabled, Problem: problem,
	}
	page.Base.Path = reachPath(id)
	if c.QueryParam("done") == "offboarded" && m.Disabled {
		page.Notice = "Everything is taken away."
	}
	if id == c.Visit.Person.ID {
		page.Kept = "This is you. Another admin can take everything away from you."
	} else if last, err := s.Access.IsLastAdmin(ctx, id); err != nil {
		return err
	} else if last {
		page.Kept = "This is the last admin who can sign in. Make somebody else admin first."
	}
	for _, h := range held {
		kind, text := h.Words()
		page.Rows = append(page.Rows, admin.ReachRow{
			Kind: kind, Text: text, Stores: h.Reaches(), Since: h.Since, Until: h.Until, Stopped: !h.Works, Href: managedAt(id, h),
		})
	}
	return c.PageWithStatus(status, admin.Reach(page))
}

// managedAt is the page on which an admin manages the thing; empty where only its owner
// can.
func managedAt(person int64, h access.Holding) string {
	switch h.Kind {
	case access.HoldsRole, access.HoldsEvery, access.HoldsGrant, access.HoldsSession, access.HoldsLink, access.HoldsApp, access.HoldsPasskey, access.HoldsRecovery:
		return site.PersonPath(person)
	case access.HoldsGroup:
		return "/groups/" + strconv.FormatInt(h.Ref, 10)
	case access.HoldsToken:
		return "/tokens"
	case access.HoldsShare:
		return site.SharesPath(h.Slug)
	case access.HoldsReader:
		return site.SubscriptionPath(h.Ref)
	case access.HoldsSent:
		return site.PersonPath(h.Ref)
	case access.HoldsRemoved:
		return site.RemovedPath
	}
	return ""
}

// offboard takes everything away from a person.
func (s *Handlers) offboard(c *site.Call) error {
	id, err := personID(c)
	if err != nil {
		return err
	}
	if err := c.Recently(reachPath(id)); err != nil {
		return err
	}
	if s.Offboarder == nil {
		return errNoOffboarder
	}
	_, err = s.Offboarder.Offboard(c.Request().Context(), c.Visit.Person.ID, id)
	switch {
	case errors.Is(err, access.ErrNoPerson):
		return site.ErrNotFound
	case errors.Is(err, access.ErrOneself):
		return s.showReach(c, http.StatusConflict, "Nobody takes everything away from themselves: another admin can.")
	case errors.Is(err, access.ErrLastAdmin):
		return s.showReach(c, http.StatusConflict, "This is the last admin who can sign in. Make somebody else admin first.")
	case err != nil:
		return err
	}
	return s.SeeOther(c, reachPath(id)+"?done=offboarded")
}
