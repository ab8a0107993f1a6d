package web

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/views/admin"
	"github.com/storeglass/storeglass/views/components/form"
)

// groupNotices say what was just done; the address names one of them.
var groupNotices = map[string]string{
	"deleted": "The group is deleted. Its stores stay.",
	"tagged":  "The tags are saved.",
	"renamed": "The group has another name.",
	"put":     "The store is in the group, from everybody’s next request on.",
	"out":     "The store is out of the group, from everybody’s next request on.",
}

// Words for what can be wrong with a name of a group.
const (
	nameWrong = "Write a name of 1 to 60 characters, on one line."
	nameTaken = "There is a group of this name already."
)

func groupPath(id int64) string { return "/groups/" + strconv.FormatInt(id, 10) }

// groupsPage lists the groups, and stores with their tags.
func (s *adminHandlers) groupsPage(c *call) error {
	return s.showGroups(c, http.StatusOK, admin.GroupsPage{Notice: groupNotices[c.QueryParam("done")]})
}

// taggedStores is how many stores with their tags a page has.
const taggedStores = 50

// showGroups fills in what the page has beside what was typed and said.
func (s *adminHandlers) showGroups(c *call, status int, page admin.GroupsPage) error {
	ctx := c.Request().Context()
	page.Base = s.adminBase(c, "Groups and tags")
	groups, err := s.access.Groups(ctx)
	if err != nil {
		return err
	}
	for _, g := range groups {
		page.Rows = append(page.Rows, admin.GroupRow{Href: groupPath(g.ID), Name: g.Name, Stores: g.StoreNames, People: g.PersonNames, Tokens: g.Tokens})
	}
	if page.Query == "" {
		page.Query = strings.TrimSpace(c.QueryParam("query"))
	}
	if len(page.Query) > 800 {
		page.Query = ""
	}
	n, err := strconv.Atoi(c.QueryParam("page"))
	if err != nil || n < 1 || n > 10_000 {
		n = 1
	}
	stores, matched, err := s.access.TaggedStores(ctx, page.Query, (n-1)*taggedStores, taggedStores)
	if err != nil {
		return err
	}
	page.Matched = matched
	for _, o := range stores {
		page.Stores = append(page.Stores, admin.TaggedRow{Slug: o.Slug, Name: o.Name, Groups: strings.Join(o.Groups, ", "), Tags: strings.Join(o.Tags, ", ")})
	}
	at := func(n int) string {
		v := url.Values{"page": {strconv.Itoa(n)}}
		if page.Query != "" {
			v.Set("query", page.Query)
		}
		return addressWith("/groups", v) + "#tags"
	}
	if n > 1 {
		page.PrevHref = at(n - 1)
	}
	if n*taggedStores < matched {
		page.NextHref = at(n + 1)
	}
	if page.Tags, err = s.access.Tags(ctx); err != nil {
		return err
	}
	return c.pageWithStatus(status, admin.Groups(page))
}

// makeGroup makes a group and leads to it.
func (s *adminHandlers) makeGroup(c *call) error {
	name := c.form().Get("name")
	g, err := s.access.AddGroup(c.Request().Context(), name)
	if problem, status := groupProblem(err); problem != "" {
		return s.showGroups(c, status, admin.GroupsPage{Name: strings.ToValidUTF8(name, "\uFFFD"), Problem: problem})
	}
	if err != nil {
		return err
	}
	return s.seeOther(c, groupPath(g.ID))
}

// groupProblem is what is wrong with a name, in words.
func groupProblem(err error) (problem string, status int) {
	switch {
	case errors.Is(err, access.ErrName):
		return nameWrong, http.StatusBadRequest
	case errors.Is(err, access.ErrTaken):
		return nameTaken, http.StatusConflict
	}
	return "", 0
}

// tagStore saves a store's tags.
func (s *adminHandlers) tagStore(c *call) error {
	form := c.form()
	query := strings.TrimSpace(form.Get("query"))
	tags, err := access.ParseTags(form.Get("tags"))
	if errors.Is(err, access.ErrTags) {
		return s.showGroups(c, http.StatusBadRequest, admin.GroupsPage{Query: query, TagProblem: "A store has at most 20 tags, each of at most 40 characters. Nothing was saved."})
	}
	err = access.ErrNoStore
	if slug := form.Get("store"); slugForm.MatchString(slug) {
		err = s.access.SetTags(c.Request().Context(), slug, tags)
	}
	if errors.Is(err, access.ErrNoStore) {
		return s.showGroups(c, http.StatusConflict, admin.GroupsPage{Query: query, TagProblem: "This store is not there any more."})
	}
	if err != nil {
		return err
	}
	v := url.Values{"done": {"tagged"}}
	if query != "" {
		v.Set("query", query)
	}
	return s.seeOther(c, addressWith("/groups", v)+"#tags")
}

