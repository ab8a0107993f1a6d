package web

import (
	"errors"
	"net/http"
	"strconv"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/views/admin"
)

// errNoOffboarder is for a server that was wired without one.
var errNoOffboarder = &problem{
	status: 503, kind: "unavailable", title: "This server can’t list what people reach",
	detail: "Whoever runs it can use the command `dashboard user reach`.",
	action: "To the people", href: "/people",
}

func reachPath(id int64) string { return personPath(id) + "/reach" }

// reachPage lists what one person can still reach.
func (s *adminHandlers) reachPage(c *call) error { return s.showReach(c, http.StatusOK, "") }

func (s *adminHandlers) showReach(c *call, status int, problem string) error {
	id, err := personID(c)
	if err != nil {
		return err
	}
	if s.offboarder == nil {
		return errNoOffboarder
	}
	ctx := c.Request().Context()
	_, held, err := s.offboarder.Holdings(ctx, c.visit.Person.ID, id)
	if errors.Is(err, access.ErrNoPerson) {
		return errNotFound
	}
	if err != nil {
		return err
	}
	m, err := s.access.Member(ctx, id)
	if err != nil {
		return err
	}
	page := admin.ReachPage{
		Base: s.adminBase(c, "What "+m.Name+" can still reach"), Name: m.Name, Email: m.Email, RoleWords: m.Role.Words(), State: stateOf(m),
		Counts: access.CountHoldings(held), PersonHref: personPath(id), Action: personPath(id) + "/offboard", Disabled: m.Disabled, Problem: problem,
	}
	page.Base.Path = reachPath(id)
	if c.QueryParam("done") == "offboarded" && m.Disabled {
		page.Notice = "Everything is taken away."
	}
	if id == c.visit.Person.ID {
		page.Kept = "This is you. Another admin can take everything away from you."
	} else if last, err := s.access.IsLastAdmin(ctx, id); err != nil {
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
	return c.pageWithStatus(status, admin.Reach(page))
}

// managedAt is the page on which an admin manages the thing; empty where only its owner
// can.
func managedAt(person int64, h access.Holding) string {
	switch h.Kind {
	case access.HoldsRole, access.HoldsEvery, access.HoldsGrant, access.HoldsSession, access.HoldsLink, access.HoldsApp, access.HoldsPasskey, access.HoldsRecovery:
		return personPath(person)
	case access.HoldsGroup:
		return "/groups/" + strconv.FormatInt(h.Ref, 10)
	case access.HoldsToken:
		return "/tokens"
	case access.HoldsShare:
		return sharesPath(h.Slug)
	case access.HoldsReader:
		return subscriptionPath(h.Ref)
	case access.HoldsSent:
		return personPath(h.Ref)
	case access.HoldsRemoved:
		return removedPath
	}
	return ""
}

// offboard takes everything away from a person.
func (s *adminHandlers) offboard(c *call) error {
	id, err := personID(c)
	if err != nil {
		return err
	}
	if err := c.recently(reachPath(id)); err != nil {
		return err
	}
	if s.offboarder == nil {
		return errNoOffboarder
	}
	_, err = s.offboarder.Offboard(c.Request().Context(), c.visit.Person.ID, id)
	switch {
	case errors.Is(err, access.ErrNoPerson):
		return errNotFound
	case errors.Is(err, access.ErrOneself):
		return s.showReach(c, http.StatusConflict, "Nobody takes everything away from themselves: another admin can.")
	case errors.Is(err, access.ErrLastAdmin):
		return s.showReach(c, http.StatusConflict, "This is the last admin who can sign in. Make somebody else admin first.")
	case err != nil:
		return err
	}
	return s.seeOther(c, reachPath(id)+"?done=offboarded")
}
