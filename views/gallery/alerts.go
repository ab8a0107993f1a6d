package gallery

import (
	"strconv"
	"strings"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	reportalerts "github.com/storeglass/storeglass/internal/report/alerts"
	"github.com/storeglass/storeglass/internal/report/stores"
	"github.com/storeglass/storeglass/views/alerts"
	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/components/form"
)

// aboutAlerts is the base of a page about alerts.
func aboutAlerts(b components.Base, title, path string) components.Base {
	b = plain(b, title)
	b.Path = path
	b.Tabs = []components.Tab{{Label: b.T("tab.stores"), Href: "/"}, {Label: b.T("tab.alerts"), Href: "/alerts", Current: true, Count: 3}}
	for _, t := range []components.Tab{{Label: b.T("alerts.title"), Href: "/alerts"}, {Label: b.T("alerts.notifications"), Href: "/alerts/settings"}} {
		t.Current = t.Href == path
		b.Sub = append(b.Sub, t)
	}
	return b
}

// fernhollowAlerts are the open rows of its inbox, in their order.
func fernhollowAlerts() []report.OpenAlert {
	const home = "/stores/fernhollow"
	days := func(n int) time.Time { return now.AddDate(0, 0, -n) }
	return []report.OpenAlert{
		{
			ID: 11, Rule: "placement-idle", Since: days(17), Href: home + "/offers?existing=true", Rows: 3, Title: locale.M("alert.placement.off", "placement", "Order status page upsell"),
			Text: locale.Sentences{locale.M("alert.placement.until", "day", locale.Day{Date: date(2026, 11, 3)})}, Do: locale.M("alert.do.placement", "place", locale.M("answers.place.order_status")),
			Effect: locale.Sentences{locale.M("alert.effect.week", "amount", locale.Money{Amount: dec("1100"), Currency: "USD", Rounded: true}), locale.M("alert.effect.estimated", "days", locale.Period{Start: date(2026, 10, 6), End: date(2026, 11, 2)})},
		},
		{
			ID: 12, Rule: "embed-off", Since: days(2), Href: home + "/gift", Title: locale.M("alert.widget.off"), Text: locale.Sentences{locale.M("alert.widget.embed_off"), locale.M("todo.fix.app_embed_disabled")},
			Do: locale.M("alert.do.embed"), Effect: locale.Sentences{locale.M("alert.effect.no_widget")},
		},
		{
			ID: 13, Rule: "trigger-deleted", Since: days(12), Href: home + "/offers?trigger_deleted=true", Rows: 4, Title: locale.M("todo.offers_with_deleted_trigger", "n", 4),
			Text: locale.Sentences{locale.M("todo.still_name", "offer", locale.M("unit.quoted", "name", "Boot care kit"), "n", 3)}, Do: locale.M("alert.do.trigger", "n", 4),
			Effect: locale.Sentences{locale.M("alert.effect.unknown"), locale.M("alert.effect.of_offers", "n", 4, "total", 21)},
		},
		{
			ID: 14, Rule: "days-missing", Since: days(14), Href: home + "/sync", Title: locale.M("alert.missing.title", "n", 1, "days", locale.Period{Start: missing, End: missing}),
			Text: locale.Sentences{locale.M("alert.missing.failed", "n", 3)}, Do: locale.M("alert.do.missing", "n", 1),
			Effect: locale.Sentences{locale.M("alert.effect.missing", "n", 1), locale.M("alert.effect.left_out")},
		},
		{
			ID: 15, Rule: "sold-nothing", Since: days(30), Href: home + "/offers?sold_nothing=2026-10-21..2026-11-19", Rows: 5, Title: locale.M("alert.silent.title", "n", 5),
			Text: locale.Sentences{locale.M("alert.silent.text", "days", locale.Period(window))}, Do: locale.M("alert.do.silent", "n", 5),
			Effect: locale.Sentences{locale.M("alert.effect.no_sales"), locale.M("alert.effect.in_days", "n", 30)},
		},
	}
}

