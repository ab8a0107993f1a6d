package gallery

import (
	"strings"
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

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
			Text: locale.Sentences{locale.M("alert.placement.until", "day", locale.Day{Date: date(2026, 11, 3)})}, Do: locale.M("alert.do.placement", "placement", "Order status page upsell"),
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
		p := alerts.Page{Base: aboutAlerts(b, b.T("alerts.title"), "/alerts"), NowHref: "/?health=person", Rules: alertRules(b.Locale), Stores: []form.Choice{{Value: "fernhollow", Label: "Fernhollow Outfitters"}, {Value: "kumo", Label: "Kumo Tea"}}}
		change(&p)
		return p
	}
	settings := alerts.SettingsPage{
		Base: aboutAlerts(b, b.T("alerts.settings.title"), "/alerts/settings"), Rules: alertRuleChoices(b.Locale), Zones: stores.ZoneChoices(b.Locale, now, ""), Address: "ida@fernhollow.example", MayChannel: true, NewHref: "/alerts/channels/new",
		Form: alerts.Form{Mail: true, Recoveries: true, Rules: []string{"credential", "embed-off", "rate-fell"}, Quiet: true, From: "22:00", To: "07:00", Zone: "Europe/Berlin", CampaignDays: "3"},
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
		p.Base, p.Stores = at(b, Fernhollow(b.Locale).Store, "Alerts"), nil
		p.Path, p.SettingsHref = "/stores/fernhollow/alerts", "/alerts/settings"
	})
	return []Page{
		{"alerts", "open, muted and over", alerts.Show(list(full))},
		{"alerts-store", "those of one store", alerts.Show(store)},
		{"alerts-calm", "none is open now", alerts.Show(list(func(p *alerts.Page) {
			full(p)
			p.Open, p.Mutes, p.OlderHref = nil, nil, ""
		}))},
		{"alerts-none", "no alert yet", alerts.Show(list(func(*alerts.Page) {}))},
		{"alerts-unmatched", "nothing matches", alerts.Show(list(func(p *alerts.Page) {
			p.Known, p.Filter = true, alerts.Filter{Store: "kumo", Rule: "drift", State: alerts.Muted}
		}))},
		{"alerts-unwatched", "nobody looks", alerts.Show(list(func(p *alerts.Page) {
			p.Unwatched = b.T("alerts.unwatched.never")
		}))},
		{"alerts-stalled", "nobody looks any more", alerts.Show(list(func(p *alerts.Page) {
			full(p)
			p.Unwatched = b.T("alerts.unwatched.since", "day", b.Locale.DayYear(civil.DateOf(now)), "time", b.Locale.Time(now))
			p.Problem = b.T("alerts.mute.too_many", "n", 200)
		}))},
		{"alert-settings", "one’s own, without a channel", alerts.Settings(settings)},
		{"alert-channels", "channels in every state", alerts.Settings(channels)},
		{"alert-settings-refused", "quiet hours that can’t be, and who may have no channel", alerts.Settings(refused)},
		{"channel-new", "the form of a channel, refused", alerts.Channel(alerts.ChannelPage{
			Base: aboutAlerts(b, b.T("alerts.channel_form.add"), "/alerts/channels/new"), Rules: alertRuleChoices(b.Locale), Stores: []form.Choice{{Value: "kumo", Label: longName}}, MoreStores: true,
			Form: alerts.ChannelForm{Kind: fact.Slack, Name: "#shop-alerts", Own: true, Rules: []string{"credential"}}, Field: "address",
			Problem: b.T("alerts.channel_form.wrong.not_public", "setting", "DASHBOARD_CHANNEL_ALLOW"),
		})},
		{"channel-edit", "a channel that is there, changed meanwhile", alerts.Channel(alerts.ChannelPage{
			Base: aboutAlerts(b, b.T("alerts.channel_form.edit"), "/alerts/channels/2"), Rules: alertRuleChoices(b.Locale), Stores: []form.Choice{{Value: "kumo", Label: longName}},
			ID: "2", Kind: signed, Host: strings.Repeat("hooks", 20) + ".example", Revision: "3", Store: form.Choice{Value: "kumo", Label: longName},
			Form:    alerts.ChannelForm{Kind: fact.Webhook, Name: longName, Store: "kumo", Own: true, Rules: []string{"credential", "plan"}},
			Problem: b.T("alerts.channel_form.wrong.revision"),
		})},
	}
}

