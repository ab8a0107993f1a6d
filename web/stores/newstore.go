package stores

import (
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	reportstores "github.com/storeglass/storeglass/internal/report/stores"
	"github.com/storeglass/storeglass/views/components/form"
	"github.com/storeglass/storeglass/views/stores"
	"github.com/storeglass/storeglass/web/site"
)

// services are the two services of a store, in the order of the forms.
var services = []string{"upsell", "gift"}

// newStore asks for the addresses and tokens of a shop's services.
func (s *Handlers) newStore(c *site.Call) error {
	return c.PageWithStatus(http.StatusOK, stores.New(s.newStorePage(c)))
}

func (s *Handlers) newStorePage(c *site.Call) stores.NewPage {
	page := stores.NewPage{Base: s.PageBase(c, c.Locale().T("nav.add_store")), RemovedHref: site.RemovedPath}
	for _, service := range services {
		page.Services = append(page.Services, stores.ServiceInput{Service: service, Address: c.Form().Get(service + "_url"), Optional: true})
	}
	return page
}

// checkNewStore calls the services and leads to their answers. Tokens go straight from the form
// to the Admin and never appear in a page: after a mistake they must be pasted again.
func (s *Handlers) checkNewStore(c *site.Call) error {
	page := s.newStorePage(c)
	var given []reportstores.Given
	wrong := false
	for i := range page.Services {
		in := &page.Services[i]
		g := reportstores.Given{Service: in.Service, Address: strings.TrimSpace(in.Address), Token: strings.TrimSpace(c.Form().Get(in.Service + "_token"))}
		switch in.Wrong = incomplete(c.Locale(), g); {
		case in.Problem != "":
			wrong = true
		case g.Address != "":
			given = append(given, g)
		}
	}
	if !wrong && len(given) == 0 {
		page.Problem, wrong = page.T("connect.wrong.nothing"), true
	}
	if wrong {
		return c.PageWithStatus(http.StatusUnprocessableEntity, stores.New(page))
	}
	id, err := s.admin.Discover(c.Request().Context(), c.Visit.Person.ID, given)
	if refused, ok := errors.AsType[*reportstores.Refusal](err); ok {
		page.Problem, page.Action, page.Href = refused.Reasons[""], refused.Action, refused.Href
		for i := range page.Services {
			in := &page.Services[i]
			in.Problem = refused.Reasons[in.Service]
			in.Answered = in.Problem == "" && in.Address != "" && page.Problem == ""
		}
		return c.PageWithStatus(http.StatusUnprocessableEntity, stores.New(page))
	}
	return s.Then(c, err, site.NewStorePath+"/"+id)
}

// incomplete says which half of a service is missing, if only one is given.
func incomplete(l locale.Locale, g reportstores.Given) form.Wrong {
	switch {
	case g.Address != "" && g.Token == "":
		return form.Wrong{Field: "token", Problem: l.T("connect.wrong.no_token." + g.Service)}
	case g.Address == "" && g.Token != "":
		return form.Wrong{Field: "url", Problem: l.T("connect.wrong.no_address." + g.Service)}
	}
	return form.Wrong{}
}

// foundStorePage shows what the services said. Once the store is saved, it leads there.
func (s *Handlers) foundStorePage(c *site.Call) error {
	found, err := s.pending(c)
	if err != nil {
		return s.pendingGone(c, err)
	}
	if found.Slug != "" {
		return s.SeeOther(c, site.StorePath(found.Slug))
	}
	page := s.foundPage(c, found)
	page.Form.Slug, page.Form.Name = reportstores.SuggestSlug(found.Domain()), reportstores.SuggestName(found.Domain())
	page.Form.Timezone, page.Form.HistoryDays = page.Form.Named, strconv.Itoa(reportstores.DefaultHistoryDays)
	return c.PageWithStatus(http.StatusOK, stores.Found(page))
}

func (s *Handlers) pending(c *site.Call) (reportstores.Connection, error) {
	return s.admin.Pending(c.Request().Context(), c.Visit.Person.ID, c.Param("pending"))
}

// pendingGone answers the second step where there is nothing to save: it was never
// this person's, or it waited too long.
func (s *Handlers) pendingGone(c *site.Call, err error) error {
	if !errors.Is(err, db.ErrNotFound) {
		return err
	}
	page := s.newStorePage(c)
	page.Path = site.NewStorePath
	page.Problem = page.T("connect.wrong.expired")
	return c.PageWithStatus(http.StatusNotFound, stores.New(page))
}

func (s *Handlers) foundPage(c *site.Call, found reportstores.Connection) stores.FoundPage {
	page := stores.FoundPage{Base: s.PageBase(c, c.Locale().T("nav.add_store")), Connection: found, StartOver: site.NewStorePath}
	page.Base.Now = c.Now
	if report.IsTimezone(found.Timezone()) {
		page.Form.Named = found.Timezone()
	}
	page.Form.Zones, page.Form.Pace = reportstores.ZoneChoices(c.Locale(), c.Now, page.Form.Named), s.pace()
	return page
}

// pace is how many calls a minute load the past: those that aren't kept for people.
func (s *Handlers) pace() int { return s.DB.RateLimit - db.Reserve(s.DB.RateLimit) }

// saveNewStore makes a store of it and leads to its first page, which fills in.
func (s *Handlers) saveNewStore(c *site.Call) error {
	found, err := s.pending(c)
	if err != nil {
		return s.pendingGone(c, err)
	}
	if found.Slug != "" { // sent twice
		return s.SeeOther(c, site.StorePath(found.Slug))
	}
	page := s.foundPage(c, found)
	form := storeForm(c, &page.Form)
	if page.Form.Wrong = form.Wrong(c.Locale()); len(page.Form.Wrong) > 0 || page.Form.Unconfirmed() {
		return c.PageWithStatus(http.StatusUnprocessableEntity, stores.Found(page))
	}
	slug, err := s.admin.Save(c.Request().Context(), c.Visit.Person.ID, c.Param("pending"), form)
	if refused, ok := errors.AsType[*reportstores.Refusal](err); ok {
		page.Form.Wrong = refused.Reasons
		page.Problem, page.Action, page.Href = refused.Reasons[""], refused.Action, refused.Href
		return c.PageWithStatus(http.StatusUnprocessableEntity, stores.Found(page))
	}
	if err != nil {
		return s.pendingGone(c, err)
	}
	return s.SeeOther(c, site.StorePath(slug))
}

// storeForm reads a store's fields, and keeps in the page what was typed.
func storeForm(c *site.Call, typed *stores.StoreInput) reportstores.Form {
	typed.Slug, typed.Name = strings.TrimSpace(c.Form().Get("slug")), strings.TrimSpace(c.Form().Get("name"))
	typed.Timezone, typed.HistoryDays, typed.Sure = c.Form().Get("timezone"), strings.TrimSpace(c.Form().Get("history_days")), c.Form().Get("sure")
	days, _ := strconv.Atoi(typed.HistoryDays) // no number is 0, which is refused
	return reportstores.Form{Slug: typed.Slug, Name: typed.Name, Timezone: typed.Timezone, HistoryDays: days}
}
