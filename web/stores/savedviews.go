package stores

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/portfolio"
	"github.com/storeglass/storeglass/views/stores"
	"github.com/storeglass/storeglass/web/site"
)

func (s *Handlers) viewsPage(c *site.Call) error {
	page, err := s.savedViews(c)
	if err != nil {
		return err
	}
	page.Notice = c.Done("stores.views.done.")
	return c.Page(stores.Views(page))
}

func (s *Handlers) savedViews(c *site.Call) (stores.ViewsPage, error) {
	page := stores.ViewsPage{Base: s.PageBase(c, c.Locale().T("stores.views.title"))}
	saved, err := s.DB.SavedViews(c.Request().Context(), c.Visit.Person.ID)
	for _, v := range saved {
		page.Views = append(page.Views, savedView(v, c))
	}
	return page, err
}

// savedView is a stored view as pages show it.
func savedView(v sqlc.SavedView, c *site.Call) stores.SavedView {
	q, err := portfolio.ParseQuery(savedQuery(v.Query), c.Minute())
	return stores.SavedView{
		ID: v.ID, Name: v.Name, Href: "/?view=" + strconv.FormatInt(v.ID, 10), Opens: v.Opens, Asks: q.Words(c.Locale()), Broken: err != nil,
	}
}

// saveView keeps what the list shows under a name, in place of what that name stood
// for. Only what the list itself would read of the query is kept.
func (s *Handlers) saveView(c *site.Call) error {
	name, problem := viewName(c.Locale(), c.Form().Get("name"))
	q, err := portfolio.ParseQuery(savedQuery(c.Form().Get("query")), c.Minute())
	if wrong, ok := errors.AsType[*report.ChoiceError](err); ok && problem == "" {
		problem = c.Locale().T("stores.views.wrong", "reason", wrong.Reason.In(c.Locale()))
	}
	if problem != "" {
		return s.viewRefused(c, 0, "", problem)
	}
	id, err := s.DB.SaveView(c.Request().Context(), c.Visit.Person.ID, name, firstPage(q))
	if errors.Is(err, db.ErrTooManyViews) {
		return s.viewRefused(c, 0, "", c.Locale().T("stores.views.too_many", "n", db.MaxSavedViews))
	}
	return s.Then(c, err, "/?view="+strconv.FormatInt(id, 10))
}

func (s *Handlers) renameView(c *site.Call, id int64) error {
	typed := c.Form().Get("name")
	name, problem := viewName(c.Locale(), typed)
	if problem != "" {
		return s.viewRefused(c, id, typed, problem)
	}
	err := s.DB.RenameView(c.Request().Context(), c.Visit.Person.ID, id, name)
	if errors.Is(err, db.ErrNameTaken) {
		return s.viewRefused(c, id, typed, c.Locale().T("stores.views.name_taken"))
	}
	return s.Then(c, err, "/views?done=renamed")
}

// openWithView chooses the view that the list opens with, or none.
func (s *Handlers) openWithView(c *site.Call, id int64) error {
	err := s.DB.OpenView(c.Request().Context(), c.Visit.Person.ID, id, c.Form().Get("opens") == "yes")
	return s.Then(c, err, "/views?done=opens")
}

func (s *Handlers) deleteView(c *site.Call, id int64) error {
	return s.Then(c, s.DB.DeleteView(c.Request().Context(), c.Visit.Person.ID, id), "/views?done=deleted")
}

// viewRefused shows the views again with the form that was refused; id 0 is the form
// of the list.
func (s *Handlers) viewRefused(c *site.Call, id int64, typed, problem string) error {
	page, err := s.savedViews(c)
	if err != nil {
		return err
	}
	page.Path = "/views"
	page.ProblemID, page.Name, page.Problem = id, typed, problem
	return c.PageWithStatus(http.StatusUnprocessableEntity, stores.Views(page))
}

const maxViewName = 60

// viewName is a name as it is kept; problem says why it can't be.
func viewName(l locale.Locale, typed string) (name, problem string) {
	name = strings.Join(strings.Fields(typed), " ")
	if name == "" || !utf8.ValidString(name) || utf8.RuneCountInString(name) > maxViewName || strings.ContainsFunc(name, unicode.IsControl) {
		return "", l.T("stores.views.name_wrong", "n", maxViewName)
	}
	return name, ""
}
