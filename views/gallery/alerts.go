package gallery

import (
	"strings"

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
	b.Tabs = []components.Tab{{Label: "Stores", Href: "/"}, {Label: "Alerts", Href: "/alerts", Current: true, Count: 3}}
	for _, t := range []components.Tab{{Label: "Alerts", Href: "/alerts"}, {Label: "How you are told", Href: "/alerts/settings"}} {
		t.Current = t.Href == path
		b.Sub = append(b.Sub, t)
	}
	return b
}

// alertPages are the pages about alerts.
func alertPages(b components.Base) []Page {
	list := func(change func(*alerts.Page)) alerts.Page {
		p := alerts.Page{Base: aboutAlerts(b, "Alerts", "/alerts"), NowHref: "/?health=person", Rules: alertRules(), Stores: []form.Choice{{Value: "fernhollow", Label: "Fernhollow Outfitters"}, {Value: "kumo", Label: "Kumo Tea"}}}
		change(&p)
		return p
	}
	settings := alerts.SettingsPage{
		Base: aboutAlerts(b, "How you are told of alerts", "/alerts/settings"), Rules: alertRuleChoices(), Zones: stores.ZoneChoices(now, ""), Address: "ida@fernhollow.example", MayChannel: true, NewHref: "/alerts/channels/new",
		Form: alerts.Form{Mail: true, Recoveries: true, Rules: []string{"credential", "embed-off", "rate-fell"}, Quiet: true, From: "22:00", To: "07:00", Zone: "Europe/Berlin", CampaignDays: "3"},
	}
	channels := settings
	channels.Notice = "The test has arrived: hooks.slack.com took it for “#shop-alerts”."
	channels.Channels = []alerts.ChannelRow{
		{ID: "1", Name: "#shop-alerts", Kind: "Slack webhook", Host: "hooks.slack.com", Stores: "every store that is open to you", Rules: "what is on unless chosen", Sign: "active", State: "In use", Sent: "last arrived 3 hours ago", Action: "/alerts/channels/1"},
		{ID: "2", Name: longName, Kind: "Signed webhook", Host: strings.Repeat("hooks", 20) + ".example", Stores: "Kumo Tea", Rules: "A service refuses its token, App embed is off", Sign: "waiting", State: "Failing since 19 Nov, 14:02 UTC", Note: "Answered 502: Bad gateway", Action: "/alerts/channels/2", Signed: true},
		{ID: "3", Name: "Old program", Kind: "Signed webhook", Host: "in.example", Stores: "Kumo Tea", Rules: "Success rate fell", Sign: "person", State: "Switched off: it failed for days", Note: "No answer: connection refused", Action: "/alerts/channels/3", Off: true, Signed: true},
	}
	refused := settings
	refused.Problem, refused.Field, refused.Unmailed = "Write when the quiet hours begin and end, such as 22:00 and 07:00. They can’t begin when they end.", "quiet", "This server sends no mails yet: whoever runs it gives it a mail server. What you choose here counts from then on."
	refused.NewHref, refused.MayChannel, refused.Unchanneled = "", false, "Channels are for agency members, merchants and administrators."
	store := list(func(p *alerts.Page) {
		full(p)
		p.Base, p.Stores = at(b, Fernhollow().Store, "Alerts"), nil
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
			p.Unwatched = "no store was looked at yet. The worker does that: is it running?"
		}))},
		{"alerts-stalled", "nobody looks any more", alerts.Show(list(func(p *alerts.Page) {
			full(p)
			p.Unwatched = "the last look was to be at 11:43 UTC on 20 Nov 2026. The worker does that: is it running?"
			p.Problem = "Nothing was muted: you have 200 mutes, which is as many as there can be. End one first."
		}))},
		{"alert-settings", "one’s own, without a channel", alerts.Settings(settings)},
		{"alert-channels", "channels in every state", alerts.Settings(channels)},
		{"alert-settings-refused", "quiet hours that can’t be, and who may have no channel", alerts.Settings(refused)},
		{"channel-new", "the form of a channel, refused", alerts.Channel(alerts.ChannelPage{
			Base: aboutAlerts(b, "Add a channel", "/alerts/channels/new"), Rules: alertRuleChoices(), Stores: []form.Choice{{Value: "kumo", Label: longName}}, MoreStores: true,
			Form: alerts.ChannelForm{Kind: reportalerts.SlackChannel, Name: "#shop-alerts", Own: true, Rules: []string{"credential"}}, Field: "address",
			Problem: "This address is not public, so nothing is sent there. Whoever runs this server can allow it with DASHBOARD_CHANNEL_ALLOW.",
		})},
		{"channel-edit", "a channel that is there, changed meanwhile", alerts.Channel(alerts.ChannelPage{
			Base: aboutAlerts(b, "Edit a channel", "/alerts/channels/2"), Rules: alertRuleChoices(), Stores: []form.Choice{{Value: "kumo", Label: longName}},
			ID: "2", Kind: "Signed webhook", Host: strings.Repeat("hooks", 20) + ".example", Revision: "3", Store: form.Choice{Value: "kumo", Label: longName},
			Form:    alerts.ChannelForm{Kind: reportalerts.WebhookChannel, Name: longName, Store: "kumo", Own: true, Rules: []string{"credential", "plan"}},
			Problem: "This channel was changed in another window after you opened it. Below is what it says now: make your change again.",
		})},
	}
}