// alertPages are the pages about alerts.
func alertPages(b components.Base) []Page {
	rule := func(key string) string { return b.T("alerts.rule." + key + ".title") }
	list := func(change func(*alerts.Page)) alerts.Page {
		p := alerts.Page{Base: aboutAlerts(b, b.T("alerts.title"), "/alerts"), SettingsHref: "/alerts/settings", ThresholdsHref: "/alerts/settings#thresholds", About: b.T("alerts.about.nothing"), Stores: []form.Choice{{Value: "fernhollow", Label: "Fernhollow Outfitters"}, {Value: "kumo", Label: "Kumo Tea"}}}
		change(&p)
		return p
	}
	settings := alerts.SettingsPage{
		Base: aboutAlerts(b, b.T("alerts.settings.title"), "/alerts/settings"), Rules: alertRuleChoices(b.Locale), Zones: stores.ZoneChoices(b.Locale, now, ""), Address: "ida@fernhollow.example", MayChannel: true, NewHref: "/alerts/channels/new",
		Stores: []form.Choice{{Value: "fernhollow", Label: "Fernhollow Outfitters"}, {Value: "long", Label: longName}},
		Form:   alerts.Form{Mail: true, Recoveries: true, Rules: []string{"credential", "embed-off", "rate-fell"}, Quiet: true, From: "22:00", To: "07:00", Zone: "Europe/Berlin", CampaignDays: "3"},
	}
	channels := settings
	channels.Notice = b.T("alerts.channel_form.arrived", "host", "hooks.slack.com", "name", locale.Name("#shop-alerts"))
	slack, signed := b.T("alerts.channel.kind.slack"), b.T("alerts.channel.kind.webhook")
	answered := b.T("alert.hook.answered_with", "status", "502", "text", "Bad gateway")
	channels.Channels = []alerts.ChannelRow{
		{ID: "1", Name: "#shop-alerts", Kind: slack, Host: "hooks.slack.com", Stores: b.T("alerts.channel.every_store"), Rules: b.T("alerts.channel.usual"), Sign: "active", State: b.T("alerts.channel.state.on"), Sent: b.T("alerts.channel.arrived", "ago", b.T("age.hours", "n", 3)), Action: "/alerts/channels/1"},
		{ID: "2", Name: longName, Kind: signed, Host: strings.Repeat("hooks", 20) + ".example", Stores: "Kumo Tea", Rules: rule("credential") + ", " + rule("embed-off"), Sign: "waiting", State: b.T("alerts.channel.state.failing", "day", b.Locale.Day(civil.DateOf(now)), "time", b.Locale.Time(now)), Note: answered, Action: "/alerts/channels/2", Signed: true},
		{ID: "3", Name: "#old", Kind: signed, Host: "in.example", Stores: "Kumo Tea", Rules: rule("rate-fell"), Sign: "person", State: b.T("alerts.channel.state.failed"), Note: answered, Action: "/alerts/channels/3", Off: true, Signed: true},
	}
	refused := settings
	refused.Problem, refused.Field, refused.Unmailed = b.T("alerts.settings.wrong.quiet"), "quiet", b.T("alerts.settings.mail.unset")
	refused.NewHref, refused.MayChannel, refused.Unchanneled = "", false, b.T("alerts.channels.not_yours")
	store := list(func(p *alerts.Page) {
		full(p)
		p.Base, p.Stores, p.Open = at(b, Fernhollow(b.Locale).Store, "Alerts"), nil, p.Open[1:2]
		p.Path, p.ThresholdsHref = "/stores/fernhollow/alerts", "/stores/fernhollow/alerts/thresholds"
	})
	return append(thresholdPages(b), []Page{
		{"alerts", "open and resolved", alerts.Show(list(full))},
		{"alerts-store", "those of one store", alerts.Show(store)},
		{"alerts-snoozed", "what is snoozed", alerts.Show(list(func(p *alerts.Page) {
			full(p)
			p.Filter.State, p.Past = alerts.Snoozed, nil
			for i := range p.Open {
				for j := range p.Open[i].Rows {
					r := &p.Open[i].Rows[j]
					r.Reaches, r.WakeAction, r.Snoozed = nil, "/alerts/snoozes/1/end", p.T("alerts.snoozed.until.all_kind", "day", b.Locale.DayYear(civil.DateOf(now)), "time", b.Locale.Time(now))
				}
			}
		}))},
		{"alerts-resolved", "what was resolved", alerts.Show(list(func(p *alerts.Page) {
			full(p)
			p.Filter.State, p.Open, p.PastHref, p.OlderHref = alerts.Resolved, nil, "", "/alerts?state=resolved&after=1-1"
		}))},
		{"alerts-calm", "none is open now", alerts.Show(list(func(p *alerts.Page) {
			full(p)
			p.Open = nil
		}))},
		{"alerts-none", "nothing yet", alerts.Show(list(func(*alerts.Page) {}))},
		{"alerts-unmatched", "nothing matches", alerts.Show(list(func(p *alerts.Page) {
			p.Filter = alerts.Filter{Store: "kumo", Group: "data", State: alerts.Snoozed, Query: "tote"}
		}))},
		{"alerts-unwatched", "nobody looks", alerts.Show(list(func(p *alerts.Page) {
			p.Unwatched = b.T("alerts.unwatched.never")
		}))},
		{"alerts-stalled", "nobody looks any more", alerts.Show(list(func(p *alerts.Page) {
			full(p)
			p.Unwatched = b.T("alerts.unwatched.since", "day", b.Locale.DayYear(civil.DateOf(now)), "time", b.Locale.Time(now))
			p.Problem = b.T("alerts.snooze.too_many", "n", 200)
		}))},
		{"alert-settings", "one’s own, without a channel", alerts.Settings(settings)},
		{"alert-channels", "channels in every state", alerts.Settings(channels)},
		{"alert-settings-refused", "quiet hours that can’t be, and who may have no channel", alerts.Settings(refused)},
		{"channel-new", "the form of a channel, refused", alerts.Channel(alerts.ChannelPage{
			Base: aboutAlerts(b, b.T("alerts.channel_form.add"), "/alerts/channels/new"), Rules: alertRuleChoices(b.Locale), Stores: []form.Choice{{Value: "kumo", Label: longName}}, MoreStores: true,
			Form:  alerts.ChannelForm{Kind: fact.Slack, Name: "#shop-alerts", Own: true, Rules: []string{"credential"}},
			Wrong: form.Wrong{Field: "address", Problem: b.T("alerts.channel_form.wrong.not_public", "setting", "DASHBOARD_CHANNEL_ALLOW")},
		})},
		{"channel-edit", "a channel that is there, changed meanwhile", alerts.Channel(alerts.ChannelPage{
			Base: aboutAlerts(b, b.T("alerts.channel_form.edit"), "/alerts/channels/2"), Rules: alertRuleChoices(b.Locale), Stores: []form.Choice{{Value: "kumo", Label: longName}},
			ID: "2", Kind: signed, Host: strings.Repeat("hooks", 20) + ".example", Revision: "3", Store: form.Choice{Value: "kumo", Label: longName},
			Form:  alerts.ChannelForm{Kind: fact.Webhook, Name: longName, Store: "kumo", Own: true, Rules: []string{"credential", "plan"}},
			Wrong: form.Wrong{Problem: b.T("alerts.channel_form.wrong.revision")},
		})},
	}...)
}

