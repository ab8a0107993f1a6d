package alerts

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	reportalerts "github.com/storeglass/storeglass/internal/report/alerts"
	"github.com/storeglass/storeglass/internal/report/stores"
	"github.com/storeglass/storeglass/views/admin"
	"github.com/storeglass/storeglass/views/alerts"
	"github.com/storeglass/storeglass/views/components/form"
	"github.com/storeglass/storeglass/web/site"
)

const (
	channelsPath   = site.AlertsPath + "/channels"
	newChannelPath = channelsPath + "/new"
)

// alertSettingsNotice says what was just done; the address names it.
func alertSettingsNotice(c *site.Call) string {
	if c.QueryParam("done") == "saved" {
		return c.T("alerts.settings.saved")
	}
	return c.Done("alerts.channel.done.")
}

// alertSettings is how the person is notified.
func (s *Handlers) alertSettings(c *site.Call) error {
	w, err := s.DB.AlertWishes(c.Request().Context(), c.Visit.Person.ID)
	if err != nil {
		return err
	}
	return s.showAlertSettings(c, http.StatusOK, alerts.SettingsPage{Form: s.alertForm(c, w), Notice: alertSettingsNotice(c)})
}

// alertForm is the form with the person's settings.
func (s *Handlers) alertForm(c *site.Call, w db.AlertWishes) alerts.Form {
	f := alerts.Form{
		Mail: w.Mail, Recoveries: w.Recoveries, Zone: w.Zone, CampaignDays: strconv.Itoa(int(w.CampaignDays)),
		From: "22:00", To: "07:00",
	}
	if f.Zone == "" {
		f.Zone = s.likelyZone(c)
	}
	if w.QuietFrom != nil && w.QuietTo != nil {
		f.Quiet, f.From, f.To = true, clockText(*w.QuietFrom), clockText(*w.QuietTo)
	}
	for _, r := range reportalerts.Rules {
		on, said := w.Rules[r.Key]
		if said && on || !said && r.On {
			f.Rules = append(f.Rules, r.Key)
		}
	}
	f.Opened = site.Opened(f)
	return f
}

// likelyZone is the time zone of the person's first store.
func (s *Handlers) likelyZone(c *site.Call) string {
	if len(c.Visit.Stores) > 0 {
		if store, err := s.DB.Store(c.Request().Context(), c.Visit.Scope, c.Visit.Stores[0].Slug); err == nil {
			return store.Timezone
		}
	}
	return "UTC"
}

func clockText(minutes int32) string { return fmt.Sprintf("%02d:%02d", minutes/60, minutes%60) }

// clockMinutes reads a time of day, with or without seconds.
func clockMinutes(text string) (minutes int32, ok bool) {
	h, rest, _ := strings.Cut(text, ":")
	m, _, _ := strings.Cut(rest, ":")
	hours, err1 := strconv.ParseUint(h, 10, 8)
	mins, err2 := strconv.ParseUint(m, 10, 8)
	if err1 != nil || err2 != nil || hours > 23 || mins > 59 {
		return 0, false
	}
	return int32(hours)*60 + int32(mins), true
}

func (s *Handlers) showAlertSettings(c *site.Call, status int, page alerts.SettingsPage) error {
	page.Base = s.alertsBase(c, c.T("alerts.settings.title"))
	page.Path, page.Rules, page.Zones, page.Address = alertSettingsPath, ruleChoices(c.Locale()), stores.ZoneChoices(c.Locale(), c.Now, page.Form.Zone), c.Visit.Person.Email
	for i := range page.Sub { // even after a form that was refused
		page.Sub[i].Current = page.Sub[i].Href == alertSettingsPath
	}
	if s.Mail == nil {
		page.Unmailed = c.T("alerts.settings.mail.unset")
	}
	page.Stores = storeChoices(c)
	page.MayChannel = c.May(access.Share)
	switch {
	case !page.MayChannel:
		page.Unchanneled = c.T("alerts.channels.not_yours")
	case s.alerts == nil:
		page.Unchanneled = errNoChannels.Detail.In(c.Locale())
	default:
		page.NewHref = newChannelPath
	}
	if !page.MayChannel {
		return c.PageWithStatus(status, alerts.Settings(page))
	}
	channels, err := s.DB.AlertChannels(c.Request().Context(), c.Visit.Person.ID)
	if err != nil {
		return err
	}
	for _, ch := range channels {
		page.Channels = append(page.Channels, channelRow(c, ch))
	}
	return c.PageWithStatus(status, alerts.Settings(page))
}