// groupPage shows one group.
func (s *adminHandlers) groupPage(c *call) error { return s.showGroup(c, http.StatusOK, "", "") }

// groupID is the group in the address.
func groupID(c *call) (int64, error) {
	id, err := strconv.ParseInt(c.Param("id"), 10, 64)
	if err != nil || id <= 0 {
		return 0, errNotFound
	}
	return id, nil
}

// showGroup shows it with what was typed as its new name, if anything was.
func (s *adminHandlers) showGroup(c *call, status int, typed, problem string) error {
	ctx := c.Request().Context()
	id, err := groupID(c)
	if err != nil {
		return err
	}
	g, err := s.access.Group(ctx, id)
	if errors.Is(err, access.ErrNoGroup) {
		return errNotFound
	}
	if err != nil {
		return err
	}
	page := admin.GroupPage{
		Base: s.adminBase(c, g.Name), Name: g.Name, Typed: typed, Tokens: g.Tokens, Notice: groupNotices[c.QueryParam("done")], Problem: problem,
	}
	page.Base.Path = groupPath(id)
	if typed == "" {
		page.Typed = g.Name
	}
	for i, slug := range g.Stores {
		page.Stores = append(page.Stores, form.Choice{Value: slug, Label: g.StoreNames[i]})
	}
	for i, person := range g.PersonIDs {
		page.People = append(page.People, admin.LinkedName{Name: g.PersonNames[i], Href: personPath(person)})
	}
	losses, err := s.access.GroupLosses(ctx, id)
	if err != nil {
		return err
	}
	for _, l := range losses {
		who := l.Name
		if l.Token {
			who = "API token " + who
		}
		page.Losses = append(page.Losses, admin.LossRow{Who: who, Stores: l.StoreNames})
	}
	stores, _, _, err := s.storeChoices(c)
	if err != nil {
		return err
	}
	page.Others = slices.DeleteFunc(stores, func(o form.Choice) bool { return slices.Contains(g.Stores, o.Value) })
	return c.pageWithStatus(status, admin.Group(page))
}

// aboutGroup is a form about the group in the address, for somebody who proved
// lately who they are: it changes who sees what.
func (s *adminHandlers) aboutGroup(done string, do func(c *call, id int64) error) func(*call) error {
	return func(c *call) error {
		id, err := groupID(c)
		if err != nil {
			return err
		}
		if err := c.recently(groupPath(id)); err != nil {
			return err
		}
		err = do(c, id)
		if problem, status := groupProblem(err); problem != "" {
			return s.showGroup(c, status, strings.ToValidUTF8(c.form().Get("name"), "\uFFFD"), problem)
		}
		switch {
		case errors.Is(err, access.ErrNoGroup):
			return errNotFound
		case errors.Is(err, access.ErrNoStore):
			return s.showGroup(c, http.StatusBadRequest, "", "There is no store of this short name. It stands in the address of the store’s pages, after /stores/.")
		case err != nil:
			return err
		case done == "deleted":
			return s.seeOther(c, "/groups?done=deleted")
		}
		return s.seeOther(c, groupPath(id)+"?done="+done)
	}
}

func (s *adminHandlers) renameGroup(c *call, id int64) error {
	return s.access.RenameGroup(c.Request().Context(), id, c.form().Get("name"))
}

func (s *adminHandlers) deleteGroup(c *call, id int64) error {
	return s.access.RemoveGroup(c.Request().Context(), id)
}

func (s *adminHandlers) storeIntoGroup(c *call, id int64) error {
	slug := c.form().Get("store")
	if !slugForm.MatchString(slug) {
		return access.ErrNoStore
	}
	return s.access.AddStoreToGroup(c.Request().Context(), id, slug)
}

// storeOutOfGroup takes one out; one that is not in it any more is no error.
func (s *adminHandlers) storeOutOfGroup(c *call, id int64) error {
	slug := c.form().Get("store")
	if !slugForm.MatchString(slug) {
		return access.ErrNoStore
	}
	_, err := s.access.TakeStoreFromGroup(c.Request().Context(), id, slug)
	return err
}