// thresholdPages are the thresholds of a store: of every kind, previewed, and refused.
func thresholdPages(b components.Base) []Page {
	clock := time.FixedZone("", -5*3600)
	row := func(t reportalerts.Threshold, p reportalerts.Preview) alerts.ThresholdRow {
		t.ID, t.SetAt = 1, now
		return alerts.ThresholdRow{Threshold: t, Preview: p, Location: clock}
	}
	fall := row(reportalerts.Threshold{Metric: fact.ThresholdValue, Kind: fact.ThresholdFall, Amount: dec("30"), LeastOrders: 50, By: "Ida Moreno"}, reportalerts.Preview{Fired: []civil.Date{date(2026, 9, 12), date(2026, 10, 4), date(2026, 10, 20)}, Known: 90})
	boots := reportalerts.WatchedOffer{ID: "o1", Name: "Boot care kit", Placement: report.PostPurchase}
	page := alerts.ThresholdsPage{
		Offers: []reportalerts.WatchedOffer{boots, {ID: "o3", Name: longName, Placement: report.ThankYou}},
		Base:   at(b, Fernhollow(b.Locale).Store, "Alerts"), May: true, Most: 10, Currency: "USD", InboxHref: "/stores/fernhollow/alerts", Form: reportalerts.NewThresholdForm(),
		Rows: []alerts.ThresholdRow{
			fall,
			row(reportalerts.Threshold{Metric: fact.ThresholdValue, Placement: report.ThankYou, Kind: fact.ThresholdDay, Amount: dec("123456789.5"), Currency: "USD", LeastOrders: 50, By: longName}, reportalerts.Preview{Known: 40, Few: 30}),
			row(reportalerts.Threshold{Metric: fact.ThresholdRate, Kind: fact.ThresholdWeek, Amount: dec("12.5")}, reportalerts.Preview{}),
			row(reportalerts.Threshold{Metric: fact.ThresholdValue, Offer: boots, Kind: fact.ThresholdDay, Amount: dec("50"), Currency: "USD"}, reportalerts.Preview{Fired: []civil.Date{date(2026, 11, 12)}, Known: 49}),
			row(reportalerts.Threshold{Metric: fact.ThresholdValue, Offer: reportalerts.WatchedOffer{ID: "o2", Name: longName}, Kind: fact.ThresholdFall, Amount: dec("50")}, reportalerts.Preview{}),
			row(reportalerts.Threshold{Metric: fact.ThresholdOrders, Kind: fact.ThresholdDay, Amount: dec("40"), LeastOrders: 500}, reportalerts.Preview{Few: 90}),
		},
	}
	page.Base.Title, page.Base.Path = b.T("alerts.threshold.title"), "/stores/fernhollow/alerts/thresholds"
	page.Notice = b.T("alerts.threshold.done.set")
	none, previewed, refused := page, page, page
	none.Notice, none.Rows, none.May = "", nil, false
	previewed.Notice, previewed.Rows, previewed.Preview = "", page.Rows[:1], &fall
	refused.Notice, refused.Rows, refused.Field, refused.Problem = "", page.Rows[:1], "amount", b.T("alerts.threshold.wrong.percent")
	refused.Form.Amount = "300"
	edited := page
	edited.Notice, edited.Editing, edited.Rows[0].ID = "", 7, 7
	edited.ReadEdited(true)
	return []Page{
		{"thresholds", "thresholds of every kind", alerts.Thresholds(page)},
		{"thresholds-none", "no threshold yet, for people who may not set any", alerts.Thresholds(none)},
		{"thresholds-preview", "how often one would have fired", alerts.Thresholds(previewed)},
		{"thresholds-edit", "a threshold that is changed", alerts.Thresholds(edited)},
		{"thresholds-refused", "a threshold that can't be", alerts.Thresholds(refused)},
	}
}

