package alerts

import (
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/locale"
	reportalerts "github.com/storeglass/storeglass/internal/report/alerts"
	"github.com/storeglass/storeglass/internal/report/stores"
	"github.com/storeglass/storeglass/views/alerts"
	"github.com/storeglass/storeglass/views/components/form"
	"github.com/storeglass/storeglass/web/site"
)

func (s *Handlers) newChannel(c *site.Call) error {
	return s.channelForm(c, http.StatusOK, alerts.ChannelPage{Form: alerts.ChannelForm{Kind: fact.Slack, Rules: reportalerts.UsualRules()}})
}

// channelForm shows the form of a new channel, or of the one that the page names.
func (s *Handlers) channelForm(c *site.Call, status int, page alerts.ChannelPage) error {
	title := c.T("alerts.channel_form.add")
	if page.ID != "" {
		title = c.T("alerts.channel_form.edit")
	}
	page.Base, page.Rules = s.alertsBase(c, title), ruleChoices(c.Locale())
	page.Stores, page.MoreStores = storeChoices(c), len(c.Visit.Stores) == db.SwitcherLimit
	if page.Store.Value != "" && !slices.Contains(page.Stores, page.Store) {
		page.Stores = append(page.Stores, page.Store)
	}
	return c.PageWithStatus(status, alerts.Channel(page))
}

// channelTyped reads the form of a channel.
func channelTyped(c *site.Call) (reportalerts.ChannelForm, error) {
	f := c.Form()
	form := reportalerts.ChannelForm{Kind: fact.ChannelKind(f.Get("kind")), Name: strings.TrimSpace(f.Get("name")), Address: strings.TrimSpace(f.Get("address")), Store: f.Get("store")}
	if f.Get("rules") == "own" {
		form.Rules = append([]string{}, f["rule"]...)
	}
	if form.Store != "" && !site.SlugForm.MatchString(form.Store) {
		return form, site.ErrNotFound
	}
	return form, nil
}

// channelWrong shows what was typed, and the first thing wrong with it.
func channelWrong(c *site.Call, page alerts.ChannelPage, form reportalerts.ChannelForm, refused *stores.Refusal) alerts.ChannelPage {
	page.Form = alerts.ChannelForm{Kind: form.Kind, Name: form.Name, Store: form.Store, Own: form.Rules != nil, Rules: c.Form()["rule"]}
	for _, field := range []string{"", "kind", "name", "address", "store", "rules"} {
		if reason := refused.Reasons[field]; reason != "" {
			page.Field, page.Problem = field, reason
			break
		}
	}
	return page
}

// addChannel saves a channel, and shows its signing secret once.
func (s *Handlers) addChannel(c *site.Call) error {
	form, err := channelTyped(c)
	if err != nil {
		return err
	}
	secret, err := s.alerts.AddChannel(c.Request().Context(), c.Visit.Person.ID, form)
	if refused, ok := errors.AsType[*stores.Refusal](err); ok {
		return s.channelForm(c, http.StatusUnprocessableEntity, channelWrong(c, alerts.ChannelPage{}, form, refused))
	}
	if err != nil {
		return err
	}
	if secret == "" {
		return s.SeeOther(c, alertSettingsPath+"?done=added")
	}
	return s.channelSecret(c, c.T("alerts.channel.signing.added", "name", locale.Name(form.Name)), secret)
}

func (s *Handlers) channelPage(c *site.Call, id int64) error {
	page, err := s.storedChannel(c, id)
	if err != nil {
		return err
	}
	return s.channelForm(c, http.StatusOK, page)
}

// storedChannel is a channel as stored, if it belongs to the person.
func (s *Handlers) storedChannel(c *site.Call, id int64) (alerts.ChannelPage, error) {
	ch, err := s.DB.AlertChannel(c.Request().Context(), c.Visit.Person.ID, id)
	if err != nil {
		return alerts.ChannelPage{}, err
	}
	page := alerts.ChannelPage{
		ID: strconv.FormatInt(ch.ID, 10), Kind: c.T("alerts.channel.kind." + string(ch.Kind)), Host: ch.Host, Revision: strconv.Itoa(int(ch.Revision)),
		Store: form.Choice{Value: ch.Slug, Label: ch.StoreName},
		Form:  alerts.ChannelForm{Kind: ch.Kind, Name: ch.Name, Store: ch.Slug, Own: ch.Rules != nil, Rules: ch.Rules},
	}
	if ch.Rules == nil {
		page.Form.Rules = reportalerts.UsualRules()
	}
	return page, nil
}

// changeChannel changes a channel. If it was changed after the form was opened, the form shows
// what is stored now.
func (s *Handlers) changeChannel(c *site.Call, id int64) error {
	page, err := s.storedChannel(c, id)
	if err != nil {
		return err
	}
	form, err := channelTyped(c)
	if err != nil {
		return err
	}
	revision, err := strconv.ParseInt(c.Form().Get("revision"), 10, 32)
	if err != nil {
		revision = -1 // not one of our forms: treat it as changed meanwhile
	}
	form.Revision = int32(revision)
	moved, err := s.alerts.ChangeChannel(c.Request().Context(), c.Visit.Person.ID, id, form)
	refused, ok := errors.AsType[*stores.Refusal](err)
	switch {
	case ok && refused.Reasons[reportalerts.ChannelChanged] != "":
		page.Problem = refused.Reasons[reportalerts.ChannelChanged]
		return s.channelForm(c, http.StatusConflict, page)
	case ok:
		kind, opened := page.Form.Kind, c.Form().Get("revision")
		page = channelWrong(c, page, form, refused)
		page.Form.Kind, page.Revision = kind, opened
		return s.channelForm(c, http.StatusUnprocessableEntity, page)
	case err != nil:
		return err
	case moved:
		return s.SeeOther(c, alertSettingsPath+"?done=moved")
	}
	return s.SeeOther(c, alertSettingsPath+"?done=changed")
}
