package admin

import (
	"cmp"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/fault"
	"github.com/storeglass/storeglass/views/admin"
	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/components/form"
	"github.com/storeglass/storeglass/web/site"
)

func groupPath(id int64) string { return "/groups/" + strconv.FormatInt(id, 10) }

// groupsPage lists the groups, and stores with their tags.
func (s *Handlers) groupsPage(c *site.Call) error {
	return s.showGroups(c, http.StatusOK, admin.GroupsPage{Notice: c.Done("groups.done.")})
}

// taggedStores is how many stores with their tags a page lists.
const taggedStores = 50

// showGroups fills in the page's other values and shows it.
func (s *Handlers) showGroups(c *site.Call, status int, page admin.GroupsPage) error {
	ctx := c.Request().Context()
	page.Base = s.adminBase(c, c.T("people.tab.groups"))
	groups, err := s.Access.Groups(ctx)
	if err != nil {
		return err
	}
	for _, g := range groups {
		page.Rows = append(page.Rows, admin.GroupRow{Href: groupPath(g.ID), Name: g.Name, Stores: g.StoreNames, People: g.PersonNames, Tokens: g.Tokens})
	}
	if page.Query = cmp.Or(page.Query, strings.TrimSpace(c.QueryParam("query"))); len(page.Query) > 800 {
		page.Query = ""
	}
	n, err := strconv.Atoi(c.QueryParam("page"))
	if err != nil || n < 1 || n > 10_000 {
		n = 1
	}
	stores, matched, err := s.Access.TaggedStores(ctx, page.Query, (n-1)*taggedStores, taggedStores)
	if err != nil {
		return err
	}
	page.Matched = matched
	for _, o := range stores {
		row := admin.TaggedRow{Slug: o.Slug, Name: o.Name, Groups: strings.Join(o.Groups, ", "), Tags: strings.Join(o.Tags, ", ")}
		if o.Slug == page.Typed.Slug {
			row.Tags = page.Typed.Tags
		}
		page.Stores = append(page.Stores, row)
	}
	at := func(n int) string {
		return components.WithQuery("/groups", components.Query("page", strconv.Itoa(n), "query", page.Query)) + "#tags"
	}
	if n > 1 {
		page.PrevHref = at(n - 1)
	}
	if n*taggedStores < matched {
		page.NextHref = at(n + 1)
	}
	if page.Tags, err = s.Access.Tags(ctx); err != nil {
		return err
	}
	return c.PageWithStatus(status, admin.Groups(page))
}

// makeGroup makes a group and leads to it.
func (s *Handlers) makeGroup(c *site.Call) error {
	name := c.Form().Get("name")
	g, err := s.Access.AddGroup(c.Request().Context(), name)
	if f, ok := fault.As(err); ok {
		return s.showGroups(c, f.Status(), admin.GroupsPage{Name: strings.ToValidUTF8(name, "\uFFFD"), Wrong: c.Wrong(f)})
	}
	return s.Then(c, err, groupPath(g.ID))
}

// tagStore saves a store's tags.
func (s *Handlers) tagStore(c *site.Call) error {
	form := c.Form()
	query := strings.TrimSpace(form.Get("query"))
	tags, err := access.ParseTags(form.Get("tags"))
	if err == nil {
		err = fault.Missing("store")
		if slug := form.Get("store"); site.SlugForm.MatchString(slug) {
			err = s.Access.SetTags(c.Request().Context(), slug, tags)
		}
	}
	if f, ok := fault.As(err); ok {
		return s.showGroups(c, f.Status(), admin.GroupsPage{
			Query: query, TagWrong: c.Wrong(f),
			Typed: admin.TaggedRow{Slug: form.Get("store"), Tags: strings.ToValidUTF8(form.Get("tags"), "\uFFFD")},
		})
	}
	return s.Then(c, err, components.WithQuery("/groups", components.Query("done", "tagged", "query", query))+"#tags")
}

func (s *Handlers) groupPage(c *site.Call, id int64) error {
	return s.showGroup(c, id, http.StatusOK, admin.GroupPage{})
}

// showGroup fills in the page's other values and shows it.
func (s *Handlers) showGroup(c *site.Call, id int64, status int, page admin.GroupPage) error {
	ctx := c.Request().Context()
	g, err := s.Access.Group(ctx, id)
	if err != nil {
		return err
	}
	page.Base, page.Name, page.Typed, page.Tokens, page.Notice = s.adminBase(c, g.Name), g.Name, cmp.Or(page.Typed, g.Name), g.Tokens, c.Done("groups.done.")
	page.Base.Path = groupPath(id)
	for i, slug := range g.Stores {
		page.Stores = append(page.Stores, form.Choice{Value: slug, Label: g.StoreNames[i]})
	}
	for i, person := range g.PersonIDs {
		page.People = append(page.People, admin.LinkedName{Name: g.PersonNames[i], Href: site.PersonPath(person)})
	}
	losses, err := s.Access.GroupLosses(ctx, id)
	if err != nil {
		return err
	}
	for _, l := range losses {
		who := l.Name
		if l.Token {
			who = c.T("group.token_named", "name", who)
		}
		page.Losses = append(page.Losses, admin.LossRow{Who: who, Stores: l.StoreNames})
	}
	stores, _, _, err := s.storeChoices(c)
	if err != nil {
		return err
	}
	page.Others = slices.DeleteFunc(stores, func(o form.Choice) bool { return slices.Contains(g.Stores, o.Value) })
	return c.PageWithStatus(status, admin.Group(page))
}

// aboutGroup handles a form about the group in the address. It changes who sees what, so the
// person must have confirmed their identity recently.
func (s *Handlers) aboutGroup(done string, do func(c *site.Call, id int64) error) func(*site.Call) error {
	return site.ByID(func(c *site.Call, id int64) error {
		if err := c.Recently(groupPath(id)); err != nil {
			return err
		}
		err := do(c, id)
		f, refused := fault.As(err)
		switch {
		case refused && !errors.Is(err, fault.Missing("group")):
			return s.showGroup(c, id, f.Status(), admin.GroupPage{Typed: c.Form().Get("name"), TypedStore: c.Form().Get("store"), Wrong: c.Wrong(f)})
		case done == "deleted":
			return s.Then(c, err, "/groups?done=deleted")
		}
		return s.Then(c, err, groupPath(id)+"?done="+done)
	})
}

func (s *Handlers) renameGroup(c *site.Call, id int64) error {
	return s.Access.RenameGroup(c.Request().Context(), id, c.Form().Get("name"))
}

func (s *Handlers) deleteGroup(c *site.Call, id int64) error {
	return s.Access.RemoveGroup(c.Request().Context(), id)
}

func (s *Handlers) storeIntoGroup(c *site.Call, id int64) error {
	slug, err := s.typedStore(c)
	if err != nil {
		return err
	}
	return s.Access.AddStoreToGroup(c.Request().Context(), id, slug)
}

// storeOutOfGroup takes a store out of a group; if it isn't in it anymore, that isn't an error.
func (s *Handlers) storeOutOfGroup(c *site.Call, id int64) error {
	slug := c.Form().Get("store")
	if !site.SlugForm.MatchString(slug) {
		return fault.Missing("store")
	}
	_, err := s.Access.TakeStoreFromGroup(c.Request().Context(), id, slug)
	return err
}