func alertRuleChoices(l locale.Locale) (out []form.Choice) {
	for _, r := range reportalerts.Rules {
		out = append(out, form.Choice{Value: r.Key, Label: r.Title(l), Note: r.Means(l)})
	}
	return out
}

// inboxRows are open alerts as the page shows them.
func inboxRows(p *alerts.Page, open []report.OpenAlert, zone string) (out []alerts.Row) {
	l := p.Locale
	for i, a := range open {
		rule := p.T("alerts.rule." + a.Rule + ".title")
		r := alerts.Row{
			ID: strconv.FormatInt(a.ID, 10), Kind: a.Kind(), State: p.T("alerts.state.open"), Rule: rule, Action: a.Action(l), Href: a.Href, MayEnd: true, Notified: []string{p.T("alerts.notified.nobody")},
			Reaches: []form.Choice{
				{Value: "this-mine", Label: p.T("alerts.snooze.reach.this_mine")}, {Value: "this-all", Label: p.T("alerts.snooze.reach.this_all")}, {Value: "rule-mine", Label: p.T("alerts.snooze.reach.rule_mine", "rule", rule)},
			},
			People: []form.Choice{{Value: "1", Label: "Ida Moreno"}, {Value: "2", Label: longEmail}},
		}
		r.Title, r.Why = a.ToDo(l)
		r.Line, r.Text = a.Say(l)
		r.Since, r.Lasts = a.SinceIn(l, now, zone)
		r.Effect, r.How = a.EffectIn(l)
		if i == 0 {
			r.AssignedTo, r.Assigned = "Ida Moreno", "1"
			r.Evidence = [][2]string{{p.T("alerts.evidence.code"), "APP_EMBED_DISABLED"}, {p.T("alerts.evidence.ends"), l.DayYear(civil.DateOf(now))}}
		}
		out = append(out, r)
	}
	return out
}

