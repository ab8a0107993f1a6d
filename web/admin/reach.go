package admin

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/fault"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/views/admin"
	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/web/site"
)

// errNoOffboarder is for a server that was wired without one.
var errNoOffboarder = site.NewProblem(fault.Unavailable, "no_offboarder").Leading("people", "/people")

func reachPath(id int64) string { return site.PersonPath(id) + "/reach" }

// reachPage lists what one person still has access to.
func (s *Handlers) reachPage(c *site.Call, id int64) error {
	return s.showReach(c, id, http.StatusOK, "")
}

func (s *Handlers) showReach(c *site.Call, id int64, status int, problem string) error {
	if s.Offboarder == nil {
		return errNoOffboarder
	}
	ctx := c.Request().Context()
	_, held, err := s.Offboarder.Holdings(ctx, c.Visit.Person.ID, id)
	if err != nil {
		return err
	}
	m, err := s.Access.Member(ctx, id)
	if err != nil {
		return err
	}
	page := admin.ReachPage{
		Base: s.adminBase(c, c.T("reach.title", "name", m.Name)), Name: m.Name, Email: m.Email, Role: string(m.Role), State: stateOf(c.Locale(), m),
		Counts: access.CountHoldings(c.Locale(), held), PersonHref: site.PersonPath(id), Action: site.PersonPath(id) + "/offboard", Disabled: m.Disabled, Problem: problem,
	}
	page.Base.Path = reachPath(id)
	if c.QueryParam("done") == "offboarded" && m.Disabled {
		page.Notice = c.T("reach.taken")
	}
	if id == c.Visit.Person.ID {
		page.Kept = c.T("reach.self")
	} else if last, err := s.Access.IsLastAdmin(ctx, id); err != nil {
		return err
	} else if last {
		page.Kept = c.T("person.last_admin")
	}
	for _, h := range held {
		h.What, h.Note = named(c.Locale(), h)
		kind, text := h.Words(c.Locale())
		page.Rows = append(page.Rows, admin.ReachRow{
			Kind: kind, Text: text, Stores: h.Reaches(c.Locale()), Since: h.Since, Until: h.Until, Stopped: !h.Works, Href: managedAt(id, h),
		})
	}
	return c.PageWithStatus(status, admin.Reach(page))
}

// named returns a holding's What and Note, with codes turned into words: a session's browser,
// and the pages of a share link.
func named(l locale.Locale, h access.Holding) (what, note string) {
	switch h.Kind {
	case access.HoldsSession:
		return components.Agent(l, h.What), h.Note
	case access.HoldsShare:
		var pages []string
		for _, t := range site.ShareTabs {
			if slices.Contains(strings.Split(h.Note, ", "), string(t.Page)) {
				pages = append(pages, t.Name.In(l))
			}
		}
		return h.What, strings.Join(pages, ", ")
	}
	return h.What, h.Note
}

// managedAt is the page on which an admin manages the thing; empty if only its owner can.
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

// offboard takes all access away from a person. It checks that the server can do so before it asks
// for a password.
func (s *Handlers) offboard(c *site.Call, id int64) error {
	if s.Offboarder == nil {
		return errNoOffboarder
	}
	if _, err := s.Access.Member(c.Request().Context(), id); err != nil {
		return err
	}
	if err := c.Recently(reachPath(id)); err != nil {
		return err
	}
	_, err := s.Offboarder.Offboard(c.Request().Context(), c.Visit.Person.ID, id)
	if f, ok := fault.As(err); ok && f.Kind == fault.Conflict {
		return s.showReach(c, id, f.Status(), f.Reason.In(c.Locale()))
	}
	return s.Then(c, err, reachPath(id)+"?done=offboarded")
}
