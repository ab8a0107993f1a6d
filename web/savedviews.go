package web

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/views/stores"
)

// viewNotices are the notices of the page of saved views, by what was just done.
var viewNotices = map[string]string{
	"renamed": "Renamed.",
	"opens":   "The list of stores opens as chosen from now on.",
	"deleted": "Deleted. The stores are as they were.",
}

// viewsPage lists the person's saved views.
func (s *storesHandlers) viewsPage(c *call) error {
	page, err := s.savedViews(c)
	if err != nil {
		return err
	}
	page.Notice = viewNotices[c.QueryParam("done")]
	return c.page(stores.Views(page))
}

func (s *storesHandlers) savedViews(c *call) (stores.ViewsPage, error) {
	page := stores.ViewsPage{Base: s.pageBase(c, "Saved views")}
	saved, err := s.db.SavedViews(c.Request().Context(), c.visit.Person.ID)
	for _, v := range saved {
		page.Views = append(page.Views, savedView(v, c))
	}
	return page, err
}

// savedView is a stored view as pages show it.
func savedView(v db.SavedView, c *call) stores.SavedView {
	q, err := report.ParsePortfolio(savedQuery(v.Query), c.minute())
	return stores.SavedView{
		ID: v.ID, Name: v.Name, Href: "/?view=" + strconv.FormatInt(v.ID, 10), Opens: v.Opens, Asks: q.Words(), Broken: err != nil,
	}
}

// saveView keeps what the list shows under a name, in place of what that name stood
// for. Only what the list itself would read of the query is kept.
func (s *storesHandlers) saveView(c *call) error {
	name, problem := viewName(c.form().Get("name"))
	q, err := report.ParsePortfolio(savedQuery(c.form().Get("query")), c.minute())
	if wrong := (*report.ChoiceError)(nil); problem == "" && errors.As(err, &wrong) {
		problem = "Nothing was saved: " + wrong.Reason + "."
	}
	if problem != "" {
		return s.viewRefused(c, 0, "", problem)
	}
	id, err := s.db.SaveView(c.Request().Context(), c.visit.Person.ID, name, firstPage(q))
	if errors.Is(err, db.ErrTooManyViews) {
		return s.viewRefused(c, 0, "", "Nothing was saved: you keep "+strconv.Itoa(db.MaxSavedViews)+" views, which is as many as there can be. Delete one first.")
	}
	if err != nil {
		return err
	}
	return s.seeOther(c, "/?view="+strconv.FormatInt(id, 10))
}

// renameView gives a view another name.
func (s *storesHandlers) renameView(c *call) error {
	id, err := viewID(c)
	if err != nil {
		return err
	}
	typed := c.form().Get("name")
	name, problem := viewName(typed)
	if problem != "" {
		return s.viewRefused(c, id, typed, problem)
	}
	err = s.db.RenameView(c.Request().Context(), c.visit.Person.ID, id, name)
	if errors.Is(err, db.ErrNameTaken) {
		return s.viewRefused(c, id, typed, "Another of your views has this name. Choose another, or delete that one first.")
	}
	if err != nil {
		return err
	}
	return s.seeOther(c, "/views?done=renamed")
}

// openWithView chooses the view that the list opens with, or none.
func (s *storesHandlers) openWithView(c *call) error {
	id, err := viewID(c)
	if err != nil {
		return err
	}
	if err := s.db.OpenView(c.Request().Context(), c.visit.Person.ID, id, c.form().Get("opens") == "yes"); err != nil {
		return err
	}
	return s.seeOther(c, "/views?done=opens")
}

// deleteView forgets a view.
func (s *storesHandlers) deleteView(c *call) error {
	id, err := viewID(c)
	if err != nil {
		return err
	}
	if err := s.db.DeleteView(c.Request().Context(), c.visit.Person.ID, id); err != nil {
		return err
	}
	return s.seeOther(c, "/views?done=deleted")
}

// viewRefused shows the views again with the form that was refused; id 0 is the form
// of the list.
func (s *storesHandlers) viewRefused(c *call, id int64, typed, problem string) error {
	page, err := s.savedViews(c)
	if err != nil {
		return err
	}
	page.Path = "/views"
	page.ProblemID, page.Name, page.Problem = id, typed, problem
	return c.pageWithStatus(http.StatusUnprocessableEntity, stores.Views(page))
}

// viewID is the view in the address.
func viewID(c *call) (int64, error) {
	id, err := strconv.ParseInt(c.Param("id"), 10, 64)
	if err != nil || id < 1 {
		return 0, errNotFound
	}
	return id, nil
}

const maxViewName = 60

// viewName is a name as it is kept; problem says why it can't be.
func viewName(typed string) (name, problem string) {
	name = strings.Join(strings.Fields(typed), " ")
	if name == "" || !utf8.ValidString(name) || utf8.RuneCountInString(name) > maxViewName || strings.ContainsFunc(name, unicode.IsControl) {
		return "", "Nothing was saved: write a name of 1 to " + strconv.Itoa(maxViewName) + " characters."
	}
	return name, ""
}