// full fills an inbox with rows of every kind.
func full(p *alerts.Page) {
	l := p.Locale
	refused := report.OpenAlert{
		ID: 21, Rule: "credential", Since: now.AddDate(0, 0, -10), Href: "/stores/brid/sync", Title: locale.M("store.need.upsell_token"), Do: locale.M("alert.renew.upsell_token"),
		Text: locale.Sentences{locale.M("state.advice.upsell.refused")}, Effect: locale.Sentences{locale.M("alert.effect.no_data"), locale.M("alert.effect.stop_at", "day", locale.Day{Date: date(2026, 11, 11)})},
	}
	odd := report.OpenAlert{ID: 31, Rule: "plan", Since: now, Href: "/stores/long/gift", Title: locale.Text(longName), Do: locale.Text(longName), Text: locale.Sentences{locale.Text(strings.Repeat("W", 90))}}
	fresh := func(state, words string) report.Freshness { return report.Freshness{State: state, Words: words} }
	p.Open = []alerts.Store{
		{Slug: "brid", Name: "Bríd Wool", Href: "/stores/brid", Clock: l.Clock("Europe/Dublin") + ", EUR", Freshness: fresh("failed", p.T("stores.fresh.to", "day", l.Day(date(2026, 11, 11)))), Rows: inboxRows(p, []report.OpenAlert{refused}, "Europe/Dublin")},
		{Slug: "fernhollow", Name: "Fernhollow Outfitters", Href: "/stores/fernhollow", Clock: l.Clock("America/New_York") + ", USD", Freshness: fresh("good", p.T("stores.fresh.to", "day", l.Day(date(2026, 11, 19)))), Rows: inboxRows(p, fernhollowAlerts(), "America/New_York")},
		{Slug: "long", Name: longName, Href: "/stores/long", Clock: l.Clock("Asia/Tokyo") + ", JPY", Freshness: fresh("stale", p.T("stores.fresh.nothing")), Rows: inboxRows(p, []report.OpenAlert{odd}, "Asia/Tokyo")},
	}
	p.Open[2].Rows[0].Kind, p.Open[2].Rows[0].State = "good", p.T("alerts.state.calm")
	p.About = p.T("alerts.about.stores", "n", 7, "stores", p.T("alerts.about.of_stores", "some", 3, "n", 30))
	p.Worst = p.T("alerts.about.broken", "n", 3, "longest", l.Days(30))
	p.States = []alerts.Choice{{Label: p.T("alerts.state.open"), Href: "/alerts", Count: 7, Current: true}, {Label: p.T("alerts.state.snoozed"), Href: "/alerts?state=snoozed", Count: 3}, {Label: p.T("alerts.state.resolved"), Href: "/alerts?state=resolved", Count: 14}}
	for i, g := range []string{"all", "broken", "money", "offers", "data"} {
		p.Groups = append(p.Groups, alerts.Choice{Label: p.T("alerts.group." + g), Href: "/alerts?group=" + g, Count: int64(7 - i), Current: i == 0})
	}
	lasted := func(span string) string { return p.T("alerts.past.open_for", "span", span) }
	on := func(days int) string {
		return p.T("alerts.past.on", "day", l.Day(civil.DateOf(now.AddDate(0, 0, -days))))
	}
	p.PastCount, p.PastHref = 14, "/alerts?state=resolved"
	p.Past = []alerts.PastRow{
		{ID: "9", Sign: "active", Store: "Kumo Tea", StoreHref: "/stores/kumo", Title: p.T("store.need.upsell_token"), How: p.T("alerts.past.itself"), Lasted: lasted(p.T("alerts.lasted.hours", "n", 4)), On: on(2)},
		{ID: "8", Sign: "expired", Store: "Fernhollow Outfitters", StoreHref: "/stores/fernhollow", Title: p.T("alert.campaign.ends", "name", "Tote", "day", locale.Day{Date: civil.DateOf(now)}), How: p.T("alerts.past.gone"), Lasted: lasted(l.Days(4)), On: on(3)},
		{ID: "7", Sign: "active", Store: longName, StoreHref: "/stores/long", Title: longName, How: p.T("alerts.past.done_by", "name", longEmail), Lasted: lasted(p.T("alerts.lasted.hours", "n", 1)), On: on(5), OpenAction: "/alerts/7/open"},
	}
	everyone := p.T("alerts.snoozes.for_all")
	until := p.T("alerts.snoozes.until_time", "day", l.DayYear(civil.DateOf(now)), "time", l.Time(now))
	p.Snoozes = []alerts.SnoozeRow{
		{What: longName, Where: p.T("alerts.snoozes.in_store", "store", longName), Whom: everyone, Until: until, MadeBy: longEmail, Action: "/alerts/snoozes/1/end"},
		{What: p.T("alerts.rule.rate-fell.title"), Where: p.T("alerts.snoozes.every_store"), Whom: p.T("alerts.snoozes.for_you"), Until: p.T("alerts.snoozes.no_end"), Action: "/alerts/snoozes/2/end"},
	}
	p.Exports = components.Exports{Path: "/alerts"}
}