func ruleChoices(l locale.Locale) []form.Choice {
	return db.Each(reportalerts.Rules, func(r reportalerts.Rule) form.Choice {
		return form.Choice{Value: r.Key, Label: r.Title(l), Note: r.Means(l)}
	})
}

func channelRow(c *site.Call, ch sqlc.OwnChannelsRow) alerts.ChannelRow {
	r := alerts.ChannelRow{
		ID: strconv.FormatInt(ch.ID, 10), Name: ch.Name, Kind: c.T("alerts.channel.kind." + string(ch.Kind)), Host: ch.Host, Stores: ch.StoreName, Rules: c.T("alerts.channel.usual"),
		Sign: "active", State: c.T("alerts.channel.state.on"), Action: channelsPath + "/" + strconv.FormatInt(ch.ID, 10), Off: ch.OffAt != nil, Signed: ch.Kind == fact.Webhook,
	}
	if ch.EveryStore {
		r.Stores = c.T("alerts.channel.every_store")
	}
	if ch.Rules != nil {
		titles := make([]string, len(ch.Rules))
		for i, key := range ch.Rules {
			titles[i] = ruleTitle(c.Locale(), key)
		}
		r.Rules = strings.Join(titles, ", ")
	}
	if ch.SentAt != nil {
		r.Sent = c.T("alerts.channel.arrived", "ago", c.Locale().Age(c.Now, *ch.SentAt))
	}
	switch {
	case ch.OffAt != nil && db.OrZero(ch.OffCause) == "failing":
		r.Sign, r.State, r.Note = "person", c.T("alerts.channel.state.failed"), ch.Reason.In(c.Locale())
	case ch.OffAt != nil:
		r.Sign, r.State = "off", c.T("alerts.channel.state.off")
	case ch.FailingSince != nil:
		at := ch.FailingSince.UTC()
		r.Sign, r.State, r.Note = "waiting", c.T("alerts.channel.state.failing", "day", c.Locale().Day(civil.DateOf(at)), "time", c.Locale().Time(at)), ch.Reason.In(c.Locale())
	}
	return r
}

// saveAlertSettings saves the person's settings. If they were changed after the form was opened, as by
// the link in a mail, the form shows what is stored now.
func (s *Handlers) saveAlertSettings(c *site.Call) error {
	f := c.Form()
	typed := alerts.Form{
		Mail: f.Get("mail") == "true", Recoveries: f.Get("recoveries") == "true", Rules: f["rule"], Quiet: f.Get("quiet") == "true",
		From: f.Get("from"), To: f.Get("to"), Zone: f.Get("zone"), CampaignDays: strings.TrimSpace(f.Get("campaign_days")),
	}
	wanted := site.Opened(typed)
	typed.Opened = f.Get("opened")
	w, field, problem := wantedAlerts(c.Locale(), c.Visit.Person.ID, typed)
	if problem != "" {
		return s.showAlertSettings(c, http.StatusUnprocessableEntity, alerts.SettingsPage{Form: typed, Wrong: form.Wrong{Field: field, Problem: problem}})
	}
	now, err := s.DB.AlertWishes(c.Request().Context(), c.Visit.Person.ID)
	if err != nil {
		return err
	}
	if stored := s.alertForm(c, now); c.Outdated(stored.Opened, wanted) {
		return s.showAlertSettings(c, http.StatusConflict, alerts.SettingsPage{Form: stored, Wrong: form.Wrong{Problem: c.T("alerts.settings.wrong.changed")}})
	}
	return s.Then(c, s.DB.SaveAlertWishes(c.Request().Context(), w), alertSettingsPath+"?done=saved")
}