func alertRules() (out []form.Choice) {
	for _, r := range reportalerts.Rules {
		out = append(out, form.Choice{Value: r.Key, Label: r.Title})
	}
	return out
}

func alertRuleChoices() (out []alerts.RuleChoice) {
	for _, r := range reportalerts.Rules {
		out = append(out, alerts.RuleChoice{Key: r.Key, Title: r.Title, Means: r.Means})
	}
	return out
}

// full fills a list of alerts with every kind of row.
func full(p *alerts.Page) {
	reaches := []form.Choice{{Value: "this-mine", Label: "this, for me"}, {Value: "this-all", Label: "this, for everybody and every channel"}, {Value: "rule-mine", Label: "all of “App embed is off” in this store, for me"}}
	p.Known = true
	p.Open = []alerts.Row{
		{
			ID: "4", Kind: "error", State: "Open", Store: "Fernhollow Outfitters", StoreHref: "/stores/fernhollow", Rule: "App embed is off", Title: "The gift widget can’t appear",
			Text: "The app embed is off in the live theme. Switch it on in the theme editor, under App embeds.", Since: "20 Nov 2026, 09:10, 2 hours ago", Action: "See the gift set-up", Href: "/stores/fernhollow/gift",
			Told: []string{"Told: you by mail on 20 Nov, 10:25; channel #shop-alerts on 20 Nov, 10:25.", "Not told yet: Noor by mail (quiet hours until 07:00)."}, Reaches: reaches,
		},
		{
			ID: "3", Kind: "warning", State: "Open", Store: "Kumo Tea", StoreHref: "/stores/kumo", Rule: "Success rate fell", Title: "Upsell success rate fell to 6.1% on Thursday, 19 Nov",
			Text: "19 Nov 2026 · as reported: 31 of 508 orders took an offer. On 8 Thursdays before it was 12.9% to 15.2%, so 10.4% or more was likely.", Since: "19 Nov 2026, 00:00, 35 hours ago",
			Evidence: [][2]string{{"Day", "19 Nov 2026"}, {"Was", "6.1%"}, {"Lowest of those before", "12.9%"}, {"Highest of those before", "15.2%"}, {"Days compared", "8"}, {"Robust deviations", "5.2"}},
			Action:   "See the days", Href: "/stores/kumo", Told: []string{"Could not be told: channel Old program (No answer: connection refused)."}, Reaches: reaches,
		},
		{
			ID: "2", Kind: "good", State: "Seems over, being watched", Store: "Kumo Tea", StoreHref: "/stores/kumo", Rule: "Plan or trial", Title: "More gift campaigns than the plan allows", Text: "4 campaigns are active or scheduled, the plan allows 3.",
			Since: "18 Nov 2026, 11:43, 2 days ago", Action: "See the gift plan", Href: "/stores/kumo/gift", Told: []string{"Nobody was told: nobody who sees this store wants to be, or it is muted."}, Reaches: reaches,
		},
		{
			ID: "1", Kind: "info", State: "Muted", Store: longName, StoreHref: "/stores/long", Rule: "A placement lost its last active offer", Title: longName, Text: strings.Repeat("W", 90), Since: "1 Nov 2026, 00:00, 19 days ago",
			Action: "See its offers", Href: "/stores/long/offers", Muted: "Muted for everybody until 27 Nov 2026, 11:43, with all of its kind.", UnmuteAction: "/alerts/mutes/1/end", Told: []string{"Told: " + longEmail + " by mail on 1 Nov, 08:00."},
		},
	}
	p.Past = []alerts.PastRow{
		{ID: "9", Sign: "active", State: "Recovered", Store: "Kumo Tea", StoreHref: "/stores/kumo", Rule: "A service refuses its token", Title: "Upsell service answers again", When: "12 Nov 2026, 04:10 – 09:02", Lasted: "4 hours", Told: "3 messages sent"},
		{ID: "8", Sign: "expired", State: "Not there any more", Store: "Fernhollow Outfitters", StoreHref: "/stores/fernhollow", Rule: "A gift campaign ends soon", Title: "“Autumn scarf” ends on 1 Nov", When: "29 Oct, 00:00 – 2 Nov 2026, 01:00", Lasted: "4 days", Told: "nobody was told"},
		{ID: "7", Sign: "active", State: "Recovered", Store: longName, StoreHref: "/stores/long", Rule: "Reported totals and stored days differ", Title: longName, When: "2 Oct 2026, 00:00 – 01:00", Lasted: "1 hour", Told: "1 message sent"},
	}
	p.Mutes = []alerts.MuteRow{
		{What: longName, Where: "in " + longName, Whom: "for everybody and every channel", Until: "until 27 Nov 2026, 11:43", MadeBy: longEmail, Action: "/alerts/mutes/1/end"},
		{What: "Success rate fell", Where: "in every store", Whom: "for you", Until: "for good", Action: "/alerts/mutes/2/end"},
		{What: "Plan or trial", Where: "in Kumo Tea", Whom: "for everybody and every channel", Until: "for good", MadeBy: "Noor"},
	}
	p.OlderHref = "/alerts?after=1-1"
	p.Exports = components.Exports{Path: "/alerts"}
}
