package stores

import (
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/report"
	reportstores "github.com/storeglass/storeglass/internal/report/stores"
	"github.com/storeglass/storeglass/views/components/form"
	"github.com/storeglass/storeglass/views/stores"
	"github.com/storeglass/storeglass/web/site"
)

// settings shows how a store is connected, and to who may change it, how.
func (s *Handlers) settings(c *site.Call) error {
	page, err := s.settingsPage(c)
	if err != nil {
		return err
	}
	page.Notice = c.Done("settings.done.")
	return c.Page(stores.Settings(page))
}

func (s *Handlers) settingsPage(c *site.Call) (stores.SettingsPage, error) {
	stored, err := s.DB.StoredSettings(c.Request().Context(), c.Store, c.Now)
	if err != nil {
		return stores.SettingsPage{}, err
	}
	home, sync := site.SettingsPath(c.Store.Slug), site.StorePath(c.Store.Slug)+"/sync"
	page := stores.SettingsPage{
		Base: s.PageBase(c, c.Locale().T("tab.settings")), Settings: stored, MayChange: s.MayKeep(c), Days: removedDays,
		Home: home, SyncHref: sync, ExportHref: site.StorePath(c.Store.Slug) + "/export.zip",
		Form: stores.StoreInput{
			Slug: c.Store.Slug, Name: c.Store.Name, Timezone: c.Store.Timezone, HistoryDays: strconv.Itoa(c.Store.HistoryDays),
			Zones: reportstores.ZoneChoices(c.Locale(), c.Now, c.Store.Timezone), Pace: s.pace(),
			Opened: site.Opened(storedForm(c)),
		},
	}
	if page.Goal, err = s.goalSection(c); err != nil {
		return page, err
	}
	if c.May(access.Connect) {
		page.PauseAction, page.ResumeAction = sync+"/pause", sync+"/resume"
	}
	return page, nil
}

// storedForm is the form of the store as it is stored.
func storedForm(c *site.Call) reportstores.Form {
	return reportstores.Form{Name: c.Store.Name, Timezone: c.Store.Timezone, HistoryDays: c.Store.HistoryDays}
}

// saveSettings changes a store's name, clock and wanted history, unless they were changed after
// the form was opened: then its fields, with what was typed, say what is stored now.
func (s *Handlers) saveSettings(c *site.Call) error {
	page, err := s.settingsPage(c)
	if err != nil {
		return err
	}
	form, stored := storeForm(c, &page.Form), storedForm(c)
	if c.Outdated(site.Opened(stored), site.Opened(form)) {
		page.Form.Wrong = form.Replacing(c.Locale(), stored)
		return c.PageWithStatus(http.StatusConflict, stores.Settings(page))
	}
	page.Form.Opened = c.Form().Get("opened")
	if zone := page.Settings.Of("gift").Timezone; form.Timezone != c.Store.Timezone && report.IsTimezone(zone) {
		page.Form.Named = zone
	}
	if page.Form.Wrong = form.WrongWithoutSlug(c.Locale()); len(page.Form.Wrong) > 0 || page.Form.Unconfirmed() {
		return c.PageWithStatus(http.StatusUnprocessableEntity, stores.Settings(page))
	}
	err = s.admin.Change(c.Request().Context(), c.Visit.Person.ID, c.Store.Slug, form)
	if refused, ok := errors.AsType[*reportstores.Refusal](err); ok {
		page.Form.Wrong = refused.Reasons
		return c.PageWithStatus(http.StatusUnprocessableEntity, stores.Settings(page))
	}
	return s.settingsDone(c, err, "saved")
}

func (s *Handlers) settingsDone(c *site.Call, err error, what string) error {
	return s.Then(c, err, site.SettingsPath(c.Store.Slug)+"?done="+what)
}

// service is the one in the address; errNotFound when it is neither.
func service(c *site.Call) (string, error) {
	if service := c.Param("service"); slices.Contains(services, service) {
		return service, nil
	}
	return "", site.ErrNotFound
}

// serviceSettings asks for the address and token of one service.
func (s *Handlers) serviceSettings(c *site.Call) error {
	page, err := s.servicePage(c)
	if err != nil {
		return err
	}
	return c.PageWithStatus(http.StatusOK, stores.Service(page))
}

func (s *Handlers) servicePage(c *site.Call) (stores.ServicePage, error) {
	service, err := service(c)
	if err != nil {
		return stores.ServicePage{}, err
	}
	stored, err := s.DB.StoredSettings(c.Request().Context(), c.Store, c.Now)
	if err != nil {
		return stores.ServicePage{}, err
	}
	page := stores.ServicePage{Base: s.PageBase(c, c.Locale().T("tab.settings")), Service: *stored.Of(service), Back: site.SettingsPath(c.Store.Slug)}
	page.Input = stores.ServiceInput{Service: service, Address: page.Service.Address}
	return page, nil
}

// connectService checks what was given and puts it in the place of what was there.
// It always takes the token again, so that none that is stored can be sent elsewhere.
func (s *Handlers) connectService(c *site.Call) error {
	page, err := s.servicePage(c)
	if err != nil {
		return err
	}
	in := &page.Input
	given := reportstores.Given{Service: in.Service, Address: strings.TrimSpace(c.Form().Get(in.Service + "_url")), Token: strings.TrimSpace(c.Form().Get(in.Service + "_token"))}
	in.Address = given.Address
	if in.Wrong = incomplete(c.Locale(), given); in.Problem == "" && given.Address == "" {
		in.Wrong = form.Wrong{Field: "url", Problem: page.T("connect.wrong.neither." + in.Service)}
	}
	if in.Problem != "" {
		return c.PageWithStatus(http.StatusUnprocessableEntity, stores.Service(page))
	}
	replaced, err := s.admin.Connect(c.Request().Context(), c.Visit.Person.ID, c.Store.Slug, given)
	if refused, ok := errors.AsType[*reportstores.Refusal](err); ok {
		in.Problem, page.Problem = refused.Reasons[in.Service], refused.Reasons[""]
		return c.PageWithStatus(http.StatusUnprocessableEntity, stores.Service(page))
	}
	if replaced {
		return s.settingsDone(c, err, "replaced")
	}
	return s.settingsDone(c, err, "connected")
}

// checkService asks the service now.
func (s *Handlers) checkService(c *site.Call) error {
	service, err := service(c)
	if err != nil {
		return err
	}
	err = s.admin.Check(c.Request().Context(), c.Visit.Person.ID, c.Store.Slug, service)
	if refused, ok := errors.AsType[*reportstores.Refusal](err); ok {
		page, err := s.settingsPage(c)
		if err != nil {
			return err
		}
		page.Problems = map[string]string{service: refused.Reasons[service] + refused.Reasons[""]}
		return c.PageWithStatus(http.StatusUnprocessableEntity, stores.Settings(page))
	}
	return s.settingsDone(c, err, "checked")
}

// disconnectPage asks whether to forget a service's token.
func (s *Handlers) disconnectPage(c *site.Call) error {
	page, err := s.servicePage(c)
	if err != nil {
		return err
	}
	if !page.Service.Connected {
		return s.SeeOther(c, page.Back)
	}
	return c.PageWithStatus(http.StatusOK, stores.Disconnect(page))
}

func (s *Handlers) disconnectService(c *site.Call) error {
	service, err := service(c)
	if err != nil {
		return err
	}
	err = s.admin.Disconnect(c.Request().Context(), c.Visit.Person.ID, c.Store.Slug, service)
	return s.settingsDone(c, err, "disconnected")
}