// wantedAlerts reads the form; only answers that differ from the rules' defaults are saved.
func wantedAlerts(l locale.Locale, person int64, f alerts.Form) (w db.AlertWishes, field, problem string) {
	w = db.AlertWishes{AlertSetting: sqlc.AlertSetting{PersonID: person, Mail: f.Mail, Recoveries: f.Recoveries, Zone: f.Zone}, Rules: map[string]bool{}}
	for _, key := range f.Rules {
		if _, known := reportalerts.RuleOf(key); !known {
			return w, "rule", l.T("alerts.settings.wrong.rule")
		}
	}
	for _, r := range reportalerts.Rules {
		if on := slices.Contains(f.Rules, r.Key); on != r.On {
			w.Rules[r.Key] = on
		}
	}
	days, err := strconv.Atoi(f.CampaignDays)
	if err != nil || days < 1 || days > 30 {
		return w, "campaign_days", l.T("alerts.settings.wrong.days")
	}
	w.CampaignDays = int32(days)
	if !report.IsTimezone(f.Zone) {
		return w, "zone", l.T("alerts.settings.wrong.zone")
	}
	if !f.Quiet {
		return w, "", ""
	}
	from, ok1 := clockMinutes(f.From)
	to, ok2 := clockMinutes(f.To)
	if !ok1 || !ok2 || from == to {
		return w, "quiet", l.T("alerts.settings.wrong.quiet")
	}
	w.QuietFrom, w.QuietTo = &from, &to
	return w, "", ""
}

func (s *Handlers) channelSecret(c *site.Call, words, secret string) error {
	return c.PageWithStatus(http.StatusOK, admin.Secret(admin.SecretPage{
		Base: s.alertsBase(c, c.T("alerts.channel.signing.title")), Words: words,
		Text:   c.T("alerts.channel.signing.text"),
		Secret: secret, BackHref: alertSettingsPath, BackWords: c.T("alerts.channel.signing.back"),
	}))
}

// renewChannelSecret replaces the secret that signs a channel's messages.
func (s *Handlers) renewChannelSecret(c *site.Call, id int64) error {
	secret, err := s.alerts.RenewSecret(c.Request().Context(), c.Visit.Person.ID, id)
	if err != nil {
		return s.channelChanged(c, err, "")
	}
	return s.channelSecret(c, c.T("alerts.channel.signing.new"), secret)
}

// testChannel sends a message to a channel now.
func (s *Handlers) testChannel(c *site.Call, id int64) error {
	said, err := s.alerts.TestChannel(c.Request().Context(), c.Visit.Person.ID, id)
	if err != nil {
		return s.channelChanged(c, err, "")
	}
	w, err := s.DB.AlertWishes(c.Request().Context(), c.Visit.Person.ID)
	if err != nil {
		return err
	}
	return s.showAlertSettings(c, http.StatusOK, alerts.SettingsPage{Form: s.alertForm(c, w), Notice: said})
}

func (s *Handlers) switchChannel(on bool) func(*site.Call, int64) error {
	return func(c *site.Call, id int64) error {
		err := s.alerts.SwitchChannel(c.Request().Context(), c.Visit.Person.ID, id, on)
		return s.channelChanged(c, err, map[bool]string{true: "on", false: "off"}[on])
	}
}

func (s *Handlers) removeChannel(c *site.Call, id int64) error {
	return s.channelChanged(c, s.alerts.RemoveChannel(c.Request().Context(), c.Visit.Person.ID, id), "removed")
}

// channelChanged leads back to the channels, or shows them with the reason if there is one for the
// person.
func (s *Handlers) channelChanged(c *site.Call, err error, done string) error {
	refused, ok := errors.AsType[*stores.Refusal](err)
	if !ok {
		return s.Then(c, err, alertSettingsPath+"?done="+done)
	}
	w, err := s.DB.AlertWishes(c.Request().Context(), c.Visit.Person.ID)
	if err != nil {
		return err
	}
	page := alerts.SettingsPage{Form: s.alertForm(c, w)}
	for _, reason := range refused.Reasons {
		page.ChannelProblem = reason
	}
	return s.showAlertSettings(c, http.StatusUnprocessableEntity, page)
}