func alertRules(l locale.Locale) (out []form.Choice) {
	for _, r := range reportalerts.Rules {
		out = append(out, form.Choice{Value: r.Key, Label: r.Title(l)})
	}
	return out
}

func alertRuleChoices(l locale.Locale) (out []alerts.RuleChoice) {
	for _, r := range reportalerts.Rules {
		out = append(out, alerts.RuleChoice{Key: r.Key, Title: r.Title(l), Means: r.Means(l)})
	}
	return out
}

// full fills a list of alerts with every kind of row.
func full(p *alerts.Page) {
	l := p.Locale
	rule := func(key string) string { return p.T("alerts.rule." + key + ".title") }
	since := func(days int) string {
		at := now.AddDate(0, 0, -days)
		return p.T("alerts.open.since", "day", l.DayYear(civil.DateOf(at)), "time", l.Time(at), "ago", l.Age(now, at))
	}
	told := func(who string) string {
		return p.T("alerts.told.at", "who", who, "day", l.Day(civil.DateOf(now)), "time", l.Time(now))
	}
	channel := func(name string) string { return p.T("alerts.told.channel", "name", name) }
	stamp := func(days int) string {
		at := now.AddDate(0, 0, -days)
		return p.T("common.stamp", "day", l.DayYear(civil.DateOf(at)), "time", l.Time(at))
	}
	until := func() string {
		return p.T("alerts.mutes.until_time", "day", l.DayYear(civil.DateOf(now)), "time", l.Time(now))
	}
	days := func(days int) string { return p.T("alerts.past.from_to", "from", stamp(days+4), "to", stamp(days)) }
	reaches := []form.Choice{
		{Value: "this-mine", Label: p.T("alerts.mute.reach.this_mine")}, {Value: "this-all", Label: p.T("alerts.mute.reach.this_all")},
		{Value: "rule-mine", Label: p.T("alerts.mute.reach.rule_mine", "rule", rule("embed-off"))},
	}
	share := func(fraction string) locale.Share { return locale.Share{Fraction: decimal.RequireFromString(fraction)} }
	fell := locale.M("alert.fell.figure.rate", "share", share("0.061"), "upsold", 18, "n", 294)
	p.Known = true
	p.Open = []alerts.Row{
		{
			ID: "4", Kind: "error", State: p.T("alerts.state.open"), Store: "Fernhollow Outfitters", StoreHref: "/stores/fernhollow", Rule: rule("embed-off"), Title: p.T("alert.widget.off"),
			Text: p.T("alert.widget.embed_off") + " " + p.T("todo.fix.app_embed_disabled"), Since: since(0), Action: p.T("alerts.action.embed-off"), Href: "/stores/fernhollow/gift",
			Told: []string{
				p.T("alerts.told.sent", "list", told(p.T("alerts.told.you"))+"; "+told(channel("#shop-alerts"))),
				p.T("alerts.told.waiting", "list", p.T("alerts.told.because", "who", p.T("alerts.told.person", "name", "Noor"), "reason", strings.TrimSuffix(p.T("alert.told.quiet", "time", locale.Clock{Minutes: 420}), "."))),
			},
			Reaches: reaches,
		},
		{
			ID: "3", Kind: "warning", State: p.T("alerts.state.open"), Store: "Kumo Tea", StoreHref: "/stores/kumo", Rule: rule("rate-fell"), Title: p.T("alert.fell.by.rate", "size", locale.Percent{Percent: 56}),
			Text: locale.Sentences{
				locale.M("alert.fell.was.rate", "weekday", locale.M("alert.weekday.friday", "n", 1), "day", locale.Day{Date: civil.DateOf(now)}, "figure", fell),
				locale.M("alert.fell.usual", "size", locale.Percent{Percent: 56}, "weekday", locale.M("alert.weekday.friday", "n", 1), "usual", share("0.139")),
				locale.M("alert.fell.between", "n", 8, "weekdays", locale.M("alert.weekday.friday", "n", 8), "lowest", share("0.129"), "highest", share("0.152")),
				locale.M("alert.fell.check"),
			}.In(l),
			Since: since(1),
			Evidence: [][2]string{
				{p.T("alerts.evidence.day"), l.DayYear(civil.DateOf(now))}, {p.T("alerts.evidence.figure"), fell.In(l)}, {p.T("alerts.evidence.lowest"), share("0.129").In(l)},
				{p.T("alerts.evidence.highest"), share("0.152").In(l)}, {p.T("alerts.evidence.days"), l.Count(8)},
			},
			Action: p.T("alerts.action.rate-fell"), Href: "/stores/kumo", Reaches: reaches,
			Told: []string{p.T("alerts.told.failed", "list", p.T("alerts.told.because", "who", channel("#old"), "reason", p.T("alert.hook.answered_with", "status", "502", "text", "Bad gateway")))},
		},
		{
			ID: "2", Kind: "good", State: p.T("alerts.state.calm"), Store: "Kumo Tea", StoreHref: "/stores/kumo", Rule: rule("plan"), Title: p.T("alert.plan.trial", "day", locale.Day{Date: civil.DateOf(now)}), Text: p.T("alert.plan.trial_do"),
			Since: since(2), Action: p.T("alerts.action.plan"), Href: "/stores/kumo/gift", Told: []string{p.T("alerts.told.nobody")}, Reaches: reaches,
		},
		{
			ID: "1", Kind: "info", State: p.T("alerts.state.muted"), Store: longName, StoreHref: "/stores/long", Rule: rule("placement-off"), Title: longName, Text: strings.Repeat("W", 90), Since: since(19),
			Action: p.T("alerts.action.placement-off"), Href: "/stores/long/offers", UnmuteAction: "/alerts/mutes/1/end",
			Muted: p.T("alerts.muted.until.all_kind", "day", l.DayYear(civil.DateOf(now)), "time", l.Time(now)),
			Told:  []string{p.T("alerts.told.sent", "list", told(p.T("alerts.told.person", "name", longEmail)))},
		},
	}
	p.Past = []alerts.PastRow{
		{ID: "9", Sign: "active", State: p.T("alerts.state.resolved"), Store: "Kumo Tea", StoreHref: "/stores/kumo", Rule: rule("credential"), Title: p.T("store.need.upsell_token"), When: days(8), Lasted: p.T("alerts.lasted.hours", "n", 4), Told: p.T("alerts.past.messages", "n", 3)},
		{ID: "8", Sign: "expired", State: p.T("alerts.state.gone"), Store: "Fernhollow Outfitters", StoreHref: "/stores/fernhollow", Rule: rule("campaign-ending"), Title: p.T("alert.campaign.ends", "name", "Tote", "day", locale.Day{Date: civil.DateOf(now)}), When: days(20), Lasted: l.Days(4), Told: p.T("alerts.past.nobody")},
		{ID: "7", Sign: "active", State: p.T("alerts.state.resolved"), Store: longName, StoreHref: "/stores/long", Rule: rule("drift"), Title: longName, When: days(40), Lasted: p.T("alerts.lasted.hours", "n", 1), Told: p.T("alerts.past.messages", "n", 1)},
	}
	everyone := p.T("alerts.mutes.for_all")
	p.Mutes = []alerts.MuteRow{
		{What: longName, Where: p.T("alerts.mutes.in_store", "store", longName), Whom: everyone, Until: until(), MadeBy: longEmail, Action: "/alerts/mutes/1/end"},
		{What: rule("rate-fell"), Where: p.T("alerts.mutes.every_store"), Whom: p.T("alerts.mutes.for_you"), Until: p.T("alerts.mutes.no_end"), Action: "/alerts/mutes/2/end"},
		{What: rule("plan"), Where: p.T("alerts.mutes.in_store", "store", "Kumo Tea"), Whom: everyone, Until: p.T("alerts.mutes.no_end"), MadeBy: "Noor"},
	}
	p.OlderHref = "/alerts?after=1-1"
	p.Exports = components.Exports{Path: "/alerts"}
}
