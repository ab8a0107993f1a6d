package web

import (
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/storeglass/storeglass/internal/access"
	reportstores "github.com/storeglass/storeglass/internal/report/stores"
	"github.com/storeglass/storeglass/views/stores"
)

// The notices of the Settings page, by what was just done. The address names one of
// them, and nothing in the address reaches the page as it is.
var settingsNotices = map[string]string{
	"saved":        "Saved.",
	"connected":    "Connected. Its first pulls are under way.",
	"replaced":     "Replaced. The one before is forgotten, and what is due is pulled with the new one.",
	"checked":      "The service answers, and takes what it was asked with. What is due is pulled.",
	"disconnected": "Disconnected. Address and token are forgotten; stored numbers stay.",
	"restored":     "Brought back, as it was. What was missed is pulled now.",
}

func settingsPath(slug string) string { return storePath(slug) + "/settings" }

// settings shows how a store is connected, and to who may change it, how.
func (s *Server) settings(c *call) error {
	page, err := s.settingsPage(c)
	if err != nil {
		return err
	}
	page.Notice = settingsNotices[c.QueryParam("done")]
	return c.page(stores.Settings(page))
}

func (s *Server) settingsPage(c *call) (stores.SettingsPage, error) {
	stored, err := s.db.StoredSettings(c.Request().Context(), c.store, c.now)
	if err != nil {
		return stores.SettingsPage{}, err
	}
	home, sync := settingsPath(c.store.Slug), storePath(c.store.Slug)+"/sync"
	page := stores.SettingsPage{
		Base: s.basis(c, "Settings"), Settings: stored, MayChange: s.mayKeep(c),
		Home: home, SyncHref: sync, ExportHref: storePath(c.store.Slug) + "/export.zip",
		Form: stores.StoreInput{
			Slug: c.store.Slug, Name: c.store.Name, Timezone: c.store.Timezone, HistoryDays: strconv.Itoa(c.store.HistoryDays),
			Zones: reportstores.ZoneChoices(c.now, c.store.Timezone),
		},
	}
	if c.may(access.Connect) {
		page.PauseAction, page.ResumeAction = sync+"/pause", sync+"/resume"
	}
	return page, nil
}

// mayKeep reports whether the person may change stores here.
func (s *Server) mayKeep(c *call) bool { return s.keeper != nil && c.may(access.Connect) }

// settingsSaved changes a store's name, clock and wanted history.
func (s *Server) settingsSaved(c *call) error {
	page, err := s.settingsPage(c)
	if err != nil {
		return err
	}
	form := c.storeForm(&page.Form)
	if page.Form.Wrong = form.WrongWithoutSlug(); len(page.Form.Wrong) > 0 {
		return c.pageWithStatus(http.StatusUnprocessableEntity, stores.Settings(page))
	}
	err = s.keeper.Change(c.Request().Context(), c.visit.Person.ID, c.store.Slug, form)
	if refused := (*reportstores.Refusal)(nil); errors.As(err, &refused) {
		page.Form.Wrong = refused.Reasons
		return c.pageWithStatus(http.StatusUnprocessableEntity, stores.Settings(page))
	}
	if err != nil {
		return err
	}
	return s.settingsDone(c, "saved")
}

func (s *Server) settingsDone(c *call, what string) error {
	return s.seeOther(c, settingsPath(c.store.Slug)+"?done="+what)
}

// service is the one in the address; errNotFound when it is neither.
func (c *call) service() (string, error) {
	if service := c.Param("service"); slices.Contains(services, service) {
		return service, nil
	}
	return "", errNotFound
}

// serviceSettings asks for the address and token of one service.
func (s *Server) serviceSettings(c *call) error {
	page, err := s.servicePage(c)
	if err != nil {
		return err
	}
	return c.pageWithStatus(http.StatusOK, stores.Service(page))
}

func (s *Server) servicePage(c *call) (stores.ServicePage, error) {
	service, err := c.service()
	if err != nil {
		return stores.ServicePage{}, err
	}
	stored, err := s.db.StoredSettings(c.Request().Context(), c.store, c.now)
	if err != nil {
		return stores.ServicePage{}, err
	}
	page := stores.ServicePage{Base: s.basis(c, "Settings"), Service: *stored.Of(service), Back: settingsPath(c.store.Slug)}
	page.Input = stores.ServiceInput{Service: service, Address: page.Service.Address}
	return page, nil
}

// serviceConnected checks what was given and puts it in the place of what was there.
// It always takes the token again, so that none that is stored can be sent elsewhere.
func (s *Server) serviceConnected(c *call) error {
	page, err := s.servicePage(c)
	if err != nil {
		return err
	}
	in := &page.Input
	given := reportstores.Given{Service: in.Service, Address: strings.TrimSpace(c.FormValue(in.Service + "_url")), Token: strings.TrimSpace(c.FormValue(in.Service + "_token"))}
	in.Address = given.Address
	if in.Problem = incomplete(given); in.Problem == "" && given.Address == "" {
		in.Problem = "Paste its base address and its " + stores.TokenName(in.Service) + "."
	}
	if in.Problem != "" {
		return c.pageWithStatus(http.StatusUnprocessableEntity, stores.Service(page))
	}
	replaced, err := s.keeper.Connect(c.Request().Context(), c.visit.Person.ID, c.store.Slug, given)
	if refused := (*reportstores.Refusal)(nil); errors.As(err, &refused) {
		in.Problem, page.Problem = refused.Reasons[in.Service], refused.Reasons[""]
		return c.pageWithStatus(http.StatusUnprocessableEntity, stores.Service(page))
	}
	if err != nil {
		return err
	}
	if replaced {
		return s.settingsDone(c, "replaced")
	}
	return s.settingsDone(c, "connected")
}

// serviceChecked asks the service now.
func (s *Server) serviceChecked(c *call) error {
	service, err := c.service()
	if err != nil {
		return err
	}
	err = s.keeper.Check(c.Request().Context(), c.visit.Person.ID, c.store.Slug, service)
	if refused := (*reportstores.Refusal)(nil); errors.As(err, &refused) {
		page, err := s.settingsPage(c)
		if err != nil {
			return err
		}
		page.Problems = map[string]string{service: refused.Reasons[service] + refused.Reasons[""]}
		return c.pageWithStatus(http.StatusUnprocessableEntity, stores.Settings(page))
	}
	if err != nil {
		return err
	}
	return s.settingsDone(c, "checked")
}

// serviceDisconnect asks whether to forget a service's token.
func (s *Server) serviceDisconnect(c *call) error {
	page, err := s.servicePage(c)
	if err != nil {
		return err
	}
	if !page.Service.Connected {
		return s.seeOther(c, page.Back)
	}
	return c.pageWithStatus(http.StatusOK, stores.Disconnect(stores.DisconnectPage{Base: page.Base, Service: page.Service, Back: page.Back}))
}

// serviceDisconnected forgets it.
func (s *Server) serviceDisconnected(c *call) error {
	service, err := c.service()
	if err != nil {
		return err
	}
	if err := s.keeper.Disconnect(c.Request().Context(), c.visit.Person.ID, c.store.Slug, service); err != nil {
		return err
	}
	return s.settingsDone(c, "disconnected")
}
